//! A base that the store keeps: its pieces are records like others, and found by the same search.
//!
//! Writes are gathered over documents and committed in groups.

use crate::backend::{Backend, Reading, Taken, Trouble};
use crate::limits::{IMPORT_DOCUMENTS_MAX, IMPORT_WRITES};
use shidi_protocol::{
    DocumentId, KnowledgeDocument, MemoryData, MemoryId, MemoryKind, MemoryOrigin, MemoryRecord, MemoryScope,
};
use shidi_space::clock;
use shidi_store::{Batch, KnowledgeWrite, MemoryWrite, SeenPiece, Store, Write};
use shidi_toolkits::knowledge::Piece;
use std::collections::HashMap;

pub struct LocalBackend {
    store: Store,
    base: String,
    batch: Batch,
    /// Records of pieces that are written but not yet committed.
    uncommitted: HashMap<String, MemoryId>,
}

impl LocalBackend {
    pub fn new(store: &Store, base: &str) -> Self {
        Self {
            store: store.clone(),
            base: base.to_owned(),
            batch: Batch::default(),
            uncommitted: HashMap::new(),
        }
    }
}

impl Backend for LocalBackend {
    fn document_at(&self, place: &str) -> Result<Option<KnowledgeDocument>, Trouble> {
        Ok(self.store.document_at(&self.base, place)?)
    }

    fn own_documents(&self) -> Result<Vec<KnowledgeDocument>, Trouble> {
        Ok(self.store.documents(&self.base, 0, IMPORT_DOCUMENTS_MAX)?)
    }

    fn new_id(&self, _place: &str) -> DocumentId {
        DocumentId::mint()
    }

    fn take(&mut self, piece: Piece, fingerprint: String, reading: &Reading) -> Result<Taken, Trouble> {
        let committed = self
            .store
            .known_piece(&self.base, &fingerprint, &reading.document)?;
        let elsewhere = self.uncommitted.get(&fingerprint).cloned();
        let (memory, owns) = match (committed, elsewhere) {
            (Some(known), _) => (known.memory, known.owns),
            (None, Some(memory)) => (memory, false),
            (None, None) => (MemoryId::mint(), true),
        };
        if owns {
            let record = record(piece, &memory, &self.base, reading);
            self.uncommitted.insert(fingerprint.clone(), memory.clone());
            let stored = self.store.memory(&memory)?;
            if stored.is_none_or(|stored| !is_same(&stored, &record)) {
                self.batch.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
            }
        }
        self.batch
            .push(Write::Knowledge(KnowledgeWrite::PutPiece(SeenPiece {
                base: self.base.clone(),
                document: reading.document.clone(),
                fingerprint,
                memory,
                owns,
                round: reading.round,
            })));
        Ok(if owns { Taken::Own } else { Taken::Elsewhere })
    }

    fn sweep(&mut self, document: &DocumentId, round: i64) {
        let document = document.clone();
        self.batch
            .push(Write::Knowledge(KnowledgeWrite::SweepPieces { document, round }));
    }

    fn put(&mut self, document: KnowledgeDocument) {
        self.batch
            .push(Write::Knowledge(KnowledgeWrite::PutDocument(Box::new(document))));
    }

    fn remove(&mut self, document: DocumentId) {
        self.batch
            .push(Write::Knowledge(KnowledgeWrite::DeleteDocument(document)));
    }

    fn commit_when_full(&mut self) -> Result<(), Trouble> {
        match self.batch.len() < IMPORT_WRITES {
            true => Ok(()),
            false => self.commit(),
        }
    }

    fn commit(&mut self) -> Result<(), Trouble> {
        self.uncommitted.clear();
        Ok(self.store.commit(std::mem::take(&mut self.batch))?)
    }
}

/// What a document says, which the user did not write to Shidi.
fn record(piece: Piece, id: &MemoryId, base: &str, reading: &Reading) -> MemoryRecord {
    let mut record = MemoryRecord::new(id.clone(), MemoryKind::Chunk, piece.text, clock::now());
    record.scope = MemoryScope::Base(base.to_owned());
    record.title = piece.heading;
    record.data = Some(MemoryData::Chunk {
        place: piece.place,
        fields: piece.fields,
    });
    record.origin = MemoryOrigin::Imported;
    record.source.document = Some(reading.document.to_string());
    record.sort_value = reading.ordinal;
    record.tainted = true;
    record
}

/// Whether a stored piece is what was read now, so that it need not be written and indexed again.
fn is_same(stored: &MemoryRecord, read: &MemoryRecord) -> bool {
    stored.text == read.text
        && stored.title == read.title
        && stored.data == read.data
        && stored.sort_value == read.sort_value
        && stored.source.document == read.source.document
}
