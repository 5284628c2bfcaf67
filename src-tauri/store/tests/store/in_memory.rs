//! A store in memory does what one in a file does, and has no file.

use crate::fixture::{append, patient, segment, session};
use shidi_protocol::{MemoryKind, MemoryQuery, MemoryScope, MemoryScopes, Moment, SegmentKind, SessionId};
use shidi_store::{Batch, Store, Write};
use std::sync::atomic::{AtomicBool, Ordering};

fn in_memory() -> Store {
    Store::in_memory(patient()).unwrap()
}

fn s1() -> SessionId {
    SessionId::from("s1")
}

/// Regular files that this process has open, by what the system says of its descriptors.
#[cfg(target_os = "linux")]
fn open_files() -> Vec<std::path::PathBuf> {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let targets = descriptors.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    targets
        .filter(|path| path.to_string_lossy().contains("shidi-"))
        .collect()
}

#[test]
fn it_keeps_finds_and_forgets_like_any_other_and_no_file_is_opened_for_it() {
    let store = in_memory();
    store
        .commit(Batch(vec![
            Write::PutSession(session("s1")),
            append("s1", 1, "the quagga of the steppe"),
        ]))
        .unwrap();
    assert_eq!(
        store.segments(&s1()).unwrap(),
        vec![segment(1, "r1", SegmentKind::User, "the quagga of the steppe")]
    );
    let query = MemoryQuery {
        text: "quagga".to_owned(),
        kinds: vec![MemoryKind::Conversation],
        scopes: MemoryScopes::These(vec![MemoryScope::User]),
        page: None,
        except: None,
        now: Moment(9_000),
        limit: 5,
    };
    assert_eq!(store.recall(&query).unwrap().len(), 1);
    #[cfg(target_os = "linux")]
    assert_eq!(open_files(), Vec::<std::path::PathBuf>::new());
    assert!(!std::path::Path::new("file:").exists());
    store.commit(Write::DeleteSession(s1())).unwrap();
    assert!(store.recall(&query).unwrap().is_empty());
    assert_eq!(store.session(&s1()).unwrap(), None);
}

#[test]
fn two_of_them_know_nothing_of_each_other_and_the_next_one_is_empty() {
    let (one, other) = (in_memory(), in_memory());
    one.commit(Write::PutSession(session("s1"))).unwrap();
    assert_eq!(other.session(&s1()).unwrap(), None);
    drop(one);
    assert_eq!(in_memory().session(&s1()).unwrap(), None);
}

#[test]
fn readers_and_the_writer_wait_for_each_other_without_a_failure() {
    let store = in_memory();
    store.commit(Write::PutSession(session("s1"))).unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    store.segments(&s1()).unwrap();
                }
            });
        }
        for number in 1..=300 {
            store.commit(append("s1", number, "one more")).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(store.segments(&s1()).unwrap().len(), 300);
}
