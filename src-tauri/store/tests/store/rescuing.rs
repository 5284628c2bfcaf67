//! Pages that can't be read, of any table and any index: the failure is told with its remedy, and the remedy takes
//! everything over that stands on other pages.

use crate::fixture::{Folder, put, told};
use crate::operations;
use rusqlite::Connection;
use shidi_protocol::{ErrorCode, Moment};
use shidi_store::{Integrity, OpenOptions, Rescued, Store, StoreError, rescue};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const PAGE_BYTES: usize = 4_096;
const DEEDS: u32 = 60;
const NOW: Moment = Moment(1_700_000_000_123);

/// A store with something in every table that the operations know, closed; its bytes.
fn filled() -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let store = operations::begin(&folder);
    for number in 1..=DEEDS {
        operations::perform(&store, number).unwrap();
    }
    // Texts that lie on pages of their own.
    store
        .commit(put(told("long", &"overflow 溢出 ".repeat(2_000))))
        .unwrap();
    drop(store);
    let bytes = std::fs::read(folder.path()).unwrap();
    (folder, bytes)
}

/// What each page belongs to, by its number, and whether rows lie on it.
fn pages(path: &Path) -> BTreeMap<u32, (String, bool)> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection
        .prepare("SELECT pageno, name, pagetype <> 'internal' FROM dbstat ORDER BY pageno")
        .unwrap();
    let found = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
    found.unwrap().collect::<rusqlite::Result<_>>().unwrap()
}

/// Rows of the tables that hold the truth.
fn rows(path: &Path) -> BTreeMap<String, u32> {
    let connection = Connection::open(path).unwrap();
    let mut names = connection
        .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
        .unwrap();
    let names: Vec<String> = names
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    let count = |name: &String| {
        let sql = format!("SELECT count(*) FROM {name}");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    names.iter().map(|name| (name.clone(), count(name))).collect()
}

fn with_damage(bytes: &[u8], page: u32) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    let mut damaged = bytes.to_vec();
    let page = page as usize;
    damaged[(page - 1) * PAGE_BYTES..page * PAGE_BYTES].fill(0x5a);
    std::fs::write(folder.path(), &damaged).unwrap();
    (folder, damaged)
}

fn rescued(folder: &Folder) -> Rescued {
    match rescue(&folder.path(), NOW).unwrap() {
        Some(rescued) => rescued,
        None => panic!("nothing is damaged"),
    }
}

/// One of so many pages is damaged in turn: all of them in `make soak`.
fn every() -> usize {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        1
    } else {
        8
    }
}

#[test]
fn of_a_page_with_rows_only_those_are_lost_and_of_one_of_an_index_nothing() {
    let (whole, bytes) = filled();
    let (pages, before) = (pages(&whole.path()), rows(&whole.path()));
    let total: u32 = before.values().sum();
    let (mut harmless, mut most_lost) = (0, 0);
    for (page, (owner, holds_rows)) in pages.iter().skip(1).step_by(every()) {
        let (folder, damaged) = with_damage(&bytes, *page);
        let place = format!("page {page} of {owner}");
        let told = rescued(&folder);
        assert_eq!(std::fs::read(&told.aside).unwrap(), damaged, "{place}");
        if owner == "sqlite_schema" {
            // It says where the tables are.
            assert_eq!((told.rows, told.lost), (0, 0), "{place}");
            continue;
        }
        let store = folder.open();
        assert_eq!(
            store.check(Duration::from_secs(60)).unwrap(),
            Integrity::Sound,
            "{place}"
        );
        drop(store);
        let after = rows(&folder.path());
        let is_truth = before.contains_key(owner) && !["search_mark", "erasure"].contains(&owner.as_str());
        if !is_truth {
            // An index, or the search: made anew from the rows.
            assert_eq!((&after, told.lost), (&before, 0), "{place}: {told:?}");
            assert!(told.torn.is_empty(), "{place}: {told:?}");
            operations_are_whole(&folder, &place);
            harmless += 1;
            continue;
        }
        let lost = total - after.values().sum::<u32>();
        println!("{place}: {lost} of {total} rows lost, {told:?}");
        // Bytes in the middle of a long text are read as what they are now: nothing tells that they were others.
        assert!(lost == 0 || told.torn.contains(owner), "{place}: {told:?}");
        // Without those, what belongs to them goes as well.
        if *holds_rows && !["run_state", "session", "document"].contains(&owner.as_str()) {
            most_lost = most_lost.max(lost);
        }
    }
    assert!(harmless > 0);
    // A page of 4,096 bytes has room for some sixty rows, and a piece goes with its text and its vector.
    assert!(most_lost < 200, "{most_lost} rows lost with one page");
}

fn operations_are_whole(folder: &Folder, place: &str) {
    let store = folder.open();
    assert_eq!(operations::check_after_rescue(store), DEEDS, "{place}");
}

#[test]
fn what_is_sound_is_left_alone_and_what_is_newer_is_refused() {
    let (folder, bytes) = filled();
    assert_eq!(rescue(&folder.path(), NOW).unwrap(), None);
    assert_eq!(std::fs::read(folder.path()).unwrap(), bytes);
    let store = folder.open();
    assert!(matches!(
        rescue(&folder.path(), NOW),
        Err(StoreError::Locked { .. })
    ));
    drop(store);
    let connection = Connection::open(folder.path()).unwrap();
    connection.pragma_update(None, "user_version", 9_999).unwrap();
    drop(connection);
    let before = std::fs::read(folder.path()).unwrap();
    assert!(matches!(
        rescue(&folder.path(), NOW),
        Err(StoreError::Newer { .. })
    ));
    assert_eq!(std::fs::read(folder.path()).unwrap(), before);
}

#[test]
fn of_a_database_without_its_first_page_nothing_can_be_taken_over_and_nothing_is_thrown_away() {
    let (_whole, bytes) = filled();
    let (folder, damaged) = with_damage(&bytes, 1);
    let Err(error) = Store::open(&folder.path(), OpenOptions::default()) else {
        panic!("opened");
    };
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert_eq!(error.user_error("zh").code, ErrorCode::Storage);
    let told = rescued(&folder);
    assert_eq!((told.rows, told.lost), (0, 0));
    assert_eq!(std::fs::read(&told.aside).unwrap(), damaged);
    let store = operations::begin(&folder);
    operations::perform(&store, 1).unwrap();
}

#[test]
fn a_rescue_that_was_interrupted_when_it_was_complete_is_finished_by_the_next_opening() {
    let (whole, bytes) = filled();
    let (folder, damaged) = with_damage(&bytes, 20);
    std::fs::copy(whole.path(), folder.path().with_file_name("shidi.db.rescued")).unwrap();
    std::fs::write(folder.path().with_file_name("shidi.db-wal"), &damaged[..5_000]).unwrap();
    operations_are_whole(&folder, "after an interruption");
    assert!(!folder.path().with_file_name("shidi.db.rescued").exists());
}

#[test]
fn reading_and_writing_where_pages_are_damaged_is_told_and_never_hangs_or_panics() {
    let (whole, bytes) = filled();
    let mut told = 0;
    for (page, _) in pages(&whole.path()).iter().skip(1).step_by(every()) {
        let (folder, _) = with_damage(&bytes, *page);
        let opened = Store::open(&folder.path(), OpenOptions::default());
        let outcome = opened.and_then(|store| {
            operations::reading(&store)?;
            operations::perform(&store, DEEDS + 1)
        });
        if let Err(error) = outcome {
            assert!(
                matches!(error, StoreError::Damaged { .. } | StoreError::Refused { .. }),
                "page {page}: {error:?}"
            );
            told += 1;
        }
    }
    assert!(told > 10, "{told} damaged pages were noticed");
}
