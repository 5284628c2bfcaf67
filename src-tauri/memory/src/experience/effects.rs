//! The effects that an experience would have had. They are the past runs with the experience in their prompt, found
//! without any model.

use super::choosing::{Wanted, choose};
use super::lived::lived;
use super::{existing, explain};
use crate::limits::{EFFECTS_SHOWN_MAX, EXPERIENCES_APPROVED_MAX, RUNS_LOOKED_AT_MAX};
use shidi_protocol::{
    Experience, ExperienceEffect, ExperienceRole, ExperienceState, RunId, TraceQuery, UserError, reply,
};
use shidi_space::Space;
use shidi_space::errors::internal;
use shidi_space::storage;
use shidi_store::StoreError;
use std::sync::Arc;

/// The newest runs that would have had an experience in their prompt, were it approved then.
///
/// # Errors
/// No such experience, or storage trouble.
pub async fn preview(space: &Arc<Space>, text: String) -> Result<reply::ExperienceEffects, UserError> {
    let (of, language) = (Arc::clone(space), space.language());
    let looking = move || {
        let mut experience = existing(&of, &text)?;
        experience.state = ExperienceState::Approved;
        effects(&of, &experience).map_err(|cause| explain(&of, &cause))
    };
    // Hundreds of runs are read.
    let looked = tokio::task::spawn_blocking(looking).await;
    looked.unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))
}

fn effects(space: &Space, experience: &Experience) -> Result<reply::ExperienceEffects, StoreError> {
    let mut known = space.store.experiences_approved(EXPERIENCES_APPROVED_MAX)?;
    known.retain(|known| known.id != experience.id);
    known.push(experience.clone());
    let past = space.store.traces(&TraceQuery {
        limit: RUNS_LOOKED_AT_MAX,
        ..TraceQuery::default()
    })?;
    let looked_at = u32::try_from(past.len()).unwrap_or(RUNS_LOOKED_AT_MAX);
    let mut runs = Vec::new();
    for past in past {
        if let Some(effect) = effect(space, experience, &known, &past.run)? {
            runs.push(effect);
        }
        if runs.len() >= EFFECTS_SHOWN_MAX {
            break;
        }
    }
    Ok(reply::ExperienceEffects { runs, looked_at })
}

/// Whether a run would have had it, at which place.
fn effect(
    space: &Space,
    experience: &Experience,
    known: &[Experience],
    run: &RunId,
) -> Result<Option<ExperienceEffect>, StoreError> {
    let Some(row) = space.store.run(run)? else {
        return Ok(None);
    };
    let Ok((_, ask)) = storage::read_state(&row) else {
        return Ok(None);
    };
    if ask.replay.is_some() || row.offline {
        return Ok(None);
    }
    let chosen = choose(&Wanted::of(&ask, &row.session), known);
    let place = chosen
        .iter()
        .position(|chosen| chosen.experience.id == experience.id);
    let Some(place) = place else { return Ok(None) };
    let Some(lived) = lived(space, run)? else {
        return Ok(None);
    };
    let taught = |of: &shidi_protocol::ExperienceRun| of.run == *run && of.role == ExperienceRole::Taught;
    Ok(Some(ExperienceEffect {
        run: run.clone(),
        session: row.session,
        question: row.question,
        outcome: lived.outcome,
        time: row.started,
        rank: u32::try_from(place + 1).unwrap_or(u32::MAX),
        fit: chosen.get(place).map_or(0.0, |chosen| chosen.fit),
        taught: experience.runs.iter().any(taught),
    }))
}
