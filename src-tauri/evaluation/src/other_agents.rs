//! Attempts of other agents at tasks of a suite: one file each, written by whoever played them.
//!
//! They are judged as our own are. An attempt at a task that was put in other words, or with other files, is left out.

use crate::form::{self, Form, placed};
use crate::limits::{ATTEMPT_BYTES_MAX, ATTEMPTS_MAX, KEPT_FILE_BYTES_MAX, QUOTED_CHARACTERS};
use crate::suite::{Case, Content, Suite};
use crate::trial::Trial;
use serde::Deserialize;
use serde_json::Value;
use shidi_locales::{Evaluation as Sentences, Language};
use shidi_protocol::{ErrorCode, UserError};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The form of these files.
const FORM: u32 = 1;

/// The ending of these files.
const ENDING: &str = "json";

/// What each of these files has.
const KEYS: [&str; 6] = ["form", "agent", "task", "attempt", "said", "trial"];

/// What a file may have beside that: whoever played notes it for itself.
const NOTES: [&str; 2] = ["conditions", "turns"];

/// A number of a turn, a step or a token.
const COUNT: Form = Form::Whole {
    least: 0,
    most: u32::MAX as u64,
};

/// The form of what each of these files has.
const ATTEMPT: Form = Form::Open(&[
    ("agent", Form::Text),
    ("task", Form::Text),
    ("said", Form::List(&Form::Text)),
    ("trial", TRIAL),
]);

/// The form of [`Trial`].
const TRIAL: Form = Form::Closed(&[
    ("answers", Form::List(&Form::Text)),
    ("asked_in", Form::List(&COUNT)),
    (
        "calls",
        Form::List(&Form::Closed(&[
            ("turn", COUNT),
            ("tool", Form::Text),
            ("args", Form::Map),
            ("ok", Form::Flag),
        ])),
    ),
    (
        "programs",
        Form::List(&Form::Closed(&[
            ("program", Form::Text),
            ("output", Form::Text),
            ("ok", Form::Flag),
        ])),
    ),
    (
        "segments",
        Form::List(&Form::Closed(&[
            ("turn", COUNT),
            ("kind", Form::Text),
            ("text", Form::Text),
        ])),
    ),
    (
        "variables",
        Form::Named(&Form::Closed(&[("kind", Form::Text), ("value", Form::Any)])),
    ),
    ("before", Form::Named(&Form::Bytes)),
    ("after", Form::Named(&Form::Bytes)),
    (
        "usage",
        Form::Closed(&[
            ("input", COUNT),
            ("cached", COUNT),
            ("output", COUNT),
            ("cost", Form::Maybe(&Form::Number)),
            ("model_calls", COUNT),
            ("estimated", Form::Maybe(&Form::Flag)),
        ]),
    ),
    ("ms", COUNT),
    ("status", Form::Maybe(&Form::OneOf(&STATUSES))),
    ("reason", Form::Maybe(&Form::Text)),
    ("late", Form::Flag),
    ("rounds_over", Form::Flag),
    ("broken", Form::Maybe(&Form::Text)),
]);

/// How a task may have ended.
const STATUSES: [&str; 5] = ["completed", "failed", "gave_up", "suspended", "cancelled"];

/// An attempt at a task, and who made it.
#[derive(Debug, Deserialize)]
pub struct ForeignAttempt {
    /// The name of the side.
    pub agent: String,
    task: String,
    /// Counts the attempts at the same task from 1.
    pub attempt: u32,
    /// What the agent was told, turn by turn.
    said: Vec<String>,
    pub trial: Trial,
}

/// The attempts of a folder that are at tasks of a suite.
#[derive(Debug, Default)]
pub struct ForeignAttempts {
    /// Each with the place of its task, in the order of the suite.
    pub attempts: Vec<(usize, ForeignAttempt)>,
    /// How many are at a task as it was once, and not as it is.
    pub outdated: u64,
    /// The names of files with an attempt at no task of the suite, each with the task that it names.
    pub elsewhere: Vec<(String, String)>,
    /// Tasks that nobody has tried.
    pub untried: Vec<String>,
}

impl ForeignAttempts {
    /// The agents, in the order in which they come.
    #[must_use]
    pub fn agents(&self) -> Vec<String> {
        let mut agents: Vec<String> = Vec::new();
        for (_, attempt) in &self.attempts {
            if !agents.contains(&attempt.agent) {
                agents.push(attempt.agent.clone());
            }
        }
        agents
    }
}

/// Reads the attempts of a folder. Those at tasks that the suite has not are named, and not taken.
///
/// # Errors
/// A folder that can't be read or holds no attempt at a task of the suite. Also a file that is none, and two files of
/// the same attempt.
pub fn foreign_attempts(
    folder: &Path,
    suite: &Suite,
    language: Language,
) -> Result<ForeignAttempts, UserError> {
    let say = language.evaluation();
    let refused = |message: String, hint: &str| UserError::new(ErrorCode::Input, message).hint(hint);
    let paths = paths(folder, say).map_err(|message| refused(message, say.attempts_folder()))?;
    let mut found = ForeignAttempts::default();
    let mut files: BTreeMap<(usize, String, u32), PathBuf> = BTreeMap::new();
    for path in paths {
        let attempt = read(&path, say).map_err(|message| refused(message, say.attempt_form()))?;
        let place = suite.cases.iter().position(|case| case.name == attempt.task);
        let Some(place) = place else {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            found.elsewhere.push((name.into_owned(), attempt.task));
            continue;
        };
        if !is_at(&attempt, &suite.cases[place]) {
            found.outdated += 1;
            continue;
        }
        let entry = (place, attempt);
        // Taking either would let the names of the files decide.
        if let Some(other) = files.insert(order(&entry), path.clone()) {
            let message = twice(&entry.1, &other, &path, say);
            return Err(refused(message, say.attempt_once()));
        }
        found.attempts.push(entry);
    }
    if found.attempts.is_empty() {
        return Err(refused(
            say.no_attempts(folder.display()),
            say.attempts_of_suite(),
        ));
    }
    found.attempts.sort_by_key(order);
    let is_untried = |place: usize| found.attempts.iter().all(|(other, _)| *other != place);
    let cases = suite.cases.iter().enumerate();
    found.untried = cases
        .filter(|(place, _)| is_untried(*place))
        .map(|(_, case)| case.name.clone())
        .collect();
    Ok(found)
}

/// The order of attempts: as their tasks, then as their agents are called.
fn order((place, attempt): &(usize, ForeignAttempt)) -> (usize, String, u32) {
    (*place, attempt.agent.clone(), attempt.attempt)
}

/// Says that two files hold the same attempt.
fn twice(attempt: &ForeignAttempt, other: &Path, path: &Path, say: Sentences) -> String {
    say.attempt_twice(
        &attempt.agent,
        attempt.attempt,
        other.display(),
        path.display(),
        &attempt.task,
    )
}

/// The files of a folder that hold attempts, by their names; or why there are none, in words.
fn paths(folder: &Path, say: Sentences) -> Result<Vec<PathBuf>, String> {
    let unread = |cause: io::Error| say.file_unread(cause, folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            paths.push(path);
        }
        if paths.len() > ATTEMPTS_MAX {
            return Err(say.too_many_attempts(folder.display(), ATTEMPTS_MAX));
        }
    }
    paths.sort();
    Ok(paths)
}

/// The attempt that a file holds; or why it holds none, in words.
fn read(path: &Path, say: Sentences) -> Result<ForeignAttempt, String> {
    let mut bytes = Vec::new();
    let opened = File::open(path);
    opened
        .and_then(|file| file.take(ATTEMPT_BYTES_MAX + 1).read_to_end(&mut bytes))
        .map_err(|cause| say.file_unread(cause, path.display()))?;
    if bytes.len() as u64 > ATTEMPT_BYTES_MAX {
        return Err(say.file_too_large(ATTEMPT_BYTES_MAX >> 20, path.display()));
    }
    attempt_of(&bytes, say).map_err(|cause| say.not_an_attempt(cause, path.display()))
}

fn attempt_of(bytes: &[u8], say: Sentences) -> Result<ForeignAttempt, String> {
    check(bytes, say)?;
    let read: Result<ForeignAttempt, _> = serde_json::from_slice(bytes);
    let mut attempt = read.map_err(|cause| {
        let (line, column, told) = (cause.line(), cause.column(), cause.to_string());
        let why = told.trim_end_matches(&format!(" at line {line} column {column}"));
        placed(why, &cause, say)
    })?;
    attempt.agent = attempt.agent.trim().chars().take(QUOTED_CHARACTERS).collect();
    if attempt.agent.is_empty() {
        return Err(say.attempt_agent_empty().to_owned());
    }
    beyond_turns(&attempt, say).map_or(Ok(attempt), Err)
}

/// Whether a text has the form of an attempt, as far as people get it wrong by hand.
fn check(bytes: &[u8], say: Sentences) -> Result<(), String> {
    let whole = form::value(bytes, say)?;
    let Value::Object(fields) = &whole else {
        return Err(say.wants_map().to_owned());
    };
    if let Some(key) = KEYS.iter().find(|key| !fields.contains_key(**key)) {
        return Err(say.key_missing(key));
    }
    let is_known = |key: &str| KEYS.contains(&key) || NOTES.contains(&key);
    if let Some(key) = fields.keys().find(|key| !is_known(key)) {
        let key: String = key.chars().take(QUOTED_CHARACTERS).collect();
        return Err(say.no_such_key(key));
    }
    if fields["form"] != FORM {
        return Err(say.attempt_other_form(&fields["form"], FORM));
    }
    let number = fields["attempt"]
        .as_u64()
        .and_then(|number| u32::try_from(number).ok());
    if !matches!(number, Some(1..)) {
        return Err(say.attempt_number().to_owned());
    }
    form::fault(&whole, &ATTEMPT, say).map_or(Ok(()), Err)
}

/// What an attempt tells of turns that it did not have, in words.
fn beyond_turns(attempt: &ForeignAttempt, say: Sentences) -> Option<String> {
    let (trial, turns) = (&attempt.trial, attempt.said.len());
    if trial.answers.len() > turns {
        return Some(say.answers_beyond_turns().to_owned());
    }
    let asked = trial.asked_in.iter().enumerate();
    let asked = asked.map(|(at, turn)| (format!("trial.asked_in[{at}]"), *turn));
    let calls = trial.calls.iter().enumerate();
    let calls = calls.map(|(at, call)| (format!("trial.calls[{at}].turn"), call.turn));
    let segments = trial.segments.iter().enumerate();
    let segments = segments.map(|(at, segment)| (format!("trial.segments[{at}].turn"), segment.turn));
    let mut told = asked.chain(calls).chain(segments);
    let (field, _) = told.find(|(_, turn)| !(1..=turns).contains(turn))?;
    Some(say.field_fault(say.wants_whole(1, turns), field))
}

/// Whether the agent was told this task, and found the files of this task.
fn is_at(attempt: &ForeignAttempt, case: &Case) -> bool {
    let before = &attempt.trial.before;
    let is_there = |(name, content): (&String, &Content)| match content {
        Content::Bytes(bytes) if bytes.len() as u64 <= KEPT_FILE_BYTES_MAX => {
            before.get(name).is_some_and(|found| found.0 == *bytes)
        }
        // What is too large to be stored, or is written by a program, is taken on trust.
        Content::Bytes(_) | Content::Python(_) => true,
    };
    attempt.said == case.turns && case.setup.files.iter().all(is_there)
}

#[cfg(test)]
mod tests;
