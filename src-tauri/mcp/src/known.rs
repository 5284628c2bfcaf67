//! The servers' own descriptions from the last time they were asked (`mcp-tools.json`). The servers can be asked
//! again, so a file which is gone or broken counts as none.

use serde::{Deserialize, Serialize};
use shidi_mcp_client::{ServerPrompt, Tool};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes: some dozen servers with all their tools.
const KNOWN_BYTES_MAX: u64 = 64 << 20;

/// What is known of one server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// Its name and version, as it says.
    pub about: String,
    pub tools: Vec<Tool>,
    /// For its user, whatever is allowed of its tools.
    #[serde(default)]
    pub prompts: Vec<ServerPrompt>,
}

pub fn read(folder: &Path) -> BTreeMap<String, Known> {
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
pub fn write(folder: &Path, name: &str, known: Option<Known>) {
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
