//! The messages of a reader to its supervisor: one JSON object per line, bounded in number and size.

use crate::limits::{DOCUMENT_LINE_CHARS_MAX, DOCUMENT_PARTS_MAX, DOCUMENT_TEXT_BYTES_MAX};
use serde::{Deserialize, Serialize};
use shidi_protocol::{AttachmentUnit, Unreadable, ends_line};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "frame", rename_all = "snake_case")]
pub(crate) enum Frame {
    /// The format of the content; comes before all other frames.
    Format {
        name: String,
        unit: AttachmentUnit,
    },
    /// A page, slide or sheet begins.
    Part {
        number: u32,
        #[serde(default)]
        name: String,
        #[serde(default)]
        title: String,
    },
    /// Whole lines of the current part.
    Text {
        text: String,
    },
    Progress {
        done: u64,
        total: u64,
    },
    /// A picture, prepared for sending; both copies in base64.
    Picture {
        width: u32,
        height: u32,
        thumbnail: String,
        media_type: String,
        /// The smaller copy. Only where the file itself is too large or of a kind that models don't take.
        prepared: String,
    },
    /// The reader has read everything, or up to its bounds.
    End {
        cut: bool,
    },
    Refused {
        reason: Unreadable,
        detail: String,
    },
}

/// Why a reader stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A bound was reached.
    Full,
    /// The content can't be read.
    Refused(Unreadable, String),
    /// The supervisor no longer listens.
    Unheard,
}

impl Stop {
    pub(crate) fn broken(detail: impl std::fmt::Display) -> Self {
        Self::Refused(Unreadable::Broken, shortened(&detail.to_string()))
    }
}

/// The first characters of a parser's message, on one line.
pub(crate) fn shortened(detail: &str) -> String {
    detail
        .chars()
        .filter(|character| !character.is_control())
        .take(200)
        .collect()
}

/// Takes a reader's findings and bounds them.
pub(crate) struct Findings<'a> {
    tell: &'a mut dyn FnMut(Frame) -> std::io::Result<()>,
    bytes: usize,
    parts: u32,
    pending: String,
    /// Whether any text was found.
    has_text: bool,
    /// Whether titles of parts are text of the document, as those of slides are.
    titles_are_text: bool,
}

/// Bytes of a frame of lines, about.
const PIECE_BYTES: usize = 16 << 10;

impl<'a> Findings<'a> {
    pub(crate) fn new(tell: &'a mut dyn FnMut(Frame) -> std::io::Result<()>) -> Self {
        Self {
            tell,
            bytes: 0,
            parts: 0,
            pending: String::new(),
            has_text: false,
            titles_are_text: false,
        }
    }

    /// Whether any text but white space was found.
    pub(crate) fn has_text(&self) -> bool {
        self.has_text
    }

    pub(crate) fn format(&mut self, name: &str, unit: AttachmentUnit) -> Result<(), Stop> {
        self.titles_are_text = unit == AttachmentUnit::Slide;
        self.say(Frame::Format {
            name: name.to_owned(),
            unit,
        })
    }

    /// Begins a page, slide or sheet.
    pub(crate) fn part(&mut self, number: u32, name: &str, title: &str) -> Result<(), Stop> {
        self.flush()?;
        self.parts += 1;
        if self.parts > DOCUMENT_PARTS_MAX {
            return Err(Stop::Full);
        }
        self.has_text |= self.titles_are_text && !title.trim().is_empty();
        self.say(Frame::Part {
            number,
            name: one_line(name),
            title: one_line(title),
        })
    }

    /// Adds one line of text; line breaks within it become spaces, control characters go.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Stop> {
        let line = one_line(text);
        self.has_text |= !line.trim().is_empty();
        self.bytes += line.len() + 1;
        if self.bytes > DOCUMENT_TEXT_BYTES_MAX {
            self.flush()?;
            return Err(Stop::Full);
        }
        self.pending.push_str(line.trim_end());
        self.pending.push('\n');
        if self.pending.len() > PIECE_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    pub(crate) fn progress(&mut self, done: u64, total: u64) -> Result<(), Stop> {
        self.say(Frame::Progress { done, total })
    }

    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.pending);
        self.say(Frame::Text { text })
    }

    pub(crate) fn say(&mut self, frame: Frame) -> Result<(), Stop> {
        (self.tell)(frame).map_err(|_| Stop::Unheard)
    }
}

fn one_line(text: &str) -> String {
    text.chars()
        .take(DOCUMENT_LINE_CHARS_MAX)
        .filter_map(|character| match character {
            '\t' => Some('\t'),
            end if ends_line(end) => Some(' '),
            other if other.is_control() => None,
            other => Some(other),
        })
        .collect()
}
