//! All experiences as a file of JSON Lines, and back.
//!
//! A file is whole under its name or not there, and one that is read is read to its end before anything of it is kept.

use super::{checked, draft_of, explain, import as keep};
use crate::engine::Engine;
use crate::limits::{EXPERIENCE_FILE_TOGETHER, EXPERIENCE_LINE_BYTES_MAX, EXPERIENCE_LINES_MAX};
use crate::memory::exchange::{Wanted, absolute, trouble};
use crate::words::{Words, error};
use shidi_protocol::{ErrorCode, Experience, Reply, UserError};
use shidi_store::ExperienceFilter;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// Writes all of them in the form in which [`import`] takes them.
///
/// # Errors
/// A place that can't be written to, or storage trouble.
pub fn export(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let place = absolute(engine, path)?;
    let unwritable = |cause: &io::Error| trouble(engine, path, cause, Wanted::Writing);
    let folder = place.parent().unwrap_or(place);
    // Private from the first byte on.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|cause| unwritable(&cause))?;
    let records = write(engine, &mut file, &unwritable)?;
    file.as_file().sync_all().map_err(|cause| unwritable(&cause))?;
    file.persist(place).map_err(|cause| unwritable(&cause.error))?;
    Ok(answer(path, records))
}

fn write(
    engine: &Engine,
    file: &mut tempfile::NamedTempFile,
    unwritable: &impl Fn(&io::Error) -> UserError,
) -> Result<u64, UserError> {
    let mut writer = BufWriter::new(file);
    let all = ExperienceFilter::default();
    let mut written: u32 = 0;
    loop {
        let some = engine
            .store
            .experiences(&all, written, EXPERIENCE_FILE_TOGETHER)
            .map_err(|cause| explain(engine, &cause))?;
        for experience in &some {
            serde_json::to_writer(&mut writer, experience).map_err(|cause| unwritable(&cause.into()))?;
            writer.write_all(b"\n").map_err(|cause| unwritable(&cause))?;
            written += 1;
        }
        if some.len() < EXPERIENCE_FILE_TOGETHER as usize {
            break;
        }
    }
    writer.flush().map_err(|cause| unwritable(&cause))?;
    Ok(u64::from(written))
}

/// Keeps the experiences of a file: as candidates of somebody else's, unless the user says that they were reviewed.
///
/// # Errors
/// A file that can't be read, a line that is no experience, or storage trouble.
pub fn import(engine: &Engine, path: &str, reviewed: bool) -> Result<Reply, UserError> {
    let read = read(engine, path)?;
    for some in read.chunks(EXPERIENCE_FILE_TOGETHER as usize) {
        keep(engine, some.to_vec(), reviewed)?;
    }
    Ok(answer(path, read.len() as u64))
}

fn read(engine: &Engine, path: &str) -> Result<Vec<Experience>, UserError> {
    let place = absolute(engine, path)?;
    let unreadable = |cause: &io::Error| trouble(engine, path, cause, Wanted::Reading);
    let file = File::open(place).map_err(|cause| unreadable(&cause))?;
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(unreadable(&io::ErrorKind::IsADirectory.into()));
    }
    let mut reader = BufReader::new(file);
    let mut experiences = Vec::new();
    for number in 1..=EXPERIENCE_LINES_MAX {
        let mut text = String::new();
        let line = reader
            .by_ref()
            .take(EXPERIENCE_LINE_BYTES_MAX)
            .read_line(&mut text);
        let bytes = line.map_err(|cause| broken(engine, path, number, &cause.to_string()))?;
        if bytes == 0 {
            return Ok(experiences);
        }
        if text.trim().is_empty() {
            continue;
        }
        if bytes as u64 == EXPERIENCE_LINE_BYTES_MAX {
            let why = engine.words().pick("这一行太长", "the line is too long");
            return Err(broken(engine, path, number, why));
        }
        let experience: Experience = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|cause| broken(engine, path, number, &cause.to_string()))?;
        checked(engine, &draft_of(&experience))
            .map_err(|error| broken(engine, path, number, &error.message))?;
        experiences.push(experience);
    }
    let why = engine.words().pick("行数太多", "there are too many lines");
    Err(broken(engine, path, EXPERIENCE_LINES_MAX, why))
}

fn answer(path: &str, records: u64) -> Reply {
    Reply::MemoryFile {
        path: path.to_owned(),
        records,
    }
}

fn broken(engine: &Engine, path: &str, number: usize, why: &str) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        match words {
            Words::Chinese => format!("“{path}”第 {number} 行不是一条经验：{why}"),
            Words::English => format!("'{path}' holds no experience in line {number}: {why}"),
        },
        words.pick(
            "什么都没有导入；要用这里或 shidi experience export 导出的文件",
            "Nothing was imported; take a file that was exported here, or by shidi experience export",
        ),
    )
}
