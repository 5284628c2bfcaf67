//! How parts of prompts fared, by assistant and kind of task. It shows which are used, and what a line would save.

use crate::console::{Console, Look};
use crate::failure::Failure;
use shidi_protocol::{PartStanding, PromptPartFigures, PromptPartKind};

/// Shows the parts, those of the commonest kind of task first.
///
/// # Errors
/// A reader that went away.
pub fn show(parts: &[PromptPartFigures], console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return parts.iter().try_for_each(|part| console.json(part));
    }
    let words = console.words;
    if parts.is_empty() {
        console.note(Look::Dim, words.no_parts_counted());
    }
    let mut group = None;
    for PromptPartFigures { counts, standing } in parts {
        let is_example = counts.what == PromptPartKind::Example;
        let own = (counts.assistant.as_str(), counts.kind, is_example);
        if group.replace(own) != Some(own) {
            let (assistant, kind) = (&counts.assistant, words.task_kind(counts.kind));
            let head = match is_example {
                true => words.parts_of_examples(assistant, kind),
                false => words.parts_of_kind(assistant, counts.tasks_done, kind, counts.tasks),
            };
            console.line(&console.painted(Look::Strong, &head))?;
        }
        let look = match standing {
            PartStanding::Short | PartStanding::LeftOut => Look::Strong,
            PartStanding::AskedBack | PartStanding::FailedMore => Look::Bad,
            PartStanding::Kept | PartStanding::Unmeasured | PartStanding::Used | PartStanding::Tried => {
                Look::Dim
            }
        };
        let facts = words.part_facts(counts).join(" · ");
        let standing = console.painted(look, words.part_standing(*standing));
        console.line(&format!("  {}  {facts} · {standing}", counts.part))?;
    }
    Ok(())
}
