//! Vectors: what means the same is found in other words, a vector goes with its text, and nobody sees more by it.

use crate::fixture::{Folder, append, put, told, with_session};
use shidi_protocol::{
    MemoryHit, MemoryId, MemoryQuery, MemoryScope, MemoryScopes, Moment, SegmentId, SessionId,
};
use shidi_store::{Embedded, MemoryWrite, QueryVector, Store, Write};

const MODEL: &str = "ollama:small";

fn query(text: &str) -> MemoryQuery {
    MemoryQuery {
        text: text.to_owned(),
        kinds: Vec::new(),
        scopes: MemoryScopes::These(vec![MemoryScope::User]),
        page: None,
        except: None,
        now: Moment(1_000_000),
        limit: 20,
    }
}

fn near(numbers: [f32; 3]) -> QueryVector {
    QueryVector {
        model: MODEL.to_owned(),
        numbers: numbers.to_vec(),
    }
}

fn found(store: &Store, text: &str, numbers: [f32; 3]) -> Vec<MemoryHit> {
    store.recall_near(&query(text), Some(&near(numbers))).unwrap()
}

/// Gives every text without a vector one: `about` says where it stands.
fn place(store: &Store, about: impl Fn(&str) -> [f32; 3]) {
    let placed = store
        .unplaced(MODEL, 100)
        .unwrap()
        .into_iter()
        .map(|text| Embedded {
            document: text.document,
            numbers: about(&text.text).to_vec(),
            text: text.text,
        });
    let placed = placed.collect();
    let model = MODEL.to_owned();
    store.commit(Write::PutVectors { model, placed }).unwrap();
}

fn by_subject(text: &str) -> [f32; 3] {
    match text {
        text if text.contains("住宿") || text.contains("room") => [1.0, 0.1, 0.0],
        text if text.contains("train") => [0.1, 1.0, 0.0],
        _ => [0.0, 0.1, 1.0],
    }
}

#[test]
fn what_means_the_same_is_found_in_other_words_and_says_why() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            put(told("m1", "住宿标准：每晚 450 元")),
            put(told("m2", "take the train to Xi'an")),
            append("s1", 1, "which room may I book?"),
        ])
        .unwrap();
    assert!(store.recall(&query("酒店最多多少钱")).unwrap().is_empty());
    place(&store, by_subject);
    let hits = found(&store, "酒店最多多少钱", [1.0, 0.0, 0.0]);
    let mut best: Vec<&str> = hits[..2].iter().map(|hit| hit.id.as_str()).collect();
    best.sort_unstable();
    assert_eq!(best, ["m1", "s1/1"]);
    for hit in &hits {
        assert!((hit.parts.sum() - hit.score).abs() < 1e-9);
    }
    assert!(
        hits[0].parts.vector.is_some_and(|part| part > 0.19),
        "{:?}",
        hits[0].parts
    );
    let by_words = found(&store, "train", [1.0, 0.0, 0.0]);
    assert_eq!(by_words[0].id, "m2", "words count more");
}

#[test]
fn a_vector_is_one_models_and_goes_with_its_text() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![put(told("m1", "a room")), append("s1", 1, "a room too")])
        .unwrap();
    let before = store.unplaced(MODEL, 10).unwrap();
    assert_eq!(before.len(), 2);
    store.commit(put(told("m1", "a train"))).unwrap();
    let late = before.into_iter().map(|text| Embedded {
        document: text.document,
        text: text.text,
        numbers: vec![1.0, 0.0, 0.0],
    });
    let write = Write::PutVectors {
        model: MODEL.to_owned(),
        placed: late.collect(),
    };
    store.commit(write).unwrap();
    let missing = store.unplaced(MODEL, 10).unwrap();
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert_eq!(
        missing[0].text, "a train",
        "the vector of a text that changed is not kept"
    );
    place(&store, by_subject);
    assert_eq!(store.placed(MODEL).unwrap().0, 2);
    store.commit(put(told("m1", "a train"))).unwrap();
    assert_eq!(store.placed(MODEL).unwrap().0, 2, "written as it was");
    assert_eq!(store.unplaced("another", 10).unwrap().len(), 2);
    let erase = Write::EraseSegment {
        session: SessionId::from("s1"),
        segment: SegmentId(1),
    };
    store.commit(erase).unwrap();
    assert_eq!(store.placed(MODEL).unwrap().0, 1);
    store
        .commit(Write::Memory(MemoryWrite::Delete(MemoryId::from("m1"))))
        .unwrap();
    assert_eq!(store.placed(MODEL).unwrap().0, 0);
    store.commit(append("s1", 2, "a room")).unwrap();
    place(&store, by_subject);
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    assert_eq!(store.placed(MODEL).unwrap().0, 0);
    store.commit(put(told("m2", "a room"))).unwrap();
    place(&store, by_subject);
    let model = "another".to_owned();
    store.commit(Write::DropOtherVectors { model }).unwrap();
    assert_eq!(store.placed(MODEL).unwrap().0, 0);
}

#[test]
fn nearness_shows_nobody_what_is_not_theirs() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut theirs = told("m1", "a room for the team");
    theirs.scope = MemoryScope::Assistant("other".to_owned());
    store
        .commit(vec![put(theirs), put(told("m2", "a train"))])
        .unwrap();
    place(&store, by_subject);
    let ids: Vec<String> = found(&store, "anything", [1.0, 0.0, 0.0])
        .into_iter()
        .map(|hit| hit.id)
        .collect();
    assert_eq!(ids, ["m2"]);
    let odd = QueryVector {
        model: MODEL.to_owned(),
        numbers: vec![1.0; 7],
    };
    let of_another_length = store.recall_near(&query("train"), Some(&odd)).unwrap();
    assert_eq!(of_another_length.len(), 1, "words alone");
    let nowhere = near([0.0; 3]);
    assert_eq!(
        store.recall_near(&query("train"), Some(&nowhere)).unwrap().len(),
        1
    );
}
