//! The tokens of RTF: groups, control words with their numbers, bytes of text.

use super::super::frame::Stop;
use std::io::{BufReader, Bytes, Read};

/// Letters of a control word, as the format bounds them.
const WORD_LETTERS_MAX: usize = 32;

pub(super) enum Token {
    Open,
    Close,
    /// A control word without its backslash, and its number.
    Word(String, Option<i32>),
    /// A backslash before something that is no letter.
    Symbol(u8),
    /// A byte of text that is written as two digits.
    Written(u8),
    /// A byte of the file.
    Plain(u8),
}

pub(super) struct Tokens<R> {
    bytes: Bytes<BufReader<R>>,
    /// Bytes that were read too far, the next one last.
    back: Vec<u8>,
}

impl<R: Read> Tokens<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            bytes: BufReader::new(source).bytes(),
            back: Vec::new(),
        }
    }

    /// The next token; `None` at the end.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(super) fn token(&mut self) -> Result<Option<Token>, Stop> {
        let Some(byte) = self.byte()? else {
            return Ok(None);
        };
        match byte {
            b'{' => Ok(Some(Token::Open)),
            b'}' => Ok(Some(Token::Close)),
            b'\\' => self.control(),
            other => Ok(Some(Token::Plain(other))),
        }
    }

    /// Passes over bytes that are no RTF.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(super) fn pass_over(&mut self, count: u32) -> Result<(), Stop> {
        for _ in 0..count {
            if self.byte()?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<Option<u8>, Stop> {
        match self.back.pop() {
            Some(byte) => Ok(Some(byte)),
            None => self.bytes.next().transpose().map_err(Stop::broken),
        }
    }

    fn control(&mut self) -> Result<Option<Token>, Stop> {
        let Some(first) = self.byte()? else {
            return Ok(None);
        };
        if first == b'\'' {
            let behind = [self.byte()?, self.byte()?];
            if let [Some(high), Some(low)] = behind.map(digit) {
                return Ok(Some(Token::Written(high * 16 + low)));
            }
            self.back.extend(behind.into_iter().rev().flatten());
            return Ok(Some(Token::Symbol(first)));
        }
        if !first.is_ascii_alphabetic() {
            return Ok(Some(Token::Symbol(first)));
        }
        let mut name = char::from(first).to_string();
        let mut next = self.byte()?;
        while let Some(letter) = next.filter(u8::is_ascii_alphabetic) {
            if name.len() < WORD_LETTERS_MAX {
                name.push(char::from(letter));
            }
            next = self.byte()?;
        }
        let number = self.number(&mut next)?;
        if next != Some(b' ') {
            self.back.extend(next);
        }
        Ok(Some(Token::Word(name, number)))
    }

    /// The number behind a control word; `next` is the byte behind the word, then the one behind the number.
    fn number(&mut self, next: &mut Option<u8>) -> Result<Option<i32>, Stop> {
        let is_negative = *next == Some(b'-');
        if is_negative {
            let behind = self.byte()?;
            if !behind.is_some_and(|byte| byte.is_ascii_digit()) {
                // A dash of the text.
                self.back.extend(behind);
                return Ok(None);
            }
            *next = behind;
        }
        let mut number: Option<i32> = None;
        while let Some(byte) = next.filter(u8::is_ascii_digit) {
            let before = number.unwrap_or(0).saturating_mul(10);
            number = Some(before.saturating_add(i32::from(byte - b'0')));
            *next = self.byte()?;
        }
        Ok(number.map(|number| if is_negative { -number } else { number }))
    }
}

fn digit(byte: Option<u8>) -> Option<u8> {
    let digit = char::from(byte?).to_digit(16)?;
    u8::try_from(digit).ok()
}
