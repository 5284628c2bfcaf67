//! `mcp.toml` in the data folder: which servers there are, how to reach them, and which of their tools are allowed.
//!
//! Secrets are not in it, only their names. A hand may edit it; what is written keeps comments and other servers as
//! they are.

use serde::Deserialize;
use shidi_locales::Language;
use shidi_protocol::{Class, UserError};
use shidi_space::toml_file;
use std::collections::BTreeMap;
use std::path::Path;
use toml_edit::{Array, InlineTable, Item, Table, Value};

/// A server as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A program with its arguments; empty where there is an address.
    #[serde(default)]
    pub command: Vec<String>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Names of variables or headers whose values are in the keychain.
    #[serde(default)]
    pub secrets: Vec<String>,
    #[serde(default)]
    pub legacy: bool,
    /// What we are called where the user signs in.
    #[serde(default)]
    pub client_id: Option<String>,
    /// Where that client shows its secret: the first sign-in writes it, and no other place gets it.
    #[serde(default)]
    pub token_endpoint: Option<String>,
    /// Whether the user has signed in: what came of it is kept beside the secrets.
    #[serde(default)]
    pub signed_in: bool,
    #[serde(default)]
    pub allow: BTreeMap<String, Allowed>,
}

/// A tool that programs may call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// What the user says that it does.
    #[serde(default)]
    pub class: Option<Class>,
    /// The fingerprint of what was seen when it was allowed; without one it is allowed whatever it says.
    #[serde(default)]
    pub seen: Option<String>,
}

/// All servers; none where there is no file.
///
/// # Errors
/// As [`toml_file::read`].
pub fn read(path: &Path, language: Language) -> Result<BTreeMap<String, Entry>, UserError> {
    toml_file::read(path, remedy(language), language)
}

/// Writes one server, or takes it out.
///
/// # Errors
/// As [`toml_file::change`].
pub fn write(path: &Path, name: &str, entry: Option<&Entry>, language: Language) -> Result<(), UserError> {
    toml_file::change(path, remedy(language), language, |document| match entry {
        Some(entry) => {
            document.insert(name, Item::Table(table(entry)));
        }
        None => {
            document.remove(name);
        }
    })
}

/// What helps where a line is wrong.
fn remedy(language: Language) -> &'static str {
    language.mcp().mend_table()
}

fn table(entry: &Entry) -> Table {
    let mut table = Table::new();
    if let Some(url) = &entry.url {
        table.insert("url", url.as_str().into());
    } else {
        let command: Array = entry.command.iter().collect();
        table.insert("command", Item::Value(Value::Array(command)));
    }
    if !entry.env.is_empty() {
        let env: InlineTable = entry
            .env
            .iter()
            .map(|(name, value)| (name.as_str(), Value::from(value.as_str())))
            .collect();
        table.insert("env", Item::Value(Value::InlineTable(env)));
    }
    if !entry.secrets.is_empty() {
        let secrets: Array = entry.secrets.iter().collect();
        table.insert("secrets", Item::Value(Value::Array(secrets)));
    }
    if entry.legacy {
        table.insert("legacy", true.into());
    }
    if let Some(client) = &entry.client_id {
        table.insert("client_id", client.as_str().into());
    }
    if let Some(endpoint) = &entry.token_endpoint {
        table.insert("token_endpoint", endpoint.as_str().into());
    }
    if entry.signed_in {
        table.insert("signed_in", true.into());
    }
    if !entry.allow.is_empty() {
        let mut allow = Table::new();
        for (tool, allowed) in &entry.allow {
            let mut said = InlineTable::new();
            if let Some(class) = allowed.class.and_then(|class| serde_json::to_value(class).ok()) {
                said.insert("class", class.as_str().unwrap_or_default().into());
            }
            if let Some(seen) = &allowed.seen {
                said.insert("seen", seen.as_str().into());
            }
            allow.insert(tool, Item::Value(Value::InlineTable(said)));
        }
        table.insert("allow", Item::Table(allow));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> impl Strategy<Value = Entry> {
        let text = "[^\u{0}]{0,12}";
        let texts = proptest::collection::vec(text, 1..4);
        let allowed =
            (any::<bool>(), proptest::option::of("[0-9a-f]{4}")).prop_map(|(reads, seen)| Allowed {
                class: reads.then_some(Class::NetworkRead),
                seen,
            });
        let allow = proptest::collection::btree_map(".{1,12}", allowed, 0..4);
        let env = proptest::collection::btree_map("[A-Z_]{1,8}", text, 0..3);
        (
            texts,
            any::<bool>(),
            env,
            proptest::collection::vec("[A-Z]{1,6}", 0..3),
            allow,
        )
            .prop_map(|(command, legacy, env, secrets, allow)| {
                let url = legacy.then(|| command.join("/"));
                Entry {
                    command: if url.is_some() { Vec::new() } else { command },
                    url,
                    env,
                    secrets,
                    legacy,
                    client_id: legacy.then(|| "shidi-1".to_owned()),
                    token_endpoint: legacy.then(|| "https://a.example/token".to_owned()),
                    signed_in: legacy,
                    allow,
                }
            })
    }

    #[test]
    fn other_servers_and_comments_stay_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.toml");
        let by_hand = "# mine\n[git] # repositories\ncommand = [\"mcp-server-git\"]\n";
        std::fs::write(&path, by_hand).expect("a file");
        let added = Entry {
            url: Some("https://a.example/mcp".to_owned()),
            ..Entry::default()
        };
        write(&path, "web", Some(&added), Language::En).expect("written");
        assert_eq!(read(&path, Language::En).expect("read").len(), 2);
        write(&path, "web", None, Language::En).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("text"), by_hand);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.toml");
        std::fs::write(&path, "[git]\ncommand = [\"a\"]\nnonsense = 1\n").expect("a file");
        let broken = read(&path, Language::En).expect_err("nonsense");
        assert!(
            broken.message.contains("mcp.toml:3: unknown field `nonsense`"),
            "{broken:?}"
        );
        assert!(
            read(&folder.path().join("none.toml"), Language::En)
                .expect("none")
                .is_empty()
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(entries in proptest::collection::btree_map("[a-z]{1,6}", entry(), 1..4)) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("mcp.toml");
            for (name, entry) in &entries {
                write(&path, name, Some(entry), Language::En).expect("written");
            }
            prop_assert_eq!(read(&path, Language::En).expect("read"), entries);
        }
    }
}
