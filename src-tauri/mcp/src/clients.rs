//! Programs that use Shidi as their MCP server: which of them the user allowed, in `mcp_clients.toml` of the data folder.
//!
//! A name is a program's own claim and proves nothing. The list says whom the user wants, and keeps nobody out who
//! takes another's name. A hand may edit the file; what is written keeps comments.

use crate::McpServers;
use crate::limits::{CLIENT_CHARACTERS_MAX, CLIENTS_MAX};
use serde::Deserialize;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, JOINERS, McpClient, McpClientState, UserError, is_unseen, reply};
use shidi_space::errors::error;
use shidi_space::toml_file;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The programs by name.
type Table = BTreeMap<String, Decision>;

/// A program's line: `Zed = "allowed"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Asking,
    Allowed,
    Denied,
}

/// All programs that asked, by name.
///
/// # Errors
/// As [`toml_file::read`].
pub(crate) fn listed(servers: &McpServers) -> Result<reply::McpClients, UserError> {
    let table = read(&file(servers), servers.space.language())?;
    Ok(reply::McpClients {
        clients: table.into_iter().map(client).collect(),
    })
}

/// Whether a program may call a tool now: answers with it alone.
///
/// # Errors
/// Shidi is no server, or its user did not allow the program, with the remedy. Also a table that can't be read or
/// written.
pub(crate) fn calls(servers: &McpServers, said: &str) -> Result<reply::McpClients, UserError> {
    let language = servers.space.language();
    let say = language.mcp();
    if !servers.space.config().mcp.serve {
        return Err(error(ErrorCode::Input, say.serves_nobody(), say.begin_to_serve()));
    }
    let (name, path) = (name(said), file(servers));
    let table = read(&path, language)?;
    match table.get(&name) {
        Some(Decision::Allowed) => Ok(reply::McpClients {
            clients: vec![client((name, Decision::Allowed))],
        }),
        Some(Decision::Denied) => Err(error(
            ErrorCode::Input,
            say.client_denied(&name),
            say.allow_client(quoted(&name)),
        )),
        Some(Decision::Asking) => Err(asks(language, &name)),
        None if table.len() >= CLIENTS_MAX => Err(error(
            ErrorCode::Input,
            say.clients_full(CLIENTS_MAX),
            say.forget_clients(),
        )),
        None => {
            write(&path, &name, Some(Decision::Asking), language)?;
            Err(asks(language, &name))
        }
    }
}

/// Keeps what the user decided; without a decision the program is forgotten.
///
/// # Errors
/// A name of nothing but unseen characters, one that is not there to be forgotten, storage trouble.
pub(crate) fn decide(
    servers: &McpServers,
    said: &str,
    state: Option<McpClientState>,
) -> Result<reply::McpClients, UserError> {
    let language = servers.space.language();
    let (name, path) = (name(said), file(servers));
    let decision = state.map(|state| match state {
        McpClientState::Asking => Decision::Asking,
        McpClientState::Allowed => Decision::Allowed,
        McpClientState::Denied => Decision::Denied,
    });
    let table = read(&path, language)?;
    if decision.is_none() && !table.contains_key(&name) {
        let say = language.mcp();
        let known: Vec<&str> = table.keys().map(String::as_str).collect();
        return Err(error(
            ErrorCode::NotFound,
            say.no_such_client(name),
            match known.is_empty() {
                true => say.no_clients_yet().to_owned(),
                false => say.clients_there_are(known.join(say.listed_with())),
            },
        ));
    }
    write(&path, &name, decision, language)?;
    listed(servers)
}

fn client((name, decision): (String, Decision)) -> McpClient {
    McpClient {
        name,
        state: match decision {
            Decision::Asking => McpClientState::Asking,
            Decision::Allowed => McpClientState::Allowed,
            Decision::Denied => McpClientState::Denied,
        },
    }
}

/// A name as it is kept: visible, on one line, of a length that a list can show.
fn name(said: &str) -> String {
    let seen: String = said
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .filter(|character| !is_unseen(*character) && !JOINERS.contains(character))
        .collect();
    let words: Vec<&str> = seen.split(' ').filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(CLIENT_CHARACTERS_MAX).collect();
    match name.trim_end() {
        "" => NAMELESS.to_owned(),
        name => name.to_owned(),
    }
}

/// The name of programs that give none.
const NAMELESS: &str = "unnamed";

/// The name as an argument of a command, whatever stands in it.
fn quoted(name: &str) -> String {
    shlex::try_quote(name).map_or_else(|_| name.to_owned(), |quoted| quoted.into_owned())
}

fn asks(language: Language, name: &str) -> UserError {
    let say = language.mcp();
    error(
        ErrorCode::Input,
        say.client_asks(name),
        say.allow_client(quoted(name)),
    )
}

fn file(servers: &McpServers) -> PathBuf {
    servers.space.home.folder().join("mcp_clients.toml")
}

fn read(path: &Path, language: Language) -> Result<Table, UserError> {
    toml_file::read(path, language.mcp().mend_clients(), language)
}

fn write(path: &Path, name: &str, decision: Option<Decision>, language: Language) -> Result<(), UserError> {
    toml_file::change(path, language.mcp().mend_clients(), language, |document| {
        let Some(decision) = decision else {
            document.remove(name);
            return;
        };
        let word = match decision {
            Decision::Asking => "asking",
            Decision::Allowed => "allowed",
            Decision::Denied => "denied",
        };
        document.insert(name, word.into());
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_kept_as_it_looks() {
        assert_eq!(name("Zed"), "Zed");
        assert_eq!(name("  Claude\u{a0}\n Desktop "), "Claude Desktop");
        assert_eq!(name("Z\u{200b}e\u{202e}d\u{7}\u{200d}"), "Zed");
        assert_eq!(name("\u{200b}"), NAMELESS);
        assert_eq!(name(&"长".repeat(500)).chars().count(), CLIENT_CHARACTERS_MAX);
    }

    #[test]
    fn what_stands_beside_a_decision_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp_clients.toml");
        std::fs::write(&path, "# mine\n\"Zed\" = \"allowed\" # the editor\n").unwrap();
        write(&path, "Claude \"Desktop\"", Some(Decision::Asking), Language::En).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("# mine\n\"Zed\" = \"allowed\" # the editor\n"),
            "{text}"
        );
        let table = read(&path, Language::En).unwrap();
        assert_eq!(table.get("Zed"), Some(&Decision::Allowed));
        assert_eq!(table.get("Claude \"Desktop\""), Some(&Decision::Asking));
        write(&path, "Claude \"Desktop\"", None, Language::En).unwrap();
        assert_eq!(read(&path, Language::En).unwrap().len(), 1);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp_clients.toml");
        std::fs::write(&path, "Zed = \"allowed\"\nother = \"maybe\"\n").unwrap();
        let broken = read(&path, Language::En).unwrap_err();
        assert!(
            broken.message.contains("mcp_clients.toml:2"),
            "{}",
            broken.message
        );
        assert!(broken.hint.unwrap().contains("allowed"));
    }

    proptest! {
        #[test]
        fn any_name_is_written_and_read_again(said in ".{0,80}") {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("mcp_clients.toml");
            let name = name(&said);
            write(&path, &name, Some(Decision::Denied), Language::En).unwrap();
            let table = read(&path, Language::En).unwrap();
            prop_assert_eq!(table.get(&name), Some(&Decision::Denied));
        }
    }
}
