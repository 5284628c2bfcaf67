//! A session as a file of JSON Lines, and back: itself, its runs, transcript, calls, variables and long results.
//!
//! An export of this data folder comes back as it was. In anybody else's file every word is a stranger's. Such a file
//! marks the tasks that go on from it, and no state of a run is taken over. Neither kind of file brings granted folders
//! or a mode along.

use crate::blob_store;
use crate::clock;
use crate::errors::error;
use crate::export_key::{Author, ExportKey, FileOf, Judged};
use crate::exporting::{self, Export};
use crate::ids;
use crate::jsonl::{Bounds, LinesFile};
use crate::limits::{
    SESSION_FILE_BYTES_MAX, SESSION_ID_CHARACTERS_MAX, SESSION_LINE_BYTES_MAX, SESSION_LINES_MAX,
};
use crate::run::at_rest::stopped;
use crate::sessions;
use crate::space::Space;
use crate::storage;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_executor::plain;
use shidi_protocol::{
    CallRecord, ErrorCode, Moment, Reply, RunId, RunStatus, RunSummary, Segment, SegmentId, SessionId,
    SessionSummary, UserError, earlier_segments,
};
use shidi_store::{Batch, RunState, Session, StoreError, ToolResult, Variable, VariableRow, Write};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;

const BOUNDS: Bounds = Bounds {
    lines: SESSION_LINES_MAX,
    line_bytes: SESSION_LINE_BYTES_MAX,
    bytes: SESSION_FILE_BYTES_MAX,
};

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Session {
        session: SessionSummary,
        /// The run at the end of what is shown; the last one where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<RunId>,
        /// Whether the user gave it its title.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        named: bool,
    },
    Run {
        run: Box<RunSummary>,
        #[serde(default)]
        question: String,
        #[serde(default)]
        started: Option<Moment>,
        #[serde(default)]
        ended: Option<Moment>,
        #[serde(default)]
        build: String,
        /// Ids and counters of the mind, for a replay.
        #[serde(default)]
        state: Value,
    },
    Segment {
        segment: Segment,
    },
    Call {
        call: Box<CallRecord>,
    },
    Variable {
        name: String,
        /// As everybody reads it.
        value: Value,
        #[serde(default)]
        kind: String,
        #[serde(default)]
        text: String,
        /// With the marks of what JSON has no form of.
        #[serde(default)]
        stored: Option<Value>,
        #[serde(default)]
        tainted: bool,
        #[serde(default)]
        run: Option<RunId>,
        /// From that run on it is not there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        deleted: bool,
    },
    Result {
        handle: String,
        run: RunId,
        text: String,
        tainted: bool,
    },
}

/// The lines of a session, in pieces.
///
/// # Errors
/// No such session.
pub fn export(space: &Arc<Space>, session: &SessionId) -> Result<mpsc::Receiver<Reply>, UserError> {
    let id = ids::whole_session_id(space, session)?;
    Ok(exporting::in_pieces(
        space,
        FileOf::Session,
        move |space: &Space, export: &mut Export<'_>| lines(space, &id, export),
    ))
}

fn lines(space: &Space, id: &SessionId, export: &mut Export<'_>) -> Result<(), UserError> {
    let stored = |cause: StoreError| storage::explain(&cause, space.language());
    space.store.flush().map_err(stored)?;
    // Every version of it, not the one that is shown.
    let detail = space.store.session_detail(id).map_err(stored)?;
    let session = detail.ok_or_else(|| ids::no_session(space, id))?;
    let row = space.store.session(id).map_err(stored)?;
    export.put(&Line::Session {
        session: session.summary,
        named: row.is_some_and(|row| row.is_named),
        head: space.store.head(id).map_err(stored)?,
    })?;
    for run in space.store.runs(id).map_err(stored)? {
        export.put(&line_of_run(run))?;
    }
    for segment in session.segments {
        export.put(&Line::Segment { segment })?;
    }
    for call in session.calls {
        export.put(&Line::Call { call: Box::new(call) })?;
    }
    for row in space.store.variable_rows(id).map_err(stored)? {
        export.put(&line_of_variable(row))?;
    }
    for result in space.store.results(id).map_err(stored)? {
        let ToolResult {
            handle,
            run,
            text,
            tainted,
            ..
        } = result;
        export.put(&Line::Result {
            handle,
            run,
            text,
            tainted,
        })?;
    }
    Ok(())
}

fn line_of_run(run: RunState) -> Line {
    Line::Run {
        run: Box::new(run.summary()),
        question: run.question,
        started: Some(run.started),
        ended: run.ended,
        build: run.build,
        state: run.state,
    }
}

fn line_of_variable(row: VariableRow) -> Line {
    let variable = match row {
        VariableRow::Left(variable) => variable,
        VariableRow::Deleted { name, run } => return line_of_deletion(name, run),
    };
    let value = variable.value.as_ref().map(plain);
    Line::Variable {
        value: value.unwrap_or_else(|| Value::String(variable.text.clone())),
        name: variable.name,
        kind: variable.kind,
        text: variable.text,
        stored: variable.value,
        tainted: variable.tainted,
        run: variable.run,
        deleted: false,
    }
}

fn line_of_deletion(name: String, run: Option<RunId>) -> Line {
    Line::Variable {
        name,
        value: Value::Null,
        kind: String::new(),
        text: String::new(),
        stored: None,
        tainted: false,
        run,
        deleted: true,
    }
}

/// A line of a file of today, or of one from before bodies had types.
fn read(text: &str) -> serde_json::Result<Line> {
    let mut line: Value = serde_json::from_str(text)?;
    if let Some(Value::Object(segment)) = line.get_mut("segment") {
        earlier_segments::bring_up(segment);
    }
    serde_json::from_value(line)
}

/// Keeps the session of a file, under ids of its own where those of the file are taken. Returns its id here.
///
/// # Errors
/// A file that can't be read, a line that fits no session, or storage trouble; nothing is kept then.
pub fn import(space: &Space, path: &str) -> Result<SessionId, UserError> {
    let file = LinesFile::at(space, path)?;
    let key = ExportKey::known(&space.home).map_err(|cause| no_key(space, &cause))?;
    let broken = |number: usize, why: &str| broken(space, path, number, why);
    let mut lines = Vec::new();
    let mut judged = Judged::begin(key.as_ref(), FileOf::Session);
    file.each(BOUNDS, broken, |number, text| {
        if let Some(text) = judged.take(text) {
            let line = read(&text).map_err(|cause| broken(number, &cause.to_string()))?;
            lines.push((number, line));
        }
        Ok(())
    })?;
    let author = judged.author();
    let stored = |cause: StoreError| storage::explain(&cause, space.language());
    let importing = Importing::of(space, lines.first(), &lines, author).map_err(stored)?;
    let importing = importing.map_err(|(number, why)| broken(number, &why))?;
    let session = importing.session.clone();
    let mut batch = importing
        .batch(lines)
        .map_err(|(number, why)| broken(number, &why))?;
    let held = blob_store::hold(space);
    let attached = attached(&held, &batch);
    batch.0.extend(attached);
    space.store.commit(batch).map_err(stored)?;
    Ok(session)
}

/// What went with its questions and is still kept here belongs to the session, too.
fn attached(held: &blob_store::Held<'_>, batch: &Batch) -> Vec<Write> {
    let runs = batch.0.iter().filter_map(|write| {
        let Write::PutRun(row) = write else { return None };
        Some(row)
    });
    let asked = runs.filter_map(|row| Some((row, storage::read_state(row).ok()?.1)));
    asked
        .flat_map(|(row, ask)| held.references(&row.session, &row.run, &ask.files))
        .collect()
}

/// A session on its way in.
struct Importing {
    session: SessionId,
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
type Misfit = (usize, String);

impl Importing {
    fn of(
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
    fn batch(mut self, lines: Vec<(usize, Line)>) -> Result<Batch, Misfit> {
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
        let is_over = run.status.is_some_and(|status| status != RunStatus::Suspended);
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

fn broken(space: &Space, path: &str, number: usize, why: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.runtime().line_no_session(number, path, why),
        language.runtime().import_exported_session(),
    )
}

fn no_key(space: &Space, cause: &std::io::Error) -> UserError {
    crate::export_key::unusable(space.language(), cause)
}
