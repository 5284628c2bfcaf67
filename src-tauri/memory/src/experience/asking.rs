//! Questions to models about a candidate, off every answer's path. They ask for a lesson in better words, and for votes
//! where the user wants votes. Each call is bounded, and a failed call leaves the candidate as it was.

use super::{commit, existing, shown, written};
use crate::limits::{QUESTION_TIMEOUT, VOTES_MAX};
use shidi_agent::{OwnModules, lessons};
use shidi_protocol::{
    ErrorCode, Experience, ExperienceGround, ExperienceState, ExperienceVote, MemoryScope, ModelReply, RunId,
    UserError, reply,
};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::{error, internal};
use shidi_space::model_choice;
use shidi_space::prompt_overrides;
use shidi_store::{ExperienceWrite, Write};
use std::sync::Arc;

/// Puts the fast model's words in place of the rule's, where there is such a model and nobody decided meanwhile.
pub async fn word(space: &Arc<Space>, candidate: Experience) {
    match worded(space, &candidate).await {
        Ok(Some(lesson)) => {
            let now = existing(space, candidate.id.as_str());
            let is_as_it_was = |now: &Experience| {
                now.state == ExperienceState::Candidate && !now.edited && now.lesson == candidate.lesson
            };
            if let Ok(mut now) = now
                && is_as_it_was(&now)
            {
                now.lesson = redacted(&lesson);
                if let Err(cause) = commit(space, written(now)) {
                    tracing::warn!(cause.message, "a lesson keeps its first words");
                }
            }
        }
        Ok(None) => {}
        Err(cause) => tracing::info!(cause.message, "a lesson keeps the words of the rule"),
    }
}

async fn worded(space: &Arc<Space>, candidate: &Experience) -> Result<Option<String>, UserError> {
    let config = space.config().clone();
    if config.role.fast.is_empty() {
        return Ok(None);
    }
    let model = model_choice::open(space, &config).await?;
    if model.is_offline() {
        return Ok(None);
    }
    let own = own_modules(space, candidate)?;
    let request = lessons::lesson_request(candidate, run_of(candidate), &own)
        .map_err(|cause| internal(space.language(), &cause.to_string()))?;
    let reply = model_choice::ask_within(model.as_ref(), &request, QUESTION_TIMEOUT).await;
    let reply = reply.map_err(|failure| shidi_agent::model_error(space.language().code(), &failure))?;
    Ok(lessons::read_lesson(&reply.text))
}

/// The prompt modules of the assistant that it is for.
fn own_modules(space: &Space, experience: &Experience) -> Result<OwnModules, UserError> {
    let assistant = match &experience.scope {
        MemoryScope::Assistant(name) => Some(name.as_str()),
        _ => None,
    };
    prompt_overrides::read(space.home.folder(), assistant, space.language())
}

/// Asks for the votes of several model calls. They suffice only where the user chose so, for what no stranger wrote.
///
/// # Errors
/// No such experience, no model, or none that gave a vote.
pub async fn vote(space: &Arc<Space>, text: &str) -> Result<reply::Experiences, UserError> {
    let experience = existing(space, text)?;
    let language = space.language();
    let config = space.config().clone();
    let model = model_choice::open(space, &config).await?;
    if model.is_offline() {
        return Err(error(
            ErrorCode::Model,
            language.memory().no_model_to_vote(),
            language.memory().set_up_model(),
        ));
    }
    let own = own_modules(space, &experience)?;
    let count = (config.experience.votes as usize).clamp(1, VOTES_MAX);
    let mut votes = Vec::with_capacity(count);
    let mut last = None;
    for number in 0..count {
        let request = lessons::vote_request(&experience, run_of(&experience), &own, number)
            .map_err(|cause| internal(language, &cause.to_string()))?;
        match model_choice::ask_within(model.as_ref(), &request, QUESTION_TIMEOUT).await {
            Ok(reply) => votes.extend(voted(&reply)),
            Err(failure) => last = Some(failure),
        }
    }
    if votes.is_empty() {
        return Err(match last {
            Some(failure) => shidi_agent::model_error(language.code(), &failure),
            None => error(
                ErrorCode::Model,
                language.memory().no_usable_vote(),
                language.memory().try_other_model(),
            ),
        });
    }
    let suffices = config.experience.votes_suffice;
    keep(space, &experience, votes, suffices)
}

/// Keeps the votes with the words that they were about.
fn keep(
    space: &Space,
    about: &Experience,
    votes: Vec<ExperienceVote>,
    suffices: bool,
) -> Result<reply::Experiences, UserError> {
    let mut now = existing(space, about.id.as_str())?;
    if (&now.lesson, &now.code, &now.goal) != (&about.lesson, &about.code, &about.goal) {
        let language = space.language();
        return Err(error(
            ErrorCode::Input,
            language.memory().changed_while_voting(),
            language.memory().ask_for_votes_again(),
        ));
    }
    let is_enough =
        suffices && now.state == ExperienceState::Candidate && !now.tainted && is_majority(&votes);
    now.votes = votes;
    let id = now.id.clone();
    let mut batch = vec![written(now)];
    if is_enough {
        batch.push(Write::Experience(ExperienceWrite::Decide {
            experience: id.clone(),
            state: ExperienceState::Approved,
            ground: ExperienceGround::Votes,
            at: clock::now(),
        }));
    }
    commit(space, batch)?;
    shown(space, vec![existing(space, id.as_str())?])
}

/// Whether more than half of the votes are for it.
fn is_majority(votes: &[ExperienceVote]) -> bool {
    votes.iter().filter(|vote| vote.keep).count() * 2 > votes.len()
}

fn voted(reply: &ModelReply) -> Option<ExperienceVote> {
    let opinion = lessons::read_opinion(&reply.text)?;
    Some(ExperienceVote {
        model: reply.model.clone(),
        keep: opinion.keep,
        score: opinion.score,
        comment: redacted(&opinion.comment),
        time: clock::now(),
    })
}

/// The run on whose behalf a model is asked.
fn run_of(experience: &Experience) -> RunId {
    experience
        .runs
        .first()
        .map_or_else(RunId::mint, |of| of.run.clone())
}
