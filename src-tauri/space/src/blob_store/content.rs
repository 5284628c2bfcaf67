//! The name of a kept file, and its way to the disk.

use crate::home::make_private;
use crate::limits::KEPT_NAME_CHARACTERS;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Beside a fetched page: where it came from.
pub(super) const ADDRESS: &str = ".address";
/// Longest address that is kept.
const ADDRESS_BYTES_MAX: u64 = 8 << 10;

/// A file on its way in.
pub(super) struct Content<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Where it was fetched from.
    pub address: Option<&'a str>,
}

impl Content<'_> {
    /// The SHA-256 of the bytes; of a page, with its address: the same page of two addresses is two.
    pub fn hash(&self) -> String {
        let bytes = Sha256::digest(self.bytes);
        let whole = match self.address {
            Some(address) => Sha256::new().chain_update(bytes).chain_update(address).finalize(),
            None => bytes,
        };
        hex::encode(whole)
    }

    /// The name that the file gets.
    pub fn file_name(&self) -> String {
        file_name(self.name)
    }

    /// Writes the file whole, and its names in the folders above it, to the disk.
    pub fn write(&self, blobs: &Path, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(blobs);
        let is_first = !blobs.is_dir();
        make_private(blobs)?;
        make_private(folder)?;
        // A file that somebody changed by hand is not what its folder's name says.
        if fs::read(path).is_ok_and(|there| there == self.bytes) {
            shidi_atomic_write::settle(folder)?;
        } else {
            if let Some(address) = self.address {
                shidi_atomic_write::write(&folder.join(ADDRESS), address.as_bytes())?;
            }
            shidi_atomic_write::write(path, self.bytes)?;
        }
        shidi_atomic_write::settle(blobs)?;
        match blobs.parent() {
            Some(files) if is_first => shidi_atomic_write::settle(files),
            Some(_) | None => Ok(()),
        }
    }
}

/// Where a fetched file came from.
pub fn address_of(path: &Path) -> Option<String> {
    let file = fs::File::open(path.with_file_name(ADDRESS)).ok()?;
    let mut address = String::new();
    file.take(ADDRESS_BYTES_MAX).read_to_string(&mut address).ok()?;
    Some(address)
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
