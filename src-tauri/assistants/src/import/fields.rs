//! Parts of foreign files: texts, lists, and the fields that are kept without a meaning.

use super::{Mapped, tools};
use crate::limits::{
    DESCRIPTION_CHARACTERS_MAX, OPENING_CHARACTERS_MAX, PICTURE_CHARACTERS_MAX, PLACEHOLDER_CHARACTERS_MAX,
    PLACEHOLDERS_MAX, SUGGESTION_CHARACTERS_MAX, SUGGESTIONS_MAX, TITLE_CHARACTERS_MAX,
};
use crate::problem::{Fault, Problem, Reason};
use serde_json::json;
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
/// Fields that hold secrets, or may.
const SECRETS: [&str; 6] = ["env", "headers", "apiKey", "api_key", "password", "secret"];
/// How a place for a value begins and ends.
pub const BRACES: (&str, &str) = ("{{", "}}");

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

/// A number that a model draws with, where it fits.
pub fn seed(node: &Node, key: &str) -> Option<u32> {
    let seed = number(node, key).filter(|seed| (0.0..=f64::from(u32::MAX)).contains(seed));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was just seen to fit"
    )]
    seed.map(|seed| seed as u32)
}

/// Where a key stands; the whole where it does not.
pub fn below(node: &Node, key: &str) -> Place {
    let entry = node.entries().iter().find(|entry| entry.key == key);
    entry.map_or_else(|| node.place.clone(), |entry| entry.place.clone())
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
        let mut mapped = Self {
            spec: AssistantSpec {
                name,
                ..AssistantSpec::default()
            },
            id,
            other: serde_json::Map::new(),
            left_out: Vec::new(),
        };
        mapped.spec.title = mapped.fitting(node, "title", title, TITLE_CHARACTERS_MAX);
        Ok(mapped)
    }

    /// An agent of a coding program, with what all of them have in common.
    ///
    /// # Errors
    /// A name without a letter.
    pub fn agent(node: &Node, name: &str) -> Result<Self, Fault> {
        let mut mapped = Self::titled(node, name, name)?;
        // Programs that write such files escape the ends of lines also where no mark says that it is an escape.
        let description = text(node, "description").replace("\\n", "\n");
        mapped.describe(node, "description", &description);
        mapped.spec.sampling.temperature = number(node, "temperature");
        mapped.spec.sampling.top_p = number(node, "top_p");
        Ok(mapped)
    }

    pub fn describe(&mut self, node: &Node, key: &str, text: &str) {
        self.spec.description = self.fitting(node, key, text, DESCRIPTION_CHARACTERS_MAX);
    }

    /// A sign is a picture; an address or a file is none.
    pub fn picture(&mut self, text: &str) {
        if text.chars().count() <= PICTURE_CHARACTERS_MAX && !text.contains(['/', '.']) {
            text.clone_into(&mut self.spec.picture);
        }
    }

    pub fn open_with(&mut self, node: &Node, key: &str, text: &str) {
        self.unfilled(&below(node, key), text, BRACES);
        self.spec.opening = self.fitting(node, key, text, OPENING_CHARACTERS_MAX);
    }

    /// Words that fit; of longer ones the whole stays in the file, which is told.
    fn fitting(&mut self, node: &Node, key: &str, text: &str, most: usize) -> Wording {
        if text.trim().chars().count() > most {
            let key = key.to_owned();
            self.other.insert(key.clone(), text.into());
            let place = below(node, &key);
            self.left_out
                .push(Fault::new(&place, Problem::Shortened { key, most }));
        }
        words(cut(text, most))
    }

    /// A question that may be asked first; one that is too long is told.
    pub fn suggest(&mut self, place: &Place, text: &str) {
        let is_short = text.chars().count() <= SUGGESTION_CHARACTERS_MAX;
        if text.trim().is_empty() {
            return;
        }
        if is_short && self.spec.suggestions.len() < SUGGESTIONS_MAX {
            self.unfilled(place, text, BRACES);
            self.spec.suggestions.push(words(text));
            return;
        }
        let what = cut(text, 40);
        self.left_out.push(unmapped(place, what, Reason::KeptOnly));
        let kept = self.other.entry("suggestions").or_insert_with(|| json!([]));
        if let Some(kept) = kept.as_array_mut() {
            kept.push(text.into());
        }
    }

    /// What it is told. Places for values stay in it as they are written.
    pub fn prompt(&mut self, place: &Place, text: &str) {
        self.spec.prompt = words(text);
        self.unfilled(place, text, BRACES);
    }

    /// Tells of places for values.
    pub fn unfilled(&mut self, place: &Place, text: &str, signs: (&str, &str)) {
        let unfilled = placeholders(text, signs).into_iter();
        self.left_out
            .extend(unfilled.map(|what| Fault::new(place, Problem::Unfilled(what))));
    }

    /// Denies a tool of theirs.
    pub fn deny(&mut self, place: &Place, written: &str) {
        // `Bash(rm *)` forbids a part, and nothing here forbids that part whatever is written before it.
        if written.contains('(') {
            self.left_out.push(unmapped(place, written, Reason::FinerRules));
            return self.ask(place, written);
        }
        let families = self.families(place, written);
        self.spec.permissions.deny.extend(families);
        self.spec.permissions.deny.sort();
        self.spec.permissions.deny.dedup();
    }

    /// Lets a tool of theirs be asked about each time.
    pub fn ask(&mut self, place: &Place, written: &str) {
        let families = self.families(place, written);
        self.spec.permissions.ask.extend(families);
        self.spec.permissions.ask.sort();
        self.spec.permissions.ask.dedup();
    }

    fn families(&mut self, place: &Place, written: &str) -> Vec<String> {
        let families = tools::families(&tools::plain(written));
        if families.is_empty() {
            self.left_out.push(unmapped(place, written, Reason::SetUpApart));
        }
        families
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
            if let Some(reason) = why_not_kept(&entry.key) {
                if !is_nothing {
                    self.left_out.push(unmapped(&entry.place, &entry.key, reason));
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

/// Why a field goes with its value, wherever it stands.
fn why_not_kept(key: &str) -> Option<Reason> {
    let personal = PERSONAL.contains(&key).then_some(Reason::Personal);
    personal.or_else(|| SECRETS.contains(&key).then_some(Reason::Secret))
}

/// A value without fields that say who somebody is or hold secrets, at any depth.
fn impersonal(node: &Node) -> serde_json::Value {
    match &node.data {
        Data::Map(entries) => {
            let entries = entries.iter().filter(|entry| why_not_kept(&entry.key).is_none());
            let pairs = entries.map(|entry| (entry.key.clone(), impersonal(&entry.value)));
            serde_json::Value::Object(pairs.collect())
        }
        Data::List(items) => items.iter().map(impersonal).collect(),
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => node.json(),
    }
}

/// The places for values in a text, each once and whole.
fn placeholders(text: &str, (opening, closing): (&str, &str)) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(opening) {
        rest = &rest[at..];
        let line = rest.lines().next().unwrap_or_default();
        let Some(end) = line.find(closing).map(|end| end + closing.len()) else {
            rest = &rest[opening.len()..];
            continue;
        };
        let what = cut(&rest[..end], PLACEHOLDER_CHARACTERS_MAX);
        if found.len() < PLACEHOLDERS_MAX && !found.contains(&what) {
            found.push(what);
        }
        rest = &rest[end..];
    }
    found
}

pub fn cut(text: &str, most: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => format!("{}…", text.chars().take(most - 1).collect::<String>().trim_end()),
    }
}
