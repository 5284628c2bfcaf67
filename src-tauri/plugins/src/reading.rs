//! A text becomes a manifest, or a list of faults with their lines.
//!
//! Reading goes on after a fault, so that whoever mends a file sees all of them at once. Nothing here reads a file.

use crate::limits::{
    INPUTS_MAX, MANIFEST_BYTES_MAX, NAME_CHARACTERS_MAX, PERMISSIONS_MAX, TEXT_CHARACTERS_MAX, TOOLS_MAX,
    VERSION_CHARACTERS_MAX,
};
use crate::manifest::{CLASSES, FILE, Input, Manifest, Tool};
use crate::problem::{Fault, Problem, Wanted, beginning, in_order};
use serde_json::Value;
use shidi_agent::permissions::Pattern;
use shidi_protocol::Class;
use shidi_space::names::is_name;
use shidi_workflow::ValueType;
use shidi_yaml::{Data, Node, Place};
use std::collections::BTreeMap;
use std::sync::Arc;

const HEAD: [&str; 7] = [
    "name",
    "version",
    "description",
    "author",
    "homepage",
    "permissions",
    "tools",
];
const TOOL: [&str; 5] = ["name", "description", "class", "inputs", "output"];
const INPUT: [&str; 6] = ["name", "type", "description", "default", "example", "asked"];

/// Names to which workflows give values by themselves.
const RESERVED: [&str; 2] = ["dialogue", "error"];

/// Toolkits whose calls go on beyond the tool that made them. A sub-agent has tools of its own, a schedule another day.
const UNBOUNDED: [&str; 2] = ["agents", "schedule"];

/// Reads the bytes of a manifest.
///
/// # Errors
/// Everything that is wrong in it, in the order of its lines.
pub fn read(bytes: &[u8]) -> Result<Manifest, Vec<Fault>> {
    let tree = tree(bytes).map_err(|fault| vec![fault])?;
    let mut reading = Reading::default();
    let manifest = reading.manifest(&tree);
    match manifest {
        Some(manifest) if reading.faults.is_empty() => Ok(manifest),
        Some(_) | None => Err(in_order(reading.faults)),
    }
}

fn tree(bytes: &[u8]) -> Result<Node, Fault> {
    let file: Arc<str> = FILE.into();
    if bytes.len() > MANIFEST_BYTES_MAX {
        return Err(Fault::new(&beginning(FILE), Problem::TooLarge));
    }
    let text = shidi_yaml::text(&file, bytes).map_err(|place| Fault::new(&place, Problem::NotText))?;
    shidi_yaml::read(&file, text).map_err(|malformed| {
        let problem = match malformed.twice {
            Some(key) => Problem::Twice(key),
            None => Problem::NotYaml(malformed.why),
        };
        Fault::new(&malformed.place, problem)
    })
}

/// What reading keeps on its way.
#[derive(Default)]
struct Reading {
    faults: Vec<Fault>,
}

impl Reading {
    fn manifest(&mut self, root: &Node) -> Option<Manifest> {
        if root.data == Data::Null {
            self.fault(&root.place, Problem::Missing("name"));
            return None;
        }
        self.map(root, &HEAD)?;
        let name = self.required(root, "name", shidi_bundles::NAME_CHARACTERS_MAX);
        if let Some(name) = name.as_ref().filter(|name| !is_name(name)) {
            self.fault(place_of(root, "name"), Problem::BadName(name.clone()));
        }
        let version = self.required(root, "version", VERSION_CHARACTERS_MAX);
        let description = self.required(root, "description", TEXT_CHARACTERS_MAX);
        let author = self.text(root, "author", TEXT_CHARACTERS_MAX);
        let homepage = self.text(root, "homepage", TEXT_CHARACTERS_MAX);
        let permissions = self.permissions(root);
        let tools = self.tools(root);
        Some(Manifest {
            name: name?,
            version: version?,
            description: description?,
            author,
            homepage,
            permissions,
            tools,
        })
    }

    fn permissions(&mut self, root: &Node) -> Vec<String> {
        let mut permissions = Vec::new();
        for item in self.list(root, "permissions", PERMISSIONS_MAX) {
            let Some(text) = item.text() else {
                self.fault(&item.place, Problem::Wants(Wanted::Text));
                continue;
            };
            let toolkit = text.split('.').next().unwrap_or_default().trim();
            match Pattern::parse(text) {
                Err(_) => self.fault(&item.place, Problem::BadPermission(text.to_owned())),
                Ok(_) if UNBOUNDED.contains(&toolkit) => {
                    self.fault(&item.place, Problem::Unbounded(text.to_owned()));
                }
                Ok(_) => permissions.push(text.to_owned()),
            }
        }
        permissions
    }

    fn tools(&mut self, root: &Node) -> Vec<Tool> {
        let mut lines = BTreeMap::new();
        let mut tools = Vec::new();
        for item in self.list(root, "tools", TOOLS_MAX) {
            let Some(tool) = self.tool(item) else {
                continue;
            };
            self.once(&mut lines, &tool.name, place_of(item, "name"));
            tools.push(tool);
        }
        tools
    }

    fn tool(&mut self, node: &Node) -> Option<Tool> {
        self.map(node, &TOOL)?;
        let name = self.tool_name(node);
        let description = self.required(node, "description", TEXT_CHARACTERS_MAX);
        let class = self.class(node);
        let mut lines = BTreeMap::new();
        let mut inputs = Vec::new();
        for item in self.list(node, "inputs", INPUTS_MAX) {
            let Some(input) = self.input(item) else {
                continue;
            };
            self.once(&mut lines, &input.name, place_of(item, "name"));
            inputs.push(input);
        }
        let output = self.value_type(node, "output");
        Some(Tool {
            place: node.place.clone(),
            name: name?,
            description: description?,
            class: class?,
            inputs,
            output,
        })
    }

    fn input(&mut self, node: &Node) -> Option<Input> {
        self.map(node, &INPUT)?;
        let mut name = self.tool_name(node);
        if let Some(reserved) = name.take_if(|name| RESERVED.contains(&name.as_str())) {
            self.fault(place_of(node, "name"), Problem::BadToolName(reserved));
        }
        let kind = self.value_type(node, "type");
        let description = self.text(node, "description", TEXT_CHARACTERS_MAX);
        let default = self.of_type(node, "default", kind);
        let example = self.of_type(node, "example", kind);
        let asked = self.of_type(node, "asked", ValueType::Flag);
        Some(Input {
            name: name?,
            kind,
            description: description.unwrap_or_default(),
            default,
            example,
            asked: asked.and_then(|asked| asked.as_bool()),
        })
    }

    /// A name that Python can write.
    fn tool_name(&mut self, node: &Node) -> Option<String> {
        let name = self.required(node, "name", NAME_CHARACTERS_MAX)?;
        if !is_python_name(&name) {
            self.fault(place_of(node, "name"), Problem::BadToolName(name));
            return None;
        }
        Some(name)
    }

    fn class(&mut self, node: &Node) -> Option<Class> {
        let written = self.required(node, "class", NAME_CHARACTERS_MAX)?;
        let known = CLASSES.iter().find(|(name, _)| *name == written);
        if known.is_none() {
            let known = CLASSES.iter().map(|(name, _)| (*name).to_owned()).collect();
            self.fault(place_of(node, "class"), Problem::UnknownClass { written, known });
        }
        known.map(|(_, class)| *class)
    }

    fn value_type(&mut self, node: &Node, key: &'static str) -> ValueType {
        let Some(written) = self.text(node, key, NAME_CHARACTERS_MAX) else {
            return ValueType::Any;
        };
        ValueType::named(&written).unwrap_or_else(|| {
            let known = ValueType::names().into_iter().map(str::to_owned).collect();
            self.fault(place_of(node, key), Problem::UnknownType { written, known });
            ValueType::Any
        })
    }

    fn of_type(&mut self, node: &Node, key: &str, kind: ValueType) -> Option<Value> {
        let node = node.get(key)?;
        if node.data == Data::Null {
            return Some(Value::Null);
        }
        let value = kind.of(node.json());
        if value.is_none() {
            self.fault(&node.place, Problem::NotOfType(kind));
        }
        value
    }

    fn once(&mut self, lines: &mut BTreeMap<String, u64>, name: &str, place: &Place) {
        match lines.get(name) {
            Some(line) => {
                let (name, line) = (name.to_owned(), *line);
                self.fault(place, Problem::NameTaken { name, line });
            }
            None => drop(lines.insert(name.to_owned(), place.line)),
        }
    }

    /// Refuses what is no map, and names keys that have no meaning there.
    fn map(&mut self, node: &Node, known: &[&str]) -> Option<()> {
        if !matches!(node.data, Data::Map(_)) {
            self.fault(&node.place, Problem::Wants(Wanted::Map));
            return None;
        }
        let unknown = node
            .entries()
            .iter()
            .filter(|entry| !known.contains(&entry.key.as_str()));
        for entry in unknown {
            let problem = Problem::UnknownKey {
                key: entry.key.clone(),
                known: known.iter().map(|key| (*key).to_owned()).collect(),
            };
            self.fault(&entry.place, problem);
        }
        Some(())
    }

    fn list<'a>(&mut self, node: &'a Node, key: &'static str, most: usize) -> &'a [Node] {
        let Some(inner) = node.get(key).filter(|inner| inner.data != Data::Null) else {
            return &[];
        };
        let Data::List(items) = &inner.data else {
            self.fault(&inner.place, Problem::Wants(Wanted::List));
            return &[];
        };
        if items.len() > most {
            self.fault(&inner.place, Problem::TooMany { key, most });
            return &[];
        }
        items
    }

    fn required(&mut self, node: &Node, key: &'static str, most: usize) -> Option<String> {
        match node.get(key).map(|inner| &inner.data) {
            None | Some(Data::Null) => {
                self.fault(place_of(node, key), Problem::Missing(key));
                None
            }
            Some(_) => {
                let text = self.text(node, key, most)?;
                if text.is_empty() {
                    self.fault(place_of(node, key), Problem::Missing(key));
                    return None;
                }
                Some(text)
            }
        }
    }

    fn text(&mut self, node: &Node, key: &'static str, most: usize) -> Option<String> {
        let inner = node.get(key)?;
        let text = match &inner.data {
            Data::Text(text) => text.trim().to_owned(),
            // A version is easily written as a number.
            Data::Number(number) if key == "version" => number.to_string(),
            Data::Null => return None,
            Data::Number(_) | Data::Flag(_) | Data::List(_) | Data::Map(_) => {
                self.fault(&inner.place, Problem::Wants(Wanted::Text));
                return None;
            }
        };
        if text.chars().count() > most {
            self.fault(&inner.place, Problem::TooLong { key, most });
            return None;
        }
        Some(text)
    }

    fn fault(&mut self, place: &Place, problem: Problem) {
        self.faults.push(Fault::new(place, problem));
    }
}

/// The place of a key's value, or of the map that lacks it.
fn place_of<'a>(node: &'a Node, key: &str) -> &'a Place {
    node.get(key).map_or(&node.place, |inner| &inner.place)
}

fn is_python_name(name: &str) -> bool {
    let is_fit = |letter: char| letter == '_' || letter.is_alphabetic() || letter.is_ascii_digit();
    name.chars().all(is_fit)
        && !name.starts_with(|letter: char| letter.is_numeric())
        && !name.starts_with("__")
        && !KEYWORDS.contains(&name)
}

/// Python's own words, which name neither a function nor an argument.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
