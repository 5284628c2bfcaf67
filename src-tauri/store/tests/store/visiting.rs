//! What is read of an earlier question about a page: its run alone, its files, and the facts of that very page.

use crate::fixture::{Folder, append, call, change, put, segment, told, with_session};
use shidi_protocol::{
    CallError, CallId, CallState, MemoryKind, MemoryScope, RunId, SegmentId, SegmentKind, SessionId,
};
use shidi_store::{ChangeWrite, Write};

const PAGE: &str = "https://wiki.example/quota";

#[test]
fn the_segments_of_one_question_are_those_of_its_run() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let s1 = SessionId::from("s1");
    let of_other = Write::AppendSegment {
        session: s1.clone(),
        segment: Box::new(segment(3, "r2", SegmentKind::User, "something else")),
    };
    store
        .commit(vec![
            append("s1", 1, "why?"),
            append("s1", 2, "and how?"),
            of_other,
        ])
        .unwrap();
    let ids = |number: u32| -> Vec<u32> {
        let found = store.segments_beside(&s1, SegmentId(number)).unwrap();
        found.iter().map(|segment| segment.id.0).collect()
    };
    assert_eq!((ids(2), ids(3), ids(9)), (vec![1, 2], vec![3], vec![]));
}

#[test]
fn files_of_a_run_are_those_it_read_and_those_it_made_and_kept() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut failed = call("r1", 2, CallState::Done);
    let place = failed.call.places.get_mut("path").unwrap();
    *place = "/home/a/locked.md".to_owned();
    failed.outcome.as_mut().unwrap().error = Some(CallError {
        kind: "PermissionError".to_owned(),
        message: "no".to_owned(),
    });
    let mut listed = call("r1", 3, CallState::Done);
    listed.call.method = "list".to_owned();
    store
        .commit(vec![
            Write::UpsertCall(Box::new(call("r1", 1, CallState::Done))),
            Write::UpsertCall(Box::new(failed)),
            Write::UpsertCall(Box::new(listed)),
            change("s1", 4),
            change("s1", 5),
        ])
        .unwrap();
    let run = RunId::from("r1");
    assert_eq!(store.files_read(&run, 10).unwrap(), ["/home/a/z.md"]);
    let notes = "/home/me/work/notes of s1.txt";
    assert_eq!(store.files_made(&run, 10).unwrap(), [notes, notes]);
    let undo = |call| {
        Write::Change(ChangeWrite::Undo {
            run: run.clone(),
            call: CallId(call),
        })
    };
    store.commit(vec![undo(4), undo(5)]).unwrap();
    assert!(store.files_made(&run, 10).unwrap().is_empty());
}

#[test]
fn facts_of_a_visit_are_of_its_session_and_of_no_other_page() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let of = |id: &str, session: Option<&str>, site: Option<&str>| {
        let mut record = told(id, "the quota is ten");
        record.source.session = session.map(SessionId::from);
        record.source.site = site.map(str::to_owned);
        record
    };
    let mut scoped = of("scoped", None, None);
    scoped.scope = MemoryScope::Site(PAGE.to_owned());
    let mut summary = of("summary", Some("s1"), Some(PAGE));
    summary.kind = MemoryKind::Summary;
    let other = Some("https://wiki.example/other");
    let records = [
        of("here", Some("s1"), Some(PAGE)),
        of("nowhere", Some("s1"), None),
        of("other page", Some("s1"), other),
        of("other session", Some("s2"), Some(PAGE)),
        scoped,
        summary,
    ];
    store
        .commit(records.into_iter().map(put).collect::<Vec<_>>())
        .unwrap();
    let kinds = [MemoryKind::Knowledge];
    let sorted = |records: Vec<shidi_protocol::MemoryRecord>| {
        let mut ids: Vec<String> = records
            .iter()
            .map(|record| record.id.as_str().to_owned())
            .collect();
        ids.sort();
        ids
    };
    let s1 = SessionId::from("s1");
    let of_visit = store.memories_of_visit(&s1, PAGE, &kinds, 10).unwrap();
    assert_eq!(sorted(of_visit), ["here", "nowhere"]);
    let of_page = store.memories_of_page(PAGE, &kinds, 10).unwrap();
    assert_eq!(sorted(of_page), ["here", "other session", "scoped"]);
}
