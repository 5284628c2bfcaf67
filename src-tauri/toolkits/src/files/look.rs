//! `files.list` and `files.info`: entries and their facts, without their content.

use super::{CUT, counted};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{LIST_DEPTH_MAX, LIST_ENTRIES_MAX};
use crate::safe_path::ResolvedPath;
use crate::text::{media_type, read_head, sniff};
use crate::walk::{Walked, walk};
use serde_json::{Value, json};
use shidi_protocol::CallOutcome;
use std::fs::{FileType, Metadata};
use std::ops::ControlFlow;
use std::path::Path;

pub(super) fn list(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let depth = arguments.count("depth", 1..=LIST_DEPTH_MAX)? as usize;
    if !place.metadata(environment)?.is_dir() {
        return Err(ToolError::NotFolder(place.shown.display().to_string()));
    }
    let mut entries: Vec<Value> = Vec::new();
    let walked = walk(&place.leads_to, depth, &environment.withheld, |entry| {
        if entries.len() == LIST_ENTRIES_MAX {
            return ControlFlow::Break(());
        }
        let bytes = place
            .leads_to
            .join(&entry.relative)
            .symlink_metadata()
            .map_or(0, |found| found.len());
        let bytes = if entry.kind.is_file() { bytes } else { 0 };
        entries
            .push(json!({"path": place.name_of(&entry.relative), "kind": kind(entry.kind), "bytes": bytes}));
        ControlFlow::Continue(())
    });
    let walked = walked.map_err(|error| ToolError::io(&place.shown, error))?;
    let mut summary = format!(
        "{} · {}",
        place.shown.display(),
        counted(entries.len(), "entry", "entries")
    );
    if walked != Walked::All {
        let note = format!(
            "{CUT}more than {} entries; list a folder below, or use files.glob]",
            entries.len()
        );
        entries.push(json!({"path": note, "kind": "other", "bytes": 0}));
        summary.push_str(", cut");
    }
    Ok(CallOutcome::success(entries.into(), summary))
}

pub(super) fn info(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let metadata = match place.metadata(environment) {
        // Whoever asks whether something is there has an answer, and no failure.
        Err(ToolError::Missing(path)) if arguments.flag("missing_ok") => {
            return Ok(CallOutcome::success(
                Value::Null,
                format!("{path} · does not exist"),
            ));
        }
        found => found?,
    };
    let content = if metadata.is_file() {
        content(place, environment)?
    } else {
        Content::default()
    };
    let name = place.name_of(Path::new(""));
    let kind = kind(metadata.file_type());
    let summary = format!("{name} · {kind}, {} bytes", metadata.len());
    let data = json!({
        "path": name,
        "absolute": place.leads_to.display().to_string(),
        "kind": kind,
        "bytes": metadata.len(),
        "modified": modified(&metadata, environment),
        "text": content.encoding.is_some(),
        "encoding": content.encoding,
        "media_type": content.media_type,
    });
    Ok(CallOutcome::success(data, summary))
}

/// What UTF-8 may begin with, and what Python calls a text that does. Its bytes are more than those of its text.
const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";
const MARKED_UTF_8: &str = "UTF-8-SIG";

/// The kind of content that a file's head shows.
#[derive(Default)]
struct Content {
    encoding: Option<&'static str>,
    media_type: Option<&'static str>,
}

fn content(place: &ResolvedPath, environment: &Environment) -> Result<Content, ToolError> {
    let mut file = place.open(environment)?;
    let head = read_head(&mut file).map_err(|error| ToolError::io(&place.shown, error))?;
    let encoding = match head.starts_with(UTF_8_MARK) {
        true => Some(MARKED_UTF_8),
        false => sniff(&head).ok().map(|encoding| encoding.name()),
    };
    Ok(Content {
        encoding,
        media_type: media_type(&head),
    })
}

fn kind(kind: FileType) -> &'static str {
    if kind.is_file() {
        "file"
    } else if kind.is_dir() {
        "folder"
    } else if kind.is_symlink() {
        "link"
    } else {
        "other"
    }
}

/// The time of the last change, in the user's time zone.
fn modified(metadata: &Metadata, environment: &Environment) -> Option<String> {
    let timestamp = jiff::Timestamp::try_from(metadata.modified().ok()?).ok()?;
    let here = timestamp.to_zoned(environment.timezone.clone());
    Some(here.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}
