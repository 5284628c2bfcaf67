//! Source files: each function or other definition at the outermost level is a piece, with the comment above it.
//!
//! Indentation tells definitions, since programs of every language have it; no grammar is needed.

use super::{Piece, Take};
use crate::limits::{PIECE_CHARS, SCRIPT_CHARS_MAX};
use std::ops::ControlFlow;

const ENDINGS: &[&str] = &[
    "bash", "bat", "c", "cc", "cpp", "cs", "css", "dart", "ex", "go", "h", "hpp", "java", "jl", "js", "jsx",
    "kt", "lua", "m", "mjs", "php", "pl", "ps1", "py", "r", "rb", "rs", "scala", "sh", "sql", "svelte",
    "swift", "ts", "tsx", "vue", "zig",
];
const DEPRECATED: &[&str] = &[
    "@deprecated",
    "@Deprecated",
    "#[deprecated",
    "[Obsolete",
    "DEPRECATED",
];

/// Whether files with this ending are programs.
pub(super) fn is_code(ending: &str) -> bool {
    ENDINGS.contains(&ending)
}

/// Cuts a program line by line.
pub(super) struct Code<'a, 't> {
    take: &'a mut Take<'t>,
    text: String,
    chars: usize,
    first: u64,
    /// The first line of the piece that is no comment: it names the definition.
    name: String,
    /// Whether the line before was blank, so that an unindented line begins a new piece.
    after_blank: bool,
    /// The start of a comment that may belong to the next definition: its place in the text, and its line.
    comment: Option<(usize, u64)>,
}

impl<'a, 't> Code<'a, 't> {
    pub(super) fn new(take: &'a mut Take<'t>) -> Self {
        Self {
            take,
            text: String::new(),
            chars: 0,
            first: 1,
            name: String::new(),
            after_blank: true,
            comment: None,
        }
    }

    pub(super) fn line(&mut self, number: u64, line: &str) -> ControlFlow<()> {
        let is_blank = line.trim().is_empty();
        let is_outermost =
            line.starts_with(|first: char| !first.is_whitespace() && !matches!(first, '}' | ')' | ']'));
        let begins = is_outermost && self.after_blank && !self.name.is_empty();
        if (begins && self.is_whole(line)) || self.chars > SCRIPT_CHARS_MAX {
            self.flush()?;
        } else if begins && is_comment(line) {
            self.comment = Some((self.text.len(), number));
        } else if let Some((at, first)) = self.comment.filter(|_| is_outermost && !is_comment(line)) {
            self.comment = None;
            if is_definition(line) {
                let comment = self.text.split_off(at);
                self.flush()?;
                self.first = first;
                self.chars = comment.chars().count();
                self.text = comment;
            }
        }
        if self.text.is_empty() {
            if is_blank {
                return ControlFlow::Continue(());
            }
            self.first = number;
        }
        if self.name.is_empty() && !is_blank && !is_comment(line) {
            line.trim().clone_into(&mut self.name);
        }
        self.chars += line.chars().count();
        self.text.push_str(line);
        self.text.push('\n');
        self.after_blank = is_blank;
        ControlFlow::Continue(())
    }

    /// Whether the lines so far are a piece by themselves: small statements in a row stay together.
    fn is_whole(&self, next: &str) -> bool {
        let has_body = self.text.lines().any(|line| line.starts_with([' ', '\t']));
        has_body || self.chars > PIECE_CHARS || is_definition(next)
    }

    /// Gives out the last piece, whether or not the receiver wants more.
    pub(super) fn finish(mut self) {
        if self.flush().is_break() {}
    }

    fn flush(&mut self) -> ControlFlow<()> {
        let text = std::mem::take(&mut self.text).trim_end().to_owned();
        let name = std::mem::take(&mut self.name);
        self.chars = 0;
        self.comment = None;
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        (self.take)(Piece {
            heading: name.trim_end_matches(['{', ':', ' ']).to_owned(),
            place: format!("line {}", self.first),
            is_deprecated: DEPRECATED.iter().any(|mark| text.contains(mark)),
            text,
            ..Piece::default()
        })
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "--", "/*", "*", "\"\"\"", "@"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether a line defines something in most languages.
fn is_definition(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "abstract",
        "async",
        "class",
        "const fn",
        "def",
        "enum",
        "export",
        "final",
        "fn",
        "func",
        "fun",
        "function",
        "impl",
        "interface",
        "mod",
        "module",
        "object",
        "private",
        "protected",
        "pub",
        "public",
        "sealed",
        "static",
        "struct",
        "trait",
        "type",
        "unsafe",
    ];
    let line = line.to_lowercase();
    WORDS.iter().any(|word| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with(|next: char| !next.is_alphanumeric() && next != '_'))
    }) || ["create ", "alter "].iter().any(|word| line.starts_with(word))
}
