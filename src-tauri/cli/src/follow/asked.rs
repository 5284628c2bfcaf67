//! Cards that ask, as a terminal shows them: what can be chosen with its numbers, what is to be filled in, what would change.

use super::cards::clean;
use crate::limits::ASKED_MAX;
use serde_json::{Value, json};
use shidi_protocol::JsonMap;

/// What a question asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What stands above the prompt.
    pub lines: Vec<String>,
    /// What is asked one by one: the name, and how it is shown.
    pub fields: Vec<(String, String)>,
    /// Whether, after the fields, one of the actions is asked for.
    pub has_actions: bool,
    card: String,
}

impl Asked {
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
            let note = shown(&option["note"]);
            let gap = if note.is_empty() { "" } else { "  " };
            format!("  {number}. {}{gap}{note}", shown(&option["label"]))
        }));
        Self {
            lines,
            fields: entries(named).filter_map(field).collect(),
            has_actions: entries(&spec["options"]).next().is_some(),
            card: spec["card"].as_str().unwrap_or_default().to_owned(),
        }
    }

    /// What is sent for what was written into the fields, and for the action where one was asked for.
    #[must_use]
    pub fn answer(&self, values: JsonMap, action: Option<String>) -> String {
        match self.card.as_str() {
            "" => Value::Object(values).to_string(),
            "custom" => json!({"values": values, "action": action}).to_string(),
            _ => json!({ "values": values }).to_string(),
        }
    }

    /// How an answer is written on the command line.
    #[must_use]
    pub fn shape(&self) -> String {
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|(name, _)| format!("{}: \"…\"", Value::from(name.as_str())))
            .collect();
        match self.card.as_str() {
            "confirm" => "yes|no".to_owned(),
            "choice" | "operations" => "N".to_owned(),
            "diff" => "all|none|N,N".to_owned(),
            "custom" if fields.is_empty() => "N".to_owned(),
            "custom" => format!("'{{\"action\": \"…\", \"values\": {{{}}}}}'", fields.join(", ")),
            _ if fields.is_empty() => "TEXT".to_owned(),
            _ => format!("'{{{}}}'", fields.join(", ")),
        }
    }
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().take(ASKED_MAX)
}

fn field(field: &Value) -> Option<(String, String)> {
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
    Some((name.to_owned(), format!("{}{choice}", clean(label))))
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
