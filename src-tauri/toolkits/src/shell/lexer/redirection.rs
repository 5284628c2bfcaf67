//! Redirections: a command's files besides its arguments, and texts that the command itself holds.

use super::{Lexer, Simple, Unread, Word};
use std::mem::take;

/// The name that a command gets for a process substitution.
const STREAM: &str = "/dev/fd/63";

/// Characters that are read back of a word before a redirection.
const WORD_READ_BACK_MAX: usize = 256;

/// How a redirection treats the file that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Reads,
    Empties,
    /// Writes to an open stream; empties a file if the next word names one.
    Joins,
    /// Keeps the file's content.
    Adds,
}

impl Way {
    fn of(reads: bool) -> Self {
        match reads {
            true => Self::Reads,
            false => Self::Empties,
        }
    }

    fn with(self, sign: char) -> Self {
        match (self, sign) {
            (Self::Empties, '&') => Self::Joins,
            (Self::Empties, '|') => Self::Empties,
            (_, _) => Self::Adds,
        }
    }

    fn keep(self, word: Word, simple: &mut Simple) {
        let is_stream = word
            .text
            .trim_end_matches('-')
            .chars()
            .all(|sign| sign.is_ascii_digit());
        match self {
            Self::Reads => simple.reads.push(word),
            Self::Empties => simple.writes.push(word),
            Self::Joins if !is_stream || word.open => simple.writes.push(word),
            Self::Joins | Self::Adds => {}
        }
    }
}

/// How a document's text is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    AsItStands,
    WithSubstitutions,
}

impl Lexer {
    /// Reads a redirection: its file name is no argument.
    pub(super) fn redirection(&mut self, simple: &mut Simple) -> Result<(), Unread> {
        let counts = self.counting > 0 || self.counts_off();
        let reads = self.next() == Some('<');
        if self.takes('(') {
            self.list(Some(')'))?;
            simple.words.push(Word {
                text: STREAM.to_owned(),
                open: true,
            });
            return Ok(());
        }
        let is_document = reads && !counts && self.takes('<');
        let is_text = is_document && self.takes('<');
        let is_indented = is_document && !is_text && self.takes('-');
        let mut way = Way::of(reads);
        while !is_document && let Some(sign @ ('>' | '<' | '&' | '|')) = self.peek() {
            self.at += 1;
            way = way.with(sign);
        }
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        let from = self.at;
        let word = match self.peek() {
            Some('(') => return Ok(()),
            Some(_) => self.word()?,
            None => return Ok(()),
        };
        if counts {
            // The sign is a comparison, which names no file.
        } else if !is_document {
            way.keep(word, simple);
        } else if is_text {
            simple.documents.push(word.text);
        } else {
            let written = self.text.get(from..self.at).unwrap_or_default();
            let is_quoted = written
                .iter()
                .any(|character| matches!(character, '\'' | '"' | '\\'));
            let taken = match is_quoted {
                true => Taken::AsItStands,
                false => Taken::WithSubstitutions,
            };
            let end = if is_indented {
                format!("\t{}", word.text)
            } else {
                word.text
            };
            self.documents.push((end, taken));
        }
        Ok(())
    }

    /// Reads the lines of announced documents; they belong to the command that announced them.
    pub(super) fn read_documents(&mut self, simple: &mut Simple) -> Result<(), Unread> {
        for (end, taken) in take(&mut self.documents) {
            let mut body = String::new();
            let mut is_whole = false;
            while self.peek().is_some() {
                let mut line = String::new();
                while let Some(character) = self.next().filter(|character| *character != '\n') {
                    line.push(character);
                }
                let ends = match end.strip_prefix('\t') {
                    Some(end) => line.trim_start_matches('\t') == end,
                    None => line == end,
                };
                if ends {
                    is_whole = true;
                    break;
                }
                body.push_str(&line);
                body.push('\n');
            }
            // A document without an end may be no document at all.
            if !is_whole {
                return Err(Unread);
            }
            if taken == Taken::WithSubstitutions {
                self.inside(&body)?;
            }
            let owner = match simple.words.is_empty() {
                true => self.found.last_mut(),
                false => Some(&mut *simple),
            };
            if let Some(owner) = owner {
                owner.documents.push(body);
            }
        }
        Ok(())
    }

    /// Whether the current word has opened an index, as in `a[1<<2]`. True for a word too long to be read back.
    fn counts_off(&self) -> bool {
        let from = self.at.saturating_sub(WORD_READ_BACK_MAX);
        let before = self.text.get(from..self.at).unwrap_or_default();
        let is_end = |sign: &char| sign.is_whitespace() || ";&|()".contains(*sign);
        let begins = before.iter().rposition(is_end);
        let word = before.get(begins.map_or(0, |at| at + 1)..).unwrap_or_default();
        let open = word.iter().fold(0_usize, |open, sign| match sign {
            '[' => open + 1,
            ']' => open.saturating_sub(1),
            _ => open,
        });
        open > 0 || begins.is_none() && from > 0
    }
}
