//! Attempts of other agents at tasks of a suite: one file each, written by whoever played them.
//!
//! They are judged as our own are. An attempt at a task that was put in other words, or with other files, is left out.

use crate::limits::{ATTEMPT_BYTES_MAX, ATTEMPTS_MAX, KEPT_FILE_BYTES_MAX, QUOTED_CHARACTERS};
use crate::suite::{Case, Content, Suite};
use crate::trial::Trial;
use serde::Deserialize;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The form of these files.
const FORM: u32 = 1;

/// The ending of these files.
const ENDING: &str = "json";

/// An attempt at a task, and who made it.
#[derive(Debug, Deserialize)]
pub struct ForeignAttempt {
    form: u32,
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

/// Reads the attempts of a folder. Those at tasks that the suite has not are passed over.
///
/// # Errors
/// A folder that can't be read or holds no attempt at a task of the suite. Also a file that is none.
pub fn foreign_attempts(
    folder: &Path,
    suite: &Suite,
    language: Language,
) -> Result<ForeignAttempts, UserError> {
    let say = language.evaluation();
    let refused = |message: String| UserError::new(ErrorCode::Input, message).hint(say.attempt_form());
    let paths = paths(folder).map_err(|cause| refused(say.file_unread(cause, folder.display())))?;
    let mut found = ForeignAttempts::default();
    for path in paths {
        let attempt = read(&path).map_err(|cause| refused(say.not_an_attempt(cause, path.display())))?;
        let place = suite.cases.iter().position(|case| case.name == attempt.task);
        let Some(place) = place else { continue };
        match is_at(&attempt, &suite.cases[place]) {
            true => found.attempts.push((place, attempt)),
            false => found.outdated += 1,
        }
    }
    if found.attempts.is_empty() {
        return Err(refused(say.no_attempts(folder.display())));
    }
    found.attempts.sort_by_key(order);
    // An attempt that lies there twice counts once.
    found.attempts.dedup_by_key(|entry| order(entry));
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

/// The files of a folder that hold attempts, by their names.
fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            paths.push(path);
        }
        if paths.len() > ATTEMPTS_MAX {
            return Err(io::Error::other(format!("more than {ATTEMPTS_MAX} files")));
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> io::Result<ForeignAttempt> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(ATTEMPT_BYTES_MAX + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > ATTEMPT_BYTES_MAX {
        return Err(io::Error::other(format!("more than {ATTEMPT_BYTES_MAX} bytes")));
    }
    let mut attempt: ForeignAttempt = serde_json::from_slice(&bytes)?;
    if attempt.form != FORM {
        return Err(io::Error::other(format!("form {}, not {FORM}", attempt.form)));
    }
    attempt.agent = attempt.agent.trim().chars().take(QUOTED_CHARACTERS).collect();
    if attempt.agent.is_empty() {
        return Err(io::Error::other("agent: \"\""));
    }
    Ok(attempt)
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
