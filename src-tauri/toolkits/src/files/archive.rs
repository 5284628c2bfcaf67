//! `files.zip`: a file or tree as one archive. Links are left out, and so is what the user's rules keep back.

use super::counted;
use super::produce::{Produced, produce};
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{EARLIER_BYTES_MAX, PACK_BYTES_MAX, PACK_ENTRIES_MAX};
use crate::regular_file::open_regular;
use crate::safe_path::ResolvedPath;
use crate::tree::{Tree, joined};
use serde_json::json;
use shidi_protocol::CallOutcome;
use std::io::{self, Cursor, Read};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(super) fn pack(
    place: &ResolvedPath,
    to: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let shown = place.shown.display().to_string();
    place.check_reach(environment)?;
    let ending = to.leads_to.extension().unwrap_or_default().to_string_lossy();
    if !ending.eq_ignore_ascii_case("zip") {
        return Err(ToolError::NoForm {
            path: to.shown.display().to_string(),
            known: "'.zip'",
        });
    }
    if to.leads_to.starts_with(&place.leads_to) {
        return Err(ToolError::IntoItself(shown));
    }
    let tree = Tree::of(
        &place.leads_to,
        &place.shown,
        PACK_ENTRIES_MAX,
        &environment.withheld,
    )?;
    if tree.bytes() > PACK_BYTES_MAX {
        return Err(ToolError::TooMuch(shown, "512 MB".to_owned()));
    }
    let Packed {
        bytes,
        files,
        left_out,
    } = packed(&tree, place)?;
    let produced = Produced {
        bytes,
        facts: json!({"files": files, "left_out": left_out}),
        told: counted(files, "file", "files"),
    };
    produce(to, environment, produced)
}

struct Packed {
    bytes: Vec<u8>,
    files: usize,
    left_out: usize,
}

fn packed(tree: &Tree, place: &ResolvedPath) -> Result<Packed, ToolError> {
    let worded = |error: zip::result::ZipError| {
        ToolError::Unwritten(place.shown.display().to_string(), io::Error::other(error))
    };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    // Times are left at the format's first day: the same files make the same archive, also after a crash.
    let options = SimpleFileOptions::default();
    let root = place.leads_to.file_name().map_or(Path::new("files"), Path::new);
    let (mut files, mut left_out) = (0, tree.withheld);
    for entry in &tree.entries {
        let name = name_of(root, &entry.relative);
        if entry.kind.is_dir() {
            writer.add_directory(name, options).map_err(worded)?;
        } else if entry.kind.is_file() {
            let path = joined(&place.leads_to, &entry.relative);
            let file = open_regular(&path, &joined(&place.shown, &entry.relative))?;
            writer.start_file(name, options).map_err(worded)?;
            let copied = io::copy(&mut file.take(entry.bytes), &mut writer);
            copied.map_err(|error| ToolError::io(&place.shown, error))?;
            files += 1;
        } else {
            left_out += 1;
        }
    }
    let bytes = writer.finish().map_err(worded)?.into_inner();
    if bytes.len() as u64 > EARLIER_BYTES_MAX {
        return Err(ToolError::TooMuch(
            place.shown.display().to_string(),
            "64 MB when packed".to_owned(),
        ));
    }
    Ok(Packed {
        bytes,
        files,
        left_out,
    })
}

/// The name in the archive, with `/` between its parts on every system.
fn name_of(root: &Path, relative: &Path) -> String {
    let parts = root.components().chain(relative.components());
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
