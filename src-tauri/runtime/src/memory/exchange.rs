//! Everything remembered as a file of JSON Lines, and back. A file is read twice, so that a broken line keeps nothing of it
//! and its size needs no room.

use super::{explain, line, stated};
use crate::engine::Engine;
use crate::limits::{MEMORY_FILE_TOGETHER, MEMORY_LINE_BYTES_MAX, MEMORY_LINES_MAX};
use crate::lines_file::{Bounds, LinesFile};
use crate::words::{Words, error};
use shidi_protocol::{ErrorCode, MemoryRecord, Reply, UserError};
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
    let mut after = 0;
    loop {
        let some = engine
            .store
            .memories_written(after, MEMORY_FILE_TOGETHER)
            .map_err(|cause| explain(engine, &cause))?;
        let Some((last, _)) = some.last() else {
            return writing.end();
        };
        after = *last;
        for (_, record) in &some {
            writing.put(record)?;
        }
    }
}

/// Keeps the records of a file; one with a known id replaces that one.
///
/// # Errors
/// A file that can't be read, a line that is no record, or storage trouble.
pub fn import(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let file = LinesFile::at(engine, path)?;
    let records = each(engine, path, file, |_| Ok(()))?;
    let mut batch = Batch::default();
    let mut together = 0;
    each(engine, path, file, |record| {
        batch.push(Write::PutMemory(Box::new(record)));
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
    mut take: impl FnMut(MemoryRecord) -> Result<(), UserError>,
) -> Result<u64, UserError> {
    let broken = |number: usize, why: &str| broken(engine, path, number, why);
    file.each(BOUNDS, broken, |number, text| {
        let mut record = line::record(text, number).map_err(|why| broken(number, &why))?;
        record.text = stated(engine, &record.text).map_err(|error| broken(number, &error.message))?;
        take(record)
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
