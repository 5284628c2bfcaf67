//! Keys of providers lie in the system's keychain, or in an encrypted file where the system has none. Or they lie
//! in one process's environment. Never anywhere else.
//!
//! This file holds the rules: which source wins, and how much of a key is shown. `keychain.rs` knows the
//! systems, `file.rs` the file, `error.rs` the words. A key leaves as a [`SecretString`]; only its last four
//! characters are ever shown.

mod error;
mod file;
mod keychain;

pub use error::KeyError;

use file::KeyFile;
use keychain::Keychain;
use secrecy::{ExposeSecret, SecretString};
use shidi_protocol::{KeyKeeper, KeyStatus};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Prefix of the environment variables that hold a key for one process.
const ENVIRONMENT: &str = "SHIDI_KEY_";
/// The environment variable that holds the passphrase of the file, for automation.
const PASSPHRASE: &str = "SHIDI_PASSPHRASE";
/// Longest name of a provider, in bytes.
const NAME_BYTES_MAX: usize = 64;
/// Last characters of a key that are shown; none where they would be a good part of the key.
const TAIL_CHARS: usize = 4;
const TAIL_NEEDS_CHARS: usize = 12;

/// Where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPlace {
    Keychain,
    /// In the encrypted file.
    File,
    /// In this process's environment only.
    Environment,
    Nowhere,
}

impl KeyPlace {
    /// As written in [`KeyStatus::kept`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keychain => "keychain",
            Self::File => "file",
            Self::Environment => "environment",
            Self::Nowhere => "none",
        }
    }
}

/// The keys of this user.
#[derive(Clone)]
pub struct KeyRing {
    keychain: Arc<Keychain>,
    /// For systems without a keychain.
    file: Option<Arc<KeyFile>>,
}

impl Default for KeyRing {
    fn default() -> Self {
        Self::new()
    }
}

impl KeyRing {
    /// The keychain of the system; not touched before a key is asked for.
    #[must_use]
    pub fn new() -> Self {
        Self {
            keychain: Arc::new(Keychain::system()),
            file: None,
        }
    }

    /// The same keys, with an encrypted file at `path` for a system without a keychain. The file is made when
    /// it is first needed.
    #[must_use]
    pub fn with_file(self, path: PathBuf) -> Self {
        Self {
            file: Some(Arc::new(KeyFile::at(path))),
            ..self
        }
    }

    /// The keys in a test's own keychain.
    #[cfg(test)]
    pub(crate) fn of(open: fn() -> Result<Arc<keyring::CredentialStore>, keyring::Error>) -> Self {
        Self {
            keychain: Arc::new(Keychain::with(open)),
            file: None,
        }
    }

    /// The key given to this process in `SHIDI_KEY_<PROVIDER>`, if any.
    #[must_use]
    pub fn from_environment(&self, provider: &str) -> Option<SecretString> {
        let value = std::env::var(variable(provider)).ok()?;
        let value = value.trim();
        (!value.is_empty()).then(|| SecretString::from(value))
    }

    /// The key of a provider: from the environment, else from the keychain or the file. `None` when there is none.
    ///
    /// # Errors
    /// When neither keychain nor file can tell. A key in the environment never fails: no other source is asked.
    pub async fn get(&self, provider: &str) -> Result<Option<SecretString>, KeyError> {
        Ok(self.found(&checked(provider)?).await?.map(|(_, key)| key))
    }

    /// Keeps a key in place of an earlier one. The key goes to the keychain, or to the open file where there is
    /// none.
    ///
    /// # Errors
    /// When the keychain is absent, locked, silent for 5 s or broken, and no file is open. The key is then kept
    /// nowhere.
    pub async fn set(&self, provider: &str, key: &SecretString) -> Result<(), KeyError> {
        let (provider, key) = (checked(provider)?, SecretString::from(key.expose_secret().trim()));
        let refused = match self.keychain.set(provider.clone(), key.clone()).await {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        let file = self.file_instead_of(refused).await?;
        file.put(&provider, Some(key)).map(|_| ())
    }

    /// Makes sure that a key can be kept, before somebody works for one.
    ///
    /// # Errors
    /// As [`KeyRing::set`].
    pub async fn ready(&self) -> Result<(), KeyError> {
        match self.keychain.check().await {
            Ok(()) => Ok(()),
            Err(refused) => self.file_instead_of(refused).await.map(|_| ()),
        }
    }

    /// Removes a key, wherever it is kept; tells whether there was one.
    ///
    /// # Errors
    /// As [`KeyRing::set`].
    pub async fn delete(&self, provider: &str) -> Result<bool, KeyError> {
        let provider = checked(provider)?;
        let in_keychain = self.keychain.delete(provider.clone()).await;
        let in_file = match &self.file {
            Some(file) if file.is_open() => file.put(&provider, None)?,
            Some(_) | None => false,
        };
        match in_keychain {
            Ok(had) => Ok(had || in_file),
            Err(_) if in_file => Ok(true),
            Err(error) => match self.file_instead_of(error).await {
                Ok(file) => file.put(&provider, None),
                Err(error) => Err(error),
            },
        }
    }

    /// Opens the encrypted file with its passphrase; creates the file where the system's keychain can't be used.
    ///
    /// # Errors
    /// A wrong or short passphrase, a broken file, or a working keychain that makes the file needless.
    pub async fn unlock(&self, passphrase: SecretString) -> Result<(), KeyError> {
        let Some(file) = self.file.clone() else {
            return Err(KeyError::Needless);
        };
        if !file.exists() && self.keychain.check().await.is_ok() {
            return Err(KeyError::Needless);
        }
        unlocked(file, passphrase).await.map(|_| ())
    }

    /// Where keys are kept on this system, and the keychain's fault if it keeps none.
    pub async fn keeper(&self) -> (KeyKeeper, Option<KeyError>) {
        let keychain = self.keychain.check().await;
        match (&self.file, keychain) {
            (_, Ok(())) => (KeyKeeper::Keychain, None),
            (Some(file), Err(error)) if file.is_open() => (KeyKeeper::File, Some(error)),
            (Some(file), Err(error)) if file.exists() => (KeyKeeper::LockedFile, Some(error)),
            (Some(_) | None, Err(error)) => (KeyKeeper::Nobody, Some(error)),
        }
    }

    /// The path of the encrypted file, whether it exists or not.
    #[must_use]
    pub fn file_path(&self) -> Option<PathBuf> {
        self.file.as_ref().map(|file| file.path().to_owned())
    }

    /// Every provider that has a key, in the order of their names. Keys in the environment and in the open file are
    /// listed even when the keychain can't be read.
    ///
    /// # Errors
    /// As [`KeyRing::set`], when there is no key in the environment either.
    pub async fn list(&self) -> Result<Vec<KeyStatus>, KeyError> {
        let mut names: BTreeSet<String> = self.given().into_iter().collect();
        let file = self.open_file().await?;
        names.extend(file.iter().flat_map(|file| file.names()));
        match self.keychain.names(known_names()).await {
            Ok(kept) => names.extend(kept),
            Err(error) if names.is_empty() && file.is_none() => return Err(error),
            Err(error) => tracing::debug!("the keys of the keychain are not listed: {error}"),
        }
        let mut list = Vec::new();
        for provider in names {
            list.push(self.status(&provider).await?);
        }
        Ok(list)
    }

    /// Where the key of a provider is kept, and its last four characters.
    ///
    /// # Errors
    /// As [`KeyRing::get`].
    pub async fn status(&self, provider: &str) -> Result<KeyStatus, KeyError> {
        let provider = checked(provider)?;
        let found = self.found(&provider).await?;
        let kept = found.as_ref().map_or(KeyPlace::Nowhere, |(kept, _)| *kept);
        Ok(KeyStatus {
            provider,
            kept: kept.name().to_owned(),
            tail: found.as_ref().and_then(|(_, key)| tail(key)),
        })
    }

    /// Writes, reads and deletes a trial entry: the only way to tell a locked keychain from one without a key.
    ///
    /// # Errors
    /// The keychain's fault.
    pub async fn check(&self) -> Result<(), KeyError> {
        self.keychain.check().await
    }

    async fn found(&self, provider: &str) -> Result<Option<(KeyPlace, SecretString)>, KeyError> {
        if let Some(key) = self.from_environment(provider) {
            return Ok(Some((KeyPlace::Environment, key)));
        }
        // A file is open only where the keychain failed; the keychain is asked only for keys that the file lacks.
        let in_file = || {
            let key = self.file.as_ref()?.get(provider)?;
            Some((KeyPlace::File, key))
        };
        if let Some(found) = in_file() {
            return Ok(Some(found));
        }
        let error = match self.keychain.get(provider.to_owned()).await {
            Ok(Some(key)) => return Ok(Some((KeyPlace::Keychain, key))),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        match (self.open_file().await?, error) {
            (Some(_), _) => Ok(in_file()),
            (None, None) => Ok(None),
            (None, Some(error)) => Err(error),
        }
    }

    /// The file if it exists; a closed file is opened with the passphrase from the environment, if one is set.
    async fn open_file(&self) -> Result<Option<Arc<KeyFile>>, KeyError> {
        let Some(file) = self.file.clone().filter(|file| file.exists()) else {
            return Ok(None);
        };
        if file.is_open() {
            return Ok(Some(file));
        }
        match given_passphrase() {
            Some(passphrase) => unlocked(file, passphrase).await.map(Some),
            None => Err(file.locked()),
        }
    }

    /// The open file in place of a keychain that refused. If the environment sets a passphrase, the file is created
    /// with that.
    async fn file_instead_of(&self, refused: KeyError) -> Result<Arc<KeyFile>, KeyError> {
        if let Some(file) = self.open_file().await? {
            return Ok(file);
        }
        let (Some(file), KeyError::Absent { reason }) = (self.file.clone(), &refused) else {
            return Err(refused);
        };
        match given_passphrase() {
            Some(passphrase) => unlocked(file, passphrase).await,
            None => Err(KeyError::NeedsPassphrase {
                path: file.path().display().to_string(),
                reason: reason.clone(),
            }),
        }
    }

    /// Providers whose key is in the environment.
    fn given(&self) -> Vec<String> {
        let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let names = variables.filter_map(|name| name.strip_prefix(ENVIRONMENT).map(str::to_ascii_lowercase));
        names
            .filter(|name| self.from_environment(name).is_some())
            .filter_map(|name| checked(&name).ok())
            .collect()
    }
}

fn given_passphrase() -> Option<SecretString> {
    let passphrase = std::env::var(PASSPHRASE).ok()?;
    (!passphrase.is_empty()).then(|| SecretString::from(passphrase))
}

/// Opens the file on a blocking thread: stretching a passphrase is half a second of work.
async fn unlocked(file: Arc<KeyFile>, passphrase: SecretString) -> Result<Arc<KeyFile>, KeyError> {
    let work = tokio::task::spawn_blocking(move || file.unlock(&passphrase).map(|()| file));
    work.await.unwrap_or_else(|error| {
        Err(KeyError::Broken {
            reason: error.to_string(),
        })
    })
}

/// The last characters of a key, for recognition.
fn tail(key: &SecretString) -> Option<String> {
    let letters: Vec<char> = key.expose_secret().chars().collect();
    (letters.len() >= TAIL_NEEDS_CHARS).then(|| letters[letters.len() - TAIL_CHARS..].iter().collect())
}

fn variable(provider: &str) -> String {
    let name: String = provider
        .chars()
        .map(|letter| {
            if letter == '-' {
                '_'
            } else {
                letter.to_ascii_uppercase()
            }
        })
        .collect();
    format!("{ENVIRONMENT}{name}")
}

/// A provider's name in lower case, if it is one.
fn checked(provider: &str) -> Result<String, KeyError> {
    let name = provider.trim().to_ascii_lowercase();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || name.len() > NAME_BYTES_MAX || !name.chars().all(fits) {
        return Err(KeyError::BadName {
            name: provider.chars().take(NAME_BYTES_MAX).collect(),
        });
    }
    Ok(name)
}

/// Names that keep a key but are no provider's: for servers of knowledge bases, and for searching the web.
const NO_PROVIDERS: [&str; 4] = ["qdrant", "brave", "tavily", "bing"];

fn known_names() -> Vec<String> {
    let custom = crate::presets::CUSTOM.name;
    crate::presets()
        .iter()
        .map(|preset| preset.name)
        .chain([custom])
        .chain(NO_PROVIDERS)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
