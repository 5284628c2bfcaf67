//! Changes as earlier versions laid them out. `earlier/SESSION/RUN/CALL` holds the facts as `change.json`, and the
//! file's earlier content as `earlier`. Such changes stay where they lie and get rows, once. A process that ends
//! half-way leaves the rest to the next.

use crate::row::row_of;
use shidi_protocol::{CallId, RunId, SessionId};
use shidi_space::Space;
use shidi_space::blob_store::{EARLIER, earlier_places};
use shidi_store::{
    BlobFile, BlobPurpose, BlobReference, BlobWrite, ChangeRow, ChangeWrite, StoreError, Write,
};
use shidi_toolkits::Change;
use std::fs;
use std::path::Path;

/// Where the changes of programs lay that belonged to no session.
const WITHOUT_SESSION: &str = "exec";

/// Changes that get their rows in one transaction: some milliseconds.
const TOGETHER: usize = 128;

/// Gives changes of an earlier layout their rows, unless that was done. Changes whose session is gone get no rows, and
/// go with the next sweep of files.
///
/// # Errors
/// Storage trouble.
pub fn take_over(space: &Space) -> Result<(), StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(());
    };
    space.blobs.take_over(&space.store, EARLIER, || {
        earlier_places(files)
            .chunks(TOGETHER)
            .try_for_each(|places| rows(space, files, places))
    })
}

fn rows(space: &Space, files: &Path, places: &[String]) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for call in places.iter().filter_map(|place| Found::of(place)) {
        if let Some(session) = &call.session
            && space.store.session(session)?.is_none()
        {
            continue;
        }
        match call.change(files) {
            Some(change) => rows.push(Write::Change(ChangeWrite::Find(Box::new(change)))),
            // Nobody can undo such a change. But its earlier content may be looked for by hand as long as its session
            // is there.
            None if call.session.is_some() => {}
            None => continue,
        }
        rows.push(call.refers());
    }
    space.store.commit(rows)
}

/// The folder of a call.
struct Found<'a> {
    place: &'a str,
    session: Option<SessionId>,
    run: RunId,
    call: CallId,
}

impl<'a> Found<'a> {
    fn of(place: &'a str) -> Option<Self> {
        let mut names = place.split('/').skip(1);
        let (session, run, call) = (names.next()?, names.next()?, names.next()?);
        Some(Self {
            place,
            session: (session != WITHOUT_SESSION).then(|| SessionId::from(session)),
            run: RunId::from(run.to_owned()),
            call: CallId(call.parse().ok()?),
        })
    }

    fn change(&self, files: &Path) -> Option<ChangeRow> {
        let text = fs::read(files.join(self.place).join("change.json")).ok()?;
        let change: Change = serde_json::from_slice(&text).ok()?;
        let row = row_of(&change, &self.run, self.call).ok()?;
        let session = self.session.clone();
        Some(ChangeRow { session, ..row })
    }

    fn refers(self) -> Write {
        Write::Blob(BlobWrite::Refer(Box::new(BlobReference {
            owner: ChangeRow::owner(&self.run, self.call),
            file: BlobFile {
                place: self.place.to_owned(),
                name: "earlier".to_owned(),
            },
            session: self.session,
            run: self.run,
            purpose: BlobPurpose::Earlier,
        })))
    }
}
