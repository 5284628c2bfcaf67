//! Traces: what a listing says of each run, put together from `run_state` and `span`. A listing has no table of its
//! own.

use super::rows;
use crate::column::{Json, Named, unsigned};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use shidi_protocol::{Moment, RunId, SessionId, TraceOutcome, TraceQuery, TraceSummary, TraceVersion};

/// A run that is not over has lasted until the end of its last step. The last columns say which version of its question
/// the run is, of how many. They also say whether the run lies beside its session's shown line.
const SELECT: &str = "
SELECT run, session, question, started, status, usage,
  coalesce(ended, (SELECT max(span.started + span.ms) FROM span WHERE span.run = run_state.run), started),
  reason, offline,
  (SELECT count(*) FROM span WHERE span.run = run_state.run AND operation = 'execute_tool'),
  (SELECT count(*) FROM span WHERE span.run = run_state.run),
  (SELECT attributes FROM span WHERE span.run = run_state.run AND operation = 'area' ORDER BY id DESC LIMIT 1),
  (SELECT count(*) FROM run_state AS same WHERE same.session = run_state.session AND same.parent IS run_state.parent
    AND (same.started, same.run) <= (run_state.started, run_state.run)),
  (SELECT count(*) FROM run_state AS same WHERE same.session = run_state.session AND same.parent IS run_state.parent),
  (SELECT head FROM session WHERE id = run_state.session) IS NOT NULL AND run NOT IN (
    WITH RECURSIVE line (run, parent) AS (
      SELECT run, parent FROM run_state AS last
      WHERE last.run = (SELECT head FROM session WHERE id = run_state.session)
      UNION
      SELECT before.run, before.parent FROM run_state AS before
      JOIN line ON before.run = line.parent AND before.session = run_state.session)
    SELECT line.run FROM line)
FROM run_state";

impl Store {
    /// Runs with their times and usage, newest first.
    pub fn traces(&self, query: &TraceQuery) -> Result<Vec<TraceSummary>, StoreError> {
        self.read(|connection| listed(connection, query))
    }

    /// One run with its times and usage.
    pub fn trace(&self, run: &RunId) -> Result<Option<TraceSummary>, StoreError> {
        self.read(|connection| one(connection, run))
    }
}

/// Newest first.
pub(crate) fn listed(connection: &Connection, query: &TraceQuery) -> rusqlite::Result<Vec<TraceSummary>> {
    let sql = format!(
        "{SELECT}
        WHERE (?1 IS NULL OR (started, run) < (SELECT started, run FROM run_state WHERE run = ?1))
          AND {}
          AND (?2 = '' OR question LIKE ?3 ESCAPE '\\' OR reason LIKE ?3 ESCAPE '\\'
            OR EXISTS (SELECT 1 FROM span WHERE span.run = run_state.run AND name LIKE ?3 ESCAPE '\\'))
        ORDER BY started DESC, run DESC LIMIT ?4",
        condition(query.outcome)
    );
    let text = query.text.trim();
    let before = query.before.as_ref().map(RunId::as_str);
    rows(
        connection,
        &sql,
        params![before, text, holding(text), query.limit],
        read,
    )
}

pub(crate) fn one(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<TraceSummary>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE run = ?1"))?
        .query_row([run.as_str()], read)
        .optional()
}

fn condition(outcome: Option<TraceOutcome>) -> &'static str {
    match outcome {
        None => "1",
        Some(TraceOutcome::AtWork) => "status IS NULL",
        Some(TraceOutcome::Waiting) => "status = 'suspended'",
        Some(TraceOutcome::Completed) => "status = 'completed'",
        Some(TraceOutcome::Failed) => "status IN ('failed', 'gave_up')",
        Some(TraceOutcome::Cancelled) => "status = 'cancelled'",
    }
}

/// The pattern of what holds `text`, whatever signs are in it.
fn holding(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

fn read(row: &Row<'_>) -> rusqlite::Result<TraceSummary> {
    let started = Moment(row.get(3)?);
    let area = row.get::<_, Option<Json<serde_json::Value>>>(11)?;
    let of_area = |name: &str| area.as_ref().map(|area| &area.0[name]);
    let version = TraceVersion {
        at: row.get(12)?,
        of: row.get(13)?,
    };
    let is_aside: bool = row.get(14)?;
    Ok(TraceSummary {
        run: RunId::from(row.get::<_, String>(0)?),
        session: SessionId::from(row.get::<_, String>(1)?),
        question: row.get(2)?,
        started,
        ms: unsigned(row.get::<_, i64>(6)?.saturating_sub(started.0)),
        status: row.get::<_, Option<Named<_>>>(4)?.map(|named| named.0),
        usage: row.get::<_, Json<_>>(5)?.0,
        // Only who works on runs can know.
        interrupted: false,
        reason: row.get(7)?,
        offline: row.get(8)?,
        tool_calls: row.get(9)?,
        steps: row.get(10)?,
        area: of_area("shidi.area").and_then(|name| name.as_str().map(str::to_owned)),
        round: of_area("shidi.round").and_then(|round| u32::try_from(round.as_u64()?).ok()),
        version: is_aside.then_some(version),
    })
}
