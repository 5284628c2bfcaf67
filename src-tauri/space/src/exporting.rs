//! An export on its way out: line by line, each digested, to a file or in pieces to whoever asked. No message holds a
//! whole file, nor a whole line of one. Both may be longer than a message can be.

use crate::errors::error;
use crate::export_key::{ExportKey, FileOf, Lines, unusable};
use crate::jsonl::LinesFile;
use crate::limits::{EXPORT_PIECE_BYTES, REPLIES_QUEUED};
use crate::space::Space;
use serde::Serialize;
use shidi_protocol::{ErrorCode, Reply, UserError, reply};
use std::sync::Arc;
use tokio::sync::mpsc;

/// What writes the lines of an export.
pub trait Source: FnOnce(&Space, &mut Export<'_>) -> Result<(), UserError> {}
impl<Writes: FnOnce(&Space, &mut Export<'_>) -> Result<(), UserError>> Source for Writes {}

/// The lines of an export that was begun.
pub struct Export<'a> {
    space: &'a Space,
    lines: Lines,
    put: &'a mut dyn FnMut(&str) -> Result<(), UserError>,
}

impl Export<'_> {
    /// Adds a record as a line.
    ///
    /// # Errors
    /// It can't be written.
    pub fn put(&mut self, record: &impl Serialize) -> Result<(), UserError> {
        let line = serde_json::to_string(record);
        let line = line.map_err(|cause| unusable(self.space.language(), &cause.into()))?;
        self.lines.add(&line);
        (self.put)(&line)
    }
}

/// Writes an export to a file. Replies: `MemoryFile`.
///
/// # Errors
/// A place that can't be written to, no key, or whatever the source says.
pub fn to_file(
    space: &Space,
    of: FileOf,
    path: &str,
    source: impl Source,
) -> Result<reply::MemoryFile, UserError> {
    let mut writing = LinesFile::at(space, path)?.begin()?;
    let records = write(space, of, &mut |line| writing.put_line(line), source)?;
    writing.end(records)
}

/// Writes an export in pieces, and then says that it is done.
pub fn in_pieces(
    space: &Arc<Space>,
    of: FileOf,
    source: impl Source + Send + 'static,
) -> mpsc::Receiver<Reply> {
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let space = Arc::clone(space);
    tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        let away = || error(ErrorCode::System, "Nobody reads the export", "Export again");
        let send = |text: &mut String| {
            let piece = Reply::Piece {
                text: std::mem::take(text),
            };
            sender.blocking_send(piece).map_err(|_| away())
        };
        let mut put = |line: &str| {
            let mut rest = line;
            while text.len() + rest.len() >= EXPORT_PIECE_BYTES {
                let room = EXPORT_PIECE_BYTES.saturating_sub(text.len());
                let (now, later) = rest.split_at(rest.floor_char_boundary(room));
                text.push_str(now);
                send(&mut text)?;
                rest = later;
            }
            text.push_str(rest);
            text.push('\n');
            Ok(())
        };
        let written = write(&space, of, &mut put, source);
        let last = match written.and_then(|_| send(&mut text)) {
            Ok(()) => Reply::Done,
            Err(error) => Reply::Failed { error },
        };
        if sender.blocking_send(last).is_err() {
            tracing::debug!("nobody reads the end of an export");
        }
    });
    receiver
}

/// Puts the lines of the source and, after the last one, what proves that they are all. Returns how many there are.
fn write(
    space: &Space,
    of: FileOf,
    put: &mut dyn FnMut(&str) -> Result<(), UserError>,
    source: impl Source,
) -> Result<u64, UserError> {
    let key = ExportKey::of(&space.home).map_err(|cause| unusable(space.language(), &cause))?;
    let mut export = Export {
        space,
        lines: key.begin(of),
        put,
    };
    source(space, &mut export)?;
    let Export { lines, put, .. } = export;
    let records = lines.count();
    if records > 0 {
        put(&lines.end())?;
    }
    Ok(records)
}
