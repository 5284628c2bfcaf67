//! Reads the text of a command the way a shell would, as far as that can be done without running it.
//!
//! What comes out are simple commands, those inside of substitutions among them, each word with a mark that says
//! whether it is what stands there. It judges nothing; what it can't read to the end it says so.

use std::mem::take;

/// Substitutions and groups within each other; people write two or three.
const DEPTH_MAX: usize = 32;

/// One word of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Quotes and backslashes taken away.
    pub(super) text: String,
    /// Whether something in it is only known when it runs: a variable, a substitution, a pattern of names.
    pub(super) open: bool,
}

/// A program's name with its arguments, and what it is given to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    /// Texts that are handed to it in the command itself.
    pub(super) documents: Vec<String>,
}

/// Nothing more can be said of the text than that it may do anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unread;

/// Every simple command in `text`.
pub(super) fn commands(text: &str) -> Result<Vec<Simple>, Unread> {
    let mut lexer = Lexer {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
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
    /// What ends the innermost list under way.
    close: Option<char>,
    found: Vec<Simple>,
    /// Documents whose text begins with the next line: how each ends, and whether it is taken as it stands.
    documents: Vec<(String, Taken)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    AsItStands,
    WithSubstitutions,
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
                // The label of a case.
                ')' if simple.words.len() == 1 => {
                    self.at += 1;
                    simple = Simple::default();
                }
                ';' | '&' | '|' | ')' => {
                    self.at += 1;
                    self.end(&mut simple);
                }
                '(' => {
                    self.at += 1;
                    self.end(&mut simple);
                    self.list(Some(')'))?;
                }
                '#' => self.skip_comment(),
                '<' | '>' => self.redirection(&mut simple)?,
                _ => {
                    let word = self.word()?;
                    simple.words.push(word);
                }
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
        if !simple.words.is_empty() {
            self.found.push(take(simple));
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|character| character != '\n') {
            self.at += 1;
        }
    }

    /// Where something is written or read: its name is no argument.
    fn redirection(&mut self, simple: &mut Simple) -> Result<(), Unread> {
        let reads = self.next() == Some('<');
        if self.takes('(') {
            self.list(Some(')'))?;
            simple.words.push(Word {
                text: String::new(),
                open: true,
            });
            return Ok(());
        }
        let is_document = reads && self.takes('<');
        let is_text = is_document && self.takes('<');
        let is_indented = is_document && !is_text && self.takes('-');
        while !is_document && matches!(self.peek(), Some('>' | '<' | '&' | '|')) {
            self.at += 1;
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
        if is_text {
            simple.documents.push(word.text);
        } else if is_document {
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

    /// The lines of documents that were announced; they belong to the command that announced them.
    fn read_documents(&mut self, simple: &mut Simple) -> Result<(), Unread> {
        for (end, taken) in take(&mut self.documents) {
            let mut body = String::new();
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
                    break;
                }
                body.push_str(&line);
                body.push('\n');
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

    /// Commands that stand as substitutions in `text`.
    fn inside(&mut self, text: &str) -> Result<(), Unread> {
        let mut inner = Lexer {
            text: text.chars().collect(),
            at: 0,
            depth: self.depth,
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
                // The end of a substitution: another one begins with a backslash there.
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

    /// What follows a `$`.
    fn dollar(&mut self, word: &mut Word) -> Result<(), Unread> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                word.open = true;
                self.list(Some(')'))
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

    /// `${…}`: what stands in it may be a substitution, too.
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
