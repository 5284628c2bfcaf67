//! The lessons of runs, in the user's hands (F6.7): reviewing, mending, writing by hand, ending, erasing, taking
//! elsewhere.
//!
//! Nothing becomes approved here but by the user's action.

mod asking;
mod choosing;
mod effects;
mod exchange;
mod keys;
mod linking;
mod lived;
mod mistakes;
mod outcome;
mod post_run;
mod teaching;
mod using;

use crate::limits::{
    EXPERIENCE_CODE_CHARACTERS_MAX, EXPERIENCE_ID_CHARACTERS_MAX, EXPERIENCE_LABELS_MAX,
    EXPERIENCE_TEXT_CHARACTERS_MAX,
};
use keys::keys;
use linking::links;
use shidi_agent::common_mistakes;
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::errors::{error, internal};
use shidi_space::ids;
use shidi_space::limits::LISTED_MAX;
use shidi_space::storage;

pub use outcome::sweep;
pub use post_run::AfterRuns;
use shidi_protocol::request::experience as request;
use shidi_protocol::{
    ErrorCode, Experience, ExperienceDraft, ExperienceGround, ExperienceId, ExperienceKind,
    ExperienceRequest, ExperienceState, MemoryScope, Reply, RunId, ToolkitSpec, UserError, reply, reply_to,
};
use shidi_senses::redacted;
use shidi_store::{Batch, ExperienceFilter, ExperienceKeys, ExperienceWrite, StoreError, Write};
use std::sync::Arc;
use tokio::sync::mpsc;
pub use using::{for_run, noted};

/// Answers an action. `toolkits` are those that a task would have now.
///
/// # Errors
/// No such experience, words that can't be kept, or storage trouble.
pub async fn perform(
    space: &Arc<Space>,
    toolkits: Vec<ToolkitSpec>,
    action: ExperienceRequest,
) -> Result<Reply, UserError> {
    Ok(match action {
        ExperienceRequest::List {
            states,
            text,
            offset,
            limit,
        } => {
            let filter = ExperienceFilter { states, text };
            let found = space.store.experiences(&filter, offset, limit.min(LISTED_MAX));
            let found = found.map_err(|cause| explain(space, &cause))?;
            reply_to::<request::List>(shown(space, found)?)
        }
        ExperienceRequest::Show { experience } => {
            reply_to::<request::Show>(shown(space, vec![existing(space, &experience)?])?)
        }
        ExperienceRequest::Approve { experience } => {
            reply_to::<request::Approve>(approve(space, &experience)?)
        }
        ExperienceRequest::Reject { experience } => {
            reply_to::<request::Reject>(decide(space, &experience, ExperienceState::Rejected)?)
        }
        ExperienceRequest::Expire { experience } => {
            reply_to::<request::Expire>(decide(space, &experience, ExperienceState::Expired)?)
        }
        ExperienceRequest::Edit {
            experience,
            goal,
            lesson,
            code,
            scope,
            mistake,
        } => reply_to::<request::Edit>(edit(space, &experience, [goal, lesson, code], scope, mistake)?),
        ExperienceRequest::Add {
            draft,
            scope,
            tainted,
            mistake,
        } => reply_to::<request::Add>(add(space, draft, scope, tainted, mistake)?),
        ExperienceRequest::Take { run } => reply_to::<request::Take>(take(space, &run)?),
        ExperienceRequest::Vote { experience } => {
            reply_to::<request::Vote>(asking::vote(space, &experience).await?)
        }
        ExperienceRequest::Preview { experience } => {
            reply_to::<request::Preview>(effects::preview(space, experience, toolkits).await?)
        }
        ExperienceRequest::Delete { experience } => reply_to::<request::Delete>(delete(space, &experience)?),
        ExperienceRequest::Import {
            experiences,
            reviewed,
        } => reply_to::<request::Import>(keep(space, experiences, Whose::told(reviewed))?),
        ExperienceRequest::ExportLines => {
            return Err(internal(space.language(), "an export has more than one reply"));
        }
        ExperienceRequest::Export { path } => {
            let exported = space.aside(move |space| exchange::export(space, &path));
            reply_to::<request::Export>(exported.await?)
        }
        ExperienceRequest::ImportFile { path, reviewed } => {
            let imported = space.aside(move |space| exchange::import(space, &path, reviewed));
            reply_to::<request::ImportFile>(imported.await?)
        }
    })
}

/// All of them, in pieces.
pub fn exported(space: &Arc<Space>) -> mpsc::Receiver<Reply> {
    exchange::exported(space)
}

/// The reply that holds them, with how many there are.
fn shown(space: &Space, experiences: Vec<Experience>) -> Result<reply::Experiences, UserError> {
    let counts = space.store.experience_counts();
    Ok(reply::Experiences {
        experiences,
        counts: counts.map_err(|cause| explain(space, &cause))?,
    })
}

fn approve(space: &Space, text: &str) -> Result<reply::Experiences, UserError> {
    let found = existing(space, text)?;
    checked(space, &draft_of(&found))?;
    decide(space, text, ExperienceState::Approved)
}

fn decide(space: &Space, text: &str, state: ExperienceState) -> Result<reply::Experiences, UserError> {
    let experience = existing(space, text)?.id;
    let write = Write::Experience(ExperienceWrite::Decide {
        experience: experience.clone(),
        state,
        ground: ExperienceGround::User,
        at: clock::now(),
    });
    commit(space, write)?;
    shown(space, vec![existing(space, experience.as_str())?])
}

/// Changes what is given. What the user wrote is the user's, but an unread rest is not: the taint stays.
fn edit(
    space: &Space,
    text: &str,
    [goal, lesson, code]: [Option<String>; 3],
    scope: Option<MemoryScope>,
    mistake: Option<bool>,
) -> Result<reply::Experiences, UserError> {
    let mut found = existing(space, text)?;
    let draft = ExperienceDraft {
        goal: goal.unwrap_or_else(|| found.goal.clone()),
        lesson: lesson.unwrap_or_else(|| found.lesson.clone()),
        code: code.unwrap_or_else(|| found.code.clone()),
    };
    let draft = checked(space, &draft)?;
    found.edited |= draft != draft_of(&found);
    (found.goal, found.lesson, found.code) = (draft.goal, draft.lesson, draft.code);
    found.scope = scope.unwrap_or(found.scope);
    let was_mistake = found.kind == ExperienceKind::Mistake;
    match (was_mistake, mistake.unwrap_or(was_mistake)) {
        (false, true) => mistakes::turn(&mut found),
        (true, false) => mistakes::turn_back(&mut found),
        (true, true) | (false, false) => {}
    }
    // What models thought of other words says nothing of these.
    found.votes.clear();
    put(space, found)
}

fn add(
    space: &Space,
    draft: ExperienceDraft,
    scope: MemoryScope,
    tainted: bool,
    mistake: bool,
) -> Result<reply::Experiences, UserError> {
    let draft = checked(space, &draft)?;
    let mut written = Experience::written(ExperienceId::mint(), draft, clock::now());
    written.language = space.language().code().to_owned();
    if mistake {
        written.kind = ExperienceKind::Mistake;
    }
    written.scope = scope;
    written.tainted = tainted;
    put(space, written)
}

/// A candidate of a finished run, at the user's wish.
fn take(space: &Space, run: &RunId) -> Result<reply::Experiences, UserError> {
    let id = ids::whole_run_id(space, run)?;
    let lived = lived::lived(space, &id).map_err(|cause| explain(space, &cause))?;
    let language = space.language();
    let nothing = || {
        error(
            ErrorCode::Input,
            language.memory().nothing_to_learn(),
            language.memory().add_experience_by_hand(),
        )
    };
    let lived = lived.ok_or_else(nothing)?;
    let taken = teaching::taken(&lived).ok_or_else(nothing)?;
    let kept = outcome::keep(space, &lived, taken).map_err(|cause| explain(space, &cause))?;
    let (Ok(kept) | Err(kept)) = kept;
    shown(space, vec![existing(space, kept.id.as_str())?])
}

fn delete(space: &Space, text: &str) -> Result<reply::Experiences, UserError> {
    let gone = existing(space, text)?;
    commit(space, Write::Experience(ExperienceWrite::Delete(gone.id)))?;
    shown(space, Vec::new())
}

fn put(space: &Space, experience: Experience) -> Result<reply::Experiences, UserError> {
    let id = experience.id.clone();
    commit(space, written(experience))?;
    shown(space, vec![existing(space, id.as_str())?])
}

/// Whose experiences are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// What was here a moment ago, in the place of what is.
    Here,
    /// This data folder's own, as they were.
    Own,
    /// A stranger's experiences that the user has read, by their own account. An approved one is approved, and its
    /// words are a stranger's all the same.
    Reviewed,
    Strangers,
}

impl Whose {
    /// Whose those of a request are, by what it says.
    fn told(reviewed: bool) -> Self {
        if reviewed { Self::Here } else { Self::Strangers }
    }
}

/// Keeps experiences, all or none of them. Experiences of a file take no place of known ones.
fn keep(space: &Space, experiences: Vec<Experience>, whose: Whose) -> Result<reply::Experiences, UserError> {
    let mut batch = Batch::default();
    let mut ids = Vec::with_capacity(experiences.len());
    for mut experience in experiences {
        // By the whole id: what a person types may be a part that several begin with.
        let is_known = of_id(space, &experience.id)?.is_some();
        if is_known && whose != Whose::Here {
            ids.push(experience.id);
            continue;
        }
        if !is_id(experience.id.as_str()) {
            experience.id = ExperienceId::mint();
        }
        experience.context.truncate(EXPERIENCE_LABELS_MAX);
        // A tool's name goes into prompts as it is.
        experience.calls.retain(|tool| common_mistakes::is_tool(tool));
        experience.calls.truncate(EXPERIENCE_LABELS_MAX);
        let draft = checked(space, &draft_of(&experience))?;
        (experience.goal, experience.lesson, experience.code) = (draft.goal, draft.lesson, draft.code);
        for text in [
            &mut experience.failed_code,
            &mut experience.error,
            &mut experience.result,
        ] {
            *text = redacted(&cut(text, EXPERIENCE_CODE_CHARACTERS_MAX));
        }
        match whose {
            Whose::Here | Whose::Own => {}
            Whose::Reviewed => {
                experience.ground = ExperienceGround::User;
                experience.tainted = true;
                experience.votes.clear();
            }
            Whose::Strangers => {
                experience.state = ExperienceState::Candidate;
                experience.ground = ExperienceGround::Undecided;
                experience.tainted = true;
                experience.votes.clear();
            }
        }
        ids.push(experience.id.clone());
        batch.push(written(experience));
    }
    commit(space, batch)?;
    let ids = ids.iter().take(LISTED_MAX as usize);
    let kept = ids.map(|id| of_id(space, id));
    let kept: Vec<Option<Experience>> = kept.collect::<Result<_, _>>()?;
    shown(space, kept.into_iter().flatten().collect())
}

/// Whether a text of a file can be an id: it is shown, and typed in parts.
fn is_id(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'-';
    (1..=EXPERIENCE_ID_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_sign)
}

fn written(experience: Experience) -> Write {
    Write::Experience(ExperienceWrite::Put {
        keys: ExperienceKeys {
            links: links(&experience).into_iter().collect(),
            ..keys(&experience)
        },
        experience: Box::new(experience),
    })
}

fn draft_of(experience: &Experience) -> ExperienceDraft {
    ExperienceDraft {
        goal: experience.goal.clone(),
        lesson: experience.lesson.clone(),
        code: experience.code.clone(),
    }
}

/// Words that can be kept: there is a goal and something to learn, nothing is too long, no secret stays.
fn checked(space: &Space, draft: &ExperienceDraft) -> Result<ExperienceDraft, UserError> {
    let language = space.language();
    let draft = ExperienceDraft {
        goal: redacted(draft.goal.trim()),
        lesson: redacted(draft.lesson.trim()),
        code: redacted(draft.code.trim_end()),
    };
    if draft.goal.is_empty() || draft.lesson.is_empty() {
        return Err(error(
            ErrorCode::Input,
            language.memory().experience_incomplete(),
            language.memory().experience_parts(),
        ));
    }
    let too_long = draft.goal.chars().count() > EXPERIENCE_TEXT_CHARACTERS_MAX
        || draft.lesson.chars().count() > EXPERIENCE_TEXT_CHARACTERS_MAX
        || draft.code.chars().count() > EXPERIENCE_CODE_CHARACTERS_MAX;
    if too_long {
        return Err(error(
            ErrorCode::Input,
            language.memory().experience_too_long(),
            language
                .memory()
                .experience_lengths(EXPERIENCE_CODE_CHARACTERS_MAX, EXPERIENCE_TEXT_CHARACTERS_MAX),
        ));
    }
    Ok(draft)
}

fn cut(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// The experience whose id begins or ends so.
///
/// # Errors
/// No such experience, or several that fit.
fn existing(space: &Space, text: &str) -> Result<Experience, UserError> {
    let found = space
        .store
        .find_experience(text)
        .and_then(|id| id.map_or(Ok(None), |id| space.store.experience(&id)))
        .map_err(|cause| explain(space, &cause))?;
    found.ok_or_else(|| {
        let language = space.language();
        error(
            ErrorCode::NotFound,
            language.memory().no_such_experience(text),
            language.memory().see_experiences(),
        )
    })
}

fn of_id(space: &Space, id: &ExperienceId) -> Result<Option<Experience>, UserError> {
    space.store.experience(id).map_err(|cause| explain(space, &cause))
}

fn commit(space: &Space, batch: impl Into<Batch>) -> Result<(), UserError> {
    space.store.commit(batch).map_err(|cause| explain(space, &cause))
}

fn explain(space: &Space, cause: &StoreError) -> UserError {
    storage::explain(cause, space.language())
}
