//! Handles experiences when a run is over. Experiences that the run used are scored by its outcome, and its own lesson
//! becomes a candidate (F6.7). Nothing here approves anything.

use super::asking;
use super::keys::keys;
use super::lived::{Lived, lived};
use super::{explain, mistakes, teaching, written};
use crate::limits::{EXPERIENCES_UNAPPROVED_MAX, UNSCORED_MAX};
use shidi_protocol::{
    Experience, ExperienceGround, ExperienceId, ExperienceKind, ExperienceOutcome, ExperienceRole,
    ExperienceState, Moment, RunId, UserError,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_store::{Batch, ExperienceWrite, StoreError, Write};
use std::sync::Arc;

/// Uses from which on outcomes may end an experience, and the lower bound of its successes below which they do.
const JUDGED_FROM_USES: u32 = 3;
const BOUND_MIN: f64 = 0.3;

const DAY_MS: i64 = 86_400_000;

/// Learns from a run that is over. Trouble is logged: the run has ended well without it.
pub async fn learn(space: &Arc<Space>, run: &RunId) {
    let (of, id) = (Arc::clone(space), run.clone());
    let by_rules = tokio::task::spawn_blocking(move || from_run(&of, &id)).await;
    match by_rules {
        Ok(Ok(candidates)) => {
            for candidate in candidates {
                asking::word(space, candidate).await;
            }
        }
        Ok(Err(cause)) => tracing::warn!(%cause, "nothing is learned from a run"),
        Err(cause) => tracing::error!(%cause, "learning from a run ended badly"),
    }
}

/// Scores what it used, and keeps what it taught; gives what is new.
fn from_run(space: &Space, run: &RunId) -> Result<Vec<Experience>, StoreError> {
    let Some(lived) = lived(space, run)? else {
        return Ok(Vec::new());
    };
    score(space, &lived)?;
    if !space.config().experience.collect {
        return Ok(Vec::new());
    }
    let mut new = observed(space, &lived)?;
    if let Some(taught) = teaching::taught(&lived) {
        new.extend(keep(space, &lived, taught)?.ok());
    }
    Ok(new)
}

/// Notes what a run corrected. What other sessions corrected in the same way becomes a candidate, once.
fn observed(space: &Space, lived: &Lived) -> Result<Vec<Experience>, StoreError> {
    let mut new = Vec::new();
    if !lived.is_original {
        return Ok(new);
    }
    for correction in mistakes::corrections(lived) {
        let (tool, class) = (&correction.tool, &correction.class);
        let before = space.store.corrected_runs(tool, class)?.len();
        space.store.commit(Write::Experience(ExperienceWrite::Correct {
            run: lived.run.clone(),
            tool: tool.clone(),
            class: class.clone(),
            at: clock::now(),
        }))?;
        let sessions = space.store.corrected_runs(tool, class)?.len();
        let mut candidate = mistakes::candidate(lived, &correction);
        let known = space
            .store
            .experience_twin(ExperienceKind::Mistake, &keys(&candidate))?;
        if let Some(known) = known {
            // What is known stays as it was reviewed. A session more is counted, and none of its text is in it.
            if sessions > before {
                space.store.commit(Write::Experience(ExperienceWrite::See {
                    experience: known.id,
                    tainted: false,
                }))?;
            }
        } else if sessions >= mistakes::SESSIONS_MIN {
            candidate.seen = u32::try_from(sessions).unwrap_or(u32::MAX);
            // This run's text alone is in it, so it goes with this run's session.
            let taught = taught_by(&candidate.id, &lived.run);
            space.store.commit(vec![written(candidate.clone()), taught])?;
            new.push(candidate);
        }
    }
    Ok(new)
}

/// The row that says that a run taught an experience.
fn taught_by(experience: &ExperienceId, run: &RunId) -> Write {
    Write::Experience(ExperienceWrite::Link {
        experience: experience.clone(),
        run: run.clone(),
        role: ExperienceRole::Taught,
        at: clock::now(),
    })
}

/// Keeps what a run taught: as a candidate, or as another run that taught what is known. Gives what is new, or what was
/// known already.
pub fn keep(
    space: &Space,
    lived: &Lived,
    taught: Experience,
) -> Result<Result<Experience, Experience>, StoreError> {
    let link = |experience: &Experience| taught_by(&experience.id, &lived.run);
    if let Some(twin) = space.store.experience_twin(taught.kind, &keys(&taught))? {
        let is_known = |known: &Experience| {
            let mut runs = known.runs.iter();
            runs.any(|known| known.run == lived.run && known.role == ExperienceRole::Taught)
        };
        let known = space.store.experience(&twin.id)?;
        if !known.as_ref().is_some_and(is_known) {
            let seen = Write::Experience(ExperienceWrite::See {
                experience: twin.id.clone(),
                tainted: taught.tainted,
            });
            space.store.commit(vec![seen, link(&twin)])?;
        }
        return Ok(Err(space.store.experience(&twin.id)?.unwrap_or(twin)));
    }
    space.store.commit(vec![written(taught.clone()), link(&taught)])?;
    Ok(Ok(taught))
}

/// Scores what a run used by its outcome, and ends what mostly failed. A run that went without its lessons says nothing
/// of them.
fn score(space: &Space, lived: &Lived) -> Result<(), StoreError> {
    let used = space.store.experiences_of(&lived.run)?;
    if used.is_empty() {
        return Ok(());
    }
    let outcome = match lived.is_without_lessons {
        true => ExperienceOutcome::Neither,
        false => lived.outcome,
    };
    space.store.commit(Write::Experience(ExperienceWrite::Score {
        run: lived.run.clone(),
        outcome,
    }))?;
    let mut ended = Batch::default();
    for used in space.store.experiences_of(&lived.run)? {
        if used.state == ExperienceState::Approved && is_disproved(used.wins, used.losses) {
            tracing::info!(experience = %used.id, used.wins, used.losses, "an experience ends by its outcomes");
            ended.push(Write::Experience(ExperienceWrite::Decide {
                experience: used.id,
                state: ExperienceState::Expired,
                ground: ExperienceGround::Outcomes,
                at: clock::now(),
            }));
        }
    }
    match ended.is_empty() {
        true => Ok(()),
        false => space.store.commit(ended),
    }
}

/// Whether the outcomes speak against an experience.
pub fn is_disproved(wins: u32, losses: u32) -> bool {
    wins.saturating_add(losses) >= JUDGED_FROM_USES && Experience::lower_bound(wins, losses) < BOUND_MIN
}

/// Ends experiences that nobody used or reviewed for as long as the user set. Scores runs whose process ended before.
/// Keeps the number of unapproved experiences within its bound.
pub fn sweep(space: &Space) -> Result<(), UserError> {
    let days = space.config().experience.stale_days;
    let now = clock::now();
    let mut batch = Batch::default();
    if days > 0 {
        batch.push(Write::Experience(ExperienceWrite::Expire {
            since: Moment(now.0 - i64::from(days) * DAY_MS),
            now,
        }));
    }
    batch.push(Write::Experience(ExperienceWrite::Drop {
        most: EXPERIENCES_UNAPPROVED_MAX,
    }));
    let scored = || -> Result<(), StoreError> {
        if space.store.experience_counts()?.is_empty() {
            return Ok(());
        }
        space.store.buffer(batch)?;
        for run in space.store.runs_unscored(UNSCORED_MAX)? {
            if let Some(lived) = lived(space, &run)? {
                score(space, &lived)?;
            }
        }
        Ok(())
    };
    scored().map_err(|cause| explain(space, &cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_uses_with_a_failure_among_them_end_an_experience_and_two_do_not() {
        for (wins, losses, is_ended) in [
            (0, 2, false),
            (0, 3, true),
            (2, 1, true),
            (3, 0, false),
            (3, 1, false),
            (10, 2, false),
        ] {
            assert_eq!(
                is_disproved(wins, losses),
                is_ended,
                "{wins} wins, {losses} losses"
            );
        }
    }

    proptest! {
        #[test]
        fn a_win_never_ends_what_was_not_ended_before(wins in 3_u32..1_000, losses in 0_u32..1_000) {
            prop_assert!(is_disproved(wins, losses) || !is_disproved(wins + 1, losses));
        }
    }
}
