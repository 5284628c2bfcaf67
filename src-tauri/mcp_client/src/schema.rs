//! Reads kinds, members and choices from a JSON Schema that nobody vouches for. Every walk has a bound, as a
//! schema may contain itself.

use crate::limits::{SCHEMA_DEPTH_MAX, SCHEMA_STEPS_MAX};
use serde_json::Value;
use shidi_protocol::ParameterKind;
use std::cell::Cell;
use std::collections::BTreeSet;

/// A node of a schema document, with references followed.
#[derive(Clone, Copy)]
pub struct Schema<'a> {
    root: &'a Value,
    node: &'a Value,
    depth: usize,
    /// Steps left for the whole document; a node beyond them accepts anything.
    steps: &'a Cell<usize>,
}

/// A node that accepts anything.
static UNKNOWN: Value = Value::Null;

impl<'a> Schema<'a> {
    /// The document's root; `steps` counts the visited nodes.
    pub fn document(root: &'a Value, steps: &'a Cell<usize>) -> Self {
        steps.set(SCHEMA_STEPS_MAX);
        Self {
            root,
            node: root,
            depth: 0,
            steps,
        }
        .followed()
    }

    /// The names of required members.
    pub fn required(&self) -> BTreeSet<&'a str> {
        let required = self.node.get("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The members of an object, in their order.
    pub fn properties(&self) -> Vec<(&'a str, Self)> {
        let properties = self.node.get("properties").and_then(Value::as_object);
        let members = properties.into_iter().flatten();
        members
            .map(|(name, node)| (name.as_str(), self.at(node)))
            .collect()
    }

    /// The schema of a list's items.
    pub fn items(&self) -> Option<Self> {
        self.node.get("items").map(|node| self.at(node))
    }

    /// Values to choose from; `null` is none of them.
    pub fn choices(&self) -> Option<Vec<&'a Value>> {
        let listed = self.node.get("enum").and_then(Value::as_array);
        let listed: Vec<&Value> = match (listed, self.node.get("const")) {
            (Some(listed), _) => listed.iter().filter(|value| !value.is_null()).collect(),
            (None, Some(only)) => vec![only],
            (None, None) => {
                // A nullable enumeration is an enumeration with `null` as its alternative.
                let mut with_choices = self.alternatives().into_iter().filter_map(|one| one.choices());
                let choices = with_choices.next()?;
                return with_choices.next().is_none().then_some(choices);
            }
        };
        (!listed.is_empty()).then_some(listed)
    }

    pub fn default(&self) -> Option<&'a Value> {
        self.node.get("default")
    }

    pub fn description(&self) -> &'a str {
        self.text("description")
            .or_else(|| self.text("title"))
            .unwrap_or_default()
    }

    /// Whether members may be given that the schema does not name.
    pub fn is_open(&self) -> bool {
        let named = self.node.get("properties").and_then(Value::as_object);
        let is_named = named.is_some_and(|named| !named.is_empty());
        let others = self.node.get("additionalProperties");
        match others {
            Some(Value::Bool(open)) => *open && !is_named,
            Some(_) => !is_named,
            None => {
                !is_named && (self.node.get("patternProperties").is_some() || !self.alternatives().is_empty())
            }
        }
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.node.get(key).and_then(Value::as_str)
    }

    fn alternatives(&self) -> Vec<Self> {
        if self.depth >= SCHEMA_DEPTH_MAX {
            return Vec::new();
        }
        let lists = ["anyOf", "oneOf", "allOf"].into_iter();
        lists
            .filter_map(|key| self.node.get(key).and_then(Value::as_array))
            .flatten()
            .take(SCHEMA_DEPTH_MAX)
            .map(|node| self.at(node))
            .collect()
    }

    fn at(&self, node: &'a Value) -> Self {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        Self {
            node: if left == 0 { &UNKNOWN } else { node },
            depth: self.depth + 1,
            ..*self
        }
        .followed()
    }

    /// The node at the end of the references, as far as they lead.
    fn followed(mut self) -> Self {
        while self.depth < SCHEMA_DEPTH_MAX {
            let Some(target) = self
                .text("$ref")
                .and_then(|reference| reference.strip_prefix('#'))
                .and_then(|pointer| self.root.pointer(pointer))
            else {
                break;
            };
            self.node = target;
            self.depth += 1;
        }
        self
    }
}

/// The Python type that a schema accepts; any type where it accepts several.
pub fn kind(schema: &Schema<'_>) -> ParameterKind {
    let mut kinds = BTreeSet::new();
    gather(schema, &mut kinds);
    kinds.remove("null");
    if kinds.contains("number") {
        kinds.remove("integer");
    }
    let mut kinds = kinds.into_iter();
    match (kinds.next(), kinds.next()) {
        (Some(only), None) => of_type(only),
        (Some(_), Some(_)) | (None, _) => ParameterKind::Any,
    }
}

/// Whether `null` may be given.
pub fn takes_null(schema: &Schema<'_>) -> bool {
    let mut kinds = BTreeSet::new();
    gather(schema, &mut kinds);
    kinds.contains("null")
}

/// The types that a schema names, itself or in its alternatives.
fn gather<'a>(schema: &Schema<'a>, kinds: &mut BTreeSet<&'a str>) {
    match schema.node.get("type") {
        Some(Value::String(one)) => {
            kinds.insert(one);
            return;
        }
        Some(Value::Array(several)) => {
            kinds.extend(several.iter().take(SCHEMA_DEPTH_MAX).filter_map(Value::as_str));
            return;
        }
        Some(_) | None => {}
    }
    if let Some(choices) = schema.node.get("enum").and_then(Value::as_array) {
        for choice in choices {
            kinds.insert(type_of(choice));
        }
        return;
    }
    if let Some(only) = schema.node.get("const") {
        kinds.insert(type_of(only));
        return;
    }
    for alternative in schema.alternatives() {
        gather(&alternative, kinds);
    }
    if kinds.is_empty() && schema.node.get("properties").is_some() {
        kinds.insert("object");
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn of_type(name: &str) -> ParameterKind {
    match name {
        "string" => ParameterKind::Text,
        "integer" => ParameterKind::Integer,
        "number" => ParameterKind::Number,
        "boolean" => ParameterKind::Boolean,
        "array" => ParameterKind::List,
        "object" => ParameterKind::Dict,
        _ => ParameterKind::Any,
    }
}
