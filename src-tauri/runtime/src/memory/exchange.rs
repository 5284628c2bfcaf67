//! Everything remembered as a file of JSON Lines, and back. A file is read twice, so that a broken line keeps nothing of it
//! and its size needs no room.
//!
//! Lines that this data folder exported are taken as they are. Of anybody else's no word counts about how much it is worth:
//! it is imported, not pinned, from a stranger, and takes no record's place.

use super::{explain, line, stated};
use crate::engine::Engine;
use crate::export_key::{Author, ExportKey, LineOf, author_of, unusable};
use crate::limits::{MEMORY_FILE_TOGETHER, MEMORY_LINE_BYTES_MAX, MEMORY_LINES_MAX};
use crate::lines_file::{Bounds, LinesFile};
use crate::words::{Words, error};
use shidi_protocol::{
    ErrorCode, IMPORTANCE_DEFAULT, MemoryId, MemoryOrigin, MemoryRecord, MemorySource, Reply, UserError,
};
use shidi_store::{Batch, Write};

const BOUNDS: Bounds = Bounds {
    lines: MEMORY_LINES_MAX,
    line_bytes: MEMORY_LINE_BYTES_MAX,
};

/// Writes all records in the form in which [`import`] takes them.
///
/// # Errors
/// A place that can't be written to, or storage trouble.
pub fn export(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let mut writing = LinesFile::at(engine, path)?.begin()?;
    let mut after = Some(0);
    while let Some(from) = after {
        let (lines, next) = exported(engine, from)?;
        for line in &lines {
            writing.put_line(line)?;
        }
        after = next;
    }
    writing.end()
}

/// The next lines of an export, and where it goes on; `None` after the last one.
///
/// # Errors
/// No key can be made, or storage trouble.
pub fn exported(engine: &Engine, after: i64) -> Result<(Vec<String>, Option<i64>), UserError> {
    let key = ExportKey::of(&engine.home).map_err(|cause| no_key(engine, &cause))?;
    let some = engine
        .store
        .memories_written(after, MEMORY_FILE_TOGETHER)
        .map_err(|cause| explain(engine, &cause))?;
    let line = |record: &MemoryRecord| -> Result<String, UserError> {
        let line = serde_json::to_string(record).map_err(|cause| no_key(engine, &cause.into()))?;
        Ok(key.prove(LineOf::Memory, &line))
    };
    let lines = some.iter().map(|(_, record)| line(record));
    Ok((
        lines.collect::<Result<_, UserError>>()?,
        some.last().map(|(last, _)| *last),
    ))
}

/// Keeps the records of a file; one with a known id replaces that one.
///
/// # Errors
/// A file that can't be read, a line that is no record, or storage trouble.
pub fn import(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let file = LinesFile::at(engine, path)?;
    let key = ExportKey::known(&engine.home).map_err(|cause| no_key(engine, &cause))?;
    let records = each(engine, path, file, key.as_ref(), |_, _| Ok(()))?;
    let mut batch = Batch::default();
    let mut together = 0;
    each(engine, path, file, key.as_ref(), |record, author| {
        batch.push(kept(engine, record, author)?);
        together += 1;
        if together < MEMORY_FILE_TOGETHER {
            return Ok(());
        }
        together = 0;
        commit(engine, std::mem::take(&mut batch))
    })?;
    commit(engine, batch)?;
    Ok(file.answer(records))
}

/// Keeps records that were handed over as lines.
///
/// # Errors
/// A line that is no record, or storage trouble.
pub fn import_lines(engine: &Engine, lines: &[String]) -> Result<Reply, UserError> {
    let key = ExportKey::known(&engine.home).map_err(|cause| no_key(engine, &cause))?;
    let mut batch = Batch::default();
    for (number, text) in (1..).zip(lines) {
        let (record, author) = read(engine, key.as_ref(), number, text)
            .map_err(|why| broken(engine, engine.words().pick("输入", "the input"), number, &why))?;
        batch.push(kept(engine, record, author)?);
    }
    commit(engine, batch)?;
    Ok(Reply::Done)
}

/// How a record is kept: the user's own as it is.
fn kept(engine: &Engine, record: MemoryRecord, author: Author) -> Result<Write, UserError> {
    let record = match author {
        Author::Own => record,
        Author::Stranger => foreign(engine, record)?,
    };
    Ok(Write::PutMemory(Box::new(record)))
}

/// A stranger's record: nothing of what it says about itself makes it count for more, and no record of the user's is lost
/// to it.
fn foreign(engine: &Engine, record: MemoryRecord) -> Result<MemoryRecord, UserError> {
    let known = engine
        .store
        .memory(&record.id)
        .map_err(|cause| explain(engine, &cause))?;
    let is_own = known.is_some_and(|known| known.origin != MemoryOrigin::Imported || !known.tainted);
    Ok(MemoryRecord {
        // The same at each import, so that the same file imported twice is there once.
        id: if is_own {
            MemoryId::from(format!("{}-imported", record.id))
        } else {
            record.id
        },
        // What states a value of something would take the place of what the user told about it.
        subject: None,
        superseded_by: None,
        origin: MemoryOrigin::Imported,
        source: MemorySource {
            session: record.source.session,
            document: record.source.document,
            ..MemorySource::default()
        },
        importance: IMPORTANCE_DEFAULT,
        uses: 0,
        last_used: None,
        pinned: false,
        tainted: true,
        ..record
    })
}

/// The record of a line, and who wrote it.
fn read(
    engine: &Engine,
    key: Option<&ExportKey>,
    number: usize,
    text: &str,
) -> Result<(MemoryRecord, Author), String> {
    let (text, author) = author_of(key, LineOf::Memory, text);
    let mut record = line::record(&text, number)?;
    record.text = stated(engine, &record.text).map_err(|error| error.message)?;
    Ok((record, author))
}

fn no_key(engine: &Engine, cause: &std::io::Error) -> UserError {
    unusable(engine.words(), cause)
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
    file: LinesFile<'_>,
    key: Option<&ExportKey>,
    mut take: impl FnMut(MemoryRecord, Author) -> Result<(), UserError>,
) -> Result<u64, UserError> {
    let broken = |number: usize, why: &str| broken(engine, path, number, why);
    file.each(BOUNDS, broken, |number, text| {
        let (record, author) = read(engine, key, number, text).map_err(|why| broken(number, &why))?;
        take(record, author)
    })
}

fn broken(engine: &Engine, path: &str, number: usize, why: &str) -> UserError {
    let words = engine.words();
    error(
        ErrorCode::Input,
        match words {
            Words::Chinese => format!("“{path}”第 {number} 行不是一条记忆：{why}"),
            Words::English => format!("'{path}' holds no record in line {number}: {why}"),
        },
        words.pick(
            "什么都没有导入；每行写一条，例如 {\"kind\":\"knowledge\",\"text\":\"…\"}",
            "Nothing was imported; write one record a line, such as {\"kind\":\"knowledge\",\"text\":\"…\"}",
        ),
    )
}
