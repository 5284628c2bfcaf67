//! Where the program of an answer begins and ends, line by line: one reading for whole answers and for streams.
//!
//! A program may write texts that hold fences of their own. So a fence closes the program only where no text of
//! the program is open. This reads quotes, comments and escapes; it does not judge Python. In a program whose
//! text never ends, the first fence within that text closes after all, and prose follows.

use super::heads;

pub(super) const FENCE: &str = "```python";
const FENCE_END: &str = "```";

/// A program with the prose before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'a> {
    pub prose: &'a str,
    pub program: String,
    /// Whether a fence closes the program beyond doubt.
    pub closed: bool,
}

/// The first program of an answer.
pub(super) fn block(text: &str) -> Option<Block<'_>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if is_fence(line) {
            let (program, closed) = inner(line, &text[end..]);
            return Some(Block {
                prose: &text[..start],
                program,
                closed,
            });
        }
        start = end;
    }
    None
}

/// Whether a program holds a statement that does something; comments and texts on their own do not.
pub(super) fn holds_statement(program: &str) -> bool {
    let mut quotes = Quotes::default();
    program.lines().any(|line| quotes.read(line) == Read::Code)
}

/// The program that follows the line of its fence, and whether it is closed.
pub(super) fn inner(fence: &str, text: &str) -> (String, bool) {
    let mut reading = Program::opened_by(fence);
    let mut program = String::new();
    for line in text.split_inclusive('\n') {
        if reading.is_closed_by(line) {
            return (program, true);
        }
        program.push_str(&reading.take(line));
    }
    program.push_str(&reading.finish());
    (program, false)
}

pub(super) fn is_fence(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case(FENCE)
}

/// Whether a line that begins with `start` may become a closing fence, or is one.
pub(super) fn may_be_end(start: &str) -> bool {
    FENCE_END.starts_with(start) || start.starts_with(FENCE_END) || heads::may_begin(start)
}

/// A program that is being read.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// The indent before the fence: a block in a list is indented as a whole.
    indent: String,
    /// Whether the program's lines carry the fence's indent; the first line tells.
    carries_indent: Option<bool>,
    /// The current line, as far as it was read.
    line: String,
    quotes: Quotes,
    /// The lines after a fence within a text that is still open.
    doubtful: Option<String>,
}

impl Program {
    pub(super) fn opened_by(fence: &str) -> Self {
        let indent = &fence[..fence.len() - fence.trim_start().len()];
        Self {
            indent: indent.to_owned(),
            ..Self::default()
        }
    }

    /// Whether a line closes the program: its fence, or a head that only others may write.
    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        (line.trim() == FENCE_END || heads::begins(line)) && !self.quotes.are_open()
    }

    /// Whether a text of the program is open.
    pub(super) fn is_within_text(&self) -> bool {
        self.quotes.are_open()
    }

    /// Takes a line or its next piece, and returns the part that belongs to the program beyond doubt. A line's
    /// first piece holds the indent and the text after it.
    pub(super) fn take(&mut self, piece: &str) -> String {
        let begins = self.line.is_empty();
        let bare = if begins { self.without_indent(piece) } else { piece };
        if begins && piece.trim() == FENCE_END {
            self.doubtful.get_or_insert_default();
        }
        self.line.push_str(piece);
        if piece.ends_with('\n') {
            self.quotes.read(&std::mem::take(&mut self.line));
        }
        let Some(doubtful) = &mut self.doubtful else {
            return bare.to_owned();
        };
        doubtful.push_str(bare);
        if self.quotes.are_open() {
            return String::new();
        }
        self.doubtful.take().unwrap_or_default()
    }

    /// The part of the doubtful lines that belongs to the program, when the answer has ended.
    pub(super) fn finish(&mut self) -> String {
        self.quotes.read(&std::mem::take(&mut self.line));
        let rest = self.doubtful.take().unwrap_or_default();
        if self.quotes.are_open() {
            return String::new();
        }
        rest
    }

    fn without_indent<'a>(&mut self, line: &'a str) -> &'a str {
        if !line.trim().is_empty() {
            self.carries_indent
                .get_or_insert_with(|| line.starts_with(&self.indent));
        }
        if self.indent.is_empty() || self.carries_indent == Some(false) {
            return line;
        }
        let bare = line.strip_prefix(self.indent.as_str());
        bare.unwrap_or_else(|| line.trim_start_matches([' ', '\t']))
    }
}

/// The content of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// Comments and texts, or an empty line.
    Words,
    Code,
}

/// The texts of a program, read line by line.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    /// The quote that closes the open text: one, or three.
    open: Option<&'static str>,
}

impl Quotes {
    const ALL: [&'static str; 4] = ["\"\"\"", "'''", "\"", "'"];

    pub(super) fn are_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads a whole line.
    pub(super) fn read(&mut self, line: &str) -> Read {
        let mut rest = line.trim_end_matches(['\n', '\r']);
        let mut goes_on = false;
        let mut found = Read::Words;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            goes_on = false;
            match self.open {
                Some(quote) if rest.starts_with(quote) => {
                    length = quote.len();
                    self.open = None;
                }
                // In a raw text, too, a backslash keeps the following quote from closing.
                Some(_) if first == '\\' => {
                    length += rest[length..].chars().next().map_or(0, char::len_utf8);
                    goes_on = length == rest.len() && length == first.len_utf8();
                }
                Some(_) => {}
                None if first == '#' => break,
                None => {
                    self.open = Self::ALL.into_iter().find(|quote| rest.starts_with(quote));
                    length = self.open.map_or(length, str::len);
                    if self.open.is_none() && !first.is_whitespace() && !opens_plain_text(rest) {
                        found = Read::Code;
                    }
                }
            }
            rest = &rest[length..];
        }
        // A text of one line ends with the line, unless a backslash continues it.
        if self.open.is_some_and(|quote| quote.len() == 1) && !goes_on {
            self.open = None;
        }
        found
    }
}

/// Whether a letter before a quote, as in `r"…"`, leaves a plain text; an `f"…"` may call functions.
fn opens_plain_text(rest: &str) -> bool {
    let after = rest.trim_start_matches(['r', 'R', 'b', 'B', 'u', 'U']);
    after.starts_with(['"', '\'']) && rest.len() - after.len() <= 2
}
