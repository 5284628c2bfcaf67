//! `pages.toml` in the data folder. The file lists the browsers that were let in, and the sites whose tools programs
//! may call. The file also lists the sites on which the user's choices in forms are noticed.
//!
//! Of a browser's token only a hash is kept: who reads the file can't speak for the browser. A hand may edit it; what is
//! written keeps comments.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use shidi_locales::Language;
use shidi_protocol::UserError;
use shidi_space::toml_file;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut, Item, Table as Section, Value};

/// What the user decided about browsers and sites.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    pub browsers: BTreeMap<String, Browser>,
    #[serde(default)]
    pub sites: BTreeSet<String>,
    #[serde(default)]
    pub learned: BTreeSet<String>,
}

/// A browser that was let in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Browser {
    pub name: String,
    /// SHA-256 of its token, in hexadecimal.
    pub token: String,
}

impl Table {
    /// The browser that has this token.
    pub fn browser_of(&self, token: &str) -> Option<&str> {
        let hash = hash(token);
        let mut browsers = self.browsers.iter();
        browsers
            .find(|(_, browser)| browser.token == hash)
            .map(|(id, _)| id.as_str())
    }
}

/// What is kept of a token.
pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

/// Where it lies.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("pages.toml")
}

/// What was decided; nothing where there is no file.
///
/// # Errors
/// As [`toml_file::read`].
pub fn read(path: &Path, language: Language) -> Result<Table, UserError> {
    toml_file::read(path, remedy(language), language)
}

/// Writes what is decided now.
///
/// # Errors
/// As [`toml_file::change`].
pub fn write(path: &Path, table: &Table, language: Language) -> Result<(), UserError> {
    toml_file::change(path, remedy(language), language, |document| {
        for (name, sites) in [("sites", &table.sites), ("learned", &table.learned)] {
            let sites: Array = sites.iter().map(String::as_str).collect();
            put(document, name, Item::Value(Value::Array(sites)));
        }
        let mut browsers = Section::new();
        browsers.set_implicit(true);
        for (id, browser) in &table.browsers {
            let mut section = Section::new();
            section.insert("name", browser.name.as_str().into());
            section.insert("token", browser.token.as_str().into());
            browsers.insert(id, Item::Table(section));
        }
        put(document, "browsers", Item::Table(browsers));
    })
}

/// Gives a name its value, and leaves what stands before the name.
fn put(document: &mut DocumentMut, name: &str, item: Item) {
    *document.entry(name).or_insert(Item::None) = item;
}

/// What helps where a line is wrong.
fn remedy(language: Language) -> &'static str {
    language.browser().mend_table()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_with_its_comments() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        std::fs::write(&path, "# mine\nsites = []\n").unwrap();
        let token = "0f".repeat(32);
        let browser = Browser {
            name: "Chromium \"156\"".to_owned(),
            token: hash(&token),
        };
        let table = Table {
            browsers: [("a1".to_owned(), browser)].into(),
            sites: ["https://a.example".to_owned()].into(),
            learned: ["https://b.example".to_owned()].into(),
        };
        write(&path, &table, Language::En).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# mine"), "{text}");
        assert!(!text.contains(&token), "a token stands in no file");
        let read = read(&path, Language::En).unwrap();
        assert_eq!(read, table);
        assert_eq!(read.browser_of(&token), Some("a1"));
        assert_eq!(read.browser_of(""), None);
    }

    #[test]
    fn a_broken_file_is_told_with_its_line_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        std::fs::write(&path, "sites = []\nsites = [\n").unwrap();
        let problem = read(&path, Language::En).unwrap_err();
        assert!(problem.message.contains("pages.toml:2"), "{}", problem.message);
        assert!(write(&path, &Table::default(), Language::En).is_err());
    }
}
