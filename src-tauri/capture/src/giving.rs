//! A look for whoever asks: the user, a run, or another program. A view for another program stands in the ledger with
//! that program's name, text without pixels too. The ledger also says if the gate kept something from the program.

use crate::ledger::note;
use crate::limits::PROGRAM_CHARACTERS_MAX;
use crate::{Capture, Once, look_here, look_once, view};
use shidi_protocol::{LookAt, LookOutcome, LookRecord, RunId, UserError, reply};
use shidi_space::clock;
use std::sync::Arc;

/// Looks once. `to` is the other program that gets the view. Then the view is not kept, and the user's own views stay.
/// What the gate lets nothing through of is no failure: the view says why in words.
///
/// # Errors
/// No display, or one that can't be looked at; storage trouble of the ledger, before anything is given.
pub async fn look(
    capture: &Arc<Capture>,
    what: LookAt,
    to: Option<String>,
) -> Result<reply::Looked, UserError> {
    let Some(program) = to else {
        return look_here(capture, what).await;
    };
    let (view, outcome) = match look_once(capture, what).await? {
        Once::Seen(kept) => (view(capture, "", &kept), LookOutcome::Given),
        Once::Blocked(looked) => (looked.view, LookOutcome::Refused),
    };
    let line = LookRecord {
        id: RunId::mint().as_str().to_owned(),
        time: clock::now(),
        what,
        app: view.app.clone(),
        title: program.chars().take(PROGRAM_CHARACTERS_MAX).collect(),
        width: 0,
        height: 0,
        blacked_out: view.blacked_out,
        outcome,
        session: None,
    };
    note(capture, &line)?;
    Ok(reply::Looked { view })
}
