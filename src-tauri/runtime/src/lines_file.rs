//! Files of JSON Lines that the user keeps: whole under their name or not there, private, and read line by line within
//! bounds.

use crate::engine::Engine;
use crate::words::error;
use serde::Serialize;
use shidi_protocol::{ErrorCode, Reply, UserError};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file by its whole path: whoever asks may stand in another folder than the program.
#[derive(Clone, Copy)]
pub struct LinesFile<'a> {
    engine: &'a Engine,
    path: &'a str,
    place: &'a Path,
}

/// What is read of a file at most.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub lines: usize,
    pub line_bytes: u64,
}

/// A file that is being written.
pub struct Writing<'a> {
    file: LinesFile<'a>,
    writer: BufWriter<NamedTempFile>,
    records: u64,
}

/// What was to be done with a file.
#[derive(Clone, Copy)]
enum Wanted {
    Reading,
    Writing,
}

impl<'a> LinesFile<'a> {
    /// # Errors
    /// No whole path.
    pub fn at(engine: &'a Engine, path: &'a str) -> Result<Self, UserError> {
        let place = Path::new(path);
        if place.is_absolute() && place.file_name().is_some() {
            return Ok(Self { engine, path, place });
        }
        let words = engine.words();
        Err(error(
            ErrorCode::Input,
            format!(
                "{} {path}",
                words.pick("不是完整的路径：", "This is no whole path:")
            ),
            words.pick(
                "例如：/home/lin/memory.jsonl",
                "For example: /home/lin/memory.jsonl",
            ),
        ))
    }

    /// Begins to write it; nothing stands under its name before [`Writing::end`].
    ///
    /// # Errors
    /// A place that can't be written to.
    pub fn begin(self) -> Result<Writing<'a>, UserError> {
        let folder = self.place.parent().unwrap_or(self.place);
        // Private from the first byte on.
        let file = NamedTempFile::new_in(folder).map_err(|cause| self.trouble(&cause, Wanted::Writing))?;
        Ok(Writing {
            file: self,
            writer: BufWriter::new(file),
            records: 0,
        })
    }

    /// Gives each line that is not empty to `take`, with its number, and counts them. `broken` says what is wrong with a line.
    ///
    /// # Errors
    /// A file that can't be read, one beyond the bounds, and whatever `take` says.
    pub fn each(
        self,
        bounds: Bounds,
        broken: impl Fn(usize, &str) -> UserError,
        mut take: impl FnMut(usize, &str) -> Result<(), UserError>,
    ) -> Result<u64, UserError> {
        let unreadable = |cause: &io::Error| self.trouble(cause, Wanted::Reading);
        let file = File::open(self.place).map_err(|cause| unreadable(&cause))?;
        if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(unreadable(&io::ErrorKind::IsADirectory.into()));
        }
        let words = self.engine.words();
        let mut reader = BufReader::new(file);
        let mut count = 0;
        for number in 1..=bounds.lines {
            let mut text = String::new();
            let read = reader.by_ref().take(bounds.line_bytes).read_line(&mut text);
            let read = read.map_err(|cause| broken(number, &cause.to_string()))?;
            if read == 0 {
                return Ok(count);
            }
            if text.trim().is_empty() {
                continue;
            }
            if read as u64 == bounds.line_bytes {
                return Err(broken(number, words.pick("这一行太长", "the line is too long")));
            }
            count += 1;
            take(number, text.trim_start_matches('\u{feff}'))?;
        }
        Err(broken(
            bounds.lines,
            words.pick("行数太多", "there are too many lines"),
        ))
    }

    /// What is said of it once it is written or read.
    pub fn answer(self, records: u64) -> Reply {
        Reply::MemoryFile {
            path: self.path.to_owned(),
            records,
        }
    }

    /// The sentence for a file that can't be used.
    fn trouble(self, cause: &io::Error, wanted: Wanted) -> UserError {
        let words = self.engine.words();
        let (what, remedy) = match wanted {
            Wanted::Reading => (
                words.pick("无法读取", "This file can't be read:"),
                words.pick("检查路径和读权限", "Check the path, and that it may be read"),
            ),
            Wanted::Writing => (
                words.pick("无法写入", "This file can't be written:"),
                words.pick("换一个能写的文件夹", "Choose a folder that can be written to"),
            ),
        };
        error(
            ErrorCode::Input,
            format!("{what} {} ({cause})", self.path),
            remedy,
        )
    }
}

impl Writing<'_> {
    /// Adds a record as a line.
    ///
    /// # Errors
    /// It can't be written.
    pub fn put(&mut self, record: &impl Serialize) -> Result<(), UserError> {
        let line = serde_json::to_string(record);
        let line = line.map_err(|cause| self.file.trouble(&cause.into(), Wanted::Writing))?;
        self.put_line(&line)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// It can't be written.
    pub fn put_line(&mut self, line: &str) -> Result<(), UserError> {
        let written = self.writer.write_all(line.as_bytes());
        let written = written.and_then(|()| self.writer.write_all(b"\n"));
        written.map_err(|cause| self.file.trouble(&cause, Wanted::Writing))?;
        self.records += 1;
        Ok(())
    }

    /// Puts the file under its name, durably.
    ///
    /// # Errors
    /// It can't be written.
    pub fn end(self) -> Result<Reply, UserError> {
        let Self {
            file,
            writer,
            records,
        } = self;
        let unwritable = |cause: &io::Error| file.trouble(cause, Wanted::Writing);
        let written = writer.into_inner().map_err(|cause| unwritable(cause.error()))?;
        written.as_file().sync_all().map_err(|cause| unwritable(&cause))?;
        written
            .persist(file.place)
            .map_err(|cause| unwritable(&cause.error))?;
        Ok(file.answer(records))
    }
}
