//! `files.write` and `files.edit`: whole files, and places in them. An edit changes the named place alone and
//! keeps encoding and line breaks. The earlier content is kept for the user.

use crate::arguments::Arguments;
use crate::change_record::Change;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::WRITE_BYTES_MAX;
use crate::safe_path::{ResolvedPath, SafeWriter};
use crate::text::EncodedText;
use serde_json::json;
use shidi_protocol::{CallOutcome, ChangedLines};

/// Line numbers that an error lists where a text occurs more than once.
const PLACES_NAMED: usize = 5;

pub(super) fn write(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let text = arguments.text("text");
    check_size(text.len(), &shown)?;
    let target = SafeWriter::of(place, environment)?;
    let found = target.found()?;
    let record = environment.change.as_deref();
    if let Some(change) = Change::done_already(record, found.as_ref(), &shown)? {
        return Ok(told(&shown, change));
    }
    let bytes = match (&found, arguments.flag("append")) {
        (Some(found), true) => {
            let whole = text_in(&found.bytes, &shown)?;
            let added = in_its_line_breaks(text, &whole.text);
            check_size(whole.text.len() + added.len(), &shown)?;
            encoded(&whole, &format!("{}{added}", whole.text), &shown)?
        }
        (Some(_) | None, _) => text.as_bytes().to_vec(),
    };
    let data = json!({"path": shown, "created": found.is_none(), "bytes": bytes.len()});
    let change = Change::new(&place.leads_to, found.as_ref(), &bytes, environment.now, data);
    change.make(&target, found.as_ref(), &bytes, record)?;
    Ok(told(&shown, change))
}

/// Puts whole bytes into a file, whatever they are.
pub(super) fn put(
    place: &ResolvedPath,
    environment: &Environment,
    bytes: &[u8],
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let target = SafeWriter::of(place, environment)?;
    let found = target.found()?;
    let record = environment.change.as_deref();
    if let Some(change) = Change::done_already(record, found.as_ref(), &shown)? {
        return Ok(told(&shown, change));
    }
    let data = json!({"path": shown, "created": found.is_none(), "bytes": bytes.len()});
    let change = Change::new(&place.leads_to, found.as_ref(), bytes, environment.now, data);
    change.make(&target, found.as_ref(), bytes, record)?;
    Ok(told(&shown, change))
}

/// The outcome for the program, the same after a crash as before.
fn told(shown: &str, change: Change) -> CallOutcome {
    let summary = summary(shown, &change);
    CallOutcome::success(change.data, summary)
}

pub(super) fn edit(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let target = SafeWriter::of(place, environment)?;
    let Some(found) = target.found()? else {
        return Err(ToolError::Missing(shown));
    };
    let record = environment.change.as_deref();
    if let Some(change) = Change::done_already(record, Some(&found), &shown)? {
        return Ok(told(&shown, change));
    }
    let whole = text_in(&found.bytes, &shown)?;
    let (old, new) = (arguments.text("old"), arguments.text("new"));
    let occurrence = occurrence(&whole.text, old, new, &shown)?;
    let lines: Vec<usize> = whole
        .text
        .match_indices(&occurrence.old)
        .map(|(at, _)| line_of(&whole.text, at))
        .collect();
    if lines.len() > 1 && !arguments.flag("all") {
        return Err(ToolError::Ambiguous {
            path: shown,
            count: lines.len(),
            lines: named(&lines),
        });
    }
    let edited = whole.text.replace(&occurrence.old, &occurrence.new);
    check_size(edited.len(), &shown)?;
    let bytes = encoded(&whole, &edited, &shown)?;
    let data = json!({"path": shown, "count": lines.len(), "line": lines.first()});
    let change = Change::new(&place.leads_to, Some(&found), &bytes, environment.now, data);
    change.make(&target, Some(&found), &bytes, record)?;
    Ok(told(&shown, change))
}

/// The text of a file in its encoding.
fn text_in(bytes: &[u8], shown: &str) -> Result<EncodedText, ToolError> {
    EncodedText::of(bytes).map_err(|kind| ToolError::NotText {
        path: shown.to_owned(),
        kind,
        bytes: bytes.len() as u64,
    })
}

/// A text to be replaced and its replacement, in the line breaks of the file.
struct Occurrence {
    old: String,
    new: String,
}

/// The text to be replaced, as the file has it: programs read line breaks as `\n` whatever the file has.
fn occurrence(whole: &str, old: &str, new: &str, shown: &str) -> Result<Occurrence, ToolError> {
    if old.is_empty() {
        return Err(ToolError::NothingToReplace(shown.to_owned()));
    }
    if whole.contains(old) {
        return Ok(Occurrence {
            old: old.to_owned(),
            new: in_its_line_breaks(new, whole),
        });
    }
    let broken = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    if whole.contains(&broken(old)) {
        return Ok(Occurrence {
            old: broken(old),
            new: broken(new),
        });
    }
    Err(ToolError::NotThere {
        path: shown.to_owned(),
        near: alike(whole, old).map_or_else(String::new, |line| {
            format!("; line {line} differs from it in spaces only")
        }),
    })
}

/// A new text with the line breaks of the file's text.
fn in_its_line_breaks(text: &str, whole: &str) -> String {
    let breaks = whole.matches('\n').count();
    if breaks > 0 && whole.matches("\r\n").count() == breaks {
        text.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        text.to_owned()
    }
}

/// The line at which the file holds the same text with other spaces.
fn alike(whole: &str, old: &str) -> Option<usize> {
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted: Vec<String> = old.trim().lines().map(plain).collect();
    let lines: Vec<String> = whole.lines().map(plain).collect();
    let at = lines
        .windows(wanted.len().max(1))
        .position(|window| window == wanted);
    at.map(|at| at + 1)
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or_default().matches('\n').count()
}

fn named(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(PLACES_NAMED).map(usize::to_string).collect();
    let more = if lines.len() > PLACES_NAMED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn encoded(whole: &EncodedText, text: &str, shown: &str) -> Result<Vec<u8>, ToolError> {
    whole.encoded(text).map_err(|character| ToolError::NoPlace {
        path: shown.to_owned(),
        character,
        encoding: whole.name(),
    })
}

fn check_size(bytes: usize, shown: &str) -> Result<(), ToolError> {
    if bytes as u64 > WRITE_BYTES_MAX {
        Err(ToolError::TooLarge(shown.to_owned()))
    } else {
        Ok(())
    }
}

fn size(bytes: u64) -> String {
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    format!("{bytes} {unit}")
}

/// The file with how many lines are new and gone. One without lines has its size, and one that stayed as it was nothing.
fn summary(shown: &str, change: &Change) -> String {
    let (added, removed) = (change.added as u64, change.removed as u64);
    match (change.bytes, change.created) {
        (Some(bytes), true) => format!("{shown} · new, {}", size(bytes.after)),
        (Some(bytes), false) => format!("{shown} · {}", size(bytes.after)),
        (None, true) => format!("{shown} · {}", ChangedLines::New { lines: added }),
        (None, false) if (added, removed) == (0, 0) => shown.to_owned(),
        (None, false) => format!("{shown} · {}", ChangedLines::Changed { added, removed }),
    }
}
