//! The folder of a skill: its text, and what lies beside it.

use crate::limits::SKILL_BYTES_MAX;
use shidi_bundles::{Bundle, BundledFile, Unfit};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The name of a skill's text, and another that some write.
pub const TEXT: &str = "SKILL.md";
const TEXT_IN_SMALL: &str = "skill.md";

/// The path of a skill's text in a folder that has one.
#[must_use]
pub fn text_in(folder: &Path) -> Option<PathBuf> {
    let is_file = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file());
    [TEXT, TEXT_IN_SMALL]
        .into_iter()
        .map(|name| folder.join(name))
        .find(is_file)
}

/// The text of a skill, within its bound and one byte more: the reader tells of what is too long.
///
/// # Errors
/// A file that can't be read.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(SKILL_BYTES_MAX + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Lists everything but the skill's text.
///
/// # Errors
/// See [`Unfit`].
pub fn list(folder: &Path) -> Result<Bundle, Unfit> {
    let mut bundle = shidi_bundles::list(folder)?;
    let is_beside = |file: &BundledFile| file.path != TEXT && file.path != TEXT_IN_SMALL;
    bundle.files.retain(is_beside);
    Ok(bundle)
}
