//! Forgetting: limits are kept, nothing pinned goes, what was told goes last, and searches go on meanwhile.

use crate::fixture::{Folder, told, with_session};
use proptest::prelude::*;
use shidi_protocol::{
    MemoryId, MemoryKind, MemoryOrigin, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment,
    SessionId,
};
use shidi_store::{Ended, MemoryFilter, MemoryLimits, MemoryWrite, Store, Write};
use std::time::{Duration, Instant};

const DAY: i64 = 86_400_000;
const NOW: Moment = Moment(1_000 * DAY);

const WIDE: MemoryLimits = MemoryLimits {
    short_term_most: 1_000_000,
    long_term_most: 1_000_000,
    size_most_bytes: 1 << 40,
};

fn learned(name: &str, days_idle: i64) -> MemoryRecord {
    let mut record = told(name, &format!("record {name} is about lanterns"));
    record.origin = MemoryOrigin::Learned;
    record.time = Moment(NOW.0 - days_idle * DAY);
    record.valid_from = record.time;
    record
}

fn keep(store: &Store, records: Vec<MemoryRecord>) {
    let writes: Vec<Write> = records
        .into_iter()
        .map(|record| Write::Memory(MemoryWrite::Put(Box::new(record))))
        .collect();
    store.commit(writes).unwrap();
}

fn left(store: &Store) -> Vec<String> {
    let filter = MemoryFilter {
        ended: Ended::Included,
        ..MemoryFilter::default()
    };
    let records = store.memories(&filter, 0, 10_000).unwrap();
    let mut names: Vec<String> = records.into_iter().map(|record| record.id.to_string()).collect();
    names.sort();
    names
}

#[test]
fn nothing_goes_below_the_limits_however_old_it_is() {
    let folder = Folder::new();
    let store = with_session(&folder);
    keep(&store, vec![learned("old", 900), learned("new", 0)]);
    assert_eq!(store.evict(NOW, &WIDE).unwrap(), 0);
    assert_eq!(left(&store), ["new", "old"]);
}

#[test]
fn beyond_them_the_unused_goes_first_the_told_last_and_the_pinned_never() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let mut used = learned("used", 300);
    used.uses = 20;
    let mut pinned = learned("pinned", 900);
    pinned.pinned = true;
    let mut own = learned("told", 900);
    own.origin = MemoryOrigin::Told;
    keep(
        &store,
        vec![learned("idle", 300), used, pinned, own, learned("fresh", 1)],
    );
    for (most, wanted) in [
        (4, vec!["fresh", "pinned", "told", "used"]),
        (3, vec!["pinned", "told", "used"]),
        (2, vec!["pinned", "told"]),
        (1, vec!["pinned"]),
        (0, vec!["pinned"]),
    ] {
        store
            .evict(
                NOW,
                &MemoryLimits {
                    long_term_most: most,
                    ..WIDE
                },
            )
            .unwrap();
        assert_eq!(left(&store), wanted, "{most}");
    }
}

#[test]
fn what_a_session_was_at_work_with_goes_a_week_after_it() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let of_session = |name: &str, kind: MemoryKind| {
        let mut record = learned(name, 0);
        record.kind = kind;
        record.source.session = Some(SessionId::from("s1"));
        record
    };
    keep(
        &store,
        vec![
            of_session("w", MemoryKind::Working),
            of_session("e", MemoryKind::Entity),
        ],
    );
    let touched = |days: i64| Write::TouchSession {
        session: SessionId::from("s1"),
        updated: Moment(NOW.0 - days * DAY),
    };
    store.commit(touched(6)).unwrap();
    let none = MemoryLimits {
        short_term_most: 0,
        ..WIDE
    };
    assert_eq!(
        store.evict(NOW, &none).unwrap(),
        0,
        "the session is not over for long"
    );
    let later = Moment(NOW.0 + 2 * DAY);
    store.evict(later, &WIDE).unwrap();
    assert_eq!(
        left(&store),
        ["e"],
        "what may be of use later stays while there is room"
    );
    store.evict(later, &none).unwrap();
    assert!(left(&store).is_empty());
}

#[test]
fn a_search_does_not_wait_for_forgetting() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for some in 0..10 {
        keep(
            &store,
            (0..200)
                .map(|number| learned(&format!("m{some}-{number}"), number))
                .collect(),
        );
    }
    let query = MemoryQuery {
        text: "lanterns m3".to_owned(),
        kinds: Vec::new(),
        scopes: MemoryScopes::These(vec![MemoryScope::User]),
        page: None,
        except: None,
        now: NOW,
        limit: 5,
    };
    let forgetting = Instant::now();
    let slowest = std::thread::scope(|scope| {
        let evicting = scope.spawn(|| {
            store
                .evict(
                    NOW,
                    &MemoryLimits {
                        long_term_most: 100,
                        ..WIDE
                    },
                )
                .unwrap()
        });
        let mut slowest = Duration::ZERO;
        while !evicting.is_finished() {
            let began = Instant::now();
            store.recall(&query).unwrap();
            slowest = slowest.max(began.elapsed());
        }
        assert_eq!(evicting.join().unwrap(), 1_900);
        slowest
    });
    let whole = forgetting.elapsed();
    println!("slowest search while 1,900 records were forgotten in {whole:?}: {slowest:?}");
    // On a busy machine both take longer.
    assert!(
        slowest < Duration::from_secs(2).max(whole / 2),
        "{slowest:?} of {whole:?}"
    );
    assert_eq!(left(&store).len(), 100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if std::env::var_os("SHIDI_SOAK").is_some() { 2_000 } else { 24 }, ..ProptestConfig::default() })]
    #[test]
    fn limits_are_kept_nothing_pinned_goes_and_no_statement_outlives_its_successor(
        records in prop::collection::vec((any::<bool>(), any::<bool>(), 0_i64..900, 0_u32..5, 1_usize..200, any::<bool>()), 1..30),
        most in 0_u64..30, bytes in 0_u64..3_000,
    ) {
        let folder = Folder::new();
        let store = with_session(&folder);
        let mut pinned = Vec::new();
        let mut lines = Vec::new();
        for (number, (is_pinned, is_told, days, uses, length, is_corrected)) in records.into_iter().enumerate() {
            let name = format!("m{number:02}");
            let mut record = learned(&name, days);
            record.text = "x".repeat(length);
            record.uses = uses;
            record.pinned = is_pinned && !is_corrected;
            if is_told { record.origin = MemoryOrigin::Told; }
            if record.pinned { pinned.push(name.clone()); }
            keep(&store, vec![record.clone()]);
            if is_corrected {
                let mut new = learned(&format!("{name}-new"), 0);
                new.uses = uses;
                lines.push((name.clone(), new.id.to_string()));
                store.commit(Write::Memory(MemoryWrite::Supersede { old: MemoryId::from(name.as_str()), new: Box::new(new) })).unwrap();
            }
        }
        let limits = MemoryLimits { long_term_most: most, size_most_bytes: bytes, ..WIDE };
        store.evict(NOW, &limits).unwrap();
        let left = left(&store);
        for name in &pinned {
            prop_assert!(left.contains(name), "{name} was pinned");
        }
        for (old, new) in lines {
            prop_assert!(left.contains(&new) || !left.contains(&old), "{old} outlived {new}");
        }
        let used = store.memory_use().unwrap();
        let only_pinned = left.len() == pinned.len();
        prop_assert!(only_pinned || (used.long_term <= most && used.bytes <= bytes), "{used:?} {limits:?}");
        prop_assert_eq!(store.evict(NOW, &limits).unwrap(), 0);
    }
}
