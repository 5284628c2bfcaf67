//! Memory: what is written is read, what is corrected is kept as history, and what is erased is gone with its history.

use crate::fixture::{Folder, append, put, told, undo_memory, with_session};
use proptest::prelude::*;
use serde_json::json;
use shidi_protocol::{
    MemoryData, MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope, Moment, RunId, SegmentId,
    SessionId,
};
use shidi_store::{Ended, MemoryFilter, MemoryGroup, MemoryWrite, SearchScope, Store, StoreError, Write};

fn s1() -> SessionId {
    SessionId::from("s1")
}

fn id(text: &str) -> MemoryId {
    MemoryId::from(text)
}

fn all() -> MemoryFilter {
    MemoryFilter {
        ended: Ended::Included,
        ..MemoryFilter::default()
    }
}

fn ids(store: &Store, filter: &MemoryFilter) -> Vec<String> {
    let mut ids: Vec<String> = store
        .memories(filter, 0, 100)
        .unwrap()
        .into_iter()
        .map(|record| record.id.to_string())
        .collect();
    ids.sort();
    ids
}

fn found(store: &Store, text: &str) -> usize {
    store.search(text, &SearchScope::Memory, 50).unwrap().len()
}

/// A statement about `subject` that holds from `second` on.
fn statement(name: &str, subject: &str, second: i64) -> MemoryRecord {
    let mut record = told(name, &format!("statement {name} about {subject}"));
    record.subject = Some(subject.to_owned());
    record.valid_from = Moment(second * 1_000);
    record
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut written = told("m1", "退款 14 天内原路退回");
    written.kind = MemoryKind::Preference;
    written.scope = MemoryScope::Site("https://pay.example/admin".to_owned());
    written.title = "Refunds".to_owned();
    written.speaker = Some("Lin".to_owned());
    written.tags = vec!["refund".to_owned(), "退款".to_owned()];
    written.entities = vec!["pay-admin".to_owned()];
    written.data = Some(MemoryData::Preference {
        schema: json!({"type": "object"}),
        data: json!({"days": 14}),
        operation: "fill".to_owned(),
    });
    written.origin = MemoryOrigin::Learned;
    written.source.session = Some(s1());
    written.source.run = Some(RunId::from("r1"));
    written.source.segments = vec![SegmentId(7), SegmentId(9)];
    written.source.site = Some("https://pay.example/admin".to_owned());
    written.sort_value = 4;
    written.importance = 0.8;
    written.tainted = true;
    store.commit(put(written.clone())).unwrap();
    assert_eq!(store.memory(&written.id).unwrap(), Some(written.clone()));
    written.text = "退款 7 天内可退".to_owned();
    store
        .commit(vec![
            put(written.clone()),
            Write::Memory(MemoryWrite::Pin {
                memory: id("m1"),
                pinned: true,
            }),
            Write::Memory(MemoryWrite::Use {
                memories: vec![id("m1"), id("nobody")],
                at: Moment(9_000),
            }),
        ])
        .unwrap();
    written.pinned = true;
    written.uses = 1;
    written.last_used = Some(Moment(9_000));
    assert_eq!(store.memory(&written.id).unwrap(), Some(written));
    assert_eq!(found(&store, "原路"), 0, "the earlier text is out of the index");
    assert_eq!(found(&store, "可退"), 1);
    assert_eq!(
        store.memory_counts(&all()).unwrap(),
        [(MemoryKind::Preference, 1)]
    );
}

#[test]
fn notes_of_an_earlier_format_are_remembered() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut in_session = told("n1", "the key is under the mat");
    in_session.source.session = Some(s1());
    let mut tainted = told("n2", "钥匙在垫子下面");
    tainted.tainted = true;
    store
        .commit(vec![
            put(in_session.clone()),
            put(tainted.clone()),
            append("s1", 1, "a turn with a key"),
        ])
        .unwrap();
    drop(store);
    undo_memory(&folder);
    let store = folder.open();
    assert_eq!(store.memory(&id("n1")).unwrap(), Some(in_session));
    assert_eq!(store.memory(&id("n2")).unwrap(), Some(tainted));
    assert_eq!(found(&store, "key"), 1);
    assert_eq!(found(&store, "垫子"), 1);
    let everywhere = store.search("key", &SearchScope::Everything, 5).unwrap();
    assert_eq!(everywhere.len(), 2, "the transcript is indexed again, too");
    store.commit(put(told("n3", "another key"))).unwrap();
    assert_eq!(found(&store, "key"), 2);
}

#[test]
fn what_the_user_told_outlives_its_session_and_what_was_learned_does_not() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let of_session = |name: &str, kind, origin| {
        let mut record = told(name, "zebra");
        record.kind = kind;
        record.origin = origin;
        record.source.session = Some(s1());
        record
    };
    let mut scoped = told("scoped", "zebra");
    scoped.scope = MemoryScope::Session(s1());
    store
        .commit(vec![
            put(of_session("told", MemoryKind::Knowledge, MemoryOrigin::Told)),
            put(of_session("learned", MemoryKind::Profile, MemoryOrigin::Learned)),
            put(of_session("summary", MemoryKind::Summary, MemoryOrigin::Told)),
            put(of_session("said", MemoryKind::Conversation, MemoryOrigin::Told)),
            put(scoped),
            put(told("elsewhere", "zebra")),
        ])
        .unwrap();
    store.commit(Write::DeleteSession(s1())).unwrap();
    assert_eq!(ids(&store, &all()), ["elsewhere", "told"]);
    assert_eq!(store.memory(&id("told")).unwrap().unwrap().source.session, None);
    assert_eq!(found(&store, "zebra"), 2);
}

#[test]
fn a_correction_ends_what_it_replaces_and_is_erased_with_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(put(told("old", "the office is in Berlin"))).unwrap();
    let mut new = told("new", "the office is in Munich");
    new.valid_from = Moment(8_000);
    let correction = Write::Memory(MemoryWrite::Supersede {
        old: id("old"),
        new: Box::new(new),
    });
    store.commit(correction).unwrap();
    let old = store.memory(&id("old")).unwrap().unwrap();
    assert_eq!(
        (old.valid_to, old.superseded_by),
        (Some(Moment(8_000)), Some(id("new")))
    );
    assert_eq!(ids(&store, &MemoryFilter::default()), ["new"]);
    assert_eq!(found(&store, "Berlin"), 0);
    let versions = store.memory_versions(&id("old")).unwrap();
    assert_eq!(
        versions
            .iter()
            .map(|record| record.id.as_str())
            .collect::<Vec<_>>(),
        ["old", "new"]
    );
    store
        .commit(Write::Memory(MemoryWrite::Delete(id("new"))))
        .unwrap();
    assert!(ids(&store, &all()).is_empty());
    assert!(!folder.holds("Berlin") && !folder.holds("berlin") && !folder.holds("Munich"));
}

#[test]
fn what_is_to_be_replaced_must_be_there() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let correction = Write::Memory(MemoryWrite::Supersede {
        old: id("nobody"),
        new: Box::new(told("new", "x")),
    });
    assert!(matches!(
        store.commit(correction),
        Err(StoreError::Refused { .. })
    ));
    assert_eq!(
        store.memory(&id("new")).unwrap(),
        None,
        "nothing of the batch is stored"
    );
}

#[test]
fn a_group_is_erased_alone() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let about = |name: &str, site: &str| {
        let mut record = told(name, "xylophagous");
        record.source.site = Some(site.to_owned());
        record
    };
    let mut scoped = told("scoped", "x");
    scoped.scope = MemoryScope::Site("https://a.example/shop".to_owned());
    let mut piece = told("piece", "x");
    piece.source.document = Some("d1".to_owned());
    let mut base = told("base", "x");
    base.scope = MemoryScope::Base("handbook".to_owned());
    store
        .commit(vec![
            put(about("page", "https://a.example/shop/1")),
            put(about("other", "https://a.example.org/shop")),
            put(scoped),
            put(piece),
            put(base),
        ])
        .unwrap();
    let erase = |group| {
        store
            .commit(Write::Memory(MemoryWrite::DeleteGroup(group)))
            .unwrap()
    };
    erase(MemoryGroup::Site("https://a.example/".to_owned()));
    assert_eq!(ids(&store, &all()), ["base", "other", "piece"]);
    erase(MemoryGroup::Document("d1".to_owned()));
    erase(MemoryGroup::Scope(MemoryScope::Base("handbook".to_owned())));
    assert_eq!(ids(&store, &all()), ["other"]);
    erase(MemoryGroup::Everything);
    assert!(ids(&store, &all()).is_empty());
    assert!(!folder.holds("xylophagous"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// In whatever order statements about one subject come, each ends where the next begins, and one is open.
    #[test]
    fn the_history_of_a_subject_does_not_depend_on_the_order_of_writing(
        seconds in prop::collection::btree_set(0..50_i64, 1..8).prop_map(Vec::from_iter).prop_shuffle(),
        other in 0..50_i64,
    ) {
        let folder = Folder::new();
        let store = folder.open();
        store.commit(put(statement("other", "elsewhere", other))).unwrap();
        for second in &seconds {
            store.commit(put(statement(&format!("m{second}"), "office", *second))).unwrap();
        }
        let mut sorted = seconds.clone();
        sorted.sort_unstable();
        for (place, second) in sorted.iter().enumerate() {
            let record = store.memory(&id(&format!("m{second}"))).unwrap().unwrap();
            let next = sorted.get(place + 1);
            prop_assert_eq!(record.valid_to, next.map(|next| Moment(next * 1_000)));
            prop_assert_eq!(record.superseded_by, next.map(|next| id(&format!("m{next}"))));
        }
        prop_assert_eq!(store.memory(&id("other")).unwrap().unwrap().valid_to, None);
        prop_assert_eq!(store.memory_versions(&id(&format!("m{}", sorted[0]))).unwrap().len(), sorted.len());
        prop_assert_eq!(found(&store, "statement"), 2, "only what is still so is found");
    }
}

#[test]
fn everything_is_walked_through_once_and_whom_it_is_for_is_named() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let scopes = [
        "user",
        "assistant:sales",
        "assistant:sales",
        "assistant:码农",
        "site:https://a.example",
        "session:s1",
        "base:handbook",
    ];
    for (number, scope) in scopes.iter().enumerate() {
        let mut record = told(&format!("m{number}"), &format!("statement {number}"));
        record.scope = scope.parse().unwrap();
        if *scope == "base:handbook" {
            record.kind = MemoryKind::Chunk;
        }
        store.commit(put(record)).unwrap();
    }
    let owners: Vec<String> = store
        .memory_owners(9)
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        owners,
        ["assistant:sales", "assistant:码农", "site:https://a.example"]
    );
    assert_eq!(store.memory_owners(1).unwrap().len(), 2);
    let (mut after, mut walked) = (0, Vec::new());
    while let Some((last, _)) = store.memories_written(after, 4).unwrap().last() {
        walked.extend(
            store
                .memories_written(after, 4)
                .unwrap()
                .into_iter()
                .map(|(_, record)| record.id.to_string()),
        );
        after = *last;
    }
    assert_eq!(
        walked,
        ["m0", "m1", "m2", "m3", "m4", "m5"],
        "pieces of documents come back from their files"
    );
}
