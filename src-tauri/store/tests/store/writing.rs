//! Order, atomicity, durability and failure of batches.

use crate::fixture::{Folder, append, put, session, told, with_session};
use serde_json::json;
use shidi_protocol::SessionId;
use shidi_store::{Batch, OpenOptions, Store, StoreError, Write};
use std::time::{Duration, Instant};

/// Longer than any test takes: nothing is written by delay.
const NEVER: Duration = Duration::from_secs(3_600);
/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(60);

fn s1() -> SessionId {
    SessionId::from("s1")
}

fn setting(value: u32) -> Write {
    Write::PutSetting {
        key: "n".to_owned(),
        value: json!(value),
    }
}

fn patient(folder: &Folder) -> Store {
    let store = Store::open(
        &folder.path(),
        OpenOptions {
            buffer_most: NEVER,
            ..OpenOptions::default()
        },
    )
    .unwrap();
    store.commit(Write::PutSession(session("s1"))).unwrap();
    store
}

#[test]
fn a_batch_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let refused = store.commit(vec![
        append("s1", 1, "good"),
        setting(1),
        append("nowhere", 1, "bad"),
    ]);
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    assert!(store.segments(&s1()).unwrap().is_empty());
    assert_eq!(store.setting("n").unwrap(), None);
    store.commit(append("s1", 1, "good")).unwrap();
    drop(store);
    assert_eq!(folder.open().segments(&s1()).unwrap().len(), 1);
}

#[test]
fn buffered_batches_are_written_in_order_with_the_next_commit() {
    let folder = Folder::new();
    let store = patient(&folder);
    for value in 1..=50 {
        store.buffer(setting(value)).unwrap();
    }
    assert_eq!(store.setting("n").unwrap(), None);
    let before = store.transactions();
    store.commit(append("s1", 1, "q")).unwrap();
    assert_eq!(store.setting("n").unwrap(), Some(json!(50)));
    assert_eq!(store.transactions(), before + 1);
}

#[test]
fn a_commit_comes_after_what_was_buffered_before_it_and_before_what_is_buffered_after_it() {
    let folder = Folder::new();
    let store = patient(&folder);
    store.buffer(setting(1)).unwrap();
    store.commit(setting(2)).unwrap();
    assert_eq!(store.setting("n").unwrap(), Some(json!(2)));
    store.buffer(setting(3)).unwrap();
    store.flush().unwrap();
    assert_eq!(store.setting("n").unwrap(), Some(json!(3)));
}

#[test]
fn a_buffered_batch_is_written_after_its_delay_without_being_asked_for() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let begin = Instant::now();
    store.buffer(setting(1)).unwrap();
    while store.setting("n").unwrap().is_none() {
        assert!(begin.elapsed() < PATIENCE, "never written");
        std::thread::yield_now();
    }
}

#[test]
fn a_buffer_that_is_full_is_written_without_being_asked_for() {
    let folder = Folder::new();
    let store = patient(&folder);
    let begin = Instant::now();
    store.buffer((0..2_000).map(setting).collect::<Batch>()).unwrap();
    while store.setting("n").unwrap().is_none() {
        assert!(begin.elapsed() < PATIENCE, "never written");
        std::thread::yield_now();
    }
}

#[test]
fn dropping_the_last_handle_writes_what_is_buffered() {
    let folder = Folder::new();
    let store = patient(&folder);
    let other = store.clone();
    store.buffer(setting(9)).unwrap();
    drop(store);
    other.buffer(append("s1", 1, "last")).unwrap();
    drop(other);
    let store = folder.open();
    assert_eq!(store.setting("n").unwrap(), Some(json!(9)));
    assert_eq!(store.segments(&s1()).unwrap().len(), 1);
}

#[test]
fn the_failure_of_a_buffered_batch_is_told_once_to_the_next_caller_whose_batch_is_not_written() {
    let folder = Folder::new();
    let store = patient(&folder);
    store.buffer(append("nowhere", 1, "bad")).unwrap();
    store.buffer(setting(1)).unwrap();
    let told = store.commit(append("s1", 1, "q"));
    assert!(matches!(told, Err(StoreError::Earlier { .. })), "{told:?}");
    assert!(store.segments(&s1()).unwrap().is_empty());
    assert_eq!(store.setting("n").unwrap(), Some(json!(1)));
    store.commit(append("s1", 1, "q")).unwrap();
    store.buffer(append("nowhere", 1, "bad")).unwrap();
    assert!(matches!(store.flush(), Err(StoreError::Earlier { .. })));
    store.flush().unwrap();
}

#[test]
fn the_failure_of_a_buffered_batch_that_was_written_by_delay_is_told_later() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.buffer(vec![append("nowhere", 1, "bad")]).unwrap();
    store.buffer(setting(1)).unwrap();
    let begin = Instant::now();
    while store.setting("n").unwrap().is_none() {
        assert!(begin.elapsed() < PATIENCE, "never written");
        std::thread::yield_now();
    }
    assert!(matches!(store.flush(), Err(StoreError::Earlier { .. })));
}

#[test]
fn a_text_over_the_bound_is_refused_and_the_store_goes_on() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let text = "x".repeat(usize::try_from(shidi_store::TEXT_MOST_BYTES).unwrap() + 1);
    assert!(matches!(
        store.commit(put(told("n", &text))),
        Err(StoreError::TooLarge)
    ));
    store.commit(setting(1)).unwrap();
}

#[test]
fn commits_of_many_threads_share_transactions() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let before = store.transactions();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let store = store.clone();
            scope.spawn(move || {
                for number in 0..50 {
                    store.commit(append("s1", writer * 1_000 + number, "x")).unwrap();
                }
            });
        }
    });
    assert_eq!(store.segments(&s1()).unwrap().len(), 400);
    let transactions = store.transactions() - before;
    assert!(transactions < 300, "{transactions} transactions for 400 commits");
}
