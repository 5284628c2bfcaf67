//! The files of a suite: itself, and what it names by `file://`.
//!
//! A suite may come from anybody, and what it names may be sent to a model. So it reaches no file outside its own folder.

use super::fault::fault;
use crate::limits::{FILE_BYTES_MAX, FILES_MAX};
use globset::GlobBuilder;
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_yaml::{Node, Place};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a text names a file.
const SCHEME: &str = "file://";

/// A file's text with the name by which faults call it.
pub struct Text {
    pub name: Arc<str>,
    pub text: String,
}

pub struct Files {
    pub language: Language,
    /// `None` for suites that come with the program.
    folder: Option<PathBuf>,
    read: usize,
}

impl Files {
    pub fn of(language: Language, folder: Option<PathBuf>) -> Self {
        Self {
            language,
            folder,
            read: 0,
        }
    }

    /// The path that a text names, if it names one.
    pub fn named(text: &str) -> Option<&str> {
        text.strip_prefix(SCHEME)
    }

    /// Reads a document of YAML or JSON.
    ///
    /// # Errors
    /// A file that can't be read or is no such document.
    pub fn document(&mut self, place: &Place, path: &str) -> Result<Node, UserError> {
        let Text { name, text } = self.text(place, path)?;
        self.parsed(&name, &text)
    }

    /// Reads YAML.
    ///
    /// # Errors
    /// A text that is none.
    pub fn parsed(&self, name: &Arc<str>, text: &str) -> Result<Node, UserError> {
        shidi_yaml::read(name, text).map_err(|malformed| {
            let hint = self.language.evaluation().mend_yaml();
            fault(&malformed.place, malformed.why, hint)
        })
    }

    /// Reads a file as text.
    ///
    /// # Errors
    /// A file that is not there, lies outside the suite's folder, is too large or is no text.
    pub fn text(&mut self, place: &Place, path: &str) -> Result<Text, UserError> {
        let say = self.language.evaluation();
        self.read += 1;
        if self.read > FILES_MAX {
            return Err(fault(place, say.too_many_files(FILES_MAX), say.join_files()));
        }
        let (found, name) = self.found(place, path)?;
        let unread = |why: &dyn std::fmt::Display| fault(place, say.file_unread(why, path), say.check_file());
        let bytes = bytes(&found).map_err(|cause| unread(&cause))?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            let most = FILE_BYTES_MAX >> 20;
            return Err(fault(place, say.file_too_large(most, path), say.split_file()));
        }
        let text = String::from_utf8(bytes).map_err(|_| unread(&say.not_utf8()))?;
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        Ok(Text { name, text })
    }

    /// The paths that a name with `*` in its last part stands for, in their order; the name itself without one.
    ///
    /// # Errors
    /// A pattern that is none or finds nothing.
    pub fn matching(&self, place: &Place, path: &str) -> Result<Vec<String>, UserError> {
        if !path.contains('*') {
            return Ok(vec![path.to_owned()]);
        }
        let say = self.language.evaluation();
        let (folder, pattern) = path.rsplit_once('/').unwrap_or(("", path));
        if folder.contains('*') || pattern.contains("**") {
            return Err(fault(place, say.pattern_too_wide(path), say.star_in_names_only()));
        }
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let glob = glob.map_err(|cause| fault(place, cause, say.star_in_names_only()))?;
        let matcher = glob.compile_matcher();
        let start = if folder.is_empty() { "." } else { folder };
        let (found, _) = self.found(place, start)?;
        let entries = fs::read_dir(found)
            .map_err(|cause| fault(place, say.file_unread(cause, path), say.check_file()))?;
        let mut names: Vec<String> = entries
            .flatten()
            .take(FILES_MAX)
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| matcher.is_match(name))
            .map(|name| format!("{start}/{name}"))
            .collect();
        names.sort();
        match names.is_empty() {
            true => Err(fault(place, say.pattern_finds_nothing(path), say.check_file())),
            false => Ok(names),
        }
    }

    /// Where a named file really lies, and its name in faults.
    fn found(&self, place: &Place, path: &str) -> Result<(PathBuf, Arc<str>), UserError> {
        let say = self.language.evaluation();
        let Some(folder) = &self.folder else {
            return Err(fault(place, say.no_files_here(), say.copy_suite()));
        };
        let named = folder.join(path);
        let unread = |cause: std::io::Error| fault(place, say.file_unread(cause, path), say.check_file());
        let real = fs::canonicalize(&named).map_err(unread)?;
        let inside = fs::canonicalize(folder).map_err(unread)?;
        if !real.starts_with(&inside) {
            return Err(fault(place, say.file_outside(path), say.move_beside()));
        }
        Ok((real, named.to_string_lossy().into()))
    }
}

/// Reads at most one byte more than a file may have.
pub fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
