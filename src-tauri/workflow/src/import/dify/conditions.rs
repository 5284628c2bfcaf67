//! Branches become conditions of the steps behind them.

use super::Mapping;
use super::graph::{Guard, Vertex};
use crate::import::{items, text_of, unmapped};
use crate::problem::Reason;
use crate::template::{Piece, Template};
use serde_json::{Value, json};
use shidi_yaml::Node;

impl Mapping<'_> {
    /// The condition of a step; nothing where it always runs.
    pub(super) fn condition(&mut self, guard: &Guard) -> Option<Value> {
        if guard.iter().any(std::collections::BTreeSet::is_empty) {
            return None;
        }
        let mut ways = Vec::new();
        for through in guard {
            let mut parts = Vec::new();
            for (branch, way) in through {
                parts.push(self.way(branch, way));
            }
            ways.push(joined(parts, " and "));
        }
        Some(Template::Text(joined(ways, " or ")).written())
    }

    /// One way out of a branch: its case, and none of those above it.
    fn way(&mut self, branch: &str, way: &str) -> Vec<Piece> {
        let Some(vertex) = self.graph.branch(branch) else {
            return text("false");
        };
        let cases = cases(&vertex);
        let mut parts = Vec::new();
        for (id, case) in cases {
            let holds = self.case(case);
            if id == way {
                parts.push(holds);
                break;
            }
            parts.push(joined(vec![text("not "), bracketed(holds)], ""));
        }
        joined(parts, " and ")
    }

    fn case(&mut self, case: &Node) -> Vec<Piece> {
        let mut parts = Vec::new();
        for condition in case.get("conditions").map(items).unwrap_or_default() {
            parts.push(self.comparison(condition));
        }
        let word = if text_of(case, "logical_operator") == "or" {
            " or "
        } else {
            " and "
        };
        if parts.is_empty() {
            text("false")
        } else {
            bracketed(joined(parts, word))
        }
    }

    fn comparison(&mut self, condition: &Node) -> Vec<Piece> {
        let Some(left) = self.selector(condition.get("variable_selector"), &condition.place) else {
            return text("false");
        };
        let operator = text_of(condition, "comparison_operator");
        let sign = match operator.as_str() {
            "is" | "=" | "==" => " == ",
            "is not" | "≠" | "!=" => " != ",
            ">" => " > ",
            "<" => " < ",
            "≥" | ">=" => " >= ",
            "≤" | "<=" => " <= ",
            "start with" => " is startingwith ",
            "end with" => " is endingwith ",
            "contains" => return self.contained(condition, left, " in "),
            "not contains" => return self.contained(condition, left, " not in "),
            "empty" => return vec![Piece::Text("not ".to_owned()), left],
            "not empty" => return vec![left],
            "null" | "not exists" => return vec![left, Piece::Text(" is none".to_owned())],
            "not null" | "exists" => return vec![left, Piece::Text(" is not none".to_owned())],
            _ => {
                let what = format!("comparison_operator: {operator}");
                self.faults
                    .push(unmapped(&condition.place, what, Reason::NoCounterpart));
                return text("false");
            }
        };
        let mut pieces = vec![left, Piece::Text(sign.to_owned())];
        pieces.extend(self.right(condition));
        pieces
    }

    fn contained(&mut self, condition: &Node, left: Piece, word: &str) -> Vec<Piece> {
        let mut pieces = self.right(condition);
        pieces.push(Piece::Text(word.to_owned()));
        pieces.push(left);
        pieces
    }

    fn right(&mut self, condition: &Node) -> Vec<Piece> {
        let Some(node) = condition.get("value") else {
            return text("none");
        };
        let value = node.json();
        let Some(written) = value.as_str() else {
            return text(&value.to_string());
        };
        if written.starts_with("{{#") && written.ends_with("#}}") {
            return match self.text(written, &node.place) {
                Some(Template::Text(pieces)) => pieces,
                _ => text("none"),
            };
        }
        let number = (text_of(condition, "varType") == "number").then(|| written.parse::<f64>().ok());
        match number.flatten() {
            Some(_) => text(written),
            None => text(&json!(written).to_string()),
        }
    }
}

/// The cases of a branch with their names; older files have one without a list.
fn cases<'a>(vertex: &Vertex<'a>) -> Vec<(String, &'a Node)> {
    match vertex.data.get("cases") {
        Some(cases) => items(cases)
            .iter()
            .map(|case| (text_of(case, "case_id"), case))
            .collect(),
        None => vec![("true".to_owned(), vertex.data)],
    }
}

fn text(text: &str) -> Vec<Piece> {
    vec![Piece::Text(text.to_owned())]
}

fn bracketed(pieces: Vec<Piece>) -> Vec<Piece> {
    joined(vec![text("("), pieces, text(")")], "")
}

fn joined(parts: Vec<Vec<Piece>>, word: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() && !word.is_empty() {
            pieces.push(Piece::Text(word.to_owned()));
        }
        pieces.extend(part);
    }
    pieces
}
