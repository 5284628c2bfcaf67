//! Recipes of goose: instructions, a question to begin with, and what is set up apart.

use super::Mapped;
use super::fields::{below, items, number, text};
use crate::problem::{Fault, Reason};
use shidi_yaml::Node;

const KNOWN: [&str; 8] = [
    "version",
    "title",
    "description",
    "instructions",
    "prompt",
    "activities",
    "settings",
    "recipe",
];

/// A recipe, at the root as on the command line, or below `recipe` as on the desktop.
///
/// # Errors
/// A title without a letter.
pub fn mapped(root: &Node) -> Result<Mapped, Fault> {
    let node = root.get("recipe").unwrap_or(root);
    let mut mapped = Mapped::titled(node, &text(node, "title"), &text(root, "id"))?;
    mapped.describe(node, "description", &text(node, "description"));
    let (instructions, first) = (text(node, "instructions"), text(node, "prompt"));
    let place = below(node, "prompt");
    match instructions.is_empty() {
        true => mapped.prompt(&place, &first),
        false => {
            mapped.prompt(&below(node, "instructions"), &instructions);
            mapped.suggest(&place, &first);
        }
    }
    for item in items(node, "activities") {
        mapped.suggest(&item.place, item.text().unwrap_or_default());
    }
    if let Some(settings) = node.get("settings") {
        mapped.spec.sampling.temperature = number(settings, "temperature");
        mapped.keep_others(settings, &["temperature"], |key| match key {
            "goose_provider" | "goose_model" => Reason::ModelOfUser,
            _ => Reason::KeptOnly,
        });
    }
    mapped.keep_others(node, &KNOWN, |key| match key {
        "extensions" => Reason::SetUpApart,
        "parameters" => Reason::Placeholder,
        "author" => Reason::Personal,
        _ => Reason::KeptOnly,
    });
    mapped.other.remove("author");
    Ok(mapped)
}
