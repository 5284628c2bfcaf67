//! A file becomes a workflow: first each key for itself, then everything together (`validation`).
//!
//! Reading goes on after a fault, so that whoever mends a file sees all of them at once.

mod action;
mod keys;
mod step;
mod values;

pub use keys::{ACTION_KEYS, COMMON, HEAD};

use crate::definition::{Block, BlockId, Parameter, VERSION, Workflow};
use crate::limits::{FILE_BYTES_MAX, NAME_CHARACTERS_MAX, NESTING_MAX, STEPS_MAX};
use crate::problem::{Example, Fault, Many, Problem, Wanted, in_order};
use crate::template::is_name;
use crate::validation::validate;
use crate::value_type::ValueType;
use shidi_agent::permissions::Pattern;
use shidi_yaml::{Data, Node, Place};
use std::sync::Arc;

/// Names that the engine itself gives values.
pub const RESERVED: [&str; 2] = ["dialogue", "error"];

/// Reads a file's bytes.
///
/// # Errors
/// Everything that is wrong in it, in the order of its lines.
pub fn read(file: &Arc<str>, bytes: &[u8]) -> Result<Workflow, Vec<Fault>> {
    let tree = tree(file, bytes).map_err(|fault| vec![fault])?;
    let mut reading = Reading::default();
    let workflow = reading.workflow(&tree);
    match (workflow, reading.faults.is_empty()) {
        (Some(mut workflow), true) => {
            let faults = validate(&mut workflow);
            if faults.is_empty() {
                Ok(workflow)
            } else {
                Err(in_order(faults))
            }
        }
        (_, _) => Err(in_order(reading.faults)),
    }
}

/// Reads a file's bytes as YAML or JSON.
///
/// # Errors
/// Bytes that are no text, a text that is no YAML, and one that is too large.
pub fn tree(file: &Arc<str>, bytes: &[u8]) -> Result<Node, Fault> {
    let at = |line: u64| Place {
        file: Arc::clone(file),
        line,
        column: 1,
    };
    if bytes.len() > FILE_BYTES_MAX {
        return Err(Fault::new(&at(1), Problem::TooLarge));
    }
    let text = shidi_yaml::text(file, bytes).map_err(|place| Fault::new(&place, Problem::NotText))?;
    shidi_yaml::read(file, text).map_err(|malformed| {
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
    blocks: Vec<Block>,
    parameters: Vec<Parameter>,
    /// Steps so far, and how deep the one at hand stands.
    steps: usize,
    depth: usize,
}

impl Reading {
    fn workflow(&mut self, root: &Node) -> Option<Workflow> {
        if !matches!(root.data, Data::Map(_)) {
            let problem = match root.data == Data::Null {
                true => Problem::Missing {
                    key: "version",
                    example: Example::Head,
                },
                false => Problem::Wants(Wanted::Map),
            };
            self.fault(&root.place, problem);
            return None;
        }
        self.known(root, &HEAD, |key| known_in_steps(key).then(|| "steps".to_owned()));
        self.version(root);
        let name = self
            .required_text(root, "name", Example::Head)
            .unwrap_or_default();
        let description = self.optional_text(root, "description").unwrap_or_default();
        if let Some(node) = self.one_of(root, "inputs", "parameters") {
            self.parameters(node);
        }
        let permissions = self.permissions(root);
        self.blocks.push(Block::default());
        match root.get("steps") {
            Some(steps) => self.block_into(BlockId(0), steps),
            None => self.fault(
                &root.place,
                Problem::Missing {
                    key: "steps",
                    example: Example::Steps,
                },
            ),
        }
        Some(Workflow {
            name,
            description,
            parameters: std::mem::take(&mut self.parameters),
            permissions,
            blocks: std::mem::take(&mut self.blocks),
        })
    }

    fn version(&mut self, root: &Node) {
        let Some(node) = root.get("version") else {
            return self.fault(
                &root.place,
                Problem::Missing {
                    key: "version",
                    example: Example::Head,
                },
            );
        };
        let version = match &node.data {
            Data::Text(text) => text.clone(),
            Data::Number(number) => number.to_string(),
            Data::Null | Data::Flag(_) | Data::List(_) | Data::Map(_) => {
                return self.fault(&node.place, Problem::Wants(Wanted::Text));
            }
        };
        if !["1", VERSION, "1.0.0"].contains(&version.as_str()) {
            self.fault(
                &node.place,
                Problem::UnknownVersion {
                    version,
                    known: VERSION,
                },
            );
        }
    }

    fn permissions(&mut self, root: &Node) -> Vec<String> {
        let Some(node) = root.get("permissions") else {
            return Vec::new();
        };
        let mut permissions = Vec::new();
        for item in self.list(node) {
            match item.text().map(|text| (text, Pattern::parse(text))) {
                Some((text, Ok(_))) => permissions.push(text.to_owned()),
                Some((text, Err(_))) => self.fault(&item.place, Problem::BadPermission(text.to_owned())),
                None => self.fault(&item.place, Problem::Wants(Wanted::Text)),
            }
        }
        permissions
    }

    fn parameters(&mut self, node: &Node) {
        for item in self.list(node) {
            if !matches!(item.data, Data::Map(_)) {
                self.fault(&item.place, Problem::Wants(Wanted::Map));
                continue;
            }
            self.known(item, &keys::PARAMETER, |_| None);
            let Some(name) = self.required_name(item, Example::Parameter) else {
                continue;
            };
            let kind = self.value_type(item);
            let parameter = Parameter {
                place: item.place.clone(),
                name,
                kind,
                description: self.optional_text(item, "description").unwrap_or_default(),
                default: self.of_type(item, "default", kind),
                example: self.of_type(item, "example", kind),
                of_step: false,
            };
            self.parameters.push(parameter);
        }
    }

    /// Reads the steps of a block into its place.
    fn block_into(&mut self, id: BlockId, node: &Node) {
        let Data::List(items) = &node.data else {
            return self.fault(&node.place, Problem::Wants(Wanted::Steps));
        };
        if items.is_empty() {
            return self.fault(
                &node.place,
                Problem::Missing {
                    key: "steps",
                    example: Example::Steps,
                },
            );
        }
        if self.depth >= NESTING_MAX {
            let problem = Problem::TooMany {
                what: Many::Levels,
                most: NESTING_MAX,
            };
            return self.fault(&node.place, problem);
        }
        self.depth += 1;
        for item in items {
            self.steps += 1;
            if self.steps > STEPS_MAX {
                let problem = Problem::TooMany {
                    what: Many::Steps,
                    most: STEPS_MAX,
                };
                self.fault(&item.place, problem);
                break;
            }
            if let Some(step) = self.step(item) {
                self.blocks[id.0].steps.push(step);
            }
        }
        self.depth -= 1;
    }

    /// A block within a step.
    fn block(&mut self, node: &Node) -> BlockId {
        let id = BlockId(self.blocks.len());
        self.blocks.push(Block::default());
        self.block_into(id, node);
        id
    }

    fn fault(&mut self, place: &Place, problem: Problem) {
        self.faults.push(Fault::new(place, problem));
    }

    /// Refuses keys that have no meaning there; `elsewhere` names the kind of step that has a key.
    fn known(&mut self, node: &Node, known: &[&str], elsewhere: impl Fn(&str) -> Option<String>) {
        for entry in node.entries() {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let key = entry.key.clone();
            let problem = match elsewhere(&key) {
                Some(kind) => Problem::KeyNotHere { key, kind },
                None => Problem::UnknownKey {
                    key,
                    known: known.iter().map(|key| (*key).to_owned()).collect(),
                },
            };
            self.fault(&entry.place, problem);
        }
    }

    /// The one of two keys for the same that is there.
    fn one_of<'a>(&mut self, node: &'a Node, one: &'static str, other: &'static str) -> Option<&'a Node> {
        let (first, second) = (node.get(one), node.get(other));
        if let (Some(_), Some(second)) = (first, second) {
            self.fault(&second.place, Problem::BothForms { one, other });
        }
        first.or(second)
    }

    fn required_name(&mut self, node: &Node, example: Example) -> Option<String> {
        let place = node.get("name").map_or(&node.place, |node| &node.place);
        let name = self.required_text(node, "name", example)?;
        if RESERVED.contains(&name.as_str()) {
            self.fault(place, Problem::ReservedName(name));
            return None;
        }
        if !is_name(&name) || name.chars().count() > NAME_CHARACTERS_MAX {
            self.fault(place, Problem::BadName(name));
            return None;
        }
        Some(name)
    }

    fn value_type(&mut self, node: &Node) -> ValueType {
        let Some(place) = node.get("type").map(|node| node.place.clone()) else {
            return ValueType::Any;
        };
        let Some(written) = self.optional_text(node, "type") else {
            return ValueType::Any;
        };
        ValueType::named(&written).unwrap_or_else(|| {
            let known = ValueType::names().into_iter().map(str::to_owned).collect();
            self.fault(&place, Problem::UnknownValueType { written, known });
            ValueType::Any
        })
    }
}

/// Whether some step has that key.
fn known_in_steps(key: &str) -> bool {
    ACTION_KEYS.iter().any(|(_, keys)| keys.contains(&key)) || ["id", "type"].contains(&key)
}
