//! Whatever is written, in whatever batches: what is read is what a plain map would hold, before and after the
//! store is opened again.

use crate::fixture::{Folder, call, put, run, segment, session, span, told, variable};
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_protocol::{CallState, MemoryId, RunId, RunStatus, SegmentKind, SessionId};
use shidi_store::{MemoryFilter, MemoryWrite, SearchScope, Store, StoreError, Variable, Write};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    Commit(Vec<Write>),
    Buffer(Vec<Write>),
    Reopen,
}

fn session_name() -> impl Strategy<Value = String> {
    prop_oneof![Just("s1".to_owned()), Just("s2".to_owned())]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        proptest::num::f64::NORMAL.prop_map(|value| json!(value)),
        "\\PC{0,12}".prop_map(|value| json!(value)),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(|items| json!(items))
    })
}

/// Each write belongs to one session, whose run is named after it.
fn write() -> impl Strategy<Value = Write> {
    let run_of = |session: &str| session.replace('s', "r");
    prop_oneof![
        1 => session_name().prop_map(|name| Write::PutSession(session(&name))),
        1 => session_name().prop_map(|name| Write::DeleteSession(SessionId::from(name))),
        6 => (session_name(), 1..30_u32, "\\PC{0,12} [a-z]{5,9} \\PC{0,12}").prop_map(|(name, id, text)| Write::AppendSegment {
            session: SessionId::from(name),
            segment: Box::new(segment(id, "r", SegmentKind::User, &text)),
        }),
        3 => (session_name(), any::<bool>()).prop_map(move |(name, ended)| {
            let status = if ended { Some(RunStatus::Completed) } else { None };
            Write::PutRun(Box::new(run(&run_of(&name), &name, status)))
        }),
        3 => (session_name(), 1..9_u32).prop_map(move |(name, id)| {
            Write::UpsertCall(Box::new(call(&run_of(&name), id, CallState::Done)))
        }),
        2 => (session_name(), 1..9_u32).prop_map(move |(name, id)| {
            Write::PutStep { run: RunId::from(run_of(&name)), step: Box::new(span(id).into()) }
        }),
        3 => (session_name(), "[a-c]", value()).prop_map(|(name, variable_name, value)| Write::PutVariable {
            session: SessionId::from(name),
            variable: Variable { run: None, ..variable(&variable_name, value) },
        }),
        1 => ("[a-c]", value()).prop_map(|(key, value)| Write::PutSetting { key, value }),
        1 => ("[a-d]", "\\PC{0,20}").prop_map(|(id, text)| put(told(&id, &text))),
        1 => "[a-d]".prop_map(|id| Write::Memory(MemoryWrite::Delete(MemoryId::from(id)))),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let writes = || prop::collection::vec(write(), 1..4);
    prop_oneof![8 => writes().prop_map(Step::Commit), 4 => writes().prop_map(Step::Buffer), 1 => Just(Step::Reopen)]
}

/// What the store should hold, told in the simplest way: text by key.
type Held = BTreeMap<String, String>;

/// Applies a batch to the model; `None` if the batch contradicts it.
fn apply(held: &Held, writes: &[Write]) -> Option<Held> {
    let mut held = held.clone();
    for write in writes {
        match write {
            Write::PutSession(session) => {
                held.insert(format!("{}/", session.id), String::new());
            }
            Write::DeleteSession(session) => held.retain(|key, _| !key.starts_with(&format!("{session}/"))),
            Write::AppendSegment { session, segment } => {
                let key = format!("{session}/segment/{:04}", segment.id.0);
                held.get(&format!("{session}/"))?;
                if held.insert(key, segment.text().to_owned()).is_some() {
                    return None;
                }
            }
            Write::PutRun(state) => {
                held.get(&format!("{}/", state.session))?;
                held.insert(format!("{}/run", state.session), format!("{:?}", state.status));
            }
            Write::UpsertCall(record) => {
                let session = record.run.as_str().replace('r', "s");
                held.get(&format!("{session}/run"))?;
                held.insert(format!("{session}/call/{}", record.call.id), String::new());
            }
            Write::PutStep { run, step } => {
                let session = run.as_str().replace('r', "s");
                // A trace comes after the fact: without its run it goes nowhere, and nothing fails.
                if held.contains_key(&format!("{session}/run")) {
                    held.insert(format!("{session}/span/{}", step.span.id), String::new());
                }
            }
            Write::PutVariable { session, variable } => {
                held.get(&format!("{session}/"))?;
                let value = variable.value.clone().unwrap().to_string();
                held.insert(format!("{session}/variable/{}", variable.name), value);
            }
            Write::PutSetting { key, value } => {
                held.insert(format!("setting/{key}"), value.to_string());
            }
            Write::Memory(MemoryWrite::Put(record)) => {
                held.insert(format!("memory/{}", record.id), record.text.clone());
            }
            Write::Memory(MemoryWrite::Delete(memory)) => {
                held.remove(&format!("memory/{memory}"));
            }
            other => panic!("the strategy makes no {other:?}"),
        }
    }
    Some(held)
}

/// The same, read from the store.
fn read(store: &Store) -> Held {
    let mut held = Held::new();
    for summary in store.sessions(10).unwrap() {
        let session = summary.id;
        held.insert(format!("{session}/"), String::new());
        for segment in store.segments(&session).unwrap() {
            held.insert(
                format!("{session}/segment/{:04}", segment.id.0),
                segment.text().to_owned(),
            );
        }
        for state in store.runs(&session).unwrap() {
            held.insert(format!("{session}/run"), format!("{:?}", state.status));
            for record in store.calls(&state.run).unwrap() {
                held.insert(format!("{session}/call/{}", record.call.id), String::new());
            }
            for span in store.spans(&state.run).unwrap() {
                held.insert(format!("{session}/span/{}", span.id), String::new());
            }
        }
        for variable in store.variables(&session, None).unwrap() {
            held.insert(
                format!("{session}/variable/{}", variable.name),
                variable.value.unwrap().to_string(),
            );
        }
    }
    for (key, value) in store.settings().unwrap() {
        held.insert(format!("setting/{key}"), value.to_string());
    }
    for record in store.memories(&MemoryFilter::default(), 0, 10).unwrap() {
        held.insert(format!("memory/{}", record.id), record.text);
    }
    held
}

/// Every text that is held is found by its first plain word.
fn assert_index_fits(store: &Store, held: &Held) {
    for (key, text) in held
        .iter()
        .filter(|(key, _)| key.contains("segment/") || key.starts_with("memory/"))
    {
        let is_plain = |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let Some(word) = text.split_whitespace().find(is_plain) else {
            continue;
        };
        let hits = store.search(word, &SearchScope::Everything, 200).unwrap();
        assert!(!hits.is_empty(), "{key}: {word:?} of {text:?} is not found");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_writes_reads_the_same_after_opening_again(steps in prop::collection::vec(step(), 1..30)) {
        let folder = Folder::new();
        let mut store = folder.open();
        let mut held = Held::new();
        let mut is_failure_untold = false;
        for step in steps {
            match step {
                Step::Commit(writes) => {
                    let outcome = store.commit(writes.clone());
                    if std::mem::take(&mut is_failure_untold) {
                        assert!(matches!(outcome, Err(StoreError::Earlier { .. })));
                        continue;
                    }
                    match apply(&held, &writes) {
                        Some(after) => {
                            outcome.unwrap();
                            held = after;
                        }
                        None => assert!(matches!(outcome, Err(StoreError::Refused { .. }))),
                    }
                }
                Step::Buffer(writes) => {
                    store.buffer(writes.clone()).unwrap();
                    match apply(&held, &writes) {
                        Some(after) => held = after,
                        None => is_failure_untold = true,
                    }
                }
                Step::Reopen => {
                    drop(store);
                    store = folder.open();
                    is_failure_untold = false;
                    prop_assert_eq!(read(&store), held.clone());
                }
            }
        }
        if store.flush().is_err() {
            prop_assert!(is_failure_untold);
        }
        prop_assert_eq!(read(&store), held.clone());
        assert_index_fits(&store, &held);
        drop(store);
        let store = folder.open();
        prop_assert_eq!(read(&store), held.clone());
        assert_index_fits(&store, &held);
    }
}
