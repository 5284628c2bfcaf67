//! `pages.toml` in the data folder: which browsers were let in, and which sites' tools programs may call.
//!
//! Of a browser's token only a hash is kept: who reads the file can't speak for the browser. A hand may edit it; what is
//! written keeps comments.

use crate::words::{Words, error};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use shidi_protocol::{ErrorCode, UserError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut, Item, Table as Section, Value};

/// Largest file that is read, in bytes: thousands of sites.
const TABLE_BYTES_MAX: u64 = 1 << 20;

/// What the user decided about browsers and sites.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(default)]
    pub browsers: BTreeMap<String, Browser>,
    #[serde(default)]
    pub sites: BTreeSet<String>,
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
    let digest = Sha256::digest(token.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where it lies.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("pages.toml")
}

/// What was decided; nothing where there is no file.
///
/// # Errors
/// A file that can't be read, or what is wrong in it.
pub fn read(path: &Path, words: Words) -> Result<Table, UserError> {
    let text = text(path, words)?;
    toml::from_str(&text).map_err(|cause: toml::de::Error| {
        let before = cause.span().and_then(|span| text.get(..span.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        broken(path, line, cause.message(), words)
    })
}

/// Writes what is decided now.
///
/// # Errors
/// As [`read`], or a disk that refuses.
pub fn write(path: &Path, table: &Table, words: Words) -> Result<(), UserError> {
    let text = text(path, words)?;
    let mut document: DocumentMut = text
        .parse()
        .map_err(|cause: toml_edit::TomlError| broken(path, 1, cause.message(), words))?;
    let sites: Array = table.sites.iter().map(String::as_str).collect();
    put(&mut document, "sites", Item::Value(Value::Array(sites)));
    let mut browsers = Section::new();
    browsers.set_implicit(true);
    for (id, browser) in &table.browsers {
        let mut section = Section::new();
        section.insert("name", browser.name.as_str().into());
        section.insert("token", browser.token.as_str().into());
        browsers.insert(id, Item::Table(section));
    }
    put(&mut document, "browsers", Item::Table(browsers));
    let written = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(document.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|cause| unusable(path, &cause, words))
}

/// Gives a name its value, and leaves what stands before the name.
fn put(document: &mut DocumentMut, name: &str, item: Item) {
    *document.entry(name).or_insert(Item::None) = item;
}

fn text(path: &Path, words: Words) -> Result<String, UserError> {
    let mut text = String::new();
    match std::fs::File::open(path) {
        Ok(file) => {
            let read = file.take(TABLE_BYTES_MAX).read_to_string(&mut text);
            read.map_err(|cause| unusable(path, &cause, words))?;
            Ok(text)
        }
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(text),
        Err(cause) => Err(unusable(path, &cause, words)),
    }
}

fn broken(path: &Path, line: usize, what: &str, words: Words) -> UserError {
    let said = match words {
        Words::Chinese => format!("{} 第 {line} 行有错：{what}", path.display()),
        Words::English => format!("{} is wrong in line {line}: {what}", path.display()),
    };
    let remedy = words.pick(
        "改正它，或删掉它，再让浏览器重新连接",
        "Correct it, or delete it and let the browser in again",
    );
    error(ErrorCode::Input, said, remedy)
}

fn unusable(path: &Path, cause: &std::io::Error, words: Words) -> UserError {
    let said = match words {
        Words::Chinese => format!("用不了 {}：{cause}", path.display()),
        Words::English => format!("{} can't be used: {cause}", path.display()),
    };
    let remedy = words.pick("检查权限和磁盘空间", "Check permissions and disk space");
    error(ErrorCode::Storage, said, remedy)
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
        };
        write(&path, &table, Words::English).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# mine"), "{text}");
        assert!(!text.contains(&token), "a token stands in no file");
        let read = read(&path, Words::English).unwrap();
        assert_eq!(read, table);
        assert_eq!(read.browser_of(&token), Some("a1"));
        assert_eq!(read.browser_of(""), None);
    }

    #[test]
    fn a_broken_file_is_told_with_its_line_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path());
        std::fs::write(&path, "sites = []\nsites = [\n").unwrap();
        let problem = read(&path, Words::English).unwrap_err();
        assert!(problem.message.contains("line 2"), "{}", problem.message);
        assert!(write(&path, &Table::default(), Words::English).is_err());
    }
}
