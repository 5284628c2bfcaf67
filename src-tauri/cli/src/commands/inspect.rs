//! `shidi inspect`: what would be sent of a file, folder or address, before anything is sent.

use crate::client::{source, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::options::Options;
use shidi_protocol::{AttachSource, Attachment, ErrorCode, reply, request};
use shidi_runtime::Connection;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(required = true, value_name = "PATH|URL")]
    what: Vec<String>,
}

/// Shows each. One that can't be read makes the command end as wrong input does.
///
/// # Errors
/// A data folder that can't be opened.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let attachments = with_connection(options, async |connection| {
        let mut attachments = Vec::new();
        for what in &arguments.what {
            attachments.push(inspected(connection, source(what)).await?);
        }
        Ok(attachments)
    })
    .await?;
    for attachment in &attachments {
        if console.is_json() {
            console.json(attachment)?;
        } else {
            show(attachment, console)?;
        }
    }
    let all_readable = attachments.iter().all(|attachment| attachment.reason.is_none());
    Ok(if all_readable {
        Exit::Done
    } else {
        Exit::Because(ErrorCode::Input)
    })
}

async fn inspected(connection: &Connection, source: AttachSource) -> Result<Attachment, Failure> {
    let session = None;
    let reply::Inspected { attachment } = connection.ask(request::Inspect { source, session }).await?;
    Ok(attachment)
}

fn show(attachment: &Attachment, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    if let Some(reason) = attachment.reason {
        let mark = console.painted(Look::Bad, "✗");
        let detail = attachment.detail.as_deref().map(|detail| format!(" ({detail})"));
        let detail = detail.unwrap_or_default();
        let name = &attachment.name;
        return console.line(&format!("{mark} {name}: {}{detail}", words.unreadable(reason)));
    }
    let mark = console.painted(Look::Good, "✓");
    console.line(&format!(
        "{mark} {}: {}",
        attachment.name,
        words.attachment(attachment)
    ))?;
    console.line(&attachment.preview)?;
    if attachment.preview_cut {
        console.line("…")?;
    }
    Ok(())
}
