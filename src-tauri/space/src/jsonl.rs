//! Files of JSON Lines that the user keeps. They are whole under their name or not there, private, and read line by
//! line within bounds.

use crate::errors::error;
use crate::export_key::Author;
use crate::space::Space;
use shidi_atomic_write::Draft;
use shidi_protocol::{ErrorCode, Framed, Framing, UserError, reply};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// A file by its whole path: whoever asks may stand in another folder than the program.
#[derive(Clone, Copy)]
pub struct LinesFile<'a> {
    space: &'a Space,
    path: &'a str,
    place: &'a Path,
}

/// Bytes of the end of a line at most, as some systems write it.
const LINE_END_BYTES_MAX: u64 = 2;

/// What is read of a file at most.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub lines: usize,
    /// Without the end of a line.
    pub line_bytes: u64,
    /// Bytes of all of it.
    pub bytes: u64,
}

/// A file that is being written.
pub struct Writing<'a> {
    file: LinesFile<'a>,
    draft: Draft,
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
    pub fn at(space: &'a Space, path: &'a str) -> Result<Self, UserError> {
        let place = Path::new(path);
        if place.is_absolute() && place.file_name().is_some() {
            return Ok(Self { space, path, place });
        }
        let language = space.language();
        Err(error(
            ErrorCode::Input,
            language.space().path_not_absolute(path),
            language.space().path_example(),
        ))
    }

    /// Begins to write it; nothing stands under its name before [`Writing::end`].
    ///
    /// # Errors
    /// A place that can't be written to.
    pub fn begin(self) -> Result<Writing<'a>, UserError> {
        let draft = Draft::begin(self.place).map_err(|cause| self.trouble(&cause, Wanted::Writing))?;
        Ok(Writing { file: self, draft })
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
        let language = self.space.language();
        if file
            .metadata()
            .is_ok_and(|metadata| metadata.len() > bounds.bytes)
        {
            return Err(self.too_large(bounds.bytes));
        }
        let mut count = 0;
        for (number, text) in (1..).zip(Lines::of(file.take(bounds.bytes), bounds)) {
            let text = text.map_err(|unfit| match unfit {
                Unfit::TooLong => broken(number, language.space().line_too_long()),
                Unfit::TooMany => broken(number, language.space().lines_over_limit()),
                Unfit::Unreadable(cause) => broken(number, &cause.to_string()),
            })?;
            if !text.trim().is_empty() {
                count += 1;
                take(number, text.trim_start_matches('\u{feff}'))?;
            }
        }
        Ok(count)
    }

    /// What is said of it once it is written or read.
    pub fn answer(self, records: u64, author: Author) -> reply::MemoryFile {
        reply::MemoryFile {
            path: self.path.to_owned(),
            records,
            own: author == Author::Own,
        }
    }

    fn too_large(self, bytes_max: u64) -> UserError {
        let language = self.space.language();
        error(
            ErrorCode::Input,
            language.space().file_too_large(self.path),
            language.space().megabytes_at_most(bytes_max >> 20),
        )
    }

    /// The sentence for a file that can't be used.
    fn trouble(self, cause: &io::Error, wanted: Wanted) -> UserError {
        let language = self.space.language();
        let (what, remedy) = match wanted {
            Wanted::Reading => (
                language.space().file_unreadable(),
                language.space().check_the_path(),
            ),
            Wanted::Writing => (
                language.space().file_unwritable(),
                language.space().choose_writable_folder(),
            ),
        };
        error(
            ErrorCode::Input,
            format!("{what} {} ({cause})", self.path),
            remedy,
        )
    }
}

/// The lines of a file without their ends, as far as they fit.
struct Lines<Source> {
    reader: BufReader<Source>,
    framing: Framing,
    bounds: Bounds,
    read: usize,
}

/// Why a line is not taken.
#[derive(Debug)]
enum Unfit {
    TooLong,
    TooMany,
    Unreadable(io::Error),
}

impl<Source: Read> Lines<Source> {
    fn of(source: Source, bounds: Bounds) -> Self {
        let most = bounds.line_bytes.saturating_add(LINE_END_BYTES_MAX);
        Self {
            reader: BufReader::new(source),
            framing: Framing::new(usize::try_from(most).unwrap_or(usize::MAX)),
            bounds,
            read: 0,
        }
    }

    fn line(&mut self) -> Result<Option<String>, Unfit> {
        let framed = self.framing.read(&mut self.reader);
        let Some(framed) = framed.map_err(Unfit::Unreadable)? else {
            return Ok(None);
        };
        self.read += 1;
        if self.read > self.bounds.lines {
            return Err(Unfit::TooMany);
        }
        let Framed::Line(mut line) = framed else {
            return Err(Unfit::TooLong);
        };
        if line.pop_if(|end| *end == b'\n').is_some() {
            line.pop_if(|end| *end == b'\r');
        }
        if line.len() as u64 > self.bounds.line_bytes {
            return Err(Unfit::TooLong);
        }
        let text = String::from_utf8(line).map_err(io::Error::other);
        text.map(Some).map_err(Unfit::Unreadable)
    }
}

impl<Source: Read> Iterator for Lines<Source> {
    type Item = Result<String, Unfit>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line().transpose()
    }
}

impl Writing<'_> {
    /// Adds a line.
    ///
    /// # Errors
    /// It can't be written.
    pub fn put_line(&mut self, line: &str) -> Result<(), UserError> {
        let written = self.draft.write_all(line.as_bytes());
        let written = written.and_then(|()| self.draft.write_all(b"\n"));
        written.map_err(|cause| self.file.trouble(&cause, Wanted::Writing))
    }

    /// Puts the file under its name, durably.
    ///
    /// # Errors
    /// It can't be written.
    pub fn end(self, records: u64) -> Result<reply::MemoryFile, UserError> {
        let Self { file, draft } = self;
        let written = draft.ready().and_then(shidi_atomic_write::Ready::put);
        written.map_err(|cause| file.trouble(&cause, Wanted::Writing))?;
        Ok(file.answer(records, Author::Own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        lines: 2,
        line_bytes: 6,
        bytes: 100,
    };

    fn read(text: &str) -> Vec<Result<String, Unfit>> {
        Lines::of(text.as_bytes(), BOUNDS).take(4).collect()
    }

    #[test]
    fn a_line_of_just_the_bound_is_taken_and_one_byte_more_is_not() {
        for end in ["", "\n", "\r\n"] {
            for fits in ["123456", "海海"] {
                let read = read(&format!("{fits}{end}"));
                assert!(
                    matches!(&read[..], [Ok(line)] if line == fits),
                    "{fits:?}{end:?}: {read:?}"
                );
            }
            for longer in ["1234567", "1海海", "12345678901234567890"] {
                let read = read(&format!("{longer}{end}"));
                assert!(
                    matches!(read[0], Err(Unfit::TooLong)),
                    "{longer:?}{end:?}: {read:?}"
                );
            }
        }
    }

    #[test]
    fn as_many_lines_as_the_bound_are_taken_and_one_more_is_not() {
        for fits in ["a\nb", "a\nb\n", "a\n\n"] {
            let read = read(fits);
            assert!(matches!(&read[..], [Ok(_), Ok(_)]), "{fits:?}: {read:?}");
        }
        let read = read("a\nb\nc\n");
        assert!(matches!(read[2], Err(Unfit::TooMany)), "{read:?}");
    }
}
