//! From what a person names to the folder that is granted.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::errors::error;
use shidi_space::typed_path;
use std::path::PathBuf;

/// Why a path is no folder to work in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFolder {
    NotAbsolute,
    Missing,
    /// The root of a disk: everything would be granted.
    Root,
}

impl NoFolder {
    pub(crate) fn explained(self, path: &str, language: Language) -> UserError {
        let words = language.folders();
        let (message, hint) = match self {
            Self::NotAbsolute => (words.not_absolute(path), words.name_a_folder()),
            Self::Missing => (words.missing(path), words.name_a_folder()),
            Self::Root => (words.root().to_owned(), words.name_the_work_folder()),
        };
        error(ErrorCode::Input, message, hint)
    }
}

/// The folder that a path stands for, with all links followed. The folder is the path itself, or the nearest
/// folder above that exists.
///
/// # Errors
/// See [`NoFolder`].
pub fn folder_at(path: &str) -> Result<PathBuf, NoFolder> {
    let written = typed_path::expanded(path);
    if !written.is_absolute() {
        return Err(NoFolder::NotAbsolute);
    }
    let found = written
        .ancestors()
        .find_map(|place| place.canonicalize().ok().filter(|place| place.is_dir()));
    match found {
        None => Err(NoFolder::Missing),
        Some(folder) if folder.parent().is_none() => Err(NoFolder::Root),
        Some(folder) => Ok(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_stands_for_its_folder_and_a_missing_path_for_the_nearest_one_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().canonicalize().expect("a true path");
        std::fs::write(home.join("a.txt"), "a").expect("a file");
        let at = |name: &str| folder_at(&home.join(name).display().to_string());
        assert_eq!(at(""), Ok(home.clone()));
        assert_eq!(at("a.txt"), Ok(home.clone()));
        assert_eq!(at("not/yet/there.txt"), Ok(home.clone()));
    }

    #[test]
    fn neither_a_whole_disk_nor_a_relative_path_is_granted() {
        assert_eq!(folder_at("/"), Err(NoFolder::Root));
        assert_eq!(folder_at("/no-such-folder-anywhere/a.txt"), Err(NoFolder::Root));
        assert_eq!(folder_at("notes"), Err(NoFolder::NotAbsolute));
        assert_eq!(folder_at(""), Err(NoFolder::NotAbsolute));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_granted_as_what_it_leads_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path().canonicalize().expect("a true path");
        std::fs::create_dir(home.join("real")).expect("a folder");
        std::os::unix::fs::symlink(home.join("real"), home.join("link")).expect("a link");
        assert_eq!(
            folder_at(&home.join("link").display().to_string()),
            Ok(home.join("real"))
        );
    }
}
