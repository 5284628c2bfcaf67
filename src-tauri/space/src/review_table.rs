//! The record of reviewed things in the user's folder: the fingerprint of each, and which are off. Skills and
//! assistants have a table each, in the data folder.
//!
//! A hand may edit it; what is written keeps comments and other skills as they are.

use crate::toml_file;
use serde::Deserialize;
use shidi_locales::Language;
use shidi_protocol::UserError;
use std::collections::BTreeMap;
use std::path::Path;
use toml_edit::{Item, Table};

/// What is kept of one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    #[serde(default)]
    pub off: bool,
    /// The fingerprint of what was reviewed.
    #[serde(default)]
    pub digest: Option<String>,
    /// Where it was installed from.
    #[serde(default)]
    pub from: Option<String>,
}

pub type Entries = BTreeMap<String, Entry>;

/// All of which something is kept. `remedy` is for whoever wrote a wrong line.
///
/// # Errors
/// As [`toml_file::read`].
pub fn read(path: &Path, remedy: &str, language: Language) -> Result<Entries, UserError> {
    toml_file::read(path, remedy, language)
}

/// Writes what is kept of one, or takes it out.
///
/// # Errors
/// As [`toml_file::change`].
pub fn write(
    path: &Path,
    (name, entry): (&str, &Entry),
    remedy: &str,
    language: Language,
) -> Result<(), UserError> {
    toml_file::change(path, remedy, language, |document| {
        if *entry == Entry::default() {
            document.remove(name);
            return;
        }
        let mut table = Table::new();
        if entry.off {
            table.insert("off", true.into());
        }
        for (key, value) in [("digest", &entry.digest), ("from", &entry.from)] {
            if let Some(value) = value {
                table.insert(key, value.as_str().into());
            }
        }
        document.insert(name, Item::Table(table));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_is_read_again(
            kept in proptest::collection::btree_map(
                "[a-z一-龥-]{1,8}",
                (any::<bool>(), proptest::option::of("[0-9a-f]{4}"), proptest::option::of("[^\u{0}]{0,12}")),
                1..4,
            ),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("skills.toml");
            let mut wanted = Entries::new();
            for (name, (off, digest, from)) in kept {
                let entry = Entry { off, digest, from };
                write(&path, (&name, &entry), "", Language::SOURCE).expect("written");
                if entry != Entry::default() {
                    wanted.insert(name, entry);
                }
            }
            prop_assert_eq!(read(&path, "", Language::SOURCE).expect("read"), wanted);
        }
    }
}
