//! A session as a file of JSON Lines, and back: itself, its runs, transcript, calls, variables and long results.
//!
//! What this data folder exported comes back as it was. Of anybody else's every word is a stranger's: it marks the tasks
//! that go on from it, and no state of a run is taken over. Neither brings granted folders or a mode along.

use crate::clock;
use crate::engine::Engine;
use crate::export_key::{Author, ExportKey, LineOf, author_of};
use crate::limits::{SESSION_ID_CHARACTERS_MAX, SESSION_LINE_BYTES_MAX, SESSION_LINES_MAX};
use crate::lines_file::{Bounds, LinesFile};
use crate::sessions::{self, stopped};
use crate::storage;
use crate::words::{Words, error};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_executor::plain;
use shidi_protocol::{
    CallRecord, ErrorCode, Moment, Reply, RunId, RunStatus, RunSummary, Segment, SegmentId, SessionId,
    SessionSummary, UserError,
};
use shidi_store::{Batch, RunState, Session, StoreError, ToolResult, Variable, Write};
use std::collections::HashMap;

const BOUNDS: Bounds = Bounds {
    lines: SESSION_LINES_MAX,
    line_bytes: SESSION_LINE_BYTES_MAX,
};

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Session {
        session: SessionSummary,
    },
    Run {
        run: RunSummary,
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
    },
    Result {
        handle: String,
        run: RunId,
        text: String,
        tainted: bool,
    },
}

/// The lines of a session.
///
/// # Errors
/// No such session, or storage trouble.
pub fn export(engine: &Engine, session: &SessionId) -> Result<Reply, UserError> {
    let id = sessions::whole_session_id(engine, session)?;
    let key = ExportKey::of(&engine.home).map_err(|cause| no_key(engine, &cause))?;
    let stored = |cause: StoreError| storage::explain(&cause, engine.words());
    engine.store.flush().map_err(stored)?;
    let Reply::Session { session } = sessions::show(engine, &id)? else {
        return Err(sessions::no_session(engine, session));
    };
    let mut lines = vec![Line::Session {
        session: session.summary,
    }];
    lines.extend(
        engine
            .store
            .runs(&id)
            .map_err(stored)?
            .into_iter()
            .map(line_of_run),
    );
    lines.extend(
        session
            .segments
            .into_iter()
            .map(|segment| Line::Segment { segment }),
    );
    lines.extend(
        session
            .calls
            .into_iter()
            .map(|call| Line::Call { call: Box::new(call) }),
    );
    lines.extend(
        engine
            .store
            .variables(&id)
            .map_err(stored)?
            .into_iter()
            .map(line_of_variable),
    );
    let results = engine.store.results(&id).map_err(stored)?.into_iter();
    lines.extend(results.map(
        |ToolResult {
             handle,
             run,
             text,
             tainted,
             ..
         }| Line::Result {
            handle,
            run,
            text,
            tainted,
        },
    ));
    let written = |line: &Line| -> Result<String, UserError> {
        let line = serde_json::to_string(line).map_err(|cause| no_key(engine, &cause.into()))?;
        Ok(key.prove(LineOf::Session, &line))
    };
    let lines = lines.iter().map(written).collect::<Result<_, UserError>>()?;
    Ok(Reply::Lines { lines, next: None })
}

fn line_of_run(run: RunState) -> Line {
    Line::Run {
        run: run.summary(),
        question: run.question,
        started: Some(run.started),
        ended: run.ended,
        build: run.build,
        state: run.state,
    }
}

fn line_of_variable(variable: Variable) -> Line {
    let value = variable.value.as_ref().map(plain);
    Line::Variable {
        value: value.unwrap_or_else(|| Value::String(variable.text.clone())),
        name: variable.name,
        kind: variable.kind,
        text: variable.text,
        stored: variable.value,
        tainted: variable.tainted,
        run: variable.run,
    }
}

/// Keeps the session of a file, under ids of its own where those of the file are taken. Replies: the session.
///
/// # Errors
/// A file that can't be read, a line that fits no session, or storage trouble; nothing is kept then.
pub fn import(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let file = LinesFile::at(engine, path)?;
    let key = ExportKey::known(&engine.home).map_err(|cause| no_key(engine, &cause))?;
    let broken = |number: usize, why: &str| broken(engine, path, number, why);
    let (mut lines, mut author) = (Vec::new(), Author::Own);
    file.each(BOUNDS, broken, |number, text| {
        let (text, wrote) = author_of(key.as_ref(), LineOf::Session, text);
        if wrote == Author::Stranger {
            author = wrote; // a session is somebody's as a whole
        }
        let line: Line = serde_json::from_str(&text).map_err(|cause| broken(number, &cause.to_string()))?;
        lines.push((number, line));
        Ok(())
    })?;
    let stored = |cause: StoreError| storage::explain(&cause, engine.words());
    let importing = Importing::of(engine, lines.first(), &lines, author).map_err(stored)?;
    let importing = importing.map_err(|(number, why)| broken(number, &why))?;
    let session = importing.session.clone();
    let batch = importing
        .batch(lines)
        .map_err(|(number, why)| broken(number, &why))?;
    engine.store.commit(batch).map_err(stored)?;
    sessions::show(engine, &session)
}

/// A session on its way in.
struct Importing {
    session: SessionId,
    summary: SessionSummary,
    /// The runs of the file, and their ids here.
    runs: HashMap<RunId, RunId>,
    author: Author,
    now: Moment,
    row: Session,
    last_segment: SegmentId,
}

/// A line that fits no session, and why.
type Misfit = (usize, String);

impl Importing {
    fn of(
        engine: &Engine,
        first: Option<&(usize, Line)>,
        lines: &[(usize, Line)],
        author: Author,
    ) -> Result<Result<Self, Misfit>, StoreError> {
        let Some((_, Line::Session { session: summary })) = first else {
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
        let mut is_taken = engine.store.session(&summary.id)?.is_some();
        for (_, run) in &names[1..] {
            is_taken |= engine.store.run(&RunId::from((*run).to_owned()))?.is_some();
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
            folders: Vec::new(),
            mode: engine.config().mode(),
        };
        Ok(Ok(Self {
            session,
            summary: summary.clone(),
            runs: runs.collect(),
            author,
            now,
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
                let row = self.run(run, question, (started, ended), build, state)?;
                Write::PutRun(Box::new(row))
            }
            Line::Segment { mut segment } => {
                self.last_segment = self.last_segment.next();
                if is_foreign {
                    segment.id = self.last_segment;
                    segment.tainted = true;
                }
                segment.run = self.known(&segment.run)?;
                let segment = Box::new(segment);
                Write::AppendSegment { session, segment }
            }
            Line::Call { mut call } => {
                call.run = self.known(&call.run)?;
                if let Some(outcome) = call.outcome.as_mut().filter(|_| is_foreign) {
                    outcome.untrusted = true;
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
            } => {
                let run = run.map(|run| self.known(&run)).transpose()?;
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

    fn run(
        &self,
        run: RunSummary,
        question: String,
        (started, ended): (Option<Moment>, Option<Moment>),
        build: String,
        state: Value,
    ) -> Result<RunState, String> {
        let is_over = run.status.is_some_and(|status| status != RunStatus::Suspended);
        let row = RunState {
            run: self.known(&run.id)?,
            session: self.session.clone(),
            status: run.status,
            state: match self.author {
                Author::Own => state,
                Author::Stranger => Value::Null,
            },
            question,
            usage: run.usage,
            offline: run.offline,
            waiting: run.waiting,
            started: started.unwrap_or(self.summary.created),
            ended,
            reason: run.reason,
            error: run.error,
            seq: run.seq,
            build,
        };
        // Continued here and where it came from, it would do its work twice.
        Ok(if is_over { row } else { stopped(row, self.now) })
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

fn broken(engine: &Engine, path: &str, number: usize, why: &str) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        match words {
            Words::Chinese => format!("“{path}”第 {number} 行不属于一个会话：{why}"),
            Words::English => format!("'{path}' is no session, line {number}: {why}"),
        },
        words.pick(
            "什么都没有导入；文件要由 shidi session export 写成",
            "Nothing was imported; the file has to be one that shidi session export wrote",
        ),
    )
}

fn no_key(engine: &Engine, cause: &std::io::Error) -> UserError {
    crate::export_key::unusable(engine.words(), cause)
}
