//! Brings reviewed experiences into a run, and notes which they are: they are scored by its outcome.

use super::choosing::{Wanted, choose};
use super::linking::{LINKED_MAX, Links, linked};
use super::mistakes;
use super::outcome::is_disproved;
use crate::limits::EXPERIENCES_APPROVED_MAX;
use shidi_protocol::{
    Ask, Experience, ExperienceId, ExperienceRole, ExperienceState, RunId, SessionId, ToolkitSpec,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_store::{ExperienceWrite, StoreError, Write};

/// Experiences for a run that asks a model. An interrupted run has its earlier experiences, as far as they still hold.
/// Else the experiences come that fit its question, best first. Then come those that links lead to, and common mistakes
/// with its toolkits. Trouble is logged and keeps no question from its answer.
pub fn for_run(
    space: &Space,
    ask: &Ask,
    session: &SessionId,
    run: &RunId,
    toolkits: &[ToolkitSpec],
) -> Vec<Experience> {
    if ask.replay.is_some() || !space.config().experience.used {
        return Vec::new();
    }
    let found = match space.store.run(run) {
        Ok(None) => chosen(space, &Wanted::of(ask, session), toolkits),
        Ok(Some(_)) => recorded(space, run),
        Err(cause) => Err(cause),
    };
    found.unwrap_or_else(|cause| {
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

/// What an interrupted run had, as far as it still holds.
fn recorded(space: &Space, run: &RunId) -> Result<Vec<Experience>, StoreError> {
    let mut used = space.store.experiences_of(run)?;
    used.retain(|used| used.state == ExperienceState::Approved);
    Ok(used)
}

fn chosen(space: &Space, wanted: &Wanted, toolkits: &[ToolkitSpec]) -> Result<Vec<Experience>, StoreError> {
    let mut approved = space.store.experiences_approved(EXPERIENCES_APPROVED_MAX)?;
    approved.retain(|one| !is_disproved(one.wins, one.losses));
    let by_words = choose(wanted, &approved);
    let ids: Vec<ExperienceId> = by_words.iter().map(|one| one.experience.id.clone()).collect();
    let links = match ids.is_empty() || LINKED_MAX == 0 {
        true => Links::default(),
        false => Links::kept(space.store.experience_links(&ids, EXPERIENCES_APPROVED_MAX)?),
    };
    let by_links = linked(wanted, &by_words, &approved, &links, LINKED_MAX);
    let held = toolkits.iter().map(|toolkit| toolkit.name.as_str()).collect();
    let mistakes = mistakes::chosen(wanted, &held, &approved);
    let all = by_words.into_iter().chain(by_links).chain(mistakes);
    Ok(all.map(|chosen| chosen.experience.clone()).collect())
}
