//! Agents of Cherry Studio: a list of items with name, sign, groups, prompt, description, settings and phrases.

use super::Mapped;
use super::fields::{below, items, number, seed, text, unmapped};
use crate::problem::{Fault, Reason};
use shidi_yaml::{Data, Node};

const KNOWN: [&str; 8] = [
    "id",
    "name",
    "emoji",
    "prompt",
    "description",
    "settings",
    "regularPhrases",
    "topics",
];
/// Settings that are taken over, or are as they are here.
const SETTINGS: [&str; 8] = [
    "temperature",
    "enableTemperature",
    "topP",
    "enableTopP",
    "maxTokens",
    "enableMaxTokens",
    "customParameters",
    "streamOutput",
];
/// How a place for a value begins and ends in a phrase.
const VARIABLE: (&str, &str) = ("${", "}");

/// An agent of the list.
///
/// # Errors
/// A name without a letter.
pub fn mapped(node: &Node) -> Result<Mapped, Fault> {
    let mut mapped = Mapped::titled(node, &text(node, "name"), &text(node, "id"))?;
    mapped.picture(&text(node, "emoji"));
    mapped.describe(node, "description", &text(node, "description"));
    mapped.prompt(&below(node, "prompt"), &text(node, "prompt"));
    for phrase in items(node, "regularPhrases") {
        let content = text(phrase, "content");
        mapped.suggest(&phrase.place, &content);
        mapped.unfilled(&phrase.place, &content, VARIABLE);
    }
    if let Some(settings) = node.get("settings") {
        mapped.set(settings);
    }
    // Conversations are no part of an assistant.
    if !items(node, "topics").is_empty() {
        let place = below(node, "topics");
        mapped.left_out.push(unmapped(&place, "topics", Reason::Personal));
    }
    mapped.keep_others(node, &KNOWN, |key| match key {
        "defaultModel" | "model" => Reason::ModelOfUser,
        "knowledge_bases" | "mcpServers" | "tools" => Reason::SetUpApart,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}

impl Mapped {
    /// Takes over how freely words are chosen, where its switch is on.
    fn set(&mut self, settings: &Node) {
        let is = |key: &str| match settings.get(key).map(|node| &node.data) {
            Some(Data::Flag(is_on)) => Some(*is_on),
            Some(Data::Null | Data::Number(_) | Data::Text(_) | Data::List(_) | Data::Map(_)) | None => None,
        };
        if is("enableTemperature") != Some(false) {
            self.spec.sampling.temperature = number(settings, "temperature");
        }
        // Older files have no switch, and 1 where nobody wished for anything.
        let top_p = number(settings, "topP");
        self.spec.sampling.top_p = match is("enableTopP") {
            Some(is_on) => top_p.filter(|_| is_on),
            None => top_p.filter(|top_p| *top_p < 1.0),
        };
        if is("enableMaxTokens") == Some(true) {
            self.keep(settings, "maxTokens");
        }
        let others: Vec<&Node> = items(settings, "customParameters")
            .iter()
            .filter(|parameter| !self.wish(parameter))
            .collect();
        for parameter in &others {
            let name = text(parameter, "name");
            self.left_out
                .push(unmapped(&parameter.place, name, Reason::KeptOnly));
        }
        if !others.is_empty() {
            let kept = others.into_iter().map(Node::json).collect();
            self.other.insert("customParameters".to_owned(), kept);
        }
        self.keep_others(settings, &SETTINGS, |key| match key {
            "defaultModel" => Reason::ModelOfUser,
            _ => Reason::KeptOnly,
        });
    }

    /// Keeps a setting that nothing here stands for, and tells of it.
    fn keep(&mut self, settings: &Node, key: &str) {
        if let Some(value) = settings.get(key) {
            self.other.insert(key.to_owned(), value.json());
            self.left_out
                .push(unmapped(&below(settings, key), key, Reason::KeptOnly));
        }
    }

    /// Whether a parameter that is sent as it is stands for something here, and is taken over.
    fn wish(&mut self, parameter: &Node) -> bool {
        let Some(value) = number(parameter, "value") else {
            return false;
        };
        let sampling = &mut self.spec.sampling;
        match text(parameter, "name").as_str() {
            "temperature" => sampling.temperature = Some(value),
            "top_p" => sampling.top_p = Some(value),
            "presence_penalty" => sampling.presence_penalty = Some(value),
            "frequency_penalty" => sampling.frequency_penalty = Some(value),
            "seed" => {
                sampling.seed = seed(parameter, "value");
                return sampling.seed.is_some();
            }
            _ => return false,
        }
        true
    }
}
