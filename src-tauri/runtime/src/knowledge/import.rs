//! Reads documents into a base, one after the other: what did not change is passed by, what changed is compared piece by
//! piece, and what another document says in the same words is kept once.
//!
//! Writes are gathered over documents and committed in groups. A document counts as imported with the commit that holds
//! its own row, which comes last; after a crash it is read again, and its pieces are found as they are.

use crate::clock;
use crate::limits::{IMPORT_PROBLEMS_MAX, IMPORT_WRITES};
use shidi_protocol::{
    DocumentId, KnowledgeDocument, KnowledgeProblem, KnowledgeReport, MemoryData, MemoryId, MemoryKind,
    MemoryOrigin, MemoryRecord, MemoryScope, Moment, Unreadable,
};
use shidi_store::{Batch, SeenPiece, Store, StoreError, Write};
use shidi_toolkits::knowledge::{Cut, Piece, cut};
use shidi_toolkits::{Library, ToolError};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// What is imported: where it is named, and where its bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub place: String,
    pub path: std::path::PathBuf,
    /// Whether the user named it, and did not only name a folder around it.
    pub is_named: bool,
}

/// An import under way.
pub struct Import<'a> {
    store: &'a Store,
    library: &'a Library,
    base: &'a str,
    batch: Batch,
    /// Records of pieces that are written but not yet committed.
    uncommitted: HashMap<String, MemoryId>,
    report: KnowledgeReport,
}

/// A document that is being read.
struct Reading {
    document: DocumentId,
    round: i64,
    seen: HashSet<String>,
    pieces: u64,
    duplicates: u64,
    deprecated: u64,
}

impl<'a> Import<'a> {
    pub fn new(store: &'a Store, library: &'a Library, base: &'a str) -> Self {
        Self {
            store,
            library,
            base,
            batch: Batch::default(),
            uncommitted: HashMap::new(),
            report: KnowledgeReport::default(),
        }
    }

    /// Imports one document; one that can't be read is noted and keeps the pieces of an earlier import.
    ///
    /// # Errors
    /// Storage trouble: what was committed before stays.
    pub fn document(&mut self, item: &Item, progress: &mut dyn FnMut(u64, u64)) -> Result<(), StoreError> {
        let known = self.store.document_at(self.base, &item.place)?;
        let facts = item.path.metadata();
        let (bytes, changed) = facts
            .as_ref()
            .map_or((0, Moment(0)), |facts| (facts.len(), changed(facts)));
        if known
            .as_ref()
            .is_some_and(|known| known.bytes == bytes && known.changed == changed)
        {
            self.report.unchanged += 1;
            return Ok(());
        }
        let mut reading = Reading {
            document: known
                .as_ref()
                .map_or_else(DocumentId::mint, |known| known.id.clone()),
            round: known
                .as_ref()
                .map_or(0, |known| known.imported.0)
                .max(clock::now().0)
                + 1,
            seen: HashSet::new(),
            pieces: 0,
            duplicates: 0,
            deprecated: 0,
        };
        let mut failed = None;
        let ended = cut(&item.path, self.library, progress, &mut |piece| {
            let taken = self
                .piece(piece, &mut reading)
                .and_then(|()| self.commit_when_full());
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(cause) => {
                    failed = Some(cause);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(cause) = failed {
            return Err(cause);
        }
        let row = KnowledgeDocument {
            id: reading.document.clone(),
            base: self.base.to_owned(),
            place: item.place.clone(),
            format: String::new(),
            bytes,
            changed,
            imported: Moment(reading.round),
            pieces: reading.pieces,
            duplicates: reading.duplicates,
            deprecated: reading.deprecated,
            partial: false,
            reason: None,
            detail: None,
        };
        match ended {
            Ok(cut) => self.finish(row, cut, reading),
            Err(cause) => self.refuse(row, known, item, &cause),
        }
        self.commit_when_full()
    }

    /// Erases a document whose file is gone.
    pub fn remove(&mut self, document: DocumentId) -> Result<(), StoreError> {
        self.report.removed += 1;
        self.batch.push(Write::DeleteDocument(document));
        self.commit_when_full()
    }

    /// Notes something that gave nothing to import.
    pub fn problem(&mut self, place: &str, reason: Unreadable, detail: Option<String>) {
        self.report.failed += 1;
        if self.report.problems.len() < IMPORT_PROBLEMS_MAX {
            self.report.problems.push(KnowledgeProblem {
                place: place.to_owned(),
                reason,
                detail,
            });
        }
    }

    /// Notes a folder with more files than are looked at.
    pub fn cut_short(&mut self) {
        self.report.cut = true;
    }

    /// Commits what is left.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn finish_all(mut self) -> Result<KnowledgeReport, StoreError> {
        self.commit()?;
        Ok(self.report)
    }

    fn finish(&mut self, row: KnowledgeDocument, cut: Cut, reading: Reading) {
        self.report.read += 1;
        self.report.pieces += reading.pieces;
        self.report.duplicates += reading.duplicates;
        self.report.deprecated += reading.deprecated;
        self.batch.push(Write::SweepPieces {
            document: reading.document,
            round: reading.round,
        });
        self.batch.push(Write::PutDocument(Box::new(KnowledgeDocument {
            format: cut.format.name().to_owned(),
            partial: cut.is_partial,
            ..row
        })));
    }

    /// A file of a folder that holds no text is no trouble; any other one is shown, and tried again next time.
    fn refuse(
        &mut self,
        row: KnowledgeDocument,
        known: Option<KnowledgeDocument>,
        item: &Item,
        cause: &ToolError,
    ) {
        let reason = cause.reason();
        if known.is_none() && !item.is_named && matches!(reason, Unreadable::Binary | Unreadable::Empty) {
            self.report.skipped += 1;
            return;
        }
        self.problem(&item.place, reason, cause.detail());
        if known.is_none() {
            // Nothing is kept of the part before the place where it broke.
            self.batch.push(Write::SweepPieces {
                document: row.id.clone(),
                round: i64::MAX,
            });
        }
        let row = known.unwrap_or(KnowledgeDocument {
            pieces: 0,
            duplicates: 0,
            deprecated: 0,
            ..row
        });
        self.batch.push(Write::PutDocument(Box::new(KnowledgeDocument {
            changed: Moment(-1),
            reason: Some(reason),
            detail: cause.detail(),
            ..row
        })));
    }

    fn piece(&mut self, piece: Piece, reading: &mut Reading) -> Result<(), StoreError> {
        if piece.is_deprecated {
            reading.deprecated += 1;
            return Ok(());
        }
        let fingerprint = piece.fingerprint();
        if !reading.seen.insert(fingerprint.clone()) {
            reading.duplicates += 1;
            return Ok(());
        }
        let committed = self
            .store
            .known_piece(self.base, &fingerprint, &reading.document)?;
        let elsewhere = self.uncommitted.get(&fingerprint).cloned();
        let (memory, owns) = match (committed, elsewhere) {
            (Some(known), _) => (known.memory, known.owns),
            (None, Some(memory)) => (memory, false),
            (None, None) => (MemoryId::mint(), true),
        };
        reading.pieces += 1;
        if owns {
            let record = record(piece, &memory, self.base, reading);
            self.uncommitted.insert(fingerprint.clone(), memory.clone());
            if self
                .store
                .memory(&memory)?
                .is_none_or(|stored| !is_same(&stored, &record))
            {
                self.batch.push(Write::PutMemory(Box::new(record)));
            }
        } else {
            reading.duplicates += 1;
        }
        self.batch.push(Write::PutPiece(SeenPiece {
            base: self.base.to_owned(),
            document: reading.document.clone(),
            fingerprint,
            memory,
            owns,
            round: reading.round,
        }));
        Ok(())
    }

    fn commit_when_full(&mut self) -> Result<(), StoreError> {
        if self.batch.len() < IMPORT_WRITES {
            return Ok(());
        }
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.uncommitted.clear();
        self.store.commit(std::mem::take(&mut self.batch))
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
    record.sort_value = i64::try_from(reading.seen.len()).unwrap_or(i64::MAX);
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

fn changed(facts: &std::fs::Metadata) -> Moment {
    let since = facts
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .unwrap_or_default();
    Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The files of a folder as items.
///
/// # Errors
/// A folder that can't be listed.
pub fn items_of(folder: &Path) -> Result<(Vec<Item>, bool), ToolError> {
    let files = shidi_toolkits::knowledge::files(folder)?;
    let item = |path: std::path::PathBuf| Item {
        place: path.display().to_string(),
        path,
        is_named: false,
    };
    Ok((files.paths.into_iter().map(item).collect(), files.cut))
}
