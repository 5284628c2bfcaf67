//! The lines of a session's file as rows. Their ids are free here, and a stranger's words are marked.

use super::Line;
use crate::clock;
use crate::export_key::Author;
use crate::limits::SESSION_ID_CHARACTERS_MAX;
use crate::run::at_rest::stopped;
use crate::sessions;
use crate::space::Space;
use crate::storage;
use serde_json::Value;
use shidi_protocol::{Moment, RunId, RunStatus, RunSummary, Segment, SegmentId, SessionId, SessionSummary};
use shidi_store::{Batch, RunState, Session, StoreError, ToolResult, Variable, Write};
use std::collections::HashMap;

/// A session on its way in.
pub(super) struct Importing {
    pub(super) session: SessionId,
    summary: SessionSummary,
    /// The runs of the file, and their ids here.
    runs: HashMap<RunId, RunId>,
    author: Author,
    now: Moment,
    /// The run at the end of what is shown.
    head: Option<RunId>,
    /// Files of before there were versions name no parents: each run follows the one before it.
    is_one_line: bool,
    last_run: Option<RunId>,
    row: Session,
    last_segment: SegmentId,
}

/// A line that fits no session, and why.
pub(super) type Misfit = (usize, String);

impl Importing {
    pub(super) fn of(
        space: &Space,
        first: Option<&(usize, Line)>,
        lines: &[(usize, Line)],
        author: Author,
    ) -> Result<Result<Self, Misfit>, StoreError> {
        let Some((
            _,
            Line::Session {
                session: summary,
                head,
                named,
            },
        )) = first
        else {
            return Ok(Err((1, "the first line is no session".to_owned())));
        };
        let mut names = vec![(1, summary.id.as_str())];
        names.extend(lines.iter().filter_map(|(number, line)| {
            let Line::Run { run, .. } = line else { return None };
            Some((*number, run.id.as_str()))
        }));
        if let Some((number, name)) = names.iter().find(|(_, name)| !is_id(name)) {
            return Ok(Err((*number, format!("{name:?} is no id"))));
        }
        let mut is_taken = space.store.session(&summary.id)?.is_some();
        for (_, run) in &names[1..] {
            is_taken |= space.store.run(&RunId::from((*run).to_owned()))?.is_some();
        }
        let runs = names[1..].iter().map(|(_, run)| {
            let run = RunId::from((*run).to_owned());
            (run.clone(), if is_taken { RunId::mint() } else { run })
        });
        let session = if is_taken {
            SessionId::mint()
        } else {
            summary.id.clone()
        };
        let now = clock::now();
        let row = Session {
            id: session.clone(),
            created: summary.created.min(now),
            updated: summary.updated.min(now),
            title: sessions::title(&summary.title),
            is_named: *named,
            folders: Vec::new(),
            mode: space.config().task.mode,
        };
        Ok(Ok(Self {
            session,
            summary: summary.clone(),
            runs: runs.collect(),
            author,
            now,
            head: head.clone(),
            is_one_line: head.is_none()
                && !lines
                    .iter()
                    .any(|(_, line)| matches!(line, Line::Run { run, .. } if run.parent.is_some())),
            last_run: None,
            row,
            last_segment: SegmentId::default(),
        }))
    }

    /// The rows, each after those that it names.
    pub(super) fn batch(mut self, lines: Vec<(usize, Line)>) -> Result<Batch, Misfit> {
        let mut batch = Batch::default();
        batch.push(Write::PutSession(self.row.clone()));
        for (number, line) in lines.into_iter().skip(1) {
            let write = self.write(line).map_err(|why| (number, why))?;
            batch.push(write);
        }
        if let Some(head) = &self.head {
            let (session, run) = (self.session.clone(), self.known(head).map_err(|why| (1, why))?);
            batch.push(Write::SetHead { session, run });
        }
        batch.push(Write::SweepVariables(self.session.clone()));
        Ok(batch)
    }

    fn write(&mut self, line: Line) -> Result<Write, String> {
        let is_foreign = self.author == Author::Stranger;
        let session = self.session.clone();
        Ok(match line {
            Line::Session { .. } => return Err("a second session".to_owned()),
            Line::Run {
                run,
                question,
                started,
                ended,
                build,
                state,
            } => {
                let row = self.run(*run, question, (started, ended), build, state)?;
                self.last_run = Some(row.run.clone());
                Write::PutRun(Box::new(row))
            }
            Line::Segment { segment } => {
                let segment = Box::new(self.segment(segment)?);
                Write::AppendSegment { session, segment }
            }
            Line::Call { mut call } => {
                call.run = self.known(&call.run)?;
                if let Some(outcome) = call.outcome.as_mut().filter(|_| is_foreign) {
                    outcome.untrusted = true;
                    // Paths that somebody else wrote lead anywhere.
                    outcome.pictures.clear();
                    outcome.files.clear();
                }
                Write::UpsertCall(call)
            }
            Line::Variable {
                name,
                value,
                kind,
                text,
                stored,
                tainted,
                run,
                deleted,
            } => {
                let run = run.map(|run| self.known(&run)).transpose()?;
                if deleted {
                    return Ok(Write::DeleteVariable { session, name, run });
                }
                let has_value = stored.is_some() || kind.is_empty();
                let variable = Variable {
                    name,
                    kind,
                    text: if text.is_empty() { value.to_string() } else { text },
                    value: stored.or_else(|| has_value.then_some(value)),
                    tainted: tainted || is_foreign,
                    run,
                };
                Write::PutVariable { session, variable }
            }
            Line::Result {
                handle,
                run,
                text,
                tainted,
            } => Write::PutResult(ToolResult {
                session,
                handle,
                run: self.known(&run)?,
                text,
                tainted: tainted || is_foreign,
            }),
        })
    }

    fn segment(&mut self, mut segment: Segment) -> Result<Segment, String> {
        self.last_segment = self.last_segment.next();
        if self.author == Author::Stranger {
            segment.id = self.last_segment;
            segment.tainted = true;
        }
        segment.time = self.past(segment.time);
        segment.run = self.known(&segment.run)?;
        Ok(segment)
    }

    fn run(
        &self,
        run: RunSummary,
        question: String,
        (started, ended): (Option<Moment>, Option<Moment>),
        build: String,
        state: Value,
    ) -> Result<RunState, String> {
        let is_over = run.status.is_some_and(RunStatus::is_over);
        let started = self.past(started.unwrap_or(self.summary.created));
        let row = RunState {
            run: self.known(&run.id)?,
            session: self.session.clone(),
            parent: match &run.parent {
                Some(parent) => Some(self.known(parent)?),
                None => self.last_run.clone().filter(|_| self.is_one_line),
            },
            status: run.status,
            state: match self.author {
                Author::Own => state,
                Author::Stranger => storage::state_of_stranger(&question, started, run.status),
            },
            question,
            usage: run.usage,
            offline: run.offline,
            waiting: run.waiting,
            started,
            ended: ended.map(|ended| self.past(ended)),
            reason: run.reason,
            error: run.error,
            seq: run.seq,
            build,
        };
        // Continued here and where it came from, it would do its work twice.
        Ok(if is_over { row } else { stopped(row, self.now) })
    }

    /// What a file says to come has not been: it would be newer than whatever happens here.
    fn past(&self, time: Moment) -> Moment {
        time.min(self.now)
    }

    /// The id here of a run of the file.
    fn known(&self, run: &RunId) -> Result<RunId, String> {
        let known = self.runs.get(run).cloned();
        known.ok_or_else(|| format!("{:?} is no run of this session", run.as_str()))
    }
}

/// Whether a text may be an id: folders are named by it.
fn is_id(text: &str) -> bool {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_';
    !text.is_empty() && text.len() <= SESSION_ID_CHARACTERS_MAX && text.chars().all(fits)
}
