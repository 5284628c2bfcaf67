//! Agents of Cherry Studio: a list of items with name, sign, groups, prompt and description.

use super::Mapped;
use super::fields::text;
use crate::problem::{Fault, Reason};
use shidi_yaml::Node;

const KNOWN: [&str; 5] = ["id", "name", "emoji", "prompt", "description"];

/// An agent of the list.
///
/// # Errors
/// A name without a letter.
pub fn mapped(node: &Node) -> Result<Mapped, Fault> {
    let mut mapped = Mapped::titled(node, &text(node, "name"), &text(node, "id"))?;
    mapped.picture(&text(node, "emoji"));
    mapped.describe(&text(node, "description"));
    mapped.prompt(node, &text(node, "prompt"));
    mapped.keep_others(node, &KNOWN, |key| match key {
        "defaultModel" | "model" => Reason::ModelOfUser,
        "knowledge_bases" | "mcpServers" | "tools" => Reason::SetUpApart,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}
