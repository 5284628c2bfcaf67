//! Reads the text of a command as a shell would, as far as possible without running it.
//!
//! The result is the simple commands, including those inside of substitutions. Each word is marked as fixed or
//! as known only at run time. Nothing is judged here; a text that can't be read to its end is an error.

mod redirection;

use redirection::Taken;
use std::mem::take;

/// Deepest substitutions and groups; people write two or three.
const DEPTH_MAX: usize = 32;

/// One word of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// The text without quotes and backslashes.
    pub(super) text: String,
    /// Whether a part of the word is only known at run time: a variable, a substitution, a pattern of names.
    pub(super) open: bool,
}

/// A program's name with its arguments, and its input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    /// Texts that the command itself gives to the program.
    pub(super) documents: Vec<String>,
    /// Files that redirections read, and files that are empty as soon as the command begins.
    pub(super) reads: Vec<Word>,
    pub(super) writes: Vec<Word>,
    /// Whether the redirections belong to a group in brackets.
    pub(super) is_group: bool,
}

/// The text can't be read, so it may do anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unread;

/// Every simple command in `text`.
pub(super) fn commands(text: &str) -> Result<Vec<Simple>, Unread> {
    let mut lexer = Lexer {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
        counting: 0,
        close: None,
        found: Vec::new(),
        documents: Vec::new(),
    };
    lexer.list(None)?;
    Ok(lexer.found)
}

struct Lexer {
    text: Vec<char>,
    at: usize,
    depth: usize,
    /// Depth of arithmetic, in which `<<` shifts a number and announces no document.
    counting: usize,
    /// The sign that ends the innermost list.
    close: Option<char>,
    found: Vec<Simple>,
    /// Documents whose text begins with the next line: the end line of each, and whether its text is taken literally.
    documents: Vec<(String, Taken)>,
}

impl Lexer {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek();
        self.at += usize::from(character.is_some());
        character
    }

    fn takes(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    /// Commands up to `close`, or to the end of the text.
    fn list(&mut self, close: Option<char>) -> Result<(), Unread> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(Unread);
        }
        let around = std::mem::replace(&mut self.close, close);
        let mut simple = Simple::default();
        while let Some(character) = self.peek() {
            if Some(character) == close {
                break;
            }
            match character {
                ' ' | '\t' | '\r' => self.at += 1,
                '\n' => {
                    self.at += 1;
                    self.read_documents(&mut simple)?;
                    self.end(&mut simple);
                }
                // A label of `case`.
                ')' if simple.words.len() == 1 => {
                    self.at += 1;
                    simple = Simple::default();
                }
                // `&>` redirects both streams at once.
                '&' if self.text.get(self.at + 1) == Some(&'>') => self.at += 1,
                ';' | '&' | '|' | ')' => {
                    self.at += 1;
                    self.end(&mut simple);
                }
                '(' => {
                    self.at += 1;
                    self.end(&mut simple);
                    self.brackets()?;
                    simple.is_group = true;
                }
                // Directly after a bracket the sign may be part of a word.
                '#' if !self.follows(')') => self.skip_comment(),
                '<' | '>' => self.redirection(&mut simple)?,
                _ => self.next_word(&mut simple)?,
            }
        }
        self.end(&mut simple);
        if close.is_some() && self.next() != close {
            return Err(Unread);
        }
        self.close = around;
        self.depth -= 1;
        Ok(())
    }

    fn end(&mut self, simple: &mut Simple) {
        let simple = take(simple);
        if !simple.words.is_empty() || !simple.writes.is_empty() {
            self.found.push(simple);
        }
    }

    /// Whether the character before this one is `sign`.
    fn follows(&self, sign: char) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at));
        before == Some(&sign)
    }

    /// Reads the content of brackets; the first bracket is read already. Double brackets are arithmetic.
    fn brackets(&mut self) -> Result<(), Unread> {
        let counts = usize::from(self.peek() == Some('('));
        self.counting += counts;
        let read = self.list(Some(')'));
        self.counting -= counts;
        read
    }

    /// Reads a word of a command. A number directly before a redirection is a stream, and an empty expansion is
    /// no word.
    fn next_word(&mut self, simple: &mut Simple) -> Result<(), Unread> {
        let from = self.at;
        let word = self.word()?;
        let written = self.text.get(from..self.at).unwrap_or_default();
        let is_stream = matches!(self.peek(), Some('<' | '>')) && written.iter().all(char::is_ascii_digit);
        let is_nothing =
            word.text.is_empty() && !word.open && !written.iter().any(|sign| matches!(sign, '\'' | '"'));
        if !is_stream && !is_nothing {
            simple.words.push(word);
        }
        Ok(())
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|character| character != '\n') {
            self.at += 1;
        }
    }

    /// Commands that stand as substitutions in `text`.
    fn inside(&mut self, text: &str) -> Result<(), Unread> {
        let mut inner = Lexer {
            text: text.chars().collect(),
            at: 0,
            depth: self.depth,
            counting: self.counting,
            close: None,
            found: Vec::new(),
            documents: Vec::new(),
        };
        let mut ignored = Word::default();
        while let Some(character) = inner.next() {
            match character {
                '\\' => inner.at += 1,
                '$' => inner.dollar(&mut ignored)?,
                '`' => inner.list(Some('`'))?,
                _ => {}
            }
        }
        self.found.append(&mut inner.found);
        Ok(())
    }

    fn word(&mut self) -> Result<Word, Unread> {
        let mut word = Word::default();
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                // The end of a substitution: a nested one begins with a backslash.
                '`' if self.close == Some('`') => break,
                _ => self.at += 1,
            }
            match character {
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(next) => word.text.push(next),
                    None => return Err(Unread),
                },
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '$' => self.dollar(&mut word)?,
                '`' => {
                    word.open = true;
                    self.list(Some('`'))?;
                }
                '*' | '?' | '[' | '{' => {
                    // A lone brace groups commands, and lone brackets test: they expand to nothing.
                    let is_sign = matches!((character, word.text.as_str()), ('{' | '[', "") | ('[', "["));
                    let ends = self.peek().is_none_or(|next| next.is_whitespace() || next == '[');
                    word.open |= !(is_sign && ends);
                    word.text.push(character);
                }
                other => word.text.push(other),
            }
        }
        Ok(word)
    }

    fn single(&mut self, word: &mut Word) -> Result<(), Unread> {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some(character) => word.text.push(character),
                None => return Err(Unread),
            }
        }
    }

    fn double(&mut self, word: &mut Word) -> Result<(), Unread> {
        loop {
            match self.next() {
                Some('"') => return Ok(()),
                Some('\\') => match self.next() {
                    Some('\n') => {}
                    Some(next @ ('$' | '`' | '"' | '\\')) => word.text.push(next),
                    Some(next) => word.text.extend(['\\', next]),
                    None => return Err(Unread),
                },
                Some('$') => self.dollar(word)?,
                Some('`') => {
                    word.open = true;
                    self.list(Some('`'))?;
                }
                Some(character) => word.text.push(character),
                None => return Err(Unread),
            }
        }
    }

    /// Reads an expansion after `$`.
    fn dollar(&mut self, word: &mut Word) -> Result<(), Unread> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                word.open = true;
                self.brackets()
            }
            Some('{') => {
                self.at += 1;
                word.open = true;
                self.braces()
            }
            Some('\'') => {
                self.at += 1;
                word.open = true;
                self.escaped()
            }
            Some(first) if first.is_ascii_alphanumeric() || "_@*#?$!-".contains(first) => {
                word.open = true;
                self.at += 1;
                while self
                    .peek()
                    .is_some_and(|next| next.is_ascii_alphanumeric() || next == '_')
                {
                    self.at += 1;
                }
                Ok(())
            }
            Some(_) | None => {
                word.text.push('$');
                Ok(())
            }
        }
    }

    /// `${…}`: its content may hold a substitution too.
    fn braces(&mut self) -> Result<(), Unread> {
        let mut ignored = Word::default();
        loop {
            match self.next() {
                Some('}') => return Ok(()),
                Some('\\') => self.at += 1,
                Some('\'') => self.single(&mut ignored)?,
                Some('"') => self.double(&mut ignored)?,
                Some('$') => {
                    self.depth += 1;
                    if self.depth > DEPTH_MAX {
                        return Err(Unread);
                    }
                    self.dollar(&mut ignored)?;
                    self.depth -= 1;
                }
                Some('`') => self.list(Some('`'))?,
                Some(_) => {}
                None => return Err(Unread),
            }
        }
    }

    /// `$'…'`
    fn escaped(&mut self) -> Result<(), Unread> {
        loop {
            match self.next() {
                Some('\'') => return Ok(()),
                Some('\\') => self.at += 1,
                Some(_) => {}
                None => return Err(Unread),
            }
        }
    }
}
