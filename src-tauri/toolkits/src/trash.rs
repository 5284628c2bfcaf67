//! The user's trash, as freedesktop.org describes it: a place in it with the note that says where a thing stood. The thing
//! itself is moved there by whoever deletes it, and back by whoever takes that back.
//!
//! Library `trash` isn't used. The library goes by paths, where a folder exchanged for a link leads elsewhere. The
//! library panics on a note that another program wrote badly. The library doesn't say before the move where the thing
//! will lie.

use crate::limits::TRASH_NAMES_MAX;
use jiff::tz::TimeZone;
use shidi_protocol::Moment;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The ending of the notes.
const NOTE: &str = "trashinfo";

/// The user's own trash folder, which the system may not have made yet.
#[must_use]
pub fn trash_folder() -> Option<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.filter(|data| data.is_absolute());
    let data = data.or_else(|| Some(std::env::home_dir()?.join(".local/share")))?;
    (cfg!(target_os = "linux") && data.is_absolute()).then(|| data.join("Trash"))
}

/// The trash folders that may take what stands at `path`, the likeliest first.
pub(crate) fn folders_for(path: &Path, own: &Path) -> Vec<PathBuf> {
    let mut folders = vec![own.to_path_buf()];
    folders.extend(beside_mount(path));
    folders
}

/// Takes a place in a trash folder for what stands at `path`, and writes the note about it.
///
/// # Errors
/// A trash folder that can't be made or written to, or is a link.
pub(crate) fn take_place(trash: &Path, path: &Path, at: Moment, zone: &TimeZone) -> io::Result<PathBuf> {
    let trash = private_folder(trash)?;
    let (files, notes) = (
        private_folder(&trash.join("files"))?,
        private_folder(&trash.join("info"))?,
    );
    let note = note_of(path, at, zone);
    for name in names(path) {
        let place = files.join(&name);
        if place.symlink_metadata().is_ok() {
            continue;
        }
        let mut file = match create_new(&notes.join(with_ending(&name))) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        file.write_all(note.as_bytes())?;
        file.sync_all()?;
        return Ok(place);
    }
    Err(io::Error::other("the trash has too many things of that name"))
}

/// Removes the note about a place, where nothing lies any more.
pub(crate) fn leave(place: &Path) {
    if place.symlink_metadata().is_ok() {
        return;
    }
    let trash = place.parent().and_then(Path::parent);
    if let (Some(trash), Some(name)) = (trash, place.file_name()) {
        fs::remove_file(trash.join("info").join(with_ending(name))).unwrap_or_default();
    }
}

/// The note: where a thing stood, and when it was deleted.
fn note_of(path: &Path, at: Moment, zone: &TimeZone) -> String {
    let when = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    let when = when.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S");
    format!("[Trash Info]\nPath={}\nDeletionDate={when}\n", encoded(path))
}

/// A path as an address has it: everything but plain letters is written as its bytes.
fn encoded(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(*byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

/// Names for what stands at `path`: its own, then with numbers before the ending.
fn names(path: &Path) -> impl Iterator<Item = OsString> {
    let name = path.file_name().unwrap_or_default().to_owned();
    let (stem, ending) = (
        path.file_stem().unwrap_or_default().to_owned(),
        path.extension().map(OsStr::to_owned),
    );
    let numbered = (2..TRASH_NAMES_MAX).map(move |number| {
        let mut name = stem.clone();
        name.push(format!(" {number}"));
        if let Some(ending) = &ending {
            name.push(".");
            name.push(ending);
        }
        name
    });
    std::iter::once(name).chain(numbered)
}

fn with_ending(name: &OsStr) -> OsString {
    let mut note = name.to_owned();
    note.push(".");
    note.push(NOTE);
    note
}

fn create_new(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// The folder, made for its owner alone where it is missing. One that is a link is refused.
fn private_folder(path: &Path) -> io::Result<PathBuf> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    if path.symlink_metadata()?.is_dir() {
        path.canonicalize()
    } else {
        Err(io::Error::other("the trash is a link"))
    }
}

/// The trash at the root of the disk that a path lies on. The trash is one for all users where the system has made it,
/// else the user's.
#[cfg(target_os = "linux")]
fn beside_mount(path: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let device = |path: &Path| path.symlink_metadata().map(|facts| facts.dev()).ok();
    let mut folders = path.ancestors().skip(1);
    let Some(mut root) = folders.next() else {
        return Vec::new();
    };
    let disk = device(root);
    for above in folders.take_while(|above| device(above) == disk) {
        root = above;
    }
    let user = rustix::process::getuid().as_raw();
    let shared = root.join(".Trash");
    let is_sticky = |facts: fs::Metadata| facts.is_dir() && facts.permissions().mode() & 0o1000 != 0;
    let of_all = shared.symlink_metadata().is_ok_and(is_sticky);
    let of_all = of_all.then(|| shared.join(user.to_string()));
    of_all
        .into_iter()
        .chain([root.join(format!(".Trash-{user}"))])
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn beside_mount(_path: &Path) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_note_says_where_a_thing_stood_in_the_users_own_time() {
        let zone = TimeZone::get("Asia/Shanghai").unwrap();
        let note = note_of(
            Path::new("/home/lin/报 告=1.md"),
            Moment(1_773_459_045_000),
            &zone,
        );
        assert_eq!(
            note,
            "[Trash Info]\nPath=/home/lin/%E6%8A%A5%20%E5%91%8A%3D1.md\nDeletionDate=2026-03-14T11:30:45\n"
        );
    }

    #[test]
    fn things_of_one_name_lie_beside_each_other_and_a_note_goes_with_its_thing() {
        let root = tempfile::tempdir().unwrap();
        let trash = root.path().join("share/Trash");
        let zone = TimeZone::UTC;
        let take = || take_place(&trash, Path::new("/a/notes.txt"), Moment(0), &zone).unwrap();
        let first = take();
        let second = take();
        assert!(first.ends_with("files/notes.txt") && second.ends_with("files/notes 2.txt"));
        let notes = || fs::read_dir(trash.join("info")).unwrap().count();
        assert_eq!(notes(), 2);
        fs::write(&first, "").unwrap();
        leave(&first);
        assert_eq!(notes(), 2, "the thing is still there");
        leave(&second);
        assert_eq!(notes(), 1);
    }

    proptest! {
        /// What one program writes, another reads: the path comes back whole, on one line.
        #[test]
        fn any_path_is_one_line_that_decodes_to_itself(text in "/\\PC{0,40}") {
            let written = encoded(Path::new(&text));
            prop_assert!(written.is_ascii() && !written.contains(['\n', '=', ' ']));
            let mut bytes = Vec::new();
            let mut rest = written.as_bytes();
            while let [first, after @ ..] = rest {
                if *first == b'%' {
                    bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
                    rest = &after[2..];
                } else {
                    bytes.push(*first);
                    rest = after;
                }
            }
            prop_assert_eq!(bytes, text.into_bytes());
        }
    }
}
