//! `piece`: which record says a document's piece, and in which round of reading it was last seen.

use super::mark_stale;
use crate::table::memory::erase;
use crate::table::{rows, write, write_one};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use shidi_protocol::{DocumentId, MemoryId};

/// A piece of a document as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenPiece {
    pub base: String,
    pub document: DocumentId,
    /// Equal for pieces that say the same.
    pub fingerprint: String,
    pub memory: MemoryId,
    /// Whether the record names this document; one document of a base does.
    pub owns: bool,
    /// Grows with every reading of the document.
    pub round: i64,
}

/// The record that says a piece already, and whether that record names the document that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPiece {
    pub memory: MemoryId,
    pub owns: bool,
}

impl Store {
    /// The record that says a piece already, in this document or in another one of its base.
    pub fn known_piece(
        &self,
        base: &str,
        fingerprint: &str,
        document: &DocumentId,
    ) -> Result<Option<KnownPiece>, StoreError> {
        self.read(|connection| known(connection, base, fingerprint, document))
    }
}

pub(crate) fn put(connection: &Connection, piece: &SeenPiece) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO piece (document, fingerprint, base, memory, owns, round) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (document, fingerprint) DO UPDATE SET memory = ?4, owns = ?5, round = ?6",
        params![
            piece.document.as_str(),
            piece.fingerprint,
            piece.base,
            piece.memory.as_str(),
            piece.owns,
            piece.round,
        ],
    )
}

/// The stored row of a piece in its base.
pub(crate) fn known(
    connection: &Connection,
    base: &str,
    fingerprint: &str,
    document: &DocumentId,
) -> rusqlite::Result<Option<KnownPiece>> {
    connection
        .prepare_cached(
            "SELECT memory, owns AND document = ?3 FROM piece WHERE base = ?1 AND fingerprint = ?2
             ORDER BY document = ?3 DESC LIMIT 1",
        )?
        .query_row(params![base, fingerprint, document.as_str()], |row| {
            Ok(KnownPiece {
                memory: MemoryId::from(row.get::<_, String>(0)?),
                owns: row.get(1)?,
            })
        })
        .optional()
}

/// Takes away the pieces of a document that were not seen in that round. Their records go, too, unless another
/// document has them.
pub(crate) fn sweep(connection: &Connection, document: &DocumentId, round: i64) -> rusqlite::Result<()> {
    let gone = rows(
        connection,
        "SELECT fingerprint, base, memory, owns FROM piece WHERE document = ?1 AND round < ?2",
        params![document.as_str(), round],
        |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                MemoryId::from(row.get::<_, String>(2)?),
                row.get::<_, bool>(3)?,
            ))
        },
    )?;
    for (fingerprint, base, memory, owns) in gone {
        write(
            connection,
            "DELETE FROM piece WHERE document = ?1 AND fingerprint = ?2",
            params![document.as_str(), fingerprint],
        )?;
        if owns {
            hand_on(connection, &base, &fingerprint, &memory)?;
        }
    }
    Ok(())
}

/// Gives a record to another document that says the same, or erases it.
fn hand_on(
    connection: &Connection,
    base: &str,
    fingerprint: &str,
    memory: &MemoryId,
) -> rusqlite::Result<()> {
    let heir: Option<String> = connection
        .prepare_cached("SELECT document FROM piece WHERE base = ?1 AND fingerprint = ?2 LIMIT 1")?
        .query_row(params![base, fingerprint], |row| row.get(0))
        .optional()?;
    let Some(heir) = heir else {
        return erase::one(connection, memory);
    };
    write_one(
        connection,
        "UPDATE piece SET owns = 1 WHERE document = ?1 AND fingerprint = ?2",
        params![heir, fingerprint],
    )?;
    write(
        connection,
        "UPDATE memory SET document = ?2 WHERE id = ?1",
        params![memory.as_str(), heir],
    )?;
    mark_stale(connection, &heir)
}
