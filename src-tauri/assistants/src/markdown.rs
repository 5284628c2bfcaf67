//! An assistant as coding programs read agents: front matter with name, description, tools and model, then the prompt.

use serde_json::{Map, json};
use shidi_protocol::{AssistantSpec, worded};

/// The text of the file, in a language.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn text(spec: &AssistantSpec, language: &str) -> Result<String, String> {
    let mut matter = Map::new();
    matter.insert("name".to_owned(), json!(spec.name));
    let described = [&spec.description, &spec.title];
    let described = described.map(|words| worded(words, language)).into_iter();
    let description = described.into_iter().find(|text| !text.is_empty());
    matter.insert("description".to_owned(), json!(description.unwrap_or(&spec.name)));
    if let Some(toolkits) = &spec.toolkits {
        matter.insert("tools".to_owned(), json!(toolkits.join(", ")));
    }
    if let Some(model) = spec.models.get("main").or_else(|| spec.models.get("coder")) {
        matter.insert("model".to_owned(), json!(model));
    }
    let matter = serde_saphyr::to_string(&matter).map_err(|error| error.to_string())?;
    let prompt = worded(&spec.prompt, language);
    Ok(format!("---\n{}\n---\n\n{prompt}\n", matter.trim_end()))
}
