//! Reads a program's arguments into a card that asks: bounded and in one form, or the arguments' fault.

use super::hunks;
use super::{Form, plain};
use crate::limits;
use serde_json::{Value, json};
use shidi_protocol::JsonMap;

/// Kinds of fields that programs write.
const KINDS: [&str; 6] = ["text", "long_text", "number", "date", "yes_no", "choice"];

/// Kinds of fields that servers ask for.
const KINDS_OF_SERVERS: [&str; 10] = [
    "text",
    "number",
    "whole",
    "date",
    "date_time",
    "email",
    "address",
    "yes_no",
    "choice",
    "choices",
];

/// What a server's field may say besides: its bounds, and a note that stands with it.
const BOUNDS: [&str; 3] = ["least", "most", "note"];

pub(super) fn choice(args: &JsonMap) -> Result<Value, String> {
    let options = options("options", args.get("options"))?;
    let many = args.get("many").and_then(Value::as_bool).unwrap_or_default();
    Ok(json!({"card": "choice", "options": options, "many": many}))
}

pub(super) fn confirmation(args: &JsonMap) -> Value {
    let label = |name: &str| args.get(name).filter(|label| !label.is_null()).map(short);
    json!({"card": "confirm", "yes": label("yes").unwrap_or_default(), "no": label("no").unwrap_or_default()})
}

pub(super) fn form(args: &JsonMap) -> Result<Value, String> {
    let fields = fields(args.get("fields"), &KINDS)?;
    if fields.is_empty() {
        return Err("a form has at least one field".to_owned());
    }
    Ok(json!({"card": "form", "fields": fields}))
}

/// The card of a change to a text, with the pieces that differ.
pub(super) fn change(args: &JsonMap) -> Result<Value, String> {
    let (before, after) = texts(args)?;
    let hunks = hunks::between(before, after)?;
    if hunks.is_empty() {
        return Err("before and after are the same".to_owned());
    }
    let title = args.get("title").filter(|title| !title.is_null()).map(short);
    let hunks: Vec<Value> = hunks.iter().map(|hunk| hunk.shown(before)).collect();
    Ok(json!({"card": "diff", "title": title.unwrap_or_default(), "hunks": hunks}))
}

pub(super) fn texts(args: &JsonMap) -> Result<(&str, &str), String> {
    let text = |name: &str| {
        args.get(name)
            .and_then(Value::as_str)
            .ok_or_else(|| format!("{name} is a str"))
    };
    Ok((text("before")?, text("after")?))
}

pub(super) fn hand_over(args: &JsonMap) -> Result<Value, String> {
    let to = args.get("to").filter(|to| !to.is_null()).map(short);
    Ok(json!({"card": "hand_over", "to": to.unwrap_or_default(), "facts": facts(args.get("facts"))?}))
}

pub(super) fn operations(args: &JsonMap) -> Result<Value, String> {
    let options = options("actions", args.get("actions"))?;
    Ok(json!({"card": "operations", "facts": facts(args.get("facts"))?, "options": options}))
}

/// A card that a program makes of parts: texts, facts, fields, and actions to choose from.
pub(super) fn custom(args: &JsonMap) -> Result<Form, String> {
    let card = args
        .get("card")
        .and_then(Value::as_object)
        .ok_or("card is a dict")?;
    if let Some(name) = card
        .keys()
        .find(|name| !["title", "text", "facts", "fields", "actions"].contains(&name.as_str()))
    {
        return Err(format!(
            "a card has title, text, facts, fields and actions, no {name}"
        ));
    }
    let fields = match card.get("fields") {
        None | Some(Value::Null) => Vec::new(),
        given => fields(given, &KINDS)?,
    };
    let options = match card.get("actions") {
        None | Some(Value::Null) if !fields.is_empty() => Vec::new(),
        given => options("actions", given)?,
    };
    let word = |name: &str| card.get(name).filter(|text| !text.is_null());
    Ok(Form {
        text: word("text").map(plain).unwrap_or_default(),
        fields: Some(json!({
            "card": "custom",
            "title": word("title").map(short).unwrap_or_default(),
            "facts": facts(card.get("facts"))?,
            "fields": fields,
            "options": options,
        })),
    })
}

/// The card of a server's question. What is wanted of the fields holds only for actions that are not `bare`.
pub(super) fn server(args: &JsonMap) -> Result<Value, String> {
    let mut fields = match args.get("fields") {
        None | Some(Value::Null) => Vec::new(),
        given => fields(given, &KINDS_OF_SERVERS)?,
    };
    let given = args.get("fields").and_then(Value::as_array);
    for (field, given) in fields.iter_mut().zip(given.into_iter().flatten()) {
        for name in BOUNDS {
            if let Some(bound) = given.get(name).filter(|bound| !bound.is_null()) {
                field[name] = bound.clone();
            }
        }
    }
    let mut options = options("options", args.get("options"))?;
    let given = args.get("options").and_then(Value::as_array);
    for (option, given) in options.iter_mut().zip(given.into_iter().flatten()) {
        option["bare"] = json!(given.get("bare") == Some(&json!(true)));
    }
    let title = args.get("title").filter(|title| !title.is_null()).map(short);
    Ok(json!({
        "card": "server",
        "title": title.unwrap_or_default(),
        "facts": facts(args.get("facts"))?,
        "fields": fields,
        "options": options,
    }))
}

/// Options to choose from: texts, or dicts with a label, its value, a note, and whether the option is dangerous.
fn options(name: &str, given: Option<&Value>) -> Result<Vec<Value>, String> {
    let given = given
        .and_then(Value::as_array)
        .ok_or_else(|| format!("{name} is a list"))?;
    if given.is_empty() || given.len() > limits::CARD_ITEMS_MAX {
        return Err(format!("{name} has 1 to {} entries", limits::CARD_ITEMS_MAX));
    }
    given
        .iter()
        .map(|option| match option {
            Value::Object(all) => {
                let label = all.get("label").or_else(|| all.get("value"));
                let label = label.ok_or_else(|| format!("each of {name} has a label"))?;
                let value = all.get("value").unwrap_or(label);
                let note = all.get("note").map(short).unwrap_or_default();
                let danger = all.get("danger").and_then(Value::as_bool).unwrap_or_default();
                Ok(json!({"label": short(label), "value": value, "note": note, "danger": danger}))
            }
            Value::Null | Value::Array(_) => Err(format!("each of {name} is a str, or a dict with a label")),
            plain => Ok(json!({"label": short(plain), "value": plain, "note": "", "danger": false})),
        })
        .collect()
}

fn fields(given: Option<&Value>, kinds: &[&str]) -> Result<Vec<Value>, String> {
    let given = given.and_then(Value::as_array).ok_or("fields is a list")?;
    if given.len() > limits::CARD_FIELDS_MAX {
        return Err(format!("a card has at most {} fields", limits::CARD_FIELDS_MAX));
    }
    let mut names: Vec<String> = Vec::new();
    let mut read = Vec::new();
    for field in given {
        let empty = JsonMap::new();
        let (name, all) = match field {
            Value::String(name) => (name.as_str(), &empty),
            Value::Object(all) => (all.get("name").and_then(Value::as_str).unwrap_or_default(), all),
            _ => return Err("a field is a str, or a dict with a name".to_owned()),
        };
        if name.is_empty() || names.iter().any(|known| known == name) {
            return Err("each field has a name of its own".to_owned());
        }
        let kind = all.get("kind").and_then(Value::as_str).unwrap_or("text");
        if !kinds.contains(&kind) {
            return Err(format!("kind is one of {}, not \"{kind}\"", kinds.join(", ")));
        }
        let options = match kind {
            "choice" | "choices" => options("options", all.get("options"))?,
            _ => Vec::new(),
        };
        names.push(name.to_owned());
        read.push(json!({
            "name": name,
            "label": all.get("label").map(short).unwrap_or_else(|| name.to_owned()),
            "kind": kind,
            "required": all.get("required").and_then(Value::as_bool).unwrap_or(true),
            "options": options,
            "value": all.get("value").cloned().unwrap_or_default(),
        }));
    }
    Ok(read)
}

/// Names with their values, in order.
fn facts(given: Option<&Value>) -> Result<Vec<Value>, String> {
    match given {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(all)) if all.len() <= limits::CARD_ITEMS_MAX => Ok(all
            .iter()
            .map(|(name, value)| json!([short(&Value::String(name.clone())), cut(value)]))
            .collect()),
        Some(_) => Err(format!(
            "facts is a dict of at most {} entries",
            limits::CARD_ITEMS_MAX
        )),
    }
}

fn short(value: &Value) -> String {
    plain(value).chars().take(limits::CARD_TEXT_CHARACTERS).collect()
}

fn cut(value: &Value) -> String {
    plain(value).chars().take(limits::CARD_CELL_CHARACTERS).collect()
}
