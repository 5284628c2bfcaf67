//! `files.grep`: lines that match a pattern.

use super::content::{Content, FolderDocuments};
use super::{CUT, NOT_ALL_SEARCHED, counted};
use crate::arguments::Arguments;
use crate::attachments::Document;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{
    GREP_ALL_BYTES_MAX, GREP_FILE_BYTES_MAX, GREP_LINE_CHARS_MAX, GREP_MATCHES_MAX, PATTERN_CHARS_MAX,
    PATTERN_COMPILED_BYTES_MAX, WALK_DEPTH_MAX,
};
use crate::safe_path::ResolvedPath;
use crate::walk::{Walked, walk};
use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};
use shidi_protocol::CallOutcome;
use std::ops::ControlFlow;
use std::path::Path;

pub(super) fn grep(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let case = if arguments.flag("ignore_case") {
        Case::Ignored
    } else {
        Case::Matters
    };
    let pattern = compiled(arguments.text("pattern"), case)?;
    let mut search = Search {
        pattern,
        matches: Vec::new(),
        files: 0,
        bytes: 0,
        left_out: None,
        cut: None,
    };
    if place.metadata(environment)?.is_dir() {
        search.folder(place, environment)?;
    } else {
        let content = Content::open(place, environment)?;
        search.file(content, &place.name_of(Path::new("")), GREP_ALL_BYTES_MAX);
    }
    Ok(search.outcome())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Matters,
    Ignored,
}

fn compiled(pattern: &str, case: Case) -> Result<Regex, ToolError> {
    let refused = |why: String| ToolError::Pattern(pattern.chars().take(60).collect(), why);
    if pattern.chars().count() > PATTERN_CHARS_MAX {
        return Err(refused("it is longer than 1000 characters".to_owned()));
    }
    RegexBuilder::new(pattern)
        .case_insensitive(case == Case::Ignored)
        .size_limit(PATTERN_COMPILED_BYTES_MAX)
        .build()
        .map_err(|error| {
            refused(
                error
                    .to_string()
                    .lines()
                    .last()
                    .unwrap_or("it is no regular expression")
                    .to_owned(),
            )
        })
}

/// A search under way.
struct Search {
    pattern: Regex,
    matches: Vec<Value>,
    /// Files in which a line matches.
    files: usize,
    bytes: u64,
    /// The item that says which documents were not searched.
    left_out: Option<Value>,
    /// Why the search ended early.
    cut: Option<String>,
}

impl Search {
    fn folder(&mut self, place: &ResolvedPath, environment: &Environment) -> Result<(), ToolError> {
        let mut documents = FolderDocuments::of(environment);
        let walked = walk(&place.leads_to, WALK_DEPTH_MAX, &environment.withheld, |entry| {
            if !entry.kind.is_file() {
                return ControlFlow::Continue(());
            }
            let path = place.leads_to.join(&entry.relative);
            if let Some(content) = documents.open(&path, &entry.relative) {
                self.file(content, &place.name_of(&entry.relative), GREP_FILE_BYTES_MAX);
            }
            if self.cut.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.left_out = documents.left_out(place);
        if walked.map_err(|error| ToolError::io(&place.shown, error))? == Walked::TooMany {
            self.cut = Some("the folder is too large to be searched whole; name one below it".to_owned());
        }
        Ok(())
    }

    /// Searches one file; a file that becomes unreadable half-way counts up to that point.
    fn file(&mut self, mut content: Content, name: &str, bytes_max: u64) {
        let before = self.matches.len();
        let document = content.document.take();
        let read = content.text.each_line(bytes_max, |number, line| {
            self.line(name, number, line, document.as_ref());
            if self.cut.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.files += usize::from(self.matches.len() > before);
        self.bytes += content.text.scanned();
        if read.is_ok() && self.bytes > GREP_ALL_BYTES_MAX && self.cut.is_none() {
            self.cut = Some("1 GiB was searched; name a folder or a file below this one".to_owned());
        }
    }

    fn line(&mut self, name: &str, line: u64, text: &str, document: Option<&Document>) {
        let Some(found) = self.pattern.find(text) else {
            return;
        };
        if self.matches.len() == GREP_MATCHES_MAX {
            self.cut.get_or_insert_with(|| {
                format!("more than {GREP_MATCHES_MAX} lines match; narrow the pattern")
            });
            return;
        }
        let place = document.map_or_else(|| format!("line {line}"), |document| document.place(line, text));
        let shown = window(text, found.start());
        self.matches
            .push(json!({"path": name, "line": line, "place": place, "text": shown}));
    }

    fn outcome(mut self) -> CallOutcome {
        let mut summary = counted(self.matches.len(), "line", "lines");
        if self.files > 0 {
            summary.push_str(&format!(" in {}", counted(self.files, "file", "files")));
        }
        if let Some(left_out) = self.left_out {
            self.matches.push(left_out);
            summary.push_str(NOT_ALL_SEARCHED);
        }
        if let Some(why) = self.cut {
            self.matches
                .push(json!({"path": "", "line": 0, "place": "", "text": format!("{CUT}{why}]")}));
            summary.push_str(", cut");
        }
        CallOutcome::success(self.matches.into(), summary)
    }
}

/// The part of a long line around the byte where the match begins.
fn window(line: &str, start: usize) -> String {
    if line.chars().count() <= GREP_LINE_CHARS_MAX {
        return line.to_owned();
    }
    let before = line[..start]
        .char_indices()
        .rev()
        .nth(GREP_LINE_CHARS_MAX / 4)
        .map_or(0, |(index, _)| index);
    let part: String = line[before..].chars().take(GREP_LINE_CHARS_MAX).collect();
    let head = if before > 0 { "…" } else { "" };
    let tail = if before + part.len() < line.len() {
        "…"
    } else {
        ""
    };
    format!("{head}{part}{tail}")
}
