//! Where the pieces of a base are kept: here, in the store (`local.rs`), or by a team's server (`qdrant.rs`). An import
//! knows no more of the place than this.

use crate::sentences::of_server;
use crate::server::Failure;
use shidi_protocol::{DocumentId, KnowledgeDocument, UserError};
use shidi_space::Space;
use shidi_space::storage;
use shidi_store::StoreError;
use shidi_toolkits::knowledge::Piece;

/// A document that is being read.
pub struct Reading {
    pub document: DocumentId,
    pub place: String,
    /// Of the pieces that were read before, only the ones of this round or a later one stay.
    pub round: i64,
    /// How many different pieces came before.
    pub ordinal: i64,
}

/// Whose words a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Own,
    /// Another document says the same.
    Elsewhere,
}

/// What keeps the pieces of one base. A piece counts once [`Backend::commit`] returned. The row of a document comes
/// after its pieces, so an unfinished document is read again.
pub trait Backend {
    /// The document that was imported from `place`.
    fn document_at(&self, place: &str) -> Result<Option<KnowledgeDocument>, Trouble>;

    /// Documents that were imported from this computer.
    fn own_documents(&self) -> Result<Vec<KnowledgeDocument>, Trouble>;

    /// The id of a document that is new.
    fn new_id(&self, place: &str) -> DocumentId;

    fn take(&mut self, piece: Piece, fingerprint: String, reading: &Reading) -> Result<Taken, Trouble>;

    /// Takes away the pieces of a document that were not seen in that round or later.
    fn sweep(&mut self, document: &DocumentId, round: i64);

    fn put(&mut self, document: KnowledgeDocument);

    /// Erases a document with its pieces.
    fn remove(&mut self, document: DocumentId);

    /// Commits what is enough for one go.
    fn commit_when_full(&mut self) -> Result<(), Trouble>;

    fn commit(&mut self) -> Result<(), Trouble>;
}

/// Why a base could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{at}: {cause}")]
    Server { at: String, cause: Failure },
}

impl Trouble {
    /// The sentence and the remedy.
    pub fn explain(&self, space: &Space) -> UserError {
        match self {
            Self::Store(cause) => storage::explain(cause, space.language()),
            Self::Server { at, cause } => of_server(space, at, cause),
        }
    }
}

/// How an answer cites a place of a document: `制度.pdf p. 3`.
pub fn cited(document: &str, place: &str) -> String {
    let name = match document.contains("://") {
        true => document,
        // Whoever imported it may have had another system.
        false => document.rsplit(['/', '\\']).next().unwrap_or_default(),
    };
    format!("{name} {place}").trim().to_owned()
}
