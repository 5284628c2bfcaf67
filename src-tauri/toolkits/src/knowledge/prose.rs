//! Text with headings: each section is a piece; a long section is several, cut at the ends of paragraphs. A
//! script stays whole.

use super::{Piece, Take, says_deprecated};
use crate::limits::{PIECE_CHARS, SCRIPT_CHARS_MAX};
use std::ops::ControlFlow;

/// Levels of headings in Markdown.
const LEVELS: usize = 6;
/// Characters of an underline that makes a heading of the line above.
const UNDERLINE_LEAST: usize = 3;
const SEPARATOR: &str = " › ";

/// Cuts text line by line.
pub(super) struct Prose<'a, 't> {
    place: &'a dyn Fn(u64, &str) -> String,
    take: &'a mut Take<'t>,
    headings: Vec<Heading>,
    /// The current piece, and the line where it begins.
    text: String,
    chars: usize,
    first: Option<(u64, String)>,
    /// The fence that opened the current script.
    fence: Option<String>,
    /// The two head lines of the current table, which are repeated when the table is cut.
    table: Vec<String>,
    /// Whether the current line is in the front matter, and whether the front matter declares the document
    /// deprecated.
    front_matter: bool,
    is_deprecated: bool,
}

struct Heading {
    level: usize,
    title: String,
    is_deprecated: bool,
}

impl<'a, 't> Prose<'a, 't> {
    pub(super) fn new(place: &'a dyn Fn(u64, &str) -> String, take: &'a mut Take<'t>) -> Self {
        Self {
            place,
            take,
            headings: Vec::new(),
            text: String::new(),
            chars: 0,
            first: None,
            fence: None,
            table: Vec::new(),
            front_matter: false,
            is_deprecated: false,
        }
    }

    pub(super) fn line(&mut self, number: u64, line: &str) -> ControlFlow<()> {
        if number == 1 && line.trim_end() == "---" {
            self.front_matter = true;
            return ControlFlow::Continue(());
        }
        if self.front_matter {
            self.front_matter_line(line);
            return ControlFlow::Continue(());
        }
        if self.fence.is_some() || fence_of(line).is_some() {
            return self.script_line(number, line);
        }
        if let Some((level, title)) = heading_of(line) {
            self.flush()?;
            self.enter(level, title);
            return ControlFlow::Continue(());
        }
        if let Some((level, title)) = self.underlined(line) {
            self.flush()?;
            self.enter(level, &title);
            return ControlFlow::Continue(());
        }
        if let Some(title) = part_mark(line) {
            self.flush()?;
            self.table.clear();
            if !title.is_empty() {
                self.enter(1, title);
            }
            return ControlFlow::Continue(());
        }
        self.plain_line(number, line)
    }

    /// Gives out the last piece, whether or not the receiver wants more.
    pub(super) fn finish(mut self) {
        if self.flush().is_break() {}
    }

    fn front_matter_line(&mut self, line: &str) {
        let line = line.trim();
        if line == "---" || line == "..." {
            self.front_matter = false;
        } else if let Some((key, value)) = line.split_once(':') {
            let value = value.trim().trim_matches(['"', '\'']);
            match key.trim().to_lowercase().as_str() {
                "title" => self.enter(1, value),
                "deprecated" => self.is_deprecated |= value.eq_ignore_ascii_case("true"),
                "status" => self.is_deprecated |= says_deprecated(value),
                _ => {}
            }
        }
    }

    fn script_line(&mut self, number: u64, line: &str) -> ControlFlow<()> {
        let closes = self.fence.as_ref().is_some_and(|fence| {
            let line = line.trim();
            line.starts_with(fence.as_str())
                && line
                    .trim_start_matches(fence.chars().next().unwrap_or('`'))
                    .is_empty()
        });
        if self.fence.is_none() {
            self.fence = fence_of(line);
            // A script stays with the sentence before it, unless that text is a full piece already.
            if self.chars > PIECE_CHARS {
                self.flush()?;
            }
        }
        self.push(number, line);
        if closes {
            self.fence = None;
        }
        if self.chars > SCRIPT_CHARS_MAX {
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    fn plain_line(&mut self, number: u64, line: &str) -> ControlFlow<()> {
        let is_blank = line.trim().is_empty();
        let is_row = line.trim_start().starts_with('|');
        if is_row && self.table.len() < 2 {
            self.table.push(line.to_owned());
        } else if !is_row {
            self.table.clear();
        }
        if is_blank {
            if self.chars >= PIECE_CHARS / 2 {
                self.flush()?;
            } else if !self.text.is_empty() {
                self.push(number, "");
            }
            return ControlFlow::Continue(());
        }
        let chars = line.chars().count();
        if self.chars > 0 && self.chars + chars > PIECE_CHARS {
            self.flush()?;
            if is_row && self.table.len() == 2 {
                for head in self.table.clone() {
                    self.push(number, &head);
                }
            }
        }
        if chars <= PIECE_CHARS {
            self.push(number, line);
            return ControlFlow::Continue(());
        }
        for sentences in sentences_of(line) {
            self.push(number, sentences);
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    /// The heading of a line underlined with `=` or `-`; the line is taken out of the text.
    fn underlined(&mut self, line: &str) -> Option<(usize, String)> {
        let line = line.trim_end();
        let level = match line.chars().next()? {
            '=' => 1,
            '-' => 2,
            _ => return None,
        };
        let is_rule =
            line.len() >= UNDERLINE_LEAST && line.chars().all(|character| line.starts_with(character));
        let text = self.text.strip_suffix('\n').filter(|_| is_rule)?;
        let begin = text.rfind('\n').map_or(0, |at| at + 1);
        let title = text.get(begin..)?.trim().to_owned();
        let stands_alone = begin == 0 || text.get(..begin)?.ends_with("\n\n");
        if title.is_empty() || title.starts_with('|') || !stands_alone {
            return None;
        }
        self.text.truncate(begin);
        Some((level, title))
    }

    fn enter(&mut self, level: usize, title: &str) {
        self.headings.retain(|heading| heading.level < level);
        self.headings.push(Heading {
            level,
            title: title.to_owned(),
            is_deprecated: says_deprecated(title),
        });
    }

    fn push(&mut self, number: u64, line: &str) {
        if self.first.is_none() {
            self.first = Some((number, line.to_owned()));
        }
        self.chars += line.chars().count();
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn forget(&mut self) {
        self.text.clear();
        self.chars = 0;
        self.first = None;
    }

    fn flush(&mut self) -> ControlFlow<()> {
        let text = self.text.trim_end().to_owned();
        let first = self.first.take();
        self.forget();
        let Some((number, line)) = first.filter(|_| !text.trim().is_empty()) else {
            return ControlFlow::Continue(());
        };
        let titles: Vec<&str> = self
            .headings
            .iter()
            .map(|heading| heading.title.as_str())
            .collect();
        let is_deprecated = self.is_deprecated
            || self.headings.iter().any(|heading| heading.is_deprecated)
            || text.lines().next().is_some_and(says_deprecated);
        (self.take)(Piece {
            heading: titles.join(SEPARATOR),
            place: (self.place)(number, &line),
            text,
            is_deprecated,
            ..Piece::default()
        })
    }
}

/// The backticks or tildes with which a line opens a script.
fn fence_of(line: &str) -> Option<String> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let fence: String = line.chars().take_while(|character| *character == mark).collect();
    (fence.len() >= 3).then_some(fence)
}

fn heading_of(line: &str) -> Option<(usize, &str)> {
    let level = line.chars().take_while(|character| *character == '#').count();
    let title = line.get(level..)?;
    if level == 0 || level > LEVELS || !title.starts_with([' ', '\t']) {
        return None;
    }
    let title = title.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then_some((level, title))
}

/// The title of a page or slide, if the line is its mark.
fn part_mark(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("[p. ")
        .or_else(|| line.strip_prefix("[slide "))?;
    let (number, title) = rest.split_once(']')?;
    number.parse::<u32>().ok()?;
    Some(title.trim())
}

/// A long line in parts of at most [`PIECE_CHARS`], cut after a sentence where there is one.
fn sentences_of(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((limit, _)) = rest.char_indices().nth(PIECE_CHARS) {
        let window = rest.get(..limit).unwrap_or(rest);
        let end = window
            .char_indices()
            .filter(|(_, character)| matches!(character, '。' | '！' | '？' | '；' | '.' | '!' | '?' | ';'))
            .map(|(at, character)| at + character.len_utf8())
            .next_back()
            .or_else(|| window.rfind(' ').map(|at| at + 1))
            .unwrap_or(limit);
        let (part, next) = rest.split_at(end);
        parts.push(part);
        rest = next;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}
