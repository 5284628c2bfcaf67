//! The server's archive becomes a folder: files and folders below it, links to a neighbour, and nothing else.
//!
//! Its digest was compared before, so it is what its makers packed. The bounds are for the day on which that is wrong.

use super::transfer::Halt;
use crate::limits::{UNPACKED_BYTES_MAX, UNPACKED_DEPTH_MAX, UNPACKED_FILES_MAX};
use crate::program;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use tar::EntryType;

/// How the name of a folder begins that is not unpacked to its end.
const BEGUN: &str = ".unpacked";

/// Unpacks `archive` as the folder `place`, which is there whole or not at all.
///
/// # Errors
/// An archive that is broken, or that holds no server; a disk that takes no more.
pub fn unpack(archive: &Path, place: &Path) -> Result<(), Halt> {
    let parent = place.parent().unwrap_or(place);
    remove_broken_off(parent);
    let folder = tempfile::Builder::new().prefix(BEGUN).tempdir_in(parent)?;
    let file = File::open(archive)?;
    match archive.extension().is_some_and(|ending| ending == "zip") {
        true => zip(file, folder.path())?,
        false => tar(file, folder.path())?,
    }
    if server_in(folder.path()).is_none() {
        return Err(broken("no llama-server in it"));
    }
    match fs::remove_dir_all(place) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause.into()),
        Ok(()) | Err(_) => {}
    }
    Ok(fs::rename(folder.keep(), place)?)
}

/// What a process that was killed has left.
fn remove_broken_off(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(BEGUN)) {
        if let Err(cause) = fs::remove_dir_all(entry.path()) {
            tracing::warn!(%cause, "a folder that was being unpacked is not removed");
        }
    }
}

/// The folder of the newest server that was unpacked below `engines`.
pub fn newest(engines: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(engines).into_iter().flatten().flatten();
    let whole = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut folders: Vec<_> = whole
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    folders.sort();
    let server = folders.iter().rev().find_map(|(_, folder)| server_in(folder))?;
    server.parent().map(Path::to_owned)
}

/// The server in a folder that was unpacked.
pub fn server_in(folder: &Path) -> Option<PathBuf> {
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if let Some(found) = program::in_folder(&folder) {
            return Some(found);
        }
        if depth < UNPACKED_DEPTH_MAX {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.extend(below.map(|entry| (entry.path(), depth + 1)));
        }
    }
    None
}

fn broken(why: impl ToString) -> Halt {
    Halt::Archive(why.to_string())
}

/// What may still come out of an archive.
struct Left {
    files: usize,
    bytes: u64,
}

impl Left {
    fn new() -> Self {
        Self {
            files: UNPACKED_FILES_MAX,
            bytes: UNPACKED_BYTES_MAX,
        }
    }

    fn takes_file(&mut self) -> Result<(), Halt> {
        self.files = self
            .files
            .checked_sub(1)
            .ok_or_else(|| broken("too many files"))?;
        Ok(())
    }

    fn write(&mut self, content: &mut impl Read, place: &Path, is_program: bool) -> Result<(), Halt> {
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create_new(place)?;
        let copied = io::copy(&mut content.take(self.bytes + 1), &mut file)?;
        self.bytes = self
            .bytes
            .checked_sub(copied)
            .ok_or_else(|| broken("too many bytes"))?;
        if is_program {
            make_executable(&file)?;
        }
        Ok(())
    }
}

fn tar(file: File, folder: &Path) -> Result<(), Halt> {
    let mut left = Left::new();
    let mut links = Vec::new();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file).take(2 * UNPACKED_BYTES_MAX));
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        left.takes_file()?;
        let place = below(folder, &entry.path().map_err(broken)?)?;
        match entry.header().entry_type() {
            EntryType::Directory => fs::create_dir_all(&place)?,
            EntryType::Regular | EntryType::Continuous => {
                let is_program = entry.header().mode().unwrap_or_default() & 0o111 != 0;
                left.write(&mut entry, &place, is_program)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name().map_err(broken)?;
                let target = target.ok_or_else(|| broken("a link to nothing"))?.into_owned();
                links.push((place, neighbour(&target)?));
            }
            EntryType::XGlobalHeader | EntryType::XHeader => {}
            _ => return Err(broken(place.display())),
        }
    }
    // Last of all: nothing is written through a link.
    links.iter().try_for_each(|(place, target)| link(target, place))
}

fn zip(file: File, folder: &Path) -> Result<(), Halt> {
    let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
    let mut left = Left::new();
    for number in 0..archive.len() {
        left.takes_file()?;
        let mut entry = archive.by_index(number).map_err(broken)?;
        let path = PathBuf::from(entry.name().map_err(broken)?.replace('\\', "/"));
        let place = below(folder, &path)?;
        let mode = entry.unix_mode().unwrap_or_default();
        if entry.is_symlink() {
            return Err(broken(path.display()));
        }
        match entry.is_dir() {
            true => fs::create_dir_all(&place)?,
            false => left.write(&mut entry, &place, mode & 0o111 != 0)?,
        }
    }
    Ok(())
}

/// A place within the folder.
fn below(folder: &Path, path: &Path) -> Result<PathBuf, Halt> {
    let mut place = folder.to_owned();
    for part in path.components() {
        match part {
            Component::Normal(name) => place.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(broken(path.display()));
            }
        }
    }
    Ok(place)
}

/// A link's target that lies in the same folder.
fn neighbour(target: &Path) -> Result<PathBuf, Halt> {
    let mut parts = target.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => Ok(PathBuf::from(name)),
        _ => Err(broken(target.display())),
    }
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> Result<(), Halt> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(std::os::unix::fs::symlink(target, place)?)
}

/// Where links need a right of their own, the file is there twice.
#[cfg(not(unix))]
fn link(target: &Path, place: &Path) -> Result<(), Halt> {
    let source = place.with_file_name(target);
    fs::copy(source, place)?;
    Ok(())
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    enum Content<'a> {
        Bytes(&'a str),
        Link(&'a str),
    }

    fn packed(folder: &Path, entries: &[(&str, Content<'_>)]) -> PathBuf {
        let at = folder.join("engine.tar.gz");
        let mut archive = tar::Builder::new(GzEncoder::new(File::create(&at).unwrap(), Compression::fast()));
        for (path, content) in entries {
            let mut header = tar::Header::new_gnu();
            // `set_path` refuses what a liar would write.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_mode(0o755);
            match content {
                Content::Bytes(text) => {
                    header.set_size(text.len() as u64);
                    header.set_cksum();
                    archive.append(&header, text.as_bytes()).unwrap();
                }
                Content::Link(target) => {
                    header.set_entry_type(EntryType::Symlink);
                    header.set_size(0);
                    header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
                    header.set_cksum();
                    archive.append(&header, io::empty()).unwrap();
                }
            }
        }
        archive.into_inner().unwrap().finish().unwrap().flush().unwrap();
        at
    }

    #[test]
    fn a_server_is_unpacked_with_its_libraries_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let archive = packed(
            folder.path(),
            &[
                ("b1/libggml.so", Content::Link("libggml.so.0")),
                ("b1/libggml.so.0", Content::Bytes("library")),
                ("b1/llama-server", Content::Bytes("#!/bin/sh\n")),
            ],
        );
        let place = folder.path().join("b1");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("left"), "from before").unwrap();
        unpack(&archive, &place).unwrap();
        assert_eq!(
            server_in(&place),
            Some(place.join("b1/llama-server").canonicalize().unwrap())
        );
        assert_eq!(
            fs::read_to_string(place.join("b1/libggml.so")).unwrap(),
            "library"
        );
        assert!(!place.join("left").exists());

        let begun = folder.path().join(".unpackedX/b2");
        fs::create_dir_all(&begun).unwrap();
        fs::copy(place.join("b1/llama-server"), begun.join("llama-server")).unwrap();
        assert_eq!(
            newest(folder.path()),
            Some(place.join("b1").canonicalize().unwrap())
        );
        unpack(&archive, &place).unwrap();
        assert!(!folder.path().join(".unpackedX").exists());
    }

    #[test]
    fn what_leaves_its_folder_or_is_no_server_is_refused_and_leaves_nothing() {
        for entries in [
            [("../llama-server", Content::Bytes("x"))].as_slice(),
            &[("/llama-server", Content::Bytes("x"))],
            &[
                ("llama-server", Content::Bytes("x")),
                ("a", Content::Link("/etc")),
            ],
            &[
                ("llama-server", Content::Bytes("x")),
                ("a", Content::Link("../b")),
            ],
            &[
                ("llama-server", Content::Bytes("x")),
                ("llama-server", Content::Bytes("y")),
            ],
            &[("readme", Content::Bytes("x"))],
        ] {
            let folder = tempfile::tempdir().unwrap();
            let archive = packed(folder.path(), entries);
            let place = folder.path().join("b1");
            assert!(unpack(&archive, &place).is_err());
            let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
            assert_eq!(left.len(), 1, "the archive alone: {left:?}");
        }
    }

    #[test]
    fn no_archive_panics() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            ("a.zip", b"PK\x03\x04".as_slice()),
            ("a.tar.gz", b"\x1f\x8b"),
            ("a.tar.gz", b""),
        ] {
            let at = folder.path().join(name);
            fs::write(&at, bytes).unwrap();
            assert!(unpack(&at, &folder.path().join("place")).is_err());
        }
    }
}
