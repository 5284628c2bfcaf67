//! `shidi mcp import`: servers as other programs keep them, from a file, from stdin, or from where those programs keep it.

use super::{asked, incomplete};
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::input;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use shidi_protocol::request::mcp;
use shidi_protocol::{ListedMcpServer, McpDraft, reply};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Import {
    /// `-` is stdin.
    #[arg(value_name = "FILE", required_unless_present = "programs")]
    file: Option<PathBuf>,
    #[arg(long, conflicts_with = "file")]
    programs: bool,
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    #[arg(long)]
    dry_run: bool,
}

/// Lists the found servers, and adds them. The first server that can't be added ends the command, and the servers
/// before it stay.
///
/// # Errors
/// A text without servers, a name that was not found, or why a server could not be added.
pub async fn run(import: Import, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply::McpDrafts { drafts, left_out } = found(&import, options, console).await?;
    for one in left_out {
        console.note(Look::Dim, &format!("{}: {}", clean(&one.name), clean(&one.why)));
    }
    let is_wanted = |draft: &McpDraft| import.only.is_empty() || import.only.contains(&draft.server.name);
    if let Some(lost) = import
        .only
        .iter()
        .find(|name| drafts.iter().all(|draft| draft.server.name != **name))
    {
        let names: Vec<&str> = drafts.iter().map(|draft| draft.server.name.as_str()).collect();
        return Err(Failure::input(
            console.words.no_draft(lost),
            console.words.drafts_there_are(names.join(", ")),
        ));
    }
    for draft in drafts.into_iter().filter(is_wanted) {
        let mut added = Vec::new();
        let said = match (draft.is_here, import.dry_run) {
            (true, _) => console.words.peer_is_here(),
            (false, true) => "",
            (false, false) => {
                added = add(draft.clone(), options, console).await?;
                console.words.peer_added()
            }
        };
        show(&draft, said, console)?;
        for server in added.iter().filter(|_| !console.is_json()) {
            incomplete(server, console)?;
        }
    }
    Ok(Exit::Done)
}

async fn found(import: &Import, options: &Options, console: &Console) -> Result<reply::McpDrafts, Failure> {
    let Some(file) = &import.file else {
        return with_connection(options, async |connection| {
            ask_unlocking(connection, mcp::Find, console).await
        })
        .await;
    };
    let text = if file.as_os_str() == "-" {
        input::stdin(console.words)?
    } else {
        input::text_file(file, console.words)?
    };
    with_connection(options, async |connection| {
        ask_unlocking(connection, mcp::Read { text }, console).await
    })
    .await
}

/// Adds a server; what only the user knows is asked for where somebody can answer.
async fn add(draft: McpDraft, options: &Options, console: &Console) -> Result<Vec<ListedMcpServer>, Failure> {
    let words = console.words;
    let McpDraft {
        mut server, wanted, ..
    } = draft;
    for name in wanted {
        if !console.can_ask() {
            return Err(Failure::input(
                words.secret_is_missing(&name, &server.name),
                words.import_at_a_terminal(),
            ));
        }
        let value = input::secret(&words.secret_prompt(&name), words)?;
        server.secrets.insert(name, value);
    }
    asked(mcp::Add { server }, options, console).await
}

/// A line of a server; values of its secrets are never shown.
fn show(draft: &McpDraft, said: &str, console: &Console) -> Result<(), Failure> {
    let server = &draft.server;
    let way = server.url.clone().unwrap_or_else(|| server.command.join(" "));
    if console.is_json() {
        let secrets: Vec<&String> = server.secrets.keys().chain(&draft.wanted).collect();
        return console.json(&serde_json::json!({
            "name": server.name, "reached": way, "secrets": secrets, "program": draft.program, "is_here": draft.is_here,
        }));
    }
    let program = draft.program.as_deref().map(|program| format!("  {program}"));
    console.line(&format!(
        "{}  {}{}  {said}",
        console.painted(Look::Strong, &server.name),
        console.painted(Look::Dim, &clean(&way)),
        program.unwrap_or_default(),
    ))
}
