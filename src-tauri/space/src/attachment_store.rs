//! What became a file only by being attached: pasted texts and pictures, fetched pages. Each lies in a folder named by
//! its content, so that the same thing is kept once, and goes when no session speaks of it any more.

use crate::errors::error;
use crate::home::make_private;
use crate::limits::{KEPT_NAME_CHARACTERS, UNSENT_KEPT};
use crate::space::Space;
use crate::storage;
use sha2::{Digest, Sha256};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use shidi_toolkits::Library;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Beside a fetched page: where it came from.
const ADDRESS: &str = ".address";
/// Longest address that is kept.
const ADDRESS_BYTES_MAX: u64 = 8 << 10;
/// Sessions whose questions are looked through before something is dropped.
const SESSIONS_MAX: u32 = 1_000_000;

/// Keeps `bytes` as `attachments/HASH/NAME`.
///
/// # Errors
/// A disk that is full or can't be written.
pub fn keep(space: &Space, name: &str, bytes: &[u8], address: Option<&str>) -> Result<PathBuf, UserError> {
    let language = space.language();
    let Some(attachments) = space.home.attachments() else {
        return Err(keeps_no_files(language));
    };
    let folder = attachments.join(hash(bytes, address));
    let path = folder.join(file_name(name));
    written(&attachments, &path, bytes, address).map_err(|cause| {
        error(
            ErrorCode::Storage,
            language.space().unwritten(cause, path.display()),
            language.space().check_disk(),
        )
    })?;
    Ok(path)
}

/// Where a fetched file came from.
pub fn address_of(path: &Path) -> Option<String> {
    let file = fs::File::open(path.with_file_name(ADDRESS)).ok()?;
    let mut address = String::new();
    file.take(ADDRESS_BYTES_MAX).read_to_string(&mut address).ok()?;
    Some(address)
}

/// Drops what no session speaks of, and everything that was read of documents. Trouble is logged: it costs space only.
pub fn drop_unused(space: &Space) {
    if let Some(Err(cause)) = space.library.as_ref().map(Library::clear) {
        tracing::warn!(%cause, "the text of documents could not be dropped");
    }
    let Some(attachments) = space.home.attachments() else {
        return;
    };
    match used(space) {
        Ok(used) => {
            if let Err(cause) = sweep(&attachments, &used) {
                tracing::warn!(%cause, "unused attachments could not be dropped");
            }
        }
        Err(cause) => tracing::warn!(%cause, "unused attachments were not looked for"),
    }
}

/// The sentence for a session that leaves nothing, on a system that has no place in memory for its files.
pub fn keeps_no_files(language: Language) -> UserError {
    error(
        ErrorCode::System,
        language.space().no_memory_folder(),
        language.space().incognito_without_files(),
    )
}

/// Paths that any question names.
fn used(space: &Space) -> Result<HashSet<PathBuf>, Box<dyn std::error::Error>> {
    let mut used = HashSet::new();
    for session in space.store.sessions(SESSIONS_MAX)? {
        for run in space.store.runs(&session.id)? {
            // A state that can't be read may name anything.
            let (_, ask) = storage::read_state(&run)?;
            used.extend(ask.files.into_iter().map(PathBuf::from));
        }
    }
    Ok(used)
}

fn sweep(folder: &Path, used: &HashSet<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries.flatten() {
        let kept = entry.path();
        let is_used = used.iter().any(|path| path.starts_with(&kept));
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        // A chip that is not sent yet speaks of it too.
        if !is_used && age > UNSENT_KEPT {
            fs::remove_dir_all(&kept)?;
        }
    }
    Ok(())
}

/// Writes beside the final name first: what is there under it is whole.
fn written(attachments: &Path, path: &Path, bytes: &[u8], address: Option<&str>) -> io::Result<()> {
    if path.is_file() {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(attachments);
    make_private(attachments)?;
    make_private(folder)?;
    if let Some(address) = address {
        fs::write(folder.join(ADDRESS), address)?;
    }
    shidi_atomic_write::write(path, bytes)
}

fn hash(bytes: &[u8], address: Option<&str>) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hash.update(address.unwrap_or_default());
    let digest = hash.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name that is one: no separators, no control characters, not too long, never hidden; its ending stays.
fn file_name(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|character| match character {
            '/' | '\\' | ':' => '-',
            other if other.is_control() => ' ',
            other => other,
        })
        .collect();
    let plain = plain.trim().trim_start_matches(['.', ' ']);
    let (stem, ending) = match plain.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.chars().count() <= 8 => {
            (stem, format!(".{ending}"))
        }
        Some(_) | None => (plain, String::new()),
    };
    let stem: String = stem.chars().take(KEPT_NAME_CHARACTERS).collect();
    if stem.is_empty() {
        "attachment".to_owned()
    } else {
        format!("{stem}{ending}")
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn any_name_becomes_one_that_a_file_can_have() {
        assert_eq!(file_name("../../etc/passwd"), "-..-etc-passwd");
        assert_eq!(file_name("报告 终稿.pdf"), "报告 终稿.pdf");
        assert_eq!(file_name(""), "attachment");
        assert_eq!(file_name("..."), "attachment");
        assert!(file_name(&"长".repeat(300)).len() < 255);
        assert!(file_name(&format!("{}.docx", "长".repeat(300))).ends_with(".docx"));
    }
}
