//! JSON-like values as flat bytes, written item by item and read the same way.
//!
//! A tree decoded by `serde` would recurse as deeply as its sender wants, and take memory before the bytes are
//! known to be valid. This reader gives one item at a time; a caller that builds a tree counts the depth.

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Deepest nesting of values, in levels: the default bound of `serde_json`, less a margin.
pub const MAX_DEPTH: usize = 120;
/// Items in one value: about a hundred MB of memory once it is a tree.
pub const MAX_ITEMS: usize = 1_000_000;

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INTEGER: u8 = 3;
const UNSIGNED: u8 = 4;
const NUMBER: u8 = 5;
const TEXT: u8 = 6;
const LIST: u8 = 7;
const DICT: u8 = 8;

/// One value.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Packed(Vec<u8>);

/// One step through a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Item<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    /// An integer above `i64::MAX`.
    Unsigned(u64),
    Number(f64),
    Text(&'a str),
    /// A list; as many values follow.
    List(usize),
    /// A dict; as many pairs follow, each a text and a value.
    Dict(usize),
}

/// Bytes that are no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Malformed {}

impl Packed {
    /// Reads the value from its start.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            rest: &self.0,
            items: 0,
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes bytes unchecked; reading them tells whether they are a value.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({} bytes)", self.0.len())
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Packed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a value")
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Packed, E> {
                Ok(Packed(bytes.to_vec()))
            }
            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Packed, E> {
                Ok(Packed(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Bytes).map_err(D::Error::custom)
    }
}

/// Writes a value item by item; the caller must give true counts of lists and dicts.
#[derive(Debug, Default)]
pub struct Packer(Vec<u8>);

impl Packer {
    pub fn item(&mut self, item: Item<'_>) {
        match item {
            Item::Null => self.0.push(NULL),
            Item::Boolean(false) => self.0.push(FALSE),
            Item::Boolean(true) => self.0.push(TRUE),
            Item::Integer(value) => self.fixed(INTEGER, value.to_le_bytes()),
            Item::Unsigned(value) => self.fixed(UNSIGNED, value.to_le_bytes()),
            Item::Number(value) => self.fixed(NUMBER, value.to_bits().to_le_bytes()),
            Item::Text(text) => {
                self.count(TEXT, text.len());
                self.0.extend_from_slice(text.as_bytes());
            }
            Item::List(count) => self.count(LIST, count),
            Item::Dict(count) => self.count(DICT, count),
        }
    }

    #[must_use]
    pub fn finish(self) -> Packed {
        Packed(self.0)
    }

    /// Bytes written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn fixed(&mut self, tag: u8, bytes: [u8; 8]) {
        self.0.push(tag);
        self.0.extend_from_slice(&bytes);
    }

    fn count(&mut self, tag: u8, count: usize) {
        self.0.push(tag);
        self.0
            .extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    }
}

/// Reads a value item by item.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
    items: usize,
}

impl<'a> Reader<'a> {
    /// The next item.
    ///
    /// # Errors
    /// When the bytes end early, hold no item, count more children than bytes follow, or pass [`MAX_ITEMS`].
    pub fn item(&mut self) -> Result<Item<'a>, Malformed> {
        self.items += 1;
        if self.items > MAX_ITEMS {
            return Err(Malformed("a value has too many items"));
        }
        let (&tag, rest) = self.rest.split_first().ok_or(Malformed("a value ends early"))?;
        self.rest = rest;
        Ok(match tag {
            NULL => Item::Null,
            FALSE => Item::Boolean(false),
            TRUE => Item::Boolean(true),
            INTEGER => Item::Integer(i64::from_le_bytes(self.fixed()?)),
            UNSIGNED => Item::Unsigned(u64::from_le_bytes(self.fixed()?)),
            NUMBER => Item::Number(f64::from_bits(u64::from_le_bytes(self.fixed()?))),
            TEXT => {
                let length = self.count(1)?;
                let (text, rest) = self.rest.split_at(length);
                self.rest = rest;
                Item::Text(std::str::from_utf8(text).map_err(|_| Malformed("a text is not UTF-8"))?)
            }
            LIST => Item::List(self.count(1)?),
            DICT => Item::Dict(self.count(2)?),
            _ => return Err(Malformed("an item has an unknown tag")),
        })
    }

    /// Whether the value has been read to its end.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.rest.is_empty()
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (bytes, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or(Malformed("a value ends early"))?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// Reads a count of children, each at least `bytes_each` long.
    fn count(&mut self, bytes_each: usize) -> Result<usize, Malformed> {
        let count = u32::from_le_bytes(self.fixed()?) as usize;
        if count.saturating_mul(bytes_each) > self.rest.len() {
            return Err(Malformed("a count is larger than what follows"));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
