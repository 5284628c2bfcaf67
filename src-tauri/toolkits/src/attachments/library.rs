//! Keeps the text of documents, so that a question, a search and a page each cost no second reading.
//!
//! Each document has two files. Its text holds one part after the other, each under a line with its place. Its
//! index says where the parts begin. Both files can be made again at any time, so they are bounded and dropped
//! without asking.

use super::format::Format;
use super::frame::Frame;
use super::supervise::{Ended, supervise};
use crate::error::ToolError;
use crate::limits::{
    DOCUMENT_BYTES_MAX, LATE_DOCUMENT_AGAIN, LATE_DOCUMENT_SEARCHED_AGAIN, LIBRARY_BYTES_MAX,
    PART_TITLE_CHARS,
};
use crate::regular_file::open_regular;
use base64::Engine as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shidi_atomic_write::Draft;
use shidi_protocol::{AttachmentUnit, Unreadable};
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The version of the kept files and of the readers' output: it changes with either.
const VERSION: u32 = 3;

/// The folder of the texts, and the program that reads documents.
#[derive(Debug, Clone)]
pub struct Library {
    folder: PathBuf,
    reader: PathBuf,
}

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Document {
    index: Index,
    text: PathBuf,
}

/// A page, slide or sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub number: u32,
    /// Name of a sheet; `hidden` for a slide that is not shown.
    pub name: String,
    /// The part's heading, or its first line, shortened.
    pub title: String,
    /// The line of the text that tells the part's place, from 1.
    pub line: u32,
}

/// A picture that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureFacts {
    pub width: u32,
    pub height: u32,
    /// A data URL.
    pub thumbnail: String,
    /// The copy that is sent in place of the file: its media type and path.
    pub prepared: Option<(String, PathBuf)>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Index {
    format: String,
    unit: AttachmentUnit,
    parts: Vec<Part>,
    lines: u32,
    bytes: u64,
    /// Whether only the document's beginning was read.
    cut: bool,
    picture: Option<PictureFacts>,
    /// Why the document could not be read.
    refused: Option<(Unreadable, String)>,
}

impl Library {
    /// A library in `folder`, filled by `reader`, a program that calls [`super::reader::run_if_asked`].
    #[must_use]
    pub fn new(folder: PathBuf, reader: PathBuf) -> Self {
        Self { folder, reader }
    }

    /// Reads a document, or finds its kept text. `progress` hears how many parts are done, and of how many.
    ///
    /// # Errors
    /// Why the document can't be read.
    pub fn open(
        &self,
        path: &Path,
        shown: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Document, ToolError> {
        self.open_after(LATE_DOCUMENT_AGAIN, path, shown, progress)
    }

    /// The same for a search through a folder, which waits longer before it tries a late document again.
    ///
    /// # Errors
    /// Why the document can't be read.
    pub(crate) fn open_for_search(&self, path: &Path, shown: &Path) -> Result<Document, ToolError> {
        self.open_after(LATE_DOCUMENT_SEARCHED_AGAIN, path, shown, &mut |_, _| {})
    }

    fn open_after(
        &self,
        again: Duration,
        path: &Path,
        shown: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Document, ToolError> {
        let file = open_regular(path, shown)?;
        let metadata = file.metadata().map_err(|error| ToolError::io(shown, error))?;
        let unread = |reason, detail: String| ToolError::Unread {
            path: shown.display().to_string(),
            reason,
            detail,
        };
        if metadata.len() == 0 {
            return Err(unread(Unreadable::Empty, String::new()));
        }
        if metadata.len() > DOCUMENT_BYTES_MAX {
            let detail = format!(
                "{} MB; documents of up to {} MB are read",
                metadata.len() >> 20,
                DOCUMENT_BYTES_MAX >> 20
            );
            return Err(unread(Unreadable::Huge, detail));
        }
        let key = key(path, &metadata);
        let index = match self.known(&key, again) {
            Some(index) => index,
            None => {
                let failed = |error: io::Error| {
                    unread(Unreadable::Failed, format!("{}: {error}", self.folder.display()))
                };
                self.read(file, path, &key, progress).map_err(failed)?
            }
        };
        match index.refused {
            Some((reason, detail)) => Err(unread(reason, detail)),
            None => Ok(Document {
                index,
                text: self.folder.join(format!("{key}.txt")),
            }),
        }
    }

    /// Drops all kept texts.
    ///
    /// # Errors
    /// A folder that can't be emptied.
    pub fn clear(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// What is kept of a document. That it took too long holds for `again`: the computer may have been busy.
    fn known(&self, key: &str, again: Duration) -> Option<Index> {
        let path = self.folder.join(format!("{key}.json"));
        let index: Index = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let is_late = matches!(index.refused, Some((Unreadable::TimedOut, _)));
        let holds = !is_late || age(&path).is_some_and(|age| age < again);
        holds.then_some(index)
    }

    fn read(
        &self,
        file: File,
        path: &Path,
        key: &str,
        progress: &mut dyn FnMut(u64, u64),
    ) -> io::Result<Index> {
        self.make_room()?;
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().into_owned());
        let mut taking = Taking::new(&self.folder, key)?;
        let mut failure: Option<io::Error> = None;
        let ended = supervise(&self.reader, file, &ending.unwrap_or_default(), &mut |frame| {
            if let Frame::Progress { done, total } = frame {
                progress(done, total);
                return ControlFlow::Continue(());
            }
            match taking.take(frame) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        taking.finish(ended, &self.folder.join(format!("{key}.json")))
    }

    /// Creates the folder, and drops the oldest documents when there are too many.
    fn make_room(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o700))?;
        }
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            if let Ok(facts) = entry.metadata() {
                let changed = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                kept.push((changed, facts.len(), entry.path()));
            }
        }
        let mut bytes: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        if bytes <= LIBRARY_BYTES_MAX {
            return Ok(());
        }
        kept.sort();
        for (_, size, path) in kept {
            fs::remove_file(&path).or_else(|error| match error.kind() {
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })?;
            bytes -= size;
            if bytes <= LIBRARY_BYTES_MAX / 2 {
                break;
            }
        }
        Ok(())
    }
}

impl Document {
    #[must_use]
    pub fn format(&self) -> &str {
        &self.index.format
    }

    /// The facts of a picture; `None` for a document with text.
    #[must_use]
    pub fn picture(&self) -> Option<&PictureFacts> {
        self.index.picture.as_ref()
    }

    #[must_use]
    pub fn unit(&self) -> AttachmentUnit {
        self.index.unit
    }

    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.index.parts
    }

    /// Lines of the document's text, including the lines that tell places.
    #[must_use]
    pub fn lines(&self) -> u32 {
        self.index.lines
    }

    /// Bytes of the document's text.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.index.bytes
    }

    /// Whether only the document's beginning was read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.index.cut
    }

    /// Opens the document's text.
    ///
    /// # Errors
    /// When the text was dropped meanwhile.
    pub fn text(&self) -> io::Result<File> {
        File::open(&self.text)
    }

    /// The part that a number or a sheet's name means, and the line after the part's last one.
    #[must_use]
    pub fn part(&self, named: &str) -> Option<(&Part, u32)> {
        let wanted = named.trim();
        let index = self
            .index
            .parts
            .iter()
            .position(|part| self.index.unit == AttachmentUnit::Sheet && part.name == wanted)
            .or_else(|| {
                let number: u32 = wanted.parse().ok()?;
                self.index.parts.iter().position(|part| part.number == number)
            })?;
        let end = self
            .index
            .parts
            .get(index + 1)
            .map_or(self.index.lines + 1, |next| next.line);
        Some((self.index.parts.get(index)?, end))
    }

    /// The place of a line as an answer cites it: `p. 3`, `slide 3`, `收入!12`, `line 12`.
    #[must_use]
    pub fn place(&self, line: u64, text: &str) -> String {
        let before = self
            .index
            .parts
            .partition_point(|part| u64::from(part.line) <= line);
        let part = before
            .checked_sub(1)
            .and_then(|index| self.index.parts.get(index));
        let Some(part) = part else {
            return format!("line {line}");
        };
        match self.index.unit {
            AttachmentUnit::Page => format!("p. {}", part.number),
            AttachmentUnit::Slide => format!("slide {}", part.number),
            AttachmentUnit::Sheet => match row_of(text) {
                Some(row) => format!("{}!{row}", part.name),
                None => part.name.clone(),
            },
            AttachmentUnit::Line | AttachmentUnit::Row | AttachmentUnit::File => format!("line {line}"),
        }
    }
}

/// The time since a file was written; `None` where the clock was set back meanwhile.
fn age(path: &Path) -> Option<Duration> {
    path.metadata().ok()?.modified().ok()?.elapsed().ok()
}

/// The row's number, with which its line begins.
fn row_of(text: &str) -> Option<u32> {
    text.split_once(" |")?.0.parse().ok()
}

fn key(path: &Path, metadata: &fs::Metadata) -> String {
    let mut hash = Sha256::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    let changed = metadata
        .modified()
        .ok()
        .and_then(|moment| moment.duration_since(SystemTime::UNIX_EPOCH).ok());
    let changed = changed.map_or(0, |since| since.as_nanos());
    hash.update(format!("\0{VERSION}\0{}\0{changed}", metadata.len()));
    hex::encode(&hash.finalize()[..16])
}

/// A text and its index while they are written to the disk.
struct Taking {
    folder: PathBuf,
    key: String,
    index: Index,
    draft: Draft,
}

impl Taking {
    fn new(folder: &Path, key: &str) -> io::Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            key: key.to_owned(),
            index: Index::default(),
            draft: Draft::begin(&folder.join(format!("{key}.txt")))?,
        })
    }

    fn take(&mut self, frame: Frame) -> io::Result<()> {
        match frame {
            Frame::Format { name, unit } => {
                self.index.format = name;
                self.index.unit = unit;
            }
            Frame::Part { number, name, title } => self.part(number, name, title)?,
            Frame::Text { text } => {
                if let Some(part) = self.index.parts.last_mut().filter(|part| part.title.is_empty()) {
                    let first = text
                        .lines()
                        .find(|line| !line.trim().is_empty())
                        .unwrap_or_default();
                    part.title = first.trim().chars().take(PART_TITLE_CHARS).collect();
                }
                self.write(&text)?;
            }
            Frame::Picture {
                width,
                height,
                thumbnail,
                media_type,
                prepared,
            } => self.picture(width, height, thumbnail, media_type, &prepared)?,
            Frame::Progress { .. } | Frame::End { .. } | Frame::Refused { .. } => {}
        }
        Ok(())
    }

    fn part(&mut self, number: u32, name: String, title: String) -> io::Result<()> {
        let line = self.index.lines + 1;
        let mark = match self.index.unit {
            AttachmentUnit::Slide if name.is_empty() => format!("[slide {number}] {title}\n"),
            AttachmentUnit::Slide => format!("[slide {number}, {name}] {title}\n"),
            AttachmentUnit::Sheet if title.is_empty() => format!("[sheet {name}]\n"),
            AttachmentUnit::Sheet => format!("[sheet {name}, {title}]\n"),
            AttachmentUnit::Page | AttachmentUnit::Line | AttachmentUnit::Row | AttachmentUnit::File => {
                format!("[p. {number}]\n")
            }
        };
        self.index.parts.push(Part {
            number,
            name,
            title: title.chars().take(PART_TITLE_CHARS).collect(),
            line,
        });
        self.write(&mark)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.index.bytes += text.len() as u64;
        let lines = u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
        self.index.lines = self.index.lines.saturating_add(lines);
        self.draft.write_all(text.as_bytes())
    }

    fn picture(
        &mut self,
        width: u32,
        height: u32,
        thumbnail: String,
        media_type: String,
        prepared: &str,
    ) -> io::Result<()> {
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(prepared)
            .map_err(io::Error::other)?;
        let path = self.folder.join(format!("{}.img", self.key));
        let prepared = if bytes.is_empty() {
            None
        } else {
            shidi_atomic_write::write(&path, &bytes)?;
            Some((media_type, path))
        };
        self.index.picture = Some(PictureFacts {
            width,
            height,
            thumbnail,
            prepared,
        });
        Ok(())
    }

    /// Finishes the index. A document that failed after some parts is kept up to the failure.
    fn finish(mut self, ended: Ended, index_path: &Path) -> io::Result<Index> {
        match ended {
            Ended::Read { cut } => self.index.cut = cut,
            Ended::Refused {
                reason: Unreadable::TimedOut | Unreadable::Huge | Unreadable::Broken,
                ..
            } if self.has_text() => self.index.cut = true,
            Ended::Refused { reason, detail } => self.index.refused = Some((reason, detail)),
        }
        self.draft.ready()?.put()?;
        let passing = matches!(
            self.index.refused,
            Some((Unreadable::Failed | Unreadable::NoReader, _))
        );
        if !passing {
            shidi_atomic_write::write(index_path, &serde_json::to_vec(&self.index)?)?;
        }
        Ok(self.index)
    }

    fn has_text(&self) -> bool {
        self.index.bytes > 200 && self.index.lines > u32::try_from(self.index.parts.len()).unwrap_or(0)
    }
}

impl Document {
    /// The format as a [`Format`].
    #[must_use]
    pub fn kind(&self) -> Option<Format> {
        Format::named(&self.index.format)
    }
}

#[cfg(test)]
mod tests;
