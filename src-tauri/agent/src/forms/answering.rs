//! Turns a person's answer on a card into the value that the program gets.
//!
//! A window sends an object (`chosen`, `values`, `accept`: numbers from 0). At a terminal people write labels,
//! numbers from 1, *yes* and *no*. Any other answer is refused with a sentence, and the card goes on waiting.

use super::values::value_of;
use super::{hunks, of, plain, reading};
use serde_json::{Value, json};
use shidi_locales::{Agent as Sentences, Language};
use shidi_protocol::{Call, JsonMap};

/// An answer that fits its card.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The value for the program.
    pub data: Value,
    /// The answer in words, for the transcript and its reader.
    pub said: String,
}

/// Reads the answer to a call that asks.
///
/// # Errors
/// The fault of the answer, in the person's language.
pub fn answer(call: &Call, text: &str, language: &str) -> Result<Answer, String> {
    let fields = of(call).and_then(Result::ok).and_then(|asked| asked.fields);
    let say = Language::named(language).agent();
    let given: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(spec) = fields else {
        return Ok(said(json!(text), text));
    };
    match spec["card"].as_str() {
        Some("choice") => choice(&spec, &given, text, say),
        Some("confirm") => confirmation(&spec, text, say),
        Some("form") => {
            let values = values(&spec, &given, text, say)?;
            let line = line_of(&spec, &values, say);
            Ok(said(Value::Object(values), &line))
        }
        Some("diff") => change(call, &given, text, say),
        Some("hand_over") => Ok(said(json!(text), text)),
        Some("operations") => {
            let (value, label) = one(&spec, &given, text, say)?;
            Ok(said(value, &label))
        }
        Some("custom") => custom(&spec, &given, text, say),
        Some("server") => of_server(&spec, &given, text, say),
        // Several texts: their names with values where the answer is an object.
        _ if given.is_object() => Ok(said(given, text)),
        _ => Ok(said(json!(text), text)),
    }
}

fn said(data: Value, text: &str) -> Answer {
    Answer {
        data,
        said: text.to_owned(),
    }
}

fn choice(spec: &Value, given: &Value, text: &str, say: Sentences) -> Result<Answer, String> {
    let many = spec["many"] == true;
    if !many {
        let (value, label) = one(spec, given, text, say)?;
        return Ok(said(value, &label));
    }
    let mut chosen = numbers(spec, "options", &given["chosen"], text, say)?;
    chosen.sort_unstable();
    chosen.dedup();
    let (values, labels): (Vec<Value>, Vec<String>) = chosen.iter().map(|at| option(spec, *at)).unzip();
    Ok(said(Value::Array(values), &labels.join(", ")))
}

/// The one option that was chosen: its value and its label.
fn one(spec: &Value, given: &Value, text: &str, say: Sentences) -> Result<(Value, String), String> {
    match numbers(spec, "options", &given["chosen"], text, say)?.as_slice() {
        [at] => Ok(option(spec, *at)),
        _ => Err(say.choose_single(labels(spec))),
    }
}

/// What there is to choose of.
fn labels(spec: &Value) -> String {
    let options = spec["options"].as_array().map(Vec::as_slice).unwrap_or_default();
    let labels = options.iter().map(|option| plain(&option["label"]));
    labels.collect::<Vec<_>>().join(", ")
}

fn option(spec: &Value, at: usize) -> (Value, String) {
    let option = &spec["options"][at];
    (option["value"].clone(), plain(&option["label"]))
}

/// The entries that an answer means. A window sends numbers from 0. People write numbers from 1 or labels, with
/// commas between.
fn numbers(spec: &Value, list: &str, sent: &Value, text: &str, say: Sentences) -> Result<Vec<usize>, String> {
    let all = spec[list].as_array().map(Vec::as_slice).unwrap_or_default();
    let label = |at: usize| {
        all.get(at)
            .map(|entry| plain(&entry["label"]))
            .unwrap_or_default()
    };
    if let Some(sent) = sent.as_array() {
        let places = sent.iter().map(|at| {
            let at = at.as_u64().and_then(|at| usize::try_from(at).ok());
            at.filter(|at| *at < all.len())
        });
        let places: Option<Vec<usize>> = places.collect();
        return places.ok_or_else(|| say.no_such_entry().to_owned());
    }
    // A label may hold a comma, so the whole text is compared with labels first.
    if let Some(at) = (0..all.len()).find(|at| label(*at).eq_ignore_ascii_case(text.trim())) {
        return Ok(vec![at]);
    }
    let parts = text
        .split([',', '，', '、'])
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let by_label = (0..all.len()).find(|at| label(*at).eq_ignore_ascii_case(part));
            let by_number = || {
                part.parse::<usize>()
                    .ok()?
                    .checked_sub(1)
                    .filter(|at| *at < all.len())
            };
            by_label.or_else(by_number).ok_or_else(|| {
                let there = (0..all.len()).map(label).collect::<Vec<_>>().join(", ");
                say.no_such_option(part, there)
            })
        })
        .collect()
}

fn confirmation(spec: &Value, text: &str, say: Sentences) -> Result<Answer, String> {
    let word = text.trim().to_lowercase();
    let is = |label: &Value, usual: &[&str]| {
        usual.contains(&word.as_str()) || (!word.is_empty() && plain(label).to_lowercase() == word)
    };
    let shown = |label: &Value, usual: String| match label.as_str() {
        Some(label) if !label.is_empty() => label.to_owned(),
        _ => usual,
    };
    if is(&spec["yes"], &["yes", "y", "true", "是", "好", "对", "确认"]) {
        return Ok(said(json!(true), &shown(&spec["yes"], say.yes().to_owned())));
    }
    if is(&spec["no"], &["no", "n", "false", "否", "不", "不是", "取消"]) {
        return Ok(said(json!(false), &shown(&spec["no"], say.no().to_owned())));
    }
    let yes = shown(&spec["yes"], say.yes().to_owned());
    let no = shown(&spec["no"], say.no().to_owned());
    Err(say.answer_yes_or_no(no, yes))
}

/// The values of a form's fields. One field may be answered by its value alone.
fn values(spec: &Value, given: &Value, text: &str, say: Sentences) -> Result<JsonMap, String> {
    let fields = spec["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let sent = given.get("values").unwrap_or(given);
    let mut values = JsonMap::new();
    for field in fields {
        let name = plain(&field["name"]);
        let alone = || (fields.len() == 1 && !sent.is_object()).then(|| json!(text.trim()));
        let value = sent.get(&name).cloned().or_else(alone).unwrap_or_default();
        let label = plain(&field["label"]);
        let read = value_of(field, &value, say).map_err(|why| say.field_fault(label, why))?;
        values.insert(name, read);
    }
    Ok(values)
}

/// The text with the accepted pieces.
fn change(call: &Call, given: &Value, text: &str, say: Sentences) -> Result<Answer, String> {
    let (before, after) = reading::texts(&call.args)?;
    let hunks = hunks::between(before, after)?;
    let all: Vec<Value> = (1..=hunks.len()).map(|number| json!({"label": number})).collect();
    let accepted = match text.trim().to_lowercase().as_str() {
        "all" | "全部" | "都要" => (0..hunks.len()).collect(),
        "none" | "都不要" => Vec::new(),
        _ if given["accept"].is_array() => {
            numbers(&json!({"pieces": all}), "pieces", &given["accept"], "", say)?
        }
        _ => numbers(&json!({"pieces": all}), "pieces", &Value::Null, text, say)?,
    };
    let taken = (0..hunks.len())
        .filter(|number| accepted.contains(number))
        .count();
    let merged = hunks::merged(before, &hunks, |number| accepted.contains(&number));
    let line = say.changes_accepted(hunks.len(), taken);
    let data = json!({"text": merged, "accepted": taken, "rejected": hunks.len() - taken});
    Ok(said(data, &line))
}

fn custom(spec: &Value, given: &Value, text: &str, say: Sentences) -> Result<Answer, String> {
    let has_actions = spec["options"]
        .as_array()
        .is_some_and(|options| !options.is_empty());
    let has_fields = spec["fields"].as_array().is_some_and(|fields| !fields.is_empty());
    let (action, label) = match has_actions {
        true => one(spec, given, given["action"].as_str().unwrap_or(text), say)?,
        false => (Value::Null, String::new()),
    };
    let values = match has_fields {
        true => values(spec, given, text, say)?,
        false => JsonMap::new(),
    };
    let parts = [label, line_of(spec, &values, say)];
    let line: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    Ok(said(
        json!({"action": action, "values": values}),
        &line.join(" · "),
    ))
}

/// What is to be done with a server's question, and the fields where that is to answer it.
fn of_server(spec: &Value, given: &Value, text: &str, say: Sentences) -> Result<Answer, String> {
    let word = given["action"].as_str().unwrap_or(text);
    let at = match numbers(spec, "options", &given["chosen"], word, say)?.as_slice() {
        [at] => *at,
        _ => return Err(say.choose_single(labels(spec))),
    };
    let (action, label) = option(spec, at);
    let values = match spec["options"][at]["bare"] == true {
        true => JsonMap::new(),
        false => values(spec, given, text, say)?,
    };
    let line = [label, line_of(spec, &values, say)].join(" · ");
    Ok(said(
        json!({"action": action, "values": values}),
        line.trim_end_matches(" · "),
    ))
}

/// The filled-in fields as the person saw them: labels, and *yes* and *no* for boxes.
fn line_of(spec: &Value, values: &JsonMap, say: Sentences) -> String {
    let fields = spec["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shown = fields.iter().filter_map(|field| {
        let name = plain(&field["name"]);
        let value = values.get(&name).filter(|value| !value.is_null())?;
        let label = Some(plain(&field["label"])).filter(|label| !label.is_empty());
        let label = label.unwrap_or(name);
        let value = filled_in(field, value, say);
        Some(say.field_value(label, value))
    });
    shown.collect::<Vec<_>>().join(say.listed_with())
}

fn filled_in(field: &Value, value: &Value, say: Sentences) -> String {
    let options = field["options"].as_array().map(Vec::as_slice).unwrap_or_default();
    match value {
        Value::Bool(true) => say.yes().to_owned(),
        Value::Bool(false) => say.no().to_owned(),
        Value::Array(several) => {
            let shown = several.iter().map(|one| filled_in(field, one, say));
            shown.collect::<Vec<_>>().join(", ")
        }
        Value::Null | Value::Number(_) | Value::String(_) | Value::Object(_) => options
            .iter()
            .find(|option| option["value"] == *value)
            .map_or_else(|| plain(value), |option| plain(&option["label"])),
    }
}
