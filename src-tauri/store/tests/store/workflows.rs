//! Runs of workflows: their state and the records of their steps are written together, and all of a run goes with it.

use crate::fixture::{Folder, append, run, session};
use serde_json::json;
use shidi_protocol::{Moment, RunId, SessionId, Usage};
use shidi_store::{
    Store, WorkflowProgram, WorkflowRow, WorkflowState, WorkflowStepRow, WorkflowWrite, Write,
};

fn state(engine: &str) -> WorkflowState {
    WorkflowState {
        engine: json!(engine),
        usage: Usage::default(),
        tainted: false,
        ended: None,
    }
}

fn begin(run: &str, name: &str, started: i64) -> Write {
    Write::Workflow(WorkflowWrite::Begin(Box::new(WorkflowRow {
        run: RunId::from(run),
        name: name.to_owned(),
        facts: json!({"text": "secret words of a file"}),
        state: state("ready"),
        started: Moment(started),
    })))
}

fn advance(run: &str, engine: &str, number: u64, session: &str) -> Write {
    Write::Workflow(WorkflowWrite::Advance {
        run: RunId::from(run),
        state: Box::new(state(engine)),
        steps: vec![WorkflowStepRow {
            number,
            time: Moment(5),
            record: json!({"step": engine}),
        }],
        programs: vec![WorkflowProgram {
            session: SessionId::from(session),
            attempt: number,
        }],
    })
}

/// A run that a program of another run has called, and that has ended.
fn called(run: &str, by: &str, started: i64) -> Write {
    Write::Workflow(WorkflowWrite::Begin(Box::new(WorkflowRow {
        run: RunId::from(run),
        name: "inner".to_owned(),
        facts: json!({"by": {"run": by, "call": 1}}),
        state: WorkflowState {
            ended: Some(Moment(started)),
            ..state("done")
        },
        started: Moment(started),
    })))
}

fn two_runs(folder: &Folder) -> Store {
    let store = folder.open();
    store
        .commit(vec![begin("w1", "menu", 1), begin("w2", "refund", 2)])
        .unwrap();
    store
}

#[test]
fn the_state_is_overwritten_and_records_are_kept_in_their_order() {
    let folder = Folder::new();
    let store = two_runs(&folder);
    for (number, engine) in [(0, "one"), (1, "two"), (2, "three")] {
        store.commit(advance("w1", engine, number, "step")).unwrap();
    }
    drop(store);
    let store = folder.open();
    let run = store.workflow_run(&RunId::from("w1")).unwrap().unwrap();
    assert_eq!((run.state.engine, run.started), (json!("three"), Moment(1)));
    let steps = store.workflow_steps(&run.run, 2).unwrap();
    assert_eq!(
        steps.iter().map(|step| step.number).collect::<Vec<_>>(),
        [1, 2],
        "the last ones"
    );
    assert_eq!(store.workflow_programs(&run.run).unwrap().len(), 1);
    let names = |name: Option<&str>| -> Vec<String> {
        let runs = store.workflow_runs(name, 10).unwrap().into_iter();
        runs.map(|run| run.run.as_str().to_owned()).collect()
    };
    assert_eq!(
        (names(None), names(Some("menu"))),
        (vec!["w2".to_owned(), "w1".to_owned()], vec!["w1".to_owned()])
    );
    assert_eq!(store.find_workflow_run("2").unwrap(), Some(RunId::from("w2")));
}

#[test]
fn runs_that_have_not_ended_are_found_whatever_their_age() {
    let folder = Folder::new();
    let store = two_runs(&folder);
    let open = || -> Vec<String> {
        let runs = store.open_workflow_runs(10).unwrap().into_iter();
        runs.map(|run| run.run.as_str().to_owned()).collect()
    };
    assert_eq!(open(), ["w2", "w1"]);
    let ended = WorkflowState {
        ended: Some(Moment(9)),
        ..state("done")
    };
    let end = WorkflowWrite::Advance {
        run: RunId::from("w2"),
        state: Box::new(ended),
        steps: Vec::new(),
        programs: Vec::new(),
    };
    store.commit(Write::Workflow(end)).unwrap();
    assert_eq!(open(), ["w1"]);
}

#[test]
fn a_record_of_a_number_that_is_there_writes_nothing_of_its_batch() {
    let folder = Folder::new();
    let store = two_runs(&folder);
    store.commit(advance("w1", "one", 0, "step")).unwrap();
    assert!(store.commit(advance("w1", "again", 0, "other")).is_err());
    let run = store.workflow_run(&RunId::from("w1")).unwrap().unwrap();
    assert_eq!(run.state.engine, json!("one"));
    assert_eq!(store.workflow_programs(&run.run).unwrap().len(), 1);
}

#[test]
fn sessions_of_steps_are_listed_nowhere_and_go_with_their_run() {
    let folder = Folder::new();
    let store = two_runs(&folder);
    let own = vec![
        Write::PutSession(session("talk")),
        Write::PutSession(session("step")),
        append("step", 1, "what a step did"),
        advance("w1", "one", 0, "step"),
    ];
    store.commit(own).unwrap();
    let listed = store.sessions(10).unwrap();
    assert_eq!(
        listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(),
        ["talk"]
    );
    store
        .commit(Write::Workflow(WorkflowWrite::Delete(RunId::from("w1"))))
        .unwrap();
    assert_eq!(store.workflow_run(&RunId::from("w1")).unwrap(), None);
    assert_eq!(store.session(&SessionId::from("step")).unwrap(), None);
    assert_eq!(store.workflow_steps(&RunId::from("w1"), 10).unwrap(), []);
    store
        .commit(Write::Workflow(WorkflowWrite::Delete(RunId::from("w2"))))
        .unwrap();
    drop(store);
    assert!(
        !folder.holds("what a step did") && !folder.holds("secret words of a file"),
        "the bytes are gone"
    );
}

#[test]
fn runs_that_a_step_has_called_are_listed_by_their_name_alone_and_go_with_the_outer_one() {
    let folder = Folder::new();
    let store = two_runs(&folder);
    store
        .commit(vec![
            Write::PutSession(session("talk")),
            Write::PutSession(session("step")),
            advance("w2", "one", 0, "step"),
            Write::PutRun(Box::new(run("asked", "talk", None))),
            Write::PutRun(Box::new(run("program", "step", None))),
            called("of_talk", "asked", 3),
            called("of_step", "program", 4),
        ])
        .unwrap();
    let listed = |name: Option<&str>| -> Vec<String> {
        let runs = store.workflow_runs(name, 10).unwrap().into_iter();
        runs.map(|run| run.run.as_str().to_owned()).collect()
    };
    assert_eq!(listed(None), ["of_talk", "w2", "w1"]);
    assert_eq!(listed(Some("inner")), ["of_step", "of_talk"]);
    // One that is open is told by its caller, until that has ended.
    let stand = |run: &str, ended: Option<Moment>| {
        let state = WorkflowState {
            ended,
            ..state("stands")
        };
        let stand = WorkflowWrite::Advance {
            run: RunId::from(run),
            state: Box::new(state),
            steps: Vec::new(),
            programs: Vec::new(),
        };
        store.commit(Write::Workflow(stand)).unwrap();
    };
    stand("of_step", None);
    assert_eq!(listed(None), ["of_talk", "w2", "w1"]);
    stand("w2", Some(Moment(8)));
    assert_eq!(listed(None), ["of_step", "of_talk", "w2", "w1"]);
    stand("of_step", Some(Moment(9)));
    assert_eq!(listed(None), ["of_talk", "w2", "w1"]);
    let newest = store.workflow_runs(None, 1).unwrap();
    assert_eq!(newest[0].run.as_str(), "of_talk");
    store
        .commit(Write::Workflow(WorkflowWrite::Delete(RunId::from("w2"))))
        .unwrap();
    assert_eq!(listed(None), ["of_talk", "w1"], "nothing of it comes up again");
    assert_eq!(listed(Some("inner")), ["of_talk"]);
}
