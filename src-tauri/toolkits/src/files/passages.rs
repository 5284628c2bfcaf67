//! `files.find` and `files.outline`: the ways into a long text.

use super::content::{Content, FolderDocuments};
use super::{CUT, NOT_ALL_SEARCHED, counted};
use crate::arguments::Arguments;
use crate::attachments::{Looking, Passage};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{
    FIND_BYTES_MAX, FIND_PASSAGES_MAX, GREP_FILE_BYTES_MAX, OUTLINE_ENTRIES_MAX, PART_TITLE_CHARS,
    WALK_DEPTH_MAX,
};
use crate::safe_path::ResolvedPath;
use crate::walk::walk;
use regex::Regex;
use serde_json::{Value, json};
use shidi_protocol::CallOutcome;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

pub(super) fn find(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let question = arguments.text("text");
    let limit = usize::try_from(arguments.count("limit", 1..=FIND_PASSAGES_MAX)?).unwrap_or(usize::MAX);
    let mut found: Vec<(Passage, Value)> = Vec::new();
    let mut left_out = None;
    if place.metadata(environment)?.is_dir() {
        let mut documents = FolderDocuments::of(environment);
        let mut bytes = 0;
        let walked = walk(&place.leads_to, WALK_DEPTH_MAX, &environment.withheld, |entry| {
            if entry.kind.is_file()
                && let Some(mut content) =
                    documents.open(&place.leads_to.join(&entry.relative), &entry.relative)
            {
                let name = place.name_of(&entry.relative);
                found.extend(passages(
                    &mut content,
                    &name,
                    question,
                    limit,
                    GREP_FILE_BYTES_MAX,
                ));
                bytes += content.text.scanned();
            }
            if bytes > FIND_BYTES_MAX {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        walked.map_err(|error| ToolError::io(&place.shown, error))?;
        left_out = documents.left_out(place);
    } else {
        let mut content = Content::open(place, environment)?;
        let name = place.name_of(Path::new(""));
        found = passages(&mut content, &name, question, limit, FIND_BYTES_MAX);
    }
    found.sort_by(|(one, _), (other, _)| other.score().total_cmp(&one.score()));
    found.truncate(limit);
    let mut shown: Vec<Value> = found.into_iter().map(|(_, shown)| shown).collect();
    let mut summary = counted(shown.len(), "passage", "passages");
    if let Some(left_out) = left_out {
        shown.push(left_out);
        summary.push_str(NOT_ALL_SEARCHED);
    }
    Ok(CallOutcome::success(shown.into(), summary))
}

fn passages(
    content: &mut Content,
    name: &str,
    question: &str,
    limit: usize,
    bytes_max: u64,
) -> Vec<(Passage, Value)> {
    let mut looking = Looking::new(question);
    let read = content.text.each_line(bytes_max, |number, line| {
        looking.line(number, line);
        ControlFlow::Continue(())
    });
    if read.is_err() {
        return Vec::new();
    }
    let shown = |passage: Passage| {
        let first = passage.text.lines().next().unwrap_or_default();
        let place = content.place(passage.line, first);
        let value =
            json!({"path": name, "line": passage.line, "place": place, "text": passage.text.trim_end()});
        (passage, value)
    };
    looking.best(limit).into_iter().map(shown).collect()
}

/// Lines that head a section in Markdown, or a definition in common programming languages.
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let declared = r"(?:fn|def|class|struct|enum|trait|impl|interface|function|type|func)\s+\w";
    let before = r"(?:pub(?:\([a-z]+\))?\s+|async\s+|export\s+|default\s+|static\s+|public\s+|private\s+)*";
    Regex::new(&format!(r"^(?:#{{1,6}}\s+\S|\s{{0,8}}{before}{declared})")).ok()
});

pub(super) fn outline(place: &ResolvedPath, environment: &Environment) -> Result<CallOutcome, ToolError> {
    let mut content = Content::open(place, environment)?;
    let mut entries = outline_of(&mut content).map_err(|error| ToolError::io(&place.shown, error))?;
    let summary = counted(entries.len(), "entry", "entries");
    if entries.len() > OUTLINE_ENTRIES_MAX {
        entries.truncate(OUTLINE_ENTRIES_MAX);
        let note = format!("{CUT}more than {OUTLINE_ENTRIES_MAX} entries; look for one with files.find]");
        entries.push(json!({"place": "", "title": note, "line": 0}));
    }
    Ok(CallOutcome::success(entries.into(), summary))
}

fn outline_of(content: &mut Content) -> std::io::Result<Vec<Value>> {
    if let Some(document) = content
        .document
        .as_ref()
        .filter(|document| !document.parts().is_empty())
    {
        let entry = |part: &crate::attachments::Part| {
            let place = document.place(u64::from(part.line), "");
            json!({"place": place, "title": part.title, "line": part.line})
        };
        return Ok(document.parts().iter().map(entry).collect());
    }
    let mut entries = Vec::new();
    content.text.each_line(FIND_BYTES_MAX, |number, line| {
        let heads = HEADING.as_ref().is_some_and(|heading| heading.is_match(line));
        if heads {
            let title: String = line.trim().chars().take(PART_TITLE_CHARS).collect();
            entries.push(json!({"place": format!("line {number}"), "title": title, "line": number}));
        }
        if entries.len() > OUTLINE_ENTRIES_MAX {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(entries)
}
