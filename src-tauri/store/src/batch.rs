//! What can be written: one variant per kind of row, gathered in batches that are written whole or not at all.

use crate::table::note::{Note, NoteId};
use crate::table::result::ToolResult;
use crate::table::rule::Rule;
use crate::table::run_state::RunState;
use crate::table::session::Session;
use crate::table::span::Step;
use crate::table::variable::Variable;
use crate::table::{call, look, note, result, rule, run_state, segment, session, setting, span, variable};
use rusqlite::Connection;
use serde_json::Value;
use shidi_protocol::{CallRecord, LookRecord, Moment, RunId, Segment, SessionId};

/// One row to write. A row comes after the rows that it names: a segment after its session, a call after the
/// state of its run.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    PutSession(Session),
    TouchSession {
        session: SessionId,
        updated: Moment,
    },
    RenameSession {
        session: SessionId,
        title: String,
    },
    /// Deletes everything that belongs to the session, and its words from the index; its notes stay.
    DeleteSession(SessionId),
    AppendSegment {
        session: SessionId,
        segment: Box<Segment>,
    },
    UpsertCall(Box<CallRecord>),
    PutRun(Box<RunState>),
    PutVariable {
        session: SessionId,
        variable: Variable,
    },
    DeleteVariable {
        session: SessionId,
        name: String,
    },
    PutSetting {
        key: String,
        value: Value,
    },
    PutRule(Rule),
    DeleteRule {
        pattern: String,
    },
    AddNote(Note),
    DeleteNote(NoteId),
    PutResult(ToolResult),
    /// A line of the ledger of looks, or what became of it.
    PutLook(Box<LookRecord>),
    /// A step of a trace, over an earlier form of it; nothing when its run is gone.
    PutStep {
        run: RunId,
        step: Box<Step>,
    },
    /// Drops the steps of runs that began before that moment and are over.
    DropSteps {
        before: Moment,
    },
}

impl Write {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::PutSession(session) => session::put(connection, session),
            Self::TouchSession { session, updated } => session::touch(connection, session, *updated),
            Self::RenameSession { session, title } => session::rename(connection, session, title),
            Self::DeleteSession(session) => session::delete(connection, session),
            Self::AppendSegment { session, segment } => segment::append(connection, session, segment),
            Self::UpsertCall(record) => call::put(connection, record),
            Self::PutRun(state) => run_state::put(connection, state),
            Self::PutVariable { session, variable } => variable::put(connection, session, variable),
            Self::DeleteVariable { session, name } => variable::delete(connection, session, name),
            Self::PutSetting { key, value } => setting::put(connection, key, value),
            Self::PutRule(rule) => rule::put(connection, rule),
            Self::DeleteRule { pattern } => rule::delete(connection, pattern),
            Self::AddNote(note) => note::add(connection, note),
            Self::DeleteNote(note) => note::delete(connection, note),
            Self::PutResult(result) => result::put(connection, result),
            Self::PutLook(look) => look::put(connection, look),
            Self::PutStep { run, step } => span::put(connection, run, step),
            Self::DropSteps { before } => span::drop_older(connection, *before),
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::DeleteSession(_) | Self::DeleteNote(_) => true,
            Self::PutSession(_)
            | Self::TouchSession { .. }
            | Self::RenameSession { .. }
            | Self::AppendSegment { .. }
            | Self::UpsertCall(_)
            | Self::PutRun(_)
            | Self::PutVariable { .. }
            | Self::DeleteVariable { .. }
            | Self::PutSetting { .. }
            | Self::PutRule(_)
            | Self::DeleteRule { .. }
            | Self::AddNote(_)
            | Self::PutResult(_)
            | Self::PutLook(_)
            | Self::PutStep { .. }
            // By age, not on somebody's word: overwriting the rows is enough.
            | Self::DropSteps { .. } => false,
        }
    }

    /// Whether this brings text that is searched.
    pub(crate) fn is_searched(&self) -> bool {
        matches!(self, Self::AppendSegment { .. } | Self::AddNote(_))
    }
}

/// Writes that belong together: one transaction, in this order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch(pub Vec<Write>);

impl Batch {
    pub fn push(&mut self, write: Write) {
        self.0.push(write);
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.0.iter().try_for_each(|write| write.apply(connection))
    }
}

impl From<Write> for Batch {
    fn from(write: Write) -> Self {
        Self(vec![write])
    }
}

impl From<Vec<Write>> for Batch {
    fn from(writes: Vec<Write>) -> Self {
        Self(writes)
    }
}

impl FromIterator<Write> for Batch {
    fn from_iter<Writes: IntoIterator<Item = Write>>(writes: Writes) -> Self {
        Self(writes.into_iter().collect())
    }
}
