//! The key by which an exported line is known again as one of this data folder's own.
//!
//! A line ends with a proof: a digest (HMAC) of the rest of it under a key that lies in the data folder, closed to others and
//! out of every program's reach. Nobody else can make one, and a line that was changed has none. Without the key, as on
//! another computer, every line is a stranger's; whoever takes the file of the key along has their own lines there too.

use crate::home::Home;
use crate::whole_file;
use crate::words::{Words, error};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use shidi_protocol::{ErrorCode, UserError};
use std::fmt::Write;
use std::fs;
use std::io;

/// Bytes of the key and of a proof: those of the hash.
const KEY_BYTES: usize = 32;

/// Bytes of the hash's block; a shorter key is filled with zeros, as the digest defines it.
const BLOCK_BYTES: usize = 64;

/// What stands between a line's own fields and its proof, and what ends it.
const BEFORE_PROOF: &str = ",\"proof\":\"";
const AFTER_PROOF: &str = "\"}";

/// What a line is of; a proof for one is none for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOf {
    Memory,
    Session,
}

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// This data folder, as it stands there.
    Own,
    /// Nobody knows.
    Stranger,
}

pub struct ExportKey {
    key: [u8; KEY_BYTES],
}

impl ExportKey {
    /// The folder's key; made when the first line is exported.
    ///
    /// # Errors
    /// A folder that can't be written to, or a file that holds no key.
    pub fn of(home: &Home) -> io::Result<Self> {
        if let Some(key) = Self::known(home)? {
            return Ok(key);
        }
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).map_err(|cause| io::Error::other(cause.to_string()))?;
        // A temporary file is private from the first byte on, and stays so under its name.
        whole_file::write(&home.export_key(), &key)?;
        Ok(Self { key })
    }

    /// The folder's key, if a line was ever exported.
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

    /// Adds the proof to a JSON object that stands on one line.
    #[must_use]
    pub fn prove(&self, of: LineOf, line: &str) -> String {
        let Some(fields) = line.strip_suffix('}') else {
            return line.to_owned();
        };
        let mut proof = String::with_capacity(2 * KEY_BYTES);
        for byte in self.digest(of, line).finalize().into_bytes() {
            // Writing to a string can't fail.
            write!(proof, "{byte:02x}").unwrap_or_default();
        }
        format!("{fields}{BEFORE_PROOF}{proof}{AFTER_PROOF}")
    }

    fn digest(&self, of: LineOf, line: &str) -> Hmac<Sha256> {
        let mut block = [0; BLOCK_BYTES];
        block[..KEY_BYTES].copy_from_slice(&self.key);
        let mut digest = Hmac::<Sha256>::new(&block.into());
        digest.update(match of {
            LineOf::Memory => b"memory\n",
            LineOf::Session => b"session\n",
        });
        digest.update(line.as_bytes());
        digest
    }
}

/// A line without its proof, and who wrote it.
#[must_use]
pub fn author_of(key: Option<&ExportKey>, of: LineOf, line: &str) -> (String, Author) {
    let Some((line, proof)) = split(line.trim()) else {
        return (line.to_owned(), Author::Stranger);
    };
    let is_own = key.is_some_and(|key| {
        // The comparison takes as long for a wrong proof as for the right one.
        key.digest(of, &line).verify_slice(&proof).is_ok()
    });
    (line, if is_own { Author::Own } else { Author::Stranger })
}

/// The sentence for a key that can't be read or made.
pub fn unusable(words: Words, cause: &io::Error) -> UserError {
    error(
        ErrorCode::Storage,
        format!(
            "{}: {cause}",
            words.pick("无法使用导出用的密钥", "The key of exports can't be used")
        ),
        words.pick(
            "检查数据文件夹里的 export.key；删掉它会另做一把，从前导出的就不再认作自己的",
            "Check export.key in the data folder; once it is removed a new one is made, and earlier exports are taken for foreign",
        ),
    )
}

/// The line as it was proved, and the proof; `None` when it has none.
fn split(line: &str) -> Option<(String, Vec<u8>)> {
    let (fields, proof) = line.strip_suffix(AFTER_PROOF)?.rsplit_once(BEFORE_PROOF)?;
    let bytes = proof.as_bytes().chunks(2).map(|digits| {
        let digits = std::str::from_utf8(digits).ok()?;
        u8::from_str_radix(digits, 16).ok()
    });
    let bytes: Option<Vec<u8>> = bytes.collect();
    let bytes = bytes.filter(|bytes| bytes.len() == KEY_BYTES)?;
    Some((format!("{fields}}}"), bytes))
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

    proptest! {
        #[test]
        fn a_line_is_known_again_and_a_changed_one_is_not(text in ".{0,40}", at in 0usize..400, sign in any::<char>()) {
            let line = serde_json::json!({"text": text}).to_string();
            let proved = key(1).prove(LineOf::Memory, &line);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&proved).is_ok());
            prop_assert_eq!(author_of(Some(&key(1)), LineOf::Memory, &proved), (line.clone(), Author::Own));
            prop_assert_eq!(author_of(Some(&key(2)), LineOf::Memory, &proved), (line.clone(), Author::Stranger));
            prop_assert_eq!(author_of(Some(&key(1)), LineOf::Session, &proved), (line.clone(), Author::Stranger));
            prop_assert_eq!(author_of(None, LineOf::Memory, &proved), (line.clone(), Author::Stranger));
            prop_assert_eq!(author_of(Some(&key(1)), LineOf::Memory, &line), (line.clone(), Author::Stranger));
            let mut signs: Vec<char> = proved.chars().collect();
            let at = at % signs.len();
            if signs[at] != sign && !signs[at].eq_ignore_ascii_case(&sign) {
                signs[at] = sign;
                let changed: String = signs.into_iter().collect();
                prop_assert_eq!(author_of(Some(&key(1)), LineOf::Memory, &changed).1, Author::Stranger);
            }
        }
    }
}
