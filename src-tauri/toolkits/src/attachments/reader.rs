//! The child that parses: `shidi-reader`, started with [`FLAG`], a file as standard input, and a sandbox.
//!
//! A panic, an abort, a stack overflow, too much memory or time end the child and become a sentence.

use super::confine::confine;
use super::format::Format;
use super::frame::{Findings, Frame, Stop};
use super::packed::Packed;
use super::{opendocument, page, pdf, picture, rich_text, sheets, slides, word};
use crate::limits::{READER_STACK_BYTES, SNIFF_BYTES};
use shidi_protocol::Unreadable;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The first argument that makes the program a reader; the second is the ending of the file's name.
pub const FLAG: &str = "--read-attachment";

/// Reads a document if the program was started as a reader; `None` otherwise. Must be called before anything
/// else in `main`.
#[must_use]
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == FLAG).then(|| {
        let ending = arguments.next().unwrap_or_default();
        run(&Path::new("file").with_extension(ending))
    })
}

fn run(name: &Path) -> ExitCode {
    // A panic's message would go nowhere; a frame tells of the panic instead.
    std::panic::set_hook(Box::new(|_| {}));
    let mut output = io::stdout();
    let mut tell = |frame: Frame| -> io::Result<()> {
        let mut line = serde_json::to_vec(&frame)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()
    };
    let refusal = |stop: Stop| match stop {
        Stop::Refused(reason, detail) => Some(Frame::Refused { reason, detail }),
        Stop::Full => Some(Frame::End { cut: true }),
        Stop::Unheard => None,
    };
    let read = standard_input()
        .map_err(|error| Stop::Refused(Unreadable::Failed, error.to_string()))
        .and_then(|file| on_own_stack(file, name.to_owned(), &mut tell));
    let last = match read {
        Ok(()) => Some(Frame::End { cut: false }),
        Err(stop) => refusal(stop),
    };
    match last.map(tell) {
        Some(Err(_)) => ExitCode::FAILURE,
        Some(Ok(())) | None => ExitCode::SUCCESS,
    }
}

/// Runs on a thread with a stack of our size. Parsers recurse, and a main thread's stack has a fixed size.
fn on_own_stack(
    file: File,
    name: std::path::PathBuf,
    tell: &mut (dyn FnMut(Frame) -> io::Result<()> + Send),
) -> Result<(), Stop> {
    let failed = |error: io::Error| Stop::Refused(Unreadable::Failed, error.to_string());
    std::thread::scope(|scope| {
        let reading = std::thread::Builder::new()
            .stack_size(READER_STACK_BYTES)
            .spawn_scoped(scope, move || {
                confine().map_err(|wall| Stop::Refused(Unreadable::Failed, wall))?;
                let mut plain = |frame| tell(frame);
                let mut findings = Findings::new(&mut plain);
                let read = extract(file, &name, &mut findings);
                findings.flush()?;
                read?;
                Ok(())
            })
            .map_err(failed)?;
        reading
            .join()
            .unwrap_or_else(|_| Err(Stop::broken("the parser failed on it")))
    })
}

#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Reads a file of any format that is no plain text. `name` only decides between kinds of text.
pub(crate) fn extract(mut file: File, name: &Path, findings: &mut Findings<'_>) -> Result<(), Stop> {
    let failed = |error: io::Error| Stop::Refused(Unreadable::Failed, error.to_string());
    let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut head = Vec::new();
    (&file)
        .take(SNIFF_BYTES as u64)
        .read_to_end(&mut head)
        .map_err(failed)?;
    let source = Source {
        file: Arc::new(file),
        at: 0,
        length,
    };
    let format =
        Format::of(&head, name).map_err(|found| Stop::Refused(Unreadable::Binary, found.to_owned()))?;
    match format {
        Format::Html => page::read(source, findings),
        Format::Pdf => pdf::read(source, findings),
        Format::Rtf => rich_text::read(source, findings),
        Format::Packed => packed(source, &head, findings),
        Format::Png | Format::Jpeg | Format::Gif | Format::Webp | Format::Bmp => {
            picture::read(BufReader::new(source), length, format.name(), findings)
        }
        Format::Text
        | Format::Table
        | Format::Docx
        | Format::Pptx
        | Format::Xlsx
        | Format::Xls
        | Format::Ods
        | Format::Odt
        | Format::Odp => Err(Stop::Refused(
            Unreadable::Failed,
            "this is read without a reader".to_owned(),
        )),
    }?;
    if !findings.has_text() && !format.is_picture() {
        let reason = if format == Format::Pdf {
            Unreadable::NoText
        } else {
            Unreadable::Empty
        };
        return Err(Stop::Refused(reason, String::new()));
    }
    Ok(())
}

/// Reads office files: a ZIP archive, or the container of older programs and of locked files.
fn packed(source: Source, head: &[u8], findings: &mut Findings<'_>) -> Result<(), Stop> {
    if !head.starts_with(b"PK") {
        return old_container(source, findings);
    }
    let mut archive = Packed::open(source.clone())?;
    match archive.format() {
        Some(Format::Docx) => word::read(&mut archive, findings),
        Some(Format::Pptx) => slides::read(&mut archive, findings),
        Some(Format::Odt | Format::Odp | Format::Ods) if archive.is_locked() => {
            Err(Stop::Refused(Unreadable::Locked, String::new()))
        }
        Some(Format::Odt) => opendocument::read(&mut archive, opendocument::Kind::Text, findings),
        Some(Format::Odp) => opendocument::read(&mut archive, opendocument::Kind::Presentation, findings),
        Some(Format::Ods) => sheets::read(source, sheets::Kind::Ods, findings),
        Some(Format::Xlsx) if archive.has("xl/workbook.bin") => {
            sheets::read(source, sheets::Kind::Xlsb, findings)
        }
        Some(Format::Xlsx) => sheets::read(source, sheets::Kind::Xlsx, findings),
        Some(_) | None => Err(Stop::Refused(Unreadable::Binary, "application/zip".to_owned())),
    }
}

/// Names the format of an older container by its streams.
fn old_container(mut source: Source, findings: &mut Findings<'_>) -> Result<(), Stop> {
    let names = [
        "EncryptedPackage",
        "Workbook",
        "Book",
        "WordDocument",
        "PowerPoint Document",
    ];
    let wide = names.map(|name| {
        name.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    });
    let found = first_of(&mut source, &wide)?;
    source.at = 0;
    match found {
        Some(0) => Err(Stop::Refused(Unreadable::Locked, String::new())),
        Some(1 | 2) => sheets::read(source, sheets::Kind::Xls, findings),
        Some(3) => Err(Stop::Refused(
            Unreadable::Binary,
            "Word 97 (.doc): save it as .docx, which LibreOffice does too".to_owned(),
        )),
        Some(_) => Err(Stop::Refused(
            Unreadable::Binary,
            "PowerPoint 97 (.ppt): save it as .pptx, which LibreOffice does too".to_owned(),
        )),
        None => Err(Stop::Refused(
            Unreadable::Binary,
            "application/x-ole-storage".to_owned(),
        )),
    }
}

/// The lowest index of a pattern that occurs in the source.
fn first_of(source: &mut Source, patterns: &[Vec<u8>]) -> Result<Option<usize>, Stop> {
    const WINDOW: usize = 1 << 20;
    let longest = patterns.iter().map(Vec::len).max().unwrap_or(0);
    let mut window: Vec<u8> = Vec::new();
    let mut found: Option<usize> = None;
    loop {
        let keep = window.len().min(longest);
        window.drain(..window.len() - keep);
        let before = window.len();
        let read = source.by_ref().take(WINDOW as u64).read_to_end(&mut window);
        read.map_err(Stop::broken)?;
        if window.len() == before {
            return Ok(found);
        }
        for (index, pattern) in patterns.iter().enumerate() {
            let better = found.is_none_or(|found| index < found);
            if better && window.windows(pattern.len()).any(|part| part == pattern) {
                found = Some(index);
            }
        }
    }
}

/// A file that can be read from several places at once.
#[derive(Clone)]
pub(crate) struct Source {
    file: Arc<File>,
    at: u64,
    length: u64,
}

impl Source {
    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(self.file.as_ref(), buffer, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(self.file.as_ref(), buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Source {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let at = match position {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
