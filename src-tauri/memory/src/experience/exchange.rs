//! All experiences as a file of JSON Lines, and back. A file that is read is read to its end before anything of it is kept.

use super::{Whose, checked, draft_of, explain, keep};
use crate::limits::{
    EXPERIENCE_FILE_BYTES_MAX, EXPERIENCE_FILE_TOGETHER, EXPERIENCE_LINE_BYTES_MAX, EXPERIENCE_LINES_MAX,
};
use shidi_protocol::{ErrorCode, Experience, Reply, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::export_key::{Author, ExportKey, FileOf, Judged, unusable};
use shidi_space::exporting::{self, Export};
use shidi_space::jsonl::{Bounds, LinesFile};
use shidi_store::ExperienceFilter;
use std::sync::Arc;
use tokio::sync::mpsc;

const BOUNDS: Bounds = Bounds {
    lines: EXPERIENCE_LINES_MAX,
    line_bytes: EXPERIENCE_LINE_BYTES_MAX,
    bytes: EXPERIENCE_FILE_BYTES_MAX,
};

/// Writes all of them to a file in the form in which [`import`] takes them.
///
/// # Errors
/// A place that can't be written to, or storage trouble.
pub fn export(space: &Space, path: &str) -> Result<reply::MemoryFile, UserError> {
    exporting::to_file(space, FileOf::Experience, path, all)
}

/// The same lines in pieces.
pub fn exported(space: &Arc<Space>) -> mpsc::Receiver<Reply> {
    exporting::in_pieces(space, FileOf::Experience, all)
}

fn all(space: &Space, export: &mut Export<'_>) -> Result<(), UserError> {
    let all = ExperienceFilter::default();
    let mut written = 0;
    loop {
        let some = space
            .store
            .experiences(&all, written, EXPERIENCE_FILE_TOGETHER)
            .map_err(|cause| explain(space, &cause))?;
        for experience in &some {
            export.put(experience)?;
            written += 1;
        }
        if some.len() < EXPERIENCE_FILE_TOGETHER as usize {
            return Ok(());
        }
    }
}

/// Keeps the experiences of a file. The user's own stay as they were. A stranger's become candidates, unless the user
/// says that they were reviewed.
///
/// # Errors
/// A file that can't be read, a line that is no experience, or storage trouble.
pub fn import(space: &Space, path: &str, reviewed: bool) -> Result<reply::MemoryFile, UserError> {
    let file = LinesFile::at(space, path)?;
    let key = ExportKey::known(&space.home).map_err(|cause| unusable(space.language(), &cause))?;
    let mut judged = Judged::begin(key.as_ref(), FileOf::Experience);
    let broken = |number: usize, why: &str| broken(space, path, number, why);
    let mut experiences: Vec<Experience> = Vec::new();
    file.each(BOUNDS, broken, |number, text| {
        let Some(text) = judged.take(text) else {
            return Ok(());
        };
        let experience: Experience =
            serde_json::from_str(&text).map_err(|cause| broken(number, &cause.to_string()))?;
        checked(space, &draft_of(&experience)).map_err(|error| broken(number, &error.message))?;
        experiences.push(experience);
        Ok(())
    })?;
    let whose = match judged.author() {
        Author::Own => Whose::Own,
        Author::Stranger if reviewed => Whose::Reviewed,
        Author::Stranger => Whose::Strangers,
    };
    let records = experiences.len() as u64;
    keep(space, experiences, whose)?;
    Ok(file.answer(records, judged.author()))
}

fn broken(space: &Space, path: &str, number: usize, why: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.memory().line_no_experience(number, path, why),
        language.memory().import_exported_file(),
    )
}
