//! One search for all that is remembered: what may not be seen is not found, what was corrected does not come first, what
//! was erased is nowhere, and no question is too odd.

use crate::fixture::{Folder, append, put, segment, session, told, with_session};
use proptest::prelude::*;
use shidi_protocol::{
    MemoryHit, MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment, SegmentId,
    SegmentKind, SessionId,
};
use shidi_store::{Batch, MemoryWrite, Store, Visit, Write, canonical};
use std::time::{Duration, Instant};

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

fn ids(hits: &[MemoryHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn recalled(store: &Store, text: &str) -> Vec<String> {
    let hits = store.recall(&query(text)).unwrap();
    hits.into_iter().map(|hit| hit.id).collect()
}

fn in_scope(id: &str, scope: MemoryScope, text: &str) -> MemoryRecord {
    let mut record = told(id, text);
    record.scope = scope;
    record
}

#[test]
fn records_and_sentences_are_found_by_one_search_that_explains_itself() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut named = told("m1", "is deployed on Nomad, with a canary of ten minutes");
    named.entities = vec!["Lantern".to_owned()];
    store
        .commit(vec![
            append("s1", 1, "how is Lantern deployed?"),
            append("s1", 2, "Lantern 用 Nomad 部署"),
            put(named),
            put(told("m2", "something else")),
        ])
        .unwrap();
    let hits = store.recall(&query("Lantern Nomad")).unwrap();
    let mut found = ids(&hits);
    found.sort_unstable();
    assert_eq!(found, ["m1", "s1/1", "s1/2"]);
    let record = hits.iter().find(|hit| hit.id == "m1").unwrap();
    assert!(
        record.parts.entity > 0.0 && record.parts.lexical > 0.0 && record.parts.context > 0.0,
        "{record:?}"
    );
    for hit in &hits {
        assert!((hit.parts.sum() - hit.score).abs() < 1e-9);
    }
    let mut records = query("Lantern Nomad");
    records.kinds = vec![MemoryKind::Knowledge];
    assert_eq!(ids(&store.recall(&records).unwrap()), ["m1"]);
    let mut own = query("Lantern Nomad");
    own.except = Some(SessionId::from("s1"));
    assert_eq!(ids(&store.recall(&own).unwrap()), ["m1"]);
}

#[test]
fn what_replaced_a_statement_comes_before_the_sentence_that_said_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut old = told("old", "the limit for dinners with customers is 150 each");
    old.source.session = Some(SessionId::from("s1"));
    old.source.segments = vec![SegmentId(1)];
    let mut new = told("new", "up to 200 per head when inviting");
    new.valid_from = Moment(9_000);
    store
        .commit(vec![
            append("s1", 1, "the limit for dinners with customers is 150 each"),
            put(old),
            Write::Memory(MemoryWrite::Supersede {
                old: MemoryId::from("old"),
                new: Box::new(new),
            }),
        ])
        .unwrap();
    let hits = store.recall(&query("limit for dinners with customers")).unwrap();
    assert_eq!(ids(&hits), ["new", "s1/1"]);
    assert!(hits[0].parts.correction > 0.0 && hits[1].parts.correction < 0.0);
    let past = store
        .recall(&query("what was the limit for dinners with customers before"))
        .unwrap();
    assert!(ids(&past).contains(&"old"), "{past:?}");
    assert_eq!(
        past.iter().find(|hit| hit.id == "old").unwrap().ended,
        Some(Moment(9_000))
    );
}

#[test]
fn what_was_corrected_hundreds_of_times_is_found_as_it_is_now_or_not_at_all() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let said = |number: i64| {
        let mut record = told(
            &format!("m{number}"),
            &format!("the lantern hangs in room {number}"),
        );
        record.valid_from = Moment(number);
        Box::new(record)
    };
    let correct = |number: i64| {
        Write::Memory(MemoryWrite::Supersede {
            old: MemoryId::from(format!("m{}", number - 1)),
            new: said(number),
        })
    };
    store.commit(Write::Memory(MemoryWrite::Put(said(0)))).unwrap();
    store.commit((1..300).map(correct).collect::<Batch>()).unwrap();
    assert_eq!(recalled(&store, "where does the lantern hang, room 7"), ["m299"]);
    let (memory, at) = (MemoryId::from("m299"), Moment(1_000));
    store
        .commit(Write::Memory(MemoryWrite::End { memory, at }))
        .unwrap();
    assert!(recalled(&store, "where does the lantern hang, room 7").is_empty());
}

#[test]
fn what_belongs_to_the_page_at_hand_comes_first() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let page = "https://wiki.example/refunds?utm_source=mail#top";
    let visit = Visit {
        session: SessionId::from("s1"),
        site: canonical(page),
        title: "Refunds".to_owned(),
        time: Moment(5_000),
    };
    store
        .commit(vec![
            append("s1", 1, "who approves money going back?"),
            Write::PutVisit(visit),
            put(told("m1", "questions are asked in the morning")),
        ])
        .unwrap();
    let mut here = query("which questions did I ask here?");
    assert!(!ids(&store.recall(&here).unwrap()).contains(&"s1/1"));
    here.page = Some("https://wiki.example/refunds/".to_owned());
    assert_eq!(ids(&store.recall(&here).unwrap())[0], "s1/1");
    assert_eq!(store.visits("https://wiki.example", 5).unwrap().len(), 1);
}

#[test]
fn an_erased_sentence_is_in_no_byte_and_in_nobodys_context() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut before = told("before", "xylophagousquagga");
    before.source.session = Some(SessionId::from("imported"));
    before.sort_value = 1;
    let mut after = told("after", "an answer");
    after.source.session = Some(SessionId::from("imported"));
    after.sort_value = 2;
    store
        .commit(vec![
            append("s1", 1, "魑魅魍魉 heptadecaphobic"),
            append("s1", 2, "what follows it"),
            put(before),
            put(after),
        ])
        .unwrap();
    assert_eq!(
        recalled(&store, "heptadecaphobic").len(),
        2,
        "itself and its neighbour"
    );
    assert_eq!(recalled(&store, "xylophagousquagga").len(), 2);
    store
        .commit(vec![
            Write::EraseSegment {
                session: SessionId::from("s1"),
                segment: SegmentId(1),
            },
            Write::Memory(MemoryWrite::Delete(MemoryId::from("before"))),
        ])
        .unwrap();
    for word in ["heptadecaphobic", "魑魅", "xylophagousquagga"] {
        assert_eq!(recalled(&store, word), [""; 0], "{word}");
        assert!(!folder.holds(word), "{word}");
    }
    assert_eq!(recalled(&store, "what follows it"), ["s1/2"]);
    assert_eq!(
        store.segments(&SessionId::from("s1")).unwrap().len(),
        2,
        "that something was said stays told"
    );
}

#[test]
fn no_question_is_too_odd_or_too_long() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let text = "the 猫 sat on the mat and the 狗 did not".to_owned();
    store
        .commit(
            (0..3_000)
                .map(|id| put(told(&format!("m{id}"), &format!("{text} {id}"))))
                .collect::<Vec<_>>(),
        )
        .unwrap();
    let long =
        "many different words 和 字 ".repeat(600) + &(0..2_000).map(|n| format!("w{n} ")).collect::<String>();
    for odd in [
        "",
        " ",
        "猫",
        "a",
        "the the the",
        "🎉👩‍👩‍👧",
        "\"",
        "NEAR(",
        "words : x",
        "* OR -",
        "'; DROP TABLE memory; --",
        "\0",
        &long,
    ] {
        let begun = Instant::now();
        store.recall(&query(odd)).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(30), "{odd:.20}");
    }
    assert!(!recalled(&store, "猫").is_empty());
    assert!(
        !recalled(&store, "the").is_empty(),
        "a question of common words alone is answered, too"
    );
}

fn scope() -> impl Strategy<Value = MemoryScope> {
    prop_oneof![
        Just(MemoryScope::User),
        "[ab]".prop_map(MemoryScope::Assistant),
        "[ab]".prop_map(MemoryScope::Base),
        "s[12]".prop_map(|session| MemoryScope::Session(SessionId::from(session))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Nothing of one scope comes back in another, whatever replaced what, on whatever page.
    #[test]
    fn nothing_leaks_from_one_scope_into_another(
        scopes in prop::collection::vec((scope(), any::<bool>()), 1..12),
        asked in prop::collection::vec(scope(), 1..3),
        assistant in prop::option::of("[ab]"),
    ) {
        let folder = Folder::new();
        let store = with_session(&folder);
        let mut batch = vec![Write::PutSession(session("s2"))];
        if let Some(assistant) = assistant.clone() {
            batch.push(Write::AttributeSession { session: SessionId::from("s2"), assistant });
        }
        let said = segment(1, "r2", SegmentKind::User, "zebra said");
        batch.push(Write::AppendSegment { session: SessionId::from("s2"), segment: Box::new(said) });
        batch.push(Write::PutVisit(Visit {
            session: SessionId::from("s2"), site: "https://a.example".to_owned(), title: String::new(), time: Moment(1),
        }));
        store.commit(batch).unwrap();
        for (number, (scope, corrects)) in scopes.iter().enumerate() {
            let mut record = in_scope(&format!("m{number}"), scope.clone(), &format!("zebra {number}"));
            record.source.site = Some("https://a.example".to_owned());
            record.valid_from = Moment(1_000 * number as i64);
            let write = match number.checked_sub(1) {
                Some(before) if *corrects => Write::Memory(MemoryWrite::Supersede {
                    old: MemoryId::from(format!("m{before}")), new: Box::new(record),
                }),
                _ => put(record),
            };
            store.commit(write).unwrap();
        }
        let mut query = query("zebra here");
        query.scopes = MemoryScopes::These(asked.clone());
        query.page = Some("https://a.example".to_owned());
        query.limit = 100;
        for hit in store.recall(&query).unwrap() {
            if hit.id == "s2/1" {
                let seen = match &assistant {
                    None => asked.contains(&MemoryScope::User),
                    Some(name) => asked.contains(&MemoryScope::Assistant(name.clone())),
                };
                prop_assert!(seen);
            } else {
                prop_assert!(asked.contains(&hit.scope), "{:?} seen from {:?}", hit, asked);
            }
        }
    }
}

#[test]
fn a_part_of_a_name_and_the_beginning_of_a_word_find_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            put(told(
                "m1",
                "java.lang.NullPointerException in OrderService.refreshToken()",
            )),
            put(told("m2", "the office is in Munich, project PostgreSQL")),
            put(told("m3", "a token of thanks")),
        ])
        .unwrap();
    let first = |text: &str| {
        let hits = store.recall(&query(text)).unwrap();
        hits.first().map(|hit| hit.id.clone())
    };
    for text in [
        "NullPointer",
        "pointer",
        "refresh",
        "orderserv",
        "OrderServiceImpl",
    ] {
        assert_eq!(first(text).as_deref(), Some("m1"), "{text}");
    }
    for text in ["Muni", "postgr", "where is Munic"] {
        assert_eq!(first(text).as_deref(), Some("m2"), "{text}");
    }
    assert_eq!(
        first("token").as_deref(),
        Some("m3"),
        "the word itself comes before a part"
    );
    assert_eq!(first("po for you"), None, "too short in the middle of a question");
}
