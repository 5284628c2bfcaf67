//! Files as earlier versions laid them out. They stay where they lie, since transcripts name their paths. They get rows
//! as if they had been kept today, once for each kind. A process that ends half-way leaves the rest to the next.
//!
//! `attachments/HASH/NAME` belonged to whatever question named it, `captures/LOOK.jpg` to the look of that name. Of
//! `earlier/SESSION/RUN/CALL` the changes of files know more.

use super::{BLOBS, Owner, attached, file_at, names_in, places_in, reference};
use crate::clock;
use crate::space::Space;
use crate::storage;
use serde_json::Value;
use shidi_protocol::{Moment, RunId};
use shidi_store::{BlobFile, BlobPurpose, BlobWrite, RunState, StoreError, TAKEN_OVER, Write};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Folders below the data folder.
pub(super) const ATTACHMENTS: &str = "attachments";
const CAPTURES: &str = "captures";
/// Where what stood in files lay, each in the folder of its call below its run and session.
pub const EARLIER: &str = "earlier";

/// Rows that are written in one transaction, and runs that are read for it: some milliseconds.
const TOGETHER: usize = 256;

/// Takes attachments and captures over.
pub(super) fn take_over(space: &Space) -> Result<(), StoreError> {
    take_over_captures(space)?;
    let work = || attachments(space);
    space.blobs.take_over(&space.store, ATTACHMENTS, work)
}

pub(super) fn take_over_captures(space: &Space) -> Result<(), StoreError> {
    space.blobs.take_over(&space.store, CAPTURES, || captures(space))
}

/// Places below the data folder that have rows if anything refers to them.
pub(super) fn places(space: &Space, files: &Path) -> Vec<String> {
    let is_taken_over = |kind: &&str| space.blobs.is_taken_over(kind);
    let roots = [ATTACHMENTS, CAPTURES].into_iter().filter(is_taken_over);
    let mut places: Vec<String> = roots.flat_map(|root| places_in(files, root)).collect();
    if space.blobs.is_taken_over(EARLIER) {
        places.extend(earlier_places(files));
    }
    places
}

/// The folders of calls that changed files.
pub fn earlier_places(files: &Path) -> Vec<String> {
    let sessions = places_in(files, EARLIER).into_iter();
    let runs = sessions.flat_map(|session| places_in(files, &session));
    runs.flat_map(|run| places_in(files, &run)).collect()
}

/// Since when a file may wait to be sent.
fn since(path: &Path) -> Moment {
    let changed = fs::metadata(path).and_then(|facts| facts.modified()).ok();
    let age = changed.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    age.map_or_else(clock::now, |age| {
        Moment(i64::try_from(age.as_millis()).unwrap_or(i64::MAX))
    })
}

fn captures(space: &Space) -> Result<(), StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(());
    };
    let there: HashSet<String> = names_in(&files.join(CAPTURES)).into_iter().collect();
    if there.is_empty() {
        return Ok(());
    }
    let mut rows = Vec::new();
    for look in space.store.looks_sent(None)? {
        let name = format!("{}.jpg", look.id);
        if !there.contains(&name) {
            continue;
        }
        let owner = Owner {
            session: look.session.as_ref(),
            // The ledger does not name the run.
            run: &RunId::from(String::new()),
            purpose: BlobPurpose::Capture,
            name: look.id,
        };
        let file = BlobFile {
            place: format!("{CAPTURES}/{name}"),
            name: String::new(),
        };
        rows.push(reference(file, owner));
    }
    write(space, &rows)
}

/// Gives every folder a row, and then each question references to the folders that it names. A rescued database may
/// have lost some references, so folders of today are included there.
fn attachments(space: &Space) -> Result<(), StoreError> {
    let Some(files) = space.home.files() else {
        return Ok(());
    };
    let places = places_in(files, ATTACHMENTS);
    if places.is_empty() && places_in(files, BLOBS).is_empty() {
        return Ok(());
    }
    let found = places.iter().map(|place| {
        let since = since(&files.join(place));
        let place = place.clone();
        Write::Blob(BlobWrite::Find { place, since })
    });
    write(space, &found.collect::<Vec<_>>())?;
    let key = format!("{TAKEN_OVER}{ATTACHMENTS}.run");
    let reached = space.store.setting(&key)?;
    let mut after = reached.and_then(|run| Some(RunId::from(run.as_str()?.to_owned())));
    loop {
        let runs = space.store.runs_after(after.as_ref(), TOGETHER as u32)?;
        let Some(last) = runs.last().map(|run| run.run.clone()) else {
            return Ok(());
        };
        let mut rows: Vec<Write> = runs
            .iter()
            .flat_map(|run| named_by(files, &places, run))
            .collect();
        let (key, value) = (key.clone(), Value::from(last.as_str()));
        rows.push(Write::PutSetting { key, value });
        space.store.commit(rows)?;
        after = Some(last);
    }
}

/// References of a run to the files that its question names. A state that can't be read may name any.
fn named_by(files: &Path, places: &[String], run: &RunState) -> Vec<Write> {
    let named: Vec<BlobFile> = match storage::read_state(run) {
        Ok((_, ask)) => {
            let paths = ask.files.iter().map(Path::new).filter(|path| path.is_file());
            paths.filter_map(|path| file_at(files, path)).collect()
        }
        Err(_) => {
            let any = places.iter().flat_map(|place| {
                let names = names_in(&files.join(place)).into_iter();
                names.map(move |name| BlobFile {
                    place: place.clone(),
                    name,
                })
            });
            any.collect()
        }
    };
    let owner = || attached(&run.session, &run.run);
    named.into_iter().map(|file| reference(file, owner())).collect()
}

fn write(space: &Space, rows: &[Write]) -> Result<(), StoreError> {
    rows.chunks(TOGETHER)
        .try_for_each(|some| space.store.commit(some.to_vec()))
}
