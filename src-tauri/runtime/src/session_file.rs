//! A session as a file of JSON Lines, and back: itself, its runs, transcript, calls, variables and long results.
//!
//! An export of this data folder comes back as it was. In anybody else's file every word is a stranger's. Such a file
//! marks the tasks that go on from it, and no state of a run is taken over. Neither kind of file brings granted folders
//! or a mode along.

mod importing;

use crate::blob_store;
use crate::errors::error;
use crate::export_key::{ExportKey, FileOf, Judged};
use crate::exporting::{self, Export};
use crate::ids;
use crate::jsonl::{Bounds, LinesFile};
use crate::limits::{SESSION_FILE_BYTES_MAX, SESSION_LINE_BYTES_MAX, SESSION_LINES_MAX};
use crate::space::Space;
use crate::storage;
use importing::Importing;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_executor::plain;
use shidi_protocol::{
    CallRecord, ErrorCode, Moment, Reply, RunId, RunSummary, Segment, SessionId, SessionSummary, UserError,
    earlier_segments,
};
use shidi_store::{Batch, RunState, StoreError, ToolResult, VariableRow, Write};
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
