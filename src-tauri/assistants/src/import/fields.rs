//! Parts of foreign files: texts, lists, and the fields that are kept without a meaning.

use super::Mapped;
use crate::limits::{
    DESCRIPTION_CHARACTERS_MAX, OPENING_CHARACTERS_MAX, PICTURE_CHARACTERS_MAX, SUGGESTION_CHARACTERS_MAX,
    SUGGESTIONS_MAX, TITLE_CHARACTERS_MAX,
};
use crate::problem::{Fault, Problem, Reason};
use shidi_protocol::{AssistantSpec, Wording};
use shidi_space::names::callable;
use shidi_yaml::{Data, Node, Place};

/// Fields that say who somebody is.
const PERSONAL: [&str; 8] = [
    "user",
    "user_id",
    "user_ids",
    "access_control",
    "access_grants",
    "email",
    "owner",
    "creator_id",
];

/// The text of a key, or nothing.
pub fn text(node: &Node, key: &str) -> String {
    match node.get(key).map(|node| &node.data) {
        Some(Data::Text(text)) => text.trim().to_owned(),
        Some(Data::Number(number)) => number.to_string(),
        Some(Data::Null | Data::Flag(_) | Data::List(_) | Data::Map(_)) | None => String::new(),
    }
}

pub fn items<'a>(node: &'a Node, key: &str) -> &'a [Node] {
    match node.get(key).map(|node| &node.data) {
        Some(Data::List(items)) => items,
        Some(Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_)) | None => &[],
    }
}

/// Words for every language.
pub fn words(text: impl Into<String>) -> Wording {
    let text = text.into();
    let said = (!text.trim().is_empty()).then(|| (String::new(), text.trim().to_owned()));
    said.into_iter().collect()
}

pub fn number(node: &Node, key: &str) -> Option<f64> {
    match &node.get(key)?.data {
        Data::Number(number) => number.as_f64(),
        Data::Null | Data::Flag(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => None,
    }
}

pub fn unmapped(place: &Place, what: impl Into<String>, reason: Reason) -> Fault {
    let what = what.into();
    Fault::new(place, Problem::Unmapped { what, reason })
}

impl Mapped {
    /// An item by the title that people know it by.
    ///
    /// # Errors
    /// A title without a letter.
    pub fn titled(node: &Node, title: &str, id: &str) -> Result<Self, Fault> {
        let name = [title, id]
            .into_iter()
            .map(callable)
            .find(|name| !name.is_empty());
        let Some(name) = name else {
            return Err(Fault::new(&node.place, Problem::BadName(title.to_owned())));
        };
        let id = if id.is_empty() {
            name.clone()
        } else {
            id.to_owned()
        };
        let spec = AssistantSpec {
            name,
            title: words(cut(title, TITLE_CHARACTERS_MAX)),
            ..AssistantSpec::default()
        };
        Ok(Self {
            spec,
            id,
            other: serde_json::Map::new(),
            left_out: Vec::new(),
        })
    }

    pub fn describe(&mut self, text: &str) {
        self.spec.description = words(cut(text, DESCRIPTION_CHARACTERS_MAX));
    }

    /// A sign is a picture; an address or a file is none.
    pub fn picture(&mut self, text: &str) {
        if text.chars().count() <= PICTURE_CHARACTERS_MAX && !text.contains(['/', '.']) {
            text.clone_into(&mut self.spec.picture);
        }
    }

    pub fn open_with(&mut self, text: &str) {
        self.spec.opening = words(cut(text, OPENING_CHARACTERS_MAX));
    }

    /// A question that may be asked first; one that is too long is told.
    pub fn suggest(&mut self, place: &Place, text: &str) {
        let is_short = text.chars().count() <= SUGGESTION_CHARACTERS_MAX;
        if text.trim().is_empty() {
            return;
        }
        if is_short && self.spec.suggestions.len() < SUGGESTIONS_MAX {
            self.spec.suggestions.push(words(text));
        } else {
            let what = cut(text, 40);
            self.left_out.push(unmapped(place, what, Reason::KeptOnly));
        }
    }

    pub fn prompt(&mut self, node: &Node, text: &str) {
        self.spec.prompt = words(text);
        if text.contains("{{") {
            let at = text.find("{{").unwrap_or_default();
            let what: String = text[at..].chars().take(24).collect();
            self.left_out
                .push(unmapped(&node.place, what, Reason::Placeholder));
        }
    }

    /// Fields that nothing here stands for stay in the file, each told; those that say who somebody is go.
    pub fn keep_others(&mut self, node: &Node, known: &[&str], reason: impl Fn(&str) -> Reason) {
        for entry in node
            .entries()
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()))
        {
            let is_nothing = match &entry.value.data {
                Data::Null => true,
                Data::Text(text) => text.is_empty(),
                Data::List(items) => items.is_empty(),
                Data::Map(entries) => entries.is_empty(),
                Data::Flag(_) | Data::Number(_) => false,
            };
            if PERSONAL.contains(&entry.key.as_str()) {
                if !is_nothing {
                    self.left_out
                        .push(unmapped(&entry.place, &entry.key, Reason::Personal));
                }
                continue;
            }
            self.other.insert(entry.key.clone(), impersonal(&entry.value));
            if !is_nothing {
                self.left_out
                    .push(unmapped(&entry.place, &entry.key, reason(&entry.key)));
            }
        }
    }
}

/// A value without fields that say who somebody is, at any depth.
fn impersonal(node: &Node) -> serde_json::Value {
    match &node.data {
        Data::Map(entries) => {
            let entries = entries
                .iter()
                .filter(|entry| !PERSONAL.contains(&entry.key.as_str()));
            let pairs = entries.map(|entry| (entry.key.clone(), impersonal(&entry.value)));
            serde_json::Value::Object(pairs.collect())
        }
        Data::List(items) => items.iter().map(impersonal).collect(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => node.json(),
    }
}

pub fn cut(text: &str, most: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => format!("{}…", text.chars().take(most - 1).collect::<String>().trim_end()),
    }
}
