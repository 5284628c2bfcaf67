//! Plugins that are kept, for whoever lists a part of them: workflows, prompts, skills, tools.
//!
//! A plugin lies in `plugins/NAME` of the data folder. `plugins.toml` has an entry for the fingerprint of the reviewed
//! files. The entry is written before the folder takes its place: whichever folder a kill leaves there has its own.

use crate::bundle::{Unfit, digest, list};
use parking_lot::Mutex;
use shidi_locales::Language;
use shidi_space::names::is_name;
use shidi_space::review_table::{self, Entries};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Plugins that are looked at: more are told apart by nobody.
const PLUGINS_MAX: usize = 100;
/// Characters of a name: it stands before each name within.
pub const NAME_CHARACTERS_MAX: usize = 40;
/// The sign between the name of a plugin and the name of its part. The sign stands in no name of the user's own.
const SEPARATOR: char = ':';

/// A folder among the plugins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPlugin {
    pub name: String,
    pub folder: PathBuf,
    /// Empty of a folder that is refused as it is.
    pub digest: String,
    /// Where it was installed from.
    pub from: Option<String>,
    /// Whether it is as it was reviewed.
    pub is_reviewed: bool,
}

/// What of a plugin somebody lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Workflows,
    Prompts,
    Skills,
    Tools,
}

impl Part {
    /// The name of its folder.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Workflows => "workflows",
            Self::Prompts => "prompts",
            Self::Skills => "skills",
            Self::Tools => "tools",
        }
    }
}

impl KeptPlugin {
    #[must_use]
    pub fn part(&self, part: Part) -> PathBuf {
        self.folder.join(part.folder())
    }

    /// How something within is called: `PLUGIN:NAME`.
    #[must_use]
    pub fn called(&self, name: &str) -> String {
        format!("{}{SEPARATOR}{name}", self.name)
    }
}

/// The folder in which plugins lie, and the place of one.
#[must_use]
pub fn place_of(data: &Path, name: &str) -> PathBuf {
    data.join("plugins").join(name)
}

/// Where fingerprints of what was reviewed stand.
#[must_use]
pub fn table_of(data: &Path) -> PathBuf {
    data.join("plugins.toml")
}

/// All folders among the plugins of a data folder, by their names.
#[must_use]
pub fn kept(data: &Path, language: Language) -> Vec<KeptPlugin> {
    let entries = fs::read_dir(place_of(data, "")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_name(name) && name.chars().count() <= NAME_CHARACTERS_MAX)
        .take(PLUGINS_MAX)
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    names.sort();
    let remedy = language.bundles().mend_table();
    let reviewed = review_table::read(&table_of(data), remedy, language).unwrap_or_else(|cause| {
        // Nothing counts as reviewed then.
        tracing::warn!(cause.message, "what is kept of plugins can't be read");
        Entries::new()
    });
    let plugin = |name: String| {
        let folder = place_of(data, &name);
        let digest = digest_of(&folder).unwrap_or_default();
        let entry = reviewed.get(&digest);
        KeptPlugin {
            name,
            folder,
            from: entry.and_then(|entry| entry.from.clone()),
            is_reviewed: entry.is_some(),
            digest,
        }
    };
    names.into_iter().map(plugin).collect()
}

/// The fingerprint of a folder, read again only when something in it was written.
fn digest_of(folder: &Path) -> Result<String, Unfit> {
    static READ: Mutex<Option<HashMap<PathBuf, (u64, String)>>> = Mutex::new(None);
    let stamp = list(folder)?.stamp;
    let known = READ.lock().as_ref().and_then(|read| read.get(folder).cloned());
    if let Some((_, digest)) = known.filter(|(at, _)| *at == stamp) {
        return Ok(digest);
    }
    let digest = digest(folder)?;
    let mut read = READ.lock();
    let read = read.get_or_insert_default();
    // Folders that have gone are not kept for ever.
    if read.len() >= PLUGINS_MAX * 4 {
        read.clear();
    }
    read.insert(folder.to_owned(), (stamp, digest.clone()));
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_space::review_table::Entry;

    #[test]
    fn a_plugin_counts_as_reviewed_until_anything_in_it_changes() {
        let data = tempfile::tempdir().expect("a folder");
        let place = place_of(data.path(), "care");
        fs::create_dir_all(place.join("prompts")).expect("a folder");
        fs::write(place.join("plugin.yaml"), "name: care").expect("a file");
        let look = || kept(data.path(), Language::SOURCE).remove(0);
        assert!(!look().is_reviewed, "nobody has seen it");
        let entry = Entry {
            digest: Some(look().digest),
            ..Entry::default()
        };
        let digest = look().digest;
        review_table::write(&table_of(data.path()), (&digest, &entry), "", Language::SOURCE)
            .expect("written");
        assert!(look().is_reviewed);
        assert_eq!(look().called("sms"), "care:sms");
        fs::write(place.join("prompts/a.md"), "other").expect("a file");
        assert!(!look().is_reviewed, "it has changed");
    }

    #[test]
    fn a_folder_that_prepares_a_change_or_has_no_name_is_no_plugin() {
        let data = tempfile::tempdir().expect("a folder");
        for name in [".put-x", "a b", &"a".repeat(41)] {
            fs::create_dir_all(place_of(data.path(), name)).expect("a folder");
        }
        assert_eq!(kept(data.path(), Language::SOURCE), []);
    }
}
