//! What is still to be learned from runs: written once, gone with what was learned, and with its run.

use crate::fixture::{Folder, put, run, told, with_session};
use shidi_protocol::{MemoryId, Moment, RunId, RunStatus, SessionId, Usage};
use shidi_store::{LearningStep, MemoryGroup, MemoryWrite, Store, Write};

fn r1() -> RunId {
    RunId::from("r1")
}

fn with_ended_run(folder: &Folder) -> Store {
    let store = with_session(folder);
    store
        .commit(vec![
            Write::PutRun(Box::new(run("r1", "s1", Some(RunStatus::Completed)))),
            Write::BeginLearning {
                run: r1(),
                since: Moment(5_000),
            },
        ])
        .unwrap();
    store
}

fn end(step: LearningStep, name: &str, next: Option<LearningStep>) -> Write {
    Write::EndLearning {
        run: r1(),
        step,
        found: vec![put(told(name, name))],
        next,
    }
}

fn is_there(store: &Store, name: &str) -> bool {
    store.memory(&MemoryId::from(name)).unwrap().is_some()
}

#[test]
fn each_step_is_written_once_and_in_its_order() {
    let folder = Folder::new();
    let store = with_ended_run(&folder);
    store.commit(Write::TryLearning(r1())).unwrap();
    assert_eq!(store.learning(&r1()).unwrap().unwrap().attempts, 1);
    store.commit(end(LearningStep::Model, "too early", None)).unwrap();
    assert!(!is_there(&store, "too early"));
    store
        .commit(end(LearningStep::Rules, "by rules", Some(LearningStep::Model)))
        .unwrap();
    store.commit(end(LearningStep::Rules, "twice", None)).unwrap();
    assert!(is_there(&store, "by rules") && !is_there(&store, "twice"));
    let waiting = store.learnings(10).unwrap();
    assert_eq!(
        (waiting.len(), waiting[0].step, waiting[0].attempts),
        (1, LearningStep::Model, 0)
    );
    store.commit(end(LearningStep::Model, "by model", None)).unwrap();
    store.commit(end(LearningStep::Model, "again", None)).unwrap();
    assert!(is_there(&store, "by model") && !is_there(&store, "again"));
    assert!(store.learnings(10).unwrap().is_empty());
}

#[test]
fn what_is_deleted_meanwhile_leaves_nothing() {
    let folder = Folder::new();
    let store = with_ended_run(&folder);
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    store.commit(end(LearningStep::Rules, "late", None)).unwrap();
    assert!(!is_there(&store, "late"));
    let folder = Folder::new();
    let store = with_ended_run(&folder);
    store
        .commit(Write::Memory(MemoryWrite::DeleteGroup(MemoryGroup::Everything)))
        .unwrap();
    store.commit(end(LearningStep::Rules, "late", None)).unwrap();
    assert!(!is_there(&store, "late"));
}

#[test]
fn what_a_run_takes_afterwards_is_added_to_it() {
    let folder = Folder::new();
    let store = with_ended_run(&folder);
    let before = store.run(&r1()).unwrap().unwrap().usage;
    let usage = Usage {
        input: 7,
        model_calls: 1,
        ..Usage::default()
    };
    store.commit(Write::AddUsage { run: r1(), usage }).unwrap();
    let after = store.run(&r1()).unwrap().unwrap().usage;
    assert_eq!(
        (after.input, after.model_calls),
        (before.input + 7, before.model_calls + 1)
    );
}

#[test]
fn a_contradiction_is_shown_from_both_sides_until_one_of_them_ends() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let id = |name: &str| MemoryId::from(name);
    store
        .commit(vec![
            put(told("a", "the office is in Berlin")),
            put(told("b", "the office is in Munich")),
            Write::Memory(MemoryWrite::Contradict {
                memory: id("b"),
                other: id("a"),
            }),
            Write::Memory(MemoryWrite::Contradict {
                memory: id("a"),
                other: id("b"),
            }),
        ])
        .unwrap();
    let against = |name: &str| -> Vec<String> {
        let found = store.contradictions(&id(name)).unwrap();
        found.into_iter().map(|record| record.id.to_string()).collect()
    };
    assert_eq!(
        (against("a"), against("b")),
        (vec!["b".to_owned()], vec!["a".to_owned()])
    );
    store
        .commit(Write::Memory(MemoryWrite::End {
            memory: id("a"),
            at: Moment(9_000),
        }))
        .unwrap();
    assert_eq!((against("a"), against("b")), (vec![], vec![]));
    store.commit(Write::Memory(MemoryWrite::Delete(id("a")))).unwrap();
    assert!(against("b").is_empty());
}
