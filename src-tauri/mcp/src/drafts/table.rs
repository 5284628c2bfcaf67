//! One entry of a table of servers, in the spellings of the programs that keep them.

use super::{Draft, Unread, split_address, split_parameters};
use serde_json::{Map, Value};
use shidi_protocol::NewMcpServer;
use std::collections::BTreeMap;

/// Where programs write a server's address.
const ADDRESSES: &[&str] = &["url", "serverUrl", "httpUrl", "uri"];

/// Parts of a variable's name that tell of a secret.
const SECRET_PARTS: &[&str] = &[
    "KEY",
    "TOKEN",
    "SECRET",
    "PASS",
    "AUTH",
    "CREDENTIAL",
    "COOKIE",
    "PAT",
];

/// Whether an object says how a server is reached.
pub fn is_entry(object: &Map<String, Value>) -> bool {
    let is_command = |value: &Value| value.is_string() || value.is_array() || value.is_object();
    object
        .get("command")
        .or_else(|| object.get("cmd"))
        .is_some_and(is_command)
        || ADDRESSES
            .iter()
            .any(|key| object.get(*key).is_some_and(Value::is_string))
}

/// Reads one entry; its name is still to come.
pub fn read(entry: &Map<String, Value>) -> Result<Draft, Unread> {
    let url = ADDRESSES
        .iter()
        .find_map(|key| entry.get(*key).and_then(Value::as_str));
    let (command, of_command) = command(entry);
    let mut draft = Draft {
        server: NewMcpServer {
            command,
            url: url.map(str::to_owned),
            ..NewMcpServer::default()
        },
        written: None,
        wanted: Vec::new(),
    };
    if url.is_some() {
        draft.server.command.clear();
        if kind(entry).is_some_and(|kind| kind.eq_ignore_ascii_case("sse")) {
            return Err(Unread::EventsOnly);
        }
        for (name, value) in texts(entry, &["headers", "http_headers", "requestInit"]) {
            keep_secret(&mut draft, name, value);
        }
    } else if draft.server.command.first().is_none_or(String::is_empty) {
        return Err(Unread::NoWay);
    }
    split_parameters(&mut draft);
    let said = draft.server.command.iter().chain(&draft.server.url);
    if let Some(unknown) = said.flat_map(|text| placeholder(text)).next() {
        return Err(Unread::Placeholder(unknown));
    }
    let of_entry = texts(entry, &["env", "environment", "envs"]);
    for (name, value) in of_command.into_iter().chain(of_entry) {
        if url.is_some() {
            continue;
        }
        if is_secret(&name) || placeholder(&value).is_some() {
            keep_secret(&mut draft, name, value);
        } else {
            draft.server.env.insert(name, value);
        }
    }
    split_address(&mut draft);
    Ok(draft)
}

/// A value that the text holds is kept as a secret. A value that only the other program knows is asked
/// for.
pub fn keep_secret(draft: &mut Draft, name: String, value: String) {
    if value.is_empty() || placeholder(&value).is_some() {
        draft.wanted.push(name);
    } else {
        draft.server.secrets.insert(name, value);
    }
}

fn kind(entry: &Map<String, Value>) -> Option<&str> {
    let kind = entry.get("type").or_else(|| entry.get("transport"));
    kind.and_then(Value::as_str)
}

/// The command with its arguments, and the variables that stand within it.
fn command(entry: &Map<String, Value>) -> (Vec<String>, BTreeMap<String, String>) {
    let said = entry.get("command").or_else(|| entry.get("cmd"));
    let (mut words, within) = match said {
        Some(Value::String(text)) => (vec![text.clone()], None),
        Some(Value::Array(words)) => (words.iter().filter_map(text_of).collect(), None),
        // An earlier form of Zed's: {path, args, env}.
        Some(Value::Object(inner)) => (
            inner.get("path").and_then(text_of).into_iter().collect(),
            Some(inner),
        ),
        _ => (Vec::new(), None),
    };
    let args = within
        .and_then(|inner| inner.get("args"))
        .or_else(|| entry.get("args"));
    match args.and_then(Value::as_array) {
        Some(_) if words.is_empty() => {}
        Some(args) => words.extend(args.iter().filter_map(text_of)),
        // A whole line in place of a program.
        None if words.len() == 1 && words[0].contains(' ') && !std::path::Path::new(&words[0]).exists() => {
            words = shlex::split(&words[0]).unwrap_or(words);
        }
        None => {}
    }
    (
        words,
        within.map(|inner| texts(inner, &["env"])).unwrap_or_default(),
    )
}

/// Names with their texts under the first of the keys that is there.
fn texts(entry: &Map<String, Value>, keys: &[&str]) -> BTreeMap<String, String> {
    let table = keys
        .iter()
        .find_map(|key| entry.get(*key).and_then(Value::as_object));
    let table = match table {
        Some(table) => table.get("headers").and_then(Value::as_object).unwrap_or(table),
        None => return BTreeMap::new(),
    };
    let pairs = table
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), text_of(value)?)));
    pairs.collect()
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}

/// Whether a variable holds a secret, by its name.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    SECRET_PARTS.iter().any(|part| {
        // Three letters stand within many words.
        if part.len() == 3 && *part != "KEY" {
            name.split(['_', '-']).any(|word| word == *part)
        } else {
            name.contains(part)
        }
    })
}

/// The first value that a text leaves to the other program, such as `${input:key}`. Examples such as
/// `<your key>` and `YOUR_API_KEY` count, too.
fn placeholder(text: &str) -> Option<String> {
    if let Some((_, rest)) = text.split_once("${") {
        let name = rest.split('}').next().unwrap_or_default();
        return Some(format!("${{{name}}}"));
    }
    let is_example = (text.starts_with('<') && text.ends_with('>'))
        || text.to_lowercase().starts_with("your_")
        || text.to_lowercase().starts_with("your-");
    is_example.then(|| text.to_owned())
}
