//! The user's input: files, folders, snapshots and stdin, checked before anything else happens.

use crate::failure::Failure;
use crate::limits::{HANDED_OVER_BYTES_MAX, INPUT_BYTES_MAX};
use crate::words::Words;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Makes the path of an attached file or folder absolute and makes sure that it can be read.
///
/// # Errors
/// A path that is missing, unreadable, or neither file nor folder.
pub fn attached(path: &Path, words: Words) -> Result<String, Failure> {
    let absolute = path
        .canonicalize()
        .map_err(|error| unreadable(path, &error, words))?;
    let metadata = absolute
        .metadata()
        .map_err(|error| unreadable(path, &error, words))?;
    if metadata.is_dir() {
        absolute
            .read_dir()
            .map_err(|error| unreadable(path, &error, words))?;
    } else if metadata.is_file() {
        File::open(&absolute).map_err(|error| unreadable(path, &error, words))?;
    } else {
        return Err(Failure::input(
            words.not_a_file(path.display()),
            words.give_a_file(),
        ));
    }
    text_of(absolute, words)
}

/// Makes the path of a granted folder absolute.
///
/// # Errors
/// A path that is missing or no folder.
pub fn folder(path: &Path, words: Words) -> Result<String, Failure> {
    let absolute = path
        .canonicalize()
        .map_err(|error| unreadable(path, &error, words))?;
    if absolute.is_dir() {
        text_of(absolute, words)
    } else {
        Err(Failure::input(
            words.not_a_folder(path.display()),
            words.give_a_folder(),
        ))
    }
}

/// Reads a sensory snapshot: one JSON object.
///
/// # Errors
/// A file that can't be read, or is no JSON object, with the line.
pub fn snapshot(path: &Path, words: Words) -> Result<Value, Failure> {
    let text = text_file(path, words)?;
    match serde_json::from_str(&text) {
        Ok(Value::Object(snapshot)) => Ok(Value::Object(snapshot)),
        Ok(_) => Err(Failure::input(
            words.not_an_object(path.display()),
            words.give_an_object(),
        )),
        Err(error) => Err(Failure::input(
            words.broken_json(error.line(), path.display(), error),
            words.give_an_object(),
        )),
    }
}

/// Reads a whole text file.
///
/// # Errors
/// A file that can't be read, is too large or not UTF-8.
pub fn text_file(path: &Path, words: Words) -> Result<String, Failure> {
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let is_handed_over = path.starts_with("/dev/fd") || path == Path::new("/dev/stdin"); // a shell's <(…)
    if is_special && !is_handed_over {
        return Err(Failure::input(
            words.not_a_file(path.display()),
            words.give_a_file(),
        ));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error, words))?;
    whole(file, &path.display().to_string(), words)
}

/// A file by its whole path, for the runtime to read.
pub struct Readable {
    pub path: String,
    /// What was handed over through a pipe, private and gone afterwards: it can be read once, and here alone.
    _handed_over: Option<NamedTempFile>,
}

/// A file for the runtime to read, or what a pipe hands over.
///
/// # Errors
/// A pipe that can't be read, or brings too much.
pub fn readable(file: &Path, words: Words) -> Result<Readable, Failure> {
    let whole = file.canonicalize().ok().filter(|whole| whole.is_file());
    let is_pipe = file
        .metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if whole.is_some() || !is_pipe {
        let whole = whole.or_else(|| std::path::absolute(file).ok());
        return Ok(Readable {
            path: text_of(whole.unwrap_or_else(|| file.to_owned()), words)?,
            _handed_over: None,
        });
    }
    let source = File::open(file).map_err(|error| unreadable(file, &error, words))?;
    let unkept = |error: io::Error| unreadable(file, &error, words);
    let mut kept = NamedTempFile::new().map_err(unkept)?;
    let bytes = io::copy(&mut source.take(HANDED_OVER_BYTES_MAX + 1), &mut kept).map_err(unkept)?;
    if bytes > HANDED_OVER_BYTES_MAX {
        return Err(Failure::input(
            words.too_large(HANDED_OVER_BYTES_MAX, file.display()),
            words.import_in_parts(),
        ));
    }
    Ok(Readable {
        path: text_of(kept.path().to_owned(), words)?,
        _handed_over: Some(kept),
    })
}

/// Reads all of stdin.
///
/// # Errors
/// Input that is too large or not UTF-8.
pub fn stdin(words: Words) -> Result<String, Failure> {
    whole(io::stdin().lock(), "stdin", words)
}

/// Reads a key: unseen from a terminal, else from stdin.
///
/// # Errors
/// Input that ended before a line.
pub fn secret(prompt: &str, words: Words) -> Result<String, Failure> {
    hidden_line(prompt, words)?.ok_or_else(|| Failure::input(words.no_key(), words.give_a_key()))
}

/// Reads the value of a server's secret, as [`secret`] reads a key.
///
/// # Errors
/// As [`secret`].
pub fn server_secret(name: &str, words: Words) -> Result<String, Failure> {
    hidden_line(&words.secret_prompt(name), words)?
        .ok_or_else(|| Failure::input(words.no_secret(name), words.give_a_secret()))
}

/// Reads a passphrase: unseen from a terminal, else from stdin.
///
/// # Errors
/// As [`secret`].
pub fn passphrase(prompt: &str, words: Words) -> Result<String, Failure> {
    hidden_line(prompt, words)?
        .ok_or_else(|| Failure::input(words.no_passphrase(), words.give_a_passphrase()))
}

fn hidden_line(prompt: &str, words: Words) -> Result<Option<String>, Failure> {
    let line = if io::IsTerminal::is_terminal(&io::stdin()) {
        rpassword::prompt_password(prompt)
    } else {
        stdin(words).map(Ok)?
    };
    let line = line.map_err(|error| Failure::input(words.not_read(error, "stdin"), words.give_a_key()))?;
    let first = line.lines().next().map(str::trim).unwrap_or_default();
    Ok(Some(first.to_owned()).filter(|first| !first.is_empty()))
}

fn whole(source: impl Read, name: &str, words: Words) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = source.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::input(words.not_read(error, name), words.give_a_file()))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(Failure::input(
            words.too_large(INPUT_BYTES_MAX, name),
            words.attach_instead(),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Failure::input(words.not_utf_8(line, name), words.save_as_utf_8())
    })
}

fn text_of(path: PathBuf, words: Words) -> Result<String, Failure> {
    path.into_os_string().into_string().map_err(|path| {
        Failure::input(
            words.name_not_utf_8(Path::new(&path).display()),
            words.rename_it(),
        )
    })
}

fn unreadable(path: &Path, error: &io::Error, words: Words) -> Failure {
    Failure::input(words.not_read(error, path.display()), words.check_the_path())
}

#[cfg(test)]
mod tests;
