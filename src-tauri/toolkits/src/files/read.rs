//! `files.read`: the lines of one text file.

use super::content::Content;
use super::{CUT, counted};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::READ_TEXT_BYTES_MAX;
use crate::safe_path::ResolvedPath;
use crate::text::{Ending, Lines};
use serde_json::Value;
use shidi_protocol::CallOutcome;

pub(super) fn read(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let first = arguments.count("offset_line", 1..=u64::from(u32::MAX))?;
    let limit = arguments.count("limit_lines", 1..=u64::from(u32::MAX))?;
    let mut content = Content::open(place, environment)?;
    let range = content.range(&wanted_part(arguments), &place.shown)?;
    let (from, limit) = range.map_or((first, limit), |(begin, end)| {
        (
            begin + first - 1,
            limit.min(end.saturating_sub(begin + first - 1)),
        )
    });
    let mut lines = content
        .text
        .lines(from, limit, READ_TEXT_BYTES_MAX, &place.shown)?;
    let asked_for_part = arguments.was_passed("limit_lines") || range.is_some();
    let note = cut_note(
        &lines,
        first,
        if asked_for_part { Part::Asked } else { Part::Whole },
    );
    let mut summary = format!(
        "{} · {}",
        place.shown.display(),
        counted(lines.count as usize, "line", "lines")
    );
    if content.text.replaced() {
        summary.push_str(", some bytes undecodable");
    }
    if lines.ending != Ending::File {
        summary.push_str(", more follow");
    }
    if let Some(note) = note {
        if !lines.text.ends_with('\n') {
            lines.text.push('\n');
        }
        lines.text.push_str(&note);
    }
    Ok(CallOutcome::success(lines.text.into(), summary))
}

/// The page, slide or sheet that the program named, as a number or as text.
fn wanted_part(arguments: &Arguments<'_>) -> String {
    match arguments.any("part") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(_) | None => String::new(),
    }
}

/// The part of the file that the program asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The whole file.
    Whole,
    /// As many lines as the program named.
    Asked,
}

/// The last line of a text that ends earlier than the program asked.
fn cut_note(lines: &Lines, first: u64, part: Part) -> Option<String> {
    let next = first + lines.count;
    match (lines.ending, part) {
        (Ending::File, _) | (Ending::Lines, Part::Asked) => None,
        (Ending::Bytes, _) if lines.count <= 1 && !lines.text.ends_with('\n') => Some(format!(
            "{CUT}line {first} is longer than {READ_TEXT_BYTES_MAX} bytes; read on with offset_line={next}]"
        )),
        (Ending::Lines | Ending::Bytes, _) => Some(format!(
            "{CUT}this is line {first} to {}; read on with offset_line={next}]",
            next - 1
        )),
    }
}
