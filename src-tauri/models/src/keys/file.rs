//! The encrypted file of keys, for systems without a keychain.
//!
//! Argon2id stretches a passphrase into the key of XChaCha20-Poly1305. Only the user can read the file, and
//! each write replaces all of it. Passphrase and keys live in memory only while the process does. A user who
//! forgets the passphrase must set the keys again.

use super::KeyError;
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use parking_lot::{Mutex, MutexGuard};
use secrecy::{ExposeSecret, SecretBox, SecretString};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Fewest characters of a passphrase: a shorter one can be guessed in hours despite the slow function.
pub(crate) const PASSPHRASE_CHARS_MIN: usize = 8;
/// Largest file that is read, in bytes: some hundred keys.
const FILE_BYTES_MAX: u64 = 256 * 1024;
/// Memory of the stretching, in KiB, and its passes: half a second here, and costly for a guesser.
const MEMORY_KIB: u32 = 64 * 1024;
const PASSES: u32 = 3;
/// The most memory and passes that a file may ask for. A forged file must not take all memory or hang.
const MEMORY_KIB_MAX: u32 = 512 * 1024;
const PASSES_MAX: u32 = 20;
const FORMAT: u32 = 1;

/// The file as it lies on the disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed {
    format: u32,
    memory_kib: u32,
    passes: u32,
    salt: String,
    nonce: String,
    sealed: String,
}

/// The content of an open file, in memory.
struct Opened {
    secret: SecretBox<[u8; 32]>,
    salt: [u8; 16],
    memory_kib: u32,
    passes: u32,
    keys: BTreeMap<String, SecretString>,
}

pub(crate) struct KeyFile {
    path: PathBuf,
    opened: Mutex<Option<Opened>>,
}

impl KeyFile {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self {
            path,
            opened: Mutex::new(None),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.held().is_some()
    }

    /// Opens the file, or creates one when there is none. Takes about half a second of work.
    pub(crate) fn unlock(&self, passphrase: &SecretString) -> Result<(), KeyError> {
        if passphrase.expose_secret().chars().count() < PASSPHRASE_CHARS_MIN {
            return Err(KeyError::ShortPassphrase);
        }
        let opened = match self.read()? {
            Some(sealed) => self.opened_with(&sealed, passphrase)?,
            None => {
                let mut salt = [0; 16];
                random(&mut salt)?;
                let opened = Opened {
                    secret: stretched(passphrase, &salt, MEMORY_KIB, PASSES)?,
                    salt,
                    memory_kib: MEMORY_KIB,
                    passes: PASSES,
                    keys: BTreeMap::new(),
                };
                self.write(&opened)?;
                opened
            }
        };
        *self.held() = Some(opened);
        Ok(())
    }

    /// The key of a provider, from the open file.
    pub(crate) fn get(&self, provider: &str) -> Option<SecretString> {
        self.held().as_ref()?.keys.get(provider).cloned()
    }

    /// Providers with a key in the open file.
    pub(crate) fn names(&self) -> Vec<String> {
        let held = self.held();
        held.iter()
            .flat_map(|opened| opened.keys.keys().cloned())
            .collect()
    }

    /// Puts a key into the open file, or takes it out; tells whether there was one.
    pub(crate) fn put(&self, provider: &str, key: Option<SecretString>) -> Result<bool, KeyError> {
        let mut held = self.held();
        let Some(opened) = held.as_mut() else {
            return Err(self.locked());
        };
        let before = opened.keys.clone();
        let had = match key {
            Some(key) => opened.keys.insert(provider.to_owned(), key).is_some(),
            None => opened.keys.remove(provider).is_some(),
        };
        if let Err(error) = self.write(opened) {
            opened.keys = before;
            return Err(error);
        }
        Ok(had)
    }

    pub(crate) fn locked(&self) -> KeyError {
        KeyError::FileLocked {
            path: self.path.display().to_string(),
        }
    }

    fn held(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock()
    }

    fn broken(&self, reason: impl ToString) -> KeyError {
        KeyError::FileBroken {
            path: self.path.display().to_string(),
            reason: crate::failure::shorten(&reason.to_string()),
        }
    }

    fn read(&self) -> Result<Option<Sealed>, KeyError> {
        let file = match std::fs::File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.broken(error)),
        };
        let mut text = String::new();
        file.take(FILE_BYTES_MAX)
            .read_to_string(&mut text)
            .map_err(|error| self.broken(error))?;
        let sealed: Sealed = serde_json::from_str(&text).map_err(|error| self.broken(error))?;
        if sealed.format != FORMAT || sealed.memory_kib > MEMORY_KIB_MAX || sealed.passes > PASSES_MAX {
            return Err(self.broken("it was written by another version"));
        }
        Ok(Some(sealed))
    }

    fn opened_with(&self, sealed: &Sealed, passphrase: &SecretString) -> Result<Opened, KeyError> {
        let bytes = |text: &str| STANDARD.decode(text).map_err(|error| self.broken(error));
        let salt: [u8; 16] = bytes(&sealed.salt)?
            .try_into()
            .map_err(|_| self.broken("its salt has a wrong length"))?;
        let nonce: [u8; 24] = bytes(&sealed.nonce)?
            .try_into()
            .map_err(|_| self.broken("its nonce has a wrong length"))?;
        let secret = stretched(passphrase, &salt, sealed.memory_kib, sealed.passes)?;
        let header = header(sealed.memory_kib, sealed.passes, &salt);
        let payload = Payload {
            msg: &bytes(&sealed.sealed)?,
            aad: &header,
        };
        let plain = cipher(&secret)?
            .decrypt(&XNonce::from(nonce), payload)
            .map_err(|_| KeyError::WrongPassphrase {
                path: self.path.display().to_string(),
            })?;
        let keys: BTreeMap<String, String> =
            serde_json::from_slice(&plain).map_err(|_| self.broken("its content is none of ours"))?;
        Ok(Opened {
            secret,
            salt,
            memory_kib: sealed.memory_kib,
            passes: sealed.passes,
            keys: keys
                .into_iter()
                .map(|(name, key)| (name, SecretString::from(key)))
                .collect(),
        })
    }

    /// Writes beside the file and renames, so that a reader finds the old keys or the new ones.
    fn write(&self, opened: &Opened) -> Result<(), KeyError> {
        let keys: BTreeMap<&str, &str> = opened
            .keys
            .iter()
            .map(|(name, key)| (name.as_str(), key.expose_secret()))
            .collect();
        let plain = SecretString::from(serde_json::to_string(&keys).map_err(|error| self.broken(error))?);
        let mut nonce = [0; 24];
        random(&mut nonce)?;
        let header = header(opened.memory_kib, opened.passes, &opened.salt);
        let payload = Payload {
            msg: plain.expose_secret().as_bytes(),
            aad: &header,
        };
        let sealed = cipher(&opened.secret)?
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| self.broken("it can't be encrypted"))?;
        let file = Sealed {
            format: FORMAT,
            memory_kib: opened.memory_kib,
            passes: opened.passes,
            salt: STANDARD.encode(opened.salt),
            nonce: STANDARD.encode(nonce),
            sealed: STANDARD.encode(sealed),
        };
        let text = serde_json::to_string_pretty(&file).map_err(|error| self.broken(error))?;
        shidi_atomic_write::write(&self.path, text.as_bytes()).map_err(|error| self.broken(error))
    }
}

/// The header that is authenticated together with the keys, so that a weakened header is noticed.
fn header(memory_kib: u32, passes: u32, salt: &[u8; 16]) -> Vec<u8> {
    let mut header = b"shidi keys".to_vec();
    for number in [FORMAT, memory_kib, passes] {
        header.extend_from_slice(&number.to_le_bytes());
    }
    header.extend_from_slice(salt);
    header
}

fn stretched(
    passphrase: &SecretString,
    salt: &[u8; 16],
    memory_kib: u32,
    passes: u32,
) -> Result<SecretBox<[u8; 32]>, KeyError> {
    let failed = |reason: argon2::Error| KeyError::Broken {
        reason: reason.to_string(),
    };
    let params = Params::new(memory_kib, passes, 1, Some(32)).map_err(failed)?;
    let mut secret = Box::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.expose_secret().as_bytes(), salt, secret.as_mut())
        .map_err(failed)?;
    Ok(SecretBox::new(secret))
}

fn cipher(secret: &SecretBox<[u8; 32]>) -> Result<XChaCha20Poly1305, KeyError> {
    XChaCha20Poly1305::new_from_slice(secret.expose_secret()).map_err(|_| KeyError::Broken {
        reason: "the key has a wrong length".to_owned(),
    })
}

fn random(bytes: &mut [u8]) -> Result<(), KeyError> {
    getrandom::fill(bytes).map_err(|error| KeyError::Broken {
        reason: format!("the system gives no random numbers: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str) -> SecretString {
        SecretString::from(text)
    }

    fn key(file: &KeyFile, provider: &str) -> Option<String> {
        file.get(provider).map(|key| key.expose_secret().to_owned())
    }

    #[test]
    fn keys_come_back_with_the_passphrase_and_only_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys.enc");
        let file = KeyFile::at(path.clone());
        assert!(matches!(
            file.put("openai", Some(phrase("sk-1"))),
            Err(KeyError::FileLocked { .. })
        ));
        assert_eq!(file.unlock(&phrase("short")), Err(KeyError::ShortPassphrase));
        file.unlock(&phrase("correct horse")).expect("made");
        assert!(
            !file
                .put("openai", Some(phrase("sk-very-secret-1234")))
                .expect("kept")
        );
        file.put("deepseek", Some(phrase("sk-other"))).expect("kept");

        let text = std::fs::read_to_string(&path).expect("the file");
        assert!(!text.contains("secret") && !text.contains("openai"), "{text}");
        let again = KeyFile::at(path.clone());
        assert!(again.exists() && !again.is_open());
        let wrong = again.unlock(&phrase("wrong horse"));
        // A user who has forgotten the passphrase is told which file to delete.
        assert!(
            matches!(&wrong, Err(error) if error.remedy(shidi_locales::Language::En).contains("keys.enc")),
            "{wrong:?}"
        );
        again.unlock(&phrase("correct horse")).expect("opened");
        assert_eq!(key(&again, "openai").as_deref(), Some("sk-very-secret-1234"));
        assert_eq!(again.names(), ["deepseek", "openai"]);
        assert!(again.put("openai", None).expect("deleted"));
        assert_eq!(key(&again, "openai"), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_of_its_owner_alone_even_after_it_was_opened_up() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys.enc");
        let file = KeyFile::at(path.clone());
        file.unlock(&phrase("correct horse")).expect("made");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("opened up");
        file.put("openai", Some(phrase("sk-1"))).expect("kept");
        let mode = std::fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_broken_or_forged_file_is_told_in_words_and_costs_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys.enc");
        let file = KeyFile::at(path.clone());
        file.unlock(&phrase("correct horse")).expect("made");
        let good = std::fs::read_to_string(&path).expect("the file");
        for (text, is_wrong) in [
            ("", false),
            ("{}", false),
            (good.replace("65536", "4000000000").as_str(), false),
            (good.replace("\"passes\": 3", "\"passes\": 2").as_str(), true),
            (good.replace("\"salt\": \"", "\"salt\": \"AA").as_str(), false),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = KeyFile::at(path.clone())
                .unlock(&phrase("correct horse"))
                .expect_err("a failure");
            match error {
                KeyError::WrongPassphrase { .. } => assert!(is_wrong, "{text}"),
                KeyError::FileBroken { .. } => assert!(!is_wrong, "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
