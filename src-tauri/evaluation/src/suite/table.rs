//! Tests as a table: a row is a test, and a column a variable. `__expected` is a check in promptfoo's short
//! form.

use super::fault::fault;
use csv::ReaderBuilder;
use serde_json::Number;
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_yaml::{Data, Entry, Node, Place};
use std::sync::Arc;

/// How the columns begin that are no variables.
const OWN: &str = "__";
const EXPECTED: &str = "__expected";
const METADATA: &str = "__metadata:";

/// Short forms of a check whose type has another name.
const SHORT: [(&str, &str); 4] = [
    ("grade", "llm-rubric"),
    ("fn", "javascript"),
    ("eval", "javascript"),
    ("file", "javascript"),
];

/// A table that is a whole suite.
///
/// # Errors
/// A table that can't be read, or a column that has no meaning.
pub fn suite(text: &str, place: &Place, language: Language) -> Result<Node, UserError> {
    let tests = tests(&place.file, text, language)?;
    let tests = node(place, Data::List(tests));
    Ok(map(place, vec![("tests", tests)]))
}

/// The tests of a table, as a document would have them.
///
/// # Errors
/// As [`suite`].
pub fn tests(name: &Arc<str>, text: &str, language: Language) -> Result<Vec<Node>, UserError> {
    let say = language.evaluation();
    let at = |line: u64| Place {
        file: Arc::clone(name),
        line: line.max(1),
        column: 1,
    };
    let broken = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        fault(&at(line), error, say.table_rule())
    };
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let columns = reader.headers().map_err(|error| broken(&error))?.clone();
    let mut tests = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let place = at(record.position().map_or(1, csv::Position::line));
        if record.len() > columns.len() {
            return Err(fault(
                &place,
                say.more_cells(columns.len(), record.len()),
                say.table_rule(),
            ));
        }
        let mut test = Row::default();
        for (column, cell) in columns.iter().zip(record.iter()) {
            test.take(column.trim(), cell, &place, language)?;
        }
        tests.push(test.node(&place));
    }
    Ok(tests)
}

#[derive(Default)]
struct Row {
    keys: Vec<(&'static str, Node)>,
    vars: Vec<Entry>,
    metadata: Vec<Entry>,
    checks: Vec<Node>,
}

impl Row {
    fn take(&mut self, column: &str, cell: &str, place: &Place, language: Language) -> Result<(), UserError> {
        let say = language.evaluation();
        let number_of_expected = column.strip_prefix(EXPECTED);
        if number_of_expected.is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit())) {
            if !cell.trim().is_empty() {
                self.checks.push(check(cell.trim(), place));
            }
        } else if let Some(key) = column.strip_prefix(METADATA) {
            self.metadata.push(entry(key, text(place, cell)));
        } else if column == "__description" {
            self.keys.push(("description", text(place, cell)));
        } else if column == "__threshold" {
            if !cell.trim().is_empty() {
                self.keys.push(("threshold", number_or_text(place, cell)));
            }
        } else if column.starts_with(OWN) {
            return Err(fault(place, say.unsupported(column), say.table_rule()));
        } else {
            self.vars.push(entry(column, text(place, cell)));
        }
        Ok(())
    }

    fn node(self, place: &Place) -> Node {
        let mut keys = self.keys;
        keys.push(("vars", node(place, Data::Map(self.vars))));
        keys.push(("metadata", node(place, Data::Map(self.metadata))));
        keys.push(("assert", node(place, Data::List(self.checks))));
        map(place, keys)
    }
}

/// A check in its short form: `type: value`, `type(threshold): value`, a type alone, or the answer itself.
fn check(cell: &str, place: &Place) -> Node {
    let (head, value) = match cell.split_once(':') {
        Some((head, value)) => (head, Some(value.trim())),
        None => (cell, None),
    };
    let (head, threshold) = match head.strip_suffix(')').and_then(|head| head.split_once('(')) {
        Some((head, threshold)) => (head, Some(threshold)),
        None => (head, None),
    };
    let bare = head.strip_prefix("not-").unwrap_or(head);
    let alone = [
        "is-json",
        "gives-up",
        "is-refusal",
        "contains-json",
        "latency",
        "cost",
    ];
    let is_type = match value {
        Some(_) => {
            !bare.is_empty()
                && bare
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '-')
        }
        None => alone.contains(&bare),
    };
    if !is_type {
        return map(
            place,
            vec![("type", text(place, "equals")), ("value", text(place, cell))],
        );
    }
    let renamed = SHORT
        .iter()
        .find(|(short, _)| *short == bare)
        .map(|(_, name)| *name);
    let mut keys = vec![("type", text(place, renamed.unwrap_or(head)))];
    if let Some(threshold) = threshold {
        keys.push(("threshold", number_or_text(place, threshold)));
    }
    if let Some(value) = value.filter(|value| !value.is_empty()) {
        let value = match bare.ends_with("-any") || bare.ends_with("-all") {
            true => node(
                place,
                Data::List(value.split(',').map(|part| text(place, part.trim())).collect()),
            ),
            false if ["number", "word-count"].contains(&bare) => number_or_text(place, value),
            false => text(place, value),
        };
        keys.push(("value", value));
    }
    map(place, keys)
}

fn node(place: &Place, data: Data) -> Node {
    Node {
        place: place.clone(),
        data,
    }
}

fn text(place: &Place, text: &str) -> Node {
    node(place, Data::Text(text.to_owned()))
}

/// A number where it is one; whoever reads it refuses a text.
fn number_or_text(place: &Place, written: &str) -> Node {
    let number: Option<Number> = serde_json::from_str(written.trim()).ok();
    number.map_or_else(
        || text(place, written),
        |number| node(place, Data::Number(number)),
    )
}

fn entry(key: &str, value: Node) -> Entry {
    Entry {
        key: key.to_owned(),
        place: value.place.clone(),
        value,
    }
}

fn map(place: &Place, keys: Vec<(&str, Node)>) -> Node {
    let entries = keys.into_iter().map(|(key, value)| entry(key, value));
    node(place, Data::Map(entries.collect()))
}
