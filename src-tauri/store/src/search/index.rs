//! Keeps the full text index in step with `segment` and `memory`.
//!
//! A record of `memory` is indexed by the transaction that writes it. The transcript is indexed after its rows, by
//! the writer when it is idle. So a commit pays for the truth only. Entries that are missing after a crash are made
//! from the rows. Marks say up to which row each index is made. After a change of how text is cut, both are made
//! again in slices. The index holds no text of its own. Taken out is not yet gone, see [`make_anew`].

use crate::column::ERASED;
use crate::column::Json;
use crate::search::context;
use crate::search::words::{self, Term, TermKind};
use crate::statement::{rows, write, write_one};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{SegmentKind, SessionId};

/// The index of earlier formats, without context; made only so that a database of any age takes every step.
pub(crate) const CREATE_FIRST: &str = "
CREATE VIRTUAL TABLE search USING fts5 (words, pairs, content = '', tokenize = 'ascii');
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, 'row');
CREATE TABLE search_mark (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  note    INTEGER NOT NULL
) STRICT;
INSERT INTO search_mark (id, version, segment, note) VALUES (1, 0, 0, 0);
";

pub(crate) const CREATE: &str = "
DROP TABLE search_vocabulary;
DROP TABLE search;
DROP TABLE search_mark;
CREATE VIRTUAL TABLE search USING fts5 (
  words, pairs, context, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, 'row');
CREATE TABLE search_mark (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  memory  INTEGER NOT NULL
) STRICT;
INSERT INTO search_mark (id, version, segment, memory) VALUES (1, 0, 0, 0);
";

/// Rows that are indexed in one transaction; a commit that arrives meanwhile waits for them (about 2 ms).
const SLICE_ROWS: u32 = 32;

/// Bytes of text after which a slice ends early, for rows that are long (about 5 ms).
const SLICE_BYTES: usize = 64 * 1024;

/// Bytes of one text that are indexed. The rest of a longer text is found through its handle, not by search.
const INDEXED_MOST_BYTES: usize = 128 * 1024;

/// The rows that remain to be indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexBacklog {
    None,
    Some,
}

/// Whether segments of this kind are searched.
pub(crate) fn is_searched(kind: &SegmentKind) -> bool {
    matches!(
        kind,
        SegmentKind::User | SegmentKind::Express | SegmentKind::Output
    )
}

/// Empties the index if it was made by another version of [`words`]; it is then made again, slice by slice.
pub(crate) fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    let version: u32 = connection.query_row("SELECT version FROM search_mark", [], |row| row.get(0))?;
    if version == words::VERSION {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    transaction.execute("INSERT INTO search (search) VALUES ('delete-all')", [])?;
    transaction.execute(
        "UPDATE search_mark SET version = ?1, segment = 0, memory = 0",
        [words::VERSION],
    )?;
    transaction.commit()
}

/// Whether rows wait to be indexed.
pub(crate) fn lag(connection: &Connection) -> rusqlite::Result<IndexBacklog> {
    let behind = connection
        .prepare_cached(
            "SELECT segment < coalesce((SELECT max(row) FROM segment), 0)
                 OR memory < coalesce((SELECT max(row) FROM memory), 0) FROM search_mark",
        )?
        .query_row([], |row| row.get(0))?;
    Ok(if behind {
        IndexBacklog::Some
    } else {
        IndexBacklog::None
    })
}

/// How many rows wait to be indexed, by their numbers: those that were deleted count as well.
pub(crate) fn rows_behind(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached(
            "SELECT max(0, coalesce((SELECT max(row) FROM segment), 0) - segment)
                  + max(0, coalesce((SELECT max(row) FROM memory), 0) - memory) FROM search_mark",
        )?
        .query_row([], |row| row.get(0))
}

/// Indexes the next rows. The caller holds the transaction.
pub(crate) fn advance(connection: &Connection) -> rusqlite::Result<()> {
    let (segment_mark, memory_mark): (i64, i64) = connection
        .prepare_cached("SELECT segment, memory FROM search_mark")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let segment_mark = index_segments(connection, segment_mark)?;
    let memory_mark = index_memory(connection, memory_mark)?;
    write_one(
        connection,
        "UPDATE search_mark SET segment = ?1, memory = ?2",
        [segment_mark, memory_mark],
    )
}

/// Writes the index anew without what was taken out of it; before that, the terms are only crossed out.
pub(crate) fn make_anew(connection: &Connection) -> rusqlite::Result<()> {
    write(connection, "INSERT INTO search (search) VALUES ('optimize')", []).map(|_| ())
}

/// Takes a session's segments out of the index; their rows must still be there.
pub(crate) fn forget_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    let indexed: Vec<i64> = rows(
        connection,
        "SELECT row FROM segment WHERE session = ?1 AND row <= (SELECT segment FROM search_mark)",
        [session.as_str()],
        |row| row.get(0),
    )?;
    indexed
        .into_iter()
        .try_for_each(|row| remove(connection, segment_document(row)))
}

/// Indexes a record that was just written, in place of an earlier form. While the index is being made again, a record
/// that it has not come to is left to it.
pub(crate) fn put_memory(connection: &Connection, row: i64) -> rusqlite::Result<()> {
    let (mark, before): (i64, i64) = connection
        .prepare_cached(
            "SELECT memory, coalesce((SELECT max(row) FROM memory WHERE row < ?1), 0) FROM search_mark",
        )?
        .query_row([row], |found| Ok((found.get(0)?, found.get(1)?)))?;
    if row > mark && before > mark {
        return Ok(());
    }
    remove(connection, memory_document(row))?;
    let Some(found) = one_memory(connection, row)? else {
        return Ok(());
    };
    insert_memory(connection, &found)?;
    if row <= mark {
        return index_after(connection, &found);
    }
    write_one(
        connection,
        "UPDATE search_mark SET memory = max(memory, ?1)",
        [row],
    )
}

/// A record as it is indexed.
pub(crate) fn one_memory(connection: &Connection, row: i64) -> rusqlite::Result<Option<context::Remembered>> {
    connection
        .prepare_cached(&format!("{MEMORY_TEXT} WHERE row = ?1"))?
        .query_row([row], read_memory)
        .optional()
}

/// Indexes what comes after a record anew: the record's text, which changed or is gone, stands in its context.
pub(crate) fn index_after(connection: &Connection, changed: &context::Remembered) -> rusqlite::Result<()> {
    let Some(row) = context::after(connection, changed)? else {
        return Ok(());
    };
    if let Some(next) = one_memory(connection, row)? {
        remove(connection, memory_document(row))?;
        insert_memory(connection, &next)?;
    }
    Ok(())
}

/// Takes a record out of the index; its row must still be there.
pub(crate) fn forget_memory(connection: &Connection, row: i64) -> rusqlite::Result<()> {
    remove(connection, memory_document(row))
}

/// Takes a segment whose text was just erased out of the index. Takes it out of the next segment's context, too.
pub(crate) fn forget_segment(connection: &Connection, row: i64) -> rusqlite::Result<()> {
    remove(connection, segment_document(row))?;
    let after =
        "SELECT next.row, next.text, next.session, next.id FROM segment AS next JOIN segment AS erased
        ON next.session = erased.session AND next.id > erased.id
      WHERE erased.row = ?1 AND next.kind IN ('User', 'Express', 'Output')
        AND next.row <= (SELECT segment FROM search_mark) ORDER BY next.id LIMIT 1";
    let after: Vec<(i64, String, String, i64)> = rows(connection, after, [row], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    for (row, text, session, id) in after {
        remove(connection, segment_document(row))?;
        let before = context::before_segment(connection, &session, id)?;
        insert(connection, segment_document(row), &text, &before)?;
    }
    Ok(())
}

/// Lowers the marks to the last rows that are left: SQLite gives the number of a deleted last row to the next
/// one, which must be indexed again.
pub(crate) fn lower_marks(connection: &Connection) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE search_mark SET segment = min(segment, coalesce((SELECT max(row) FROM segment), 0)),
           memory = min(memory, coalesce((SELECT max(row) FROM memory), 0))",
        [],
    )
}

/// Segments have even numbers in the index, records odd ones.
pub(crate) fn segment_document(row: i64) -> i64 {
    row * 2
}

pub(crate) fn memory_document(row: i64) -> i64 {
    row * 2 + 1
}

/// Indexes segments after `mark` until the slice is full, and returns the last one's number.
fn index_segments(connection: &Connection, mark: i64) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(
        "SELECT row, kind, text, session, id FROM segment WHERE row > ?1 ORDER BY row LIMIT ?2",
    )?;
    let mut found = statement.query(params![mark, SLICE_ROWS])?;
    let (mut last, mut bytes) = (mark, 0);
    while bytes < SLICE_BYTES
        && let Some(row) = found.next()?
    {
        last = row.get(0)?;
        if !is_searched(&SegmentKind::from_name(row.get_ref(1)?.as_str()?)) {
            continue;
        }
        let text = row.get_ref(2)?.as_str()?;
        if text == ERASED {
            continue;
        }
        bytes += text.len();
        let before = context::before_segment(connection, row.get_ref(3)?.as_str()?, row.get(4)?)?;
        insert(connection, segment_document(last), text, &before)?;
    }
    Ok(last)
}

/// The same for records.
fn index_memory(connection: &Connection, mark: i64) -> rusqlite::Result<i64> {
    let slice = rows(
        connection,
        &format!("{MEMORY_TEXT} WHERE row > ?1 ORDER BY row LIMIT ?2"),
        params![mark, SLICE_ROWS],
        read_memory,
    )?;
    let (mut last, mut bytes) = (mark, 0);
    for found in slice {
        if bytes >= SLICE_BYTES {
            break;
        }
        bytes += found.text.len();
        last = found.row;
        insert_memory(connection, &found)?;
    }
    Ok(last)
}

const MEMORY_TEXT: &str =
    "SELECT row, text, title, speaker, tags, entities, session, document, sort_value FROM memory";

fn read_memory(row: &rusqlite::Row<'_>) -> rusqlite::Result<context::Remembered> {
    Ok(context::Remembered {
        row: row.get(0)?,
        text: row.get(1)?,
        title: row.get(2)?,
        speaker: row.get(3)?,
        tags: row.get::<_, Json<_>>(4)?.0,
        entities: row.get::<_, Json<_>>(5)?.0,
        session: row.get(6)?,
        document: row.get(7)?,
        sort_value: row.get(8)?,
    })
}

fn insert_memory(connection: &Connection, found: &context::Remembered) -> rusqlite::Result<()> {
    let around = context::around(connection, found)?;
    insert(connection, memory_document(found.row), &found.text, &around)
}

fn insert(connection: &Connection, document: i64, text: &str, context: &str) -> rusqlite::Result<()> {
    let (words, pairs) = columns(text);
    let (mut beside, beside_pairs) = columns(context);
    beside.push_str(&beside_pairs);
    write_one(
        connection,
        "INSERT INTO search (rowid, words, pairs, context) VALUES (?1, ?2, ?3, ?4)",
        params![document, words, pairs, beside],
    )
}

fn remove(connection: &Connection, document: i64) -> rusqlite::Result<()> {
    write(connection, "DELETE FROM search WHERE rowid = ?1", [document]).map(|_| ())
}

/// The terms of both columns, each with spaces between them.
fn columns(text: &str) -> (String, String) {
    let mut words = String::new();
    let mut pairs = String::new();
    let end = text.floor_char_boundary(INDEXED_MOST_BYTES);
    words::cut(&text[..end], |Term { text, kind, .. }| {
        let column = match kind {
            TermKind::Word | TermKind::Part => &mut words,
            TermKind::Pair | TermKind::Character | TermKind::Alone => &mut pairs,
        };
        column.push_str(&text);
        column.push(' ');
    });
    (words, pairs)
}
