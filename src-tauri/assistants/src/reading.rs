//! A file becomes an assistant. Reading goes on after a fault, so that whoever mends a file sees all of them at once.
//!
//! A key that has no meaning here is kept and told: files of other programs bring some, and one may be a slip of the pen.

mod values;

use crate::limits::{
    DESCRIPTION_CHARACTERS_MAX, FILE_BYTES_MAX, OPENING_CHARACTERS_MAX, PICTURE_CHARACTERS_MAX,
    PROMPT_CHARACTERS_MAX, SUGGESTION_CHARACTERS_MAX, SUGGESTIONS_MAX, TITLE_CHARACTERS_MAX,
};
use crate::problem::{Fault, Problem, Wanted, in_order};
use serde_json::Value;
use shidi_agent::permissions::Pattern;
use shidi_locales::Language;
use shidi_protocol::{AssistantMemory, AssistantPermissions, AssistantSpec, Mode, Sampling};
use shidi_space::assistants::USUAL;
use shidi_space::names::is_name;
use shidi_yaml::{Data, Node, Place};
use std::sync::Arc;

/// The version of the format that is written.
pub const VERSION: &str = "1";

/// Keys of a file, in the order in which they are written.
pub const KEYS: [&str; 20] = [
    "version",
    "name",
    "title",
    "picture",
    "hotkey",
    "description",
    "languages",
    "opening",
    "suggestions",
    "prompt",
    "models",
    "sampling",
    "knowledge",
    "toolkits",
    "skills",
    "workflows",
    "memory",
    "permissions",
    "origin",
    "other",
];
/// What a model may be of its own for; `main` is the one that answers where no role has one.
pub const MODELS: [&str; 5] = ["main", "coder", "general", "fast", "vision"];
/// Roles that have a sampling.
pub const ROLES: [&str; 3] = ["coder", "general", "fast"];
pub const SAMPLING: [&str; 8] = [
    "temperature",
    "top_p",
    "seed",
    "presence_penalty",
    "frequency_penalty",
    "coder",
    "general",
    "fast",
];
pub const PERMISSIONS: [&str; 4] = ["mode", "allow", "ask", "deny"];
pub const MEMORIES: [(&str, AssistantMemory); 4] = [
    ("own", AssistantMemory::Own),
    ("shared", AssistantMemory::Shared),
    ("alone", AssistantMemory::Alone),
    ("none", AssistantMemory::None),
];
pub const MODES: [(&str, Mode); 3] = [("ask", Mode::Ask), ("risky", Mode::Risky), ("trust", Mode::Trust)];

/// An assistant as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub spec: AssistantSpec,
    /// What keeps nobody from using it.
    pub notes: Vec<Fault>,
    /// The whole document, with keys that are not ours.
    pub document: Value,
}

/// Reads a file's bytes.
///
/// # Errors
/// Everything that keeps it from being an assistant, in the order of its lines.
pub fn read(file: &Arc<str>, bytes: &[u8]) -> Result<Read, Vec<Fault>> {
    let root = tree(file, bytes, FILE_BYTES_MAX).map_err(|fault| vec![fault])?;
    let mut reading = Reading::default();
    let spec = reading.assistant(&root);
    match reading.faults.is_empty() {
        true => Ok(Read {
            spec,
            notes: in_order(reading.notes),
            document: root.json(),
        }),
        false => Err(in_order(reading.faults)),
    }
}

/// Reads a file's bytes as YAML or JSON.
///
/// # Errors
/// Bytes that are no text, a text that is no YAML, and one that is too large.
pub fn tree(file: &Arc<str>, bytes: &[u8], bytes_max: u64) -> Result<Node, Fault> {
    let place = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    };
    if bytes.len() as u64 > bytes_max {
        let kilobytes = bytes_max >> 10;
        return Err(Fault::new(&place, Problem::TooLarge { kilobytes }));
    }
    let text = shidi_yaml::text(file, bytes).map_err(|place| Fault::new(&place, Problem::NotText))?;
    shidi_yaml::read(file, text).map_err(Fault::from)
}

/// What reading keeps on its way.
#[derive(Default)]
struct Reading {
    faults: Vec<Fault>,
    notes: Vec<Fault>,
}

impl Reading {
    fn assistant(&mut self, root: &Node) -> AssistantSpec {
        if !matches!(root.data, Data::Map(_)) {
            let problem = match root.data == Data::Null {
                true => Problem::Missing("name"),
                false => Problem::Wants(Wanted::Map),
            };
            self.fault(&root.place, problem);
            return AssistantSpec::default();
        }
        self.known(root, &KEYS);
        self.version(root);
        let name = self.name(root);
        let sampling = root.get("sampling");
        AssistantSpec {
            name,
            title: self.words(root, "title", TITLE_CHARACTERS_MAX),
            picture: self.line(root, "picture", PICTURE_CHARACTERS_MAX),
            hotkey: self.hotkey(root),
            description: self.words(root, "description", DESCRIPTION_CHARACTERS_MAX),
            opening: self.words(root, "opening", OPENING_CHARACTERS_MAX),
            suggestions: self.suggestions(root),
            prompt: self.words(root, "prompt", PROMPT_CHARACTERS_MAX),
            languages: self.languages(root),
            models: self.models(root),
            sampling: sampling.map(|node| self.sampling(node)).unwrap_or_default(),
            role_sampling: sampling.map(|node| self.role_sampling(node)).unwrap_or_default(),
            knowledge: self.names(root, "knowledge"),
            toolkits: self.names(root, "toolkits"),
            skills: self.names(root, "skills"),
            workflows: self.names(root, "workflows"),
            memory: self.one_of(root, "memory", &MEMORIES).unwrap_or_default(),
            permissions: self.permissions(root),
        }
    }

    fn version(&mut self, root: &Node) {
        let Some(node) = root.get("version") else {
            return self.fault(&root.place, Problem::Missing("version"));
        };
        let version = match &node.data {
            Data::Text(text) => text.clone(),
            Data::Number(number) => number.to_string(),
            Data::Null | Data::Flag(_) | Data::List(_) | Data::Map(_) => {
                return self.fault(&node.place, Problem::Wants(Wanted::Text));
            }
        };
        if ![VERSION, "1.0"].contains(&version.as_str()) {
            self.fault(&node.place, Problem::UnknownVersion(version));
        }
    }

    fn name(&mut self, root: &Node) -> String {
        let Some(node) = root.get("name") else {
            self.fault(&root.place, Problem::Missing("name"));
            return String::new();
        };
        let Some(name) = node.text() else {
            self.fault(&node.place, Problem::Wants(Wanted::Text));
            return String::new();
        };
        if !is_name(name) {
            self.fault(&node.place, Problem::BadName(name.to_owned()));
        }
        name.to_owned()
    }

    fn suggestions(&mut self, root: &Node) -> Vec<shidi_protocol::Wording> {
        let Some(node) = root.get("suggestions") else {
            return Vec::new();
        };
        let items = self.list(node, "suggestions", SUGGESTIONS_MAX);
        let words = items
            .iter()
            .map(|item| self.wording(item, "suggestions", SUGGESTION_CHARACTERS_MAX));
        words.filter(|words| !words.is_empty()).collect()
    }

    fn languages(&mut self, root: &Node) -> Vec<String> {
        let languages = self.names(root, "languages").unwrap_or_default();
        let known: Vec<String> = Language::ALL.iter().map(|one| one.code().to_owned()).collect();
        if let Some(other) = languages.iter().find(|code| !known.contains(code)) {
            let place = root.get("languages").map_or(&root.place, |node| &node.place);
            let problem = Problem::UnknownValue {
                key: "languages".to_owned(),
                written: other.clone(),
                known,
            };
            self.fault(place, problem);
        }
        languages
    }

    fn permissions(&mut self, root: &Node) -> AssistantPermissions {
        let Some(node) = root.get("permissions") else {
            return AssistantPermissions::default();
        };
        if !self.is_map(node) {
            return AssistantPermissions::default();
        }
        self.known(node, &PERMISSIONS);
        AssistantPermissions {
            mode: self.one_of(node, "mode", &MODES),
            allow: self.patterns(node, "allow"),
            ask: self.patterns(node, "ask"),
            deny: self.patterns(node, "deny"),
        }
    }

    fn patterns(&mut self, node: &Node, key: &str) -> Vec<String> {
        let patterns = self.names(node, key).unwrap_or_default();
        let place = node.get(key).map_or(&node.place, |node| &node.place);
        for pattern in &patterns {
            if Pattern::parse(pattern).is_err() {
                self.fault(place, Problem::BadPermission(pattern.clone()));
            }
        }
        patterns
    }

    fn sampling(&mut self, node: &Node) -> Sampling {
        if !self.is_map(node) {
            return Sampling::default();
        }
        self.known(node, &SAMPLING);
        self.numbers(node)
    }

    fn fault(&mut self, place: &Place, problem: Problem) {
        self.faults.push(Fault::new(place, problem));
    }

    /// Tells of keys that have no meaning there.
    fn known(&mut self, node: &Node, known: &'static [&'static str]) {
        let unknown = node
            .entries()
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()));
        self.notes.extend(unknown.map(|entry| {
            let key = entry.key.clone();
            Fault::new(&entry.place, Problem::UnknownKey { key, known })
        }));
    }
}

/// Why a name can be none of the user's own: the usual assistant has no file.
#[must_use]
pub fn reserved(file: &Arc<str>, spec: &AssistantSpec) -> Option<Fault> {
    let place = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    };
    (spec.name == USUAL).then(|| Fault::new(&place, Problem::ReservedName(spec.name.clone())))
}
