//! Models of Open WebUI: a base model with instructions, questions to begin with, and what belongs to that server alone.

use super::Mapped;
use super::fields::{below, items, number, seed, text};
use crate::problem::{Fault, Reason};
use shidi_protocol::Sampling;
use shidi_yaml::Node;

const PARAMETERS: [&str; 6] = [
    "system",
    "temperature",
    "top_p",
    "seed",
    "presence_penalty",
    "frequency_penalty",
];

/// A model of the list, or one that was exported alone.
///
/// # Errors
/// A name without a letter.
pub fn mapped(node: &Node) -> Result<Mapped, Fault> {
    let mut mapped = Mapped::titled(node, &text(node, "name"), &text(node, "id"))?;
    if let Some(meta) = node.get("meta") {
        mapped.describe(meta, "description", &text(meta, "description"));
        for item in items(meta, "suggestion_prompts") {
            mapped.suggest(&item.place, &text(item, "content"));
        }
        mapped.picture(&text(meta, "profile_image_url"));
        mapped.keep_others(meta, &["description", "suggestion_prompts"], |key| match key {
            "knowledge" | "toolIds" | "filterIds" | "actionIds" => Reason::SetUpApart,
            _ => Reason::KeptOnly,
        });
    }
    if let Some(params) = node.get("params") {
        mapped.prompt(&below(params, "system"), &text(params, "system"));
        mapped.spec.sampling = sampling(params);
        mapped.keep_others(params, &PARAMETERS, |_| Reason::KeptOnly);
    }
    mapped.keep_others(node, &["id", "name", "meta", "params"], |key| match key {
        "base_model_id" => Reason::ModelOfUser,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}

fn sampling(params: &Node) -> Sampling {
    Sampling {
        temperature: number(params, "temperature"),
        top_p: number(params, "top_p"),
        seed: seed(params, "seed"),
        presence_penalty: number(params, "presence_penalty"),
        frequency_penalty: number(params, "frequency_penalty"),
    }
}
