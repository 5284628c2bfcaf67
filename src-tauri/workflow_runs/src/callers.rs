//! Who called a run: the program of another workflow's step, or a sub-agent of it. Where nobody is left who waits for it,
//! the run does nothing more.

use crate::Workflows;
use crate::evidence::{is_over, task_of};
use crate::facts::run_part;
use crate::limits::NESTED_RUNS_MAX;
use serde_json::Value;
use shidi_protocol::{ErrorCode, RunId, SessionId, UserError, WorkflowTask};
use shidi_space::errors::error;
use shidi_space::storage;
use shidi_store::{Store, StoreError, WorkflowRow};
use shidi_workflow::{AttemptId, Run};

impl Workflows {
    /// Refuses to go on with the program of a step for which nobody waits any more. A late yes carries nothing out.
    ///
    /// # Errors
    /// Its run is over, wants nothing more of it, or was called by one that is over; trouble with storage.
    pub fn wants(&self, task: &WorkflowTask) -> Result<(), UserError> {
        let (store, language) = (&self.space.store, self.space.language());
        let wanted = is_step_wanted(store, &task.run, AttemptId(task.attempt));
        match wanted.map_err(|cause| storage::explain(&cause, language))? {
            true => Ok(()),
            false => {
                let say = language.workflow_runs();
                let hint = say.end_it(&task.run);
                Err(error(ErrorCode::Input, say.step_unwanted(), hint))
            }
        }
    }
}

/// The run whose program called this one; `None` where a person began it.
pub fn caller_of(row: &WorkflowRow) -> Option<RunId> {
    let by = row.facts.pointer("/by/run").and_then(Value::as_str)?;
    Some(RunId::from(by.to_owned()))
}

/// The run and the attempt by which the session of a step's program is named; `None` of any other session.
pub fn step_of(store: &Store, session: &SessionId) -> Result<Option<(RunId, AttemptId)>, StoreError> {
    let Some(run) = store.find_workflow_run(run_part(session))? else {
        return Ok(None);
    };
    let programs = store.workflow_programs(&run)?;
    let own = programs.into_iter().find(|program| program.session == *session);
    Ok(own.map(|program| (run, AttemptId(program.attempt))))
}

/// Whether nobody waits any more for a run that a step called. The caller has ended then, or its workflow wants nothing more
/// of it. The same counts further out. What a task calls outside of workflows stands by itself.
pub fn is_unwanted(store: &Store, row: &WorkflowRow) -> Result<bool, StoreError> {
    let mut by = caller_of(row);
    for _ in 0..NESTED_RUNS_MAX {
        let Some(program) = by else { return Ok(false) };
        let Some((workflow, attempt)) = step_behind(store, &program)? else {
            return Ok(false);
        };
        let Some(outer) = store.workflow_run(&workflow)? else {
            return Ok(true);
        };
        if is_over(store, &program)? || !waits_for(&outer, attempt) {
            return Ok(true);
        }
        by = caller_of(&outer);
    }
    Ok(false)
}

/// Whether somebody waits for an attempt of a step.
fn is_step_wanted(store: &Store, run: &RunId, attempt: AttemptId) -> Result<bool, StoreError> {
    let Some(row) = store.workflow_run(run)? else {
        return Ok(true);
    };
    Ok(waits_for(&row, attempt) && !is_unwanted(store, &row)?)
}

/// The step for which a program works, by itself or as a sub-agent.
fn step_behind(store: &Store, program: &RunId) -> Result<Option<(RunId, AttemptId)>, StoreError> {
    let Some(row) = store.run(program)? else {
        return Ok(None);
    };
    let task = match task_of(&row) {
        Some(task) => store.run(&task)?,
        None => None,
    };
    step_of(store, &task.unwrap_or(row).session)
}

/// Whether a run still waits for an attempt. Of a state that another version wrote nobody knows.
fn waits_for(row: &WorkflowRow, attempt: AttemptId) -> bool {
    let run = serde_json::from_value::<Run>(row.state.engine.clone());
    row.state.ended.is_none() && run.map_or(true, |run| run.waits_for(attempt))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::session_of;
    use crate::fixture::program;
    use serde_json::json;
    use shidi_protocol::{JsonMap, Mode, Moment, RunStatus, Usage};
    use shidi_store::{OpenOptions, Session, WorkflowProgram, WorkflowState, WorkflowWrite, Write};
    use shidi_workflow::{Effect, Event, Workflow};

    const OUTER: &str = "01a21b025a7e753b931340b7f9694cd3";
    const PROGRAM: &str = "02a21b025a7e753b931340b7f9694cd3";

    fn workflow() -> Workflow {
        let text = "version: '1.0'\nname: n\nsteps:\n  - {id: a, type: tool, tool: workflows.send}\n";
        shidi_workflow::read(&"n".into(), text.as_bytes()).unwrap()
    }

    /// A run whose one step is under way, and the number of its attempt.
    fn at_work(workflow: &Workflow) -> (Run, AttemptId) {
        let mut run = Run::new(workflow, shidi_workflow::Mode::Real, JsonMap::new(), "").unwrap();
        let effects = run.handle(workflow, Event::Started, 0).effects;
        let attempt = effects.into_iter().find_map(|effect| match effect {
            Effect::Perform { attempt, .. } => Some(attempt),
            _ => None,
        });
        let attempt = attempt.unwrap();
        run.handle(workflow, Event::Begun(attempt), 0);
        (run, attempt)
    }

    fn row(run: &str, by: Option<&str>, state: &Run) -> WorkflowRow {
        WorkflowRow {
            run: RunId::from(run.to_owned()),
            name: "n".to_owned(),
            facts: match by {
                Some(by) => json!({"by": {"run": by, "call": 1}}),
                None => json!({}),
            },
            state: WorkflowState {
                engine: json!(state),
                usage: Usage::default(),
                tainted: false,
                ended: state.has_ended().then_some(Moment(2)),
            },
            started: Moment(1),
        }
    }

    /// A store in which the step of an outer run is under way.
    fn store_of(outer: &Run, attempt: AttemptId) -> (Store, SessionId) {
        let store = Store::in_memory(OpenOptions::default()).unwrap();
        let outer = row(OUTER, None, outer);
        let session = session_of(&outer.run, attempt);
        let room = Session {
            id: session.clone(),
            created: Moment(1),
            updated: Moment(1),
            title: String::new(),
            is_named: true,
            folders: Vec::new(),
            mode: Mode::Ask,
        };
        let begin = WorkflowWrite::Begin(Box::new(outer.clone()));
        store.commit(Write::Workflow(begin)).unwrap();
        store.commit(Write::PutSession(room)).unwrap();
        let advance = WorkflowWrite::Advance {
            run: outer.run,
            state: Box::new(outer.state),
            steps: Vec::new(),
            programs: vec![WorkflowProgram {
                session: session.clone(),
                attempt: attempt.0,
            }],
        };
        store.commit(Write::Workflow(advance)).unwrap();
        (store, session)
    }

    #[test]
    fn a_run_is_unwanted_once_the_program_that_called_it_has_ended() {
        let workflow = workflow();
        let (outer, attempt) = at_work(&workflow);
        let (store, session) = store_of(&outer, attempt);
        let called = row("c", Some(PROGRAM), &outer);
        for (status, expected) in [
            (None, false),
            (Some(RunStatus::Suspended), false),
            (Some(RunStatus::Cancelled), true),
            (Some(RunStatus::Failed), true),
            (Some(RunStatus::Completed), true),
        ] {
            store
                .commit(program(PROGRAM, &session, status, json!({"ask": {}})))
                .unwrap();
            assert_eq!(is_unwanted(&store, &called).unwrap(), expected, "{status:?}");
        }
        let by_a_person = row("d", None, &outer);
        assert!(!is_unwanted(&store, &by_a_person).unwrap());
        let by_another_task = row("e", Some("another"), &outer);
        assert!(!is_unwanted(&store, &by_another_task).unwrap());
    }

    #[test]
    fn a_run_is_unwanted_once_the_step_that_called_it_was_told_to_stop() {
        let workflow = workflow();
        let (mut outer, attempt) = at_work(&workflow);
        outer.handle(&workflow, Event::Cancelled, 1);
        assert!(!outer.has_ended(), "its step has yet to say how it ended");
        let (store, session) = store_of(&outer, attempt);
        store
            .commit(program(PROGRAM, &session, None, json!({"ask": {}})))
            .unwrap();
        assert!(is_unwanted(&store, &row("c", Some(PROGRAM), &outer)).unwrap());
        let outer = RunId::from(OUTER.to_owned());
        assert!(!is_step_wanted(&store, &outer, attempt).unwrap());
        let another = RunId::from("another".to_owned());
        assert!(
            is_step_wanted(&store, &another, attempt).unwrap(),
            "it is not on record"
        );
    }
}
