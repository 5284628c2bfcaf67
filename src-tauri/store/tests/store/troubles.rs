//! Disks that are full, folders that are read-only, programs that hold the lock.

use crate::fixture::{Folder, append, with_session};
use shidi_protocol::SessionId;
use shidi_store::{OpenOptions, Store, StoreError, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn s1() -> SessionId {
    SessionId::from("s1")
}

/// Commits until the store is full; returns the number of acknowledged segments.
fn fill(store: &Store) -> u32 {
    for id in 1..100_000 {
        match store.commit(append("s1", id, &"full ".repeat(200))) {
            Ok(()) => {}
            Err(StoreError::Full) => return id - 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    panic!("never full");
}

#[test]
fn a_full_store_loses_nothing_acknowledged_and_goes_on_when_there_is_space() {
    let folder = Folder::new();
    let options = OpenOptions {
        size_most_bytes: Some(1024 * 1024),
        ..OpenOptions::default()
    };
    let store = Store::open(&folder.path(), options).unwrap();
    let mut other = crate::fixture::session("other");
    other.title = "title ".repeat(20_000);
    store
        .commit(vec![
            Write::PutSession(crate::fixture::session("s1")),
            Write::PutSession(other.clone()),
        ])
        .unwrap();
    let acknowledged = fill(&store);
    assert!(acknowledged > 10);
    store
        .buffer(append("s1", acknowledged + 1, &"kept ".repeat(2_000)))
        .unwrap();
    assert!(matches!(store.flush(), Err(StoreError::Full)));
    assert_eq!(store.segments(&s1()).unwrap().len(), acknowledged as usize);
    store.commit(Write::DeleteSession(other.id)).unwrap_err();
    drop(store);
    let store = folder.open();
    assert_eq!(store.segments(&s1()).unwrap().len(), acknowledged as usize);
    store.commit(append("s1", acknowledged + 1, "more")).unwrap();
}

/// A file system of one megabyte, unmounted at the end.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// `None` where this user may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        if mounted { Some(Self { folder }) } else { None }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.folder.path()).output().unwrap();
    }
}

#[test]
fn a_full_disk_loses_nothing_acknowledged_and_what_is_buffered_is_written_when_there_is_space() {
    let Some(disk) = SmallDisk::mount() else {
        println!("NOT RUN: this user may not mount a small disk");
        return;
    };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![1; 300 * 1024]).unwrap();
    let path = disk.path().join("shidi.db");
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    store
        .commit(Write::PutSession(crate::fixture::session("s1")))
        .unwrap();
    let acknowledged = fill(&store);
    assert!(acknowledged > 10);
    store
        .buffer(append("s1", acknowledged + 1, &"kept ".repeat(2_000)))
        .unwrap();
    assert!(matches!(store.flush(), Err(StoreError::Full)));
    assert_eq!(store.segments(&s1()).unwrap().len(), acknowledged as usize);
    std::fs::remove_file(&ballast).unwrap();
    store.commit(append("s1", acknowledged + 2, "after")).unwrap();
    let segments = store.segments(&s1()).unwrap();
    assert_eq!(segments.len(), acknowledged as usize + 2);
    assert!(segments[acknowledged as usize].text().starts_with("kept"));
    drop(store);
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    assert_eq!(store.segments(&s1()).unwrap().len(), acknowledged as usize + 2);
    drop(store);
}

#[test]
fn a_full_disk_lets_nothing_be_opened_and_says_so() {
    let Some(disk) = SmallDisk::mount() else {
        println!("NOT RUN: this user may not mount a small disk");
        return;
    };
    std::fs::write(disk.path().join("ballast"), vec![1; 1000 * 1024]).unwrap();
    let refused = Store::open(&disk.path().join("shidi.db"), OpenOptions::default()).map(|_| ());
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
}

#[test]
fn a_buffer_that_can_not_be_written_takes_no_more_and_loses_nothing_it_took() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let other = rusqlite::Connection::open(folder.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut taken = 0;
    let refused = loop {
        match store.buffer(append("s1", taken + 1, "x")) {
            Ok(()) => taken += 1,
            Err(error) => break error,
        }
        assert!(taken < 20_000, "never full");
    };
    assert!(matches!(refused, StoreError::Busy { .. }), "{refused:?}");
    other.execute_batch("ROLLBACK").unwrap();
    store.flush().unwrap();
    assert_eq!(store.segments(&s1()).unwrap().len(), taken as usize);
    store.buffer(append("s1", taken + 1, "x")).unwrap();
}

const READ_ONLY_VARIABLE: &str = "SHIDI_TEST_READ_ONLY_STORE";

/// Not a test of its own: what an ordinary user's process finds in a folder that is not theirs to write to.
#[test]
fn the_ordinary_user() {
    let Some(folder) = std::env::var_os(READ_ONLY_VARIABLE) else {
        return;
    };
    let folder = Path::new(&folder);
    for path in [
        folder.join("shidi.db"),
        folder.join("new").join("shidi.db"),
        folder.join("old").join("shidi.db"),
    ] {
        let refused = Store::open(&path, OpenOptions::default()).map(|_| ());
        assert!(matches!(refused, Err(StoreError::ReadOnly { .. })), "{refused:?}");
        let told = refused.unwrap_err().user_error("zh");
        assert!(told.message.contains("不可写") && told.hint.is_some());
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    drop(Store::open(&old.join("shidi.db"), OpenOptions::default()).unwrap());
    let close =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    // Outside the closed folder: a program that the other user may start.
    let programs = tempfile::tempdir().unwrap();
    close(programs.path(), 0o755);
    let program = programs.path().join("test");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    for entry in std::fs::read_dir(&old).unwrap() {
        close(&entry.unwrap().path(), 0o444);
    }
    close(&old, 0o555);
    close(folder.path(), 0o555);
    let mut command = Command::new(program);
    command
        .args(["--exact", "troubles::the_ordinary_user", "--nocapture"])
        .env(READ_ONLY_VARIABLE, folder.path())
        .current_dir("/");
    // The superuser may write everywhere.
    let is_superuser = std::fs::write(folder.path().join("probe"), "").is_ok();
    if is_superuser {
        command.uid(NOBODY);
    }
    let output = command.output().unwrap();
    close(folder.path(), 0o755);
    close(&old, 0o755);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn a_program_that_holds_the_database_for_a_moment_only_delays() {
    let folder = Folder::new();
    let store = with_session(&folder);
    let other = rusqlite::Connection::open(folder.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let commit = scope.spawn(|| store.commit(append("s1", 1, "x")));
        assert!(!commit.is_finished());
        other.execute_batch("ROLLBACK").unwrap();
        commit.join().unwrap().unwrap();
    });
    assert!(store.check(Duration::from_secs(5)).is_ok());
}
