//! How the open steps of a run stand, by the record of their programs. The end of one may be unknown. Somebody may have
//! decided about one while no process worked on the run.

use crate::evidence;
use crate::facts::{run_of, session_of};
use crate::limits::NESTED_RUNS_MAX;
use shidi_protocol::{CallRecord, Ground, RunId, RunStatus, ToolkitSpec};
use shidi_store::{RunState, Store, StoreError};
use shidi_workflow::Run;

/// Methods of `user` that a person answers.
const ASKING: [&str; 8] = [
    "ask",
    "choose",
    "confirm",
    "form",
    "diff",
    "hand_over",
    "operate",
    "card",
];

/// What is known of a run's open steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenSteps {
    /// Nobody knows whether one of them happened.
    pub is_unknown: bool,
    /// Somebody has decided about one that waited, and the run has not taken that up.
    pub is_decided: bool,
}

/// Looks at the programs of a run's open steps.
pub fn of_open_steps(
    (store, toolkits): (&Store, &[ToolkitSpec]),
    id: &RunId,
    run: &Run,
) -> Result<OpenSteps, StoreError> {
    let uncertain = run.uncertain();
    let mut steps = OpenSteps::default();
    for attempt in run.open() {
        let program = store.runs(&session_of(id, attempt))?.pop();
        if uncertain.contains(&attempt) {
            steps.is_unknown |= match &program {
                Some(program) => !is_known((store, toolkits), program)?,
                None => true,
            };
        }
        if let Some(program) = program {
            steps.is_decided |= is_decided(store, &program, NESTED_RUNS_MAX)?;
        }
    }
    Ok(steps)
}

/// Whether a program waits for a person, or its end is on record. Whoever goes on with the run reads it.
fn is_known((store, toolkits): (&Store, &[ToolkitSpec]), program: &RunState) -> Result<bool, StoreError> {
    Ok(program.status.is_some() && evidence::unknown((store, toolkits), &program.run)?.is_empty())
}

/// Whether somebody has decided about a step's program, or about a workflow that it called.
fn is_decided(store: &Store, program: &RunState, depth: usize) -> Result<bool, StoreError> {
    match program.status {
        None => Ok(false),
        Some(RunStatus::Suspended) if !program.waiting.is_empty() => Ok(false),
        Some(RunStatus::Suspended) => has_decided_call(store, program, depth),
        Some(RunStatus::Completed | RunStatus::Failed | RunStatus::GaveUp | RunStatus::Cancelled) => {
            Ok(store.calls(&program.run)?.iter().any(was_decided))
        }
    }
}

/// Whether a call that a program waits with has begun a workflow about which somebody has decided.
fn has_decided_call(store: &Store, program: &RunState, depth: usize) -> Result<bool, StoreError> {
    let calls = store.calls(&program.run)?.into_iter();
    for record in calls.filter(|record| record.outcome.is_none() && depth > 0) {
        let called = run_of(&program.run, record.call.id);
        let Some(row) = store.workflow_run(&called)? else {
            continue;
        };
        // It has ended, and its caller has not heard of it.
        if row.state.ended.is_some() {
            return Ok(true);
        }
        let Ok(run) = serde_json::from_value::<Run>(row.state.engine) else {
            continue;
        };
        for attempt in run.open() {
            let program = store.runs(&session_of(&called, attempt))?.pop();
            if let Some(program) = program
                && is_decided(store, &program, depth - 1)?
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a person has answered a call, or has let it be made or refused.
fn was_decided(record: &CallRecord) -> bool {
    let is_answer = record.call.toolkit == "user" && ASKING.contains(&record.call.method.as_str());
    let is_answered = is_answer && record.outcome.is_some();
    is_answered
        || record
            .grounds
            .iter()
            .any(|ground| matches!(ground, Ground::User { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{Call, CallId, CallOutcome, CallState, Class, ExecId, JsonMap, Moment};
    use std::collections::BTreeMap;

    fn record((toolkit, method): (&str, &str), is_over: bool, grounds: Vec<Ground>) -> CallRecord {
        CallRecord {
            run: RunId::from("r".to_owned()),
            call: Call {
                id: CallId(1),
                exec: ExecId(1),
                toolkit: toolkit.to_owned(),
                method: method.to_owned(),
                args: JsonMap::new(),
                line: 1,
                places: BTreeMap::new(),
            },
            class: Class::Write,
            state: CallState::Done,
            grounds,
            outcome: is_over.then(|| CallOutcome::success(json!(null), "")),
            answered: Some(1),
            started: Moment(0),
            ended: None,
        }
    }

    #[test]
    fn a_person_has_decided_where_they_answered_or_let_a_call_be_made() {
        let by_user = || {
            vec![Ground::User {
                approved: true,
                always: false,
                reason: None,
            }]
        };
        for (tool, is_over, grounds, expected) in [
            (("user", "operate"), true, Vec::new(), true),
            (("user", "operate"), false, Vec::new(), false),
            (("user", "say"), true, Vec::new(), false),
            (("files", "write"), true, Vec::new(), false),
            (("files", "write"), true, by_user(), true),
        ] {
            assert_eq!(was_decided(&record(tool, is_over, grounds)), expected, "{tool:?}");
        }
    }
}
