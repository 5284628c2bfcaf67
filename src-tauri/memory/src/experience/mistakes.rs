//! Common mistakes (F6.7): which reviewed ones go along with a question, and which corrections of runs are one. Pure.
//!
//! A mistake is made with a tool or a kind of program, whatever the task is. The goal's words do not tell where it fits.
//! The toolkits of the prompt do, and what the question speaks of.

use super::choosing::{Chosen, Wanted, is_in_scope, trust};
use super::keys::class;
use super::lived::{Attempt, Ending, Lived};
use super::teaching::{corrected, error_of};
use shidi_agent::common_mistakes;
use shidi_protocol::{Experience, ExperienceKind, ExperienceState};
use shidi_store::question_terms;
use std::collections::BTreeSet;

/// Sessions in which the same correction was made before it is a candidate: twice is chance.
pub const SESSIONS_MIN: usize = 3;

/// Words that a question shares with a mistake that speaks of nothing else in it.
const WORDS_MIN: usize = 2;

/// How well a mistake fits whose tool the question speaks of, at least.
const OF_TOOL: f64 = 0.5;

/// Errors that tell of the world and of no mistake in a program.
const OF_THE_WORLD: [&str; 5] = [
    "ConnectionError",
    "FileNotFoundError",
    "OSError",
    "PermissionError",
    "TimeoutError",
];

/// A failure of a tool that then worked in another way in the same run.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction<'a> {
    /// `toolkit.method`.
    pub tool: String,
    /// Class of the error.
    pub class: String,
    failed: &'a Attempt,
    working: &'a Attempt,
}

/// The corrections of a run, each tool and class once.
pub fn corrections(lived: &Lived) -> Vec<Correction<'_>> {
    let toolkits: BTreeSet<&str> = lived
        .attempts
        .iter()
        .flat_map(|attempt| &attempt.tools)
        .filter_map(|tool| toolkit_of(tool))
        .collect();
    let mut found: Vec<Correction<'_>> = Vec::new();
    for (at, failed) in lived.attempts.iter().enumerate() {
        let error = error_of(&failed.output);
        let class = class(&error);
        let is_mistake =
            failed.ending == Ending::Failed && !class.is_empty() && !OF_THE_WORLD.contains(&class.as_str());
        if !is_mistake {
            continue;
        }
        let tool = tool_in(&error, &toolkits).or_else(|| tool_in(failing_line(failed)?, &toolkits));
        let Some(tool) = tool else { continue };
        // A run that gave the tool up tells nothing of how it is used.
        let mut later = lived.attempts.iter().skip(at + 1);
        let working = later.find(|attempt| attempt.ending == Ending::Worked && attempt.tools.contains(&tool));
        let Some(working) = working else { continue };
        if found
            .iter()
            .all(|known| (&known.tool, &known.class) != (&tool, &class))
        {
            found.push(Correction {
                tool,
                class,
                failed,
                working,
            });
        }
    }
    found
}

/// A correction as a candidate. Only the texts that it is made of decide whether a stranger's words are in it.
pub fn candidate(lived: &Lived, correction: &Correction<'_>) -> Experience {
    let Correction {
        tool,
        class,
        failed,
        working,
    } = correction;
    let mut candidate = corrected(lived, ExperienceKind::Mistake, failed, working);
    candidate.goal = format!("{tool}: {class}");
    candidate.calls = vec![tool.clone()];
    candidate.result.clear();
    candidate.tainted = failed.is_program_tainted || failed.is_output_tainted || working.is_program_tainted;
    candidate
}

/// Makes a common mistake of what a task taught. Of the tools it keeps the one that failed, where that is told.
pub fn turn(lesson: &mut Experience) {
    lesson.calls = failed_tool(lesson).into_iter().collect();
    lesson.kind = ExperienceKind::Mistake;
}

/// Makes of a common mistake what it is of its task, with the tools that its program calls.
pub fn turn_back(mistake: &mut Experience) {
    let mut calls: Vec<String> = Vec::new();
    for tool in tools_in(&mistake.code, &toolkits_around(mistake)) {
        if !calls.iter().any(|known| known == tool) {
            calls.push(tool.to_owned());
        }
    }
    mistake.calls = calls;
    mistake.kind = match (mistake.failed_code.is_empty(), mistake.error.is_empty()) {
        (false, _) => ExperienceKind::Fix,
        (true, false) => ExperienceKind::Warning,
        (true, true) => ExperienceKind::Practice,
    };
}

/// The tool that a failure is about: its error names it, or the only line that was changed afterwards.
fn failed_tool(lesson: &Experience) -> Option<String> {
    if lesson.error.is_empty() {
        return None;
    }
    let toolkits = toolkits_around(lesson);
    let (failed, working) = match lesson.failed_code.is_empty() {
        true => (lesson.code.as_str(), ""),
        false => (lesson.failed_code.as_str(), lesson.code.as_str()),
    };
    tool_in(&lesson.error, &toolkits).or_else(|| {
        let kept: BTreeSet<&str> = working.lines().map(str::trim).collect();
        let lines = failed.lines().map(str::trim);
        let mut changed = lines.filter(|line| !line.is_empty() && !kept.contains(line));
        let (first, more) = (changed.next()?, changed.next());
        tool_in(first, &toolkits).filter(|_| more.is_none())
    })
}

/// The toolkits of the run that an experience is of.
fn toolkits_around(experience: &Experience) -> BTreeSet<&str> {
    let noted = experience.context.iter();
    let noted = noted.filter_map(|key| key.strip_prefix("toolkit:"));
    noted.chain(toolkits_of(experience)).collect()
}

/// The reviewed mistakes that go along with a question, best first. `toolkits` are those of the prompt.
pub fn chosen<'a>(wanted: &Wanted, toolkits: &BTreeSet<&str>, known: &'a [Experience]) -> Vec<Chosen<'a>> {
    let asked: BTreeSet<String> = question_terms(&wanted.question).into_iter().collect();
    let is_meant = |one: &&Experience| {
        common_mistakes::is_one(one)
            && one.state == ExperienceState::Approved
            && is_in_scope(&one.scope, wanted)
            // A stranger's words go along only where others do already.
            && (!one.tainted || wanted.is_marked)
            && (one.calls.is_empty() || toolkits_of(one).any(|toolkit| toolkits.contains(toolkit)))
    };
    let mut fitting: Vec<(f64, Chosen<'a>)> = known
        .iter()
        .filter(is_meant)
        .filter_map(|experience| {
            let fit = fit(experience, wanted, &asked, toolkits)?;
            let trusted = fit * trust(experience.wins, experience.losses);
            Some((trusted, Chosen { experience, fit }))
        })
        .collect();
    fitting.sort_by(|(left, one), (right, other)| {
        right
            .total_cmp(left)
            .then(one.experience.id.cmp(&other.experience.id))
    });
    let held = common_mistakes::fitting(fitting.iter().map(|(_, chosen)| chosen.experience));
    let is_held = |chosen: &Chosen<'a>| held.iter().any(|one| one.id == chosen.experience.id);
    fitting
        .into_iter()
        .map(|(_, chosen)| chosen)
        .filter(is_held)
        .collect()
}

/// The toolkits of the tools that a mistake is made with.
pub fn toolkits_of(mistake: &Experience) -> impl Iterator<Item = &str> {
    mistake.calls.iter().filter_map(|tool| toolkit_of(tool))
}

/// How well a mistake fits, from 0 to 1; `None` when it does not.
fn fit(
    mistake: &Experience,
    wanted: &Wanted,
    asked: &BTreeSet<String>,
    toolkits: &BTreeSet<&str>,
) -> Option<f64> {
    let told = format!("{} {}", mistake.goal, mistake.lesson);
    let terms: BTreeSet<String> = question_terms(&told).into_iter().collect();
    let shared = asked.intersection(&terms).count();
    let named = tools_in(&told, toolkits).filter_map(toolkit_of);
    let of_tool = toolkits_of(mistake)
        .chain(named)
        .any(|toolkit| is_spoken_of(toolkit, wanted, asked));
    let share = shared as f64 / asked.len().max(1) as f64;
    if of_tool {
        return Some(share.max(OF_TOOL));
    }
    (shared > 0 && shared >= asked.len().min(WORDS_MIN)).then_some(share)
}

/// Whether a question speaks of what a toolkit is for, as far as code tells.
fn is_spoken_of(toolkit: &str, wanted: &Wanted, asked: &BTreeSet<String>) -> bool {
    match toolkit {
        "files" => wanted.around.iter().any(|key| key.starts_with("file:")),
        "page" => wanted.page.is_some(),
        other => question_terms(other).iter().any(|term| asked.contains(term)),
    }
}

fn toolkit_of(tool: &str) -> Option<&str> {
    tool.split_once('.').map(|(toolkit, _)| toolkit)
}

/// The tools of these toolkits that a text names, as `files.read`.
fn tools_in<'a>(text: &'a str, toolkits: &BTreeSet<&str>) -> impl Iterator<Item = &'a str> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.');
    text.split(move |sign| !is_part(sign)).filter(move |word| {
        let parts = word.split_once('.');
        parts.is_some_and(|(toolkit, method)| {
            toolkits.contains(toolkit) && !method.is_empty() && !method.contains('.')
        })
    })
}

fn tool_in(text: &str, toolkits: &BTreeSet<&str>) -> Option<String> {
    tools_in(text, toolkits).next().map(str::to_owned)
}

/// The line of a program that failed, by the place in its output.
fn failing_line(failed: &Attempt) -> Option<&str> {
    let last = failed
        .output
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())?;
    let place = last.strip_prefix("line ")?;
    let end = place.find(|sign: char| !sign.is_ascii_digit())?;
    let number: usize = place.get(..end)?.parse().ok()?;
    failed.program.lines().nth(number.checked_sub(1)?)
}

#[cfg(test)]
#[path = "mistakes_tests.rs"]
mod tests;
