//! What a program leaves: its value and the session's variables, described by Python text inside the session.
//!
//! They are described there, and not exported as objects, because an export of a class beside its instance breaks
//! this version of the interpreter.

use crate::failure::cut;
use crate::rewrite::VALUE;
use monty::MontyRepl;
use monty_types::unstable::{self, MontyNode};
use monty_types::{MontyObject, NamedValues, ObjectRef, PrintWriter, ResourceLimits, ResourceTracker};
use shidi_executor_proto::{Shown, Variable};
use std::time::{Duration, Instant};

/// Characters of JSON text of one value; a larger one is shown by its head and not kept.
const LARGEST_JSON_CHARACTERS: i64 = 4 << 20;
/// Characters of all variables together, so that a report stays well below a frame.
const LARGEST_TOTAL_CHARACTERS: usize = 16 << 20;
/// Characters of a value's text form.
const SHORTEST_TEXT_CHARACTERS: i64 = 300;
/// Variables reported of one session.
const MOST_VARIABLES: i64 = 500;
/// Time for the report as a whole; again for all variables one by one when that failed, and for one of them:
/// `__repr__` is the program's own code. Twice the first stays below the supervisor's grace.
const REPORT_TIME: Duration = Duration::from_millis(400);
const VARIABLE_TIME: Duration = Duration::from_millis(40);

const REPORT: &str =
    "_shidi_report(_shidi_builtin_locals(), _shidi_hidden, _shidi_largest, _shidi_shortest, _shidi_most)";
const NAMES: &str = "[name for name in _shidi_builtin_locals()]";

/// Describes value and variables. Names in `hidden` are left out: toolkits.
pub fn report(repl: &mut MontyRepl, hidden: &[String], memory_bytes: usize) -> (Shown, Vec<Variable>) {
    allow(repl, REPORT_TIME, memory_bytes);
    if let Ok(shown) = repl.feed_run(REPORT, inputs(hidden), PrintWriter::Disabled) {
        return split(
            shown
                .as_ref()
                .items()
                .unwrap_or_default()
                .into_iter()
                .filter_map(variable)
                .collect(),
        );
    }
    split(one_by_one(repl, hidden, memory_bytes))
}

/// All names of the session, ours included.
pub fn names(repl: &mut MontyRepl) -> Vec<String> {
    let names = repl.feed_run(NAMES, NamedValues::new(), PrintWriter::Disabled);
    let names = names.map(|names| {
        let names = names.as_ref().items().unwrap_or_default();
        names
            .into_iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    });
    names.unwrap_or_default()
}

/// The slow way, for a session with a variable that cannot be described: it is named, the others are described.
fn one_by_one(repl: &mut MontyRepl, hidden: &[String], memory_bytes: usize) -> Vec<Variable> {
    allow(repl, REPORT_TIME, memory_bytes);
    let own = names(repl)
        .into_iter()
        .filter(|name| name == VALUE || !(name.starts_with("_shidi_") || hidden.contains(name)));
    let give_up = Instant::now() + REPORT_TIME;
    own.take(usize::try_from(MOST_VARIABLES).unwrap_or(0))
        .map(|name| {
            allow(
                repl,
                VARIABLE_TIME.min(give_up.saturating_duration_since(Instant::now())),
                memory_bytes,
            );
            let ask = format!(
                "_shidi_show({name:?}, {name}, {LARGEST_JSON_CHARACTERS}, {SHORTEST_TEXT_CHARACTERS})"
            );
            let shown = repl
                .feed_run(&ask, NamedValues::new(), PrintWriter::Disabled)
                .ok();
            shown
                .and_then(|shown| variable(shown.as_ref()))
                .unwrap_or_else(|| Variable {
                    name,
                    shown: Shown {
                        text: "<it cannot be shown>".to_owned(),
                        ..Shown::default()
                    },
                })
        })
        .collect()
}

fn allow(repl: &mut MontyRepl, time: Duration, memory_bytes: usize) {
    *repl.tracker_mut() = ResourceTracker::new(ResourceLimits {
        max_feed_duration: Some(time),
        max_memory: Some(memory_bytes),
        ..ResourceLimits::default()
    });
}

fn inputs(hidden: &[String]) -> NamedValues {
    let mut inputs = NamedValues::new();
    inputs.push(
        "_shidi_hidden",
        MontyObject::list(hidden.iter().map(MontyObject::string)),
    );
    inputs.push("_shidi_largest", MontyObject::int(LARGEST_JSON_CHARACTERS));
    inputs.push("_shidi_shortest", MontyObject::int(SHORTEST_TEXT_CHARACTERS));
    inputs.push("_shidi_most", MontyObject::int(MOST_VARIABLES));
    inputs
}

fn variable(shown: ObjectRef<'_>) -> Option<Variable> {
    let MontyNode::List(fields) = unstable::node(shown) else {
        return None;
    };
    let field = |index: usize| fields.get(index).map(|&id| unstable::child(shown, id));
    let json = field(2)?
        .as_str()
        .filter(|json| !has_wide_number(json))
        .map(str::to_owned);
    Some(Variable {
        name: field(0)?.as_str()?.to_owned(),
        shown: Shown {
            kind: field(1)?.as_str()?.to_owned(),
            json,
            text: cut(
                field(3)?.as_str()?,
                usize::try_from(SHORTEST_TEXT_CHARACTERS).unwrap_or(0),
            ),
        },
    })
}

/// Takes the value out of the variables and drops JSON forms beyond the total.
fn split(mut variables: Vec<Variable>) -> (Shown, Vec<Variable>) {
    let value = match variables.iter().position(|variable| variable.name == VALUE) {
        Some(index) => variables.remove(index).shown,
        None => Shown {
            kind: "NoneType".to_owned(),
            json: Some("null".to_owned()),
            text: "None".to_owned(),
        },
    };
    let mut total = value.json.as_ref().map_or(0, String::len);
    for variable in &mut variables {
        total += variable.shown.json.as_ref().map_or(0, String::len);
        if total > LARGEST_TOTAL_CHARACTERS {
            variable.shown.json = None;
        }
    }
    (value, variables)
}

/// Whether JSON text holds an integer that a reader of 64-bit numbers would round.
fn has_wide_number(json: &str) -> bool {
    const DIGITS_OF_64_BITS: usize = 19;
    let (mut in_text, mut escaped, mut digits) = (false, false, 0);
    for (at, byte) in json.bytes().enumerate() {
        if in_text {
            in_text = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_digit() {
            digits += 1;
            continue;
        } else {
            in_text = byte == b'"';
            if digits >= DIGITS_OF_64_BITS
                && !matches!(byte, b'.' | b'e' | b'E')
                && !fits(&json[at - digits..at])
            {
                return true;
            }
        }
        digits = 0;
    }
    digits >= DIGITS_OF_64_BITS && !fits(&json[json.len() - digits..])
}

/// Whether digits fit; those after a decimal point are read as a wide number too, which only costs the JSON form.
fn fits(digits: &str) -> bool {
    digits.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::has_wide_number;

    #[test]
    fn only_integers_beyond_64_bits_count_as_wide() {
        for narrow in [
            "1",
            "[9223372036854775807]",
            "\"99999999999999999999999\"",
            "{\"a\\\"\": 1.5e300}",
        ] {
            assert!(!has_wide_number(narrow), "{narrow}");
        }
        for wide in [
            "9223372036854775808",
            "[1, 1000000000000000000000]",
            "{\"a\": -10000000000000000000}",
        ] {
            assert!(has_wide_number(wide), "{wide}");
        }
    }
}
