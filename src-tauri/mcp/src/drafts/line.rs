//! A server given as one line: an address, or a command as it is typed at a terminal.

use super::table::is_secret;
use super::{Draft, Unread, split_address, split_parameters};
use crate::address;
use shidi_protocol::NewMcpServer;

/// Words of packages that tell nothing of what a server does.
const OF_PACKAGES: &[&str] = &["mcp", "server", "servers", "modelcontextprotocol", "the"];

/// Programs that start what their arguments name.
const RUNNERS: &[&str] = &[
    "npx", "uvx", "bunx", "pnpm", "node", "python", "python3", "uv", "docker", "deno", "run", "dlx", "exec",
];

/// Reads the line; its name is made of what it starts.
pub fn read(text: &str) -> Result<Draft, Unread> {
    let mut draft = Draft {
        server: NewMcpServer::default(),
        written: None,
        wanted: Vec::new(),
    };
    if text.starts_with("http://") || text.starts_with("https://") {
        if text.contains(char::is_whitespace) {
            return Err(Unread::Form(address::shown(text).chars().take(60).collect()));
        }
        draft.server.url = Some(text.to_owned());
        split_parameters(&mut draft);
        split_address(&mut draft);
    } else {
        let text = text.strip_prefix("$ ").unwrap_or(text);
        if text.lines().count() > 1 && !text.contains("\\\n") {
            return Err(Unread::Form(
                text.lines().next().unwrap_or_default().chars().take(60).collect(),
            ));
        }
        let words = shlex::split(&text.replace("\\\n", " "));
        let mut words = words.ok_or_else(|| Unread::Form(text.chars().take(60).collect()))?;
        let count = words.iter().take_while(|word| assignment(word).is_some()).count();
        for word in words.drain(..count) {
            if let Some((name, value)) = assignment(&word) {
                let place = if is_secret(name) {
                    &mut draft.server.secrets
                } else {
                    &mut draft.server.env
                };
                place.insert(name.to_owned(), value.to_owned());
            }
        }
        if words.first().is_none_or(String::is_empty) {
            return Err(Unread::NoWay);
        }
        draft.server.command = words;
    }
    let wanted = named_after(&draft.server);
    draft.server.name = crate::naming::fitting(&wanted, &std::collections::BTreeSet::new());
    Ok(draft)
}

/// `NAME=value` before a command.
fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
    is_name.then_some((name, value))
}

/// What a server could be called: the package, program or host, without the words that all of them have.
pub fn named_after(server: &NewMcpServer) -> String {
    if let Some(url) = &server.url {
        let host = url.split("://").nth(1).unwrap_or(url);
        let host = host.split(['/', ':', '?']).next().unwrap_or_default();
        let parts: Vec<&str> = host
            .split('.')
            .filter(|part| !["www", "mcp", "api"].contains(part))
            .collect();
        return parts.first().copied().unwrap_or("server").to_owned();
    }
    let telling = server.command.iter().filter(|word| {
        let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let is_variable = word
            .chars()
            .all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_');
        !word.starts_with('-') && !is_variable && !RUNNERS.contains(&last.trim_end_matches(".exe"))
    });
    let word = telling.clone().next().or(server.command.first());
    let last = word.map_or("server", |word| word.rsplit(['/', '\\']).next().unwrap_or(word));
    let last = last.split('@').find(|part| !part.is_empty()).unwrap_or(last);
    let parts = last.split(['-', '_', '.']).filter(|part| {
        !part.is_empty() && !OF_PACKAGES.contains(part) && !["py", "js", "ts", "exe"].contains(part)
    });
    let name = parts.collect::<Vec<_>>().join("_");
    if name.is_empty() {
        "server".to_owned()
    } else {
        name
    }
}
