//! Unpacks a zip or a tar, packed or not, within bounds. A link, a device or a path that leads out refuses the whole.
//! Only a caller that knows the archive allows links to neighbours.

use super::{Left, Refused};
use crate::limits::{ARCHIVE_BYTES_MAX, ENTRIES_MAX, UNPACKED_BYTES_MAX};
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};
use tar::EntryType;
use zip::ZipArchive;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZIP: [u8; 2] = *b"PK";
/// Where a tar has its mark.
const TAR: (u64, &[u8]) = (257, b"ustar");

/// What an archive may hold.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// Bytes of the archive itself.
    pub archive_bytes: u64,
    pub entries: usize,
    /// Bytes of all that is unpacked.
    pub bytes: u64,
    /// Whether a tar may hold symbolic links to what lies in the same folder, as libraries have them.
    pub neighbour_links: bool,
}

/// What strangers pack.
pub const OF_BUNDLES: Allowed = Allowed {
    archive_bytes: ARCHIVE_BYTES_MAX,
    entries: ENTRIES_MAX,
    bytes: UNPACKED_BYTES_MAX,
    neighbour_links: false,
};

/// Unpacks the archive at `path` into the folder.
///
/// # Errors
/// See [`Refused`].
pub fn unpacked(path: &Path, folder: &Path, allowed: &Allowed) -> Result<(), Refused> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() > allowed.archive_bytes {
        return Err(Refused::TooLarge);
    }
    let mut head = [0; 2];
    let is_long = file.read_exact(&mut head).is_ok();
    file.rewind()?;
    match head {
        _ if !is_long => Err(Refused::NotAnArchive),
        GZIP => tar(GzDecoder::new(file), folder, allowed),
        ZIP => zip(file, folder, allowed),
        _ if is_tar(&mut file)? => tar(file, folder, allowed),
        _ => Err(Refused::NotAnArchive),
    }
}

fn is_tar(file: &mut File) -> io::Result<bool> {
    let (place, mark) = TAR;
    file.seek(io::SeekFrom::Start(place))?;
    let mut found = [0; TAR.1.len()];
    let is_tar = file.read_exact(&mut found).is_ok() && found == mark;
    file.rewind()?;
    Ok(is_tar)
}

/// Unpacks a tar as it comes.
///
/// # Errors
/// See [`Refused`].
pub(super) fn tar(packed: impl Read, folder: &Path, allowed: &Allowed) -> Result<(), Refused> {
    let mut left = Left::of(allowed);
    let mut links = Vec::new();
    // What is read is bounded too: headers and what is passed over count.
    let packed = packed.take(left.bytes * 2);
    let mut archive = tar::Archive::new(packed);
    for entry in archive.entries().map_err(|cause| broken(&cause))? {
        let mut entry = entry.map_err(|cause| broken(&cause))?;
        left.takes_entry()?;
        let path = entry.path().map_err(|cause| broken(&cause))?.into_owned();
        match entry.header().entry_type() {
            EntryType::Directory => make(folder, &path)?,
            EntryType::Regular | EntryType::Continuous => {
                let is_program = entry.header().mode().unwrap_or_default() & 0o111 != 0;
                write(&mut entry, folder, &path, is_program, &mut left)?;
            }
            EntryType::Symlink if allowed.neighbour_links => {
                let target = entry.link_name().map_err(|cause| broken(&cause))?;
                let target = target.as_deref().and_then(neighbour);
                let target = target.ok_or_else(|| link(&path))?;
                links.push((below(folder, &path)?, target));
            }
            // What git says of a commit.
            EntryType::XGlobalHeader | EntryType::XHeader => {}
            _ => return Err(link(&path)),
        }
    }
    // Last of all: nothing is written through a link.
    for (place, target) in links {
        make_link(&place, &target)?;
    }
    Ok(())
}

/// A link's target, if it lies in the same folder.
fn neighbour(target: &Path) -> Option<PathBuf> {
    let mut parts = target.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => Some(PathBuf::from(name)),
        _ => None,
    }
}

#[cfg(unix)]
fn make_link(place: &Path, target: &Path) -> Result<(), Refused> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(std::os::unix::fs::symlink(target, place)?)
}

/// Where links need a right of their own, the file is there twice.
#[cfg(not(unix))]
fn make_link(place: &Path, target: &Path) -> Result<(), Refused> {
    fs::copy(place.with_file_name(target), place)?;
    Ok(())
}

fn zip(file: File, folder: &Path, allowed: &Allowed) -> Result<(), Refused> {
    let wrong = |cause: zip::result::ZipError| Refused::Broken {
        why: cause.to_string(),
    };
    let mut archive = ZipArchive::new(file).map_err(wrong)?;
    let mut left = Left::of(allowed);
    for number in 0..archive.len() {
        left.takes_entry()?;
        let mut entry = archive.by_index(number).map_err(wrong)?;
        let path = PathBuf::from(entry.name().map_err(wrong)?.replace('\\', "/"));
        let mode = entry.unix_mode().unwrap_or_default();
        if entry.is_symlink() {
            return Err(link(&path));
        }
        if entry.is_dir() {
            make(folder, &path)?;
        } else {
            write(&mut entry, folder, &path, mode & 0o111 != 0, &mut left)?;
        }
    }
    Ok(())
}

fn make(folder: &Path, path: &Path) -> Result<(), Refused> {
    let place = below(folder, path)?;
    fs::create_dir_all(place).map_err(Refused::from)
}

fn write(
    content: &mut impl Read,
    folder: &Path,
    path: &Path,
    is_program: bool,
    left: &mut Left,
) -> Result<(), Refused> {
    let place = below(folder, path)?;
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    // An entry of a name that was there already would be another one than the reader saw.
    let mut file = File::create_new(&place).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => Refused::Broken {
            why: format!("{} is there twice", path.display()),
        },
        _ => Refused::from(cause),
    })?;
    let copied = io::copy(&mut content.take(left.bytes + 1), &mut file).map_err(|cause| broken(&cause))?;
    left.takes_bytes(copied)?;
    if is_program {
        mark_as_program(&file)?;
    }
    Ok(())
}

/// The place of an entry in the folder.
fn below(folder: &Path, path: &Path) -> Result<PathBuf, Refused> {
    let mut place = folder.to_owned();
    for part in path.components() {
        match part {
            Component::Normal(name) => place.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(Refused::Outside {
                    path: path.display().to_string(),
                });
            }
        }
    }
    Ok(place)
}

#[cfg(unix)]
fn mark_as_program(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn mark_as_program(_file: &File) -> io::Result<()> {
    Ok(())
}

fn link(path: &Path) -> Refused {
    Refused::Link {
        path: path.display().to_string(),
    }
}

fn broken(cause: &io::Error) -> Refused {
    Refused::Broken {
        why: cause.to_string(),
    }
}
