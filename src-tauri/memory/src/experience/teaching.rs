//! Makes a candidate of a run that is over, by local rules (F6.7). Pure: it decides what a run taught and words it.
//!
//! Three things are worth learning. The first two are a failure after which another way worked, and a failure that was
//! given up. The third is work of several steps or toolkits that came out well.

use super::keys::class;
use super::lived::{Attempt, Ending, Lived};
use crate::limits::{EXPERIENCE_CODE_CHARACTERS_MAX, EXPERIENCE_TEXT_CHARACTERS_MAX};
use shidi_locales::Language;
use shidi_protocol::{
    Experience, ExperienceDraft, ExperienceGround, ExperienceId, ExperienceKind, ExperienceOutcome,
    ExperienceState,
};
use shidi_senses::redacted;
use shidi_space::clock;
use shidi_store::{canonical, question_terms};
use std::collections::BTreeSet;
use std::path::Path;

/// Terms that a goal needs to be found by; *go on* has fewer.
const GOAL_TERMS_MIN: usize = 2;

/// Programs, or toolkits, from which on work that came out well is worth keeping.
const STEPS_MIN: usize = 2;

/// Lines of a program that a lesson quotes, letters of one, and letters of an error.
const QUOTED_LINES: usize = 2;
const QUOTED_CHARACTERS: usize = 120;
const ERROR_CHARACTERS: usize = 300;

/// Letters of a result that stand in an experience.
const RESULT_CHARACTERS: usize = 400;

/// Letters of a file's ending.
const ENDING_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=5;

/// Bytes of a host: the longest name that there may be.
const HOST_BYTES_MAX: usize = 253;

/// Things around a run that are noted, and hosts beside them.
const CONTEXT_MAX: usize = 16;
const HOSTS_MAX: usize = 4;

/// The experience that a run taught, if it taught one.
pub fn taught(lived: &Lived) -> Option<Experience> {
    let is_found_again = question_terms(&lived.question).len() >= GOAL_TERMS_MIN;
    if !lived.is_original || !is_found_again {
        return None;
    }
    match lived.outcome {
        ExperienceOutcome::Success => fix(lived).or_else(|| practice(lived)),
        ExperienceOutcome::Failure => warning(lived),
        ExperienceOutcome::Neither => None,
    }
}

/// What a run taught in the user's opinion: also plain work of a single step.
pub fn taken(lived: &Lived) -> Option<Experience> {
    let is_done = lived.outcome == ExperienceOutcome::Success;
    let plain = || is_done.then(|| of_practice(lived, &worked(lived)));
    taught(lived).or_else(plain).or_else(|| warning(lived))
}

/// The last failure after which something worked, and what did.
fn fix(lived: &Lived) -> Option<Experience> {
    let failed = lived
        .attempts
        .iter()
        .rposition(|attempt| attempt.ending == Ending::Failed)?;
    let after = lived.attempts.get(failed + 1..)?;
    let working = after.iter().find(|attempt| attempt.ending == Ending::Worked)?;
    let failed = lived.attempts.get(failed)?;
    Some(corrected(lived, ExperienceKind::Fix, failed, working))
}

/// What a failure teaches after which another way worked.
pub fn corrected(lived: &Lived, kind: ExperienceKind, failed: &Attempt, working: &Attempt) -> Experience {
    let error = error_of(&failed.output);
    let (before, now) = (
        differing(&failed.program, &working.program),
        differing(&working.program, &failed.program),
    );
    let say = language(lived).memory();
    let lesson = match before.is_empty() {
        true => say.lesson_first_way_failed(&error, now),
        false => say.lesson_failed(before, &error, now),
    };
    let mut experience = experience(lived, kind, lesson, &working.program);
    experience.failed_code = clipped(&failed.program, EXPERIENCE_CODE_CHARACTERS_MAX);
    experience.error = error;
    experience.calls.clone_from(&working.tools);
    experience.result = clipped(&working.output, RESULT_CHARACTERS);
    experience
}

/// A failure that the run ended with.
fn warning(lived: &Lived) -> Option<Experience> {
    let failures = lived
        .attempts
        .iter()
        .filter(|attempt| attempt.ending == Ending::Failed);
    let failed = failures.clone().next_back()?;
    let error = error_of(&failed.output);
    let times = u64::try_from(failures.count()).unwrap_or(u64::MAX);
    let lesson = language(lived).memory().lesson_given_up(times, &error);
    let mut experience = experience(lived, ExperienceKind::Warning, lesson, &failed.program);
    experience.error = error;
    experience.calls.clone_from(&failed.tools);
    Some(experience)
}

/// Work of several steps or toolkits that came out well at once.
fn practice(lived: &Lived) -> Option<Experience> {
    let worked = worked(lived);
    let toolkits: BTreeSet<&str> = worked
        .iter()
        .flat_map(|attempt| &attempt.tools)
        .filter_map(|tool| tool.split('.').next())
        .collect();
    let is_much = worked.len() >= STEPS_MIN || toolkits.len() >= STEPS_MIN;
    (is_much && !lived.was_lacking).then(|| of_practice(lived, &worked))
}

fn of_practice(lived: &Lived, worked: &[&Attempt]) -> Experience {
    let mut tools: Vec<String> = Vec::new();
    for tool in worked.iter().flat_map(|attempt| &attempt.tools) {
        if !tools.contains(tool) {
            tools.push(tool.clone());
        }
    }
    let (steps, used) = (worked.len(), tools.join(", "));
    let say = language(lived).memory();
    let lesson = match (steps > 1, tools.is_empty()) {
        (true, true) => say.lesson_steps(steps),
        (true, false) => say.lesson_steps_with(steps, used),
        (false, true) => say.lesson_one_step().to_owned(),
        (false, false) => say.lesson_one_step_with(used),
    };
    let programs: Vec<&str> = worked.iter().map(|attempt| attempt.program.trim()).collect();
    let mut experience = experience(lived, ExperienceKind::Practice, lesson, &programs.join("\n\n"));
    experience.calls = tools;
    if let Some(last) = worked.last() {
        experience.result = clipped(&last.output, RESULT_CHARACTERS);
    }
    experience
}

fn worked(lived: &Lived) -> Vec<&Attempt> {
    let attempts = lived.attempts.iter();
    attempts
        .filter(|attempt| attempt.ending == Ending::Worked)
        .collect()
}

fn experience(lived: &Lived, kind: ExperienceKind, lesson: String, program: &str) -> Experience {
    let draft = ExperienceDraft {
        goal: clipped(&lived.question, EXPERIENCE_TEXT_CHARACTERS_MAX),
        lesson: clipped(&lesson, EXPERIENCE_TEXT_CHARACTERS_MAX),
        code: clipped(program, EXPERIENCE_CODE_CHARACTERS_MAX),
    };
    let mut experience = Experience::written(ExperienceId::mint(), draft, clock::now());
    experience.kind = kind;
    experience.state = ExperienceState::Candidate;
    experience.ground = ExperienceGround::Undecided;
    experience.context = context(lived);
    experience.outcome = lived.outcome;
    experience.language.clone_from(&lived.language);
    experience.tainted = lived.tainted;
    experience.seen = 1;
    experience
}

/// What surrounded a run: its toolkits, the kinds of its files, its page, then its hosts.
pub fn context(lived: &Lived) -> Vec<String> {
    let mut context = surroundings(&lived.ask);
    let tools = lived.attempts.iter().flat_map(|attempt| &attempt.tools);
    context.extend(
        tools
            .filter_map(|tool| tool.split('.').next())
            .map(|toolkit| format!("toolkit:{toolkit}")),
    );
    context.extend(lived.arguments.iter().filter_map(|text| kind_of_file(text)));
    let around = context.into_iter().take(CONTEXT_MAX);
    around.chain(hosts(&lived.arguments)).collect()
}

/// The hosts that calls named first. They are so few, and come last, that they push out nothing else.
fn hosts(arguments: &[String]) -> Vec<String> {
    let mut hosts = Vec::new();
    for host in arguments.iter().filter_map(|text| host_of(text)) {
        if hosts.len() < HOSTS_MAX && !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}

/// The surroundings of a question before anything is done.
pub fn surroundings(ask: &shidi_protocol::Ask) -> BTreeSet<String> {
    let mut around: BTreeSet<String> = ask.files.iter().filter_map(|path| kind_of_file(path)).collect();
    around.extend(
        ask.text
            .split(|character: char| {
                character.is_whitespace() || "，。、；：？！,;?!\"'()（）《》".contains(character)
            })
            .filter_map(kind_of_file),
    );
    let address = ask.context.as_ref().and_then(|context| context["url"].as_str());
    let host = address
        .map(canonical)
        .and_then(|site| site.split("://").nth(1)?.split('/').next().map(str::to_owned));
    around.extend(
        host.filter(|host| !host.is_empty())
            .map(|host| format!("site:{host}")),
    );
    around
}

/// The host of an address that a call named, in small letters. Name, password and port are left out.
fn host_of(argument: &str) -> Option<String> {
    let address = canonical(argument.split_whitespace().next()?);
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"))?;
    let host = rest.split(['/', '?']).next()?;
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|sign| sign.is_ascii_digit()) => name,
        Some(_) | None => host,
    };
    let host = host.trim_end_matches('.');
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    let is_part = |sign: char| match sign {
        '[' | ']' | ':' => is_bracketed,
        '.' | '-' | '_' => true,
        other => other.is_alphanumeric(),
    };
    let is_host = (1..=HOST_BYTES_MAX).contains(&host.len()) && host.chars().all(is_part);
    is_host.then(|| format!("host:{}", redacted(host)))
}

fn kind_of_file(path: &str) -> Option<String> {
    let ending = Path::new(path.trim()).extension()?.to_str()?;
    let is_ending = ENDING_CHARACTERS.contains(&ending.len())
        && ending.chars().all(|character| character.is_ascii_alphanumeric())
        && ending.chars().any(|character| character.is_ascii_alphabetic());
    is_ending.then(|| format!("file:.{}", ending.to_ascii_lowercase()))
}

/// The line that names the failure. The line is the last one, without the place in a program that is gone by now.
pub fn error_of(output: &str) -> String {
    let mut lines = output
        .lines()
        .rev()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let last = lines.next().unwrap_or_default();
    let error = match last.split_once(": ") {
        Some((place, rest)) if place.starts_with("line ") && !class(rest).is_empty() => rest,
        _ => last,
    };
    clipped(error, ERROR_CHARACTERS)
}

/// The first lines of `program` that `other` does not have, quoted.
fn differing(program: &str, other: &str) -> String {
    let known: BTreeSet<&str> = other.lines().map(str::trim).collect();
    let differing = program
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#') && !known.contains(line));
    let quoted = differing
        .take(QUOTED_LINES)
        .map(|line| format!("`{}`", clipped(line, QUOTED_CHARACTERS)));
    quoted.collect::<Vec<_>>().join(" ")
}

fn language(lived: &Lived) -> Language {
    Language::named(&lived.language)
}

fn clipped(text: &str, characters: usize) -> String {
    let text = redacted(text.trim());
    if text.chars().count() <= characters {
        return text;
    }
    let mut cut: String = text.chars().take(characters.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
#[path = "teaching_tests.rs"]
mod tests;
