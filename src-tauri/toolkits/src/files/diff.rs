//! `files.diff`: the changes that a text would make to a file, as a patch.

use super::{CUT, counted};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{DIFF_BYTES_MAX, DIFF_TIME};
use crate::safe_path::ResolvedPath;
use crate::text::{EncodedText, media_type};
use shidi_protocol::CallOutcome;
use similar::TextDiff;
use std::io::Read as _;
use std::path::Path;

pub(super) fn diff(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let mut bytes = Vec::new();
    let mut head = place.open(environment)?.take(DIFF_BYTES_MAX + 1);
    head.read_to_end(&mut bytes)
        .map_err(|error| ToolError::io(&place.shown, error))?;
    if bytes.len() as u64 > DIFF_BYTES_MAX {
        return Err(ToolError::TooLarge(shown));
    }
    let found = EncodedText::of(&bytes).map_err(|kind| ToolError::NotText {
        path: shown.clone(),
        kind,
        bytes: bytes.len() as u64,
    })?;
    let before = found.text.replace("\r\n", "\n");
    let after = arguments.text("text").replace("\r\n", "\n");
    let diff = of(&before, &after);
    let unified = diff.unified_diff().header(&shown, &shown).to_string();
    let hunks = unified.lines().filter(|line| line.starts_with("@@")).count();
    Ok(CallOutcome::success(
        bounded(unified).into(),
        format!("{shown} · {}", counted(hunks, "change", "changes")),
    ))
}

/// The difference of a file's content from its earlier content, for people; at most [`DIFF_BYTES_MAX`]. What is no text
/// has none.
#[must_use]
pub fn unified(path: &Path, before: &[u8], after: &[u8]) -> String {
    let (Some(before), Some(after)) = (text_of(before), text_of(after)) else {
        return String::new();
    };
    let (before, after) = (before.replace("\r\n", "\n"), after.replace("\r\n", "\n"));
    let shown = path.display().to_string();
    let diff = of(&before, &after);
    bounded(diff.unified_diff().header(&shown, &shown).to_string())
}

/// The text that bytes are, whatever its encoding; a byte or two out of place don't make it something else. `None` for what
/// is no text.
pub(super) fn text_of(bytes: &[u8]) -> Option<String> {
    match EncodedText::of(bytes) {
        Ok(found) => Some(found.text),
        Err(_) if bytes.contains(&0) || media_type(bytes).is_some() => None,
        Err(_) => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn bounded(mut unified: String) -> String {
    let most = usize::try_from(DIFF_BYTES_MAX).unwrap_or(usize::MAX);
    if unified.len() > most {
        unified.truncate(unified.floor_char_boundary(most));
        unified.push_str(&format!("\n{CUT}more changes follow]"));
    }
    unified
}

/// The difference of two texts, line by line. Where comparing takes too long, the result gets coarser.
pub(super) fn of<'text>(before: &'text str, after: &'text str) -> TextDiff<'text, 'text, str> {
    TextDiff::configure().timeout(DIFF_TIME).diff_lines(before, after)
}
