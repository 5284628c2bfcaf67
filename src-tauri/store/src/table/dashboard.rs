//! The figures of the dashboard (F12.2): runs, with the gains from memory and experience in each, and their steps. The
//! dashboard has no table of its own.
//!
//! Runs and what they took outlive the steps, which go with the days for which traces are kept. Columns of a step that stand
//! behind its long content are never read here: SQLite would walk through the whole of it.

use super::rows;
use crate::column::{Json, Named, unsigned};
use crate::{Store, StoreError};
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use shidi_protocol::{Moment, RunStatus, Usage};

/// A run as it is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedRun {
    pub started: Moment,
    pub ended: Option<Moment>,
    /// `None` while it is at work, and when its process ended in its middle.
    pub status: Option<RunStatus>,
    pub usage: Usage,
    /// Whether another run asked it. What it took is counted there too.
    pub is_sub_agent: bool,
    /// Milliseconds from the question to the end, while its steps are kept.
    pub ms: Option<u64>,
    /// Pairs of moments between which it waited for a person.
    pub rests: Vec<(Moment, Moment)>,
    /// Experiences that its prompt held, and memories that were brought into it.
    pub experiences: u32,
    pub memories: u32,
}

/// A question to a model, a program or a call of a tool, as it is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedStep {
    /// When its run began.
    pub run_started: Moment,
    pub operation: String,
    pub name: String,
    pub ms: u64,
    pub attributes: StepAttributes,
}

/// The attributes of a step that are counted.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct StepAttributes {
    /// The model that was asked.
    #[serde(rename = "gen_ai.request.model")]
    pub model: Option<String>,
    #[serde(rename = "gen_ai.provider.name")]
    pub provider: Option<String>,
    #[serde(rename = "error.type")]
    pub error: Option<String>,
    #[serde(rename = "gen_ai.usage.input_tokens")]
    pub input: Option<u64>,
    #[serde(rename = "gen_ai.usage.cache_read.input_tokens")]
    pub cached: Option<u64>,
    #[serde(rename = "gen_ai.usage.output_tokens")]
    pub output: Option<u64>,
    #[serde(rename = "shidi.cost_usd")]
    pub cost: Option<f64>,
    #[serde(rename = "shidi.waited_ms")]
    pub waited_ms: Option<u64>,
    #[serde(rename = "shidi.ok")]
    pub ok: Option<bool>,
    #[serde(rename = "shidi.refused")]
    pub refused: Option<bool>,
}

impl CountedStep {
    /// Whether it has ended: what is under way has no outcome yet.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let Self { attributes, .. } = self;
        attributes.error.is_some() || attributes.ok.is_some() || attributes.input.is_some()
    }
}

/// A replay asks no model and performs no recorded call: what it does was counted the first time.
const IS_COUNTED: &str = "run_state.started >= ?1 AND run_state.state ->> '$.ask.replay' IS NULL";

impl Store {
    /// Runs that began at that moment or later, newest first.
    pub fn counted_runs(&self, since: Moment, limit: u32) -> Result<Vec<CountedRun>, StoreError> {
        self.read(|connection| runs(connection, since, limit))
    }

    /// Steps of the runs that began at that moment or later, those of the newest run first.
    pub fn counted_steps(&self, since: Moment, limit: u32) -> Result<Vec<CountedStep>, StoreError> {
        self.read(|connection| steps(connection, since, limit))
    }
}

fn runs(connection: &Connection, since: Moment, limit: u32) -> rusqlite::Result<Vec<CountedRun>> {
    let sql = format!(
        "SELECT started, ended, status, usage, state ->> '$.ask.under' IS NOT NULL,
           (SELECT ms FROM span WHERE span.run = run_state.run AND id = 1),
           (SELECT attributes -> '$.\"shidi.rests\"' FROM span WHERE span.run = run_state.run AND id = 1),
           (SELECT count(*) FROM experience_run WHERE experience_run.run = run_state.run AND role = 'used'),
           (SELECT sum(json_array_length(body, '$.marks')) FROM segment
            WHERE segment.run = run_state.run AND kind = 'Recalled')
         FROM run_state WHERE {IS_COUNTED} ORDER BY started DESC LIMIT ?2"
    );
    rows(connection, &sql, params![since.0, limit], |row| {
        Ok(CountedRun {
            started: Moment(row.get(0)?),
            ended: row.get::<_, Option<i64>>(1)?.map(Moment),
            status: row.get::<_, Option<Named<_>>>(2)?.map(|named| named.0),
            usage: row.get::<_, Json<_>>(3)?.0,
            is_sub_agent: row.get(4)?,
            ms: row.get::<_, Option<i64>>(5)?.map(unsigned),
            rests: row
                .get::<_, Option<Json<_>>>(6)?
                .map(|rests| rests.0)
                .unwrap_or_default(),
            experiences: row.get(7)?,
            memories: row.get::<_, Option<u32>>(8)?.unwrap_or_default(),
        })
    })
}

fn steps(connection: &Connection, since: Moment, limit: u32) -> rusqlite::Result<Vec<CountedStep>> {
    let sql = format!(
        "SELECT run_state.started, operation, name, ms, attributes
         FROM run_state CROSS JOIN span ON span.run = run_state.run
         WHERE {IS_COUNTED} AND operation IN ('chat', 'text_completion', 'run_program', 'execute_tool')
         ORDER BY run_state.started DESC LIMIT ?2"
    );
    rows(connection, &sql, params![since.0, limit], step)
}

fn step(row: &Row<'_>) -> rusqlite::Result<CountedStep> {
    Ok(CountedStep {
        run_started: Moment(row.get(0)?),
        operation: row.get(1)?,
        name: row.get(2)?,
        ms: unsigned(row.get(3)?),
        attributes: row.get::<_, Json<_>>(4)?.0,
    })
}
