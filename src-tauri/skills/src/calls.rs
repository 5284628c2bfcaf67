//! The calls of programs: a skill is loaded, or a file beside it read.
//!
//! The words of a skill that nobody has reviewed are a stranger's, and mark the run.

use crate::catalogue::Skill;
use crate::limits::{BODY_CHARACTERS_MAX, FILES_TOLD_MAX};
use serde_json::{Value, json};
use shidi_bundles::{Unread, read_text};
use shidi_protocol::{Call, CallOutcome, ContextPiece, SkillSource};
use shidi_toolkits::skills::{self, LOAD, NAME_OF, PATH};

/// Performs a call of the toolkit with the skills that the run is offered.
#[must_use]
pub fn perform(call: &Call, offered: &[Skill]) -> CallOutcome {
    if let Err(refused) = skills::check(call) {
        return *refused;
    }
    let name = call.text(NAME_OF);
    let Some(skill) = offered.iter().find(|skill| skill.name == name) else {
        let known: Vec<&str> = offered.iter().map(|skill| skill.name.as_str()).collect();
        let message = format!("There is no skill {name:?}; there are {}", known.join(", "));
        return CallOutcome::failure("KeyError", message).own();
    };
    let outcome = match call.method.as_str() {
        LOAD => load(skill),
        _ => read(skill, call.text(PATH)),
    };
    match skill.is_reviewed() {
        true => outcome.own(),
        false => outcome,
    }
}

/// A skill's words as they stand in a conversation; `None` of one that can't be read.
#[must_use]
pub fn piece(skill: &Skill) -> Option<ContextPiece> {
    let text = skill.text.as_ref().ok()?;
    Some(ContextPiece {
        source: skills::NAME_OF_PIECE.to_owned(),
        title: skill.name.clone(),
        url: None,
        text: format!("{}{}", cut(&text.body), beside(skill)),
        untrusted: !skill.is_reviewed(),
    })
}

fn load(skill: &Skill) -> CallOutcome {
    let Some(piece) = piece(skill) else {
        return CallOutcome::failure("OSError", format!("The skill {:?} can't be read", skill.name));
    };
    let files: Vec<&str> = skill
        .files
        .iter()
        .map(|file| file.path.as_str())
        .take(FILES_TOLD_MAX)
        .collect();
    let data = json!({"name": skill.name, "text": piece.text, "files": files});
    CallOutcome::success(data, skill.name.clone())
}

fn read(skill: &Skill, path: &str) -> CallOutcome {
    let read = match &skill.folder {
        Some(folder) => read_text(folder, path),
        None => Err(Unread::Missing(path.to_owned())),
    };
    match read {
        Ok(text) => CallOutcome::success(Value::from(text), format!("{} · {path}", skill.name)),
        Err(cause) => CallOutcome::failure("FileNotFoundError", format!("{}: {cause}", skill.name)),
    }
}

fn cut(body: &str) -> String {
    match body.char_indices().nth(BODY_CHARACTERS_MAX) {
        None => body.to_owned(),
        Some((end, _)) => format!("{}\n(cut here: too long)", &body[..end]),
    }
}

/// What lies beside a skill, and how a program reaches it.
fn beside(skill: &Skill) -> String {
    if skill.files.is_empty() {
        return String::new();
    }
    let mut named: Vec<&str> = skill
        .files
        .iter()
        .map(|file| file.path.as_str())
        .take(FILES_TOLD_MAX)
        .collect();
    if named.len() < skill.files.len() {
        named.push("…");
    }
    let name = &skill.name;
    let files = named.join(", ");
    let mut told =
        format!("\n\nFiles beside it: {files}. Read one by await skills.read(name={name:?}, path=…).");
    let has_program = skill.files.iter().any(|file| file.is_program);
    match (skill.source, has_program) {
        (SkillSource::Project, _) => told.push_str(&format!(" They lie in {}.", skill.place())),
        (SkillSource::User | SkillSource::BuiltIn | SkillSource::Plugin, true) => told.push_str(
            " To run a script, write it into the work folder by files.write and call it by shell.run.",
        ),
        (SkillSource::User | SkillSource::BuiltIn | SkillSource::Plugin, false) => {}
    }
    told
}
