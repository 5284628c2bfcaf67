//! What the record says of a step's program: whether it began, how it ended, and whether anything of it is unknown.
//!
//! The record alone is asked, also of a program that has just ended: so a step ends alike whether or not the process was
//! killed between the program's end and ours.

use crate::facts::run_of;
use crate::limits::NESTED_RUNS_MAX;
use crate::program::{APPROVED, Leaves, RESULT};
use serde_json::Value;
use shidi_protocol::{
    Call, CallError, CallRecord, CallState, JsonMap, RunId, RunStatus, SessionId, ToolkitSource, ToolkitSpec,
    UnknownCall,
};
use shidi_space::storage::read_state;
use shidi_store::{RunState, Store, StoreError};
use shidi_workflow::{Decision, Failure, Happened, Run};

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
            let is_any_lost = is_unknown || calls.iter().any(|record| is_lost(record, toolkits));
            let happened = match is_any_lost {
                true => Happened::Unknown,
                false => of_calls(store, &calls, NESTED_RUNS_MAX)?,
            };
            Err(broken((&row, toolkits), &calls, happened))
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
    let is_broken = store.run(program)?.is_some_and(|row| has_broken_off(&row));
    let mut told = Vec::new();
    for record in store.calls(program)? {
        let called = run_of(&record.run, record.call.id);
        // As long as the program goes on, its workflow asks for that itself.
        if is_unfinished(&record, toolkits)
            || is_lost(&record, toolkits)
            || is_broken && of_called(store, &called, NESTED_RUNS_MAX)? == Happened::Unknown
        {
            told.push(UnknownCall {
                tool: format!("{}.{}", record.call.toolkit, record.call.method),
                args: record.call.args,
            });
        }
    }
    Ok(told)
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

fn has_broken_off(row: &RunState) -> bool {
    has_ended(row) && row.status != Some(RunStatus::Completed)
}

fn has_ended(row: &RunState) -> bool {
    row.status.is_some_and(RunStatus::is_over)
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
fn is_lost(record: &CallRecord, toolkits: &[ToolkitSpec]) -> bool {
    let error = record.outcome.as_ref().and_then(|outcome| outcome.error.as_ref());
    let is_unanswered = error.is_some_and(|error| UNANSWERED.contains(&error.kind.as_str()));
    record.class.has_side_effect() && is_unanswered && !is_idempotent(&record.call, toolkits)
}

fn has_happened(record: &CallRecord) -> bool {
    let is_done = record
        .outcome
        .as_ref()
        .is_some_and(shidi_protocol::CallOutcome::ok);
    record.class.has_side_effect() && is_done
}

/// Whether calls had their effects, by themselves or in the workflows that they began. Another try would call those anew.
fn of_calls(store: &Store, calls: &[CallRecord], depth: usize) -> Result<Happened, StoreError> {
    let mut happened = match calls.iter().any(has_happened) {
        true => Happened::Partly,
        false => Happened::No,
    };
    for record in calls.iter().filter(|_| depth > 0) {
        match of_called(store, &run_of(&record.run, record.call.id), depth - 1)? {
            Happened::Unknown => return Ok(Happened::Unknown),
            Happened::Partly => happened = Happened::Partly,
            Happened::No => {}
        }
    }
    Ok(happened)
}

/// The same of a run that a call began. Its own record tells of which steps nobody knows the end.
fn of_called(store: &Store, called: &RunId, depth: usize) -> Result<Happened, StoreError> {
    let Some(row) = store.workflow_run(called)? else {
        return Ok(Happened::No);
    };
    let Ok(run) = serde_json::from_value::<Run>(row.state.engine) else {
        return Ok(Happened::Unknown);
    };
    if !run.unsettled.is_empty() || !run.uncertain().is_empty() {
        return Ok(Happened::Unknown);
    }
    let mut happened = Happened::No;
    for program in store.workflow_programs(called)? {
        for row in store.runs(&program.session)? {
            let calls = store.calls(&row.run)?;
            let was_begun =
                |record: &CallRecord| record.class.has_side_effect() && record.state == CallState::Intended;
            match of_calls(store, &calls, depth)? {
                Happened::Unknown => return Ok(Happened::Unknown),
                Happened::Partly => happened = Happened::Partly,
                // A person has said of it what came of it, or it is told as one that may have happened.
                Happened::No if calls.iter().any(was_begun) => happened = Happened::Partly,
                Happened::No => {}
            }
        }
    }
    Ok(happened)
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

fn broken((row, toolkits): (&RunState, &[ToolkitSpec]), calls: &[CallRecord], happened: Happened) -> Broken {
    let refused = calls.iter().rev().find(|call| call.state == CallState::Refused);
    // Of one that was cancelled, the reason is still that of its last wait.
    let reason = row
        .reason
        .clone()
        .filter(|_| row.status != Some(RunStatus::Cancelled));
    let message = row
        .error
        .as_ref()
        .map(|error| cause(&error.message, errors_of_steps(calls, toolkits)))
        .or(reason)
        .unwrap_or_default();
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
    use crate::facts::session_of;
    use crate::fixture::program;
    use serde_json::json;
    use shidi_protocol::{CallId, CallOutcome, Class, ExecId, Mode, Moment, Usage};
    use shidi_store::{
        OpenOptions, Session, WorkflowProgram, WorkflowRow, WorkflowState, WorkflowWrite, Write,
    };
    use shidi_workflow::AttemptId;
    use std::collections::BTreeMap;

    fn room(session: &SessionId) -> Write {
        Write::PutSession(Session {
            id: session.clone(),
            created: Moment(1),
            updated: Moment(1),
            title: String::new(),
            is_named: false,
            folders: Vec::new(),
            mode: Mode::Ask,
        })
    }

    fn call(run: &str, (toolkit, class): (&str, Class), is_done: bool) -> CallRecord {
        CallRecord {
            run: RunId::from(run.to_owned()),
            call: Call {
                id: CallId(1),
                exec: ExecId(1),
                toolkit: toolkit.to_owned(),
                method: "send".to_owned(),
                args: JsonMap::new(),
                line: 1,
                places: BTreeMap::new(),
            },
            class,
            state: match is_done {
                true => CallState::Done,
                false => CallState::Intended,
            },
            grounds: Vec::new(),
            outcome: is_done.then(|| CallOutcome::success(json!(null), "")),
            answered: None,
            started: Moment(1),
            ended: None,
        }
    }

    /// What a stopped program may have done whose one call began a workflow, and how many of its calls are unknown. The step
    /// of that workflow has made a call of its own.
    fn by_a_called_workflow(is_done: bool, unsettled: &Value) -> (Happened, usize) {
        let store = Store::in_memory(OpenOptions::default()).unwrap();
        let caller = "01a21b025a7e753b931340b7f9694cd3";
        let called = run_of(&RunId::from(caller.to_owned()), CallId(1));
        let session = session_of(&called, AttemptId(1));
        let outer = SessionId::from("outer".to_owned());
        let calling = call(caller, ("workflows", Class::Read), false);
        let engine = json!({
            "format": 1, "mode": "real", "status": {"status": "cancelled"}, "result": {}, "unsettled": unsettled,
            "given": {}, "frames": {}, "attempts": {}, "counter": 2, "begun": 1,
        });
        let row = WorkflowRow {
            run: called.clone(),
            name: "send".to_owned(),
            facts: json!({"by": {"run": caller, "call": 1}}),
            state: WorkflowState {
                engine,
                usage: Usage::default(),
                tainted: false,
                ended: Some(Moment(2)),
            },
            started: Moment(1),
        };
        let own = WorkflowProgram {
            session: session.clone(),
            attempt: 1,
        };
        let advance = WorkflowWrite::Advance {
            run: called,
            state: Box::new(row.state.clone()),
            steps: Vec::new(),
            programs: vec![own],
        };
        for write in [
            Write::Workflow(WorkflowWrite::Begin(Box::new(row))),
            room(&session),
            Write::Workflow(advance),
            program("inner", &session, Some(RunStatus::Cancelled), json!({})),
            Write::UpsertCall(Box::new(call("inner", ("peer", Class::Send), is_done))),
            room(&outer),
            program(caller, &outer, Some(RunStatus::Cancelled), json!({})),
            Write::UpsertCall(Box::new(calling.clone())),
        ] {
            store.commit(write).unwrap();
        }
        let told = unknown((&store, &[]), &calling.run).unwrap();
        (of_calls(&store, &[calling], 8).unwrap(), told.len())
    }

    #[test]
    fn what_a_called_workflow_has_done_counts_for_the_step_that_called_it() {
        let nothing = json!([]);
        assert_eq!(by_a_called_workflow(true, &nothing), (Happened::Partly, 0));
        assert_eq!(by_a_called_workflow(false, &nothing), (Happened::Partly, 0));
        // Whoever has to say what came of it sees the call.
        let open_end = json!([{"attempt": 1, "step": "send", "rounds": []}]);
        assert_eq!(by_a_called_workflow(false, &open_end), (Happened::Unknown, 1));
        let store = Store::in_memory(OpenOptions::default()).unwrap();
        let unbegun = call("r", ("workflows", Class::Read), false);
        assert_eq!(of_calls(&store, &[unbegun], 8).unwrap(), Happened::No);
    }

    #[test]
    fn nobody_waits_for_what_a_program_calls_that_has_ended_or_works_for_a_task_that_has() {
        let store = Store::in_memory(OpenOptions::default()).unwrap();
        let session = SessionId::from("s".to_owned());
        store.commit(room(&session)).unwrap();
        let put = |run: &str, status: Option<RunStatus>, under: Option<&str>| {
            let state = json!({"ask": {"under": under.map(|run| json!({"run": run}))}});
            store.commit(program(run, &session, status, state)).unwrap();
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
