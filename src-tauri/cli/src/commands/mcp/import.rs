//! `shidi mcp import`: servers as other programs keep them, from a file, from stdin, or from where those programs keep it.

use super::{answered, incomplete};
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use crate::input;
use crate::options::Options;
use crate::unlocking::ask_unlocking;
use crate::words::Words;
use shidi_protocol::request::mcp;
use shidi_protocol::{ErrorCode, ListedMcpServer, McpDraft, UserError, reply};
use std::collections::BTreeSet;
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

/// Lists the found servers, and adds them. One that can't be added is named with its reason, and the others are added.
///
/// # Errors
/// A text without servers, or a name that was not found.
pub async fn run(import: Import, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let found = found(&import, options, console).await?;
    if found.left_out.is_empty() {
        console.note_if_empty(&found.drafts);
    }
    let reply::McpDrafts { drafts, left_out } = chosen(&import, found, console.words)?;
    let mut exit = Exit::Done;
    for one in left_out {
        console.note(Look::Dim, &format!("{}: {}", clean(&one.name), clean(&one.why)));
        // What other programs keep beside what was asked for is none of this command's.
        let is_wanted = import.file.is_some() || !import.only.is_empty();
        if is_wanted && !import.dry_run {
            exit = Exit::Because(ErrorCode::Input);
        }
    }
    for draft in drafts {
        let mut added = Vec::new();
        let said = match (draft.is_here, import.dry_run) {
            (true, _) => here_already(&draft, console.words),
            (false, true) => String::new(),
            (false, false) => match add(draft.clone(), options, console).await {
                Ok(servers) => {
                    added = servers;
                    console.words.peer_added().to_owned()
                }
                Err(Failure::User(refused)) if refused.code != ErrorCode::Cancelled => {
                    exit = Exit::Because(refused.code);
                    refuse(&draft, &refused, console)?;
                    continue;
                }
                Err(other) => return Err(other),
            },
        };
        let way = match added.first() {
            Some(listed) => listed.reached.clone(),
            None => draft.reached.clone(),
        };
        show(&draft, &way, &said, console)?;
        for server in added.iter().filter(|_| !console.is_json()) {
            incomplete(server, console)?;
        }
    }
    Ok(exit)
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

/// What of it is asked for: with `--only` nothing else is added, and nothing else is told of.
///
/// # Errors
/// A name that nothing has.
fn chosen(import: &Import, found: reply::McpDrafts, words: Words) -> Result<reply::McpDrafts, Failure> {
    if import.only.is_empty() {
        return Ok(found);
    }
    let reply::McpDrafts { drafts, left_out } = found;
    let mut places = BTreeSet::new();
    for name in &import.only {
        let named = |way: usize| {
            let mut names = drafts.iter().map(names_of);
            names.position(|names| names[way] == Some(name.as_str()))
        };
        let is_left_out = left_out.iter().any(|one| one.name == *name);
        // How the file writes a name counts first, also where the server of that name can't be added.
        let place = match (named(0), is_left_out) {
            (None, false) => named(1).or_else(|| named(2)),
            (place, _) => place,
        };
        match place {
            Some(place) => {
                places.insert(place);
            }
            None if is_left_out => {}
            None => {
                let of_file = left_out.iter().filter(|_| import.file.is_some());
                let names = drafts.iter().map(name_of);
                let names: Vec<&str> = names.chain(of_file.map(|one| one.name.as_str())).collect();
                return Err(lost(name, &names, words));
            }
        }
    }
    let drafts = drafts.into_iter().enumerate();
    let drafts = drafts.filter(|(place, _)| places.contains(place));
    let left_out = left_out.into_iter().filter(|one| import.only.contains(&one.name));
    Ok(reply::McpDrafts {
        drafts: drafts.map(|(_, draft)| draft).collect(),
        left_out: left_out.collect(),
    })
}

fn lost(name: &str, names: &[&str], words: Words) -> Failure {
    let hint = match names {
        [] => words.nothing_here().to_owned(),
        names => words.drafts_there_are(names.join(words.listed_with())),
    };
    Failure::input(words.no_draft(name), hint)
}

/// Names that ask for a server: in the file, as it would be called, and here.
fn names_of(draft: &McpDraft) -> [Option<&str>; 3] {
    [
        draft.written.as_deref(),
        Some(draft.server.name.as_str()),
        draft.here_as.as_deref(),
    ]
}

/// Its name in the file; one that has none there is called as it would be here.
fn name_of(draft: &McpDraft) -> &str {
    draft.written.as_deref().unwrap_or(draft.server.name.as_str())
}

/// That a server is here already, with its name here where that is another one.
fn here_already(draft: &McpDraft, words: Words) -> String {
    match draft.here_as.as_deref() {
        Some(here) if here != name_of(draft) => words.peer_is_here_as(here),
        Some(_) | None => words.peer_is_here().to_owned(),
    }
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
        let value = input::server_secret(&name, words)?;
        server.secrets.insert(name, value);
    }
    let name = server.name.clone();
    // The line about a refusal begins with the name.
    let request = mcp::Add {
        server,
        unnamed: true,
    };
    answered(&name, request, options, console).await
}

/// Tells in one line which server was not added, why, and what to do.
fn refuse(draft: &McpDraft, refused: &UserError, console: &Console) -> Result<(), Failure> {
    let name = &draft.server.name;
    if console.is_json() {
        console.json(&serde_json::json!({"name": name, "refused": refused}))?;
    }
    let words = console.words;
    let reason = clean(&refused.message);
    let name = clean(name_of(draft));
    let said = match &refused.hint {
        Some(remedy) => words.peer_not_added_remedy(name, reason.trim_end_matches('.'), clean(remedy)),
        None => words.peer_not_added(name, reason),
    };
    console.note(Look::Bad, &said);
    Ok(())
}

/// A line of a server; values of its secrets are never shown.
fn show(draft: &McpDraft, way: &str, said: &str, console: &Console) -> Result<(), Failure> {
    let server = &draft.server;
    // What is not added is called as whoever has the file knows it.
    let name = match draft.is_here {
        true => name_of(draft),
        false => server.name.as_str(),
    };
    if console.is_json() {
        let secrets: Vec<&String> = server.secrets.keys().chain(&draft.wanted).collect();
        return console.json(&serde_json::json!({
            "name": name, "reached": way, "secrets": secrets, "program": draft.program, "is_here": draft.is_here,
            "here_as": draft.here_as,
        }));
    }
    let program = draft.program.as_deref().map(|program| format!("  {program}"));
    console.line(&format!(
        "{}  {}{}  {said}",
        console.painted(Look::Strong, &clean(name)),
        console.painted(Look::Dim, &clean(way)),
        program.unwrap_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;
    use shidi_protocol::{McpLeftOut, NewMcpServer};

    fn draft(written: &str, name: &str, here_as: Option<&str>) -> McpDraft {
        McpDraft {
            server: NewMcpServer {
                name: name.to_owned(),
                ..NewMcpServer::default()
            },
            wanted: Vec::new(),
            program: None,
            is_here: here_as.is_some(),
            here_as: here_as.map(str::to_owned),
            written: Some(written.to_owned()),
            reached: String::new(),
        }
    }

    fn of(only: &str) -> Option<(Vec<String>, usize)> {
        let import = Import {
            file: Some("mcp.json".into()),
            programs: false,
            only: vec![only.to_owned()],
            dry_run: false,
        };
        let found = reply::McpDrafts {
            drafts: vec![
                draft("good", "good_server", Some("other")),
                draft("Old", "old", None),
            ],
            left_out: vec![McpLeftOut {
                name: "old".to_owned(),
                why: "It is old".to_owned(),
            }],
        };
        let reply::McpDrafts { drafts, left_out } = chosen(&import, found, Words::of(Language::En)).ok()?;
        let names = drafts.iter().map(|draft| name_of(draft).to_owned());
        Some((names.collect(), left_out.len()))
    }

    #[test]
    fn a_server_is_asked_for_as_the_file_writes_it_or_as_it_is_called_here() {
        for name in ["good", "good_server", "other"] {
            assert_eq!(of(name), Some((vec!["good".to_owned()], 0)), "{name}");
        }
        assert_eq!(of("Old"), Some((vec!["Old".to_owned()], 0)));
        // The one that can't be added is written so, and it alone is meant.
        assert_eq!(of("old"), Some((Vec::new(), 1)));
        assert_eq!(of("nothing"), None);
    }
}
