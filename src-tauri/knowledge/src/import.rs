//! Reads documents into a base, one after the other. An unchanged document is passed by, and a changed one is compared
//! piece by piece. A piece with the same words as another document's is kept once.
//!
//! Where it is kept is not decided here (`backend.rs`). A document counts as imported with its own row, which comes
//! last. After a crash the document is read again, and its pieces are found as they are.

use crate::backend::{Backend, Reading, Taken, Trouble};
use crate::limits::IMPORT_PROBLEMS_MAX;
use shidi_protocol::{DocumentId, KnowledgeDocument, KnowledgeProblem, KnowledgeReport, Moment, Unreadable};
use shidi_space::clock;
use shidi_toolkits::knowledge::{Cut, Piece, cut};
use shidi_toolkits::{Library, ToolError};
use std::collections::HashSet;
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
    backend: &'a mut dyn Backend,
    library: &'a Library,
    base: &'a str,
    report: KnowledgeReport,
}

/// What came of a document so far.
struct Cutting {
    reading: Reading,
    seen: HashSet<String>,
    pieces: u64,
    duplicates: u64,
    deprecated: u64,
}

impl<'a> Import<'a> {
    pub fn new(backend: &'a mut dyn Backend, library: &'a Library, base: &'a str) -> Self {
        Self {
            backend,
            library,
            base,
            report: KnowledgeReport::default(),
        }
    }

    /// Imports one document; one that can't be read is noted and keeps the pieces of an earlier import.
    ///
    /// # Errors
    /// Storage trouble, or the server's: what was committed before stays.
    pub fn document(&mut self, item: &Item, progress: &mut dyn FnMut(u64, u64)) -> Result<(), Trouble> {
        let known = self.backend.document_at(&item.place)?;
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
        let document = known
            .as_ref()
            .map_or_else(|| self.backend.new_id(&item.place), |known| known.id.clone());
        let before = known.as_ref().map_or(0, |known| known.imported.0);
        let mut cutting = Cutting {
            reading: Reading {
                document,
                place: item.place.clone(),
                round: before.max(clock::now().0) + 1,
                ordinal: 0,
            },
            seen: HashSet::new(),
            pieces: 0,
            duplicates: 0,
            deprecated: 0,
        };
        let mut failed = None;
        let ended = cut(&item.path, self.library, progress, &mut |piece| {
            let taken = self
                .piece(piece, &mut cutting)
                .and_then(|()| self.backend.commit_when_full());
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
            id: cutting.reading.document.clone(),
            base: self.base.to_owned(),
            place: item.place.clone(),
            format: String::new(),
            bytes,
            changed,
            imported: Moment(cutting.reading.round),
            pieces: cutting.pieces,
            duplicates: cutting.duplicates,
            deprecated: cutting.deprecated,
            partial: false,
            reason: None,
            detail: None,
        };
        match ended {
            Ok(cut) => self.finish(row, cut, &cutting),
            Err(cause) => self.refuse(row, known, item, &cause),
        }
        self.backend.commit_when_full()
    }

    /// What was imported before from this computer.
    pub fn documents(&self) -> Result<Vec<KnowledgeDocument>, Trouble> {
        self.backend.own_documents()
    }

    /// Erases a document whose file is gone.
    pub fn remove(&mut self, document: DocumentId) -> Result<(), Trouble> {
        self.report.removed += 1;
        self.backend.remove(document);
        self.backend.commit_when_full()
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
    pub fn finish_all(self) -> Result<KnowledgeReport, Trouble> {
        self.backend.commit()?;
        Ok(self.report)
    }

    fn finish(&mut self, row: KnowledgeDocument, cut: Cut, cutting: &Cutting) {
        self.report.read += 1;
        self.report.pieces += cutting.pieces;
        self.report.duplicates += cutting.duplicates;
        self.report.deprecated += cutting.deprecated;
        self.backend
            .sweep(&cutting.reading.document, cutting.reading.round);
        self.backend.put(KnowledgeDocument {
            format: cut.format.name().to_owned(),
            partial: cut.is_partial,
            ..row
        });
    }

    /// A file of a folder that holds no text is no trouble. Any other refused file is shown, and tried again next
    /// time.
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
            self.backend.sweep(&row.id, i64::MAX);
        }
        let row = known.unwrap_or(KnowledgeDocument {
            pieces: 0,
            duplicates: 0,
            deprecated: 0,
            ..row
        });
        self.backend.put(KnowledgeDocument {
            changed: Moment(-1),
            reason: Some(reason),
            detail: cause.detail(),
            ..row
        });
    }

    fn piece(&mut self, piece: Piece, cutting: &mut Cutting) -> Result<(), Trouble> {
        if piece.is_deprecated {
            cutting.deprecated += 1;
            return Ok(());
        }
        let fingerprint = piece.fingerprint();
        if !cutting.seen.insert(fingerprint.clone()) {
            cutting.duplicates += 1;
            return Ok(());
        }
        cutting.pieces += 1;
        cutting.reading.ordinal = i64::try_from(cutting.seen.len()).unwrap_or(i64::MAX);
        match self.backend.take(piece, fingerprint, &cutting.reading)? {
            Taken::Own => {}
            Taken::Elsewhere => cutting.duplicates += 1,
        }
        Ok(())
    }
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
