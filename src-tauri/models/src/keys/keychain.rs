//! The keychain of the operating system, behind a thread and a time limit.
//!
//! A call may wait for a person or hang with the keychain's service. So each call runs on a thread of its own
//! and is given up after [`ANSWER_MS`]. The thread ends when the service answers. Keys are stored under the
//! service name `shidi`.

use super::KeyError;
use keyring::{CredentialStore, Entry, Error};
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// How long a keychain may take, in milliseconds: a D-Bus service that must be started first takes one second.
pub(crate) const ANSWER_MS: u64 = 5_000;
const SERVICE: &str = "shidi";
/// User name of the trial entry; its space keeps it apart from providers' names.
const TRIAL: &str = "write trial";

type Opener = fn() -> Result<Arc<CredentialStore>, Error>;

pub(crate) struct Keychain {
    open: Opener,
    /// The store, opened by the first call and kept: opening is most of a call's cost.
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
}

impl Keychain {
    pub(crate) fn system() -> Self {
        Self::with(system_store)
    }

    pub(crate) fn with(open: Opener) -> Self {
        Self {
            open,
            store: Arc::default(),
        }
    }

    /// Reads a key. When there is none, a trial entry tells whether the keychain is locked.
    pub(crate) async fn get(&self, provider: String) -> Result<Option<SecretString>, KeyError> {
        self.run(move |store| match entry(store, &provider)?.get_password() {
            Ok(key) => Ok(Some(SecretString::from(key))),
            Err(Error::NoEntry) => try_out(store).map(|()| None),
            Err(error) => Err(told(error)),
        })
        .await
    }

    pub(crate) async fn set(&self, provider: String, key: SecretString) -> Result<(), KeyError> {
        self.run(move |store| {
            entry(store, &provider)?
                .set_password(key.expose_secret())
                .map_err(told)
        })
        .await
    }

    pub(crate) async fn delete(&self, provider: String) -> Result<bool, KeyError> {
        self.run(move |store| match entry(store, &provider)?.delete_credential() {
            Ok(()) => Ok(true),
            Err(Error::NoEntry) => try_out(store).map(|()| false),
            Err(error) => Err(told(error)),
        })
        .await
    }

    /// Providers with a key; stores that can't search are asked for each of `known`.
    pub(crate) async fn names(&self, known: Vec<String>) -> Result<Vec<String>, KeyError> {
        self.run(move |store| {
            let found = match store.search(&HashMap::from([("service", SERVICE)])) {
                Ok(entries) => entries
                    .iter()
                    .filter_map(Entry::get_specifiers)
                    .map(|(_, user)| user)
                    .collect(),
                Err(Error::NotSupportedByStore(_) | Error::Invalid(..)) => kept_of(store, known)?,
                Err(error) => return Err(told(error)),
            };
            let names: Vec<String> = found.into_iter().filter(|name| name != TRIAL).collect();
            if names.is_empty() {
                try_out(store)?;
            }
            Ok(names)
        })
        .await
    }

    pub(crate) async fn check(&self) -> Result<(), KeyError> {
        self.run(try_out).await
    }

    /// Runs `act` on a thread, with the store, and gives up waiting after [`ANSWER_MS`].
    async fn run<T, F>(&self, act: F) -> Result<T, KeyError>
    where
        T: Send + 'static,
        F: FnOnce(&CredentialStore) -> Result<T, KeyError> + Send + 'static,
    {
        let (kept, open) = (Arc::clone(&self.store), self.open);
        let (answer, waiting) = tokio::sync::oneshot::channel();
        let work = move || {
            let result = opened(&kept, open).and_then(|store| act(&*store));
            if answer.send(result).is_err() {
                tracing::warn!("the keychain answered after nobody waited any more");
            }
        };
        let started = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(work);
        if let Err(error) = started {
            return Err(KeyError::Broken {
                reason: format!("no thread: {error}"),
            });
        }
        match tokio::time::timeout(Duration::from_millis(ANSWER_MS), waiting).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(KeyError::Broken {
                reason: "its client broke off".to_owned(),
            }),
            Err(_) => Err(KeyError::Slow),
        }
    }
}

impl Drop for Keychain {
    /// Closes the store on a thread of its own: its client blocks on the bus, which an async runtime forbids.
    fn drop(&mut self) {
        let store = self.store.lock().take();
        let Some(store) = store else { return };
        let closing = std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || drop(store));
        if let Err(error) = closing {
            tracing::warn!("the keychain could not be closed: {error}");
        }
    }
}

fn opened(
    kept: &Mutex<Option<Arc<CredentialStore>>>,
    open: Opener,
) -> Result<Arc<CredentialStore>, KeyError> {
    let mut kept = kept.lock();
    if let Some(store) = &*kept {
        return Ok(Arc::clone(store));
    }
    let store = open().map_err(|error| KeyError::Absent {
        reason: reason(&error),
    })?;
    *kept = Some(Arc::clone(&store));
    Ok(store)
}

fn entry(store: &CredentialStore, user: &str) -> Result<Entry, KeyError> {
    store.build(SERVICE, user, None).map_err(told)
}

fn kept_of(store: &CredentialStore, known: Vec<String>) -> Result<Vec<String>, KeyError> {
    let mut kept = Vec::new();
    for name in known {
        match entry(store, &name)?.get_password() {
            Ok(_) => kept.push(name),
            Err(Error::NoEntry) => {}
            Err(error) => return Err(told(error)),
        }
    }
    Ok(kept)
}

/// Writes, reads and deletes an entry. A locked Secret Service says "no such entry" to a reader and only refuses a
/// writer.
fn try_out(store: &CredentialStore) -> Result<(), KeyError> {
    let trial = entry(store, TRIAL)?;
    let locked = |error: Error| KeyError::Locked {
        reason: reason(&error),
    };
    trial.set_password("trial").map_err(locked)?;
    let read = trial.get_password().map_err(locked)?;
    trial.delete_credential().map_err(locked)?;
    if read == "trial" {
        return Ok(());
    }
    Err(KeyError::Broken {
        reason: "it does not return what was stored".to_owned(),
    })
}

fn told(error: Error) -> KeyError {
    let reason = reason(&error);
    match error {
        Error::NoStorageAccess(_) | Error::NoEntry => KeyError::Locked { reason },
        Error::NoDefaultStore | Error::NotSupportedByStore(_) => KeyError::Absent { reason },
        _ => KeyError::Broken { reason },
    }
}

/// The cause in words, without any bytes of a secret that the error carries.
fn reason(error: &Error) -> String {
    crate::failure::shorten(&error.to_string())
}

#[cfg(target_os = "linux")]
fn system_store() -> Result<Arc<CredentialStore>, Error> {
    let store: Arc<CredentialStore> = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
}

#[cfg(target_os = "macos")]
fn system_store() -> Result<Arc<CredentialStore>, Error> {
    let store: Arc<CredentialStore> = apple_native_keyring_store::keychain::Store::new()?;
    Ok(store)
}

#[cfg(target_os = "windows")]
fn system_store() -> Result<Arc<CredentialStore>, Error> {
    let store: Arc<CredentialStore> = windows_native_keyring_store::Store::new()?;
    Ok(store)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "windows")))]
fn system_store() -> Result<Arc<CredentialStore>, Error> {
    Err(Error::NoDefaultStore)
}
