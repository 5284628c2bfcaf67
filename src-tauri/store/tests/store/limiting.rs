//! What is remembered for a time: once that is over nothing finds it, and it is erased out of every file.

use crate::fixture::{Folder, put, run, session, told, with_session};
use proptest::prelude::*;
use shidi_protocol::{
    MemoryId, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment, RunId, SessionId,
};
use shidi_store::{Embedded, Ended, MemoryFilter, MemoryWrite, QueryVector, SearchScope, Store, Write};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Long ago, and a time that no clock of a test reaches.
const OVER: Moment = Moment(1_000);
const FAR: Moment = Moment(4_000_000_000_000);
const NOW: Moment = Moment(3_000_000_000_000);

const MODEL: &str = "m";
const SUBJECT: &str = "the quagga";
const PAGE: &str = "https://example.com/prices";

#[derive(Debug, Clone)]
struct Fact {
    until: Option<Moment>,
    pinned: bool,
    on_subject: bool,
    replaces: Option<usize>,
    contradicts: bool,
}

fn worlds() -> impl Strategy<Value = Vec<Fact>> {
    let until = prop::sample::select(vec![None, Some(OVER), Some(FAR)]);
    let told = (
        until,
        any::<bool>(),
        any::<bool>(),
        prop::option::of(0..8_usize),
        any::<bool>(),
    );
    let told = told.prop_map(|(until, pinned, on_subject, replaces, contradicts)| Fact {
        until,
        pinned,
        on_subject,
        replaces,
        contradicts,
    });
    prop::collection::vec(told, 1..9)
}

fn text_of(number: usize) -> String {
    format!("quagga statement number{number}xyz")
}

fn id(number: usize) -> MemoryId {
    MemoryId::from(format!("m{number}"))
}

fn write(store: &Store, world: &[Fact]) {
    for (number, told) in world.iter().enumerate() {
        let mut record: MemoryRecord = crate::fixture::told(id(number).as_str(), &text_of(number));
        record.until = told.until;
        record.pinned = told.pinned;
        record.subject = told.on_subject.then(|| SUBJECT.to_owned());
        record.source.session = Some(SessionId::from("s1"));
        record.source.run = Some(RunId::from("r1"));
        record.source.site = Some(PAGE.to_owned());
        record.sort_value = i64::try_from(number).unwrap();
        record.valid_from = Moment(3_000 + record.sort_value);
        let earlier = told.replaces.filter(|at| *at < number);
        store
            .commit(match earlier {
                Some(at) => Write::Memory(MemoryWrite::Supersede {
                    old: id(at),
                    new: Box::new(record),
                }),
                None => put(record),
            })
            .unwrap();
        if told.contradicts && number > 0 {
            store
                .commit(Write::Memory(MemoryWrite::Contradict {
                    memory: id(number),
                    other: id(number - 1),
                }))
                .unwrap();
        }
    }
    let unplaced = store.unplaced(MODEL, 100).unwrap();
    let placed = unplaced.into_iter().map(|one| Embedded {
        document: one.document,
        text: one.text,
        numbers: vec![1.0, 0.5],
    });
    store
        .commit(Write::PutVectors {
            model: MODEL.to_owned(),
            placed: placed.collect(),
        })
        .unwrap();
}

/// Ids of everything that is listed, named or looked up.
fn listed(store: &Store, count: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let everything = MemoryFilter {
        ended: Ended::Included,
        ..MemoryFilter::default()
    };
    found.extend(
        store
            .memories(&everything, 0, 100)
            .unwrap()
            .into_iter()
            .map(|record| record.id),
    );
    found.extend(
        store
            .memories_written(0, 100)
            .unwrap()
            .into_iter()
            .map(|(_, record)| record.id),
    );
    found.extend(
        store
            .memories_about(&MemoryScope::User, SUBJECT)
            .unwrap()
            .into_iter()
            .map(|record| record.id),
    );
    found.extend(
        store
            .memories_of_run(&SessionId::from("s1"), &RunId::from("r1"))
            .unwrap()
            .into_iter()
            .map(|record| record.id),
    );
    for number in 0..count {
        let id = id(number);
        found.extend(store.memory(&id).unwrap().map(|record| record.id));
        found.extend(store.find_memory(id.as_str()).unwrap());
        found.extend(
            store
                .memory_versions(&id)
                .unwrap()
                .into_iter()
                .map(|record| record.id),
        );
        found.extend(
            store
                .contradictions(&id)
                .unwrap()
                .into_iter()
                .map(|record| record.id),
        );
    }
    found.into_iter().map(|id| id.to_string()).collect()
}

/// Ids of everything that any reading brings.
fn found(store: &Store, count: usize) -> BTreeSet<String> {
    let mut found = listed(store, count);
    for text in [
        "quagga",
        "where is the quagga now?",
        "what was the quagga before?",
    ] {
        for scopes in [
            MemoryScopes::Everything,
            MemoryScopes::These(vec![MemoryScope::User]),
        ] {
            let query = MemoryQuery {
                text: text.to_owned(),
                kinds: Vec::new(),
                scopes,
                page: Some(PAGE.to_owned()),
                except: None,
                now: NOW,
                limit: 100,
            };
            let near = QueryVector {
                model: MODEL.to_owned(),
                numbers: vec![1.0, 0.5],
            };
            for hit in store.recall_near(&query, Some(&near)).unwrap() {
                found.extend(hit.contradicted.into_iter().map(|other| other.id.to_string()));
                found.insert(hit.id);
            }
        }
    }
    for scope in [SearchScope::Everything, SearchScope::Memory] {
        for hit in store.search("quagga", &scope, 100).unwrap() {
            if let shidi_store::HitSource::Memory { memory, .. } = hit.source {
                found.insert(memory.to_string());
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if std::env::var_os("SHIDI_SOAK").is_some() { 1_000 } else { 32 }, ..ProptestConfig::default() })]
    #[test]
    fn what_is_over_is_found_by_nothing_and_then_in_no_byte_of_any_file(world in worlds()) {
        let folder = Folder::new();
        let store = with_session(&folder);
        write(&store, &world);
        let is_over = |told: &Fact| told.until == Some(OVER) && !told.pinned;
        let names = |which: &dyn Fn(&Fact) -> bool| -> BTreeSet<String> {
            (0..world.len()).filter(|at| which(&world[*at])).map(|at| id(at).to_string()).collect()
        };
        let (over, kept) = (names(&is_over), names(&|told| !is_over(told)));
        prop_assert_eq!(&found(&store, world.len()), &kept, "before it is erased");
        prop_assert_eq!(store.erase_over(NOW).unwrap(), !over.is_empty());
        prop_assert_eq!(&found(&store, world.len()), &kept, "afterwards");
        let bytes = folder.bytes();
        for (at, told) in world.iter().enumerate() {
            let text = text_of(at);
            let is_there = bytes.windows(text.len()).any(|window| window == text.as_bytes());
            prop_assert_eq!(is_there, !is_over(told), "{}", text);
            let word = format!("number{at}xyz");
            prop_assert!(is_there || !bytes.windows(word.len()).any(|window| window == word.as_bytes()), "{}", word);
        }
        prop_assert!(!store.erase_over(NOW).unwrap());
        // Nothing that lost its limit for a pin comes back, and nothing of the history points into the void.
        for record in store.memories(&MemoryFilter { ended: Ended::Included, ..MemoryFilter::default() }, 0, 100).unwrap() {
            if let Some(next) = record.superseded_by {
                prop_assert!(kept.contains(next.as_str()), "{} names {next}", record.id);
            }
        }
    }
}

#[test]
fn it_is_gone_the_moment_its_time_is_over() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut record = told("m1", "the lift is out of order");
    let now = clock_ms();
    record.until = Some(Moment(now + 400));
    store.commit(put(record)).unwrap();
    let began = Instant::now();
    assert!(store.memory(&MemoryId::from("m1")).unwrap().is_some() || clock_ms() >= now + 400);
    while store.memory(&MemoryId::from("m1")).unwrap().is_some() {
        assert!(began.elapsed() < Duration::from_secs(60), "it is still there");
    }
    assert!(clock_ms() >= now + 400, "it went too early");
}

/// Milliseconds of the wall clock.
fn clock_ms() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

#[test]
fn a_limit_is_set_and_taken_away_and_a_pin_is_stronger() {
    let folder = Folder::new();
    let store = with_session(&folder);
    store
        .commit(vec![
            put(told("m1", "one")),
            Write::PutSession(session("s2")),
            Write::PutRun(Box::new(run("r2", "s2", None))),
        ])
        .unwrap();
    let limit = |until| {
        Write::Memory(MemoryWrite::Limit {
            memory: MemoryId::from("m1"),
            until,
        })
    };
    let pin = |pinned| {
        Write::Memory(MemoryWrite::Pin {
            memory: MemoryId::from("m1"),
            pinned,
        })
    };
    let is_there = || store.memory(&MemoryId::from("m1")).unwrap().is_some();
    store.commit(vec![pin(true), limit(Some(OVER))]).unwrap();
    assert!(!store.erase_over(NOW).unwrap() && is_there(), "a pin is stronger");
    store.commit(pin(false)).unwrap();
    assert!(!is_there(), "the pin is off, and its time is over");
    store.commit(limit(None)).unwrap();
    assert!(is_there(), "it was not erased yet");
    assert!(!store.erase_over(NOW).unwrap());
    store.commit(limit(Some(FAR))).unwrap();
    assert!(is_there() && !store.erase_over(NOW).unwrap());
}
