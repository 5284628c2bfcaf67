//! Keys of providers: in the system's keychain, or for one process in its environment. Never anywhere else.
//!
//! This file knows the rules (which source wins, what is shown); `keychain.rs` knows the systems. A key leaves as a
//! [`SecretString`]; only its last four characters are ever shown.

mod keychain;

use keychain::Keychain;
use secrecy::{ExposeSecret, SecretString};
use shidi_protocol::KeyStatus;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Prefix of the environment variables that hold a key for one process.
const ENVIRONMENT: &str = "SHIDI_KEY_";
/// Longest name of a provider, in bytes.
const NAME_BYTES_MAX: usize = 64;
/// How many characters of a key are shown; none of a key so short that they would be a good part of it.
const TAIL_CHARS: usize = 4;
const TAIL_NEEDS_CHARS: usize = 12;

/// Why the keychain did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("This system has no keychain service ({reason})")]
    Absent { reason: String },
    #[error("The keychain is locked or refuses to store ({reason})")]
    Locked { reason: String },
    #[error("The keychain did not answer within {} s", keychain::ANSWER_MS / 1000)]
    Slow,
    #[error("The keychain failed ({reason})")]
    Broken { reason: String },
    #[error("{name:?} is no name of a provider")]
    BadName { name: String },
}

impl KeyError {
    /// What the user can do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        let environment = format!("give the key for one run in {ENVIRONMENT}<PROVIDER>");
        match self {
            Self::Absent { .. } if cfg!(target_os = "linux") => {
                format!(
                    "install and start a secret service such as gnome-keyring or KWallet, or {environment}"
                )
            }
            Self::Absent { .. } => environment,
            Self::Locked { .. } => format!("unlock the login keyring and try again, or {environment}"),
            Self::Slow => format!("look for a dialog that asks to unlock the keyring, or {environment}"),
            Self::Broken { .. } => format!("run shidi doctor, or {environment}"),
            Self::BadName { .. } => {
                "use letters, digits, '-' and '_', as in: shidi key set deepseek".to_owned()
            }
        }
    }

    /// The same in Chinese: what broke, and what the user can do about it.
    #[must_use]
    pub fn in_chinese(&self) -> (String, String) {
        let environment = format!("用环境变量 {ENVIRONMENT}<PROVIDER> 给这一次运行提供密钥");
        let service = "安装并启动 gnome-keyring 或 KWallet";
        match self {
            Self::Absent { reason } if cfg!(target_os = "linux") => (
                format!("这个系统没有密钥链服务（{reason}）"),
                format!("{service}，或者{environment}"),
            ),
            Self::Absent { reason } => (format!("这个系统没有密钥链服务（{reason}）"), environment),
            Self::Locked { reason } => (
                format!("密钥链锁着，或拒绝存储（{reason}）"),
                format!("解锁登录密钥环再试，或者{environment}"),
            ),
            Self::Slow => (
                format!("密钥链 {} 秒没有回应", keychain::ANSWER_MS / 1000),
                format!("看看有没有要求解锁密钥环的窗口，或者{environment}"),
            ),
            Self::Broken { reason } => (
                format!("密钥链出错（{reason}）"),
                format!("运行 shidi doctor，或者{environment}"),
            ),
            Self::BadName { name } => {
                let remedy = "用字母、数字、- 和 _，例如：shidi key set deepseek";
                (format!("{name:?} 不是服务商的名字"), remedy.to_owned())
            }
        }
    }
}

/// Where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Keychain,
    /// In this process's environment only.
    Environment,
    Nowhere,
}

impl Kept {
    /// As written in [`KeyStatus::kept`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keychain => "keychain",
            Self::Environment => "environment",
            Self::Nowhere => "none",
        }
    }
}

/// The keys of this user.
#[derive(Clone)]
pub struct KeyRing {
    keychain: Arc<Keychain>,
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
        }
    }

    /// A keychain of a test's own.
    #[cfg(test)]
    pub(crate) fn of(open: fn() -> Result<Arc<keyring_core::CredentialStore>, keyring_core::Error>) -> Self {
        Self {
            keychain: Arc::new(Keychain::with(open)),
        }
    }

    /// The key given to this process in `SHIDI_KEY_<PROVIDER>`, if any.
    #[must_use]
    pub fn from_environment(&self, provider: &str) -> Option<SecretString> {
        let value = std::env::var(variable(provider)).ok()?;
        let value = value.trim();
        (!value.is_empty()).then(|| SecretString::from(value))
    }

    /// The key of a provider: from the environment, else from the keychain. `None` when there is none.
    ///
    /// # Errors
    /// When the keychain can't tell. Never for a key in the environment: the keychain is not asked then.
    pub async fn get(&self, provider: &str) -> Result<Option<SecretString>, KeyError> {
        let provider = checked(provider)?;
        match self.from_environment(&provider) {
            Some(key) => Ok(Some(key)),
            None => self.keychain.get(provider).await,
        }
    }

    /// Keeps a key in the keychain, in place of an earlier one.
    ///
    /// # Errors
    /// When the keychain is absent, locked, silent for 5 s or broken; nothing is kept elsewhere instead.
    pub async fn set(&self, provider: &str, key: &SecretString) -> Result<(), KeyError> {
        let key = SecretString::from(key.expose_secret().trim());
        self.keychain.set(checked(provider)?, key).await
    }

    /// Removes a key from the keychain; tells whether there was one.
    ///
    /// # Errors
    /// As [`KeyRing::set`].
    pub async fn delete(&self, provider: &str) -> Result<bool, KeyError> {
        self.keychain.delete(checked(provider)?).await
    }

    /// Every provider that has a key, in the order of their names. Keys in the environment are listed even when the
    /// keychain can't be read.
    ///
    /// # Errors
    /// As [`KeyRing::set`], when there is no key in the environment either.
    pub async fn list(&self) -> Result<Vec<KeyStatus>, KeyError> {
        let mut names: BTreeSet<String> = self.given().into_iter().collect();
        match self.keychain.names(known_names()).await {
            Ok(kept) => names.extend(kept),
            Err(error) if names.is_empty() => return Err(error),
            Err(error) => tracing::warn!("only keys of the environment are listed: {error}"),
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
        let given = self.from_environment(&provider);
        let kept = if given.is_some() {
            Kept::Environment
        } else {
            Kept::Keychain
        };
        let key = match given {
            Some(key) => Some(key),
            None => self.keychain.get(provider.clone()).await?,
        };
        let kept = if key.is_some() { kept } else { Kept::Nowhere };
        Ok(KeyStatus {
            provider,
            kept: kept.name().to_owned(),
            tail: key.as_ref().and_then(tail),
        })
    }

    /// Writes, reads and deletes a trial entry: the only way to tell a locked keychain from one without a key.
    ///
    /// # Errors
    /// What is wrong with the keychain.
    pub async fn check(&self) -> Result<(), KeyError> {
        self.keychain.check().await
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

fn known_names() -> Vec<String> {
    let custom = crate::presets::CUSTOM.name;
    crate::presets()
        .iter()
        .map(|preset| preset.name)
        .chain([custom])
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
