//! The catalogue of downloads: models by size, and the server's build for this system. Each has licence, size and
//! digest.
//!
//! A user's own list, `models/catalogue.toml` in the data folder, adds entries and replaces entries of the same name.
//! A company has its own models, or its own place for the models listed here.

use reqwest::Url;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

/// The entries that ship.
const SHIPPED: &str = include_str!("../catalogue.toml");

/// The host that a mirror stands for.
const MIRRORED: &str = "https://huggingface.co/";

/// Bytes of a file at most; the largest models that one computer answers with have half of that.
const BYTES_MAX: u64 = 1 << 40;

/// Characters of a name that is part of a path.
const NAME_CHARS_MAX: usize = 120;

/// Bytes of a list; one entry has some five hundred.
const LIST_BYTES_MAX: u64 = 1 << 20;

/// Endings of what holds a model, and of what holds the server.
const MODEL_ENDINGS: [&str; 1] = [".gguf"];
const ENGINE_ENDINGS: [&str; 2] = [".tar.gz", ".zip"];

/// One file of the web.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: String,
    pub title: String,
    #[serde(default)]
    pub maker: String,
    #[serde(default)]
    pub licence: String,
    /// Where people read about it.
    #[serde(default)]
    pub page: String,
    pub address: String,
    pub bytes: u64,
    /// In hexadecimal digits.
    pub sha256: String,
    /// Of an engine: the system and processor that it was built for, as `linux-x86_64`.
    #[serde(default)]
    pub system: Option<String>,
}

/// What can be downloaded to this computer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    #[serde(default, rename = "model")]
    pub models: Vec<Entry>,
    /// At most one, once those of other systems are left out.
    #[serde(default, rename = "engine")]
    pub engines: Vec<Entry>,
}

/// What is wrong with a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    Unreadable(String),
    /// The line, from 1, and what TOML says of it.
    Line(usize, String),
    /// A field of an entry that can't be what it is.
    Field(String, &'static str),
    /// Two entries have the same name, or the same file.
    Twice(String),
}

impl Catalogue {
    /// The shipped list with the user's own in `folder`, and what is wrong with the latter.
    pub fn with_own(folder: &Path) -> (Self, Option<Wrong>) {
        let shipped = Self::read(SHIPPED).unwrap_or_default();
        let own = match text_of(&folder.join("catalogue.toml")) {
            Ok(Some(text)) => Self::read(&text),
            Ok(None) => return (shipped, None),
            Err(cause) => Err(Wrong::Unreadable(cause.to_string())),
        };
        match own.and_then(|own| shipped.clone().overlaid(own)) {
            Ok(list) => (list, None),
            Err(wrong) => (shipped, Some(wrong)),
        }
    }

    /// Reads a list, and keeps of its engines the one for this system.
    fn read(text: &str) -> Result<Self, Wrong> {
        let mut list: Self = toml::from_str(text).map_err(|wrong| {
            let before = wrong.span().map_or(0, |span| span.start).min(text.len());
            let line = text.as_bytes()[..before]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
                + 1;
            Wrong::Line(line, wrong.message().to_owned())
        })?;
        let here = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        for (entries, endings) in [
            (&list.models, MODEL_ENDINGS.as_slice()),
            (&list.engines, ENGINE_ENDINGS.as_slice()),
        ] {
            for entry in entries {
                entry
                    .checked(endings)
                    .map_err(|field| Wrong::Field(entry.id.clone(), field))?;
            }
        }
        list.engines
            .retain(|engine| engine.system.as_deref().is_none_or(|system| system == here));
        list.without_doubles()
    }

    fn overlaid(mut self, own: Self) -> Result<Self, Wrong> {
        if !own.engines.is_empty() {
            self.engines = own.engines;
        }
        self.models
            .retain(|model| !own.models.iter().any(|other| other.id == model.id));
        self.models.extend(own.models);
        self.models.sort_by_key(|model| model.bytes);
        self.without_doubles()
    }

    /// Two of one name could not be told apart, and two of one file would take it from each other.
    fn without_doubles(self) -> Result<Self, Wrong> {
        let (mut ids, mut files) = (BTreeSet::new(), BTreeSet::new());
        for entry in self.models.iter().chain(&self.engines) {
            for (seen, name) in [(&mut ids, entry.id.as_str()), (&mut files, entry.file_name())] {
                if !seen.insert(name.to_lowercase()) {
                    return Err(Wrong::Twice(name.to_owned()));
                }
            }
        }
        // The one is the folder that the other becomes.
        match self.engines.iter().find(|engine| engine.id == engine.file_name()) {
            Some(engine) => Err(Wrong::Field(engine.id.clone(), "id")),
            None => Ok(self),
        }
    }

    pub fn engine(&self) -> Option<&Entry> {
        self.engines.first()
    }

    pub fn model(&self, id: &str) -> Option<&Entry> {
        self.models.iter().find(|model| model.id == id)
    }
}

impl Entry {
    /// # Errors
    /// The field that can't be what it is.
    fn checked(&self, endings: &[&str]) -> Result<(), &'static str> {
        let is_plain = |text: &str| {
            !text.is_empty()
                && text.len() <= NAME_CHARS_MAX
                && !text.starts_with(['.', '-'])
                && text
                    .chars()
                    .all(|sign| sign.is_ascii_alphanumeric() || "._-".contains(sign))
        };
        let is_digest = self.sha256.len() == 64
            && self
                .sha256
                .chars()
                .all(|sign| matches!(sign, '0'..='9' | 'a'..='f'));
        let url = Url::parse(&self.address).ok();
        let is_of_web = url.is_some_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let name = self.file_name();
        let checks = [
            (is_plain(&self.id), "id"),
            (is_digest, "sha256"),
            (self.bytes > 0 && self.bytes <= BYTES_MAX, "bytes"),
            (is_of_web && is_plain(name), "address"),
            (endings.iter().any(|ending| name.ends_with(ending)), "address"),
        ];
        let wrong = checks.into_iter().find(|(is_right, _)| !is_right);
        wrong.map_or(Ok(()), |(_, field)| Err(field))
    }

    /// The name of its file, the last part of its address.
    pub fn file_name(&self) -> &str {
        let path = self.address.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// Where it is fetched: at a mirror where the user names one and the entry lies with the mirrored host.
    ///
    /// # Errors
    /// The mirror, where it is no address.
    pub fn url(&self, mirror: &str) -> Result<Url, String> {
        let address = match self.address.strip_prefix(MIRRORED) {
            Some(path) if !mirror.is_empty() => format!("{}/{path}", mirror.trim_end_matches('/')),
            Some(_) | None => self.address.clone(),
        };
        let url = Url::parse(&address).ok();
        url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| mirror.to_owned())
    }
}

/// A list that is there; what is no file would be waited for.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    let facts = match path.metadata() {
        Ok(facts) => facts,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(cause),
    };
    if !facts.is_file() || facts.len() > LIST_BYTES_MAX {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut text = String::new();
    std::fs::File::open(path)?
        .take(LIST_BYTES_MAX)
        .read_to_string(&mut text)?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "[[model]]\nid = \"own\"\ntitle = \"Own\"\naddress = \"http://models.lan/own.gguf\"\nbytes = 5\nsha256 = \"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"\n";

    #[test]
    fn what_ships_is_pinned_and_from_small_to_large() {
        let list = Catalogue::read(SHIPPED).unwrap();
        assert!(list.models.len() >= 4);
        assert!(list.models.is_sorted_by_key(|model| model.bytes));
        for entry in &list.models {
            assert!(!entry.address.contains("/main/"), "{}: a branch moves", entry.id);
            assert!(!entry.licence.is_empty() && !entry.maker.is_empty());
        }
        let all: Catalogue = toml::from_str(SHIPPED).unwrap();
        let mut systems: Vec<_> = all.engines.iter().map(|engine| engine.system.clone()).collect();
        systems.sort();
        systems.dedup();
        assert_eq!(systems.len(), all.engines.len(), "one build for each system");
    }

    #[test]
    fn own_entries_add_to_what_ships_and_replace_what_has_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("catalogue.toml");
        std::fs::write(&at, OWN).unwrap();
        let (list, wrong) = Catalogue::with_own(folder.path());
        assert_eq!((list.models[0].id.as_str(), wrong), ("own", None));
        std::fs::write(&at, OWN.replace("\"own\"", "\"own.gguf\"")).unwrap();
        assert_eq!(Catalogue::with_own(folder.path()).1, None);
        std::fs::write(&at, OWN).unwrap();
        let count = list.models.len();
        std::fs::write(&at, OWN.replace("\"own\"", "\"qwen3.5-9b\"")).unwrap();
        let (list, _) = Catalogue::with_own(folder.path());
        assert_eq!(list.models.len(), count - 1);
        assert_eq!(list.model("qwen3.5-9b").unwrap().bytes, 5);
    }

    #[test]
    fn a_list_of_ones_own_that_is_wrong_says_so_and_takes_nothing_away() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("catalogue.toml");
        for wrong in [
            OWN.replace("2cf2", "XYZ2"),
            OWN.replace("own.gguf", "own.exe"),
            OWN.replace("own.gguf", "..gguf"),
            OWN.replace("http://models.lan/", "file:///etc/"),
            OWN.replace("bytes = 5", "bytes = 0"),
            OWN.replace("title", "titel"),
            format!("{OWN}{OWN}"),
            format!("{OWN}{}", OWN.replace("\"own\"", "\"other\"")),
            "[[model]".to_owned(),
        ] {
            std::fs::write(&at, &wrong).unwrap();
            let (list, said) = Catalogue::with_own(folder.path());
            assert!(said.is_some(), "{wrong}");
            assert!(list.model("qwen3.5-4b").is_some() && list.model("own").is_none());
        }
        std::fs::write(&at, "\n[[model]\n").unwrap();
        let (_, said) = Catalogue::with_own(folder.path());
        assert!(matches!(said, Some(Wrong::Line(2, _))), "{said:?}");
        std::fs::remove_file(&at).unwrap();
        std::fs::create_dir(&at).unwrap();
        let (_, said) = Catalogue::with_own(folder.path());
        assert!(matches!(said, Some(Wrong::Unreadable(_))), "{said:?}");
    }

    #[test]
    fn a_mirror_stands_for_its_host_alone() {
        let list = Catalogue::read(SHIPPED).unwrap();
        let model = list.model("qwen3.5-4b").unwrap();
        let url = model.url("https://mirror.example/hf/").unwrap();
        assert!(
            url.as_str()
                .starts_with("https://mirror.example/hf/unsloth/Qwen3.5-4B-GGUF/resolve/")
        );
        assert_eq!(model.url("nonsense"), Err("nonsense".to_owned()));
        if let Some(engine) = list.engine() {
            assert_eq!(
                engine.url("https://mirror.example").unwrap().as_str(),
                engine.address
            );
        }
    }
}
