//! The server's archive becomes a folder, whole or not at all, and the server in it is found.
//!
//! Its digest was compared before, so it is what its makers packed. The bounds are for the day on which that is wrong.

use super::transfer::Halt;
use crate::limits::{UNPACKED_BYTES_MAX, UNPACKED_DEPTH_MAX, UNPACKED_FILES_MAX};
use crate::program;
use shidi_bundles::archive::{self, Allowed};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Its libraries are linked to one another.
const ALLOWED: Allowed = Allowed {
    archive_bytes: UNPACKED_BYTES_MAX,
    entries: UNPACKED_FILES_MAX,
    bytes: UNPACKED_BYTES_MAX,
    neighbour_links: true,
};

/// How the name of a folder begins that is not unpacked to its end.
pub const BEGUN: &str = ".unpacked";

/// Unpacks an archive as the folder `place`, which is there whole or not at all.
///
/// # Errors
/// An archive that is broken, or that holds no server; a disk that takes no more.
pub fn unpack(packed: &Path, place: &Path) -> Result<(), Halt> {
    let parent = place.parent().unwrap_or(place);
    remove_broken_off(parent);
    let folder = tempfile::Builder::new().prefix(BEGUN).tempdir_in(parent)?;
    archive::unpacked(packed, folder.path(), &ALLOWED)?;
    if server_in(folder.path()).is_none() {
        return Err(Halt::NoServer);
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::fs::File;
    use std::io::Write;
    use tar::EntryType;

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
