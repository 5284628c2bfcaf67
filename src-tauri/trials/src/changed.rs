//! A change in the data folder of an attempt, made as its user would make it.

use crate::stage::{Stage, unwritten};
use shidi_bad_cases::skill_text;
use shidi_protocol::request::{experience, memory, skills};
use shidi_protocol::{CaseChange, ExperienceDraft, MemoryKind, MemoryScope, UserError, reply};
use shidi_runtime::Connection;
use std::fs;

/// Makes the change.
///
/// # Errors
/// A disk that takes no more, or texts that nobody keeps.
pub async fn made(connection: &Connection, stage: &Stage, change: &CaseChange) -> Result<(), UserError> {
    match change.clone() {
        CaseChange::Experience { goal, lesson, code } => {
            let draft = ExperienceDraft { goal, lesson, code };
            let scope = MemoryScope::User;
            let add = experience::Add {
                draft,
                scope,
                tainted: false,
                mistake: false,
            };
            connection.ask(add).await.map(drop)
        }
        CaseChange::Knowledge { text } => {
            let add = memory::Add {
                text,
                kind: MemoryKind::Knowledge,
                scope: MemoryScope::User,
                tags: Vec::new(),
                until: None,
                tainted: false,
            };
            connection.ask(add).await.map(drop)
        }
        CaseChange::Prompt {
            language,
            module,
            text,
        } => {
            let folder = stage.data().join("prompts").join(language);
            fs::create_dir_all(&folder).map_err(unwritten)?;
            fs::write(folder.join(format!("{module}.xml")), text).map_err(unwritten)
        }
        CaseChange::Skill {
            name,
            description,
            text,
        } => {
            let folder = stage.beside(&name);
            fs::create_dir_all(&folder).map_err(unwritten)?;
            let text = skill_text(&name, &description, &text);
            fs::write(folder.join("SKILL.md"), text).map_err(unwritten)?;
            let source = folder.to_string_lossy().into_owned();
            let reply::SkillReview { review, .. } = connection.ask(skills::Review { source }).await?;
            let names = Vec::new();
            connection.ask(skills::Install { review, names }).await.map(drop)
        }
    }
}
