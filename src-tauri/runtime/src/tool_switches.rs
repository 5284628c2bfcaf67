//! The user's hand on the registry, with what the page in front and knowledge bases offer.

use crate::engine::Engine;
use shidi_protocol::{ToolRequest, UserError, reply};
use shidi_space::tool_switches::Switching;

/// Does what was asked of the toolkits.
///
/// # Errors
/// A tool that is not there or can't be switched, a name that is none, storage trouble.
pub fn perform(engine: &Engine, action: ToolRequest) -> Result<reply::Tools, UserError> {
    let front = engine.pages.front();
    let page = front.and_then(|front| engine.pages.toolkit(&front.page));
    let declared = shidi_knowledge::toolkits(engine, None).into_iter().chain(page);
    let switching = Switching {
        space: engine.space(),
        registry: &engine.registry,
        declared: declared.collect(),
    };
    switching.perform(action)
}
