//! How experiences are shown to people.

use super::super::session::local;
use crate::console::{Console, Look};
use crate::failure::Failure;
use shidi_protocol::{Experience, ExperienceEffect};

/// The lesson, then one line about it.
pub fn short(experience: &Experience, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut head = format!(
        "{}  {}  {}",
        experience.id,
        words.experience_kind(experience.kind),
        words.experience_state(experience.state)
    );
    let fared = words.fared(experience);
    if !fared.is_empty() {
        head.push_str(&format!("  {fared}"));
    }
    if let Some(ground) = words.experience_ground(experience.ground) {
        head.push_str(&format!("  {ground}"));
    }
    if experience.tainted {
        head.push_str(&format!("  {}", words.experience_tainted()));
    }
    let lesson = experience.lesson.replace('\n', " ");
    let goal = experience.goal.replace('\n', " ");
    console.line(&format!(
        "{lesson}\n    {goal}\n    {}",
        console.painted(Look::Dim, &head)
    ))
}

/// Everything that is known of it.
pub fn whole(experience: &Experience, console: &Console) -> Result<(), Failure> {
    short(experience, console)?;
    let words = console.words;
    for (title, text) in [
        (words.experience_failed_code(), &experience.failed_code),
        (words.experience_error(), &experience.error),
        (words.experience_code(), &experience.code),
        (words.experience_result(), &experience.result),
    ] {
        if !text.is_empty() {
            let indented: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
            console.line(&format!(
                "{}\n{}",
                console.painted(Look::Dim, title),
                indented.join("\n")
            ))?;
        }
    }
    let calls = experience.calls.iter().chain(&experience.context);
    let around: Vec<&str> = calls.map(String::as_str).collect();
    if !around.is_empty() {
        console.line(&console.painted(Look::Dim, &around.join("  ")))?;
    }
    for vote in &experience.votes {
        let voted = words.experience_vote(vote);
        console.line(&format!("{voted}  {}", console.painted(Look::Dim, &vote.model)))?;
    }
    for run in &experience.runs {
        let role = words.experience_role(run.role, run.outcome);
        let when = format!("{}  {}", local(run.time), run.run);
        let question = run.question.replace('\n', " ");
        console.line(&format!(
            "{role}  {question}\n    {}",
            console.painted(Look::Dim, &when)
        ))?;
    }
    Ok(())
}

/// A past run that would have had it.
pub fn effect(effect: &ExperienceEffect, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut about = format!(
        "{}  {}  {:.2}  {}",
        words.experience_outcome(effect.outcome),
        local(effect.time),
        effect.fit,
        effect.run
    );
    if effect.taught {
        about.push_str(&format!("  {}", words.experience_taught()));
    }
    let question = effect.question.replace('\n', " ");
    console.line(&format!("{question}\n    {}", console.painted(Look::Dim, &about)))
}
