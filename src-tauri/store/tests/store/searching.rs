//! What is found, in which order, and where from.

use crate::fixture::{Folder, append, put, segment, session, told, with_session};
use shidi_protocol::{SegmentId, SegmentKind, SessionId};
use shidi_store::{Batch, Hit, HitSource, OpenOptions, SearchScope, Store, Write};
use std::time::{Duration, Instant};

fn say(store: &Store, session: &str, id: u32, kind: SegmentKind, text: &str) {
    let segment = Box::new(segment(id, "r1", kind, text));
    store
        .commit(Write::AppendSegment {
            session: SessionId::from(session),
            segment,
        })
        .unwrap();
}

fn found(store: &Store, text: &str) -> Vec<Hit> {
    store.search(text, &SearchScope::Everything, 10).unwrap()
}

/// Ordinals of the segments that were found.
fn ordinals(hits: &[Hit]) -> Vec<u32> {
    let ordinal = |hit: &Hit| match &hit.source {
        HitSource::Segment { segment, .. } => Some(segment.0),
        HitSource::Memory { .. } => None,
    };
    hits.iter().filter_map(ordinal).collect()
}

#[test]
fn chinese_is_found_by_words_single_characters_and_in_traditional_script() {
    let folder = Folder::new();
    let store = with_session(&folder);
    say(&store, "s1", 1, SegmentKind::User, "我把备用钥匙放在书房的抽屉里");
    say(&store, "s1", 2, SegmentKind::Express, "明天下午三点和张伟开会");
    say(&store, "s1", 3, SegmentKind::Express, "會議改到星期五");
    assert_eq!(ordinals(&found(&store, "备用钥匙在哪里")), [1]);
    assert_eq!(ordinals(&found(&store, "钥")), [1]);
    assert_eq!(ordinals(&found(&store, "里")), [1]);
    assert_eq!(ordinals(&found(&store, "张伟")), [2]);
    assert_eq!(ordinals(&found(&store, "會議")), [3]);
    assert_eq!(ordinals(&found(&store, "不存在的词")), [0; 0]);
}

#[test]
fn english_is_found_in_other_forms_and_the_best_match_comes_first() {
    let folder = Folder::new();
    let store = with_session(&folder);
    say(
        &store,
        "s1",
        1,
        SegmentKind::User,
        "Which servers were restarted?",
    );
    say(
        &store,
        "s1",
        2,
        SegmentKind::Output,
        "server db-7 restarts every night at 03:00 because of the backup",
    );
    say(&store, "s1", 3, SegmentKind::Express, "I like tea.");
    let hits = found(&store, "why does the server restart at night");
    assert_eq!(ordinals(&hits), [2, 1]);
    assert!(hits[0].score > hits[1].score);
    assert!(hits[0].excerpt.contains("restarts every night"));
    assert_eq!(
        ordinals(&found(&store, "what is the")),
        [2],
        "common words are asked for when there are no others"
    );
    assert_eq!(ordinals(&found(&store, "like")), [3]);
}

#[test]
fn thoughts_and_programs_are_not_searched() {
    let folder = Folder::new();
    let store = with_session(&folder);
    say(&store, "s1", 1, SegmentKind::Thought, "zebra");
    say(&store, "s1", 2, SegmentKind::Python, "zebra = 1");
    assert!(found(&store, "zebra").is_empty());
}

#[test]
fn a_scope_bounds_what_is_found() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutSession(session("s2"))).unwrap();
    say(&store, "s1", 1, SegmentKind::User, "zebra one");
    say(&store, "s2", 1, SegmentKind::User, "zebra two");
    store.commit(put(told("n1", "zebra three"))).unwrap();
    let count = |scope: &SearchScope| store.search("zebra", scope, 10).unwrap().len();
    assert_eq!(count(&SearchScope::Everything), 3);
    assert_eq!(count(&SearchScope::Sessions), 2);
    assert_eq!(count(&SearchScope::Session(SessionId::from("s2"))), 1);
    let notes = store.search("zebra", &SearchScope::Memory, 10).unwrap();
    assert!(
        matches!(&notes[..], [Hit { source: HitSource::Memory { memory, .. }, .. }] if memory.as_str() == "n1")
    );
    assert_eq!(
        store.search("zebra", &SearchScope::Everything, 2).unwrap().len(),
        2
    );
}

#[test]
fn nothing_that_is_typed_is_syntax() {
    let folder = Folder::new();
    let store = with_session(&folder);
    say(
        &store,
        "s1",
        1,
        SegmentKind::User,
        "near or not and words pairs rank",
    );
    for text in [
        "\"",
        "a\"b",
        "NEAR(a b)",
        "words:near",
        "-near",
        "near*",
        "^near",
        "(",
        ")",
        "a AND",
        "NOT",
        "{words}: near",
        "'; DROP TABLE",
        "\0",
        "",
    ] {
        store.search(text, &SearchScope::Everything, 10).unwrap();
    }
    assert_eq!(ordinals(&found(&store, "words:near")), [1]);
    assert_eq!(ordinals(&found(&store, "\"NOT near\"")), [1]);
}

#[test]
fn sessions_are_found_with_their_best_excerpt() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(Write::PutSession(session("s2"))).unwrap();
    say(
        &store,
        "s1",
        1,
        SegmentKind::User,
        "the zebra in a very long sentence about other animals of the plain and so on",
    );
    say(&store, "s2", 1, SegmentKind::User, "zebra zebra");
    say(&store, "s2", 2, SegmentKind::User, "zebra");
    let sessions = store.search_sessions("zebra", 10).unwrap();
    let ids: Vec<_> = sessions.iter().map(|summary| summary.id.as_str()).collect();
    assert_eq!(ids, ["s2", "s1"]);
    assert!(
        sessions[1]
            .excerpt
            .as_deref()
            .is_some_and(|excerpt| excerpt.contains("zebra"))
    );
    assert_eq!(store.search_sessions("zebra", 1).unwrap().len(), 1);
}

#[test]
fn what_was_not_indexed_before_the_end_is_found_after_the_next_start() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit((1..=300).map(|id| append("s1", id, "quokka")).collect::<Batch>())
        .unwrap();
    drop(store);
    assert_eq!(found(&folder.open(), "quokka").len(), 10);
}

#[test]
fn the_row_of_a_deleted_session_is_indexed_again_when_it_is_used_again() {
    let folder = Folder::new();
    let store = with_session(&folder);
    say(&store, "s1", 1, SegmentKind::User, "aardvark");
    assert_eq!(found(&store, "aardvark").len(), 1);
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    assert!(found(&store, "aardvark").is_empty());
    store
        .commit(vec![Write::PutSession(session("s2")), append("s2", 1, "wombat")])
        .unwrap();
    let hits = found(&store, "wombat");
    assert!(matches!(
        &hits[..],
        [Hit {
            source: HitSource::Segment {
                segment: SegmentId(1),
                ..
            },
            tainted: true,
            ..
        }]
    ));
}

#[test]
fn what_was_just_written_is_found_however_busy_the_writer_is() {
    let folder = Folder::new();
    drop(with_session(&folder));
    let impatient = OpenOptions {
        index_most: Duration::ZERO,
        ..OpenOptions::default()
    };
    let store = Store::open(&folder.path(), impatient).unwrap();
    store.commit(append("s1", 1, "a wombat in the garden")).unwrap();
    // Nobody can write, and so nothing can be indexed.
    let other = rusqlite::Connection::open(folder.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let hits = std::thread::scope(|scope| {
        let searching = scope.spawn(|| found(&store, "wombat"));
        let begun = Instant::now();
        while !searching.is_finished() && begun.elapsed() < Duration::from_millis(100) {
            std::thread::yield_now();
        }
        other.execute_batch("ROLLBACK").unwrap();
        searching.join().unwrap()
    });
    assert_eq!(ordinals(&hits), [1]);
}

#[test]
fn a_term_that_nearly_every_text_has_does_not_drown_the_rare_one() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let text = |id: u32| match id {
        1_234 => "common walrus",
        2_500 => "common ending",
        _ => "common filler",
    };
    store
        .commit(
            (1..=2_500)
                .map(|id| append("s1", id, text(id)))
                .collect::<Batch>(),
        )
        .unwrap();
    // A search waits a moment only for an index that is far behind, as it is here on a busy machine.
    let begun = Instant::now();
    while found(&store, "ending").is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "the index never caught up"
        );
    }
    assert_eq!(ordinals(&found(&store, "common walrus"))[0], 1_234);
    assert_eq!(found(&store, "common").len(), 10);
}
