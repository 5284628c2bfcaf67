//! Who is measured, where a suite says so: models by promptfoo's names, `openai:gpt-5`, `ollama:chat:qwen3`.

use super::fault::{fault, meant};
use super::reading::Reading;
use crate::limits::SIDES_MAX;
use crate::outcome::Side;
use shidi_protocol::UserError;
use shidi_yaml::{Data, Node};
use std::collections::BTreeMap;

/// promptfoo's names of providers, and ours.
const PROVIDERS: [(&str, &str); 7] = [
    ("openai", "openai"),
    ("anthropic", "anthropic"),
    ("google", "gemini"),
    ("ollama", "ollama"),
    ("openrouter", "openrouter"),
    ("deepseek", "deepseek"),
    ("mistral", "mistral"),
];

/// The name of the assistant as the user has configured it.
const CONFIGURED: &str = "shidi";

/// Reads the providers of a suite.
///
/// # Errors
/// One that we can't ask, or settings that we don't have.
pub fn sides(reading: &Reading, node: &Node) -> Result<Vec<Side>, UserError> {
    let nodes = match &node.data {
        Data::List(items) => items.as_slice(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => {
            std::slice::from_ref(node)
        }
    };
    if nodes.len() > SIDES_MAX {
        return Err(fault(
            &node.place,
            reading.say().too_many_sides(SIDES_MAX),
            reading.say().split_file(),
        ));
    }
    nodes.iter().map(|node| side(reading, node)).collect()
}

fn side(reading: &Reading, node: &Node) -> Result<Side, UserError> {
    let Some(id) = node.get("id") else {
        return named(reading, node);
    };
    reading.keys(node, &["id", "label", "config"])?;
    let mut side = named(reading, id)?;
    if let Some(label) = node.get("label") {
        side.name = reading.plain(label)?;
    }
    if let Some(config) = node.get("config") {
        reading.map(config)?;
        for entry in config.entries() {
            match entry.key.as_str() {
                "apiBaseUrl" => {
                    let url = reading.text(&entry.value)?.to_owned();
                    side.overrides.insert("model_url".to_owned(), url);
                }
                "format" => {
                    let format = reading.text(&entry.value)?.to_owned();
                    side.overrides.insert("format".to_owned(), format);
                }
                other => {
                    let say = reading.say();
                    return Err(fault(
                        &entry.place,
                        say.unsupported(other),
                        say.instead_settings(),
                    ));
                }
            }
        }
    }
    Ok(side)
}

fn named(reading: &Reading, node: &Node) -> Result<Side, UserError> {
    let say = reading.say();
    let id = reading.text(node)?;
    if id == CONFIGURED {
        return Ok(Side {
            name: CONFIGURED.to_owned(),
            overrides: BTreeMap::new(),
            change: None,
        });
    }
    let (provider, model) = id.split_once(':').unwrap_or((id, ""));
    let Some((_, own)) = PROVIDERS.iter().find(|(theirs, _)| *theirs == provider) else {
        let names: Vec<&str> = PROVIDERS
            .iter()
            .map(|(theirs, _)| *theirs)
            .chain([CONFIGURED])
            .collect();
        return Err(fault(
            &node.place,
            say.unsupported(id),
            meant(reading.language(), provider, &names),
        ));
    };
    let model = ["chat:", "messages:", "responses:"]
        .iter()
        .find_map(|kind| model.strip_prefix(kind))
        .unwrap_or(model);
    if model.is_empty() {
        return Err(fault(
            &node.place,
            say.key_missing("model"),
            say.provider_example(),
        ));
    }
    let overrides = [("provider", *own), ("model", model)];
    Ok(Side {
        name: id.to_owned(),
        overrides: overrides
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
        change: None,
    })
}

/// The sides that a user names by models, one for each; the configured one where none is named.
#[must_use]
pub fn sides_of_models(models: &[String], common: &BTreeMap<String, String>) -> Vec<Side> {
    if models.is_empty() {
        return vec![Side {
            name: common
                .get("model")
                .cloned()
                .unwrap_or_else(|| CONFIGURED.to_owned()),
            overrides: common.clone(),
            change: None,
        }];
    }
    let side = |model: &String| {
        let mut overrides = common.clone();
        overrides.insert("model".to_owned(), model.clone());
        Side {
            name: model.clone(),
            overrides,
            change: None,
        }
    };
    models.iter().map(side).collect()
}
