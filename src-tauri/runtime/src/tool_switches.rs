//! The user's hand on the registry, with what the page in front and knowledge bases offer.

use crate::features::Features;
use shidi_protocol::{ToolRequest, UserError, reply};
use shidi_space::tool_switches::Switching;

/// Does what was asked of the toolkits.
///
/// # Errors
/// A tool that is not there or can't be switched, a name that is none, storage trouble.
pub fn perform(features: &Features, action: ToolRequest) -> Result<reply::Tools, UserError> {
    let front = features.pages.front();
    let page = front.and_then(|front| features.pages.toolkit(&front.page));
    let declared = shidi_knowledge::toolkits(features, None).into_iter().chain(page);
    let switching = Switching {
        space: features,
        registry: &features.registry,
        declared: declared.collect(),
    };
    switching.perform(action)
}
