//! What runs taught, in the user's hands (F6.7): reviewing, mending, writing by hand, ending, erasing, taking elsewhere.
//!
//! Nothing becomes approved here but by the user's deed.

mod asking;
mod choosing;
mod effects;
mod exchange;
mod keys;
mod learning;
mod lived;
mod teaching;
mod using;

use crate::clock;
use crate::engine::Engine;
use crate::limits::{
    EXPERIENCE_CODE_CHARACTERS_MAX, EXPERIENCE_ID_CHARACTERS_MAX, EXPERIENCE_LABELS_MAX,
    EXPERIENCE_TEXT_CHARACTERS_MAX, LISTED_MAX,
};
use crate::memory::aside;
use crate::sessions;
use crate::storage;
use crate::words::error;
use keys::keys;

pub use learning::{learn, sweep};
use shidi_protocol::{
    ErrorCode, Experience, ExperienceDeed, ExperienceDraft, ExperienceGround, ExperienceId, ExperienceState,
    MemoryScope, Reply, RunId, UserError,
};
use shidi_senses::redacted;
use shidi_store::{Batch, ExperienceFilter, StoreError, Write};
use std::sync::Arc;
pub use using::{for_run, noted};

/// Answers a deed.
///
/// # Errors
/// No such experience, words that can't be kept, or storage trouble.
pub async fn perform(engine: &Arc<Engine>, deed: ExperienceDeed) -> Result<Reply, UserError> {
    match deed {
        ExperienceDeed::List {
            states,
            text,
            offset,
            limit,
        } => {
            let filter = ExperienceFilter { states, text };
            let found = engine.store.experiences(&filter, offset, limit.min(LISTED_MAX));
            shown(engine, found.map_err(|cause| explain(engine, &cause))?)
        }
        ExperienceDeed::Show { experience } => shown(engine, vec![existing(engine, &experience)?]),
        ExperienceDeed::Approve { experience } => approve(engine, &experience),
        ExperienceDeed::Reject { experience } => decide(engine, &experience, ExperienceState::Rejected),
        ExperienceDeed::Expire { experience } => decide(engine, &experience, ExperienceState::Expired),
        ExperienceDeed::Edit {
            experience,
            goal,
            lesson,
            code,
            scope,
        } => edit(engine, &experience, [goal, lesson, code], scope),
        ExperienceDeed::Add { draft, scope } => add(engine, draft, scope),
        ExperienceDeed::Take { run } => take(engine, &run),
        ExperienceDeed::Vote { experience } => asking::vote(engine, &experience).await,
        ExperienceDeed::Preview { experience } => effects::preview(engine, experience).await,
        ExperienceDeed::Delete { experience } => {
            let gone = existing(engine, &experience)?;
            commit(engine, Write::DeleteExperience(gone.id))?;
            shown(engine, Vec::new())
        }
        ExperienceDeed::Import {
            experiences,
            reviewed,
        } => import(engine, experiences, reviewed),
        ExperienceDeed::Export { path } => aside(engine, move |engine| exchange::export(engine, &path)).await,
        ExperienceDeed::ImportFile { path, reviewed } => {
            aside(engine, move |engine| exchange::import(engine, &path, reviewed)).await
        }
    }
}

/// The reply that holds them, with how many there are.
fn shown(engine: &Engine, experiences: Vec<Experience>) -> Result<Reply, UserError> {
    let counts = engine.store.experience_counts();
    Ok(Reply::Experiences {
        experiences,
        counts: counts.map_err(|cause| explain(engine, &cause))?,
    })
}

fn approve(engine: &Engine, text: &str) -> Result<Reply, UserError> {
    let found = existing(engine, text)?;
    checked(engine, &draft_of(&found))?;
    decide(engine, text, ExperienceState::Approved)
}

fn decide(engine: &Engine, text: &str, state: ExperienceState) -> Result<Reply, UserError> {
    let experience = existing(engine, text)?.id;
    let write = Write::DecideExperience {
        experience: experience.clone(),
        state,
        ground: ExperienceGround::User,
        at: clock::now(),
    };
    commit(engine, write)?;
    shown(engine, vec![existing(engine, experience.as_str())?])
}

/// Changes what is given. What the user wrote is the user's, but an unread rest is not: the taint stays.
fn edit(
    engine: &Engine,
    text: &str,
    [goal, lesson, code]: [Option<String>; 3],
    scope: Option<MemoryScope>,
) -> Result<Reply, UserError> {
    let mut found = existing(engine, text)?;
    let draft = ExperienceDraft {
        goal: goal.unwrap_or_else(|| found.goal.clone()),
        lesson: lesson.unwrap_or_else(|| found.lesson.clone()),
        code: code.unwrap_or_else(|| found.code.clone()),
    };
    let draft = checked(engine, &draft)?;
    found.edited |= draft != draft_of(&found);
    (found.goal, found.lesson, found.code) = (draft.goal, draft.lesson, draft.code);
    found.scope = scope.unwrap_or(found.scope);
    // What models thought of other words says nothing of these.
    found.votes.clear();
    put(engine, found)
}

fn add(engine: &Engine, draft: ExperienceDraft, scope: MemoryScope) -> Result<Reply, UserError> {
    let draft = checked(engine, &draft)?;
    let mut written = Experience::written(ExperienceId::mint(), draft, clock::now());
    written.language = engine.words().code().to_owned();
    written.scope = scope;
    put(engine, written)
}

/// A candidate of a finished run, at the user's wish.
fn take(engine: &Engine, run: &RunId) -> Result<Reply, UserError> {
    let id = sessions::whole_run_id(engine, run)?;
    let lived = lived::lived(engine, &id).map_err(|cause| explain(engine, &cause))?;
    let words = engine.words();
    let nothing = || {
        error(
            ErrorCode::Input,
            words.pick(
                "这次任务里没有可学的：没有跑完的程序",
                "There is nothing to learn from this run: no program of it came to an end",
            ),
            words.pick(
                "自己写一条：shidi experience add",
                "Write one by hand: shidi experience add",
            ),
        )
    };
    let lived = lived.ok_or_else(nothing)?;
    let taken = teaching::taken(&lived).ok_or_else(nothing)?;
    let kept = learning::keep(engine, &lived, taken).map_err(|cause| explain(engine, &cause))?;
    let (Ok(kept) | Err(kept)) = kept;
    shown(engine, vec![existing(engine, kept.id.as_str())?])
}

fn put(engine: &Engine, experience: Experience) -> Result<Reply, UserError> {
    let id = experience.id.clone();
    commit(engine, written(experience))?;
    shown(engine, vec![existing(engine, id.as_str())?])
}

/// Keeps experiences of a file, all or none of them. A stranger's takes no place of what is known.
fn import(engine: &Engine, experiences: Vec<Experience>, reviewed: bool) -> Result<Reply, UserError> {
    let mut batch = Batch::default();
    let mut ids = Vec::with_capacity(experiences.len());
    for mut experience in experiences {
        let is_known = existing(engine, experience.id.as_str()).is_ok_and(|known| known.id == experience.id);
        if is_known && !reviewed {
            ids.push(experience.id);
            continue;
        }
        if !is_id(experience.id.as_str()) {
            experience.id = ExperienceId::mint();
        }
        experience.context.truncate(EXPERIENCE_LABELS_MAX);
        experience.calls.truncate(EXPERIENCE_LABELS_MAX);
        let draft = checked(engine, &draft_of(&experience))?;
        (experience.goal, experience.lesson, experience.code) = (draft.goal, draft.lesson, draft.code);
        for text in [
            &mut experience.failed_code,
            &mut experience.error,
            &mut experience.result,
        ] {
            *text = redacted(&cut(text, EXPERIENCE_CODE_CHARACTERS_MAX));
        }
        if !reviewed {
            experience.state = ExperienceState::Candidate;
            experience.ground = ExperienceGround::Undecided;
            experience.tainted = true;
            experience.votes.clear();
        }
        ids.push(experience.id.clone());
        batch.push(written(experience));
    }
    commit(engine, batch)?;
    let ids = ids.iter().take(LISTED_MAX as usize);
    let kept = ids.map(|id| existing(engine, id.as_str()));
    let kept = kept.collect::<Result<_, _>>()?;
    shown(engine, kept)
}

/// Whether a text of a file can be an id: it is shown, and typed in parts.
fn is_id(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'-';
    (1..=EXPERIENCE_ID_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_sign)
}

fn written(experience: Experience) -> Write {
    Write::PutExperience {
        keys: keys(&experience),
        experience: Box::new(experience),
    }
}

fn draft_of(experience: &Experience) -> ExperienceDraft {
    ExperienceDraft {
        goal: experience.goal.clone(),
        lesson: experience.lesson.clone(),
        code: experience.code.clone(),
    }
}

/// Words that can be kept: there is a goal and something to learn, nothing is too long, no secret stays.
fn checked(engine: &Engine, draft: &ExperienceDraft) -> Result<ExperienceDraft, UserError> {
    let words = engine.words();
    let draft = ExperienceDraft {
        goal: redacted(draft.goal.trim()),
        lesson: redacted(draft.lesson.trim()),
        code: redacted(draft.code.trim_end()),
    };
    if draft.goal.is_empty() || draft.lesson.is_empty() {
        return Err(error(
            ErrorCode::Input,
            words.pick(
                "经验要有任务和教训两项",
                "An experience needs a goal and a lesson",
            ),
            words.pick(
                "任务写它在什么时候有用，教训写该怎么做",
                "The goal says when it helps, the lesson what to do",
            ),
        ));
    }
    let too_long = draft.goal.chars().count() > EXPERIENCE_TEXT_CHARACTERS_MAX
        || draft.lesson.chars().count() > EXPERIENCE_TEXT_CHARACTERS_MAX
        || draft.code.chars().count() > EXPERIENCE_CODE_CHARACTERS_MAX;
    if too_long {
        return Err(error(
            ErrorCode::Input,
            words.pick("这条经验太长", "The experience is too long"),
            format!(
                "{} {EXPERIENCE_TEXT_CHARACTERS_MAX} / {EXPERIENCE_CODE_CHARACTERS_MAX}",
                words.pick(
                    "任务和教训、程序的字数分别不超过",
                    "Characters of goal and lesson, and of the program, at most:"
                )
            ),
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
/// That there is none, or that there are several.
fn existing(engine: &Engine, text: &str) -> Result<Experience, UserError> {
    let found = engine
        .store
        .find_experience(text)
        .and_then(|id| id.map_or(Ok(None), |id| engine.store.experience(&id)))
        .map_err(|cause| explain(engine, &cause))?;
    found.ok_or_else(|| {
        let words = engine.words();
        error(
            ErrorCode::NotFound,
            format!(
                "{} {text}",
                words.pick("没有这条经验：", "There is no experience")
            ),
            words.pick(
                "看看有哪些：shidi experience list",
                "See which there are: shidi experience list",
            ),
        )
    })
}

fn commit(engine: &Engine, batch: impl Into<Batch>) -> Result<(), UserError> {
    engine
        .store
        .commit(batch)
        .map_err(|cause| explain(engine, &cause))
}

fn explain(engine: &Engine, cause: &StoreError) -> UserError {
    storage::explain(cause, engine.words())
}
