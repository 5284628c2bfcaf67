//! The assistants that there are: the user's, then those that ship. A name that comes first hides later ones of that name.
//!
//! Nothing watches: every look reads which files there are, and reads again only those that changed.

use crate::limits::{FILE_BYTES_MAX, FILES_MAX};
use crate::problem::{Fault, Problem};
use crate::reading::{self, Read};
use crate::shipped;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use shidi_protocol::{AssistantSource, AssistantTrust};
use shidi_space::review_table::{Entries, Entry};
use shidi_yaml::Place;
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The ending of an assistant's file.
pub const ENDING: &str = "yaml";

/// An assistant as it is found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The name by which it is called; that of the file where its text can't be read.
    pub name: String,
    pub source: AssistantSource,
    /// `None` of one that ships.
    pub path: Option<PathBuf>,
    pub text: String,
    pub read: Result<Read, Vec<Fault>>,
    /// The fingerprint of its file; empty of one that ships.
    pub digest: String,
    pub trust: AssistantTrust,
    pub entry: Entry,
    /// Whether another one of that name comes first.
    pub is_hidden: bool,
}

/// What was read of a file, as long as it does not change.
#[derive(Debug, Clone)]
struct CachedFile {
    stamp: (u64, Option<SystemTime>),
    text: String,
    digest: String,
    read: Result<Read, Vec<Fault>>,
}

/// What was read before.
#[derive(Debug, Default)]
pub struct Catalogue {
    known: Mutex<HashMap<PathBuf, CachedFile>>,
}

impl Catalogue {
    /// All assistants, in the order in which they are chosen.
    #[must_use]
    pub fn all(&self, folder: &Path, entries: &Entries) -> Vec<Found> {
        let mut all: Vec<Found> = files(folder)
            .into_iter()
            .filter_map(|path| self.found(path, entries))
            .collect();
        all.extend(shipped::all().iter().map(|one| Found {
            name: one.name.to_owned(),
            source: AssistantSource::BuiltIn,
            path: None,
            text: one.text.to_owned(),
            read: Ok(one.read.clone()),
            digest: String::new(),
            trust: AssistantTrust::Reviewed,
            entry: Entry::default(),
            is_hidden: false,
        }));
        let mut names = BTreeSet::new();
        for found in &mut all {
            found.is_hidden = !names.insert(found.name.clone());
        }
        all
    }

    fn found(&self, path: PathBuf, entries: &Entries) -> Option<Found> {
        let known = self.read(&path)?;
        let name = match &known.read {
            Ok(read) => read.spec.name.clone(),
            Err(_) => stem(&path),
        };
        let entry = entries.get(&name).cloned().unwrap_or_default();
        let trust = match &entry.digest {
            Some(digest) if *digest == known.digest => AssistantTrust::Reviewed,
            Some(_) => AssistantTrust::Changed,
            None => AssistantTrust::New,
        };
        Some(Found {
            name,
            source: AssistantSource::User,
            path: Some(path),
            text: known.text,
            read: known.read,
            digest: known.digest,
            trust,
            entry,
            is_hidden: false,
        })
    }

    /// What stands in a file; `None` where it has gone meanwhile. A link is no file.
    fn read(&self, path: &Path) -> Option<CachedFile> {
        let facts = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let stamp = (facts.len(), facts.modified().ok());
        if let Some(known) = self.known.lock().get(path).filter(|known| known.stamp == stamp) {
            return Some(known.clone());
        }
        let file: Arc<str> = shown(path).into();
        let (bytes, read) = match bytes(path, FILE_BYTES_MAX) {
            Ok(bytes) => {
                let read = reading::read(&file, &bytes);
                let reserved = read
                    .as_ref()
                    .ok()
                    .and_then(|read| reading::reserved(&file, &read.spec));
                (bytes, reserved.map_or(read, |fault| Err(vec![fault])))
            }
            Err(cause) => {
                let place = Place {
                    file,
                    line: 1,
                    column: 1,
                };
                let fault = Fault::new(&place, Problem::NotYaml(cause.to_string()));
                (Vec::new(), Err(vec![fault]))
            }
        };
        let known = CachedFile {
            stamp,
            digest: digest(&bytes),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            read,
        };
        let mut all = self.known.lock();
        // Files that have gone are not kept for ever.
        if all.len() >= FILES_MAX * 2 {
            all.clear();
        }
        all.insert(path.to_owned(), known.clone());
        Some(known)
    }
}

/// Bytes of a file, one more than the most where there are more.
///
/// # Errors
/// A file that can't be read.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// A file's name, for people.
#[must_use]
pub fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|ending| ending == ENDING || ending == "yml")
        })
        .filter(|path| !shown(path).starts_with('.'))
        .take(FILES_MAX)
        .collect();
    files.sort();
    files
}
