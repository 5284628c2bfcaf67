//! The files of bad cases: listed, read, written whole, removed.

use crate::BadCases;
use crate::limits::{CASES_MAX, TEXT_BYTES_MAX};
use serde_json::Value;
use shidi_evaluation::{Suite, read};
use shidi_protocol::{BadCase, ErrorCode, UserError, visible};
use shidi_space::errors::error;
use shidi_space::folder_files;
use shidi_space::names::{callable, is_name};
use std::io;
use std::path::{Path, PathBuf};

/// How a file's name ends.
const ENDING: &str = "yaml";

impl BadCases {
    /// All of them by name; those that can't be tried say why.
    pub fn listed(&self) -> Result<Vec<BadCase>, UserError> {
        let files = folder_files::listed(&self.folder(), ENDING, CASES_MAX);
        let files = files.map_err(|cause| self.unread(&self.folder(), &cause))?;
        Ok(files.iter().map(|path| self.shown(path)).collect())
    }

    fn shown(&self, path: &Path) -> BadCase {
        let stem = path.file_stem().unwrap_or_default();
        let read = self.text_of(path).and_then(|text| self.suite(path, &text));
        let (suite, problem) = match read {
            Ok(suite) => (Some(suite), None),
            Err(error) => (None, Some(error.message)),
        };
        let case = suite.as_ref().and_then(|suite| suite.cases.first());
        let wrong = case
            .and_then(|case| case.metadata.get("wrong"))
            .and_then(Value::as_str);
        let beside = self.beside(&stem.to_string_lossy()).unwrap_or_default();
        BadCase {
            name: stem.to_string_lossy().into_owned(),
            question: case
                .and_then(|case| case.turns.first())
                .cloned()
                .unwrap_or_default(),
            wrong: wrong.unwrap_or_default().to_owned(),
            path: path.display().to_string(),
            problem,
            proposed: beside.proposed,
            measured: beside.measured,
            accepted: beside.accepted.map(|accepted| accepted.change),
        }
    }

    fn suite(&self, path: &Path, text: &str) -> Result<Suite, UserError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        read(&name, text, self.space.language())
    }

    /// The text of the case of that name.
    pub fn named(&self, name: &str) -> Result<String, UserError> {
        self.text_of(&self.there(name)?)
    }

    fn text_of(&self, path: &Path) -> Result<String, UserError> {
        let unread = |cause: io::Error| self.unread(path, &cause);
        // Looked at before it is opened: a pipe would wait for whoever writes.
        if !std::fs::metadata(path).map_err(unread)?.is_file() {
            return Err(unread(io::ErrorKind::InvalidInput.into()));
        }
        let bytes = folder_files::bytes(path, TEXT_BYTES_MAX as u64).map_err(unread)?;
        if bytes.len() > TEXT_BYTES_MAX {
            return Err(self.too_large());
        }
        String::from_utf8(bytes).map_err(|_| unread(io::ErrorKind::InvalidData.into()))
    }

    /// Where the case of that name lies, whether it can be tried or not.
    pub fn there(&self, name: &str) -> Result<PathBuf, UserError> {
        let path = self.folder().join(format!("{name}.{ENDING}"));
        let is_plain = !name.is_empty() && !name.contains(['/', '\\']) && path.symlink_metadata().is_ok();
        is_plain.then_some(path).ok_or_else(|| {
            let say = self.space.language().bad_cases();
            error(
                ErrorCode::NotFound,
                say.no_such_case(visible(name)),
                say.see_cases(),
            )
        })
    }

    /// Writes a case. A text that is no suite is refused before.
    pub fn write(&self, name: &str, text: &str, replace: bool) -> Result<(), UserError> {
        let say = self.space.language().bad_cases();
        if !is_name(name) {
            let hint = match callable(name) {
                other if other.is_empty() => say.name_it().to_owned(),
                other => say.name_it_so(other),
            };
            return Err(error(ErrorCode::Input, say.no_name(visible(name)), hint));
        }
        if text.len() > TEXT_BYTES_MAX {
            return Err(self.too_large());
        }
        let path = self.folder().join(format!("{name}.{ENDING}"));
        self.suite(&path, text)?;
        let is_there = path.symlink_metadata().is_ok();
        if is_there && !replace {
            return Err(error(ErrorCode::Input, say.is_taken(name), say.name_another()));
        }
        if !is_there && self.count() >= CASES_MAX {
            return Err(error(
                ErrorCode::Input,
                say.has_enough(CASES_MAX),
                say.remove_some(),
            ));
        }
        let kept = std::fs::create_dir_all(self.folder())
            .and_then(|()| shidi_atomic_write::write(&path, text.as_bytes()));
        kept.map_err(|cause| self.unwritten(&path, &cause))
    }

    pub fn delete(&self, name: &str) -> Result<(), UserError> {
        let path = self.there(name)?;
        std::fs::remove_file(&path).map_err(|cause| self.unwritten(&path, &cause))
    }

    /// A name for a case of that question which no other one has.
    pub fn free_name(&self, question: &str) -> String {
        let words: Vec<&str> = question.split_whitespace().take(6).collect();
        let base = match callable(&words.join(" ")) {
            name if name.is_empty() => "case".to_owned(),
            name => name,
        };
        let base: String = base.chars().take(40).collect();
        let base = base.trim_matches('-').to_owned();
        let is_free = |name: &String| {
            let path = self.folder().join(format!("{name}.{ENDING}"));
            path.symlink_metadata().is_err()
        };
        let numbered = (2..).map(|number| format!("{base}-{number}"));
        std::iter::once(base.clone())
            .chain(numbered)
            .find(is_free)
            .unwrap_or(base)
    }

    fn count(&self) -> usize {
        folder_files::listed(&self.folder(), ENDING, CASES_MAX).map_or(0, |files| files.len())
    }

    fn too_large(&self) -> UserError {
        let say = self.space.language().bad_cases();
        error(
            ErrorCode::Input,
            say.too_large(TEXT_BYTES_MAX >> 20),
            say.shorten_it(),
        )
    }

    pub fn unread(&self, path: &Path, cause: &io::Error) -> UserError {
        let say = self.space.language().space();
        error(
            ErrorCode::Input,
            say.unread(cause, path.display()),
            say.check_permissions_or_move(),
        )
    }

    pub fn unwritten(&self, path: &Path, cause: &io::Error) -> UserError {
        let say = self.space.language().bad_cases();
        error(
            ErrorCode::Storage,
            say.not_written(cause, path.display()),
            say.check_the_disk(),
        )
    }
}
