//! The effects that an experience would have had. They are the past runs with the experience in their prompt, found
//! without any model.

use super::choosing::{Chosen, Wanted, choose};
use super::linking::{LINKED_MAX, Links, linked};
use super::lived::lived;
use super::{existing, explain, mistakes};
use crate::limits::{EFFECTS_SHOWN_MAX, EXPERIENCES_APPROVED_MAX, RUNS_LOOKED_AT_MAX};
use shidi_protocol::{
    Experience, ExperienceEffect, ExperienceKind, ExperienceRole, ExperienceState, RunId, ToolkitSpec,
    TraceQuery, UserError, reply,
};
use shidi_space::Space;
use shidi_space::errors::internal;
use shidi_space::storage;
use shidi_store::StoreError;
use std::sync::Arc;

/// The newest runs that would have had an experience in their prompt, were it approved then. Nothing tells which toolkits
/// they had, so those of now stand for them.
///
/// # Errors
/// No such experience, or storage trouble.
pub async fn preview(
    space: &Arc<Space>,
    text: String,
    toolkits: Vec<ToolkitSpec>,
) -> Result<reply::ExperienceEffects, UserError> {
    let (of, language) = (Arc::clone(space), space.language());
    let looking = move || {
        let mut experience = existing(&of, &text)?;
        experience.state = ExperienceState::Approved;
        effects(&of, &experience, toolkits).map_err(|cause| explain(&of, &cause))
    };
    // Hundreds of runs are read.
    let looked = tokio::task::spawn_blocking(looking).await;
    looked.unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))
}

fn effects(
    space: &Space,
    experience: &Experience,
    toolkits: Vec<ToolkitSpec>,
) -> Result<reply::ExperienceEffects, StoreError> {
    let mut known = space.store.experiences_approved(EXPERIENCES_APPROVED_MAX)?;
    known.retain(|known| known.id != experience.id);
    known.push(experience.clone());
    let links = Links::of(&known);
    let known = Corpus {
        approved: known,
        links,
        toolkits: toolkits.into_iter().map(|toolkit| toolkit.name).collect(),
    };
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

/// The experiences that runs could have had, and what leads from one to another.
struct Corpus {
    approved: Vec<Experience>,
    links: Links,
    /// Names of the toolkits of prompts.
    toolkits: Vec<String>,
}

impl Corpus {
    /// What goes along with a question, best first, of the kind of that experience. Its own toolkits count as there.
    fn chosen(&self, wanted: &Wanted, experience: &Experience) -> Vec<Chosen<'_>> {
        if experience.kind == ExperienceKind::Mistake {
            let held = self.toolkits.iter().map(String::as_str);
            let toolkits = held.chain(mistakes::toolkits_of(experience)).collect();
            return mistakes::chosen(wanted, &toolkits, &self.approved);
        }
        let mut chosen = choose(wanted, &self.approved);
        let more = linked(wanted, &chosen, &self.approved, &self.links, LINKED_MAX);
        chosen.extend(more);
        chosen
    }
}

/// Whether a run would have had it, at which place.
fn effect(
    space: &Space,
    experience: &Experience,
    known: &Corpus,
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
    let chosen = known.chosen(&Wanted::of(&ask, &row.session), experience);
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

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Ask, ExperienceDraft, ExperienceId, Moment, SessionId};

    #[test]
    fn a_mistake_written_by_hand_is_previewed_by_the_tools_that_its_words_name() {
        let draft = ExperienceDraft {
            goal: "reading".to_owned(),
            lesson: "files.read gives text, not lines".to_owned(),
            code: String::new(),
        };
        let mut written = Experience::written(ExperienceId::from("hand"), draft, Moment(1));
        written.kind = ExperienceKind::Mistake;
        let known = |toolkits: &[&str]| Corpus {
            approved: vec![written.clone()],
            links: Links::default(),
            toolkits: toolkits.iter().map(|&name| name.to_owned()).collect(),
        };
        let ask = Ask {
            text: "How many orders has sales.csv?".to_owned(),
            ..Ask::default()
        };
        let wanted = Wanted::of(&ask, &SessionId::from("s"));
        for (toolkits, along) in [(&["user", "files"][..], 1), (&["user"][..], 0)] {
            let known = known(toolkits);
            assert_eq!(known.chosen(&wanted, &written).len(), along, "{toolkits:?}");
        }
    }
}
