//! Cards that ask, as a terminal shows them: the choices with their numbers, the fields to fill in, the changes.

use super::cards::clean;
use crate::limits::ASKED_MAX;
use serde_json::{Value, json};
use shidi_protocol::JsonMap;

/// The card of a server's question.
const SERVER: &str = "server";

/// What a question asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionForm {
    /// What stands above the prompt.
    pub lines: Vec<String>,
    /// What is asked one by one.
    pub fields: Vec<Field>,
    /// Whether one of the actions is asked for: after the fields, or before those of a server.
    pub has_actions: bool,
    card: String,
    /// Labels of the actions, and whether nothing has to be filled in for them.
    actions: Vec<(String, bool)>,
}

/// Something to be filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    /// How it is shown.
    pub shown: String,
    /// What an empty line stands for; `null` where it stands for nothing.
    pub default: Value,
}

impl QuestionForm {
    #[must_use]
    pub fn of(fields: Option<&Value>) -> Self {
        let spec = fields.cloned().unwrap_or_default();
        let named = if spec.is_array() { &spec } else { &spec["fields"] };
        let mut lines: Vec<String> = Vec::new();
        lines.extend(
            spec["title"]
                .as_str()
                .filter(|title| !title.is_empty())
                .map(clean),
        );
        lines.extend(
            entries(&spec["facts"]).map(|fact| format!("  {}: {}", shown(&fact[0]), shown(&fact[1]))),
        );
        lines.extend(
            entries(&spec["hunks"])
                .zip(1..)
                .flat_map(|(hunk, number)| change(hunk, number)),
        );
        let options = entries(&spec["options"]).zip(1..);
        lines.extend(options.map(|(option, number)| {
            let note = option["note"].as_str().map(clean).unwrap_or_default();
            let gap = if note.is_empty() { "" } else { "  " };
            format!("  {number}. {}{gap}{note}", shown(&option["label"]))
        }));
        Self {
            lines,
            fields: entries(named).filter_map(field).collect(),
            has_actions: entries(&spec["options"]).next().is_some(),
            card: spec["card"].as_str().unwrap_or_default().to_owned(),
            actions: entries(&spec["options"])
                .map(|option| (shown(&option["label"]), option["bare"] == true))
                .collect(),
        }
    }

    /// Whether the action is asked for first: what a server asks may be declined with nothing filled in.
    #[must_use]
    pub fn begins_with_action(&self) -> bool {
        self.card == SERVER
    }

    /// Whether nothing has to be filled in for an action, by its number from 1 or its label.
    #[must_use]
    pub fn is_bare(&self, action: &str) -> bool {
        let number = action.trim().parse::<usize>().ok();
        let by_number = number.and_then(|number| self.actions.get(number.checked_sub(1)?));
        let by_label = || {
            let is_it = |(label, _): &&(String, bool)| label.eq_ignore_ascii_case(action.trim());
            self.actions.iter().find(is_it)
        };
        by_number.or_else(by_label).is_some_and(|(_, bare)| *bare)
    }

    /// What is sent for what was written into the fields, and for the action where one was asked for.
    #[must_use]
    pub fn answer(&self, values: JsonMap, action: Option<String>) -> String {
        match self.card.as_str() {
            "" => Value::Object(values).to_string(),
            "custom" | SERVER => json!({"values": values, "action": action}).to_string(),
            _ => json!({ "values": values }).to_string(),
        }
    }

    /// How an answer is written on the command line.
    #[must_use]
    pub fn shape(&self) -> String {
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|field| format!("{}: \"…\"", Value::from(field.name.as_str())))
            .collect();
        match self.card.as_str() {
            "confirm" => "yes|no".to_owned(),
            "choice" | "operations" => "N".to_owned(),
            "diff" => "all|none|N,N".to_owned(),
            "custom" | SERVER if fields.is_empty() => "N".to_owned(),
            "custom" | SERVER => format!("'{{\"action\": \"…\", \"values\": {{{}}}}}'", fields.join(", ")),
            _ if fields.is_empty() => "TEXT".to_owned(),
            _ => format!("'{{{}}}'", fields.join(", ")),
        }
    }
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().take(ASKED_MAX)
}

fn field(field: &Value) -> Option<Field> {
    let name = field.as_str().or_else(|| field["name"].as_str())?;
    let label = field["label"].as_str().unwrap_or(name);
    let options: Vec<String> = entries(&field["options"])
        .map(|option| shown(&option["label"]))
        .collect();
    let choice = if options.is_empty() {
        String::new()
    } else {
        format!(" ({})", options.join(", "))
    };
    let (note, default) = (shown(&field["note"]), &field["value"]);
    let mut parts = vec![format!("{}{choice}", clean(label))];
    parts.extend(Some(note).filter(|note| field["note"].is_string() && !note.is_empty()));
    let default = if field["kind"].is_string() {
        default.clone()
    } else {
        Value::Null
    };
    if !default.is_null() {
        parts.push(format!("[{}]", shown(&default)));
    }
    Some(Field {
        name: name.to_owned(),
        shown: parts.join(" "),
        default,
    })
}

fn change(hunk: &Value, number: usize) -> Vec<String> {
    let mut lines = vec![format!("@@ {number} @@")];
    for (sign, part) in [(' ', "above"), ('-', "before"), ('+', "after"), (' ', "below")] {
        lines.extend(entries(&hunk[part]).map(|line| format!("{sign} {}", shown(line))));
    }
    lines
}

fn shown(value: &Value) -> String {
    clean(&value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests;
