//! The record of a call's change. The record is a row in the store, and the file's earlier content among the files
//! that are kept.

use crate::layout;
use crate::row::{change_of, row_of};
use shidi_protocol::{CallId, RunId, SessionId};
use shidi_space::Space;
use shidi_space::blob_store::{self, Owner, Unkept};
use shidi_store::{BlobPurpose, ChangeRow, ChangeWrite, StoreError, Write};
use shidi_toolkits::{Change, ChangeRecord};
use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a call puts its change of a file on record; `None` where nothing is left on a disk.
pub fn record_of(
    space: &Arc<Space>,
    session: &SessionId,
    run: &RunId,
    call: CallId,
) -> Option<Arc<dyn ChangeRecord>> {
    space.home.files()?;
    Some(Arc::new(RecordOfCall {
        space: Arc::clone(space),
        session: Some(session.clone()),
        run: run.clone(),
        call,
    }))
}

/// One call of a run.
pub(crate) struct RecordOfCall {
    space: Arc<Space>,
    /// `None` for a program of an earlier version, which ran in no session.
    session: Option<SessionId>,
    run: RunId,
    call: CallId,
}

impl RecordOfCall {
    /// The record that a row is of.
    pub fn of(space: &Arc<Space>, row: &ChangeRow) -> Self {
        Self {
            space: Arc::clone(space),
            session: row.session.clone(),
            run: row.run.clone(),
            call: row.call,
        }
    }

    fn name(&self) -> String {
        ChangeRow::owner(&self.run, self.call)
    }

    fn earlier_file(&self) -> Result<Option<PathBuf>, StoreError> {
        blob_store::file_of(&self.space, BlobPurpose::Earlier, &self.name())
    }

    fn row_of(&self, change: &Change) -> io::Result<ChangeRow> {
        let row = row_of(change, &self.run, self.call)?;
        let session = self.session.clone();
        Ok(ChangeRow { session, ..row })
    }
}

impl fmt::Debug for RecordOfCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "change {}", self.name())
    }
}

impl ChangeRecord for RecordOfCall {
    fn change(&self) -> io::Result<Option<Change>> {
        layout::take_over(&self.space).map_err(io::Error::other)?;
        let row = self.space.store.change(&self.run, self.call);
        Ok(row.map_err(io::Error::other)?.map(change_of))
    }

    fn keep(&self, change: &Change, earlier: Option<&[u8]>) -> io::Result<()> {
        let row = Write::Change(ChangeWrite::Put(Box::new(self.row_of(change)?)));
        let Some(earlier) = earlier else {
            return self.space.store.commit(row).map_err(io::Error::other);
        };
        let name = change.path.file_name().unwrap_or_default().to_string_lossy();
        let owner = Owner {
            session: self.session.as_ref(),
            run: &self.run,
            purpose: BlobPurpose::Earlier,
            name: self.name(),
        };
        let kept = blob_store::keep_for(&self.space, &name, earlier, owner, vec![row]);
        kept.map(|_| ()).map_err(|cause| match cause {
            Unkept::File { cause, .. } => cause,
            Unkept::NoFolder | Unkept::Store(_) => io::Error::other(cause),
        })
    }

    fn earlier(&self) -> io::Result<Vec<u8>> {
        match self.earlier_file().map_err(io::Error::other)? {
            Some(path) => fs::read(path),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn earlier_path(&self) -> PathBuf {
        self.earlier_file()
            .ok()
            .flatten()
            .unwrap_or_else(|| self.name().into())
    }

    fn undo(&self) -> io::Result<()> {
        let (run, call) = (self.run.clone(), self.call);
        let undo = Write::Change(ChangeWrite::Undo { run, call });
        self.space.store.commit(undo).map_err(io::Error::other)
    }

    fn forget(&self) {
        let (run, call) = (self.run.clone(), self.call);
        let rows = Write::Change(ChangeWrite::TakeBack { run, call });
        let forgotten = blob_store::take_back(&self.space, BlobPurpose::Earlier, &self.name(), rows);
        if let Err(cause) = forgotten {
            tracing::warn!(%cause, "a change that was not made is still on record");
        }
    }
}
