//! Tables and JSON: each record is a piece; queries name its values by columns or keys.

use super::{Piece, Take, says_deprecated};
use crate::attachments::cells_of;
use crate::limits::{RECORD_FIELDS_MAX, SCRIPT_CHARS_MAX};
use crate::text::TextFile;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::ControlFlow;

/// Keys of a record that say whether it still holds.
const STATES: &[&str] = &["status", "state", "状态"];
const FLAGS: &[&str] = &["deprecated", "obsolete", "废弃", "作废"];

/// Decoded text, as bytes in UTF-8.
struct Utf8 {
    text: TextFile,
    piece: Vec<u8>,
    at: usize,
}

impl Utf8 {
    fn new(text: TextFile) -> Self {
        Self {
            text,
            piece: Vec::new(),
            at: 0,
        }
    }
}

impl Read for Utf8 {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at >= self.piece.len() {
            match self.text.next_piece()? {
                Some(piece) => self.piece = piece.into_bytes(),
                None => return Ok(0),
            }
            self.at = 0;
        }
        let left = self.piece.get(self.at..).unwrap_or_default();
        let taken = left.len().min(into.len());
        into.iter_mut().zip(left).for_each(|(to, from)| *to = *from);
        self.at += taken;
        Ok(taken)
    }
}

/// Cuts a table of text: the first row names the columns.
pub(super) fn each_table(text: TextFile, separator: u8, take: &mut Take<'_>) -> io::Result<()> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .has_headers(false)
        .from_reader(Utf8::new(text));
    let mut columns: Option<Vec<String>> = None;
    for record in reader.records() {
        let record = record.map_err(io::Error::other)?;
        let line = record.position().map_or(0, csv::Position::line);
        let Some(columns) = &columns else {
            columns = Some(record.iter().map(|name| name.trim().to_owned()).collect());
            continue;
        };
        let fields = fields_of(columns, record.iter());
        if !fields.is_empty() && take(record_piece(fields, format!("line {line}"), String::new())).is_break()
        {
            break;
        }
    }
    Ok(())
}

/// Values by the names of their columns; empty ones are left out.
fn fields_of<'a>(columns: &[String], values: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let mut fields = Map::new();
    for (index, value) in values.enumerate().take(RECORD_FIELDS_MAX) {
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        let name = columns.get(index).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("column {}", index + 1), String::clone);
        fields.insert(name, Value::String(value.to_owned()));
    }
    fields
}

fn record_piece(fields: Map<String, Value>, place: String, heading: String) -> Piece {
    let mut text = String::new();
    for (name, value) in &fields {
        let shown = match value {
            Value::String(value) => value.clone(),
            other => other.to_string(),
        };
        let room = SCRIPT_CHARS_MAX.saturating_sub(text.len());
        let shown: String = shown.chars().take(room).collect();
        writeln!(text, "{name}: {shown}").unwrap_or_default();
    }
    let is_deprecated = fields.iter().any(|(name, value)| {
        let name = name.to_lowercase();
        let says = value.as_str().is_some_and(|value| says_deprecated(value.trim()));
        let is_set = value == &Value::Bool(true)
            || value
                .as_str()
                .is_some_and(|value| matches!(value.to_lowercase().as_str(), "true" | "yes" | "是"));
        (STATES.contains(&name.as_str()) && says) || (FLAGS.contains(&name.as_str()) && is_set)
    });
    Piece {
        heading,
        text: text.trim_end().to_owned(),
        place,
        fields,
        is_deprecated,
    }
}

/// Cuts the reader's lines of a workbook. A line per row, which begins with its number, stands below a line
/// with the sheet's name.
pub(super) struct Sheet<'a, 't> {
    place: &'a dyn Fn(u64, &str) -> String,
    take: &'a mut Take<'t>,
    name: String,
    columns: Option<Vec<String>>,
}

impl<'a, 't> Sheet<'a, 't> {
    pub(super) fn new(place: &'a dyn Fn(u64, &str) -> String, take: &'a mut Take<'t>) -> Self {
        Self {
            place,
            take,
            name: String::new(),
            columns: None,
        }
    }

    pub(super) fn line(&mut self, number: u64, line: &str) -> ControlFlow<()> {
        if let Some(name) = line.strip_prefix("[sheet ") {
            let name = name.trim_end_matches(']');
            self.name = name.split_once(' ').map_or(name, |(_, name)| name).to_owned();
            self.columns = None;
            return ControlFlow::Continue(());
        }
        let Some((_, cells)) = cells_of(line) else {
            return ControlFlow::Continue(());
        };
        let Some(columns) = &self.columns else {
            self.columns = Some(cells);
            return ControlFlow::Continue(());
        };
        let fields = fields_of(columns, cells.iter().map(String::as_str));
        if fields.is_empty() {
            return ControlFlow::Continue(());
        }
        (self.take)(record_piece(
            fields,
            (self.place)(number, line),
            self.name.clone(),
        ))
    }
}

/// Cuts JSON: elements of the outermost list, entries of the outermost object, or lines of JSON Lines.
pub(super) fn each_json(text: TextFile, take: &mut Take<'_>) -> io::Result<()> {
    let mut reader = BufReader::new(Utf8::new(text));
    // Lists are read element by element. A second value after the first one means JSON Lines.
    let mut number = 0;
    let mut values = 0;
    while !reader.fill_buf()?.is_empty() {
        let mut visit = Outermost {
            number: &mut number,
            is_line: values > 0,
            take,
            stopped: false,
        };
        let mut json = serde_json::Deserializer::from_reader(&mut reader);
        let ended = (&mut visit).deserialize(&mut json);
        let stopped = visit.stopped;
        match ended {
            Err(_) if stopped => return Ok(()),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            Ok(()) => values += 1,
        }
        skip_blank(&mut reader)?;
    }
    Ok(())
}

fn skip_blank(reader: &mut impl io::BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let blank = buffer
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let all = blank == buffer.len();
        if buffer.is_empty() {
            return Ok(());
        }
        reader.consume(blank);
        if !all {
            return Ok(());
        }
    }
}

/// Splits the outermost value without ever holding all of it.
struct Outermost<'a, 't> {
    number: &'a mut u64,
    is_line: bool,
    take: &'a mut Take<'t>,
    stopped: bool,
}

impl Outermost<'_, '_> {
    fn give<E: serde::de::Error>(&mut self, heading: String, value: Value) -> Result<(), E> {
        *self.number += 1;
        let place = format!("record {}", self.number);
        let piece = match value {
            Value::Object(fields) => record_piece(fields, place, heading),
            other => {
                let text = match other {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                Piece {
                    heading,
                    text: text.chars().take(SCRIPT_CHARS_MAX).collect(),
                    place,
                    ..Piece::default()
                }
            }
        };
        if (self.take)(piece).is_break() {
            self.stopped = true;
            return Err(E::custom("enough"));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Outermost<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Outermost<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while let Some(value) = elements.next_element::<Value>()? {
            self.give(String::new(), value)?;
        }
        Ok(())
    }

    /// An object of objects counts as a list with names. Any other object is one record, and so is a line of
    /// JSON Lines.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut own = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            match value {
                Value::Object(_) if !self.is_line => self.give(key, value)?,
                Value::Array(values) if !self.is_line && values.iter().any(Value::is_object) => {
                    for value in values {
                        self.give(key.clone(), value)?;
                    }
                }
                value if own.len() < RECORD_FIELDS_MAX => {
                    own.insert(key, value);
                }
                _ => {}
            }
        }
        if own.is_empty() {
            return Ok(());
        }
        self.give(String::new(), Value::Object(own))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.give(String::new(), Value::String(text.to_owned()))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<(), E> {
        self.give(String::new(), number.into())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        self.give(String::new(), number.into())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        self.give(String::new(), number.into())
    }

    fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<(), E> {
        self.give(String::new(), flag.into())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        Ok(())
    }
}
