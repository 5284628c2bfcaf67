//! The ledger of looks: bounded for what was not sent, truthful about what was, empty of what was erased.

use crate::fixture::{Folder, with_session};
use shidi_protocol::{LookAt, LookOutcome, LookRecord, Moment, SessionId};
use shidi_store::{Batch, Write};

fn look(id: &str, outcome: LookOutcome) -> LookRecord {
    LookRecord {
        id: id.to_owned(),
        time: Moment(1_000),
        what: LookAt::Region {
            x: -3,
            y: 4,
            width: 5,
            height: 6,
        },
        app: "Mousepad".to_owned(),
        title: String::new(),
        width: 5,
        height: 6,
        blacked_out: 1,
        outcome,
        session: None,
    }
}

fn sent(id: &str) -> LookRecord {
    LookRecord {
        title: "quarterly-figures-of-lin".to_owned(),
        session: Some(SessionId::from("s1")),
        ..look(id, LookOutcome::Sent)
    }
}

#[test]
fn a_look_is_read_back_newest_first_and_its_outcome_can_change() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for id in ["a", "b"] {
        store
            .commit(Write::PutLook(Box::new(look(id, LookOutcome::Gone))))
            .unwrap();
    }
    store.commit(Write::PutLook(Box::new(sent("a")))).unwrap();
    assert_eq!(
        store.looks(10).unwrap(),
        [look("b", LookOutcome::Gone), sent("a")]
    );
    assert_eq!(store.looks(1).unwrap().len(), 1);
    assert_eq!(store.looks_sent(None).unwrap(), [sent("a")]);
    assert_eq!(
        store.looks_sent(Some(&SessionId::from("s1"))).unwrap(),
        [sent("a")]
    );
    assert!(store.looks_sent(Some(&SessionId::from("s2"))).unwrap().is_empty());
}

#[test]
fn deleting_a_session_leaves_that_something_was_sent_and_nothing_of_what() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutLook(Box::new(sent("a")))).unwrap();
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    let rows = store.looks(10).unwrap();
    assert_eq!(
        (rows[0].outcome, rows[0].title.as_str(), &rows[0].session),
        (LookOutcome::Erased, "", &None)
    );
    assert!(store.looks_sent(None).unwrap().is_empty());
    drop(store);
    assert!(!folder.holds("quarterly-figures-of-lin"));
}

#[test]
fn what_was_not_sent_is_bounded_and_what_was_sent_stays() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutLook(Box::new(sent("first")))).unwrap();
    let batch: Batch = (0..1_100)
        .map(|number| Write::PutLook(Box::new(look(&format!("n{number}"), LookOutcome::Gone))))
        .collect();
    store.commit(batch).unwrap();
    let rows = store.looks(5_000).unwrap();
    assert_eq!(rows.len(), 1_001);
    assert_eq!(rows.last(), Some(&sent("first")));
    assert_eq!(rows[0].id, "n1099");
}
