//! Asks for the passphrase of the file of keys, where the system has no keychain, and tries again.
//!
//! On a terminal a person is asked; elsewhere only `SHIDI_PASSPHRASE` is taken. It is never stored.

use crate::client::answered;
use crate::console::Console;
use crate::failure::Failure;
use crate::input;
use crate::limits::PASSPHRASE_TRIES;
use shidi_protocol::{ErrorCode, KeyKeeper, Reply, Request};
use shidi_runtime::Connection;

/// Carries out `act`; when it finds the keys locked, unlocks them and carries it out again.
///
/// # Errors
/// What `act` says, or that the passphrase was wrong too often.
pub async fn unlocking<T>(
    connection: &Connection,
    console: &Console,
    act: impl AsyncFn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    match act().await {
        Err(Failure::User(error))
            if error.code == ErrorCode::KeysLocked && (console.can_ask() || given().is_some()) =>
        {
            if given().is_none() {
                console.complain(&error);
            }
            unlock(connection, console).await?;
            act().await
        }
        other => other,
    }
}

/// Opens the file of keys, or makes it, with the passphrase of the environment or of the person at the terminal.
///
/// # Errors
/// A passphrase that is wrong too often or too short, or a system that needs no file.
pub async fn unlock(connection: &Connection, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    if let Some(passphrase) = given() {
        return answered(connection, Request::KeysUnlock { passphrase })
            .await
            .map(|_| ());
    }
    let is_new = match answered(connection, Request::ProviderList).await? {
        Reply::Providers { keeper, .. } => keeper == KeyKeeper::Nobody,
        _ => return Err(Failure::Unanswered),
    };
    let mut tries = 1;
    loop {
        let prompt = if is_new {
            words.new_passphrase_prompt()
        } else {
            words.passphrase_prompt()
        };
        let passphrase = input::passphrase(prompt, words)?;
        if is_new && console.can_ask() && input::passphrase(words.again_prompt(), words)? != passphrase {
            return Err(Failure::input(
                words.passphrases_differ(),
                words.give_a_passphrase(),
            ));
        }
        match answered(connection, Request::KeysUnlock { passphrase }).await {
            Err(Failure::User(error))
                if error.code == ErrorCode::KeysLocked && console.can_ask() && tries < PASSPHRASE_TRIES =>
            {
                console.complain(&error);
                tries += 1;
            }
            other => return other.map(|_| ()),
        }
    }
}

fn given() -> Option<String> {
    std::env::var("SHIDI_PASSPHRASE")
        .ok()
        .filter(|passphrase| !passphrase.is_empty())
}
