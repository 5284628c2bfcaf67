//! Tables in the data folder that a hand may edit too. An error names its line. A change keeps comments and all other
//! content. A file is written whole or not at all.

use crate::errors::error;
use serde::de::DeserializeOwned;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::io::Read;
use std::path::Path;
use toml_edit::DocumentMut;

/// Largest file that is read, in bytes: hundreds of entries.
const BYTES_MAX: u64 = 1 << 20;

/// What stands in a file; what an empty one says where there is none. `remedy` is for whoever wrote a wrong line.
///
/// # Errors
/// A file that can't be read, or what is wrong in it.
pub fn read<T: DeserializeOwned>(path: &Path, remedy: &str, language: Language) -> Result<T, UserError> {
    let text = text(path, language)?;
    toml::from_str(&text).map_err(|cause: toml::de::Error| {
        let before = cause.span().and_then(|span| text.get(..span.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        broken(path, line, cause.message(), remedy)
    })
}

/// Changes a file, and leaves everything else in it as it is.
///
/// # Errors
/// As [`read`], or a disk that refuses.
pub fn change(
    path: &Path,
    remedy: &str,
    language: Language,
    change: impl FnOnce(&mut DocumentMut),
) -> Result<(), UserError> {
    let text = text(path, language)?;
    let mut document: DocumentMut = text
        .parse()
        .map_err(|cause: toml_edit::TomlError| broken(path, 1, cause.message(), remedy))?;
    change(&mut document);
    shidi_atomic_write::write(path, document.to_string().as_bytes())
        .map_err(|cause| unusable(path, &cause, language))
}

fn text(path: &Path, language: Language) -> Result<String, UserError> {
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(cause) => Err(unusable(path, &cause, language)),
    }
}

fn unusable(path: &Path, cause: &std::io::Error, language: Language) -> UserError {
    error(
        ErrorCode::Storage,
        language.space().not_read_or_written(cause, path.display()),
        language.space().check_disk(),
    )
}

fn broken(path: &Path, line: usize, problem: &str, remedy: &str) -> UserError {
    let said = format!("{}:{line}: {}", path.display(), problem.trim());
    error(ErrorCode::Input, said, remedy)
}
