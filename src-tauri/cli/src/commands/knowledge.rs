//! `shidi knowledge`: documents that were imported to be asked and cited.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::limits::{DOCUMENTS_LISTED, PIECES_LIMIT_DEFAULT};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{
    AttachSource, ErrorCode, KnowledgeBase, KnowledgeDocument, KnowledgePiece, KnowledgeReport,
    KnowledgeRequest, Reply, Request, Unreadable,
};
use shidi_runtime::{Connection, goes_openly};

/// Create, fill, ask, list and delete knowledge bases
#[derive(Debug, clap::Args)]
#[command(after_help = help::KNOWLEDGE)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// A new base, or another description of one
    Create {
        base: String,
        /// What it knows, in a sentence; models choose by it
        #[arg(long, value_name = "TEXT", default_value = "")]
        about: String,
        /// The Qdrant server that keeps it for a team; its key: shidi key set qdrant
        #[arg(long, value_name = "URL")]
        at: Option<String>,
    },
    /// Import files, folders and addresses; without any, look again at all that it was filled from
    Add {
        base: String,
        #[arg(value_name = "PATH|URL")]
        what: Vec<String>,
    },
    /// The pieces that answer a question best, each with the place to cite
    Query {
        base: String,
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
        #[arg(long, value_name = "N", default_value_t = PIECES_LIMIT_DEFAULT)]
        limit: u32,
        /// Only this column or key of the records that have it
        #[arg(long, value_name = "NAME")]
        field: Option<String>,
    },
    /// All bases, or the documents of one
    List { base: Option<String> },
    /// A document of a base, or all of the base
    Delete {
        base: String,
        #[arg(value_name = "PATH|URL")]
        document: Option<String>,
        /// Do not ask at a terminal
        #[arg(long)]
        yes: bool,
        /// Only forget a base that a server keeps; what is there stays
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
                let request = KnowledgeRequest::Create {
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
                let request = KnowledgeRequest::Query {
                    text: text.join(" "),
                    base: Some(base),
                    field: field.clone(),
                    limit,
                };
                let Reply::Pieces { pieces, .. } = answered(connection, Request::Knowledge(request)).await?
                else {
                    return Err(Failure::Unanswered);
                };
                show_pieces(&pieces, field.as_deref(), console)?;
            }
            Action::List { base: None } => {
                show_bases(&bases(connection, KnowledgeRequest::List).await?, console)?
            }
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
                let request = KnowledgeRequest::Delete {
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

async fn bases(connection: &Connection, request: KnowledgeRequest) -> Result<Vec<KnowledgeBase>, Failure> {
    match answered(connection, Request::Knowledge(request)).await? {
        Reply::Bases { bases } => Ok(bases),
        _ => Err(Failure::Unanswered),
    }
}

async fn add(
    connection: &Connection,
    base: String,
    what: &[String],
    console: &Console,
) -> Result<Exit, Failure> {
    let sources: Vec<AttachSource> = what.iter().map(|what| crate::client::source(what)).collect();
    let mut replies = connection.send(Request::Knowledge(KnowledgeRequest::Add { base, sources }));
    let report = loop {
        match replies.next().await {
            Some(Reply::Imported { report, .. }) => break report,
            Some(Reply::Progress { done, total, what }) => console.progress(&what, done, total),
            Some(Reply::Failed { error }) => return Err(error.into()),
            Some(_) => {}
            None => return Err(Failure::Unanswered),
        }
    };
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
    if bases.is_empty() && !console.is_json() {
        console.note(Look::Dim, console.words.nothing_here());
    }
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
        let request = KnowledgeRequest::Show {
            base: base.clone(),
            offset,
            limit: DOCUMENTS_LISTED,
        };
        let Reply::Documents { documents, .. } = answered(connection, Request::Knowledge(request)).await?
        else {
            return Err(Failure::Unanswered);
        };
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
    if pieces.is_empty() && !console.is_json() {
        console.note(Look::Dim, console.words.nothing_here());
    }
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
