//! What is deleted is gone: from every table, from the index, and from the bytes on the disk.

use crate::fixture::{
    Folder, append, call, newest, put, run, segment, session, span, told, variable, with_session,
};
use serde_json::json;
use shidi_protocol::{CallState, MemoryId, RunId, SegmentKind, SessionId};
use shidi_store::{MemoryWrite, SearchScope, ToolResult, Write};

/// Occurs nowhere else; long enough to be one term, which the index would hold as it stands.
const SECRET: &str = "xylophagousquagga";
const SECRET_CHINESE: &str = "魑魅魍魉";

#[test]
fn a_deleted_session_leaves_no_row_behind() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let (s1, r1) = (SessionId::from("s1"), RunId::from("r1"));
    store
        .commit(vec![
            append("s1", 1, SECRET),
            Write::UpsertCall(Box::new(call("r1", 1, CallState::Done))),
            Write::PutStep {
                run: r1.clone(),
                step: Box::new(span(1).into()),
            },
            Write::PutVariable {
                session: s1.clone(),
                variable: variable("v", json!(SECRET)),
            },
            Write::PutResult(ToolResult {
                session: s1.clone(),
                handle: "h".to_owned(),
                run: r1.clone(),
                text: SECRET.to_owned(),
                tainted: false,
            }),
        ])
        .unwrap();
    assert_eq!(
        store.search(SECRET, &SearchScope::Everything, 5).unwrap().len(),
        1
    );
    store.commit(Write::DeleteSession(s1.clone())).unwrap();
    assert_eq!(store.session_detail(&s1).unwrap(), None);
    assert!(store.segments(&s1).unwrap().is_empty());
    assert!(store.calls(&r1).unwrap().is_empty());
    assert!(store.spans(&r1).unwrap().is_empty());
    assert!(store.variable_rows(&s1).unwrap().is_empty());
    assert_eq!(store.run(&r1).unwrap(), None);
    assert_eq!(store.result(&s1, "h").unwrap(), None);
    assert!(store.traces(&newest(5)).unwrap().is_empty());
    assert!(
        store
            .search(SECRET, &SearchScope::Everything, 5)
            .unwrap()
            .is_empty()
    );
    assert!(!folder.holds(SECRET));
}

#[test]
fn deleted_text_is_in_no_byte_of_any_file() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut writes = vec![
        Write::PutSession(session("s2")),
        Write::PutRun(Box::new(run("r2", "s2", None))),
    ];
    let mut ordinal = 0;
    for turn in 0..400 {
        ordinal += 1;
        let text = format!(
            "turn {turn} of the talk that stays, with words {} and more",
            turn * 7_919
        );
        writes.push(append("s1", ordinal, &text));
        let secret = format!(
            "{SECRET} {SECRET_CHINESE} {} {}",
            turn * 104_729,
            "padding ".repeat(turn % 40)
        );
        let segment = Box::new(segment(ordinal, "r2", SegmentKind::Output, &secret));
        writes.push(Write::AppendSegment {
            session: SessionId::from("s2"),
            segment,
        });
        writes.push(Write::PutVariable {
            session: SessionId::from("s2"),
            variable: variable(&format!("{SECRET}{turn}"), json!({ "secret": secret })),
        });
        if turn % 10 == 0 {
            store.commit(std::mem::take(&mut writes)).unwrap();
            assert!(
                !store
                    .search(SECRET, &SearchScope::Everything, 1)
                    .unwrap()
                    .is_empty()
            );
        }
    }
    store
        .commit(vec![put(told("n1", SECRET)), put(told("n2", "stays"))])
        .unwrap();
    assert!(folder.holds(SECRET) && folder.holds(SECRET_CHINESE));
    store
        .commit(vec![
            Write::DeleteSession(SessionId::from("s2")),
            Write::Memory(MemoryWrite::Delete(MemoryId::from("n1"))),
        ])
        .unwrap();
    assert!(!folder.holds(SECRET), "while open");
    assert!(!folder.holds(SECRET_CHINESE), "while open");
    drop(store);
    assert!(!folder.holds(SECRET) && !folder.holds("魑魅"), "after closing");
    let store = folder.open();
    assert_eq!(store.segments(&SessionId::from("s1")).unwrap().len(), 391);
    assert!(
        !store
            .search("turn stays", &SearchScope::Everything, 5)
            .unwrap()
            .is_empty()
    );
}
