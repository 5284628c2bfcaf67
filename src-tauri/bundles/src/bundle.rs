//! A folder that somebody else wrote: the files in it, and their common fingerprint. By the fingerprint a review is
//! held to the files that were seen.
//!
//! Links are not followed: what they lead to was reviewed by nobody. A folder that holds one, or too much, is refused.

use crate::limits::{BYTES_MAX, FILES_DEPTH_MAX, FILES_MAX, READ_BYTES_MAX};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Component, Path};

/// Endings of files that some program runs.
const PROGRAMS: [&str; 22] = [
    "bash", "bat", "cmd", "com", "dll", "dylib", "exe", "jar", "js", "lua", "mjs", "php", "pl", "ps1", "py",
    "rb", "sh", "so", "ts", "vbs", "wasm", "zsh",
];

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundledFile {
    /// The path below the folder, with `/` between its parts.
    pub path: String,
    pub bytes: u64,
    pub is_program: bool,
}

/// What lies in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// In the order of names.
    pub files: Vec<BundledFile>,
    /// Changes whenever a file is written, comes or goes.
    pub stamp: u64,
}

/// Why a folder is refused whatever its texts say.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    #[error("{0}")]
    Link(String),
    #[error("more than {FILES_MAX} files")]
    TooMany,
    #[error("more than {BYTES_MAX} bytes")]
    TooLarge,
    #[error("{0}")]
    Disk(#[from] io::Error),
}

/// Lists what lies in a folder.
///
/// # Errors
/// See [`Unfit`].
pub fn list(folder: &Path) -> Result<Bundle, Unfit> {
    let mut found = Vec::new();
    walk(folder, "", 0, &mut found)?;
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let total: u64 = found.iter().map(|(_, facts)| facts.len()).sum();
    if total > BYTES_MAX {
        return Err(Unfit::TooLarge);
    }
    let mut hasher = DefaultHasher::new();
    for (path, facts) in &found {
        (
            path,
            facts.len(),
            facts.modified().ok(),
            is_executable(facts),
            written(facts),
        )
            .hash(&mut hasher);
    }
    let files = found.iter().map(|(path, facts)| BundledFile {
        path: path.clone(),
        bytes: facts.len(),
        is_program: is_program(path) || is_executable(facts),
    });
    Ok(Bundle {
        files: files.collect(),
        stamp: hasher.finish(),
    })
}

fn walk(folder: &Path, below: &str, depth: usize, found: &mut Vec<(String, Metadata)>) -> Result<(), Unfit> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // A name that is no text would have no one fingerprint.
        let name = name
            .to_str()
            .ok_or_else(|| Unfit::Link(name.to_string_lossy().into_owned()))?;
        let path = if below.is_empty() {
            name.to_owned()
        } else {
            format!("{below}/{name}")
        };
        let facts = fs::symlink_metadata(entry.path())?;
        if facts.is_dir() {
            if depth >= FILES_DEPTH_MAX {
                return Err(Unfit::TooMany);
            }
            walk(&entry.path(), &path, depth + 1, found)?;
            continue;
        }
        if !facts.is_file() {
            return Err(Unfit::Link(path));
        }
        found.push((path, facts));
        if found.len() > FILES_MAX {
            return Err(Unfit::TooMany);
        }
    }
    Ok(())
}

/// The fingerprint of everything in a folder: names, contents, and which files are programs.
///
/// # Errors
/// See [`Unfit`].
pub fn digest(folder: &Path) -> Result<String, Unfit> {
    let mut found = Vec::new();
    walk(folder, "", 0, &mut found)?;
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut hash = Sha256::new();
    let mut left = BYTES_MAX;
    for (path, facts) in &found {
        let mut content = Sha256::new();
        let read = io::copy(
            &mut File::open(folder.join(path))?.take(left + 1),
            &mut Hashing(&mut content),
        )?;
        left = left.checked_sub(read).ok_or(Unfit::TooLarge)?;
        hash.update((path.len() as u64).to_le_bytes());
        hash.update(path.as_bytes());
        hash.update([u8::from(is_executable(facts))]);
        hash.update(content.finalize());
    }
    Ok(hex::encode(hash.finalize()))
}

struct Hashing<'a>(&'a mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why a file of a bundle can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    #[error("{0:?} is no path below the folder")]
    Outside(String),
    #[error("it holds no {0:?}")]
    Missing(String),
    #[error("{0:?} has {1} bytes and is no text that can be read")]
    NotText(String, u64),
}

/// Reads a file by its path below the folder.
///
/// # Errors
/// See [`Unread`].
pub fn read_text(folder: &Path, path: &str) -> Result<String, Unread> {
    let below = Path::new(path);
    let is_below = below
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || path.contains('\0') || !is_below {
        return Err(Unread::Outside(path.to_owned()));
    }
    let missing = || Unread::Missing(path.to_owned());
    let mut place = folder.to_owned();
    for part in below.components() {
        place.push(part);
        let facts = fs::symlink_metadata(&place).map_err(|_| missing())?;
        if !facts.is_dir() && !facts.is_file() {
            return Err(missing());
        }
    }
    let file = File::open(&place).map_err(|_| missing())?;
    let bytes = file.metadata().map_or(0, |facts| facts.len());
    let mut read = Vec::new();
    let result = file.take(READ_BYTES_MAX + 1).read_to_end(&mut read);
    let is_whole = result.is_ok() && read.len() as u64 <= READ_BYTES_MAX;
    let text = String::from_utf8(read)
        .ok()
        .filter(|text| is_whole && !text.contains('\0'));
    text.ok_or_else(|| Unread::NotText(path.to_owned(), bytes))
}

fn is_program(path: &str) -> bool {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    ending.is_some_and(|(_, ending)| PROGRAMS.contains(&ending.to_lowercase().as_str()))
}

/// What changes with every writing, whatever time a file is given afterwards.
#[cfg(unix)]
fn written(facts: &fs::Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (facts.ino(), facts.ctime(), facts.ctime_nsec())
}

#[cfg(not(unix))]
fn written(_: &fs::Metadata) {}

#[cfg(unix)]
fn is_executable(facts: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    facts.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_facts: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn made() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("scripts")).expect("a folder");
        fs::write(folder.path().join("SKILL.md"), "text").expect("a file");
        fs::write(folder.path().join("scripts/a.py"), "print(1)").expect("a file");
        folder
    }

    #[test]
    fn files_are_listed_and_read_by_their_path() {
        let folder = made();
        let bundle = list(folder.path()).expect("listed");
        let [_, file] = bundle.files.as_slice() else {
            panic!("{bundle:?}")
        };
        assert_eq!(
            (file.path.as_str(), file.bytes, file.is_program),
            ("scripts/a.py", 8, true)
        );
        assert_eq!(
            read_text(folder.path(), "scripts/a.py").expect("read"),
            "print(1)"
        );
    }

    #[test]
    fn the_fingerprint_is_another_when_anything_is() {
        let folder = made();
        let first = digest(folder.path()).expect("a digest");
        assert_eq!(first, digest(folder.path()).expect("a digest"));
        fs::write(folder.path().join("scripts/a.py"), "print(2)").expect("a file");
        let second = digest(folder.path()).expect("a digest");
        assert_ne!(first, second);
        fs::rename(
            folder.path().join("scripts/a.py"),
            folder.path().join("scripts/b.py"),
        )
        .expect("renamed");
        assert_ne!(second, digest(folder.path()).expect("a digest"));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_a_link_is_refused_and_no_link_is_read() {
        let folder = made();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("notes.md")).expect("a link");
        assert!(matches!(list(folder.path()), Err(Unfit::Link(path)) if path == "notes.md"));
        assert!(matches!(digest(folder.path()), Err(Unfit::Link(_))));
        assert!(matches!(
            read_text(folder.path(), "notes.md"),
            Err(Unread::Missing(_))
        ));
    }

    proptest! {
        #[test]
        fn nothing_outside_the_folder_is_read_by_any_path(path in "(\\.\\./|/|scripts/|\\./|a){0,5}(secret|SKILL.md|a.py)?") {
            let outer = tempfile::tempdir().expect("a folder");
            fs::write(outer.path().join("secret"), "secret").expect("a file");
            let folder = outer.path().join("skill");
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("SKILL.md"), "text").expect("a file");
            if let Ok(text) = read_text(&folder, &path) {
                prop_assert_eq!(text, "text");
            }
        }
    }
}
