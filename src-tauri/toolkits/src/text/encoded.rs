//! A whole text with the encoding in which it is written back.

use super::sniff;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A text as it was found in a file.
pub(crate) struct EncodedText {
    pub(crate) text: String,
    encoding: &'static Encoding,
    /// Whether the bytes begin with a byte order mark.
    marked: bool,
}

impl EncodedText {
    /// # Errors
    /// The kind of bytes that are no text, or that the bytes would not be written back unchanged.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self, &'static str> {
        let encoding = sniff(bytes)?;
        let mark = Encoding::for_bom(bytes).map_or(0, |(_, length)| length);
        let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
        let found = Self {
            text: text.into_owned(),
            encoding,
            marked: mark > 0,
        };
        match found.encoded(&found.text) {
            Ok(again) if again == bytes => Ok(found),
            Ok(_) | Err(_) => Err("some of its bytes are no text in its encoding"),
        }
    }

    /// `text` in the same encoding.
    ///
    /// # Errors
    /// The first character that the encoding lacks.
    pub(crate) fn encoded(&self, text: &str) -> Result<Vec<u8>, char> {
        let mut bytes = Vec::with_capacity(text.len() + 3);
        let mark = if self.marked { "\u{feff}" } else { "" };
        let units = || mark.encode_utf16().chain(text.encode_utf16());
        if self.encoding == UTF_8 {
            bytes.extend(mark.bytes().chain(text.bytes()));
        } else if self.encoding == UTF_16LE {
            bytes.extend(units().flat_map(u16::to_le_bytes));
        } else if self.encoding == UTF_16BE {
            bytes.extend(units().flat_map(u16::to_be_bytes));
        } else {
            let (encoded, _, replaced) = self.encoding.encode(text);
            if replaced {
                return Err(self.without_place(text));
            }
            bytes.extend_from_slice(&encoded);
        }
        Ok(bytes)
    }

    /// The name of the encoding, as people write it.
    pub(crate) fn name(&self) -> &'static str {
        self.encoding.name()
    }

    fn without_place(&self, text: &str) -> char {
        let has_none = |character: &char| self.encoding.encode(&character.to_string()).2;
        text.chars().find(has_none).unwrap_or_default()
    }
}
