//! Records of schedules: which runs are theirs, and what has ended is not written over.

use crate::fixture::{Folder, run, session};
use serde_json::json;
use shidi_protocol::{
    MissedPolicy, Moment, RunId, ScheduleDraft, ScheduleOutcome, ScheduleTask, ScheduleTime, ScheduleWords,
    SessionId, Usage,
};
use shidi_store::{
    ScheduleRow, ScheduleRunRow, ScheduleWrite, Store, WorkflowRow, WorkflowState, WorkflowWrite, Write,
};

const ASKED: &str = "01ARZ3NDEKTSV4RRFFQ69G5FA0";
const CALLED: &str = "01ARZ3NDEKTSV4RRFFQ69G5FB0";
const STEP: &str = "01ARZ3NDEKTSV4RRFFQ69G5FC0";
const USER: &str = "01ARZ3NDEKTSV4RRFFQ69G5FD0";

fn row() -> ScheduleRow {
    let text = "x".to_owned();
    ScheduleRow {
        id: "1".to_owned(),
        draft: ScheduleDraft {
            task: ScheduleTask::Question { text: text.clone() },
            words: ScheduleWords::Plain { text },
            zone: None,
            missed: MissedPolicy::Once,
            assistant: None,
            folders: Vec::new(),
            approve: Vec::new(),
            max_tokens: None,
            max_usd: None,
        },
        time: ScheduleTime::Job { name: String::new() },
        paused: false,
        next: None,
        created: Moment(0),
    }
}

fn record(outcome: Option<ScheduleOutcome>, finished: Option<i64>) -> Write {
    Write::Schedule(ScheduleWrite::PutRun(Box::new(ScheduleRunRow {
        schedule: "1".to_owned(),
        number: 0,
        due: Moment(1),
        dispatched: Some(Moment(1)),
        started: Some(Moment(1)),
        finished: finished.map(Moment),
        outcome,
        reason: None,
        run: Some(RunId::from(ASKED)),
        missed: 0,
    })))
}

fn begun(folder: &Folder) -> Store {
    let store = folder.open();
    let put = Write::Schedule(ScheduleWrite::Put(Box::new(row())));
    store.commit(vec![put, record(None, None)]).unwrap();
    store
}

#[test]
fn what_has_ended_is_not_written_over_by_who_looked_before() {
    let folder = Folder::new();
    let store = begun(&folder);
    store
        .commit(record(Some(ScheduleOutcome::Waiting), None))
        .unwrap();
    store
        .commit(record(Some(ScheduleOutcome::Done), Some(9)))
        .unwrap();
    store
        .commit(record(Some(ScheduleOutcome::Interrupted), None))
        .unwrap();
    let kept = store.schedule_runs(None, 9).unwrap();
    assert_eq!(kept[0].outcome, Some(ScheduleOutcome::Done));
    assert_eq!(kept[0].finished, Some(Moment(9)));
}

/// A schedule's question calls a workflow, and a step of that begins a sub-agent.
#[test]
fn a_run_is_a_schedules_however_far_it_works_below_it() {
    let folder = Folder::new();
    let store = begun(&folder);
    let (step, agent) = (format!("{CALLED}000001"), format!("{STEP}000002"));
    let workflow = WorkflowWrite::Begin(Box::new(WorkflowRow {
        run: RunId::from(CALLED),
        name: "menu".to_owned(),
        facts: json!({"by": {"run": ASKED, "call": 1}}),
        state: WorkflowState {
            engine: json!("ready"),
            usage: Usage::default(),
            tainted: false,
            ended: None,
        },
        started: Moment(1),
    }));
    store
        .commit(vec![
            Write::PutSession(session("s1")),
            Write::PutSession(session(&step)),
            Write::PutRun(Box::new(run(ASKED, "s1", None))),
            Write::Workflow(workflow),
            Write::PutRun(Box::new(run(STEP, &step, None))),
            Write::PutRun(Box::new(run(USER, "s1", None))),
        ])
        .unwrap();
    let is_of = |run: &str, session: &str| {
        let (run, session) = (RunId::from(run), SessionId::from(session));
        store.is_of_schedule(&run, &session).unwrap()
    };
    assert!(is_of(ASKED, "s1"), "its own");
    assert!(is_of(STEP, &step), "a step of the workflow that it called");
    assert!(is_of("a", &agent), "a sub-agent of the step");
    assert!(is_of("a", &format!("{ASKED}000007")), "a sub-agent of its own");
    assert!(!is_of(USER, "s1"), "a question of its user in the same session");
    assert!(!is_of("a", &format!("{USER}000001")), "and a sub-agent of that");
    assert!(!is_of("a", "short"));
}
