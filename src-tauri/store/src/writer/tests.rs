//! Promises that only the queue itself can show.

use crate::{OpenOptions, Store, Write};
use rusqlite::Connection;
use serde_json::json;

fn setting(key: u32) -> Write {
    Write::PutSetting {
        key: key.to_string(),
        value: json!(key),
    }
}

#[test]
fn everything_that_waits_in_the_queue_goes_into_one_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shidi.db");
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let jobs = store.inner.jobs.clone().unwrap();
    let mut answers = Vec::new();
    for key in 0..101 {
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        jobs.send(super::Job::Commit {
            batch: setting(key).into(),
            answer,
        })
        .unwrap();
        answers.push(answered);
    }
    let before = store.transactions();
    other.execute_batch("ROLLBACK").unwrap();
    for answered in answers {
        answered.recv().unwrap().unwrap();
    }
    // The writer held the first ones when the lock was taken; all others waited together.
    let transactions = store.transactions() - before;
    assert!(transactions <= 2, "{transactions} transactions for 101 commits");
    assert_eq!(store.settings().unwrap().len(), 101);
}

#[test]
fn a_batch_that_contradicts_what_is_stored_is_left_out_of_the_shared_transaction_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shidi.db");
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let jobs = store.inner.jobs.clone().unwrap();
    let bad = Write::RenameSession {
        session: shidi_protocol::SessionId::from("none"),
        title: String::new(),
    };
    let mut answers = Vec::new();
    for writes in [
        vec![setting(0)],
        vec![setting(1)],
        vec![setting(2), bad],
        vec![setting(3)],
    ] {
        let (answer, answered) = std::sync::mpsc::sync_channel(1);
        jobs.send(super::Job::Commit {
            batch: writes.into(),
            answer,
        })
        .unwrap();
        answers.push(answered);
    }
    other.execute_batch("ROLLBACK").unwrap();
    let outcomes: Vec<_> = answers
        .into_iter()
        .map(|answered| answered.recv().unwrap().is_ok())
        .collect();
    assert_eq!(outcomes, [true, true, false, true]);
    let keys: Vec<_> = store
        .settings()
        .unwrap()
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["0", "1", "3"]);
}
