//! What the record says of a step's program: whether it began, how it ended, and whether anything of it is unknown.
//!
//! The record alone is asked, also of a program that has just ended: so a step ends alike whether or not the process was
//! killed between the program's end and ours.

use crate::program::{APPROVED, Leaves, RESULT};
use serde_json::Value;
use shidi_protocol::{
    Call, CallError, CallRecord, CallState, JsonMap, RunId, RunStatus, SessionId, ToolkitSource, ToolkitSpec,
    UnknownCall,
};
use shidi_space::storage::read_state;
use shidi_store::{RunState, Store, StoreError};
use shidi_workflow::{Decision, Failure, Happened};

/// Errors of calls that were sent, and of which nobody knows whether they were done.
const UNANSWERED: [&str; 2] = ["TimeoutError", "ConnectionError"];

#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// Nothing of it was begun.
    None,
    /// It can go on: every call that may have had an effect has its result.
    Open(RunId),
    /// It stands at a call that was begun, and nobody knows whether it happened.
    Unknown(RunId),
    Ended(RunId, Ended),
}

/// The end of a step's program.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    pub outcome: Result<Value, Broken>,
    /// Whether it has read something that the user did not write.
    pub tainted: bool,
}

/// A step that did not come to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    pub failure: Failure,
    pub happened: Happened,
}

/// Reads the record of the program in that session. A call whose performer knows it by run and number is made again without
/// harm, so nothing of it is unknown.
pub fn of(
    (store, toolkits): (&Store, &[ToolkitSpec]),
    session: &SessionId,
    leaves: Leaves,
) -> Result<Evidence, StoreError> {
    let Some(row) = store.runs(session)?.pop() else {
        return Ok(Evidence::None);
    };
    let calls = store.calls(&row.run)?;
    let is_unknown = calls.iter().any(|record| is_unfinished(record, toolkits));
    let outcome = match row.status {
        None | Some(RunStatus::Suspended) if is_unknown => return Ok(Evidence::Unknown(row.run)),
        None | Some(RunStatus::Suspended) => return Ok(Evidence::Open(row.run)),
        Some(RunStatus::Completed) => value(store, &row, leaves)?,
        Some(RunStatus::Failed | RunStatus::GaveUp | RunStatus::Cancelled) => {
            let is_lost = calls
                .iter()
                .any(|record| is_unanswered(record) && !is_idempotent(&record.call, toolkits));
            Err(broken((&row, toolkits), &calls, is_unknown || is_lost))
        }
    };
    let is_marked = |row: &RunState| read_state(row).map_or(true, |(state, _)| state.tainted);
    let tainted = is_marked(&row);
    Ok(Evidence::Ended(row.run, Ended { outcome, tainted }))
}

/// The calls of a step's program of which nobody knows whether they happened, for a person who has to say.
pub fn unknown(
    (store, toolkits): (&Store, &[ToolkitSpec]),
    program: &RunId,
) -> Result<Vec<UnknownCall>, StoreError> {
    let calls = store.calls(program)?.into_iter().filter(|record| {
        is_unfinished(record, toolkits) || is_unanswered(record) && !is_idempotent(&record.call, toolkits)
    });
    let told = calls.map(|record| UnknownCall {
        tool: format!("{}.{}", record.call.toolkit, record.call.method),
        args: record.call.args,
    });
    Ok(told.collect())
}

/// Whether a program has ended, or the task for which it works as a sub-agent. Nobody waits for what it calls then.
pub fn is_over(store: &Store, program: &RunId) -> Result<bool, StoreError> {
    let Some(row) = store.run(program)? else {
        return Ok(false);
    };
    let task = match task_of(&row) {
        Some(task) => store.run(&task)?,
        None => None,
    };
    Ok(has_ended(&row) || task.is_some_and(|task| has_ended(&task)))
}

/// The task for which a run works as a sub-agent.
pub fn task_of(row: &RunState) -> Option<RunId> {
    let task = row.state.pointer("/ask/under/run").and_then(Value::as_str)?;
    Some(RunId::from(task.to_owned()))
}

fn has_ended(row: &RunState) -> bool {
    row.status.is_some_and(|status| status != RunStatus::Suspended)
}

/// Whether a call with an effect was begun and has no result.
fn is_unfinished(record: &CallRecord, toolkits: &[ToolkitSpec]) -> bool {
    record.state == CallState::Intended
        && record.class.has_side_effect()
        && !is_idempotent(&record.call, toolkits)
}

fn is_idempotent(call: &Call, toolkits: &[ToolkitSpec]) -> bool {
    let toolkit = toolkits.iter().find(|toolkit| toolkit.name == call.toolkit);
    toolkit
        .and_then(|toolkit| toolkit.method(&call.method))
        .is_some_and(|method| method.idempotent)
}

/// Whether a call with an effect was sent and its answer never came: it may have happened.
fn is_unanswered(record: &CallRecord) -> bool {
    let error = record.outcome.as_ref().and_then(|outcome| outcome.error.as_ref());
    record.class.has_side_effect() && error.is_some_and(|error| UNANSWERED.contains(&error.kind.as_str()))
}

fn value(store: &Store, row: &RunState, leaves: Leaves) -> Result<Result<Value, Broken>, StoreError> {
    let left = store.variables(&row.session, Some(&row.run))?;
    let plain = |value: &Value| shidi_executor::plain(value);
    let named = left
        .iter()
        .filter_map(|variable| Some((variable.name.clone(), plain(variable.value.as_ref()?))));
    let mut named: JsonMap = named.collect();
    Ok(match leaves {
        Leaves::Variables => Ok(Value::Object(named)),
        Leaves::Result => Ok(named.remove(RESULT).unwrap_or_default()),
    })
}

fn broken((row, toolkits): (&RunState, &[ToolkitSpec]), calls: &[CallRecord], is_unknown: bool) -> Broken {
    let refused = calls.iter().rev().find(|call| call.state == CallState::Refused);
    let message = row
        .error
        .as_ref()
        .map(|error| cause(&error.message, errors_of_steps(calls, toolkits)))
        .or_else(|| row.reason.clone())
        .unwrap_or_default();
    let has_happened = |call: &CallRecord| {
        call.class.has_side_effect() && call.outcome.as_ref().is_some_and(shidi_protocol::CallOutcome::ok)
    };
    let happened = match () {
        () if is_unknown => Happened::Unknown,
        () if calls.iter().any(has_happened) => Happened::Partly,
        () => Happened::No,
    };
    let said = refused.and_then(|call| call.outcome.as_ref()?.error.as_ref());
    let failure = match said {
        Some(said) => Failure::Denied {
            message: said.message.clone(),
        },
        None => Failure::Performer { message },
    };
    Broken { failure, happened }
}

/// The errors of calls that were workflows or tools of plugins, the last one first.
fn errors_of_steps<'a>(
    calls: &'a [CallRecord],
    toolkits: &'a [ToolkitSpec],
) -> impl Iterator<Item = &'a CallError> {
    let are_steps =
        |toolkit: &&ToolkitSpec| matches!(toolkit.source, ToolkitSource::Workflow | ToolkitSource::Plugin);
    let of_steps = calls.iter().rev().filter(move |record| {
        let mut named = toolkits.iter().filter(are_steps);
        named.any(|toolkit| toolkit.name == record.call.toolkit)
    });
    of_steps.filter_map(|record| record.outcome.as_ref()?.error.as_ref())
}

/// Why a program failed. Where a call of several steps was why, its own words say where. A line of the program that only
/// made the call tells nothing.
fn cause<'a>(message: &str, errors: impl IntoIterator<Item = &'a CallError>) -> String {
    let is_why = |error: &&CallError| message.ends_with(&format!("{}: {}", error.kind, error.message));
    let why = errors.into_iter().find(is_why);
    why.map_or_else(|| message.to_owned(), |error| error.message.clone())
}

/// What a person decided, by the program that asked.
pub fn decided(ended: &Ended) -> Decision {
    match &ended.outcome {
        Ok(value) if value.as_str() == Some(APPROVED) => Decision::Approved,
        Ok(_) => Decision::Refused {
            reason: String::new(),
        },
        Err(broken) => Decision::Refused {
            reason: broken.failure.message(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{Mode, Moment, Usage};
    use shidi_store::{OpenOptions, Session, Write};

    #[test]
    fn nobody_waits_for_what_a_program_calls_that_has_ended_or_works_for_a_task_that_has() {
        let store = Store::in_memory(OpenOptions::default()).unwrap();
        let session = SessionId::from("s".to_owned());
        let room = Session {
            id: session.clone(),
            created: Moment(1),
            updated: Moment(1),
            title: String::new(),
            is_named: false,
            folders: Vec::new(),
            mode: Mode::Ask,
        };
        store.commit(Write::PutSession(room)).unwrap();
        let put = |run: &str, status: Option<RunStatus>, under: Option<&str>| {
            let row = RunState {
                run: RunId::from(run.to_owned()),
                session: session.clone(),
                parent: None,
                status,
                state: json!({"ask": {"under": under.map(|run| json!({"run": run}))}}),
                question: String::new(),
                usage: Usage::default(),
                offline: false,
                waiting: Vec::new(),
                started: Moment(1),
                ended: None,
                reason: None,
                error: None,
                seq: 0,
                build: String::new(),
            };
            store.commit(Write::PutRun(Box::new(row))).unwrap();
        };
        let is_over = |run: &str| is_over(&store, &RunId::from(run.to_owned())).unwrap();
        put("task", Some(RunStatus::Suspended), None);
        put("sub-agent", None, Some("task"));
        assert!(!is_over("task") && !is_over("sub-agent") && !is_over("another"));
        put("task", Some(RunStatus::Cancelled), None);
        assert!(is_over("task"));
        assert!(is_over("sub-agent"), "its task is over, and it will be");
    }

    #[test]
    fn a_failure_within_a_tool_is_told_in_the_tools_words_alone() {
        let error = |message: &str| CallError {
            kind: "RuntimeError".to_owned(),
            message: message.to_owned(),
        };
        let errors = [
            error("care.greet: other"),
            error("care.look: The program failed: line 4: KeyError: 'key'"),
        ];
        assert_eq!(
            cause(
                "line 1: RuntimeError: care.look: The program failed: line 4: KeyError: 'key'",
                &errors
            ),
            "care.look: The program failed: line 4: KeyError: 'key'"
        );
        let own = "The program failed: line 2: ZeroDivisionError: division by zero";
        assert_eq!(cause(own, &errors), own);
    }
}
