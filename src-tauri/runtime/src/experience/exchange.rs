//! All experiences as a file of JSON Lines, and back. A file that is read is read to its end before anything of it is kept.

use super::{checked, draft_of, explain, import as keep};
use crate::engine::Engine;
use crate::limits::{EXPERIENCE_FILE_TOGETHER, EXPERIENCE_LINE_BYTES_MAX, EXPERIENCE_LINES_MAX};
use crate::lines_file::{Bounds, LinesFile};
use crate::words::{Words, error};
use shidi_protocol::{ErrorCode, Experience, Reply, UserError};
use shidi_store::ExperienceFilter;

const BOUNDS: Bounds = Bounds {
    lines: EXPERIENCE_LINES_MAX,
    line_bytes: EXPERIENCE_LINE_BYTES_MAX,
};

/// Writes all of them in the form in which [`import`] takes them.
///
/// # Errors
/// A place that can't be written to, or storage trouble.
pub fn export(engine: &Engine, path: &str) -> Result<Reply, UserError> {
    let mut writing = LinesFile::at(engine, path)?.begin()?;
    let all = ExperienceFilter::default();
    let mut written = 0;
    loop {
        let some = engine
            .store
            .experiences(&all, written, EXPERIENCE_FILE_TOGETHER)
            .map_err(|cause| explain(engine, &cause))?;
        for experience in &some {
            writing.put(experience)?;
            written += 1;
        }
        if some.len() < EXPERIENCE_FILE_TOGETHER as usize {
            return writing.end();
        }
    }
}

/// Keeps the experiences of a file: as candidates of somebody else's, unless the user says that they were reviewed.
///
/// # Errors
/// A file that can't be read, a line that is no experience, or storage trouble.
pub fn import(engine: &Engine, path: &str, reviewed: bool) -> Result<Reply, UserError> {
    let file = LinesFile::at(engine, path)?;
    let broken = |number: usize, why: &str| broken(engine, path, number, why);
    let mut experiences = Vec::new();
    let records = file.each(BOUNDS, broken, |number, text| {
        let experience: Experience =
            serde_json::from_str(text).map_err(|cause| broken(number, &cause.to_string()))?;
        checked(engine, &draft_of(&experience)).map_err(|error| broken(number, &error.message))?;
        experiences.push(experience);
        Ok(())
    })?;
    for some in experiences.chunks(EXPERIENCE_FILE_TOGETHER as usize) {
        keep(engine, some.to_vec(), reviewed)?;
    }
    Ok(file.answer(records))
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
