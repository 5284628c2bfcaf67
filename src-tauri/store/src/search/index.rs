//! Keeps the full text index in step with `segment` and `note`.
//!
//! The index is made after the rows, by the writer when it is idle: a commit pays for the truth only, and what
//! is missing after a crash is made from the rows. Marks say up to which row it is made. It holds no text of its
//! own: a row's terms are cut again to take them out. Taken out is not yet gone, see [`make_anew`].

use crate::search::words::{self, Term, TermKind};
use crate::table::{rows, write, write_one};
use rusqlite::{Connection, params};
use shidi_protocol::{SegmentKind, SessionId};

use crate::table::note::NoteId;

pub(crate) const CREATE: &str = "
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

/// Rows that are indexed in one transaction; a commit that arrives meanwhile waits for them (about 2 ms).
const SLICE_ROWS: u32 = 32;

/// Bytes of text after which a slice ends early, for rows that are long (about 5 ms).
const SLICE_BYTES: usize = 64 * 1024;

/// Bytes of one text that are indexed; the rest of a longer one is found through its handle, not by search.
const INDEXED_MOST_BYTES: usize = 128 * 1024;

/// What remains to be indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lag {
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
        "UPDATE search_mark SET version = ?1, segment = 0, note = 0",
        [words::VERSION],
    )?;
    transaction.commit()
}

/// Whether rows wait to be indexed.
pub(crate) fn lag(connection: &Connection) -> rusqlite::Result<Lag> {
    let behind = connection
        .prepare_cached(
            "SELECT segment < coalesce((SELECT max(row) FROM segment), 0)
                 OR note < coalesce((SELECT max(row) FROM note), 0) FROM search_mark",
        )?
        .query_row([], |row| row.get(0))?;
    Ok(if behind { Lag::Some } else { Lag::None })
}

/// Indexes the next rows. The caller holds the transaction.
pub(crate) fn advance(connection: &Connection) -> rusqlite::Result<()> {
    let (segment_mark, note_mark): (i64, i64) = connection
        .prepare_cached("SELECT segment, note FROM search_mark")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let segments = "SELECT row, kind, text FROM segment WHERE row > ?1 ORDER BY row LIMIT ?2";
    let segment_mark = index_slice(connection, segments, segment_mark, segment_document)?;
    let notes = "SELECT row, 'User', text FROM note WHERE row > ?1 ORDER BY row LIMIT ?2";
    let note_mark = index_slice(connection, notes, note_mark, note_document)?;
    write_one(
        connection,
        "UPDATE search_mark SET segment = ?1, note = ?2",
        [segment_mark, note_mark],
    )
}

/// Writes the index anew without what was taken out of it; before that, the terms are only crossed out.
pub(crate) fn make_anew(connection: &Connection) -> rusqlite::Result<()> {
    write(connection, "INSERT INTO search (search) VALUES ('optimize')", []).map(|_| ())
}

/// Takes a session's segments out of the index; their rows must still be there.
pub(crate) fn forget_session(connection: &Connection, session: &SessionId) -> rusqlite::Result<()> {
    let indexed = rows(
        connection,
        "SELECT row, kind, text FROM segment WHERE session = ?1 AND row <= (SELECT segment FROM search_mark)",
        [session.as_str()],
        |row| {
            Ok((
                row.get::<_, i64>(0)?,
                SegmentKind::from_name(row.get_ref(1)?.as_str()?),
                row.get::<_, String>(2)?,
            ))
        },
    )?;
    for (row, _, text) in indexed.iter().filter(|(_, kind, _)| is_searched(kind)) {
        remove(connection, segment_document(*row), text)?;
    }
    Ok(())
}

/// Takes a note out of the index; its row must still be there.
pub(crate) fn forget_note(connection: &Connection, note: &NoteId) -> rusqlite::Result<()> {
    let indexed = rows(
        connection,
        "SELECT row, text FROM note WHERE id = ?1 AND row <= (SELECT note FROM search_mark)",
        [note.as_str()],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
    )?;
    for (row, text) in &indexed {
        remove(connection, note_document(*row), text)?;
    }
    Ok(())
}

/// Lowers the marks to the last rows that are left: SQLite gives the number of a deleted last row to the next
/// one, which must be indexed again.
pub(crate) fn lower_marks(connection: &Connection) -> rusqlite::Result<()> {
    write_one(
        connection,
        "UPDATE search_mark SET segment = min(segment, coalesce((SELECT max(row) FROM segment), 0)),
           note = min(note, coalesce((SELECT max(row) FROM note), 0))",
        [],
    )
}

/// Segments have even numbers in the index, notes odd ones.
fn segment_document(row: i64) -> i64 {
    row * 2
}

fn note_document(row: i64) -> i64 {
    row * 2 + 1
}

/// Indexes rows after `mark` until the slice is full, and returns the last one's number.
fn index_slice(
    connection: &Connection,
    sql: &str,
    mark: i64,
    document: fn(i64) -> i64,
) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(sql)?;
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
        bytes += text.len();
        let (words, pairs) = columns(text);
        write_one(
            connection,
            "INSERT INTO search (rowid, words, pairs) VALUES (?1, ?2, ?3)",
            params![document(last), words, pairs],
        )?;
    }
    Ok(last)
}

fn remove(connection: &Connection, document: i64, text: &str) -> rusqlite::Result<()> {
    let (words, pairs) = columns(text);
    write_one(
        connection,
        "INSERT INTO search (search, rowid, words, pairs) VALUES ('delete', ?1, ?2, ?3)",
        params![document, words, pairs],
    )
}

/// The terms of both columns, each with spaces between them.
fn columns(text: &str) -> (String, String) {
    let mut end = text.len().min(INDEXED_MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut words = String::new();
    let mut pairs = String::new();
    words::cut(&text[..end], |Term { text, kind, .. }| {
        let column = match kind {
            TermKind::Word => &mut words,
            TermKind::Pair | TermKind::Character | TermKind::Alone => &mut pairs,
        };
        column.push_str(&text);
        column.push(' ');
    });
    (words, pairs)
}
