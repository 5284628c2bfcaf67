//! Files that are kept: a file goes with the last session that it belongs to, and what calls changed goes with theirs.

use crate::fixture::{Folder, change, refer, refer_for, session};
use serde_json::json;
use shidi_protocol::{CallId, ChangeKind, Moment, RunId, RunStatus, SessionId};
use shidi_store::{BlobKept, BlobPurpose, BlobWrite, ChangeRow, ChangeWrite, Store, Write};

const PLACE: &str = "blobs/ab12";

fn with_sessions(folder: &Folder) -> Store {
    let store = folder.open();
    store
        .commit(vec![
            Write::PutSession(session("s1")),
            Write::PutSession(session("s2")),
        ])
        .unwrap();
    store
}

fn delete(store: &Store, session: &str) {
    store
        .commit(Write::DeleteSession(SessionId::from(session)))
        .unwrap();
}

fn keep(store: &Store, since: i64) {
    let keep = BlobWrite::Keep {
        place: PLACE.to_owned(),
        since: Moment(since),
    };
    store.commit(Write::Blob(keep)).unwrap();
}

fn drop_unused(store: &Store, before: i64) {
    let drop = BlobWrite::DropUnused {
        unsent_before: Moment(before),
    };
    store.commit(Write::Blob(drop)).unwrap();
}

fn is_kept(store: &Store) -> bool {
    let is_kept = store.blob_kept(PLACE).unwrap() != BlobKept::Nothing;
    assert_eq!(store.blobs().unwrap().contains(&PLACE.to_owned()), is_kept);
    is_kept
}

#[test]
fn a_file_goes_with_the_last_session_that_it_belongs_to() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    store
        .commit(vec![refer("s1", PLACE), refer("s1", "blobs/own")])
        .unwrap();
    let earlier = refer_for("s2", BlobPurpose::Earlier, "r9/4", PLACE);
    store.commit(earlier).unwrap();
    let file = store.blob_file(BlobPurpose::Earlier, "r9/4").unwrap().unwrap();
    assert_eq!((file.place.as_str(), file.name.as_str()), (PLACE, "notes.txt"));
    delete(&store, "s1");
    assert!(is_kept(&store));
    assert_eq!(store.blob_kept("blobs/own").unwrap(), BlobKept::Nothing);
    delete(&store, "s2");
    assert!(!is_kept(&store));
    assert_eq!(store.blob_file(BlobPurpose::Earlier, "r9/4").unwrap(), None);
}

#[test]
fn a_file_that_waits_to_be_sent_stays_for_its_time_and_one_that_was_sent_with_its_session() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    keep(&store, 5_000);
    assert_eq!(store.blob_kept(PLACE).unwrap(), BlobKept::Everything);
    drop_unused(&store, 5_000);
    assert!(is_kept(&store));
    drop_unused(&store, 5_001);
    assert!(!is_kept(&store));

    keep(&store, 5_000);
    store.commit(refer("s1", PLACE)).unwrap();
    drop_unused(&store, 9_000);
    let names = vec!["notes.txt".to_owned()];
    assert_eq!(store.blob_kept(PLACE).unwrap(), BlobKept::These(names));
    // The same is pasted again, and not sent yet.
    keep(&store, 9_000);
    delete(&store, "s1");
    assert!(is_kept(&store));
    drop_unused(&store, 10_000);
    assert!(!is_kept(&store));
}

#[test]
fn a_file_that_is_found_says_nothing_against_what_is_known() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    let find = Write::Blob(BlobWrite::Find {
        place: PLACE.to_owned(),
        since: Moment(1),
    });
    store.commit(find.clone()).unwrap();
    assert_eq!(store.blob_kept(PLACE).unwrap(), BlobKept::Everything);
    store.commit(refer("s1", PLACE)).unwrap();
    store.commit(find).unwrap();
    delete(&store, "s1");
    assert!(!is_kept(&store));
}

#[test]
fn what_went_with_a_run_belongs_to_its_copy_too() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    store
        .commit(vec![
            refer("s1", PLACE),
            refer_for("s1", BlobPurpose::Capture, "look", "blobs/picture"),
            Write::Blob(BlobWrite::CopyAttachments {
                of: RunId::from("r1"),
                session: SessionId::from("s2"),
                run: RunId::from("r2"),
            }),
        ])
        .unwrap();
    delete(&store, "s1");
    assert!(is_kept(&store));
    assert_eq!(store.blobs().unwrap(), [PLACE], "a picture goes with its session");
    delete(&store, "s2");
    assert!(!is_kept(&store));
}

#[test]
fn a_change_is_read_as_it_was_written_and_undone_once() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    store
        .commit(vec![change("s1", 1), change("s2", 2), change("s1", 10)])
        .unwrap();
    let run = RunId::from("r1");
    let made = store.change(&run, CallId(10)).unwrap().unwrap();
    assert_eq!(
        (&made.session, made.added, &made.data),
        (&Some(SessionId::from("s1")), 2, &json!({"bytes": 12}))
    );
    let calls = |changes: Vec<ChangeRow>| changes.iter().map(|change| change.call.0).collect::<Vec<_>>();
    assert_eq!(calls(store.changes(None, 9).unwrap()), [10, 2, 1]);
    assert_eq!(
        calls(store.changes(Some(&SessionId::from("s1")), 1).unwrap()),
        [10]
    );
    assert_eq!(calls(store.changes_of_run(&run, 2).unwrap()), [10, 2]);
    assert_eq!(
        (
            store.count_changes(None, Some(&run)).unwrap(),
            store.count_changes(Some(&SessionId::from("s2")), None).unwrap(),
            store.count_changes(None, Some(&RunId::from("r2"))).unwrap()
        ),
        (3, 1, 0)
    );
    assert_eq!(calls(store.find_changes("r1/1", 9).unwrap()), [1, 10]);
    assert_eq!(calls(store.find_changes("/2", 9).unwrap()), [2]);
    store
        .commit(Write::Change(ChangeWrite::Undo {
            run: run.clone(),
            call: CallId(10),
        }))
        .unwrap();
    // What an earlier layout says of it is older.
    store
        .commit(Write::Change(ChangeWrite::Find(Box::new(made))))
        .unwrap();
    assert!(store.change(&run, CallId(10)).unwrap().unwrap().undone);
}

#[test]
fn changes_of_a_run_are_those_of_its_sub_agents_too_and_a_file_has_its_own() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    store.commit(vec![change("s1", 1), change("s1", 10)]).unwrap();
    let run = RunId::from("r1");
    let made = store.change(&run, CallId(1)).unwrap().unwrap();
    // The session of a sub-agent begins with the id of its run; the one of another run may do so, too.
    for (agent, place, under, call) in [("r2", "r1000001", "r1", 5), ("r3", "r1000002", "r10", 6)] {
        let mut state = crate::fixture::run(agent, place, Some(RunStatus::Completed));
        state.state = json!({"ask": {"under": {"run": under, "call": 1}}});
        let changed = ChangeRow {
            run: RunId::from(agent),
            session: Some(SessionId::from(place)),
            call: CallId(call),
            path: format!("/home/me/work/{agent}.txt"),
            time: Moment(i64::from(call)),
            ..made.clone()
        };
        let rows = vec![
            Write::PutSession(session(place)),
            Write::PutRun(Box::new(state)),
            Write::Change(ChangeWrite::Put(Box::new(changed))),
        ];
        store.commit(rows).unwrap();
    }
    let calls = |changes: Vec<ChangeRow>| changes.iter().map(|change| change.call.0).collect::<Vec<_>>();
    assert_eq!(calls(store.changes_of_run(&run, 9).unwrap()), [10, 5, 1]);
    assert_eq!(store.count_changes(None, Some(&run)).unwrap(), 3);
    assert_eq!(calls(store.changes_of_run(&RunId::from("r2"), 9).unwrap()), [5]);
    assert_eq!(calls(store.changes_of_file(&made.path, 9).unwrap()), [10, 1]);
    assert_eq!(calls(store.changes_of_file(&made.path, 1).unwrap()), [10]);
    for (call, kind) in [(11, ChangeKind::Copy), (12, ChangeKind::Move)] {
        let changed = ChangeRow {
            call: CallId(call),
            kind,
            time: Moment(i64::from(call)),
            ..made.clone()
        };
        let put = Write::Change(ChangeWrite::Put(Box::new(changed)));
        store.commit(put).unwrap();
    }
    assert_eq!(
        calls(store.changes_of_file(&made.path, 9).unwrap()),
        [12, 10, 1],
        "a copy changes nothing there"
    );
}

#[test]
fn a_change_that_was_not_made_or_is_old_goes_with_what_stood_there() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    for call in [1, 2] {
        let owner = format!("r1/{call}");
        let place = format!("blobs/{call}");
        let refer = refer_for("s1", BlobPurpose::Earlier, &owner, &place);
        store.commit(vec![change("s1", call), refer]).unwrap();
    }
    let run = RunId::from("r1");
    store
        .commit(Write::Change(ChangeWrite::TakeBack { run, call: CallId(2) }))
        .unwrap();
    assert_eq!(store.blobs().unwrap(), ["blobs/1"]);
    store
        .commit(Write::Change(ChangeWrite::DropOlder { before: Moment(1) }))
        .unwrap();
    assert_eq!(store.changes(None, 9).unwrap().len(), 1);
    store
        .commit(Write::Change(ChangeWrite::DropOlder { before: Moment(2) }))
        .unwrap();
    assert!(store.changes(None, 9).unwrap().is_empty() && store.blobs().unwrap().is_empty());
}

#[test]
fn no_word_of_a_deleted_sessions_changes_is_left() {
    let folder = Folder::new();
    let store = with_sessions(&folder);
    store
        .commit(vec![change("s1", 1), refer("s1", "blobs/secret place")])
        .unwrap();
    assert!(folder.holds("notes of s1"));
    delete(&store, "s1");
    drop(store);
    assert!(!folder.holds("notes of s1") && !folder.holds("secret place"));
}
