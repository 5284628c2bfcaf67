//! `shidi knowledge`: documents that were imported to be asked and cited.

use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::limits::{DOCUMENTS_LISTED, PIECES_LIMIT_DEFAULT};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::request::knowledge;
use shidi_protocol::{
    AttachSource, ErrorCode, KnowledgeBase, KnowledgeDocument, KnowledgePiece, KnowledgeReport, Reply,
    TypedRequest, Unreadable, reply,
};
use shidi_runtime::{Connection, goes_openly};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Create {
        base: String,
        #[arg(long, value_name = "TEXT", default_value = "")]
        about: String,
        #[arg(long, value_name = "URL")]
        at: Option<String>,
    },
    Add {
        base: String,
        #[arg(value_name = "PATH|URL")]
        what: Vec<String>,
    },
    Query {
        base: String,
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
        #[arg(long, value_name = "N", default_value_t = PIECES_LIMIT_DEFAULT)]
        limit: u32,
        #[arg(long, value_name = "NAME")]
        field: Option<String>,
    },
    List {
        base: Option<String>,
    },
    Delete {
        base: String,
        #[arg(value_name = "PATH|URL")]
        document: Option<String>,
        #[arg(long)]
        yes: bool,
        #[arg(long, conflicts_with = "document")]
        only_here: bool,
    },
}

/// Carries out the action. An import of which something could not be read ends as wrong input does.
///
/// # Errors
/// No such base, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        match arguments.action {
            Action::Create { base, about, at } => {
                if at.as_deref().is_some_and(goes_openly) {
                    console.note(Look::Bad, console.words.goes_openly());
                }
                let request = knowledge::Create {
                    name: base,
                    about,
                    at,
                };
                show_bases(&bases(connection, request).await?, console)?;
            }
            Action::Add { base, what } => return add(connection, base, &what, console).await,
            Action::Query {
                base,
                text,
                limit,
                field,
            } => {
                let request = knowledge::Query {
                    text: text.join(" "),
                    base: Some(base),
                    field: field.clone(),
                    limit,
                };
                let reply::Pieces { pieces, .. } = connection.ask(request).await?;
                show_pieces(&pieces, field.as_deref(), console)?;
            }
            Action::List { base: None } => show_bases(&bases(connection, knowledge::List).await?, console)?,
            Action::List { base: Some(base) } => list(connection, base, console).await?,
            Action::Delete {
                base,
                document,
                yes,
                only_here,
            } => {
                let named = document.as_deref().unwrap_or(&base);
                if !yes && console.can_ask() && !console.confirms(&console.words.really_delete(named)) {
                    console.note(Look::Plain, console.words.kept());
                    return Ok(Exit::Done);
                }
                let place = document;
                let request = knowledge::Delete {
                    base,
                    place,
                    only_here,
                };
                show_bases(&bases(connection, request).await?, console)?;
            }
        }
        Ok(Exit::Done)
    })
    .await
}

async fn bases(
    connection: &Connection,
    request: impl TypedRequest<Reply = reply::Bases>,
) -> Result<Vec<KnowledgeBase>, Failure> {
    let reply::Bases { bases } = connection.ask(request).await?;
    Ok(bases)
}

async fn add(
    connection: &Connection,
    base: String,
    what: &[String],
    console: &Console,
) -> Result<Exit, Failure> {
    let sources: Vec<AttachSource> = what.iter().map(|what| crate::client::source(what)).collect();
    let imported = connection.ask_along(knowledge::Add { base, sources }, |reply| {
        if let Reply::Progress { done, total, what } = reply {
            console.progress(&what, done, total);
        }
        Ok::<(), Failure>(())
    });
    let reply::Imported { report, .. } = imported.await?;
    console.progress_over();
    show_report(&report, console)?;
    Ok(if report.failed == 0 {
        Exit::Done
    } else {
        Exit::Because(ErrorCode::Input)
    })
}

fn show_report(report: &KnowledgeReport, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(report);
    }
    console.line(&console.words.imported(report))?;
    for problem in &report.problems {
        let why = why(problem.reason, problem.detail.as_deref(), console);
        console.line(&format!(
            "{} {}: {why}",
            console.painted(Look::Bad, "✗"),
            problem.place
        ))?;
    }
    Ok(())
}

fn why(reason: Unreadable, detail: Option<&str>, console: &Console) -> String {
    let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
    format!("{}{detail}", console.words.unreadable(reason))
}

fn show_bases(bases: &[KnowledgeBase], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(bases);
    for base in bases {
        if console.is_json() {
            console.json(base)?;
            continue;
        }
        let name = console.painted(Look::Strong, &base.name);
        console.line(&format!("{name}  {}", console.words.holdings(base)))?;
        if !base.about.is_empty() {
            console.line(&format!("    {}", console.painted(Look::Dim, &base.about)))?;
        }
        if let Some(at) = &base.at {
            console.line(&format!("    {}", console.painted(Look::Dim, at)))?;
        }
        if let Some(trouble) = &base.trouble {
            console.line(&format!("    {}", console.painted(Look::Bad, trouble)))?;
        }
        if let Some(remedy) = &base.remedy {
            console.line(&format!("    {remedy}"))?;
        }
    }
    Ok(())
}

async fn list(connection: &Connection, base: String, console: &Console) -> Result<(), Failure> {
    let mut offset = 0;
    loop {
        let request = knowledge::Show {
            base: base.clone(),
            offset,
            limit: DOCUMENTS_LISTED,
        };
        let reply::Documents { documents, .. } = connection.ask(request).await?;
        if documents.is_empty() {
            if offset == 0 && !console.is_json() {
                console.note(Look::Dim, console.words.nothing_here());
            }
            return Ok(());
        }
        offset = offset.saturating_add(u32::try_from(documents.len()).unwrap_or(u32::MAX));
        documents
            .iter()
            .try_for_each(|document| show_document(document, console))?;
    }
}

fn show_document(document: &KnowledgeDocument, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(document);
    }
    let KnowledgeDocument {
        place,
        reason,
        detail,
        ..
    } = document;
    match reason {
        None => console.line(&format!(
            "{place}  {}",
            console.painted(Look::Dim, &console.words.pieces(document))
        )),
        Some(reason) => {
            let why = why(*reason, detail.as_deref(), console);
            console.line(&format!("{} {place}: {why}", console.painted(Look::Bad, "✗")))
        }
    }
}

fn show_pieces(pieces: &[KnowledgePiece], field: Option<&str>, console: &Console) -> Result<(), Failure> {
    console.note_if_empty(pieces);
    for piece in pieces {
        let value = field.and_then(|field| piece.fields.get(field));
        if console.is_json() {
            match field {
                Some(_) => console.json(&json!({"value": value, "source": piece.source}))?,
                None => console.json(piece)?,
            }
            continue;
        }
        let source = console.painted(Look::Dim, &format!("[{}]", piece.source));
        match value {
            Some(serde_json::Value::String(value)) => console.line(&format!("{value}  {source}"))?,
            Some(value) => console.line(&format!("{value}  {source}"))?,
            None => {
                console.line(&format!(
                    "{}  {source}",
                    console.painted(Look::Strong, &piece.heading)
                ))?;
                console.line(&format!("{}\n", piece.text))?;
            }
        }
    }
    Ok(())
}
