//! Paths: from the text that a program wrote to the file that is truly opened.
//!
//! A path is resolved once, links followed, and judged by where it leads. The very place that was judged is
//! opened. Afterwards the system tells which file the descriptor stands for, so that a swapped-in link is
//! noticed. Pipes and devices are refused before they are opened, because opening one may block for ever.

#[cfg(unix)]
mod target;
#[cfg(not(unix))]
#[path = "safe_path/target_elsewhere.rs"]
mod target;

pub(crate) use target::{Executable, Found, SafeWriter, Staging};

use crate::environment::{Environment, Reach};
use crate::error::ToolError;
use crate::limits::{LINKS_MAX, PATH_BYTES_MAX};
use crate::regular_file::open_regular;
use shidi_protocol::{Class, ends_line};
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The kind of what stands at a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    /// A link, pipe, socket or device.
    Other,
}

/// A path as written, and where it leads.
#[derive(Debug, Clone)]
pub(crate) struct ResolvedPath {
    /// The path as the program wrote it: results use this name.
    pub(crate) shown: PathBuf,
    /// The absolute path with all links followed; a missing part is kept as named.
    pub(crate) leads_to: PathBuf,
}

impl ResolvedPath {
    /// Finds where `text` leads: `~` is the user's home, relative paths begin at the first granted folder.
    ///
    /// # Errors
    /// A text that is no path, a relative path without a granted folder, a circle of links.
    pub(crate) fn resolve(text: &str, environment: &Environment) -> Result<Self, ToolError> {
        if text.is_empty() {
            return Err(ToolError::BadPath(text.to_owned(), "it is empty"));
        }
        if text.contains('\0') {
            return Err(ToolError::BadPath(
                text.escape_default().to_string(),
                "it holds a NUL character",
            ));
        }
        if text.len() > PATH_BYTES_MAX {
            let head: String = text.chars().take(40).collect();
            return Err(ToolError::BadPath(
                format!("{head}…"),
                "it is longer than 4096 bytes",
            ));
        }
        let shown = expand_home(text, std::env::home_dir().as_deref());
        let absolute = match environment.folders.first() {
            Some(folder) => folder.join(&shown),
            None if shown.is_absolute() => shown.clone(),
            None => return Err(ToolError::NoFolder(text.to_owned())),
        };
        let leads_to = true_path(&absolute).map_err(|error| ToolError::io(&shown, error))?;
        Ok(Self { shown, leads_to })
    }

    /// Finds what `text` names itself, not what a link of that name leads to.
    ///
    /// # Errors
    /// As [`ResolvedPath::resolve`]; a link.
    pub(crate) fn resolve_itself(text: &str, environment: &Environment) -> Result<Self, ToolError> {
        let place = Self::resolve(text, environment)?;
        let written = match environment.folders.first() {
            Some(folder) => folder.join(&place.shown),
            None => place.shown.clone(),
        };
        if written.symlink_metadata().is_ok_and(|facts| facts.is_symlink()) {
            return Err(ToolError::Special(place.shown.display().to_string(), "link"));
        }
        Ok(place)
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    /// A place that is no file, can't be read, or leads further than the call was permitted to.
    pub(crate) fn open(&self, environment: &Environment) -> Result<File, ToolError> {
        self.check_reach(environment)?;
        open_regular(&self.leads_to, &self.shown)
    }

    /// Facts about the file or folder at the place.
    ///
    /// # Errors
    /// Nothing there, no permission, or a place further than the call was permitted to reach.
    pub(crate) fn metadata(&self, environment: &Environment) -> Result<Metadata, ToolError> {
        self.check_reach(environment)?;
        self.leads_to
            .metadata()
            .map_err(|error| ToolError::io(&self.shown, error))
    }

    /// The name in results of `relative`, a path below this place.
    pub(crate) fn name_of(&self, relative: &Path) -> String {
        let joined = if relative.as_os_str().is_empty() {
            self.shown.clone()
        } else {
            self.shown.join(relative)
        };
        let plain = joined
            .strip_prefix(".")
            .ok()
            .filter(|rest| !rest.as_os_str().is_empty());
        plain.unwrap_or(&joined).display().to_string()
    }

    /// # Errors
    /// A place other than the decided one: a link came or went meanwhile.
    pub(crate) fn check_decided(&self, decided: Option<&String>) -> Result<(), ToolError> {
        if decided.is_none_or(|decided| *decided == self.leads_to.to_string_lossy()) {
            return Ok(());
        }
        Err(ToolError::Elsewhere(
            self.shown.display().to_string(),
            self.leads_to.clone(),
        ))
    }

    /// # Errors
    /// A name of something that is not there yet, with a line end or another control character.
    pub(crate) fn check_name(&self) -> Result<(), ToolError> {
        let is_odd = |letter: char| letter.is_control() || ends_line(letter);
        let new = self.leads_to.ancestors();
        let mut new = new.take_while(|path| path.symlink_metadata().is_err());
        let is_refused = new.any(|path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().chars().any(is_odd)
        });
        if !is_refused {
            return Ok(());
        }
        let mut shown = String::new();
        for letter in self.shown.to_string_lossy().chars() {
            match is_odd(letter) {
                true => shown.extend(letter.escape_default()),
                false => shown.push(letter),
            }
        }
        Err(ToolError::BadName(shown))
    }

    /// # Errors
    /// A place further than the call was permitted to write to, or Shidi's own data.
    pub(crate) fn check_writing(&self, environment: &Environment) -> Result<(), ToolError> {
        let shown = || self.shown.display().to_string();
        match environment.writing_reach_of(&self.leads_to) {
            _ if environment.is_own(&self.leads_to) => Err(ToolError::Own(shown())),
            Reach::Inside => Ok(()),
            Reach::Outside { .. } if environment.permitted == Class::WriteOutside => Ok(()),
            Reach::Outside { path } => Err(ToolError::Escaped(shown(), path)),
        }
    }

    /// # Errors
    /// A place further than the call was permitted to read.
    pub(crate) fn check_reach(&self, environment: &Environment) -> Result<(), ToolError> {
        match environment.reach_of(&self.leads_to) {
            Reach::Inside => Ok(()),
            Reach::Outside { .. } if environment.may_leave() => Ok(()),
            Reach::Outside { path } => Err(ToolError::Escaped(self.shown.display().to_string(), path)),
        }
    }
}

/// Tells where a path that a person wrote leads from `folder`, all links followed; `~` is the user's home.
#[must_use]
pub fn leads_to(text: &str, folder: &Path) -> Option<PathBuf> {
    let written = expand_home(text, std::env::home_dir().as_deref());
    true_path(&folder.join(written)).ok()
}

/// Replaces a leading `~` by the home folder.
fn expand_home(text: &str, home: Option<&Path>) -> PathBuf {
    match (text.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_path_buf(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(text),
    }
}

/// Follows every link of `path`. Of a missing path, the existing part is followed and the rest kept.
fn true_path(path: &Path) -> io::Result<PathBuf> {
    let mut wanted = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        let (existing, rest) = existing_part(&wanted)?;
        let Some(first) = rest.first() else {
            return Ok(existing);
        };
        let dangling = existing.join(first);
        let Ok(target) = dangling.read_link() else {
            return Ok(join_plain(existing, &rest));
        };
        wanted = join_plain(existing.join(target), rest.get(1..).unwrap_or_default());
    }
    Err(io::Error::other("too many links"))
}

/// Splits a path into its longest part that exists, links followed, and the names after it.
fn existing_part(path: &Path) -> io::Result<(PathBuf, Vec<OsString>)> {
    let mut rest = Vec::new();
    let mut part = path;
    loop {
        match part.canonicalize() {
            Ok(existing) => {
                rest.reverse();
                return Ok((existing, rest));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let Some(parent) = part.parent() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let last = part.components().next_back();
        rest.push(last.map_or_else(OsString::new, |component| component.as_os_str().to_owned()));
        part = parent;
    }
}

/// Appends names to a path; `..` among names that do not exist steps back by name alone.
fn join_plain(mut path: PathBuf, names: &[OsString]) -> PathBuf {
    for name in names {
        match Path::new(name).components().next() {
            Some(Component::ParentDir) => {
                path.pop();
            }
            Some(Component::Normal(name)) => path.push(name),
            Some(Component::CurDir | Component::RootDir | Component::Prefix(_)) | None => {}
        }
    }
    path
}

#[cfg(test)]
mod tests;
