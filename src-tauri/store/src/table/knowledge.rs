//! `base`, `document` and `piece`: which documents a knowledge base has, and which records of `memory` are their pieces.
//!
//! A piece that several documents of a base have in the same words is one record. The record names the first of the
//! documents, and the others point to it. When the first document loses the piece, the next one takes it over and is
//! read anew. So the place that an answer cites is right.

pub(crate) mod piece;

use super::memory::erase::{self, MemoryGroup};
use super::{erasure, put_row, rows, write, write_one};
use crate::column::{Named, signed, unsigned};
use crate::{Store, StoreError};
use piece::SeenPiece;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use shidi_protocol::{DocumentId, KnowledgeBase, KnowledgeDocument, MemoryScope, Moment};

pub(crate) const CREATE: &str = "
CREATE TABLE base (
  name    TEXT PRIMARY KEY NOT NULL,
  about   TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE base_source (
  base  TEXT NOT NULL,
  place TEXT NOT NULL,
  PRIMARY KEY (base, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE document (
  id         TEXT PRIMARY KEY NOT NULL,
  base       TEXT NOT NULL,
  place      TEXT NOT NULL,
  format     TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  changed    INTEGER NOT NULL,
  imported   INTEGER NOT NULL,
  pieces     INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  deprecated INTEGER NOT NULL,
  partial    INTEGER NOT NULL,
  reason     TEXT,
  detail     TEXT,
  UNIQUE (base, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE piece (
  document    TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  base        TEXT NOT NULL,
  memory      TEXT NOT NULL,
  owns        INTEGER NOT NULL,
  round       INTEGER NOT NULL,
  PRIMARY KEY (document, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX piece_by_fingerprint ON piece (base, fingerprint);
";

/// A knowledge base as it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub name: String,
    pub about: String,
    pub created: Moment,
    /// The server that keeps it.
    pub at: Option<String>,
}

/// A base may be kept by a server; here is then only that there is one.
pub(crate) const ADD_AT: &str = "ALTER TABLE base ADD COLUMN at TEXT;";

/// When a document was changed whose file is to be read anew, whatever the system says of it.
const STALE: Moment = Moment(-1);

const COLUMNS: &str = "id, base, place, format, bytes, changed, imported, pieces, duplicates, deprecated, partial, reason, detail";

/// What is written of knowledge bases.
#[derive(Debug, Clone, PartialEq)]
pub enum KnowledgeWrite {
    /// A knowledge base, or another description of it.
    PutBase(Base),
    /// Erases a knowledge base with all its documents.
    DeleteBase {
        name: String,
    },
    /// A file, folder or address that a base was filled from.
    PutSource {
        base: String,
        place: String,
    },
    PutDocument(Box<KnowledgeDocument>),
    /// Erases a document of a base; pieces that others have too stay theirs.
    DeleteDocument(DocumentId),
    /// Which record says a piece of a document. The row comes after that record.
    PutPiece(SeenPiece),
    /// Takes away the pieces of a document that were not seen in that round or later.
    SweepPieces {
        document: DocumentId,
        round: i64,
    },
}

impl KnowledgeWrite {
    pub(crate) fn apply(&self, connection: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::PutBase(base) => put_base(connection, base),
            Self::DeleteBase { name } => delete_base(connection, name),
            Self::PutSource { base, place } => put_source(connection, base, place),
            Self::PutDocument(document) => put_document(connection, document),
            Self::DeleteDocument(document) => delete_document(connection, document),
            Self::PutPiece(piece) => piece::put(connection, piece),
            Self::SweepPieces { document, round } => piece::sweep(connection, document, *round),
        }
    }

    /// Whether text must be gone from the disk once this is written.
    pub(crate) fn erases(&self) -> bool {
        match self {
            Self::DeleteBase { .. } | Self::DeleteDocument(_) => true,
            Self::PutBase(_)
            | Self::PutSource { .. }
            | Self::PutDocument(_)
            | Self::PutPiece(_)
            | Self::SweepPieces { .. } => false,
        }
    }
}

impl Store {
    /// All knowledge bases by name.
    pub fn bases(&self) -> Result<Vec<KnowledgeBase>, StoreError> {
        self.read(bases)
    }

    /// Documents of a base by place, from the `offset`th on.
    pub fn documents(
        &self,
        base: &str,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<KnowledgeDocument>, StoreError> {
        self.read(|connection| documents(connection, base, offset, limit))
    }

    /// The document of a base that was imported from `place`.
    pub fn document_at(&self, base: &str, place: &str) -> Result<Option<KnowledgeDocument>, StoreError> {
        self.read(|connection| document_at(connection, base, place))
    }

    pub fn document(&self, id: &DocumentId) -> Result<Option<KnowledgeDocument>, StoreError> {
        self.read(|connection| document(connection, id.as_str()))
    }

    /// Files, folders and addresses that a base was filled from.
    pub fn base_sources(&self, base: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| sources(connection, base))
    }
}

/// Makes a base, or gives one another description; where it is kept stays as it was.
pub(crate) fn put_base(connection: &Connection, base: &Base) -> rusqlite::Result<()> {
    write_one(
        connection,
        "INSERT INTO base (name, about, created, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO UPDATE SET about = ?2",
        params![base.name, base.about, base.created.0, base.at],
    )
}

/// Erases a base with its documents and their pieces.
pub(crate) fn delete_base(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    erase::group(
        connection,
        &MemoryGroup::Scope(MemoryScope::Base(name.to_owned())),
    )?;
    for table in ["piece", "document", "base_source"] {
        write(
            connection,
            &format!("DELETE FROM {table} WHERE base = ?1"),
            [name],
        )?;
    }
    write(connection, "DELETE FROM base WHERE name = ?1", [name])?;
    erasure::ask(connection)
}

/// Remembers a file, folder or address that was imported, so that it can be looked at again.
pub(crate) fn put_source(connection: &Connection, base: &str, place: &str) -> rusqlite::Result<()> {
    write(
        connection,
        "INSERT OR IGNORE INTO base_source (base, place) VALUES (?1, ?2)",
        params![base, place],
    )
    .map(|_| ())
}

/// Files, folders and addresses that were imported into a base.
pub(crate) fn sources(connection: &Connection, base: &str) -> rusqlite::Result<Vec<String>> {
    rows(
        connection,
        "SELECT place FROM base_source WHERE base = ?1 ORDER BY place",
        [base],
        |row| row.get(0),
    )
}

pub(crate) fn put_document(connection: &Connection, document: &KnowledgeDocument) -> rusqlite::Result<()> {
    put_row(
        connection,
        "document",
        &["id"],
        named_params! {
            "id": document.id.as_str(),
            "base": document.base,
            "place": document.place,
            "format": document.format,
            "bytes": signed(document.bytes),
            "changed": document.changed.0,
            "imported": document.imported.0,
            "pieces": signed(document.pieces),
            "duplicates": signed(document.duplicates),
            "deprecated": signed(document.deprecated),
            "partial": document.partial,
            "reason": document.reason.map(Named),
            "detail": document.detail,
        },
        &["base"],
    )
}

/// Erases a document; pieces that others have too stay theirs.
pub(crate) fn delete_document(connection: &Connection, document: &DocumentId) -> rusqlite::Result<()> {
    piece::sweep(connection, document, i64::MAX)?;
    write(
        connection,
        "DELETE FROM base_source WHERE (base, place) IN (SELECT base, place FROM document WHERE id = ?1)",
        [document.as_str()],
    )?;
    write(
        connection,
        "DELETE FROM document WHERE id = ?1",
        [document.as_str()],
    )?;
    erasure::ask(connection)
}

/// A document that is to be read anew at the next import.
fn mark_stale(connection: &Connection, document: &str) -> rusqlite::Result<()> {
    write(
        connection,
        "UPDATE document SET changed = ?2 WHERE id = ?1",
        params![document, STALE.0],
    )
    .map(|_| ())
}

/// All bases by name.
pub(crate) fn bases(connection: &Connection) -> rusqlite::Result<Vec<KnowledgeBase>> {
    rows(
        connection,
        "SELECT name, about, created, count(document.id), coalesce(sum(document.pieces), 0), count(document.reason), at
         FROM base LEFT JOIN document ON document.base = base.name GROUP BY name ORDER BY name",
        [],
        |row| {
            Ok(KnowledgeBase {
                name: row.get(0)?,
                about: row.get(1)?,
                created: Moment(row.get(2)?),
                documents: row.get(3)?,
                pieces: unsigned(row.get(4)?),
                problems: row.get(5)?,
                at: row.get(6)?,
                trouble: None,
                remedy: None,
            })
        },
    )
}

/// Documents of a base by place, from the `offset`th on.
pub(crate) fn documents(
    connection: &Connection,
    base: &str,
    offset: u32,
    limit: u32,
) -> rusqlite::Result<Vec<KnowledgeDocument>> {
    rows(
        connection,
        &format!("SELECT {COLUMNS} FROM document WHERE base = ?1 ORDER BY place LIMIT ?3 OFFSET ?2"),
        params![base, offset, limit],
        read,
    )
}

/// The document of a base that was imported from `place`.
pub(crate) fn document_at(
    connection: &Connection,
    base: &str,
    place: &str,
) -> rusqlite::Result<Option<KnowledgeDocument>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM document WHERE base = ?1 AND place = ?2"
        ))?
        .query_row(params![base, place], read)
        .optional()
}

pub(crate) fn document(connection: &Connection, id: &str) -> rusqlite::Result<Option<KnowledgeDocument>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM document WHERE id = ?1"))?
        .query_row([id], read)
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<KnowledgeDocument> {
    Ok(KnowledgeDocument {
        id: DocumentId::from(row.get::<_, String>(0)?),
        base: row.get(1)?,
        place: row.get(2)?,
        format: row.get(3)?,
        bytes: unsigned(row.get(4)?),
        changed: Moment(row.get(5)?),
        imported: Moment(row.get(6)?),
        pieces: unsigned(row.get(7)?),
        duplicates: unsigned(row.get(8)?),
        deprecated: unsigned(row.get(9)?),
        partial: row.get(10)?,
        reason: row.get::<_, Option<Named<_>>>(11)?.map(|reason| reason.0),
        detail: row.get(12)?,
    })
}
