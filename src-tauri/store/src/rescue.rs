//! Takes what can still be read out of a damaged database into a new one. Only when the user asks for it.
//!
//! Tables are read row by row, around the pages that can't be read. The search index is made anew from them. The
//! damaged file is kept under a dated name. Until everything is in the new file the damaged one is not touched. The new
//! file takes its place in steps, and a crash leaves no step undone. [`finish`] takes the steps up at the next opening.

use crate::StoreError;
use crate::connection::set_up;
use crate::files::beside;
use crate::lock::Lock;
use crate::recovery::{self, remove};
use crate::rescue::rows::Table;
use crate::schema::{KNOWN_VERSION, MIGRATIONS};
use crate::search::index;
use crate::table::{blob, session};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use shidi_protocol::Moment;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod rows;

/// Longest look for damage before a rescue: what is sound is left alone.
const LOOK_MOST: Duration = Duration::from_secs(600);

/// The report of a rescue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rescued {
    /// The new path of the damaged database.
    pub aside: PathBuf,
    /// Rows that are in the new database.
    pub rows: u64,
    /// Rows that are known to be lost. Of pages that can't be read it is not known how many they held.
    pub lost: u64,
    /// Tables of which something could not be read.
    pub torn: Vec<String>,
    /// Documents of knowledge bases that lost something: the next import reads them again.
    pub documents: u64,
}

/// Takes the readable parts of the database at `path` into a new one in its place. `None` when the database is sound.
///
/// Fails with [`StoreError::Locked`] while anybody has it open, and with [`StoreError::Newer`] if a newer version wrote it.
pub fn rescue(path: &Path, now: Moment) -> Result<Option<Rescued>, StoreError> {
    let lock = Lock::take(path)?;
    finish(path)?;
    let source = open_damaged(path)?;
    if let Some(source) = &source
        && is_sound(source, path)?
    {
        return Ok(None);
    }
    let unfinished = beside(path, "rescued.part");
    for ending in ["", "-wal", "-shm"] {
        remove(&ended(&unfinished, ending))?;
    }
    let fault = |error| StoreError::of_sqlite(error, &unfinished);
    let mut rescued = Rescued::default();
    let mut target = Connection::open(&unfinished).map_err(fault)?;
    set_up(&target).map_err(fault)?;
    MIGRATIONS
        .to_latest(&mut target)
        .map_err(|error| StoreError::Damaged {
            path: unfinished.clone(),
            detail: error.to_string(),
        })?;
    index::prepare(&target).map_err(fault)?;
    target
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = FULL")
        .map_err(fault)?;
    if let Some(source) = &source {
        copy(source, &mut target, &mut rescued).map_err(fault)?;
    }
    drop(source);
    target
        .close()
        .map_err(|(_, error)| StoreError::of_sqlite(error, &unfinished))?;
    rescued.aside = put_in_place(path, &unfinished, now)?;
    drop(lock);
    Ok(Some(rescued))
}

/// Ends a rescue that a crash interrupted. A complete rescued database takes the place of the damaged one, which was
/// copied under another name before.
pub(crate) fn finish(path: &Path) -> Result<(), StoreError> {
    let complete = beside(path, "rescued");
    if !complete.exists() {
        return Ok(());
    }
    for ending in ["-wal", "-shm"] {
        remove(&ended(path, ending))?;
    }
    fs::rename(&complete, path).map_err(|error| StoreError::of_files(error, path))?;
    sync_folder(path)
}

/// The damaged database, for reading; `None` when not even its first page can be read.
fn open_damaged(path: &Path) -> Result<Option<Connection>, StoreError> {
    if !path.exists() {
        return Err(StoreError::of_files(io::ErrorKind::NotFound.into(), path));
    }
    let open = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        // Nothing is written to it, also not its own log.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        connection.pragma_update(None, "query_only", true)?;
        let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
            row.get::<_, u32>(0)
        })?;
        Ok((connection, version))
    };
    match open() {
        Ok((_, found)) if found > KNOWN_VERSION => Err(StoreError::Newer {
            found,
            known: KNOWN_VERSION,
        }),
        Ok((connection, _)) => Ok(Some(connection)),
        Err(error) => match StoreError::of_sqlite(error, path) {
            StoreError::Damaged { .. } => Ok(None),
            other => Err(other),
        },
    }
}

fn is_sound(source: &Connection, path: &Path) -> Result<bool, StoreError> {
    match recovery::check_whole(source, path, LOOK_MOST) {
        Ok(_) => Ok(true),
        Err(StoreError::Damaged { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

fn copy(source: &Connection, target: &mut Connection, rescued: &mut Rescued) -> rusqlite::Result<()> {
    let transaction = target.transaction()?;
    for table in Table::all(&transaction)? {
        let copied = table.copy(source, &transaction)?;
        rescued.rows += copied.rows;
        rescued.lost += copied.lost;
        if copied.is_torn || copied.lost > 0 {
            rescued.torn.push(table.name);
        }
    }
    transaction.execute_batch(MISSING_SESSIONS)?;
    transaction.execute_batch(LOST_TEXTS)?;
    rescued.documents = tie_knowledge(&transaction)?;
    rescued.lost += drop_orphans(&transaction)?;
    transaction.execute_batch(blob::FIND_LOST)?;
    transaction.execute_batch(LOST_RUNS)?;
    transaction.execute_batch(VARIABLES_OF_LOST_RUNS)?;
    transaction.execute_batch(session::FIND_NAMED)?;
    transaction.commit()
}

/// Sessions whose row is lost, made again of what was said in them.
const MISSING_SESSIONS: &str = "
INSERT INTO session (id, created, updated, title, folders, mode)
  SELECT session, min(time), max(time),
    coalesce((SELECT substr(first.text, 1, 60) FROM segment AS first
              WHERE first.session = segment.session AND first.kind = 'User' ORDER BY first.id LIMIT 1), ''), '[]', 'risky'
  FROM segment WHERE session NOT IN (SELECT id FROM session) GROUP BY session;
";

/// Runs whose parent is lost, and the runs of a file from before versions, follow the run before them. Each session is
/// shown.
const LOST_RUNS: &str = "
UPDATE run_state SET parent = (
  SELECT before.run FROM run_state AS before
  WHERE before.session = run_state.session AND (before.started, before.run) < (run_state.started, run_state.run)
  ORDER BY before.started DESC, before.run DESC LIMIT 1)
WHERE parent NOT IN (SELECT run FROM run_state)
  OR session IN (SELECT id FROM session WHERE head IS NULL);
UPDATE session SET head = (
  SELECT run FROM run_state WHERE run_state.session = session.id ORDER BY started DESC, run DESC LIMIT 1)
WHERE head IS NULL OR head NOT IN (SELECT run FROM run_state);
";

/// What lost runs left stands before all others, what was left last in place of what was left earlier.
const VARIABLES_OF_LOST_RUNS: &str = "
DELETE FROM variable WHERE deleted AND run NOT IN (SELECT run FROM run_state);
UPDATE OR REPLACE variable SET run = NULL WHERE run NOT IN (SELECT run FROM run_state);
";

/// Vectors of texts that are lost: their numbers go to the next texts.
const LOST_TEXTS: &str = "
DELETE FROM vector WHERE CASE document % 2
  WHEN 1 THEN document / 2 NOT IN (SELECT row FROM memory) ELSE document / 2 NOT IN (SELECT row FROM segment) END;
";

/// Pieces of documents that lost their text, and texts that lost their place, go; their documents are read again. Returns
/// how many.
fn tie_knowledge(target: &Connection) -> rusqlite::Result<u64> {
    target.execute_batch(
        "CREATE TEMP TABLE torn (document TEXT PRIMARY KEY);
         INSERT OR IGNORE INTO torn SELECT document FROM piece WHERE memory NOT IN (SELECT id FROM memory);
         INSERT OR IGNORE INTO torn SELECT document FROM memory WHERE kind = 'chunk' AND document IS NOT NULL
           AND id NOT IN (SELECT memory FROM piece);
         DELETE FROM piece WHERE memory NOT IN (SELECT id FROM memory)
           OR document NOT IN (SELECT id FROM document);
         DELETE FROM memory WHERE kind = 'chunk' AND id NOT IN (SELECT memory FROM piece);
         UPDATE document SET changed = -1 WHERE id IN (SELECT document FROM torn);",
    )?;
    let documents = target.query_row("SELECT count(*) FROM torn", [], |row| row.get::<_, u32>(0))?;
    target.execute_batch("DROP TABLE torn")?;
    Ok(documents.into())
}

/// Takes rows away whose owner is lost, as deleting the owner would have. Returns how many.
fn drop_orphans(target: &Connection) -> rusqlite::Result<u64> {
    let mut statement = target.prepare(
        "SELECT name, child.\"from\", child.\"table\", coalesce(child.\"to\", 'id')
         FROM pragma_table_list AS list JOIN pragma_foreign_key_list(list.name) AS child
         WHERE list.schema = 'main' AND list.type = 'table'",
    )?;
    let keys: Vec<[String; 4]> = statement
        .query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?
        .collect::<rusqlite::Result<_>>()?;
    let mut dropped = 0;
    loop {
        let mut changed = 0;
        for [table, from, owners, id] in &keys {
            changed += target.execute(
                &format!(
                    "DELETE FROM \"{table}\" WHERE \"{from}\" IS NOT NULL AND \"{from}\" NOT IN (SELECT \"{id}\" FROM \"{owners}\")"
                ),
                [],
            )?;
        }
        // What was dropped may have owned others; at last there is nothing left to drop.
        if changed == 0 {
            return Ok(dropped);
        }
        dropped += changed as u64;
    }
}

/// Keeps the damaged database with its log under a dated name and puts the new one in its place.
fn put_in_place(path: &Path, unfinished: &Path, now: Moment) -> Result<PathBuf, StoreError> {
    let aside = recovery::aside(path, now)?;
    for ending in ["", "-wal"] {
        let (from, to) = (ended(path, ending), ended(&aside, ending));
        if !from.exists() {
            continue;
        }
        // A second name costs no space; not every file system has them.
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).map_err(|error| StoreError::of_files(error, &to))?;
        }
    }
    let complete = beside(path, "rescued");
    fs::rename(unfinished, &complete).map_err(|error| StoreError::of_files(error, &complete))?;
    sync_folder(path)?;
    finish(path)?;
    Ok(aside)
}

fn sync_folder(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| StoreError::of_files(error, path))?;
    }
    Ok(())
}

fn ended(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{run_state, variable};

    fn lines(head: &str, parents: [(&str, Option<&str>); 3]) -> Vec<String> {
        let mut target = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_latest(&mut target).unwrap();
        let row = "INSERT INTO session (id, created, updated, title, folders, mode, head)
                   VALUES ('s', 1, 1, '', '[]', 'risky', nullif(?1, ''))";
        target.execute(row, [head]).unwrap();
        for (started, (run, parent)) in (0_u32..).zip(&parents) {
            let row = "INSERT INTO run_state (run, session, state, question, usage, offline, waiting, started, seq, build, parent)
                       VALUES (?1, 's', '{}', '', '{}', 0, '[]', ?2, 1, '', ?3)";
            target
                .execute(row, rusqlite::params![run, started, parent])
                .unwrap();
        }
        target.execute_batch(LOST_RUNS).unwrap();
        let head = session::head(&target, &"s".into()).unwrap().unwrap();
        let line = run_state::line(&target, &head).unwrap();
        line.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_lost_run_left_is_found_where_nothing_newer_is() {
        let mut target = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_latest(&mut target).unwrap();
        target
            .execute_batch(
                "INSERT INTO session (id, created, updated, title, folders, mode) VALUES ('s', 1, 1, '', '[]', 'risky');
                 INSERT INTO run_state (run, session, state, question, usage, offline, waiting, started, seq, build)
                   VALUES ('a', 's', '{}', '', '{}', 0, '[]', 1, 1, '');
                 INSERT INTO variable (session, name, run, kind, value, text, tainted, deleted) VALUES
                   ('s', 'x', 'lost', 'int', '1', '1', 0, 0), ('s', 'x', 'a', 'int', '2', '2', 0, 0),
                   ('s', 'y', 'lost', 'int', '3', '3', 0, 0), ('s', 'y', 'later', 'int', '4', '4', 0, 0),
                   ('s', 'z', 'a', 'int', '5', '5', 0, 0), ('s', 'z', 'lost', '', NULL, '', 0, 1);",
            )
            .unwrap();
        target.execute_batch(VARIABLES_OF_LOST_RUNS).unwrap();
        let found = variable::after(&target, &"s".into(), Some(&"a".into())).unwrap();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|one| (one.name.as_str(), one.text.as_str()))
            .collect();
        assert_eq!(found, [("x", "2"), ("y", "4"), ("z", "5")]);
    }

    #[test]
    fn a_file_that_something_refers_to_is_kept_though_its_own_row_is_lost() {
        let mut target = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_latest(&mut target).unwrap();
        target
            .execute_batch(
                "INSERT INTO blob_reference (place, name, run, purpose, owner)
                   VALUES ('blobs/a', 'a.txt', 'r', 'attachment', 'r');
                 INSERT INTO setting (key, value) VALUES ('taken_over.captures', 'true'), ('ball', '1');",
            )
            .unwrap();
        target.execute_batch(blob::FIND_LOST).unwrap();
        let text = |sql| target.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(text("SELECT place FROM blob WHERE unsent IS NULL"), "blobs/a");
        assert_eq!(text("SELECT group_concat(key) FROM setting"), "ball");
    }

    #[test]
    fn what_followed_a_run_that_is_lost_follows_the_one_before_it() {
        assert_eq!(
            lines("c", [("a", None), ("b", Some("lost")), ("c", Some("b"))]),
            ["c", "b", "a"]
        );
        assert_eq!(
            lines("lost", [("a", None), ("b", None), ("c", Some("a"))]),
            ["c", "a"]
        );
        assert_eq!(
            lines("", [("a", None), ("b", None), ("c", None)]),
            ["c", "b", "a"]
        );
    }
}
