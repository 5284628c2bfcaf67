//! Reading knowledge bases: which there are, what is in them, and what is known of a piece.

use crate::table::knowledge;
use crate::table::knowledge::piece::{self, KnownPiece};
use crate::{Store, StoreError};
use shidi_protocol::{DocumentId, KnowledgeBase, KnowledgeDocument};

impl Store {
    /// All knowledge bases by name.
    pub fn bases(&self) -> Result<Vec<KnowledgeBase>, StoreError> {
        self.read(knowledge::bases)
    }

    /// Documents of a base by place, from the `offset`th on.
    pub fn documents(
        &self,
        base: &str,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<KnowledgeDocument>, StoreError> {
        self.read(|connection| knowledge::documents(connection, base, offset, limit))
    }

    /// The document of a base that was imported from `place`.
    pub fn document_at(&self, base: &str, place: &str) -> Result<Option<KnowledgeDocument>, StoreError> {
        self.read(|connection| knowledge::document_at(connection, base, place))
    }

    pub fn document(&self, id: &DocumentId) -> Result<Option<KnowledgeDocument>, StoreError> {
        self.read(|connection| knowledge::document(connection, id.as_str()))
    }

    /// Files, folders and addresses that a base was filled from.
    pub fn base_sources(&self, base: &str) -> Result<Vec<String>, StoreError> {
        self.read(|connection| knowledge::sources(connection, base))
    }

    /// The record that says a piece already, in this document or in another one of its base.
    pub fn known_piece(
        &self,
        base: &str,
        fingerprint: &str,
        document: &DocumentId,
    ) -> Result<Option<KnownPiece>, StoreError> {
        self.read(|connection| piece::known(connection, base, fingerprint, document))
    }
}
