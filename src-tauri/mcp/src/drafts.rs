//! Servers as other programs keep them, read into drafts that the user may add (F7.5).
//!
//! Pure: texts in, drafts out. Values that look like keys go to the secrets, which the keychain keeps. Values that only
//! the other program knows are asked of the user.

mod line;
mod table;

use crate::limits::{DRAFTS_MAX, PASTED_BYTES_MAX};
use crate::{AUTHORIZATION, naming};
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use shidi_locales::Language;
use shidi_mcp_client::{split_key, split_query};
use shidi_protocol::NewMcpServer;
use std::collections::BTreeSet;

/// Keys under which programs keep their servers.
const TABLES: &[&str] = &["mcpServers", "mcp_servers", "servers", "context_servers", "mcp"];

/// A server that was found, before it is known what of it is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub server: NewMcpServer,
    /// The server's name as the text has it; a line and a lone entry have none.
    pub written: Option<String>,
    /// Secrets whose values the text does not hold.
    pub wanted: Vec<String>,
}

/// Why a text, or one of its servers, gives no draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    TooLong,
    /// Neither JSON, nor an address, nor a command; with where reading ended.
    Form(String),
    NoServers,
    /// JSON that is no object: a list, a number, nothing.
    NoTable,
    /// More servers than are read.
    TooMany,
    /// Neither a command nor an address.
    NoWay,
    /// Only the old way of events is spoken there.
    EventsOnly,
    /// A value within its command that only the other program knows.
    Placeholder(String),
}

impl Unread {
    /// Why, for the user.
    pub fn sentence(&self, language: Language) -> String {
        let words = language.mcp();
        match self {
            Self::TooLong => words.paste_too_long().to_owned(),
            Self::Form(place) => words.paste_unread(place),
            Self::NoServers => words.paste_no_servers().to_owned(),
            Self::NoTable => words.paste_no_table().to_owned(),
            Self::TooMany => words.paste_over_limit(DRAFTS_MAX),
            Self::NoWay => words.draft_no_way().to_owned(),
            Self::EventsOnly => words.draft_events_only().to_owned(),
            Self::Placeholder(value) => words.draft_placeholder(value),
        }
    }
}

/// What a text holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    pub drafts: Vec<Draft>,
    /// Names of servers that give no draft, each with its reason.
    pub left_out: Vec<(String, Unread)>,
}

/// Reads a text that was pasted: a table of servers, one of its entries, an address, or a command line.
///
/// # Errors
/// Why nothing at all can be read out of it.
pub fn pasted(text: &str) -> Result<Found, Unread> {
    let text = text.trim();
    if text.len() > PASTED_BYTES_MAX {
        return Err(Unread::TooLong);
    }
    if text.is_empty() {
        return Err(Unread::NoServers);
    }
    if text.starts_with(['{', '"']) {
        return of_table(&json(text)?);
    }
    if text.starts_with('[') {
        json(text)?;
        return Err(Unread::NoTable);
    }
    // A number would be run as a command.
    if serde_json::from_str::<Value>(text).is_ok() {
        return Err(Unread::NoTable);
    }
    let draft = line::read(text)?;
    Ok(Found {
        drafts: vec![draft],
        left_out: Vec::new(),
    })
}

/// Reads a program's file, which holds a table of servers among other things; none is no error.
///
/// # Errors
/// A file that has another form.
pub fn of_file(text: &str, is_toml: bool) -> Result<Found, Unread> {
    let read = if is_toml { toml(text)? } else { json(text)? };
    match of_table(&read) {
        Err(Unread::NoServers) => Ok(Found::default()),
        found => found,
    }
}

/// JSON as programs write it for hands: with comments, and commas at the end.
///
/// An entry that was pasted without the braces around it, `"name": {…}`, is one of a table.
fn json(text: &str) -> Result<Value, Unread> {
    let whole;
    let text = if text.starts_with('"') {
        whole = format!("{{{}}}", text.trim_end_matches([',', ' ']));
        &whole
    } else {
        text
    };
    let read = jsonc_parser::parse_to_serde_value::<Value>(text, &jsonc_parser::ParseOptions::default());
    read.map_err(|cause| Unread::Form(cause.to_string()))
}

fn toml(text: &str) -> Result<Value, Unread> {
    toml::from_str(text).map_err(|cause| Unread::Form(cause.message().to_owned()))
}

fn of_table(read: &Value) -> Result<Found, Unread> {
    let Some(object) = read.as_object() else {
        return Err(Unread::NoServers);
    };
    if table::is_entry(object) {
        let mut found = Found::default();
        take(&mut found, "", object, &mut BTreeSet::new());
        return Ok(found);
    }
    let table = servers(object).ok_or(Unread::NoServers)?;
    if table.len() > DRAFTS_MAX {
        return Err(Unread::TooMany);
    }
    let (mut found, mut names) = (Found::default(), BTreeSet::new());
    for (name, entry) in table {
        match entry.as_object() {
            Some(entry) => take(&mut found, name, entry, &mut names),
            None => found.left_out.push((name.clone(), Unread::NoWay)),
        }
    }
    Ok(found)
}

/// The table of servers within what a program keeps.
fn servers(object: &Map<String, Value>) -> Option<&Map<String, Value>> {
    for key in TABLES {
        let Some(table) = object.get(*key).and_then(Value::as_object) else {
            continue;
        };
        let table = match table.get("servers").and_then(Value::as_object) {
            Some(inner) if *key == "mcp" => inner,
            _ => table,
        };
        if !table.is_empty() {
            return Some(table);
        }
    }
    let is_bare = !object.is_empty()
        && object
            .values()
            .all(|entry| entry.as_object().is_some_and(table::is_entry));
    is_bare.then_some(object)
}

/// Takes the key out of a draft's address: it becomes a secret header, as those beside addresses are.
fn split_address(draft: &mut Draft) {
    let Some((bare, key)) = draft.server.url.as_deref().and_then(split_key) else {
        return;
    };
    draft.server.url = Some(bare);
    let mut names = draft.server.secrets.keys().chain(&draft.wanted);
    if !names.any(|name| name.eq_ignore_ascii_case(AUTHORIZATION)) {
        let key = key.expose_secret().to_owned();
        draft.server.secrets.insert(AUTHORIZATION.to_owned(), key);
    }
}

/// Takes the keys out of a draft's query: the keychain keeps them, and requests carry them again.
fn split_parameters(draft: &mut Draft) {
    let Some(url) = draft.server.url.take() else {
        return;
    };
    let (bare, keys) = split_query(&url);
    draft.server.url = Some(bare);
    for (name, key) in keys {
        table::keep_secret(draft, name, key.expose_secret().to_owned());
    }
}

/// The same of a server that is added as it stands.
pub fn without_parameters(mut server: NewMcpServer) -> NewMcpServer {
    let Some(url) = server.url.take() else {
        return server;
    };
    let (bare, keys) = split_query(&url);
    server.url = Some(bare);
    for (name, key) in keys {
        server
            .secrets
            .entry(name)
            .or_insert_with(|| key.expose_secret().to_owned());
    }
    server
}

fn take(found: &mut Found, name: &str, entry: &Map<String, Value>, names: &mut BTreeSet<String>) {
    match table::read(entry) {
        Ok(mut draft) => {
            let wanted = if name.is_empty() {
                line::named_after(&draft.server)
            } else {
                name.to_owned()
            };
            draft.server.name = naming::fitting(&wanted, names);
            draft.written = (!name.is_empty()).then(|| name.to_owned());
            names.insert(draft.server.name.clone());
            found.drafts.push(draft);
        }
        Err(why) => found.left_out.push((name.to_owned(), why)),
    }
}

#[cfg(test)]
mod tests;
