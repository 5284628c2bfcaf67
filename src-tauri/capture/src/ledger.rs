//! The ledger of looks: a line for each that was kept, sent, given or refused.

use crate::{Capture, KeptView};
use shidi_protocol::{LookAt, LookOutcome, LookRecord, UserError, reply};
use shidi_senses::Seen;
use shidi_space::clock;
use shidi_space::limits::LISTED_MAX;
use shidi_store::Write;

/// What was seen, kept and sent, newest first.
///
/// # Errors
/// Storage trouble.
pub fn ledger(capture: &Capture, limit: u32) -> Result<reply::Looks, UserError> {
    let stored = |cause| shidi_space::storage::explain(&cause, capture.space.language());
    capture.space.store.flush().map_err(stored)?;
    let mut looks = capture.space.store.looks(limit.min(LISTED_MAX)).map_err(stored)?;
    let now = clock::now();
    let mut memory = capture.looking.memory.lock();
    for look in looks.iter_mut().filter(|look| look.outcome == LookOutcome::Gone) {
        if memory.get(&look.id, now).is_some() {
            look.outcome = LookOutcome::Kept;
        }
    }
    Ok(reply::Looks { looks })
}

/// A line of the ledger; the title is written only of what is sent.
pub(crate) fn record(id: &str, kept: &KeptView, outcome: LookOutcome) -> LookRecord {
    LookRecord {
        time: kept.time,
        width: kept.picture.as_ref().map_or(0, |picture| picture.width),
        height: kept.picture.as_ref().map_or(0, |picture| picture.height),
        ..record_of(id, kept.what, &kept.seen, outcome)
    }
}

/// The same without a picture, of this moment.
pub(crate) fn record_of(id: &str, what: LookAt, seen: &Seen, outcome: LookOutcome) -> LookRecord {
    LookRecord {
        id: id.to_owned(),
        time: clock::now(),
        what,
        app: seen.app.clone(),
        title: String::new(),
        width: 0,
        height: 0,
        blacked_out: seen.blacked_out,
        outcome,
        session: None,
    }
}

pub(crate) fn note(capture: &Capture, record: &LookRecord) -> Result<(), UserError> {
    let write = Write::PutLook(Box::new(record.clone()));
    capture
        .space
        .store
        .buffer(write)
        .map_err(|cause| shidi_space::storage::explain(&cause, capture.space.language()))
}
