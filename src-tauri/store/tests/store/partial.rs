//! What models are saying: one row for each run at work, gone with the answer or the run, and nothing of it stays in a file.

use crate::fixture::{Folder, append, run, session, with_session};
use shidi_protocol::{ModelRole, Moment, PartialReply, RunId, RunStatus, SessionId};
use shidi_store::{OpenOptions, PartialAnswer, Store, Write};
use std::time::Duration;

fn r1() -> RunId {
    RunId::from("r1")
}

fn answer(run: &str, text: &str) -> PartialAnswer {
    PartialAnswer {
        run: RunId::from(run),
        time: Moment(2_000),
        role: ModelRole::Coder,
        format: "fenced".to_owned(),
        reply: PartialReply {
            text: text.to_owned(),
            ..PartialReply::default()
        },
    }
}

fn put(run: &str, text: &str) -> Write {
    Write::PutPartialAnswer(Box::new(answer(run, text)))
}

fn put_run(status: Option<RunStatus>) -> Write {
    Write::PutRun(Box::new(run("r1", "s1", status)))
}

#[test]
fn one_row_is_replaced_as_an_answer_goes_on_and_found_after_a_restart() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for said in ["one", "one two", "one two three"] {
        store.commit(put("r1", said)).unwrap();
    }
    drop(store);
    let found = folder.open().partial_answers().unwrap();
    assert_eq!(found, [answer("r1", "one two three")]);
}

#[test]
fn the_answer_takes_it_away_in_the_transaction_that_brings_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(put("r1", "one two")).unwrap();
    let whole = |id, to: &str| vec![append(to, id, "one two three"), Write::DropPartialAnswer(r1())];
    assert!(store.commit(whole(1, "nowhere")).is_err());
    assert_eq!(store.partial_answers().unwrap().len(), 1, "both or neither");
    store.commit(whole(1, "s1")).unwrap();
    assert!(store.partial_answers().unwrap().is_empty());
}

#[test]
fn it_stays_while_its_run_is_at_work_and_goes_with_its_end_its_rest_or_its_session() {
    let ends = [
        put_run(Some(RunStatus::Cancelled)),
        put_run(Some(RunStatus::Suspended)),
        Write::DeleteSession(SessionId::from("s1")),
    ];
    for end in ends {
        let folder = Folder::new();
        let store = with_session(&folder);
        store.commit(put("r1", "one two")).unwrap();
        // The user says something meanwhile.
        store.commit(put_run(None)).unwrap();
        assert_eq!(store.partial_answers().unwrap().len(), 1);
        store.commit(end.clone()).unwrap();
        assert!(store.partial_answers().unwrap().is_empty(), "{end:?}");
        // What was on its way comes too late, and harms nobody.
        store.buffer(put("r1", "one two three")).unwrap();
        store.flush().unwrap();
        assert!(store.partial_answers().unwrap().is_empty(), "{end:?}");
    }
}

#[test]
fn of_what_was_taken_back_no_word_stays_in_the_files() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let long = "xylophagousquagga ".repeat(2_000);
    store.commit(put("r1", &long)).unwrap();
    store.commit(put("r1", "anew")).unwrap();
    store.commit(Write::DropPartialAnswer(r1())).unwrap();
    // Closing writes the log back.
    drop(store);
    assert!(!folder.holds("xylophagousquagga"));
}

#[test]
fn an_offer_is_taken_at_once_and_written_within_its_delay() {
    let folder = Folder::new();
    let options = OpenOptions {
        buffer_most: Duration::from_millis(1),
        ..OpenOptions::default()
    };
    drop(with_session(&folder));
    let store = Store::open(&folder.path(), options).unwrap();
    assert!(store.offer(put("r1", "one")));
    while store.partial_answers().unwrap().is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn an_offer_that_would_have_to_wait_is_refused() {
    let folder = Folder::new();
    let store = with_session(&folder);
    // The writer waits for whoever holds the database, and its queue fills.
    let other = rusqlite::Connection::open(folder.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut offered = 0;
    while store.offer(Write::PutSession(session("s2"))) {
        offered += 1;
        assert!(offered < 10_000, "no end of it");
    }
    other.execute_batch("ROLLBACK").unwrap();
    store.flush().unwrap();
    assert!(store.offer(put("r1", "one")));
}
