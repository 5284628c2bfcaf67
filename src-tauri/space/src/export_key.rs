//! The key by which an export is known again as this data folder's own, whole.
//!
//! The last line of a file counts the others and holds a digest (HMAC) of them in their order. The digest's key lies in
//! the data folder, closed to others and out of every program's reach. Nobody else can make such a line, and a cut,
//! spliced or changed file has none. Nobody else can make one, and a file that was cut, spliced or changed has none.
//! Without the key, as on another computer, every file is a stranger's. A user who takes the file of the key along has
//! their own exports there too.

use crate::errors::error;
use crate::home::Home;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use shidi_atomic_write::Draft;
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError};
use std::fs;
use std::io::{self, Write as _};

/// Bytes of the key and of a proof: those of the hash.
const KEY_BYTES: usize = 32;

/// Bytes of the hash's block; a shorter key is filled with zeros, as the digest defines it.
const BLOCK_BYTES: usize = 64;

/// What the last line begins with, what stands between its count and its proof, and what ends it. Lines of earlier exports
/// end with a proof each, which proves nothing of the file.
const END: &str = "{\"end\":";
const BEFORE_PROOF: &str = ",\"proof\":\"";
const AFTER_PROOF: &str = "\"}";

/// What a file holds; a proof for one is none for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOf {
    Memory,
    Session,
    Experience,
}

/// Who wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// This data folder, all of it as it stands there.
    Own,
    /// Nobody knows.
    Stranger,
}

pub struct ExportKey {
    key: [u8; KEY_BYTES],
}

/// The lines of a file on their way out, or in.
#[derive(Clone)]
pub struct Lines {
    digest: Hmac<Sha256>,
    count: u64,
}

/// A file on its way in: whose it is shows at its end.
pub struct Judged {
    /// `None` without a key.
    lines: Option<Lines>,
    state: Judgement,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Judgement {
    /// No end has come.
    Open,
    Proven,
    /// A wrong end, or something after one.
    Refuted,
}

impl ExportKey {
    /// The folder's key; made at the first export. Of two that come first at the same time one makes it, and both have it.
    ///
    /// # Errors
    /// A folder that can't be written to, or a file that holds no key.
    pub fn of(home: &Home) -> io::Result<Self> {
        if let Some(key) = Self::known(home)? {
            return Ok(key);
        }
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).map_err(|cause| io::Error::other(cause.to_string()))?;
        let mut draft = Draft::begin(&home.export_key())?;
        draft.write_all(&key)?;
        // Whoever was first has made it for both.
        draft.ready()?.put_if_absent()?;
        Self::known(home)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The folder's key, if there was ever an export.
    ///
    /// # Errors
    /// A file that can't be read, or holds no key.
    pub fn known(home: &Home) -> io::Result<Option<Self>> {
        match fs::read(home.export_key()) {
            Ok(bytes) => {
                let key = bytes.try_into();
                let key = key.map_err(|_| io::Error::other("export.key holds no key"))?;
                Ok(Some(Self { key }))
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    /// The lines of a file that begins.
    #[must_use]
    pub fn begin(&self, of: FileOf) -> Lines {
        let mut block = [0; BLOCK_BYTES];
        block[..KEY_BYTES].copy_from_slice(&self.key);
        let mut digest = Hmac::<Sha256>::new(&block.into());
        digest.update(match of {
            FileOf::Memory => b"whole memory\n",
            FileOf::Session => b"whole session\n",
            FileOf::Experience => b"whole experience\n",
        });
        Lines { digest, count: 0 }
    }
}

impl Lines {
    /// Adds a line, which holds no end of line.
    pub fn add(&mut self, line: &str) {
        self.digest.update(line.as_bytes());
        self.digest.update(b"\n");
        self.count += 1;
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The last line of the file.
    #[must_use]
    pub fn end(self) -> String {
        let count = self.count;
        let proof = hex::encode(self.ended(count).finalize().into_bytes());
        format!("{END}{count}{BEFORE_PROOF}{proof}{AFTER_PROOF}")
    }

    /// The digest with its end, which no line looks like: whoever has it can't go on from it.
    fn ended(self, count: u64) -> Hmac<Sha256> {
        let mut digest = self.digest;
        digest.update(format!("end {count}").as_bytes());
        digest
    }
}

impl Judged {
    #[must_use]
    pub fn begin(key: Option<&ExportKey>, of: FileOf) -> Self {
        Self {
            lines: key.map(|key| key.begin(of)),
            state: Judgement::Open,
        }
    }

    /// The next line as a record; `None` for the one that ends an export.
    pub fn take(&mut self, line: &str) -> Option<String> {
        let line = line.trim();
        if let Some((count, proof)) = end(line) {
            let lines = self.lines.clone().filter(|lines| lines.count == count);
            // The comparison takes as long for a wrong proof as for the right one.
            let is_proven = lines.is_some_and(|lines| lines.ended(count).verify_slice(&proof).is_ok());
            self.state = match self.state {
                Judgement::Open if is_proven => Judgement::Proven,
                Judgement::Open | Judgement::Proven | Judgement::Refuted => Judgement::Refuted,
            };
            return None;
        }
        if self.state != Judgement::Open {
            self.state = Judgement::Refuted;
        }
        if let Some(lines) = &mut self.lines {
            lines.add(line);
        }
        Some(unproved(line))
    }

    #[must_use]
    pub fn author(&self) -> Author {
        match self.state {
            Judgement::Proven => Author::Own,
            Judgement::Open | Judgement::Refuted => Author::Stranger,
        }
    }
}

/// The sentence for a key that can't be read or made.
pub fn unusable(language: Language, cause: &io::Error) -> UserError {
    error(
        ErrorCode::Storage,
        language.space().export_key_unusable(cause),
        language.space().check_export_key(),
    )
}

/// What the last line of an export says, if it is one.
fn end(line: &str) -> Option<(u64, Vec<u8>)> {
    let (count, proof) = line
        .strip_prefix(END)?
        .strip_suffix(AFTER_PROOF)?
        .split_once(BEFORE_PROOF)?;
    Some((count.parse().ok()?, digits(proof)?))
}

/// A line of an earlier export without its own proof.
fn unproved(line: &str) -> String {
    let parts = line
        .strip_suffix(AFTER_PROOF)
        .and_then(|line| line.rsplit_once(BEFORE_PROOF));
    match parts {
        Some((fields, proof)) if digits(proof).is_some() => format!("{fields}}}"),
        Some(_) | None => line.to_owned(),
    }
}

fn digits(proof: &str) -> Option<Vec<u8>> {
    hex::decode(proof).ok().filter(|bytes| bytes.len() == KEY_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(byte: u8) -> ExportKey {
        ExportKey {
            key: [byte; KEY_BYTES],
        }
    }

    fn written(key: &ExportKey, of: FileOf, texts: &[String]) -> Vec<String> {
        let mut lines = key.begin(of);
        let mut file: Vec<String> = texts
            .iter()
            .map(|text| serde_json::json!({ "text": text }).to_string())
            .collect();
        file.iter().for_each(|line| lines.add(line));
        file.push(lines.end());
        file
    }

    fn read(key: Option<&ExportKey>, of: FileOf, file: &[String]) -> (Vec<String>, Author) {
        let mut judged = Judged::begin(key, of);
        let records = file.iter().filter_map(|line| judged.take(line)).collect();
        (records, judged.author())
    }

    proptest! {
        #[test]
        fn a_whole_file_is_known_again_and_one_that_was_cut_spliced_or_changed_is_not(
            texts in prop::collection::vec(".{0,20}", 1..6),
            others in prop::collection::vec(".{0,20}", 1..6),
            at in 0usize..1_000,
        ) {
            let (own, of) = (key(1), FileOf::Memory);
            let file = written(&own, of, &texts);
            prop_assert!(file.iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
            let (records, author) = read(Some(&own), of, &file);
            prop_assert_eq!(&records[..], &file[..texts.len()]);
            prop_assert_eq!(author, Author::Own);
            let strangers = |key: Option<&ExportKey>, of: FileOf, file: &[String]| read(key, of, file).1 == Author::Stranger;
            prop_assert!(strangers(Some(&key(2)), of, &file));
            prop_assert!(strangers(Some(&own), FileOf::Session, &file));
            prop_assert!(strangers(None, of, &file));
            // Cut anywhere, one line left out, one twice.
            let at = at % file.len();
            prop_assert!(strangers(Some(&own), of, &file[..at]));
            let (mut without, mut twice) = (file.clone(), file.clone());
            without.remove(at);
            twice.insert(at, file[at].clone());
            prop_assert!(strangers(Some(&own), of, &without));
            prop_assert!(strangers(Some(&own), of, &twice));
            // Two exports in one, with one end or both.
            let other = written(&own, of, &others);
            let both = [&file[..], &other[..]].concat();
            let spliced = [&file[..texts.len()], &other[..]].concat();
            prop_assert!(strangers(Some(&own), of, &both));
            prop_assert!(strangers(Some(&own), of, &spliced));
            let mut reversed = file.clone();
            reversed[..texts.len()].reverse();
            prop_assert!(reversed == file || strangers(Some(&own), of, &reversed));
        }
    }

    #[test]
    fn a_line_of_an_earlier_export_is_read_without_its_proof_and_proves_nothing() {
        let line = format!("{{\"text\":\"x\",\"proof\":\"{}\"}}", "ab".repeat(KEY_BYTES));
        let (records, author) = read(Some(&key(1)), FileOf::Memory, &[line]);
        assert_eq!(records, ["{\"text\":\"x\"}"]);
        assert_eq!(author, Author::Stranger);
    }

    #[test]
    fn first_exports_at_the_same_time_have_one_key() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let home = Home::open(Some(folder.path().to_owned()), Language::En).unwrap();
            let keys: Vec<[u8; KEY_BYTES]> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|_| scope.spawn(|| ExportKey::of(&home).unwrap().key))
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        }
    }
}
