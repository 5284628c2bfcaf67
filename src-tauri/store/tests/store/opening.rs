//! What the store makes where there is nothing, and whom it lets in.

use crate::fixture::{Folder, append, undo_memory, with_session};
use rusqlite::Connection;
use shidi_protocol::{ErrorCode, Moment, SessionId};
use shidi_store::{Integrity, OpenOptions, Store, StoreError, Write, set_aside};
use std::time::Duration;

fn open(folder: &Folder) -> Result<Store, StoreError> {
    Store::open(&folder.path(), OpenOptions::default())
}

#[cfg(unix)]
#[test]
fn only_the_user_may_look_into_folder_and_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let store = with_session(&folder);
    store.commit(append("s1", 1, "x")).unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let inner = folder.path().parent().unwrap().to_owned();
    assert_eq!(mode(&inner), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(inner).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(
        names,
        ["shidi.db", "shidi.db-shm", "shidi.db-wal", "shidi.db.lock"]
    );
}

#[test]
fn a_second_opening_is_refused_while_the_first_lasts() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let refused = open(&folder).map(|_| ());
    assert!(matches!(refused, Err(StoreError::Locked { .. })), "{refused:?}");
    let clone = store.clone();
    drop(store);
    assert!(matches!(open(&folder), Err(StoreError::Locked { .. })));
    drop(clone);
    open(&folder).unwrap();
}

#[test]
fn a_database_of_a_newer_version_is_left_as_it_is() {
    let folder = Folder::new();
    drop(with_session(&folder));
    Connection::open(folder.path())
        .unwrap()
        .pragma_update(None, "user_version", 9_999)
        .unwrap();
    let before = std::fs::read(folder.path()).unwrap();
    let Err(error) = open(&folder) else {
        panic!("opened")
    };
    assert!(
        matches!(error, StoreError::Newer { found: 9_999, .. }),
        "{error:?}"
    );
    assert_eq!(error.user_error("en").code, ErrorCode::NewerData);
    assert_eq!(std::fs::read(folder.path()).unwrap(), before);
}

#[test]
fn a_file_of_another_program_is_left_as_it_is() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    Connection::open(folder.path())
        .unwrap()
        .execute_batch("CREATE TABLE theirs (x)")
        .unwrap();
    let before = std::fs::read(folder.path()).unwrap();
    assert!(matches!(open(&folder), Err(StoreError::Damaged { .. })));
    assert_eq!(std::fs::read(folder.path()).unwrap(), before);
}

#[test]
fn a_migration_leaves_a_copy_of_the_earlier_format_until_something_is_erased() {
    let folder = Folder::new();
    drop(with_session(&folder));
    undo_memory(&folder);
    let store = open(&folder).unwrap();
    store.commit(append("s1", 1, "after the migration")).unwrap();
    let copy = folder.path().with_file_name("shidi.db.format-18.backup");
    {
        let copy = Connection::open(&copy).unwrap();
        let count = |sql| copy.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
        assert_eq!(count("SELECT count(*) FROM session"), 1);
        assert_eq!(count("PRAGMA user_version"), 18);
    }
    assert_eq!(
        store
            .search("migration", &shidi_store::SearchScope::Everything, 5)
            .unwrap()
            .len(),
        1
    );
    store.commit(Write::DeleteSession(SessionId::from("s1"))).unwrap();
    assert!(!copy.exists());
}

#[test]
fn a_damaged_file_is_reported_and_set_aside_only_when_asked() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for id in 1..200 {
        store.buffer(append("s1", id, &"text ".repeat(200))).unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(folder.path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[4_096..middle].fill(0x5a);
    std::fs::write(folder.path(), &bytes).unwrap();
    let patient = OpenOptions {
        integrity_most: Duration::from_secs(10),
        ..OpenOptions::default()
    };
    let refused = Store::open(&folder.path(), patient).map(|_| ());
    assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
    assert_eq!(std::fs::read(folder.path()).unwrap(), bytes);
    let aside = set_aside(&folder.path(), Moment(1_700_000_000_123)).unwrap();
    assert_eq!(aside.file_name().unwrap(), "shidi.db.damaged-20231114T221320123Z");
    assert_eq!(std::fs::read(&aside).unwrap(), bytes);
    let store = open(&folder).unwrap();
    assert!(store.sessions(10).unwrap().is_empty());
    assert_eq!(store.check(Duration::from_secs(10)).unwrap(), Integrity::Sound);
    assert!(matches!(
        set_aside(&folder.path(), Moment(0)),
        Err(StoreError::Locked { .. })
    ));
}

#[test]
fn a_file_that_is_no_database_is_reported() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    std::fs::write(folder.path(), "dear diary ".repeat(1_000)).unwrap();
    let Err(error) = open(&folder) else {
        panic!("opened")
    };
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    for language in ["zh", "en"] {
        let told = error.user_error(language);
        assert_eq!(told.code, ErrorCode::Storage);
        assert!(
            told.hint.is_some_and(|hint| hint.contains("shidi doctor")),
            "{}",
            told.message
        );
    }
}

#[test]
fn a_database_that_was_cut_short_is_reported() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for id in 1..200 {
        store.buffer(append("s1", id, &"text ".repeat(200))).unwrap();
    }
    drop(store);
    let bytes = std::fs::read(folder.path()).unwrap();
    std::fs::write(folder.path(), &bytes[..bytes.len() / 2]).unwrap();
    let patient = OpenOptions {
        integrity_most: Duration::from_secs(10),
        ..OpenOptions::default()
    };
    let refused = Store::open(&folder.path(), patient).map(|_| ());
    assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
}

#[test]
fn the_check_ends_in_time() {
    let folder = Folder::new();
    let store = with_session(&folder);
    for id in 1..300 {
        store.buffer(append("s1", id, &"text ".repeat(2_000))).unwrap();
    }
    store.flush().unwrap();
    assert_eq!(store.check(Duration::ZERO).unwrap(), Integrity::Unfinished);
    assert_eq!(store.check(Duration::from_secs(10)).unwrap(), Integrity::Sound);
}

#[test]
fn a_store_may_be_used_from_any_thread() {
    fn assert_shared<T: Clone + Send + Sync + 'static>() {}
    assert_shared::<Store>();
    assert_shared::<StoreError>();
}
