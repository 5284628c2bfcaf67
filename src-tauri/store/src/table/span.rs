//! `span`, `span_text`: the steps of a run with their times, for its trace. A step that is written again replaces itself.
//!
//! Listed values stand in `attributes`, long ones (programs, arguments, results) in `content`. Prompts repeat from
//! round to round, so their texts stand in `span_text` once per run. A step names them by hash. Steps of a run that is
//! not there any more are dropped in silence: a trace comes after the fact.

use super::{rows, write};
use crate::column::{Json, signed, unsigned};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use shidi_protocol::{JsonMap, Moment, RunId, Span};

pub(crate) const CREATE: &str = "
CREATE TABLE span (
  run        TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  id         INTEGER NOT NULL,
  parent     INTEGER,
  operation  TEXT NOT NULL,
  name       TEXT NOT NULL,
  started    INTEGER NOT NULL,
  ms         INTEGER NOT NULL,
  attributes TEXT NOT NULL,
  PRIMARY KEY (run, id)
) STRICT;
";

pub(crate) const ADD_CONTENT: &str = "
ALTER TABLE span ADD COLUMN content TEXT NOT NULL DEFAULT '{}';
ALTER TABLE span ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE span ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
CREATE INDEX span_by_change ON span (run, change);
CREATE TABLE span_text (
  run  TEXT NOT NULL REFERENCES run_state (run) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, hash)
) STRICT;
";

/// A step as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// With the attributes that are listed.
    pub span: Span,
    /// Attributes that are read one step at a time.
    pub content: JsonMap,
    /// Texts that `content` names by their hash.
    pub texts: Vec<StepText>,
}

/// A text that several steps may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepText {
    pub hash: String,
    pub text: String,
}

impl From<Span> for Step {
    fn from(span: Span) -> Self {
        Self {
            span,
            content: JsonMap::new(),
            texts: Vec::new(),
        }
    }
}

/// A page of a run's steps, in the order in which they changed.
#[derive(Debug, Clone, PartialEq)]
pub struct StepPage {
    pub spans: Vec<Span>,
    /// The change after which to go on.
    pub after: u64,
    pub more: bool,
}

impl Store {
    /// A run's steps, in order, with everything that is kept of them; texts stand as their hashes.
    pub fn spans(&self, run: &RunId) -> Result<Vec<Span>, StoreError> {
        self.read(|connection| of_run(connection, run))
    }

    /// One of them.
    pub fn span(&self, run: &RunId, id: u32) -> Result<Option<Span>, StoreError> {
        self.read(|connection| one(connection, run, id))
    }

    /// A run's steps without what is long, in the order in which they changed.
    pub fn steps(&self, run: &RunId, after: u64, limit: u32) -> Result<StepPage, StoreError> {
        self.read(|connection| changed(connection, run, after, limit))
    }

    /// A text that a step of the run names by its hash.
    pub fn step_text(&self, run: &RunId, hash: &str) -> Result<Option<String>, StoreError> {
        self.read(|connection| text(connection, run, hash))
    }

    /// The durations of finished steps that began at that moment or later, newest first.
    pub fn measured(&self, since: Moment, limit: u32) -> Result<Vec<Measured>, StoreError> {
        self.read(|connection| measured(connection, since, limit))
    }
}

pub(crate) fn put(connection: &Connection, run: &RunId, step: &Step) -> rusqlite::Result<()> {
    let Step { span, content, texts } = step;
    write(
        connection,
        "INSERT INTO span (run, id, parent, operation, name, started, ms, attributes, content, is_open, change)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
           (SELECT coalesce(max(change), 0) + 1 FROM span WHERE run = ?1)
         WHERE EXISTS (SELECT 1 FROM run_state WHERE run = ?1)
         ON CONFLICT (run, id) DO UPDATE SET parent = ?3, operation = ?4, name = ?5, started = ?6, ms = ?7,
           attributes = ?8, content = ?9, is_open = ?10, change = excluded.change",
        params![
            run.as_str(),
            span.id,
            span.parent,
            span.operation,
            span.name,
            span.started.0,
            signed(span.ms),
            Json(&span.attributes),
            Json(content),
            span.open
        ],
    )?;
    for text in texts {
        write(
            connection,
            "INSERT OR IGNORE INTO span_text (run, hash, text)
             SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM run_state WHERE run = ?1)",
            params![run.as_str(), text.hash, text.text],
        )?;
    }
    Ok(())
}

/// The duration of one counted step: a question to a model, a program, a call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub operation: String,
    /// The model that was asked, else the step's name.
    pub name: String,
    pub provider: Option<String>,
    /// Milliseconds, of which so many were a person's.
    pub ms: u64,
    pub waited_ms: u64,
    pub error: Option<String>,
    pub input: u64,
    pub output: u64,
    /// US dollars, where a price is known.
    pub cost: Option<f64>,
    pub cpu_ms: u64,
    pub memory_bytes: u64,
}

/// Steps that are over and began at that moment or later, newest first.
pub(crate) fn measured(
    connection: &Connection,
    since: Moment,
    limit: u32,
) -> rusqlite::Result<Vec<Measured>> {
    let of = |name: &str| format!("attributes ->> '$.\"{name}\"'");
    let sql = format!(
        "SELECT operation, coalesce({}, name), {}, ms, {}, {}, {}, {}, {}, {}, {} FROM span
         WHERE started >= ?1 AND is_open = 0
           AND operation IN ('chat', 'text_completion', 'run_program', 'execute_tool')
         ORDER BY started DESC LIMIT ?2",
        of("gen_ai.request.model"),
        of("gen_ai.provider.name"),
        of("shidi.waited_ms"),
        of("error.type"),
        of("gen_ai.usage.input_tokens"),
        of("gen_ai.usage.output_tokens"),
        of("shidi.cost_usd"),
        of("shidi.cpu_ms"),
        of("shidi.memory_bytes"),
    );
    let number = |row: &Row<'_>, at: usize| -> rusqlite::Result<u64> {
        Ok(unsigned(row.get::<_, Option<i64>>(at)?.unwrap_or(0)))
    };
    rows(connection, &sql, params![since.0, limit], |row| {
        Ok(Measured {
            operation: row.get(0)?,
            name: row.get(1)?,
            provider: row.get(2)?,
            ms: unsigned(row.get(3)?),
            waited_ms: number(row, 4)?,
            error: row.get(5)?,
            input: number(row, 6)?,
            output: number(row, 7)?,
            cost: row.get(8)?,
            cpu_ms: number(row, 9)?,
            memory_bytes: number(row, 10)?,
        })
    })
}

/// Drops the steps of runs that began before that moment and are over.
pub(crate) fn drop_older(connection: &Connection, before: Moment) -> rusqlite::Result<()> {
    const OVER: &str = "run IN (SELECT run FROM run_state
      WHERE started < ?1 AND status IS NOT NULL AND status <> 'suspended')";
    for table in ["span", "span_text"] {
        write(
            connection,
            &format!("DELETE FROM {table} WHERE {OVER}"),
            [before.0],
        )?;
    }
    Ok(())
}

/// Drops the steps of one run.
pub(crate) fn drop_of(connection: &Connection, run: &str) -> rusqlite::Result<()> {
    for table in ["span", "span_text"] {
        write(connection, &format!("DELETE FROM {table} WHERE run = ?1"), [run])?;
    }
    Ok(())
}

const SELECT: &str = "SELECT id, parent, operation, name, started, ms, is_open, attributes";

/// In the order of their ids, with everything that is kept of them but the texts that they name.
pub(crate) fn of_run(connection: &Connection, run: &RunId) -> rusqlite::Result<Vec<Span>> {
    let sql = format!("{SELECT}, content FROM span WHERE run = ?1 ORDER BY id");
    rows(connection, &sql, [run.as_str()], whole)
}

pub(crate) fn one(connection: &Connection, run: &RunId, id: u32) -> rusqlite::Result<Option<Span>> {
    connection
        .prepare_cached(&format!("{SELECT}, content FROM span WHERE run = ?1 AND id = ?2"))?
        .query_row(params![run.as_str(), id], whole)
        .optional()
}

/// At most `limit` that changed after `after`, without what is long.
pub(crate) fn changed(
    connection: &Connection,
    run: &RunId,
    after: u64,
    limit: u32,
) -> rusqlite::Result<StepPage> {
    let sql = format!("{SELECT}, change FROM span WHERE run = ?1 AND change > ?2 ORDER BY change LIMIT ?3");
    let parameters = params![run.as_str(), signed(after), limit.saturating_add(1)];
    let mut found = rows(connection, &sql, parameters, |row| {
        Ok((read(row)?, unsigned(row.get(8)?)))
    })?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > most;
    found.truncate(most);
    Ok(StepPage {
        after: found.last().map_or(after, |(_, change)| *change),
        spans: found.into_iter().map(|(span, _)| span).collect(),
        more,
    })
}

/// A text that a step of the run names.
pub(crate) fn text(connection: &Connection, run: &RunId, hash: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT text FROM span_text WHERE run = ?1 AND hash = ?2")?
        .query_row([run.as_str(), hash], |row| row.get(0))
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Span> {
    Ok(Span {
        id: row.get(0)?,
        parent: row.get(1)?,
        operation: row.get(2)?,
        name: row.get(3)?,
        started: Moment(row.get(4)?),
        ms: unsigned(row.get(5)?),
        open: row.get(6)?,
        attributes: row.get::<_, Json<_>>(7)?.0,
    })
}

fn whole(row: &Row<'_>) -> rusqlite::Result<Span> {
    let mut span = read(row)?;
    span.attributes.extend(row.get::<_, Json<JsonMap>>(8)?.0);
    Ok(span)
}
