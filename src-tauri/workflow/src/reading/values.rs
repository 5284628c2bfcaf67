//! Takes values of the wanted kind out of a file.

use super::Reading;
use crate::limits::DURATION_MS_MAX;
use crate::problem::{Example, Problem, Wanted};
use crate::template::Template;
use crate::value_type::ValueType;
use serde_json::Value;
use shidi_yaml::{Data, Node};

/// Endings of durations with the milliseconds of each; `ms` stands before `s`, which it ends with.
const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

impl Reading {
    pub(super) fn required_text(
        &mut self,
        node: &Node,
        key: &'static str,
        example: Example,
    ) -> Option<String> {
        if node.get(key).is_none() {
            self.fault(&node.place, Problem::Missing { key, example });
            return None;
        }
        let text = self.optional_text(node, key)?;
        if text.trim().is_empty() {
            let place = node.get(key).map_or(&node.place, |node| &node.place);
            self.fault(place, Problem::Missing { key, example });
            return None;
        }
        Some(text)
    }

    pub(super) fn optional_text(&mut self, node: &Node, key: &str) -> Option<String> {
        let node = node.get(key)?;
        match node.text() {
            Some(text) => Some(text.to_owned()),
            None => {
                self.fault(&node.place, Problem::Wants(Wanted::Text));
                None
            }
        }
    }

    pub(super) fn list<'a>(&mut self, node: &'a Node) -> &'a [Node] {
        match &node.data {
            Data::List(items) => items,
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::List));
                &[]
            }
        }
    }

    /// A value whose type its own declaration says.
    pub(super) fn of_type(&mut self, node: &Node, key: &str, kind: ValueType) -> Option<Value> {
        let node = node.get(key)?;
        // Nothing is the value of a step that was left out.
        if matches!(node.data, Data::Null) {
            return Some(Value::Null);
        }
        let value = kind.of(node.json());
        if value.is_none() {
            self.fault(&node.place, Problem::NotOfType(kind));
        }
        value
    }

    pub(super) fn template(&mut self, node: &Node) -> Option<Template> {
        match Template::read(node) {
            Ok(template) => Some(template),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    pub(super) fn text_template(&mut self, node: &Node, key: &'static str) -> Option<Template> {
        let inner = node.get(key)?;
        if inner.text().is_none() {
            self.fault(&inner.place, Problem::Wants(Wanted::Text));
            return None;
        }
        self.template(inner)
    }

    /// A whole number within its bounds.
    pub(super) fn number(&mut self, node: &Node, key: &'static str, least: u64, most: u64) -> Option<u64> {
        let number = match &node.data {
            Data::Number(number) => number.as_u64(),
            Data::Null | Data::Flag(_) | Data::Text(_) | Data::List(_) | Data::Map(_) => {
                self.fault(&node.place, Problem::Wants(Wanted::Number));
                return None;
            }
        };
        let within = number.filter(|number| (least..=most).contains(number));
        if within.is_none() {
            self.fault(&node.place, Problem::OutOfBounds { key, least, most });
        }
        within
    }

    /// Milliseconds of `10s`, `5m`, `1h`, `2d`, `500ms`, or of a number of seconds.
    pub(super) fn duration(&mut self, node: &Node) -> Option<u64> {
        let read = match &node.data {
            Data::Number(number) => number.as_f64().map(|seconds| (seconds, 1_000)),
            Data::Text(text) => UNITS.iter().find_map(|(ending, unit)| {
                let number = text.trim().strip_suffix(ending)?;
                Some((number.trim().parse::<f64>().ok()?, *unit))
            }),
            Data::Null | Data::Flag(_) | Data::List(_) | Data::Map(_) => None,
        };
        let milliseconds = read.map(|(number, unit)| number * unit as f64);
        let within = milliseconds.filter(|number| (0.0..=DURATION_MS_MAX as f64).contains(number));
        if within.is_none() {
            self.fault(&node.place, Problem::Wants(Wanted::Duration));
        }
        within.map(|number| number.round() as u64)
    }
}
