//! Makes context of what comes with a question: attached files, and a snapshot given with `--context`.
//!
//! Small texts are pasted into the question; larger ones are named with their size, and the program reads them.

use crate::limits::PASTED_BYTES;
use crate::words::{Words, error};
use serde::Deserialize;
use shidi_agent::Surroundings;
use shidi_protocol::{Ask, Attachment, ErrorCode, Unreadable, UserError};
use std::path::Path;

/// What was gathered for one question.
#[derive(Default)]
pub struct Gathered {
    pub surroundings: Vec<Surroundings>,
    pub attachments: Vec<Attachment>,
}

/// A sensory snapshot as `--context` takes it. Unknown fields are refused with their name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    #[serde(default)]
    app: String,
    #[serde(default)]
    title: String,
    url: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    selection: String,
}

/// Gathers everything that goes with `ask`. A file that can't be read stays visible, with the reason.
///
/// # Errors
/// A snapshot that is none.
pub fn gather(ask: &Ask, words: Words) -> Result<Gathered, UserError> {
    let mut gathered = Gathered::default();
    for path in &ask.files {
        let attachment = shidi_toolkits::attach(Path::new(path));
        gathered.surroundings.push(described(&attachment));
        if attachment.kind != "unreadable" {
            gathered.attachments.push(attachment);
        }
    }
    if let Some(context) = &ask.context {
        let snapshot: Snapshot = serde_json::from_value(context.clone()).map_err(|cause| {
            error(
                ErrorCode::Input,
                format!(
                    "{}: {cause}",
                    words.pick("看不懂这份上下文", "The context can't be read")
                ),
                words.pick(
                    "它可以有 app、title、url、text、selection",
                    "It may have app, title, url, text, selection",
                ),
            )
        })?;
        gathered.surroundings.extend(seen(snapshot));
    }
    Ok(gathered)
}

fn described(attachment: &Attachment) -> Surroundings {
    let Attachment {
        path,
        name,
        kind,
        bytes,
        lines,
        reason,
        ..
    } = attachment;
    let head = match kind.as_str() {
        "text" => format!("path: {path}\n{bytes} bytes, {lines} lines"),
        "unreadable" => format!(
            "path: {path}\nnot readable: {}",
            reason.map_or("it could not be read", unreadable)
        ),
        kind => format!("path: {path}\n{kind}, {bytes} bytes"),
    };
    let mut text = head;
    if kind == "text"
        && let Ok(excerpt) = shidi_toolkits::excerpt(Path::new(path), PASTED_BYTES)
    {
        let more = if excerpt.more {
            "\n… the file goes on: read it with files.read or search it with files.grep"
        } else {
            ""
        };
        text = format!("{text}\n---\n{}{more}", excerpt.text.trim_end());
    }
    Surroundings {
        source: "file".to_owned(),
        title: name.clone(),
        url: None,
        text,
        untrusted: kind == "text",
    }
}

fn unreadable(reason: Unreadable) -> &'static str {
    match reason {
        Unreadable::Missing => "there is no such file",
        Unreadable::Forbidden => "its permissions forbid it",
        Unreadable::Special => "it is a pipe, socket or device",
        Unreadable::Binary => "it is neither text, nor a picture, nor a document that can be read",
        Unreadable::Empty => "there is nothing in it",
        Unreadable::Locked => "it is protected by a password",
        Unreadable::Broken => "it is damaged",
        Unreadable::Huge => "it is too large to be read",
        Unreadable::NoText => "its pages hold pictures, but no text",
        Unreadable::TimedOut => "reading it took too long",
        Unreadable::Unreachable => "its address did not answer with anything to read",
        Unreadable::Failed => "the disk or the system failed",
    }
}

fn seen(snapshot: Snapshot) -> Vec<Surroundings> {
    let Snapshot {
        app,
        title,
        url,
        text,
        selection,
    } = snapshot;
    let piece = |source: &str, text: String, untrusted| Surroundings {
        source: source.to_owned(),
        title: if title.is_empty() {
            app.clone()
        } else {
            title.clone()
        },
        url: url.clone(),
        text,
        untrusted,
    };
    let mut seen = Vec::new();
    if !text.is_empty() || selection.is_empty() {
        seen.push(piece("page", text, true));
    }
    if !selection.is_empty() {
        // The user's own selection does not taint (DESIGN §8).
        seen.push(piece("selection", selection, false));
    }
    seen
}
