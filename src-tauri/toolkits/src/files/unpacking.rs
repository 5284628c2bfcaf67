//! `files.unzip`: an archive into a new folder, within bounds of entries, bytes and growth. Nothing comes out beside
//! that folder. Links, special files and hidden names stay in the archive, because other programs run hidden files.

use super::copy::{Made, done_already, place_made};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{
    UNPACK_BYTES_ALWAYS, UNPACK_BYTES_MAX, UNPACK_DEPTH_MAX, UNPACK_ENTRIES_MAX, UNPACK_NAME_BYTES_MAX,
    UNPACK_RATIO_MAX,
};
use crate::safe_path::{Executable, ResolvedPath, SafeWriter, Staging};
use serde_json::json;
use shidi_protocol::{CallOutcome, ChangeKind};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

pub(super) fn unpack(
    place: &ResolvedPath,
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    let file = place.open(environment)?;
    if let Some(outcome) = done_already(to, environment)? {
        return Ok(outcome);
    }
    let target = SafeWriter::of(to, environment)?;
    if target.kind()?.is_some() {
        return Err(ToolError::Exists(to.shown.display().to_string()));
    }
    let packed = file
        .metadata()
        .map_err(|error| ToolError::io(&place.shown, error))?
        .len();
    let staging = target.stage()?;
    staging.folder(Path::new(""))?;
    let unpacked = Unpacked::fill(&staging, file, packed).map_err(|trouble| match trouble {
        Trouble::Archive(why) => ToolError::Archive(shown.clone(), why),
        Trouble::Target(error) => error,
    })?;
    let made = Made {
        kind: ChangeKind::Unpack,
        facts: json!({
            "path": shown,
            "to": to.shown.display().to_string(),
            "files": unpacked.files,
            "bytes": unpacked.bytes,
            "left_out": unpacked.left_out,
        }),
    };
    place_made(staging, made, place, to, environment)
}

/// What came out of an archive.
#[derive(Default)]
struct Unpacked {
    files: usize,
    bytes: u64,
    left_out: usize,
}

enum Trouble {
    /// What is wrong with the archive.
    Archive(String),
    /// What is wrong where it is unpacked to.
    Target(ToolError),
}

impl From<ZipError> for Trouble {
    fn from(error: ZipError) -> Self {
        Self::Archive(match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
                "it is protected by a password; ask the user for an unlocked copy".to_owned()
            }
            other => other.to_string(),
        })
    }
}

impl From<ToolError> for Trouble {
    fn from(error: ToolError) -> Self {
        Self::Target(error)
    }
}

impl Unpacked {
    fn fill(staging: &Staging<'_>, file: File, packed: u64) -> Result<Self, Trouble> {
        let mut archive = ZipArchive::new(file)?;
        if archive.len() > UNPACK_ENTRIES_MAX {
            return Err(Trouble::Archive(format!(
                "it has more than {UNPACK_ENTRIES_MAX} entries"
            )));
        }
        let most = most_bytes(packed);
        let mut unpacked = Self::default();
        for at in 0..archive.len() {
            let mut entry = archive.by_index(at)?;
            let name = decoded(entry.name_raw());
            let Some(name) = safe_name(&name) else {
                let name = name.escape_debug();
                return Err(Trouble::Archive(format!("'{name}' is no name inside it")));
            };
            if is_hidden(&name) || !(entry.is_file() || entry.is_dir()) || entry.is_symlink() {
                unpacked.left_out += 1;
            } else if entry.is_dir() {
                staging.folder(&name)?;
            } else {
                let mut out = staging.file(&name, Executable::No)?;
                let room = most - unpacked.bytes;
                // One byte more tells that there is too much, whatever the archive says of itself.
                let copied = io::copy(&mut (&mut entry).take(room + 1), &mut out);
                let copied = copied.map_err(|error| Trouble::Archive(error.to_string()))?;
                if copied > room {
                    let megabytes = most >> 20;
                    return Err(Trouble::Archive(format!(
                        "more than {megabytes} MB come out of it"
                    )));
                }
                unpacked.bytes += copied;
                unpacked.files += 1;
            }
        }
        Ok(unpacked)
    }
}

/// Bytes that may come out of an archive of that size.
fn most_bytes(packed: u64) -> u64 {
    let grown = packed.saturating_mul(UNPACK_RATIO_MAX);
    grown.clamp(UNPACK_BYTES_ALWAYS, UNPACK_BYTES_MAX)
}

/// A name in an archive as text. Many names are written in the encoding of a Chinese system, and say nothing of
/// that.
fn decoded(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::GB18030
            .decode_without_bom_handling(raw)
            .0
            .into_owned(),
    }
}

/// The path that a name stands for below the new folder; `None` where it could stand for any other place.
fn safe_name(name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| {
        let is_of_this_system = !(cfg!(windows) && part.contains(':'));
        is_of_this_system
            && part != ".."
            && part.len() <= UNPACK_NAME_BYTES_MAX
            && !part.chars().any(char::is_control)
    };
    let has_drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if has_drive || name.starts_with(['/', '\\']) {
        return None;
    }
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
    let mut path = PathBuf::new();
    let mut levels = 0;
    for part in parts {
        levels += 1;
        if !is_plain(part) || levels > UNPACK_DEPTH_MAX {
            return None;
        }
        path.push(part);
    }
    (levels > 0).then_some(path)
}

fn is_hidden(path: &Path) -> bool {
    path.components()
        .any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Component;

    #[test]
    fn names_lead_below_the_folder_or_nowhere() {
        for (name, path) in [
            ("a/b.txt", Some("a/b.txt")),
            ("./a//b/", Some("a/b")),
            (r"资料\周报.md", Some("资料/周报.md")),
            ("../a", None),
            ("a/../../b", None),
            ("/etc/passwd", None),
            (r"\\host\share", None),
            (r"C:\a", None),
            ("a\nb", None),
            ("", None),
            (".", None),
        ] {
            assert_eq!(safe_name(name), path.map(PathBuf::from), "{name}");
        }
    }

    #[test]
    fn names_of_a_chinese_system_are_read() {
        let (gbk, _, _) = encoding_rs::GBK.encode("资料/周报.md");
        assert_eq!(decoded(&gbk), "资料/周报.md");
        assert_eq!(decoded("资料/周报.md".as_bytes()), "资料/周报.md");
    }

    proptest! {
        #[test]
        fn no_name_leads_out(name in "(\\.\\./|\\./|/|\\\\|[a-z]{1,3}|C:|中|\\PC){0,12}") {
            if let Some(path) = safe_name(&name) {
                prop_assert!(path.components().all(|part| matches!(part, Component::Normal(_))));
                prop_assert!(path.components().count() > 0);
            }
        }
    }
}
