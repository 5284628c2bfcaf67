//! What parts of prompts brought (F12.5): counted when a task ends, read when one begins, shown in the dashboard.
//!
//! The mind measures and chooses. Here is what it needs of the store. Sessions that leave no trace are never counted.

use crate::limits::PROMPT_PARTS_SHOWN;
use shidi_agent::{RunContext, measured_prompt, part_standing};
use shidi_protocol::{PromptPartCounts, PromptPartFigures};
use shidi_space::Space;
use shidi_space::config::Config;
use shidi_store::{StoreError, Write};

/// Counts the prompt of a task that is over. A count that is lost is a pity, never a failure of the task.
pub fn measure(space: &Space, context: &RunContext) {
    match measured_prompt(context) {
        Ok(Some(prompt)) => {
            let write = Write::MeasurePrompt(Box::new(prompt));
            if let Err(cause) = space.store.buffer(write) {
                tracing::warn!(%cause, "the parts of a prompt were not counted");
            }
        }
        Ok(None) => {}
        Err(cause) => tracing::warn!(%cause, "the parts of a prompt can't be measured"),
    }
}

/// The counts by which the prompts of an assistant's task are composed; none where they are to stay whole.
pub fn counts_for(space: &Space, config: &Config, assistant: &str) -> Vec<PromptPartCounts> {
    if !config.task.compose_prompts {
        return Vec::new();
    }
    space.store.prompt_parts(Some(assistant)).unwrap_or_else(|cause| {
        tracing::warn!(%cause, "prompts stay whole: their counts can't be read");
        Vec::new()
    })
}

/// The parts of all assistants' prompts with what their counts say.
pub fn figures(space: &Space) -> Result<Vec<PromptPartFigures>, StoreError> {
    let figures = |counts: PromptPartCounts| PromptPartFigures {
        standing: part_standing(&counts),
        counts,
    };
    let parts = space.store.prompt_parts(None)?;
    Ok(parts.into_iter().take(PROMPT_PARTS_SHOWN).map(figures).collect())
}
