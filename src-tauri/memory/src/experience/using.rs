//! Brings reviewed experiences into a run, and notes which they are: they are scored by its outcome.

use super::choosing::{Wanted, choose};
use super::outcome::is_disproved;
use crate::limits::EXPERIENCES_APPROVED_MAX;
use shidi_protocol::{Ask, Experience, ExperienceRole, ExperienceState, RunId, SessionId};
use shidi_space::Space;
use shidi_space::clock;
use shidi_store::{ExperienceWrite, StoreError, Write};

/// Experiences for a run that asks a model. An interrupted run has its earlier experiences, as far as they still hold.
/// Else the experiences come that fit its question, best first. Trouble is logged and keeps no question from its
/// answer.
pub fn for_run(space: &Space, ask: &Ask, session: &SessionId, run: &RunId) -> Vec<Experience> {
    if ask.replay.is_some() || !space.config().experience.used {
        return Vec::new();
    }
    chosen(space, ask, session, run).unwrap_or_else(|cause| {
        tracing::warn!(%cause, "no experience is brought into a run");
        Vec::new()
    })
}

/// The rows that say that a run uses them; they come after its own.
pub fn noted(used: &[Experience], run: &RunId) -> Vec<Write> {
    let note = |experience: &Experience| {
        Write::Experience(ExperienceWrite::Link {
            experience: experience.id.clone(),
            run: run.clone(),
            role: ExperienceRole::Used,
            at: clock::now(),
        })
    };
    used.iter().map(note).collect()
}

fn chosen(space: &Space, ask: &Ask, session: &SessionId, run: &RunId) -> Result<Vec<Experience>, StoreError> {
    if space.store.run(run)?.is_some() {
        let mut used = space.store.experiences_of(run)?;
        used.retain(|used| used.state == ExperienceState::Approved);
        return Ok(used);
    }
    let approved = space.store.experiences_approved(EXPERIENCES_APPROVED_MAX)?;
    let chosen = choose(&Wanted::of(ask, session), &approved);
    Ok(chosen
        .into_iter()
        .map(|chosen| chosen.experience.clone())
        .filter(|chosen| !is_disproved(chosen.wins, chosen.losses))
        .collect())
}
