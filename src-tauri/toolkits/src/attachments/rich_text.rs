//! RTF: paragraphs, headings, list marks, rows of tables, links, notes and comments, in any code page.
//!
//! Groups that hold no text are passed over: pictures, definitions, headers, hidden and deleted text. A file that
//! ends early is read as far as it goes.

mod group;
mod letters;
mod tokens;

use super::frame::{Findings, Stop};
use super::markdown::{heading, link};
use crate::limits::{DOCUMENT_LINE_BYTES_MAX, DOCUMENT_NOTES_BYTES_MAX, RICH_TEXT_DEPTH_MAX};
use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use group::{Group, Target, is_passed_by};
use letters::{Letters, of_code_page};
use shidi_protocol::AttachmentUnit;
use std::collections::HashMap;
use std::io::Read;
use tokens::{Token, Tokens};

/// Fonts of one document.
const FONTS_MAX: usize = 10_000;

pub(crate) fn read(source: impl Read, findings: &mut Findings<'_>) -> Result<(), Stop> {
    findings.format("rtf", AttachmentUnit::Line)?;
    let mut tokens = Tokens::new(source);
    let mut body = Body::new(findings);
    while let Some(token) = tokens.token()? {
        match token {
            Token::Open => body.open()?,
            Token::Close => {
                body.close()?;
                if body.outer.is_empty() {
                    break;
                }
            }
            Token::Word(name, number) if name == "bin" => {
                tokens.pass_over(u32::try_from(number.unwrap_or(0)).unwrap_or(0))?;
            }
            Token::Word(name, number) => body.word(&name, number)?,
            Token::Symbol(sign) => body.symbol(sign)?,
            Token::Plain(b'\r' | b'\n') => {}
            Token::Plain(byte) | Token::Written(byte) => body.byte(byte),
        }
    }
    body.finish()
}

/// A note or comment that is being read, and the text that goes on behind it.
struct Note {
    depth: usize,
    kind: NoteKind,
    label: String,
    line: String,
    row: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoteKind {
    Note,
    Comment,
}

struct Link {
    depth: usize,
    start: usize,
    address: String,
}

/// The document while its tokens are read.
struct Body<'f, 'a> {
    findings: &'f mut Findings<'a>,
    encoding: &'static Encoding,
    fonts: HashMap<i32, Letters>,
    default_font: i32,
    /// The font whose definition is being read.
    font: i32,
    group: Group,
    outer: Vec<Group>,
    /// Whether the next word opens a group that older programs pass over.
    is_starred: bool,
    /// Bytes of text that are not decoded yet.
    bytes: Vec<u8>,
    /// The first half of a letter that UTF-16 writes as two.
    half: Option<u16>,
    /// Letters to pass over.
    passed: i32,
    line: String,
    row: String,
    mark: String,
    instruction: String,
    links: Vec<Link>,
    note: Option<Note>,
    notes: Vec<String>,
    notes_begun: usize,
    comments: Vec<String>,
    notes_bytes: usize,
    is_cut: bool,
}

impl<'f, 'a> Body<'f, 'a> {
    fn new(findings: &'f mut Findings<'a>) -> Self {
        Self {
            findings,
            encoding: WINDOWS_1252,
            fonts: HashMap::new(),
            default_font: 0,
            font: 0,
            group: Group::new(),
            outer: Vec::new(),
            is_starred: false,
            bytes: Vec::new(),
            half: None,
            passed: 0,
            line: String::new(),
            row: String::new(),
            mark: String::new(),
            instruction: String::new(),
            links: Vec::new(),
            note: None,
            notes: Vec::new(),
            notes_begun: 0,
            comments: Vec::new(),
            notes_bytes: 0,
            is_cut: false,
        }
    }

    fn open(&mut self) -> Result<(), Stop> {
        self.decode();
        self.passed = 0;
        self.is_starred = false;
        if self.outer.len() >= RICH_TEXT_DEPTH_MAX {
            return Err(Stop::broken(format!(
                "groups nested more than {RICH_TEXT_DEPTH_MAX} deep"
            )));
        }
        self.outer.push(self.group);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Stop> {
        self.decode();
        self.passed = 0;
        self.is_starred = false;
        let depth = self.outer.len();
        if let Some(ended) = self.links.pop_if(|link| link.depth == depth) {
            link(&mut self.line, ended.start, &ended.address);
        }
        if self.note.as_ref().is_some_and(|note| note.depth == depth) {
            self.close_note()?;
        }
        if let Some(outer) = self.outer.pop() {
            self.group = outer;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Stop> {
        self.decode();
        self.close_note()?;
        self.end_row()?;
        self.end_line()?;
        for (above, lines) in [("Notes:", self.notes), ("Comments:", self.comments)] {
            if !lines.is_empty() {
                self.findings.line(above)?;
            }
            for line in lines {
                self.findings.line(&line)?;
            }
        }
        if self.is_cut { Err(Stop::Full) } else { Ok(()) }
    }

    fn byte(&mut self, byte: u8) {
        if self.passed > 0 {
            self.passed -= 1;
            return;
        }
        let is_text = !matches!(self.group.target, Target::Fonts | Target::Nowhere);
        if is_text && self.bytes.len() < DOCUMENT_LINE_BYTES_MAX {
            self.bytes.push(byte);
        }
    }

    fn symbol(&mut self, sign: u8) -> Result<(), Stop> {
        match sign {
            b'*' => self.is_starred = true,
            b'\\' | b'{' | b'}' => self.byte(sign),
            // A blank and a dash at which no line breaks.
            b'~' => self.byte(b' '),
            b'_' => self.byte(b'-'),
            b'\r' | b'\n' => self.text_word("par")?,
            b'\t' => self.text_word("tab")?,
            _ => {}
        }
        Ok(())
    }

    fn word(&mut self, name: &str, number: Option<i32>) -> Result<(), Stop> {
        self.passed = 0;
        let is_starred = std::mem::take(&mut self.is_starred);
        if self.group.target == Target::Nowhere {
            return Ok(());
        }
        if is_passed_by(name, is_starred) {
            self.turn(Target::Nowhere);
            return Ok(());
        }
        if self.group.target == Target::Fonts {
            self.font_word(name, number.unwrap_or(0));
            return Ok(());
        }
        match name {
            "fonttbl" => self.turn(Target::Fonts),
            "listtext" | "pntext" => {
                self.turn(Target::Mark);
                self.mark.clear();
            }
            "fldinst" => {
                self.turn(Target::Instruction);
                self.instruction.clear();
            }
            "fldrslt" => self.open_link(),
            "footnote" => self.open_note(NoteKind::Note),
            "annotation" => self.open_note(NoteKind::Comment),
            "u" => {
                self.decode();
                // Numbers above 32,767 are written as negative ones; the lower half is what counts.
                self.unit(u16::try_from(number.unwrap_or(0) & 0xffff).unwrap_or_default());
                self.passed = self.group.fallback;
            }
            "v" | "deleted" => {
                self.decode();
                self.group.take(name, number.unwrap_or(1));
            }
            _ => {
                let number = number.unwrap_or(1);
                if !self.document_word(name, number) && !self.group.take(name, number) {
                    self.text_word(name)?;
                }
            }
        }
        Ok(())
    }

    fn turn(&mut self, target: Target) {
        self.decode();
        self.group.target = target;
    }

    fn font_word(&mut self, name: &str, number: i32) {
        let letters = match name {
            "f" => {
                self.font = number;
                return;
            }
            "fcharset" => Letters::of_charset(number),
            "cpg" => of_code_page(number).map_or(Letters::OfDocument, Letters::Named),
            _ => return,
        };
        if self.fonts.len() < FONTS_MAX {
            self.fonts.insert(self.font, letters);
        }
    }

    /// Takes a word that changes how bytes are read; whether it was one.
    fn document_word(&mut self, name: &str, number: i32) -> bool {
        match name {
            "ansicpg" => self.encoding = of_code_page(number).unwrap_or(self.encoding),
            "mac" => self.encoding = MACINTOSH,
            "deff" => self.default_font = number,
            "f" => self.turn_to_font(number),
            "plain" => {
                self.turn_to_font(self.default_font);
                self.group.is_hidden = false;
                self.group.is_deleted = false;
            }
            _ => return false,
        }
        true
    }

    fn turn_to_font(&mut self, number: i32) {
        self.decode();
        let letters = self.fonts.get(&number).copied();
        self.group.letters = letters.unwrap_or(Letters::OfDocument);
    }

    /// Takes a word that stands for text, or ends some; any other means nothing here.
    fn text_word(&mut self, name: &str) -> Result<(), Stop> {
        let text = match name {
            "tab" => "\t",
            "emdash" => "\u{2014}",
            "endash" => "\u{2013}",
            "lquote" => "\u{2018}",
            "rquote" => "\u{2019}",
            "ldblquote" => "\u{201c}",
            "rdblquote" => "\u{201d}",
            "bullet" => "\u{2022}",
            "emspace" | "enspace" | "qmspace" | "nestcell" | "nestrow" => " ",
            "par" | "line" | "sect" | "page" | "column" | "cell" | "row" => {
                self.decode();
                return self.end(name);
            }
            _ => return Ok(()),
        };
        self.decode();
        self.say(text);
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Stop> {
        match name {
            _ if self.group.target != Target::Line => {}
            "cell" => self.end_cell(),
            "row" => return self.end_row(),
            // A break within a heading, or within a cell, ends no line.
            "line" if self.group.heading > 0 => self.say(" "),
            _ if self.group.in_table => self.say(" "),
            _ => return self.end_line(),
        }
        Ok(())
    }

    fn open_link(&mut self) {
        self.decode();
        let instruction = std::mem::take(&mut self.instruction);
        let led = instruction.trim().strip_prefix("HYPERLINK");
        let quoted = led.and_then(|rest| rest.trim_start().strip_prefix('"'));
        if let Some(address) = quoted.and_then(|rest| rest.split('"').next()) {
            self.links.push(Link {
                depth: self.outer.len(),
                start: self.line.len(),
                address: address.to_owned(),
            });
        }
    }

    fn open_note(&mut self, kind: NoteKind) {
        self.turn(Target::Line);
        if self.note.is_some() {
            return;
        }
        let mut label = String::new();
        if kind == NoteKind::Note {
            self.notes_begun += 1;
            self.say(&format!("[^{}]", self.notes_begun));
            label = format!("[^{}]: ", self.notes_begun);
        }
        self.group.in_table = false;
        self.note = Some(Note {
            depth: self.outer.len(),
            kind,
            label,
            line: std::mem::take(&mut self.line),
            row: std::mem::take(&mut self.row),
        });
    }

    fn close_note(&mut self) -> Result<(), Stop> {
        if self.note.is_none() {
            return Ok(());
        }
        self.end_row()?;
        self.end_line()?;
        if let Some(note) = self.note.take() {
            self.line = note.line;
            self.row = note.row;
        }
        Ok(())
    }

    /// Decodes the bytes of text that were met, in the letters of the group.
    fn decode(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let is_sign = self.group.target == Target::Mark && self.group.letters == Letters::Symbols;
        if is_sign {
            self.say("\u{2022}");
        } else {
            let text = self.group.letters.decoded(&bytes, self.encoding);
            self.say(&text);
        }
    }

    fn unit(&mut self, unit: u16) {
        let first = self.half.take();
        if (0xd800..0xdc00).contains(&unit) {
            self.half = Some(unit);
            return;
        }
        for character in char::decode_utf16(first.into_iter().chain([unit])).flatten() {
            self.say(character.encode_utf8(&mut [0; 4]));
        }
    }

    fn say(&mut self, text: &str) {
        if self.group.is_hidden || self.group.is_deleted {
            return;
        }
        let target = match self.group.target {
            Target::Line => &mut self.line,
            Target::Mark => &mut self.mark,
            Target::Instruction => &mut self.instruction,
            Target::Fonts | Target::Nowhere => return,
        };
        if target.len() < DOCUMENT_LINE_BYTES_MAX {
            target.push_str(text);
        }
    }

    fn end_cell(&mut self) {
        self.links.clear();
        self.mark.clear();
        let cell = std::mem::take(&mut self.line);
        if self.row.len() < DOCUMENT_LINE_BYTES_MAX {
            self.row.push_str(if self.row.is_empty() { "| " } else { " | " });
            self.row.push_str(cell.trim());
        }
    }

    fn end_row(&mut self) -> Result<(), Stop> {
        let row = std::mem::take(&mut self.row);
        if row.chars().all(|character| "| ".contains(character)) {
            return Ok(());
        }
        self.put(format!("{row} |"))
    }

    fn end_line(&mut self) -> Result<(), Stop> {
        self.links.clear();
        let line = std::mem::take(&mut self.line);
        let mark = std::mem::take(&mut self.mark);
        if line.trim().is_empty() {
            return Ok(());
        }
        let level = self.group.level;
        let mark = match mark.trim() {
            "" => String::new(),
            mark if mark.contains(char::is_alphanumeric) => format!("{mark} "),
            _ => "- ".to_owned(),
        };
        let prefix = match self.group.heading {
            0 if mark.is_empty() => String::new(),
            0 => format!("{}{mark}", "  ".repeat(level)),
            level => format!("{}{mark}", heading(level)),
        };
        self.put(format!("{prefix}{}", line.trim()))
    }

    fn put(&mut self, line: String) -> Result<(), Stop> {
        let Some(note) = &mut self.note else {
            return self.findings.line(&line);
        };
        if self.notes_bytes > DOCUMENT_NOTES_BYTES_MAX {
            self.is_cut = true;
            return Ok(());
        }
        self.notes_bytes += line.len();
        let line = format!("{}{line}", std::mem::take(&mut note.label));
        match note.kind {
            NoteKind::Note => self.notes.push(line),
            NoteKind::Comment => self.comments.push(line),
        }
        Ok(())
    }
}
