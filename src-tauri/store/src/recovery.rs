//! The remedies when things go wrong: the integrity check, the copy before a migration, setting a damaged file
//! aside. A file is only ever renamed, and only when the caller asks for it.

use crate::StoreError;
use crate::files::{beside, private_file};
use crate::lock::Lock;
use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode};
use shidi_protocol::Moment;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// SQLite's virtual-machine steps between two looks at the clock (some microseconds).
const STEPS_BETWEEN_LOOKS: i32 = 1_000;

/// Pages that are copied at a time; nobody else writes meanwhile, so there is nothing to give way to.
const COPIED_PAGES: i32 = 4_096;

/// How far a check came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrity {
    /// All of it is sound.
    Sound,
    /// The time was up; everything that was checked is sound.
    Unfinished,
}

/// Renames a damaged database and its log to dated names, so that the next opening starts afresh.
///
/// Returns where the database is now. Fails with [`StoreError::Locked`] while anybody has it open.
pub fn set_aside(path: &Path, now: Moment) -> Result<PathBuf, StoreError> {
    let lock = Lock::take(path)?;
    let aside = aside(path, now)?;
    // The log goes first: a database without its log is older, a log without its database is nothing.
    for ending in ["-wal", "-shm", ""] {
        let mut from = path.as_os_str().to_owned();
        from.push(ending);
        let mut to = aside.as_os_str().to_owned();
        to.push(ending);
        match fs::rename(&from, &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::of_files(error, path));
            }
            Ok(()) | Err(_) => {}
        }
    }
    drop(lock);
    Ok(aside)
}

/// The dated name under which a damaged database is kept.
pub(crate) fn aside(path: &Path, now: Moment) -> Result<PathBuf, StoreError> {
    let date = now.timestamp().strftime("%Y%m%dT%H%M%S%3fZ");
    let aside = beside(path, &format!("damaged-{date}"));
    match aside.exists() {
        true => Err(StoreError::of_files(io::ErrorKind::AlreadyExists.into(), &aside)),
        false => Ok(aside),
    }
}

/// Looks for damage, for no longer than `most`.
pub(crate) fn check(connection: &Connection, path: &Path, most: Duration) -> Result<Integrity, StoreError> {
    look(connection, path, most, "PRAGMA quick_check(1)")
}

/// The same, and whether indexes and the search index agree with the rows.
pub(crate) fn check_whole(
    connection: &Connection,
    path: &Path,
    most: Duration,
) -> Result<Integrity, StoreError> {
    look(connection, path, most, "PRAGMA integrity_check(1)")
}

fn look(connection: &Connection, path: &Path, most: Duration, check: &str) -> Result<Integrity, StoreError> {
    let fault = |error| StoreError::of_sqlite(error, path);
    let end = Instant::now() + most;
    connection
        .progress_handler(STEPS_BETWEEN_LOOKS, Some(move || Instant::now() >= end))
        .map_err(fault)?;
    let found = connection.query_row(check, [], |row| row.get::<_, String>(0));
    connection
        .progress_handler(0, None::<fn() -> bool>)
        .map_err(fault)?;
    match found {
        Ok(found) if found == "ok" => Ok(Integrity::Sound),
        Ok(detail) => Err(StoreError::Damaged {
            path: path.to_owned(),
            detail,
        }),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            Ok(Integrity::Unfinished)
        }
        Err(error) => Err(fault(error)),
    }
}

/// Copies the database as it is, log included, to a file beside it named after its format.
pub(crate) fn back_up(connection: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let target = backup_path(path, version);
    let unfinished = beside(&target, "part");
    remove(&unfinished)?;
    drop(
        private_file()
            .open(&unfinished)
            .map_err(|error| StoreError::of_files(error, &unfinished))?,
    );
    let copy = || {
        let mut copy = Connection::open(&unfinished)?;
        Backup::new(connection, &mut copy)?.run_to_completion(COPIED_PAGES, Duration::ZERO, None)
    };
    copy().map_err(|error| StoreError::of_sqlite(error, &unfinished))?;
    fs::rename(&unfinished, &target).map_err(|error| StoreError::of_files(error, &target))
}

/// Removes the copies of earlier formats: they hold what the user now wants erased.
pub(crate) fn remove_backups(path: &Path, known_version: u32) -> Result<(), StoreError> {
    (1..known_version).try_for_each(|version| remove(&backup_path(path, version)))
}

fn backup_path(path: &Path, version: u32) -> PathBuf {
    beside(path, &format!("format-{version}.backup"))
}

/// Removes a file; one that is not there is removed.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_files(error, path)),
        Ok(()) | Err(_) => Ok(()),
    }
}
