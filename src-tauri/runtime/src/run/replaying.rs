//! A finished run replayed with other inputs (F5.7). A stand-in for the model writes its programs again, one after the
//! other.
//!
//! Everything else is as in any run. Each call passes today's permissions, and a person is asked. The record and the
//! trace are written, and the replay goes on after a restart. Earlier approvals do not hold now.

use super::Running;
use crate::config::settings::{self, ActionFormat};
use crate::errors::error;
use crate::ids::{row_of_run, whole_run_id};
use crate::space::Space;
use crate::storage;
use crate::versions;
use async_trait::async_trait;
use serde_json::Value;
use shidi_agent::program_inputs as inputs;
use shidi_models::{Deltas, Model, Profile};
use shidi_protocol::{
    Ask, CallRecord, ErrorCode, FailureKind, Finish, HOST_TOOLKIT, ModelFailure, ModelReply, ModelRequest,
    ModelRole, Replay, ReplayCall, ReplayPreview, ReplayProgram, RunId, RunStatus, Sampling, SegmentKind,
    SessionId, Usage, UserError, Worded, reply,
};
use shidi_store::RunState;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

const NAME: &str = "replay";

/// The programs of a run, in place of a model.
pub struct Replayed {
    space: Arc<Space>,
    session: SessionId,
    programs: Vec<String>,
}

/// The question of a replay: in the session of the run, with what went along, and nothing approved.
///
/// # Errors
/// No such run, one that is not over, or inputs that its programs do not have.
pub fn prepared((space, running): (&Arc<Space>, &Running), ask: Ask) -> Result<Ask, UserError> {
    let Some(replay) = &ask.replay else {
        return Ok(ask);
    };
    let language = space.language();
    let (row, replay) = finished(space, replay)?;
    if running.of(&row.session).is_some() {
        return Err(versions::busy(space));
    }
    Replayed::of(space, &replay)?;
    let given: Vec<String> = replay
        .inputs
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let text = language.runtime().replay(given.join(", "), row.question);
    Ok(Ask {
        text: text.trim_end().to_owned(),
        session: Some(row.session),
        again: Some(replay.run.clone()),
        replay: Some(Box::new(replay)),
        approve: Vec::new(),
        // What stands in for the model writes programs in this form.
        overrides: BTreeMap::from([(
            settings::reach::format.to_owned(),
            ActionFormat::Fenced.name().to_owned(),
        )]),
        ..ask
    })
}

/// A preview of a replay.
///
/// # Errors
/// As [`prepared`].
pub fn preview(space: &Space, replay: &Replay) -> Result<reply::ReplayPreview, UserError> {
    let (row, replay) = finished(space, replay)?;
    let before = programs_of(space, &row)?;
    let calls = calls_of(space, &row.run)?;
    let after = with_inputs(space, (&before, &calls), &replay.inputs)?;
    let preview = ReplayPreview {
        run: row.run,
        inputs: inputs::known(&before, &calls),
        programs: before
            .into_iter()
            .zip(after)
            .map(|(before, after)| ReplayProgram { before, after })
            .collect(),
        calls: counted(&calls),
    };
    Ok(reply::ReplayPreview { preview })
}

/// Each tool that was called, once, in the order of the first calls. The interpreter's questions to its host are no
/// tools.
fn counted(calls: &[CallRecord]) -> Vec<ReplayCall> {
    let mut counted: Vec<ReplayCall> = Vec::new();
    for record in calls.iter().filter(|record| record.call.toolkit != HOST_TOOLKIT) {
        let tool = record.call.tool();
        match counted
            .iter_mut()
            .find(|known| known.tool == tool && known.class == record.class)
        {
            Some(known) => known.times += 1,
            None => counted.push(ReplayCall {
                tool,
                class: record.class,
                times: 1,
            }),
        }
    }
    counted
}

/// The run that is to be replayed, which is over and came out well. Then the replay with its whole id.
pub fn finished(space: &Space, replay: &Replay) -> Result<(RunState, Replay), UserError> {
    let language = space.language();
    let id = whole_run_id(space, &replay.run)?;
    let row = row_of_run(space, &id)?;
    if row.status != Some(RunStatus::Completed) {
        let message = language.runtime().replay_needs_completed();
        let hint = language.runtime().finish_first();
        return Err(error(ErrorCode::Input, message, hint));
    }
    let inputs = replay.inputs.clone();
    Ok((row, Replay { run: id, inputs }))
}

/// Whether what a run did came out well with other values, too. A replay of it says so, or the run is such a one itself.
///
/// # Errors
/// Storage trouble.
pub fn did_well_otherwise(space: &Space, row: &RunState) -> Result<bool, UserError> {
    let rows = space.stored(space.store.runs(&row.session))?;
    for other in rows
        .iter()
        .filter(|other| other.status == Some(RunStatus::Completed))
    {
        let replay = storage::read_state(other).ok().and_then(|(_, ask)| ask.replay);
        let replay = replay.filter(|replay| other.run == row.run || replay.run == row.run);
        if let Some(replay) = replay
            && has_other_values(space, &replay)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a replay had another value than its run for any input.
fn has_other_values(space: &Space, replay: &Replay) -> Result<bool, UserError> {
    // The run may have been deleted.
    let Ok(row) = row_of_run(space, &replay.run) else {
        return Ok(false);
    };
    let (programs, calls) = (programs_of(space, &row)?, calls_of(space, &row.run)?);
    let known = inputs::known(&programs, &calls);
    let mut of_then = known.iter().filter_map(|input| {
        let given = replay.inputs.get(&input.name)?;
        Some((&input.value, given))
    });
    Ok(of_then.any(|(value, given)| !is_written(value, given)))
}

/// Whether a text stands for that value, as it is or as JSON.
fn is_written(value: &Value, text: &str) -> bool {
    matches!(value, Value::String(known) if known == text)
        || serde_json::from_str::<Value>(text).is_ok_and(|read| read == *value)
}

/// The programs of a run that ran to their end.
pub fn programs_of(space: &Space, row: &RunState) -> Result<Vec<String>, UserError> {
    let language = space.language();
    let segments = space.stored(space.store.segments(&row.session))?;
    let of_run = || segments.iter().filter(|segment| segment.run == row.run);
    let ran_well = |exec| {
        of_run()
            .any(|segment| segment.kind() == SegmentKind::Output && segment.exec == exec && !segment.failed())
    };
    let programs: Vec<String> = of_run()
        .filter(|segment| segment.kind() == SegmentKind::Python && ran_well(segment.exec))
        .map(|segment| segment.text().to_owned())
        .collect();
    if programs.is_empty() {
        let message = language.runtime().no_program_ended();
        let hint = language.runtime().ask_again();
        return Err(error(ErrorCode::Input, message, hint));
    }
    Ok(programs)
}

fn calls_of(space: &Space, run: &RunId) -> Result<Vec<CallRecord>, UserError> {
    space.stored(space.store.calls(run))
}

/// Programs with other values for their inputs.
///
/// # Errors
/// The name that no program has, with those that there are.
fn with_inputs(
    space: &Space,
    (programs, calls): (&[String], &[CallRecord]),
    given: &BTreeMap<String, String>,
) -> Result<Vec<String>, UserError> {
    let language = space.language();
    inputs::changed(programs, calls, given).map_err(|name| {
        let message = language.runtime().no_such_input(name);
        let known: Vec<String> = inputs::known(programs, calls)
            .into_iter()
            .map(|input| input.name)
            .collect();
        let hint = if known.is_empty() {
            language.runtime().no_inputs().to_owned()
        } else {
            language.runtime().inputs_there_are(known.join(", "))
        };
        error(ErrorCode::Input, message, hint)
    })
}

impl Replayed {
    /// The programs of `run` that ran to their end, with `inputs` in the place of their own values.
    ///
    /// # Errors
    /// No such run, no such program, or inputs that are none.
    pub fn of(space: &Arc<Space>, replay: &Replay) -> Result<Self, UserError> {
        let Replay { run, inputs } = replay;
        let row = row_of_run(space, run)?;
        let (programs, calls) = (programs_of(space, &row)?, calls_of(space, run)?);
        let programs = with_inputs(space, (&programs, &calls), inputs)?;
        Ok(Self {
            space: Arc::clone(space),
            session: row.session,
            programs,
        })
    }

    /// Programs of the replay that were begun; the record knows, also after a restart.
    fn begun(&self, run: &RunId) -> usize {
        let segments = self.space.store.segments(&self.session).unwrap_or_default();
        let of_run = segments.iter().filter(|segment| segment.run == *run);
        of_run
            .filter(|segment| segment.kind() == SegmentKind::Python)
            .count()
    }

    fn next(&self, request: &ModelRequest) -> String {
        let language = self.space.language();
        let begun = self.begun(&request.run);
        if begun > 0 && request.brief.last_failed {
            let reason = language.runtime().replay_failed();
            return format!("[GiveUp]: {reason}");
        }
        match self.programs.get(begun) {
            Some(program) => format!("```python\n{}\n```", program.trim_end()),
            None => {
                let shown = request.brief.last_output.as_deref().unwrap_or_default();
                let done = language.runtime().replayed(begun);
                format!("{done}\n\n{shown}").trim_end().to_owned()
            }
        }
    }
}

#[async_trait]
impl Model for Replayed {
    fn name(&self) -> &str {
        NAME
    }

    fn provider(&self) -> &str {
        NAME
    }

    fn profile(&self) -> Profile {
        Profile::default()
    }

    fn is_offline(&self) -> bool {
        false
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        _deltas: Deltas<'_>,
        _cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        if request.role == ModelRole::Fast {
            return Err(ModelFailure {
                kind: FailureKind::Refused,
                detail: Worded::of(|language| language.runtime().replay_asks_no_model()),
                provider: NAME.to_owned(),
                provider_title: None,
                partial: None,
            });
        }
        Ok(ModelReply {
            asked: String::new(),
            text: self.next(request),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
            model: NAME.to_owned(),
            provider: NAME.to_owned(),
            sampling: Sampling::default(),
        })
    }
}
