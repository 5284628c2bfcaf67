//! Everything remembered as a file of JSON Lines, and back.
//!
//! A file is whole under its name or not there. One that is read is read twice, so that a broken line keeps nothing of it
//! and its size needs no room.

use super::{explain, line, stated};
use crate::engine::Engine;
use crate::limits::{MEMORY_FILE_TOGETHER, MEMORY_LINE_BYTES_MAX, MEMORY_LINES_MAX};
use crate::words::error;
use shidi_protocol::{ErrorCode, MemoryRecord, Reply, UserError};
use shidi_store::{Batch, Write as Change};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Writes all records in the form in which [`import`] takes them.
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
    let (mut after, mut written) = (0, 0);
    loop {
        let some = engine
            .store
            .memories_written(after, MEMORY_FILE_TOGETHER)
            .map_err(|cause| explain(engine, &cause))?;
        let Some((last, _)) = some.last() else {
            break;
        };
        after = *last;
        for (_, record) in &some {
            serde_json::to_writer(&mut writer, record).map_err(|cause| unwritable(&cause.into()))?;
            writer.write_all(b"\n").map_err(|cause| unwritable(&cause))?;
            written += 1;
        }
    }
    writer.flush().map_err(|cause| unwritable(&cause))?;
    Ok(written)
}

/// Keeps the records of a file; one with a known id replaces that one.
///
/// # Errors
/// A file that can't be read, a line that is no record, or storage trouble.
pub fn import(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let place = absolute(engine, path)?;
    let records = each(engine, path, place, |_| Ok(()))?;
    let mut batch = Batch::default();
    let mut together = 0;
    each(engine, path, place, |record| {
        batch.push(Change::PutMemory(Box::new(record)));
        together += 1;
        if together < MEMORY_FILE_TOGETHER {
            return Ok(());
        }
        together = 0;
        commit(engine, std::mem::take(&mut batch))
    })?;
    commit(engine, batch)?;
    Ok(answer(path, records))
}

fn commit(engine: &Engine, batch: Batch) -> Result<(), UserError> {
    engine
        .store
        .commit(batch)
        .map_err(|cause| explain(engine, &cause))
}

/// Gives each record of a file to `take`, and counts them.
fn each(
    engine: &Engine,
    path: &str,
    place: &Path,
    mut take: impl FnMut(MemoryRecord) -> Result<(), UserError>,
) -> Result<u64, UserError> {
    let unreadable = |cause: &io::Error| trouble(engine, path, cause, Wanted::Reading);
    let file = File::open(place).map_err(|cause| unreadable(&cause))?;
    if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(unreadable(&io::ErrorKind::IsADirectory.into()));
    }
    let mut reader = BufReader::new(file);
    let mut count = 0;
    for number in 1..=MEMORY_LINES_MAX {
        let mut text = String::new();
        let read = reader.by_ref().take(MEMORY_LINE_BYTES_MAX).read_line(&mut text);
        let read = read.map_err(|cause| broken(engine, path, number, &cause.to_string()))?;
        if read == 0 {
            return Ok(count);
        }
        if text.trim().is_empty() {
            continue;
        }
        if read as u64 == MEMORY_LINE_BYTES_MAX {
            let why = engine.words().pick("这一行太长", "the line is too long");
            return Err(broken(engine, path, number, why));
        }
        let mut record = line::record(text.trim_start_matches('\u{feff}'), number)
            .map_err(|why| broken(engine, path, number, &why))?;
        record.text =
            stated(engine, &record.text).map_err(|error| broken(engine, path, number, &error.message))?;
        count += 1;
        take(record)?;
    }
    let why = engine.words().pick("行数太多", "there are too many lines");
    Err(broken(engine, path, MEMORY_LINES_MAX, why))
}

fn answer(path: &str, records: u64) -> Reply {
    Reply::MemoryFile {
        path: path.to_owned(),
        records,
    }
}

/// Whoever asks may stand in another folder than the program.
pub(crate) fn absolute<'a>(engine: &Engine, path: &'a str) -> Result<&'a Path, UserError> {
    let place = Path::new(path);
    if place.is_absolute() && place.file_name().is_some() {
        return Ok(place);
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

/// What was to be done with a file.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    Reading,
    Writing,
}

/// The sentence for a file that can't be used.
pub(crate) fn trouble(engine: &Engine, path: &str, cause: &io::Error, wanted: Wanted) -> UserError {
    let words = engine.words();
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
    error(ErrorCode::Input, format!("{what} {path} ({cause})"), remedy)
}

fn broken(engine: &Engine, path: &str, number: usize, why: &str) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        match words {
            crate::words::Words::Chinese => format!("“{path}”第 {number} 行不是一条记忆：{why}"),
            crate::words::Words::English => format!("'{path}' holds no record in line {number}: {why}"),
        },
        words.pick(
            "什么都没有导入；每行写一条，例如 {\"kind\":\"knowledge\",\"text\":\"…\"}",
            "Nothing was imported; write one record a line, such as {\"kind\":\"knowledge\",\"text\":\"…\"}",
        ),
    )
}
