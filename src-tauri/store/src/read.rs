//! The readings. Each sees one state of the database: written batches, and no buffered one.

use crate::recall;
use crate::recall::QueryVector;
use crate::search::excerpt::Excerpt;
use crate::search::index::{self, IndexBacklog};
use crate::search::passages::{self, Breadth};
use crate::search::{self, Hit, HitSource, SearchScope};
use crate::table::vector::Unembedded;
use crate::table::{
    call, look, memory, partial_answer, result, rule, run_state, segment, session, setting, span, switch,
    trace, variable, vector, visit,
};
use crate::writer::Job;
use crate::{
    Integrity, Measured, MemoryFilter, PartialAnswer, Rule, RunState, Session, StepPage, Store, StoreError,
    SwitchedOff, ToolResult, Variable, Visit, recovery,
};
use rusqlite::Connection;
use serde_json::Value;
use shidi_protocol::{
    CallRecord, JsonMap, LookRecord, MemoryHit, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope,
    Moment, PageVisit, RunId, RunSummary, Segment, SessionDetail, SessionId, SessionSummary, Span,
    TraceQuery, TraceSummary, withdrawn,
};
use std::time::Duration;

/// Ids that are looked up before one that fits several is called ambiguous.
pub(crate) const FITTING_MOST: u32 = 10;

/// How long a search waits for the index, which usually is a few rows behind.
const INDEX_WAIT: Duration = Duration::from_millis(250);

/// Versions of one statement that are shown.
const VERSIONS_MOST: u32 = 100;

/// Excerpts of one look-up in a tool's result at most.
const EXCERPTS_MOST: usize = 100;

impl Store {
    /// Sessions, newest first.
    pub fn sessions(&self, limit: u32) -> Result<Vec<SessionSummary>, StoreError> {
        self.read(|connection| session::newest(connection, limit))
    }

    /// A session's own row: what it may reach and how much it asks.
    pub fn session(&self, session: &SessionId) -> Result<Option<Session>, StoreError> {
        self.read(|connection| session::one(connection, session))
    }

    /// A whole session, every version of it: enough to draw it again. Variables are those of the version that is shown; one
    /// that has no JSON form stands there as its text.
    pub fn session_detail(&self, session: &SessionId) -> Result<Option<SessionDetail>, StoreError> {
        self.read(|connection| {
            let Some(summary) = session::summary(connection, session)? else {
                return Ok(None);
            };
            let runs = run_state::of_session(connection, session)?;
            let head = session::head(connection, session)?;
            let variables = variable::after(connection, session, head.as_ref())?;
            let runs: Vec<RunSummary> = runs.iter().map(RunState::summary).collect();
            let segments = segment::of_session(connection, session)?;
            Ok(Some(SessionDetail {
                events: Vec::new(),
                summary,
                withdrawn: withdrawn(&segments, &runs),
                segments,
                calls: call::of_session(connection, session)?,
                runs,
                variables: variables.into_iter().map(shown).collect::<JsonMap>(),
            }))
        })
    }

    /// The session whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_session(&self, text: &str) -> Result<Option<SessionId>, StoreError> {
        only(
            text,
            self.read(|connection| session::fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// The transcript, in order.
    pub fn segments(&self, session: &SessionId) -> Result<Vec<Segment>, StoreError> {
        self.read(|connection| segment::of_session(connection, session))
    }

    /// How a run stands.
    pub fn run(&self, run: &RunId) -> Result<Option<RunState>, StoreError> {
        self.read(|connection| run_state::one(connection, run))
    }

    /// A session's runs, oldest first.
    pub fn runs(&self, session: &SessionId) -> Result<Vec<RunState>, StoreError> {
        self.read(|connection| run_state::of_session(connection, session))
    }

    /// Runs that are at work or suspended, oldest first. At a start, those at work were interrupted.
    pub fn open_runs(&self) -> Result<Vec<RunState>, StoreError> {
        self.read(run_state::open)
    }

    /// The partial answers of runs whose process ended without a word, or that are at work; oldest first.
    pub fn partial_answers(&self) -> Result<Vec<PartialAnswer>, StoreError> {
        self.read(partial_answer::all)
    }

    /// The run whose id begins or ends with `text`; [`StoreError::Ambiguous`] when several do.
    pub fn find_run(&self, text: &str) -> Result<Option<RunId>, StoreError> {
        only(
            text,
            self.read(|connection| run_state::fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// A run's calls, in the order in which they were made.
    pub fn calls(&self, run: &RunId) -> Result<Vec<CallRecord>, StoreError> {
        self.read(|connection| call::of_run(connection, run))
    }

    /// A run's steps, in order, with everything that is kept of them; texts stand as their hashes.
    pub fn spans(&self, run: &RunId) -> Result<Vec<Span>, StoreError> {
        self.read(|connection| span::of_run(connection, run))
    }

    /// One of them.
    pub fn span(&self, run: &RunId, id: u32) -> Result<Option<Span>, StoreError> {
        self.read(|connection| span::one(connection, run, id))
    }

    /// A run's steps without what is long, in the order in which they changed.
    pub fn steps(&self, run: &RunId, after: u64, limit: u32) -> Result<StepPage, StoreError> {
        self.read(|connection| span::changed(connection, run, after, limit))
    }

    /// A text that a step of the run names by its hash.
    pub fn step_text(&self, run: &RunId, hash: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| span::text(connection, run, hash))
    }

    /// Runs with their times and usage, newest first.
    pub fn traces(&self, query: &TraceQuery) -> Result<Vec<TraceSummary>, StoreError> {
        self.read(|connection| trace::listed(connection, query))
    }

    /// One run with its times and usage.
    pub fn trace(&self, run: &RunId) -> Result<Option<TraceSummary>, StoreError> {
        self.read(|connection| trace::one(connection, run))
    }

    pub fn setting(&self, key: &str) -> Result<Option<Value>, StoreError> {
        self.read(|connection| setting::one(connection, key))
    }

    /// By key.
    pub fn settings(&self) -> Result<Vec<(String, Value)>, StoreError> {
        self.read(setting::all)
    }

    /// Oldest first.
    pub fn rules(&self) -> Result<Vec<Rule>, StoreError> {
        self.read(rule::all)
    }

    /// The toolkits and tools that are switched off, by assistant and name.
    pub fn switched_off(&self) -> Result<Vec<SwitchedOff>, StoreError> {
        self.read(switch::all)
    }

    pub fn memory(&self, memory: &MemoryId) -> Result<Option<MemoryRecord>, StoreError> {
        self.read(|connection| memory::one(connection, memory))
    }

    /// Memory records: pinned first, then newest first, from the `offset`th on.
    pub fn memories(
        &self,
        filter: &MemoryFilter,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| memory::list::newest(connection, filter, offset, limit))
    }

    /// How many records there are of each kind; kinds without any are left out.
    pub fn memory_counts(&self, filter: &MemoryFilter) -> Result<Vec<(MemoryKind, u64)>, StoreError> {
        self.read(|connection| memory::list::counts(connection, filter))
    }

    /// The assistants, and then the sites, that something is remembered for, at most `limit` of each.
    pub fn memory_owners(&self, limit: u32) -> Result<Vec<MemoryScope>, StoreError> {
        self.read(|connection| {
            let mut owners = memory::list::owners(connection, "assistant", limit)?;
            owners.extend(memory::list::owners(connection, "site", limit)?);
            Ok(owners)
        })
    }

    /// Everything remembered but pieces of documents, in the order in which it was written, each with its place in that
    /// order; from after the place `after` on.
    pub fn memories_written(&self, after: i64, limit: u32) -> Result<Vec<(i64, MemoryRecord)>, StoreError> {
        self.read(|connection| memory::list::written(connection, after, limit))
    }

    /// All versions of a memory record, oldest first, itself among them.
    pub fn memory_versions(&self, memory: &MemoryId) -> Result<Vec<MemoryRecord>, StoreError> {
        self.read(|connection| memory::list::versions(connection, memory, VERSIONS_MOST))
    }

    /// The record whose id is `text`, else the one whose id begins or ends with it; [`StoreError::Ambiguous`] when several
    /// do.
    pub fn find_memory(&self, text: &str) -> Result<Option<MemoryId>, StoreError> {
        let whole = MemoryId::from(text);
        if self.memory(&whole)?.is_some() {
            return Ok(Some(whole));
        }
        only(
            text,
            self.read(|connection| memory::list::fitting(connection, text, FITTING_MOST))?,
        )
    }

    /// The ledger of looks, newest first.
    pub fn looks(&self, limit: u32) -> Result<Vec<LookRecord>, StoreError> {
        self.read(|connection| look::newest(connection, limit))
    }

    /// Looks that were sent and are kept, in one session or in all, oldest first.
    pub fn looks_sent(&self, session: Option<&SessionId>) -> Result<Vec<LookRecord>, StoreError> {
        self.read(|connection| look::sent(connection, session))
    }

    /// Whole results of a session's tools, by handle.
    pub fn results(&self, session: &SessionId) -> Result<Vec<ToolResult>, StoreError> {
        self.read(|connection| result::of_session(connection, session))
    }

    /// The whole of a tool's result.
    pub fn result(&self, session: &SessionId, handle: &str) -> Result<Option<ToolResult>, StoreError> {
        self.read(|connection| result::one(connection, session, handle))
    }

    /// Passages of a tool's result that answer `words`, best first; `None` when there is no such result.
    pub fn find(
        &self,
        session: &SessionId,
        handle: &str,
        words: &str,
        limit: usize,
    ) -> Result<Option<Vec<Excerpt>>, StoreError> {
        let result = self.result(session, handle)?;
        Ok(result.map(|result| find_in(&result.text, words, limit, Breadth::Narrow)))
    }

    /// The hits for `text`, best first. Sees everything that is committed.
    pub fn search(&self, text: &str, scope: &SearchScope, limit: u32) -> Result<Vec<Hit>, StoreError> {
        self.catch_up()?;
        self.read(|connection| search::search(connection, &self.inner.common, text, scope, limit))
    }

    /// What is remembered or was said and fits a query best, best first, with what each score is made of. Sees everything
    /// that is committed.
    pub fn recall(&self, query: &MemoryQuery) -> Result<Vec<MemoryHit>, StoreError> {
        self.recall_near(query, None)
    }

    /// The same, and by meaning: what is near the question as an embedding model sees it.
    pub fn recall_near(
        &self,
        query: &MemoryQuery,
        near: Option<&QueryVector>,
    ) -> Result<Vec<MemoryHit>, StoreError> {
        self.catch_up()?;
        self.read(|connection| recall::recall(connection, &self.inner.common, query, near))
    }

    /// Texts that have no vector of that model yet, newest first.
    pub fn unplaced(&self, model: &str, limit: u32) -> Result<Vec<Unembedded>, StoreError> {
        self.read(|connection| vector::unplaced(connection, model, limit))
    }

    /// The durations of finished steps that began at that moment or later, newest first.
    pub fn measured(&self, since: Moment, limit: u32) -> Result<Vec<Measured>, StoreError> {
        self.read(|connection| span::measured(connection, since, limit))
    }

    /// How many texts have a vector of that model, and how many should.
    pub fn placed(&self, model: &str) -> Result<(u64, u64), StoreError> {
        self.read(|connection| vector::counts(connection, model))
    }

    /// Changes when a text is new that may want a vector: the last record and the last segment.
    pub fn newest_texts(&self) -> Result<(i64, i64), StoreError> {
        self.read(vector::newest)
    }

    /// The questions that were asked about that very page, newest first.
    pub fn page_visits(&self, address: &str, limit: u32) -> Result<Vec<PageVisit>, StoreError> {
        self.read(|connection| visit::asked(connection, &recall::address::canonical(address), limit))
    }

    /// Sessions about a page, or about any page of a site, newest first.
    pub fn visits(&self, address: &str, limit: u32) -> Result<Vec<Visit>, StoreError> {
        self.read(|connection| visit::sessions(connection, &recall::address::canonical(address), limit))
    }

    /// Waits until what is committed is indexed; while the whole index is made anew, or the writer is busy, for a moment.
    fn catch_up(&self) -> Result<(), StoreError> {
        if self.read(index::lag)? == IndexBacklog::Some
            && let Err(error) = self.inner.ask_for(INDEX_WAIT, |answer| Job::Index { answer })
        {
            tracing::warn!(%error, "searching what is indexed so far");
        }
        Ok(())
    }

    /// Sessions in which `text` fits best, best first, each with its best excerpt.
    pub fn search_sessions(&self, text: &str, limit: u32) -> Result<Vec<SessionSummary>, StoreError> {
        let hits = self.search(text, &SearchScope::Sessions, search::HITS_MOST)?;
        self.read(|connection| {
            let mut found: Vec<SessionSummary> = Vec::new();
            for hit in hits {
                let HitSource::Segment { session, .. } = hit.source else {
                    continue;
                };
                let is_new = found.iter().all(|summary| summary.id != session);
                if is_new && let Some(mut summary) = session::summary(connection, &session)? {
                    summary.excerpt = Some(hit.excerpt);
                    found.push(summary);
                }
                if found.len() >= limit as usize {
                    break;
                }
            }
            // A title that the user gave stands in no segment.
            for summary in session::titled(connection, text, limit)? {
                let is_new = found.iter().all(|other| other.id != summary.id);
                if is_new && found.len() < limit as usize {
                    found.push(summary);
                }
            }
            Ok(found)
        })
    }

    /// Looks for damage, for no longer than `most`.
    pub fn check(&self, most: Duration) -> Result<Integrity, StoreError> {
        let mut found = Ok(Integrity::Unfinished);
        self.read(|connection| {
            found = recovery::check(connection, self.path(), most);
            Ok(())
        })?;
        found
    }

    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.inner.readers.read(work)
    }
}

/// The value, or the text of what has no JSON form.
fn shown(variable: Variable) -> (String, Value) {
    (
        variable.name,
        variable.value.unwrap_or(Value::String(variable.text)),
    )
}

pub(crate) fn only<Id>(text: &str, mut fitting: Vec<Id>) -> Result<Option<Id>, StoreError> {
    match fitting.len() {
        _ if text.is_empty() => Ok(None),
        0 | 1 => Ok(fitting.pop()),
        matches => Err(StoreError::Ambiguous {
            text: text.to_owned(),
            matches: u32::try_from(matches).unwrap_or(FITTING_MOST),
        }),
    }
}

/// Passages of `text` that answer `words`, best first.
#[must_use]
pub fn find_in(text: &str, words: &str, limit: usize, breadth: Breadth) -> Vec<Excerpt> {
    passages::passages(text, words, limit.min(EXCERPTS_MOST), breadth)
}
