//! Between the mind's records and the store's rows, and from the store's errors to sentences for the user.

use crate::clock;
use crate::errors::error;
use serde_json::{Value, json};
use shidi_agent::{Phase, Record, RunState};
use shidi_locales::Language;
use shidi_protocol::{
    Ask, ErrorCode, Moment, RunId, RunStatus, SegmentId, SessionId, UserError, WaitingCard,
};
use shidi_store::{Batch, Rule, Store, StoreError, ToolResult, Write};

/// The facts of a run that stay the same. They are written beside its state, so that the run can be continued after a
/// restart.
#[derive(Debug, Clone)]
pub struct RunFacts {
    pub run: RunId,
    pub session: SessionId,
    /// The run that it follows.
    pub parent: Option<RunId>,
    pub ask: Ask,
    pub question: String,
    pub offline: bool,
    pub build: String,
    /// Whether anything may be learned from it.
    pub learns: bool,
}

/// What of a run's row changes besides the mind's own state.
#[derive(Debug, Clone, Default)]
pub struct RunProgress {
    pub waiting: Vec<WaitingCard>,
    pub seq: u32,
}

/// The rows for `records`, in an order in which each comes after those it names.
pub fn batch(records: &[Record], facts: &RunFacts, progress: &RunProgress) -> Batch {
    batch_at(clock::now(), records, facts, progress)
}

/// The same for what came to be at `now`.
pub fn batch_at(now: Moment, records: &[Record], facts: &RunFacts, progress: &RunProgress) -> Batch {
    let state = records.iter().rev().find_map(|record| match record {
        Record::State(state) => Some(state),
        _ => None,
    });
    let mut batch = Batch::default();
    if let Some(state) = state {
        let row = row(now, state, facts, progress);
        let ended = row.ended.filter(|_| facts.learns);
        batch.push(Write::PutRun(Box::new(row)));
        if let Some(since) = ended {
            let run = facts.run.clone();
            batch.push(Write::BeginLearning { run, since });
        }
    }
    for record in records {
        let session = facts.session.clone();
        let write = match record {
            Record::State(_) => continue,
            Record::Segment(segment) => Write::AppendSegment {
                session,
                segment: Box::new(segment.clone()),
            },
            Record::Call(call) => Write::UpsertCall(call.clone()),
            Record::Rule { pattern, verdict } => Write::PutRule(Rule {
                pattern: pattern.clone(),
                verdict: *verdict,
                created: now,
            }),
            Record::Result {
                handle,
                text,
                tainted,
            } => Write::PutResult(ToolResult {
                session,
                handle: handle.clone(),
                run: facts.run.clone(),
                text: text.clone(),
                tainted: *tainted,
            }),
            Record::Title(title) => Write::EntitleSession {
                session,
                title: title.clone(),
            },
        };
        batch.push(write);
    }
    if records.iter().any(|record| matches!(record, Record::Segment(_))) {
        batch.push(Write::TouchSession {
            session: facts.session.clone(),
            updated: now,
        });
    }
    batch
}

/// The stand-in for the state of a run that somebody else's file brought. The stand-in holds nothing of that state
/// but the question, and the mark.
pub fn state_of_stranger(question: &str, started: Moment, status: Option<RunStatus>) -> Value {
    let state = RunState {
        phase: Phase::Ended,
        tainted: true,
        status,
        ..RunState::new(started, SegmentId::default())
    };
    let ask = Ask {
        text: question.to_owned(),
        ..Ask::default()
    };
    json!({ "mind": state, "ask": ask })
}

/// Reads back what [`batch`] wrote beside the state.
///
/// # Errors
/// A row that another version wrote in another form.
pub fn read_state(row: &shidi_store::RunState) -> Result<(RunState, Ask), serde_json::Error> {
    if row.state.is_null() {
        // Earlier versions wrote none for a stranger's run.
        let state = state_of_stranger(&row.question, row.started, row.status);
        return read_state(&shidi_store::RunState { state, ..row.clone() });
    }
    let part = |name: &str| row.state.get(name).cloned().unwrap_or(Value::Null);
    Ok((
        serde_json::from_value(part("mind"))?,
        serde_json::from_value(part("ask"))?,
    ))
}

/// What a run had left behind when its state was last written; nothing where its row can't be read.
///
/// # Errors
/// Storage trouble.
pub fn left_behind(store: &Store, run: &RunId) -> Result<Option<SegmentId>, StoreError> {
    let state = store.run(run)?.and_then(|row| read_state(&row).ok());
    Ok(state.and_then(|(state, _)| state.left_behind))
}

fn row(now: Moment, state: &RunState, facts: &RunFacts, progress: &RunProgress) -> shidi_store::RunState {
    let over = state.status.is_some_and(RunStatus::is_over);
    shidi_store::RunState {
        run: facts.run.clone(),
        session: facts.session.clone(),
        parent: facts.parent.clone(),
        status: state.status,
        state: json!({ "mind": state, "ask": facts.ask }),
        question: facts.question.clone(),
        usage: state.usage,
        offline: facts.offline,
        waiting: progress.waiting.clone(),
        started: state.started,
        ended: over.then_some(now),
        reason: state.reason.clone(),
        error: state.error.clone(),
        seq: progress.seq,
        build: facts.build.clone(),
    }
}

/// What a failed store means to the user.
#[must_use]
pub fn explain(cause: &StoreError, language: Language) -> UserError {
    let (code, hint) = match cause {
        StoreError::Newer { .. } => (ErrorCode::NewerData, language.space().update_shidi()),
        StoreError::ReadOnly { .. } | StoreError::Folder { .. } => {
            (ErrorCode::Storage, language.space().check_folder_writable())
        }
        StoreError::Full => (ErrorCode::Storage, language.space().free_disk_space()),
        StoreError::Locked { .. } | StoreError::Busy { .. } => {
            (ErrorCode::Storage, language.space().close_other_program())
        }
        StoreError::Damaged { .. } => (ErrorCode::Storage, damaged_hint(language)),
        StoreError::Unreadable { .. } => (ErrorCode::Storage, language.space().back_up_and_doctor()),
        StoreError::Ambiguous { .. } => (ErrorCode::Input, language.space().write_more_of_id()),
        StoreError::TooLarge => (ErrorCode::Input, language.space().attach_text()),
        StoreError::Refused { .. }
        | StoreError::Earlier { .. }
        | StoreError::Closed
        | StoreError::Sqlite { .. } => (ErrorCode::Storage, language.space().start_again()),
    };
    error(code, cause.user_error(language.code()).message, hint)
}

/// What to do about a damaged database.
#[must_use]
pub fn damaged_hint(language: Language) -> &'static str {
    language.space().rescue_database()
}
