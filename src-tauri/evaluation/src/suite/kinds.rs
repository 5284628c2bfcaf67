//! Reads assertions: which keys a type has, and what its value must be.

mod trajectory;

use super::assertion::{
    Assertion, AssertionSet, Bounds, Check, FileWant, Kind, Letters, Need, PythonSource, Schema,
};
use super::fault::{fault, meant, unknown_key};
use super::files::Files;
use super::reading::Reading;
use super::unsupported;
use crate::limits::PATTERN_BYTES_MAX;
use regex::RegexBuilder;
use serde_json::{Value, json};
use shidi_protocol::UserError;
use shidi_yaml::{Data, Node};
use std::sync::Arc;
use trajectory::of_the_way;

/// Types with the keys that they have beside `type`, `weight` and `metric`.
const TYPES: &[(&str, &[&str])] = &[
    ("equals", &["value", "turn"]),
    ("contains", &["value", "turn"]),
    ("icontains", &["value", "turn"]),
    ("contains-any", &["value", "turn"]),
    ("icontains-any", &["value", "turn"]),
    ("contains-all", &["value", "turn"]),
    ("icontains-all", &["value", "turn"]),
    ("starts-with", &["value", "turn"]),
    ("regex", &["value", "turn"]),
    ("is-json", &["value", "turn"]),
    ("contains-json", &["value", "turn"]),
    ("number", &["value", "tolerance", "turn"]),
    ("language", &["value", "turn"]),
    ("word-count", &["value", "turn"]),
    ("gives-up", &["turn"]),
    ("asks", &["turn"]),
    ("is-refusal", &["turn"]),
    ("levenshtein", &["value", "threshold", "turn"]),
    ("rouge-n", &["value", "threshold", "turn"]),
    ("latency", &["threshold"]),
    ("cost", &["threshold"]),
    ("tokens", &["threshold"]),
    ("python", &["value", "threshold", "config", "turn"]),
    ("llm-rubric", &["value", "threshold", "turn"]),
    ("factuality", &["value", "turn"]),
    (
        "file",
        &[
            "path",
            "tolerance",
            "equals",
            "contains",
            "lines",
            "json",
            "csv",
            "number",
            "exists",
        ],
    ),
    ("unchanged", &["paths"]),
    ("only-files", &["paths"]),
    ("tool-used", &["value", "turn"]),
    ("trajectory:tool-used", &["value", "turn"]),
    ("trajectory:tool-args-match", &["value", "turn"]),
    ("trajectory:tool-sequence", &["value", "turn"]),
    ("trajectory:step-count", &["value", "turn"]),
    ("calls", &["tool", "min", "max", "turn"]),
    ("variable", &["name", "value", "kind"]),
    ("segment", &["kind", "value", "turn"]),
];

const OF_ALL: [&str; 3] = ["type", "weight", "metric"];
const OF_SET: [&str; 5] = ["type", "assert", "threshold", "weight", "metric"];
const OF_FILE: [&str; 7] = ["equals", "contains", "lines", "json", "csv", "number", "exists"];

/// What the last part of a file's name says about a check by a program.
const PYTHON: &str = ".py";

/// Reads a check, which may be a set of checks.
///
/// # Errors
/// An unknown type or key, a value of another kind, a turn that there is not.
pub fn check(reading: &mut Reading, node: &Node, turns: usize) -> Result<Check, UserError> {
    if node.get("type").and_then(Node::text) != Some("assert-set") {
        return assertion(reading, node, turns).map(|assertion| Check::One(Box::new(assertion)));
    }
    reading.keys(node, &OF_SET)?;
    let inner = node.get("assert").ok_or_else(|| {
        fault(
            &node.place,
            reading.say().key_missing("assert"),
            reading.say().set_example(),
        )
    })?;
    let inner = reading.list(inner)?.to_vec();
    let mut checks = Vec::new();
    for inner in &inner {
        let inner = reading.resolved(inner)?.clone();
        checks.push(assertion(reading, &inner, turns)?);
    }
    if checks.is_empty() {
        return Err(fault(
            &node.place,
            reading.say().nothing_asserted(),
            reading.say().set_example(),
        ));
    }
    Ok(Check::Set(AssertionSet {
        checks,
        threshold: optional(node.get("threshold"), |node| reading.amount(node))?,
        weight: optional(node.get("weight"), |node| reading.amount(node))?.unwrap_or(1.0),
        metric: optional(node.get("metric"), |node| reading.plain(node))?,
    }))
}

fn assertion(reading: &mut Reading, node: &Node, turns: usize) -> Result<Assertion, UserError> {
    let say = reading.say();
    reading.map(node)?;
    let Some(type_node) = node.get("type") else {
        return Err(fault(
            &node.place,
            say.key_missing("type"),
            say.assertion_example(),
        ));
    };
    let written = reading.text(type_node)?.to_owned();
    let name = written.strip_prefix("not-").unwrap_or(&written);
    let Some((_, own)) = TYPES.iter().find(|(known, _)| *known == name) else {
        return Err(match unsupported::of_type(name) {
            Some(remedy) => fault(&type_node.place, say.unsupported(name), remedy(say)),
            None => {
                let names: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
                fault(
                    &type_node.place,
                    say.no_such_type(&written),
                    meant(reading.language(), name, &names),
                )
            }
        });
    };
    for entry in node.entries() {
        let key = entry.key.as_str();
        if OF_ALL.contains(&key) || own.contains(&key) {
            continue;
        }
        return Err(match unsupported::of_assertion(key) {
            Some(remedy) => fault(&entry.place, say.unsupported(key), remedy(say)),
            None => unknown_key(reading.language(), entry, &[&OF_ALL[..], own].concat()),
        });
    }
    let turn = optional(node.get("turn"), |node| {
        let most = u32::try_from(turns).unwrap_or(u32::MAX);
        reading.whole(node, 1, most).map(|turn| turn as usize)
    })?;
    Ok(Assertion {
        turn,
        weight: optional(node.get("weight"), |node| reading.amount(node))?.unwrap_or(1.0),
        threshold: optional(node.get("threshold"), |node| reading.amount(node))?,
        metric: optional(node.get("metric"), |node| reading.plain(node))?,
        negated: written.starts_with("not-"),
        kind: kind(reading, name, node)?,
        written,
    })
}

/// Reads what the type of an assertion needs.
fn kind(reading: &mut Reading, name: &str, node: &Node) -> Result<Kind, UserError> {
    Ok(match name {
        "contains" | "icontains" => contains(name, vec![text(reading, node, "value")?], Need::All),
        "contains-any" | "icontains-any" => contains(name, listed(reading, node)?, Need::Any),
        "contains-all" | "icontains-all" => contains(name, listed(reading, node)?, Need::All),
        "equals" => Kind::Equals(wanted(reading, node)?),
        "starts-with" => Kind::StartsWith(text(reading, node, "value")?),
        "regex" => Kind::Regex(pattern(reading, node)?),
        "is-json" => Kind::IsJson(schema(reading, node)?),
        "contains-json" => Kind::ContainsJson(schema(reading, node)?),
        "number" => Kind::Number {
            value: reading.number(needed(reading, node, "value")?)?,
            tolerance: tolerance(reading, node)?,
        },
        "language" => Kind::Language(language(reading, node)?),
        "word-count" => Kind::WordCount(word_count(reading, node)?),
        "gives-up" => Kind::GivesUp,
        "asks" => Kind::Asks,
        "is-refusal" => Kind::IsRefusal,
        "levenshtein" => {
            needed(reading, node, "threshold")?;
            Kind::Levenshtein(text(reading, node, "value")?)
        }
        "rouge-n" => Kind::Rouge(text(reading, node, "value")?),
        "latency" => Kind::Latency(reading.amount(needed(reading, node, "threshold")?)?),
        "cost" => Kind::Cost(reading.amount(needed(reading, node, "threshold")?)?),
        "tokens" => Kind::Tokens(reading.amount(needed(reading, node, "threshold")?)?),
        "python" => Kind::Python(python(reading, node)?),
        "llm-rubric" => Kind::Rubric {
            rubric: text(reading, node, "value")?,
        },
        "factuality" => Kind::Factuality {
            reference: text(reading, node, "value")?,
        },
        "file" => file(reading, node)?,
        "unchanged" => Kind::Unchanged(reading.texts(needed(reading, node, "paths")?)?),
        "only-files" => Kind::OnlyFiles(reading.texts(needed(reading, node, "paths")?)?),
        _ => of_the_way(reading, name, node)?,
    })
}

fn contains(name: &str, texts: Vec<String>, need: Need) -> Kind {
    let letters = if name.starts_with('i') {
        Letters::Folded
    } else {
        Letters::Exact
    };
    Kind::Contains { texts, letters, need }
}

fn optional<'a, T>(
    node: Option<&'a Node>,
    read: impl FnOnce(&'a Node) -> Result<T, UserError>,
) -> Result<Option<T>, UserError> {
    node.map(read).transpose()
}

fn needed<'a>(reading: &Reading, node: &'a Node, key: &str) -> Result<&'a Node, UserError> {
    let say = reading.say();
    node.get(key)
        .ok_or_else(|| fault(&node.place, say.key_missing(key), say.assertion_example()))
}

/// The text of a key, which may stand in a file.
fn text(reading: &mut Reading, node: &Node, key: &str) -> Result<String, UserError> {
    let value = needed(reading, node, key)?;
    let text = reading.plain(value)?;
    match Files::named(&text) {
        Some(path) => Ok(reading.files.text(&value.place, path)?.text),
        None => Ok(text),
    }
}

fn listed(reading: &Reading, node: &Node) -> Result<Vec<String>, UserError> {
    let value = needed(reading, node, "value")?;
    let items = reading.list(value)?;
    if items.is_empty() {
        return Err(fault(
            &value.place,
            reading.say().list_empty(),
            reading.say().list_example(),
        ));
    }
    items.iter().map(|item| reading.plain(item)).collect()
}

/// What an answer must equal: a text, or anything else as JSON.
fn wanted(reading: &mut Reading, node: &Node) -> Result<Value, UserError> {
    let value = needed(reading, node, "value")?;
    match &value.data {
        Data::List(_) | Data::Map(_) => Ok(value.json()),
        Data::Text(text) if Files::named(text).is_some_and(|path| path.ends_with(".json")) => {
            let path = Files::named(text).unwrap_or_default();
            Ok(reading.files.document(&value.place, path)?.json())
        }
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) => {
            text(reading, node, "value").map(Value::from)
        }
    }
}

fn pattern(reading: &mut Reading, node: &Node) -> Result<regex::Regex, UserError> {
    let place = needed(reading, node, "value")?.place.clone();
    let text = text(reading, node, "value")?;
    let built = RegexBuilder::new(&text).size_limit(PATTERN_BYTES_MAX).build();
    built.map_err(|cause| {
        // The library draws the pattern over several lines; the last one says what is wrong.
        let whole = cause.to_string();
        let why = whole
            .lines()
            .next_back()
            .unwrap_or_default()
            .trim_start_matches("error: ");
        fault(&place, why, reading.say().regex_rule())
    })
}

fn schema(reading: &mut Reading, node: &Node) -> Result<Option<Schema>, UserError> {
    let Some(value) = node.get("value") else {
        return Ok(None);
    };
    let json = match value.text().and_then(Files::named) {
        Some(path) => {
            let path = path.to_owned();
            reading.files.document(&value.place, &path)?.json()
        }
        None => value.json(),
    };
    let compiled = jsonschema::validator_for(&json);
    let compiled = compiled.map_err(|cause| fault(&value.place, cause, reading.say().schema_rule()))?;
    Ok(Some(Schema(Arc::new(compiled))))
}

fn tolerance(reading: &Reading, node: &Node) -> Result<f64, UserError> {
    Ok(optional(node.get("tolerance"), |node| reading.amount(node))?.unwrap_or(0.0))
}

fn language(reading: &Reading, node: &Node) -> Result<String, UserError> {
    let value = needed(reading, node, "value")?;
    match reading.text(value)? {
        known @ ("en" | "zh") => Ok(known.to_owned()),
        other => Err(fault(
            &value.place,
            reading.say().no_such_language(other),
            reading.say().there_are("en, zh"),
        )),
    }
}

fn word_count(reading: &Reading, node: &Node) -> Result<Bounds, UserError> {
    let value = needed(reading, node, "value")?;
    if matches!(value.data, Data::Number(_)) {
        let exactly = Some(reading.whole(value, 0, u32::MAX)?);
        return Ok(Bounds {
            min: exactly,
            max: exactly,
        });
    }
    reading.keys(value, &["min", "max"])?;
    bounds(reading, value)
}

/// At least one of `min` and `max`.
fn bounds(reading: &Reading, node: &Node) -> Result<Bounds, UserError> {
    let read = |key| optional(node.get(key), |node| reading.whole(node, 0, u32::MAX));
    let bounds = Bounds {
        min: read("min")?,
        max: read("max")?,
    };
    match bounds {
        Bounds { min: None, max: None } => Err(fault(
            &node.place,
            reading.say().bounds_missing(),
            reading.say().bounds_example(),
        )),
        bounds => Ok(bounds),
    }
}

fn python(reading: &mut Reading, node: &Node) -> Result<PythonSource, UserError> {
    let value = needed(reading, node, "value")?;
    let written = reading.text(value)?.to_owned();
    let config = node.get("config").map_or_else(|| json!({}), Node::json);
    let Some(path) = Files::named(&written) else {
        return Ok(PythonSource {
            text: written,
            function: None,
            config,
        });
    };
    let (path, function) = match path.rsplit_once(':') {
        Some((path, function)) if path.ends_with(PYTHON) => (path, function),
        Some(_) | None => (path, "get_assert"),
    };
    let is_name = !function.is_empty()
        && function
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
        && !function.starts_with(|letter: char| letter.is_ascii_digit());
    if !path.ends_with(PYTHON) || !is_name {
        return Err(fault(
            &value.place,
            reading.say().no_program(path),
            reading.say().program_example(),
        ));
    }
    Ok(PythonSource {
        text: reading.files.text(&value.place, path)?.text,
        function: Some(function.to_owned()),
        config,
    })
}

fn file(reading: &Reading, node: &Node) -> Result<Kind, UserError> {
    let say = reading.say();
    let path = reading.text(needed(reading, node, "path")?)?.to_owned();
    let mut wants = node
        .entries()
        .iter()
        .filter(|entry| OF_FILE.contains(&entry.key.as_str()));
    let (Some(entry), None) = (wants.next(), wants.next()) else {
        return Err(fault(
            &node.place,
            say.file_wants_single(),
            say.there_are(OF_FILE.join(", ")),
        ));
    };
    let value = &entry.value;
    let want = match entry.key.as_str() {
        "equals" => FileWant::Equals(reading.text(value)?.to_owned()),
        "contains" => FileWant::Contains(reading.text(value)?.to_owned()),
        "lines" => FileWant::Lines(reading.texts(value)?),
        "csv" => {
            let rows = reading.list(value)?.iter().map(|row| reading.texts(row));
            FileWant::Csv(rows.collect::<Result<_, _>>()?)
        }
        "number" => FileWant::Number {
            value: reading.number(value)?,
            tolerance: tolerance(reading, node)?,
        },
        "exists" => FileWant::Exists(reading.flag(value)?),
        _ => FileWant::Json(value.json()),
    };
    Ok(Kind::File { path, want })
}
