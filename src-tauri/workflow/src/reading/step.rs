//! One step: what every type has.

use super::keys::{ACTION_KEYS, ASKED, COMMON, OUTPUT, RETRY};
use super::{RESERVED, Reading};
use crate::condition::Condition;
use crate::definition::{
    Action, Binding, Named, OnError, Output, Parameter, Retry, STEP_TYPES, StepDefinition,
};
use crate::limits::{NAME_CHARACTERS_MAX, RETRIES_MAX, RETRY_WAIT_MS};
use crate::problem::{Example, Problem, Wanted};
use crate::template::is_name;
use shidi_yaml::{Data, Node};

/// Types of steps that call something: they may be tried again and have a time limit.
const CALLS: [&str; 5] = ["plugin", "custom", "llm", "code", "tool"];
/// Keys that say what is called.
const CALLED: [&str; 4] = ["tool", "plugin", "function", "code"];
/// Types of steps without values of their own.
const WITHOUT_INPUTS: [&str; 4] = ["branch", "loop", "parallel", "wait"];
const WITHOUT_OUTPUTS: [&str; 3] = ["branch", "parallel", "wait"];

/// The longest factor by which waits grow.
const FACTOR_MAX: f64 = 10.0;

impl Reading {
    pub(super) fn step(&mut self, node: &Node) -> Option<StepDefinition> {
        if !matches!(node.data, Data::Map(_)) {
            self.fault(&node.place, Problem::Wants(Wanted::Map));
            return None;
        }
        let id = self.id(node);
        let kind = self.step_type(node)?;
        self.step_keys(node, kind);
        let inputs = match kind {
            "input" => Vec::new(),
            _ => self.bindings(node),
        };
        let outputs = self.outputs(node, kind);
        let action = self.action(node, kind)?;
        if let Action::Input { example, .. } = &action {
            self.asked_for(&outputs, example.as_ref());
        }
        // Of a branch the key is its own.
        let condition = match kind {
            "branch" => None,
            _ => node.get("if").and_then(|node| self.condition(node)),
        };
        let names_what = |key: &&str| node.get(key).map(|node| node.place.clone());
        Some(StepDefinition {
            place: node.place.clone(),
            called: CALLED
                .iter()
                .find_map(names_what)
                .unwrap_or_else(|| node.place.clone()),
            id: id?,
            description: self.optional_text(node, "description").unwrap_or_default(),
            action,
            condition,
            needs: node.get("needs").map(|node| self.needs(node)),
            retry: node.get("retry").and_then(|node| self.retry(node)),
            timeout_ms: node.get("timeout").and_then(|node| self.duration(node)),
            on_error: node
                .get("on_error")
                .map_or(OnError::Stop, |node| self.on_error(node)),
            inputs,
            outputs,
        })
    }

    fn id(&mut self, node: &Node) -> Option<String> {
        let id = self.required_text(node, "id", Example::Step)?;
        let is_good = id.chars().count() <= NAME_CHARACTERS_MAX
            && id
                .chars()
                .all(|letter| letter.is_alphanumeric() || "_-".contains(letter));
        if !is_good {
            let place = node.get("id").map_or(&node.place, |node| &node.place);
            self.fault(place, Problem::BadName(id));
            return None;
        }
        Some(id)
    }

    fn step_type(&mut self, node: &Node) -> Option<&'static str> {
        let written = self.required_text(node, "type", Example::Step)?;
        let kind = STEP_TYPES.iter().find(|kind| **kind == written);
        if kind.is_none() {
            let place = node.get("type").map_or(&node.place, |node| &node.place);
            let known = STEP_TYPES.iter().map(|kind| (*kind).to_owned()).collect();
            self.fault(place, Problem::UnknownStepType { written, known });
        }
        kind.copied()
    }

    /// Refuses keys that the type does not have.
    fn step_keys(&mut self, node: &Node, kind: &'static str) {
        let own = ACTION_KEYS.iter().find(|(name, _)| *name == kind);
        let own = own.map_or(&[][..], |(_, keys)| *keys);
        let refused = |key: &str| match key {
            "retry" | "timeout" => !CALLS.contains(&kind),
            "inputs" | "input" => WITHOUT_INPUTS.contains(&kind),
            "outputs" | "output" => WITHOUT_OUTPUTS.contains(&kind),
            _ => false,
        };
        let known: Vec<&str> = COMMON
            .iter()
            .chain(own)
            .copied()
            .filter(|key| !refused(key))
            .collect();
        self.known(node, &known, |key| {
            let others = ACTION_KEYS.iter().filter(|(_, keys)| keys.contains(&key));
            let others: Vec<&str> = match key {
                "retry" | "timeout" => CALLS.to_vec(),
                _ => others.map(|(name, _)| *name).collect(),
            };
            (!others.is_empty()).then(|| others.join(", "))
        });
    }

    fn bindings(&mut self, node: &Node) -> Vec<Binding> {
        let Some(node) = self.one_of(node, "inputs", "input") else {
            return Vec::new();
        };
        if !matches!(node.data, Data::Map(_)) {
            self.fault(&node.place, Problem::Wants(Wanted::Map));
            return Vec::new();
        }
        let mut bindings = Vec::new();
        for entry in node.entries() {
            if !is_name(&entry.key) {
                self.fault(&entry.place, Problem::BadName(entry.key.clone()));
            } else if let Some(value) = self.template(&entry.value) {
                let (place, name) = (entry.place.clone(), entry.key.clone());
                bindings.push(Binding { place, name, value });
            }
        }
        bindings
    }

    fn outputs(&mut self, node: &Node, kind: &'static str) -> Vec<Output> {
        let Some(node) = self.one_of(node, "outputs", "output") else {
            return Vec::new();
        };
        let items = match &node.data {
            Data::Map(_) => std::slice::from_ref(node),
            Data::List(items) => items.as_slice(),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::Map));
                return Vec::new();
            }
        };
        let mut outputs = Vec::new();
        for item in items {
            if !matches!(item.data, Data::Map(_)) {
                self.fault(&item.place, Problem::Wants(Wanted::Map));
                continue;
            }
            outputs.extend(self.output(item, kind));
        }
        outputs
    }

    fn output(&mut self, node: &Node, kind: &'static str) -> Option<Output> {
        self.known(node, &OUTPUT, |_| None);
        // What an `output` step tells has its names in `inputs`; here it is described.
        let name = match kind {
            "output" => self.optional_text(node, "name").unwrap_or_default(),
            _ => self.required_name(node, Example::Output)?,
        };
        let value_type = self.value_type(node);
        let value = node.get("value");
        let place = value.map_or(&node.place, |value| &value.place);
        match (kind, value) {
            ("loop", None) => self.fault(
                place,
                Problem::Missing {
                    key: "value",
                    example: Example::Loop,
                },
            ),
            ("loop", Some(_)) | (_, None) => {}
            (_, Some(_)) => self.fault(
                place,
                Problem::KeyNotHere {
                    key: "value".to_owned(),
                    kind: "loop".to_owned(),
                },
            ),
        }
        Some(Output {
            place: node.place.clone(),
            name,
            kind: value_type,
            description: self.optional_text(node, "description").unwrap_or_default(),
            default: self.of_type(node, "default", value_type),
            example: self.of_type(node, "example", value_type),
            value: value.and_then(|value| self.template(value)),
        })
    }

    /// What an `input` step leaves is what a run is given.
    fn asked_for(&mut self, outputs: &[Output], example: Option<&serde_json::Value>) {
        for output in outputs {
            let of_name = example.and_then(|example| example.get(&output.name));
            let alone = if outputs.len() == 1 { example } else { None };
            let example = output.example.clone().or_else(|| of_name.or(alone).cloned());
            self.parameters.push(Parameter {
                place: output.place.clone(),
                name: output.name.clone(),
                kind: output.kind,
                description: output.description.clone(),
                default: output.default.clone(),
                example,
                of_step: true,
            });
        }
    }

    /// What an `input` step says of what it asks for.
    pub(super) fn asked(&mut self, node: &Node) -> Action {
        let asked = self.one_of(node, "input", "inputs");
        if let Some(asked) = asked {
            if matches!(asked.data, Data::Map(_)) {
                self.known(asked, &ASKED, |_| None);
            } else {
                self.fault(&asked.place, Problem::Wants(Wanted::Map));
            }
        }
        Action::Input {
            example: asked.and_then(|asked| asked.get("example")).map(Node::json),
            description: asked
                .and_then(|asked| self.optional_text(asked, "description"))
                .unwrap_or_default(),
        }
    }

    pub(super) fn condition(&mut self, node: &Node) -> Option<Condition> {
        match Condition::read(node) {
            Ok(condition) => Some(condition),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn needs(&mut self, node: &Node) -> Vec<Named> {
        let items = match &node.data {
            Data::Text(_) => std::slice::from_ref(node),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::List(_) | Data::Map(_) => self.list(node),
        };
        let mut needs = Vec::new();
        for item in items {
            match item.text() {
                Some(name) => needs.push(Named {
                    place: item.place.clone(),
                    name: name.to_owned(),
                }),
                None => self.fault(&item.place, Problem::Wants(Wanted::Text)),
            }
        }
        needs
    }

    fn retry(&mut self, node: &Node) -> Option<Retry> {
        let most = u64::from(RETRIES_MAX);
        let times = match &node.data {
            Data::Map(_) => {
                self.known(node, &RETRY, |_| None);
                match node.get("times") {
                    Some(times) => self.number(times, "times", 0, most)?,
                    None => {
                        self.fault(
                            &node.place,
                            Problem::Missing {
                                key: "times",
                                example: Example::Action,
                            },
                        );
                        return None;
                    }
                }
            }
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => {
                self.number(node, "retry", 0, most)?
            }
        };
        let wait_ms = match node.get("wait") {
            Some(wait) => self.duration(wait)?,
            None => RETRY_WAIT_MS,
        };
        let factor = match node.get("factor").map(|node| (&node.data, &node.place)) {
            None => 2.0,
            Some((Data::Number(number), place)) => {
                let factor = number
                    .as_f64()
                    .filter(|factor| (1.0..=FACTOR_MAX).contains(factor));
                if factor.is_none() {
                    self.fault(
                        place,
                        Problem::OutOfBounds {
                            key: "factor",
                            least: 1,
                            most: 10,
                        },
                    );
                }
                factor?
            }
            Some((_, place)) => {
                self.fault(place, Problem::Wants(Wanted::Number));
                return None;
            }
        };
        Some(Retry {
            times: u32::try_from(times).unwrap_or(RETRIES_MAX),
            wait_ms,
            factor,
        })
    }

    fn on_error(&mut self, node: &Node) -> OnError {
        match &node.data {
            Data::Text(text) if text == "stop" => OnError::Stop,
            Data::Text(text) if text == "continue" => OnError::Continue,
            Data::List(_) => OnError::Steps(self.block(node)),
            Data::Map(_) => match node.get("steps") {
                Some(steps) => {
                    self.known(node, &["steps"], |_| None);
                    OnError::Steps(self.block(steps))
                }
                None => {
                    self.fault(
                        &node.place,
                        Problem::Missing {
                            key: "steps",
                            example: Example::Steps,
                        },
                    );
                    OnError::Stop
                }
            },
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::OnError));
                OnError::Stop
            }
        }
    }

    /// A name that the steps within may use.
    pub(super) fn item_name(&mut self, node: &Node) -> Option<String> {
        let name = self.optional_text(node, "as")?;
        let place = node.get("as").map_or(&node.place, |node| &node.place);
        if RESERVED.contains(&name.as_str()) {
            self.fault(place, Problem::ReservedName(name));
            return None;
        }
        if !is_name(&name) {
            self.fault(place, Problem::BadName(name));
            return None;
        }
        Some(name)
    }
}
