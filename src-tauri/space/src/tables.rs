//! The user's own tables in the data folder: `prices.toml` (what models cost) and `models.toml` (what they can do).
//!
//! Absent files are empty ones; a broken line is named, and nothing is guessed in its place.

use crate::errors::error;
use shidi_locales::Language;
use shidi_models::{PriceTable, Profiles};
use shidi_protocol::{ErrorCode, UserError};
use std::io::Read;
use std::path::Path;

/// Largest table that is read, in bytes: thousands of rows.
const TABLE_BYTES_MAX: u64 = 1 << 20;

/// Prices with the user's own rows first.
///
/// # Errors
/// A file that can't be read, or the line that is wrong.
pub fn prices(folder: &Path, language: Language) -> Result<PriceTable, UserError> {
    let path = folder.join("prices.toml");
    match text(&path, language)? {
        Some(text) => PriceTable::with(&text).map_err(|(line, problem)| {
            broken(
                &path,
                line,
                &problem,
                language,
                "[openai]\n\"gpt-5.4\" = { input = 2.5, cached = 0.25, output = 15 }",
            )
        }),
        None => Ok(PriceTable::built_in()),
    }
}

/// Profiles with the user's own rows first.
///
/// # Errors
/// As [`prices`].
pub fn profiles(folder: &Path, language: Language) -> Result<Profiles, UserError> {
    let path = folder.join("models.toml");
    match text(&path, language)? {
        Some(text) => Profiles::with(&text).map_err(|(line, problem)| {
            broken(
                &path,
                line,
                &problem,
                language,
                "[[model]]\nname = \"qwen3*\"\nwindow = 32768\nformat = \"fenced\"",
            )
        }),
        None => Ok(Profiles::built_in()),
    }
}

fn text(path: &Path, language: Language) -> Result<Option<String>, UserError> {
    let unreadable = |cause: std::io::Error| {
        error(
            ErrorCode::Input,
            language.space().unread(cause, path.display()),
            language.space().check_permissions_or_move(),
        )
    };
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(unreadable(cause)),
    };
    let mut text = String::new();
    file.take(TABLE_BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    Ok(Some(text))
}

fn broken(path: &Path, line: usize, problem: &str, language: Language, example: &str) -> UserError {
    error(
        ErrorCode::Input,
        format!("{}:{line}: {problem}", path.display()),
        language.space().mend_line_as(example),
    )
}
