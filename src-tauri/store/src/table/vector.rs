//! `vector`: where a text stands in the space of an embedding model, by its number in the index.
//!
//! Each vector says which model made it, as those of two models can't be compared. Triggers take a vector away with its
//! text, whoever changes or erases the text. The holder of the model makes the vector again.

use super::{rows, write};
use crate::column::unsigned;
use crate::{Store, StoreError};
use rusqlite::{Connection, params};

/// Segments of the kinds that are searched, and every record.
pub(crate) const CREATE: &str = "
CREATE TABLE vector (
  document INTEGER PRIMARY KEY,
  model    TEXT NOT NULL,
  scale    REAL NOT NULL,
  numbers  BLOB NOT NULL
) STRICT;
CREATE INDEX vector_by_model ON vector (model, document);
CREATE TRIGGER vector_of_erased_memory AFTER DELETE ON memory BEGIN
  DELETE FROM vector WHERE document = old.row * 2 + 1;
END;
CREATE TRIGGER vector_of_changed_memory AFTER UPDATE OF text ON memory WHEN old.text <> new.text BEGIN
  DELETE FROM vector WHERE document = old.row * 2 + 1;
END;
CREATE TRIGGER vector_of_erased_segment AFTER DELETE ON segment BEGIN
  DELETE FROM vector WHERE document = old.row * 2;
END;
CREATE TRIGGER vector_of_changed_segment AFTER UPDATE OF text ON segment WHEN old.text <> new.text BEGIN
  DELETE FROM vector WHERE document = old.row * 2;
END;
";

/// A text that has no vector of a model yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    /// Its number in the index: even for a segment.
    pub document: i64,
    pub text: String,
}

/// A text with its vector, whose numbers are kept as bytes. A hundredth of its length is lost, and a quarter of the
/// room is needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub document: i64,
    /// The text that the vector was made of: when it changed meanwhile, the vector is not kept.
    pub text: String,
    pub numbers: Vec<f32>,
}

/// A vector of length 1 as bytes, and what each counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compact {
    pub scale: f32,
    pub numbers: Vec<i8>,
}

impl Compact {
    /// `None` for a vector that points nowhere.
    #[expect(clippy::cast_possible_truncation, reason = "it lies between -127 and 127")]
    pub fn of(numbers: &[f32]) -> Option<Self> {
        let length = numbers.iter().map(|one| one * one).sum::<f32>().sqrt();
        let largest = numbers.iter().fold(0.0_f32, |most, one| most.max(one.abs()));
        if !length.is_finite() || length <= 0.0 || largest <= 0.0 {
            return None;
        }
        let numbers = numbers.iter().map(|one| (one / largest * 127.0).round() as i8);
        Some(Self {
            scale: largest / 127.0 / length,
            numbers: numbers.collect(),
        })
    }
}

impl Store {
    /// Texts that have no vector of that model yet, newest first.
    pub fn unplaced(&self, model: &str, limit: u32) -> Result<Vec<Unembedded>, StoreError> {
        self.read(|connection| unplaced(connection, model, limit))
    }

    /// How many texts have a vector of that model, and how many should.
    pub fn placed(&self, model: &str) -> Result<(u64, u64), StoreError> {
        self.read(|connection| counts(connection, model))
    }

    /// Changes when a text is new that may want a vector: the last record and the last segment.
    pub fn newest_texts(&self) -> Result<(i64, i64), StoreError> {
        self.read(newest)
    }
}

/// Keeps the vectors that a model gave to texts.
pub(crate) fn put(connection: &Connection, model: &str, placed: &[Embedded]) -> rusqlite::Result<()> {
    placed.iter().try_for_each(|one| put_one(connection, model, one))
}

/// Keeps a vector if its text still stands there as it was. One that points nowhere is kept as none: it is near nothing,
/// and is not asked for again.
fn put_one(connection: &Connection, model: &str, placed: &Embedded) -> rusqlite::Result<()> {
    let compact = Compact::of(&placed.numbers).unwrap_or(Compact {
        scale: 0.0,
        numbers: Vec::new(),
    });
    let table = if placed.document % 2 == 1 {
        "memory"
    } else {
        "segment"
    };
    let bytes: Vec<u8> = compact.numbers.iter().map(|one| one.to_le_bytes()[0]).collect();
    write(
        connection,
        &format!(
            "INSERT INTO vector (document, model, scale, numbers)
               SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM {table} WHERE row = ?1 / 2 AND text = ?5)
             ON CONFLICT (document) DO UPDATE SET model = ?2, scale = ?3, numbers = ?4"
        ),
        params![
            placed.document,
            model,
            f64::from(compact.scale),
            bytes,
            placed.text
        ],
    )
    .map(|_| ())
}

/// Drops the vectors of every other model.
pub(crate) fn drop_others(connection: &Connection, model: &str) -> rusqlite::Result<()> {
    write(connection, "DELETE FROM vector WHERE model <> ?1", [model]).map(|_| ())
}

/// Segments that are searched; pieces of documents and other records all are.
const SEARCHED: &str = "kind IN ('User', 'Express') AND trim(text) <> ''";

/// Texts without a vector of that model, newest first.
pub(crate) fn unplaced(
    connection: &Connection,
    model: &str,
    limit: u32,
) -> rusqlite::Result<Vec<Unembedded>> {
    let missing = |table: &str, number: &str, which: &str| {
        format!(
            "SELECT {number} AS document, text, time FROM {table} WHERE {which}
               AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.document = {number} AND vector.model = ?1)"
        )
    };
    let sql = format!(
        "SELECT document, text FROM ({} UNION ALL {} AND text <> '{}') ORDER BY time DESC LIMIT ?2",
        missing("remembered", "row * 2 + 1", "trim(text) <> ''"),
        missing("segment", "row * 2", SEARCHED),
        crate::column::ERASED
    );
    rows(connection, &sql, params![model, limit], |row| {
        Ok(Unembedded {
            document: row.get(0)?,
            text: row.get(1)?,
        })
    })
}

/// How many vectors of a model there are, and texts.
pub(crate) fn counts(connection: &Connection, model: &str) -> rusqlite::Result<(u64, u64)> {
    let sql = format!(
        "SELECT (SELECT count(*) FROM vector WHERE model = ?1),
           (SELECT count(*) FROM remembered WHERE trim(text) <> '')
             + (SELECT count(*) FROM segment WHERE {SEARCHED} AND text <> '{}')",
        crate::column::ERASED
    );
    connection.query_row(&sql, [model], |row| {
        Ok((unsigned(row.get(0)?), unsigned(row.get(1)?)))
    })
}

/// Numbers of the last record and the last segment.
pub(crate) fn newest(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let sql =
        "SELECT coalesce((SELECT max(row) FROM memory), 0), coalesce((SELECT max(row) FROM segment), 0)";
    connection
        .prepare_cached(sql)?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}
