//! An assistant as coding programs read agents: front matter with name, description, tools and model, then the prompt.
//!
//! What such a program's own file brought and nothing here stands for goes back into the file.

use crate::difference::Written;
use crate::import::{Format, cut};
use crate::limits::DESCRIPTION_CHARACTERS_MAX;
use serde_json::{Map, Value, json};
use shidi_protocol::worded;

/// The programs that read such a file.
const FORMATS: [Format; 2] = [Format::AgentMarkdown, Format::OpencodeAgent];
/// Kept of a name that is too long for a title; the file has a name already.
const TITLE: &str = "title";

/// The text of the file, in a language.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn text((spec, document): Written<'_>, language: &str) -> Result<String, String> {
    let kept = kept(document);
    let mut matter = Map::new();
    matter.insert("name".to_owned(), json!(spec.name));
    let described = [&spec.description, &spec.title].map(|words| worded(words, language));
    let description = described.into_iter().find(|text| !text.is_empty());
    let description = description.unwrap_or(&spec.name);
    matter.insert("description".to_owned(), json!(whole(&kept, description)));
    if let Some(toolkits) = &spec.toolkits {
        matter.insert("tools".to_owned(), json!(toolkits.join(", ")));
    }
    let numbers = [
        ("temperature", spec.sampling.temperature),
        ("top_p", spec.sampling.top_p),
    ];
    for (key, number) in numbers {
        if let Some(number) = number {
            matter.insert(key.to_owned(), json!(number));
        }
    }
    if let Some(model) = spec.models.get("main").or_else(|| spec.models.get("coder")) {
        matter.insert("model".to_owned(), json!(model));
    }
    for (key, value) in kept {
        if key != TITLE && !matter.contains_key(&key) {
            matter.insert(key, value);
        }
    }
    let matter = serde_saphyr::to_string(&matter).map_err(|error| error.to_string())?;
    let prompt = worded(&spec.prompt, language);
    Ok(format!("---\n{}\n---\n\n{prompt}\n", matter.trim_end()))
}

/// The fields that came with such a file and are kept.
fn kept(document: &Value) -> Map<String, Value> {
    let mut fields = FORMATS
        .iter()
        .filter_map(|format| document.get("other")?.get(format.name())?.as_object());
    fields.next().cloned().unwrap_or_default()
}

/// The description as it came, where it is the one that was cut.
fn whole<'a>(kept: &'a Map<String, Value>, description: &'a str) -> &'a str {
    let came = kept.get("description").and_then(Value::as_str);
    came.filter(|came| cut(came, DESCRIPTION_CHARACTERS_MAX) == description)
        .unwrap_or(description)
}
