//! Keeps the full text index in step with `segment` and `note`.
//!
//! The index is made after the rows, by the writer when it is idle: a commit pays for the truth only, and what
//! is missing after a crash is made from the rows. Marks say up to which row it is made. It holds no text of its
//! own; a row's terms are cut again to take them out, which `secure-delete` does at once and for good.

use crate::search::words::{self, Term, TermKind};
use crate::table::{rows, write, write_one};
use rusqlite::{Connection, params};
use shidi_protocol::{SegmentKind, SessionId};

use crate::table::note::NoteId;

pub(crate) const CREATE: &str = "
CREATE VIRTUAL TABLE search USING fts5 (words, pairs, content = '', tokenize = 'ascii');
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search, 'row');
CREATE TABLE search_mark (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  version   INTEGER NOT NULL,
  segment   INTEGER NOT NULL,
  note      INTEGER NOT NULL,
  documents INTEGER NOT NULL
) STRICT;
INSERT INTO search_mark (id, version, segment, note, documents) VALUES (1, 0, 0, 0, 0);
";

/// Rows that are indexed in one transaction; a commit that arrives meanwhile waits for them (about 2 ms).
const SLICE_ROWS: u32 = 32;

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
        "UPDATE search_mark SET version = ?1, segment = 0, note = 0, documents = 0",
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
    let segments = rows(
        connection,
        "SELECT row, kind, text FROM segment WHERE row > ?1 ORDER BY row LIMIT ?2",
        params![segment_mark, SLICE_ROWS],
        |row| {
            let kind = SegmentKind::from_name(row.get_ref(1)?.as_str()?);
            let text = if is_searched(&kind) {
                Some(row.get::<_, String>(2)?)
            } else {
                None
            };
            Ok((row.get::<_, i64>(0)?, text))
        },
    )?;
    let notes = rows(
        connection,
        "SELECT row, text FROM note WHERE row > ?1 ORDER BY row LIMIT ?2",
        params![note_mark, SLICE_ROWS],
        |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
    )?;
    let mut documents = 0;
    for (row, text) in segments
        .iter()
        .filter_map(|(row, text)| text.as_ref().map(|text| (row, text)))
    {
        insert(connection, segment_document(*row), text)?;
        documents += 1;
    }
    for (row, text) in &notes {
        insert(connection, note_document(*row), text)?;
        documents += 1;
    }
    write_one(
        connection,
        "UPDATE search_mark SET segment = ?1, note = ?2, documents = documents + ?3",
        params![
            segments.last().map_or(segment_mark, |(row, _)| *row),
            notes.last().map_or(note_mark, |(row, _)| *row),
            documents
        ],
    )
}

/// Number of indexed texts.
pub(crate) fn documents(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("SELECT documents FROM search_mark")?
        .query_row([], |row| row.get(0))
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

fn insert(connection: &Connection, document: i64, text: &str) -> rusqlite::Result<()> {
    let (words, pairs) = columns(text);
    write_one(
        connection,
        "INSERT INTO search (rowid, words, pairs) VALUES (?1, ?2, ?3)",
        params![document, words, pairs],
    )
}

fn remove(connection: &Connection, document: i64, text: &str) -> rusqlite::Result<()> {
    let (words, pairs) = columns(text);
    write(
        connection,
        "INSERT INTO search (search, rowid, words, pairs) VALUES ('delete', ?1, ?2, ?3)",
        params![document, words, pairs],
    )?;
    write_one(connection, "UPDATE search_mark SET documents = documents - 1", [])
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
            TermKind::Pair | TermKind::Last | TermKind::Alone => &mut pairs,
        };
        column.push_str(&text);
        column.push(' ');
    });
    (words, pairs)
}
