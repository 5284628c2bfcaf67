//! The servers' own descriptions from the last time they were asked (`mcp-tools.json`). The servers can be asked
//! again, so a file which is gone or broken counts as none.

use crate::table::Entry;
use serde::{Deserialize, Serialize};
use shidi_mcp_client::{ServerPrompt, TOOLS_MAX, Tool};
use shidi_protocol::Class;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes: some dozen servers with all their tools.
const KNOWN_BYTES_MAX: u64 = 64 << 20;

/// What is known of one server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerDescription {
    /// Its name and version, as it says.
    pub about: String,
    pub tools: Vec<Tool>,
    /// Tools that it has beyond the longest list.
    #[serde(default)]
    pub unread: usize,
    /// For its user, whatever is allowed of its tools.
    #[serde(default)]
    pub prompts: Vec<ServerPrompt>,
    /// Whether it has something to read. What was kept by an earlier version tells so by a tool of ours alone.
    #[serde(default)]
    pub resources: bool,
}

/// The tools that programs get, with the class that the user gave them, and how many are too many. Each is as it was
/// allowed; they stand in the server's order.
pub fn offered(known: &ServerDescription, entry: &Entry) -> (Vec<(Tool, Option<Class>)>, usize) {
    let tools = known.tools.iter().filter_map(|tool| {
        let allowed = entry.allow.get(&tool.name)?;
        let seen = allowed.seen.as_ref();
        let is_same = seen.is_none_or(|seen| *seen == tool.fingerprint());
        is_same.then(|| (tool.clone(), allowed.class))
    });
    let mut tools: Vec<_> = tools.collect();
    let left_out = tools.len().saturating_sub(TOOLS_MAX);
    tools.truncate(TOOLS_MAX);
    (tools, left_out)
}

pub fn read(folder: &Path) -> BTreeMap<String, ServerDescription> {
    let mut text = String::new();
    let read = std::fs::File::open(path(folder))
        .and_then(|file| file.take(KNOWN_BYTES_MAX).read_to_string(&mut text));
    match read {
        Ok(_) => serde_json::from_str(&text).unwrap_or_else(|cause| {
            tracing::warn!(%cause, "what is known of servers can't be read; they are asked again");
            BTreeMap::new()
        }),
        Err(_) => BTreeMap::new(),
    }
}

/// Keeps what is known of one server, or forgets it.
pub fn write(folder: &Path, name: &str, known: Option<ServerDescription>) {
    let mut all = read(folder);
    match known {
        Some(known) => all.insert(name.to_owned(), known),
        None => all.remove(name),
    };
    let written = serde_json::to_vec(&all)
        .map_err(std::io::Error::from)
        .and_then(|text| shidi_atomic_write::write(&path(folder), &text));
    if let Err(cause) = written {
        tracing::warn!(%cause, "what is known of servers can't be kept");
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("mcp-tools.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Allowed;
    use serde_json::json;
    use shidi_mcp_client::{Hints, Way};

    fn tool(number: usize) -> Tool {
        Tool {
            name: format!("t{number}"),
            doc: String::new(),
            schema: json!({}),
            structured: false,
            output: json!(null),
            hints: Hints::default(),
            way: Way::Tool,
        }
    }

    fn entry(allowed: impl Iterator<Item = usize>) -> Entry {
        let allow = allowed.map(|number| (tool(number).name, Allowed::default()));
        Entry {
            allow: allow.collect(),
            ..Entry::default()
        }
    }

    #[test]
    fn of_too_many_allowed_tools_the_first_are_offered_and_whoever_chooses_gets_any() {
        let known = ServerDescription {
            tools: (0..TOOLS_MAX + 44).map(tool).collect(),
            ..ServerDescription::default()
        };
        let (offered_tools, left_out) = offered(&known, &entry(0..TOOLS_MAX + 44));
        assert_eq!((offered_tools.len(), left_out), (TOOLS_MAX, 44));
        assert_eq!(offered_tools[TOOLS_MAX - 1].0.name, format!("t{}", TOOLS_MAX - 1));
        let (chosen, left_out) = offered(&known, &entry(TOOLS_MAX..TOOLS_MAX + 44));
        assert_eq!((chosen.len(), left_out), (44, 0));
        assert_eq!(chosen[0].0.name, format!("t{TOOLS_MAX}"));
    }
}
