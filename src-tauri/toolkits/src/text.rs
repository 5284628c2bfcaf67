//! Bytes to text. The head of a file tells its encoding, and the file is decoded piece by piece, never as a
//! whole.
//!
//! UTF-8 and UTF-16 are recognised by their own rules, other encodings (GBK, Big5, Shift-JIS, …) by frequency.
//! A file that is no text is refused, with the name of its kind.

mod encoded;

pub(crate) use encoded::EncodedText;

use crate::error::ToolError;
use crate::limits::{CHUNK_BYTES, FEW_SIGNS_BYTES, LINE_BYTES_MAX, READ_SCAN_BYTES_MAX, SNIFF_BYTES};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, EUC_JP, EUC_KR, Encoding, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

/// A file that turned out to be text.
pub(crate) struct TextFile {
    file: File,
    /// Bytes that were read to tell the encoding, and are not decoded yet.
    head: Vec<u8>,
    decoder: Decoder,
    ended: bool,
    /// Bytes decoded so far.
    scanned: u64,
    /// Whether some bytes did not fit the encoding and were replaced by `�`.
    replaced: bool,
}

/// Consecutive lines of a text file, line breaks as `\n`.
pub(crate) struct Lines {
    pub(crate) text: String,
    pub(crate) count: u64,
    pub(crate) ending: Ending,
}

/// Where a piece of text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the end of the file.
    File,
    /// After the requested number of lines; more follow.
    Lines,
    /// At the limit of bytes; more follow.
    Bytes,
}

impl TextFile {
    /// Reads the head of `file` and tells its encoding.
    ///
    /// # Errors
    /// A file that is not text, or can't be read.
    pub(crate) fn of(mut file: File, shown: &Path) -> Result<Self, ToolError> {
        let head = read_head(&mut file).map_err(|error| ToolError::io(shown, error))?;
        Self::begun(file, head, shown)
    }

    /// The same for a file of which [`read_head`] has just read the head.
    ///
    /// # Errors
    /// A file that is not text.
    pub(crate) fn begun(file: File, head: Vec<u8>, shown: &Path) -> Result<Self, ToolError> {
        let encoding = sniff(&head).map_err(|kind| ToolError::NotText {
            path: shown.display().to_string(),
            kind,
            bytes: file.metadata().map_or(head.len() as u64, |facts| facts.len()),
        })?;
        Ok(Self {
            file,
            head,
            decoder: encoding.new_decoder_with_bom_removal(),
            ended: false,
            scanned: 0,
            replaced: false,
        })
    }

    /// A file that is known to be UTF-8.
    pub(crate) fn utf_8(file: File) -> Self {
        Self {
            file,
            head: Vec::new(),
            decoder: UTF_8.new_decoder_without_bom_handling(),
            ended: false,
            scanned: 0,
            replaced: false,
        }
    }

    /// Passes the remaining lines to `visit`, one by one, until it breaks or `bytes_max` bytes were read.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(crate) fn each_line(
        &mut self,
        bytes_max: u64,
        mut visit: impl FnMut(u64, &str) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut number = 1;
        let mut rest = String::new();
        while let Some(piece) = self.next_piece()? {
            rest.push_str(&piece);
            let whole = rest.rfind('\n').map_or(0, |end| end + 1);
            for line in rest.get(..whole).unwrap_or_default().lines() {
                if visit(number, line).is_break() {
                    return Ok(());
                }
                number += 1;
            }
            rest.drain(..whole);
            if rest.len() > LINE_BYTES_MAX {
                rest.truncate(rest.floor_char_boundary(LINE_BYTES_MAX));
            }
            if self.scanned >= bytes_max {
                break;
            }
        }
        if !rest.is_empty() {
            // This is the last line, so the visitor's answer no longer matters.
            if visit(number, &rest).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    pub(crate) fn scanned(&self) -> u64 {
        self.scanned
    }

    pub(crate) fn replaced(&self) -> bool {
        self.replaced
    }

    /// Decodes the next bytes; `None` at the end.
    ///
    /// # Errors
    /// A file that can't be read.
    pub(crate) fn next_piece(&mut self) -> io::Result<Option<String>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.head);
        if bytes.is_empty() {
            bytes = read_up_to(&mut self.file, CHUNK_BYTES)?;
        }
        self.ended = bytes.is_empty();
        self.scanned += bytes.len() as u64;
        let room = self
            .decoder
            .max_utf8_buffer_length(bytes.len())
            .unwrap_or(bytes.len() * 4);
        let mut piece = String::with_capacity(room);
        let (_, _, replaced) = self.decoder.decode_to_string(&bytes, &mut piece, self.ended);
        self.replaced |= replaced;
        Ok(Some(piece))
    }

    /// Reads up to `limit` lines from line `first` (from 1) on, and at most `bytes_max` bytes of text.
    ///
    /// # Errors
    /// A file that can't be read, or a first line beyond the scan's bound.
    pub(crate) fn lines(
        &mut self,
        first: u64,
        limit: u64,
        bytes_max: usize,
        shown: &Path,
    ) -> Result<Lines, ToolError> {
        let mut taken = Taking {
            text: String::new(),
            first,
            limit,
            bytes_max,
            line: 1,
        };
        while let Some(piece) = self.next_piece().map_err(|error| ToolError::io(shown, error))? {
            if let Some(ending) = taken.take(&piece) {
                return Ok(taken.finish(ending));
            }
            if self.scanned > READ_SCAN_BYTES_MAX && taken.line < first {
                let path = shown.display().to_string();
                return Err(ToolError::TooFar {
                    path,
                    line: first,
                    bytes: READ_SCAN_BYTES_MAX,
                });
            }
        }
        Ok(taken.finish(Ending::File))
    }
}

/// Names the kind of a file by its first bytes, as a media type; `None` for a possible text.
pub(crate) fn media_type(head: &[u8]) -> Option<&'static str> {
    const MARKS: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"BM", "image/bmp"),
        (b"%PDF-", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1f\x8b", "application/gzip"),
        (b"\x7fELF", "application/x-executable"),
        (b"SQLite format 3\0", "application/vnd.sqlite3"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    ];
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some("image/webp");
    }
    MARKS
        .iter()
        .find(|(mark, _)| head.starts_with(mark))
        .map(|(_, name)| *name)
        .filter(|name| *name != "image/bmp" || is_bitmap(head))
}

/// Whether a head is a bitmap's. Two letters are no proof, as a text may begin with "BMW"; the header's size is.
fn is_bitmap(head: &[u8]) -> bool {
    let header = head.get(14..18).and_then(|bytes| bytes.try_into().ok());
    header.is_some_and(|bytes| matches!(u32::from_le_bytes(bytes), 12 | 40 | 52 | 56 | 64 | 108 | 124))
}

/// Whether a character is a Chinese one (or a kana), which is written without spaces around it.
pub(crate) fn is_han(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Reads as many bytes as are needed to tell a file's kind.
///
/// # Errors
/// A file that can't be read.
pub(crate) fn read_head(file: &mut File) -> io::Result<Vec<u8>> {
    read_up_to(file, SNIFF_BYTES)
}

/// Tells the encoding of a text by its head; the error names the kind of any other file.
pub(crate) fn sniff(head: &[u8]) -> Result<&'static Encoding, &'static str> {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return Ok(encoding);
    }
    if let Some(media_type) = media_type(head) {
        return Err(media_type);
    }
    if let Some(encoding) = utf_16_without_mark(head) {
        return Ok(encoding);
    }
    let is_control =
        |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x08 | 0x0c | 0x1b);
    if head.contains(&0) || head.iter().filter(is_control).count() * 20 > head.len() {
        return Err("binary content");
    }
    if is_utf_8_so_far(head) {
        return Ok(UTF_8);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(head, head.len() < SNIFF_BYTES);
    let guessed = detector.guess(None, Utf8Detection::Deny);
    // A few signs may be of several East Asian encodings. Who works with Chinese files has some that are so short.
    let signs = head.iter().filter(|byte| !byte.is_ascii()).count();
    if signs <= FEW_SIGNS_BYTES && [EUC_KR, EUC_JP, SHIFT_JIS].contains(&guessed) {
        return Ok(detector.guess(Some(b"cn"), Utf8Detection::Deny));
    }
    Ok(guessed)
}

/// UTF-16 of mostly Latin text has a NUL in nearly every second byte.
fn utf_16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    let pairs = head.len() / 2;
    let nuls_at = |offset: usize| {
        head.iter()
            .skip(offset)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    match (nuls_at(0), nuls_at(1)) {
        (0, low) if pairs > 0 && low * 5 > pairs * 2 => Some(UTF_16LE),
        (high, 0) if pairs > 0 && high * 5 > pairs * 2 => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether `head` is UTF-8, perhaps cut within its last character.
fn is_utf_8_so_far(head: &[u8]) -> bool {
    match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && head.len() == SNIFF_BYTES,
    }
}

fn read_up_to(file: &mut File, bytes: usize) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    file.by_ref().take(bytes as u64).read_to_end(&mut read)?;
    Ok(read)
}

/// Lines that are being joined into one text.
struct Taking {
    text: String,
    first: u64,
    limit: u64,
    bytes_max: usize,
    /// The line of the next character.
    line: u64,
}

impl Taking {
    /// Takes the wanted part of `piece`; returns how the text ended if no more is wanted.
    fn take(&mut self, piece: &str) -> Option<Ending> {
        for part in piece.split_inclusive('\n') {
            if self.line >= self.first {
                if self.line - self.first >= self.limit {
                    return Some(Ending::Lines);
                }
                if self.text.len() + part.len() > self.bytes_max {
                    let room = self.bytes_max - self.text.len();
                    self.text.push_str(&part[..part.floor_char_boundary(room)]);
                    return Some(Ending::Bytes);
                }
                self.text.push_str(part);
            }
            if part.ends_with('\n') {
                self.line += 1;
            }
        }
        None
    }

    /// The finished lines. A text cut by bytes ends with its last complete line, if it has one.
    fn finish(mut self, ending: Ending) -> Lines {
        if ending == Ending::Bytes
            && let Some(end) = self.text.rfind('\n')
        {
            self.text.truncate(end + 1);
        }
        let text = if self.text.contains("\r\n") {
            self.text.replace("\r\n", "\n")
        } else {
            self.text
        };
        let count = text.lines().count() as u64;
        Lines { text, count, ending }
    }
}

#[cfg(test)]
mod tests;
