//! Asks for the passphrase of the file of keys, where the system has no keychain, and tries again.
//!
//! On a terminal a person is asked; elsewhere only `SHIDI_PASSPHRASE` is taken. The passphrase is never
//! stored.

use crate::console::Console;
use crate::failure::Failure;
use crate::input;
use crate::limits::PASSPHRASE_TRIES;
use shidi_protocol::{ErrorCode, KeyKeeper, TypedRequest, reply, request};
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

/// Asks a request; when it finds the keys locked, unlocks them and asks again.
///
/// # Errors
/// What the runtime says, or that the passphrase was wrong too often.
pub async fn ask_unlocking<R: TypedRequest + Clone>(
    connection: &Connection,
    request: R,
    console: &Console,
) -> Result<R::Reply, Failure> {
    let act = async || Ok(connection.ask(request.clone()).await?);
    unlocking(connection, console, act).await
}

/// Opens the file of keys, or makes it. The passphrase comes from the environment or from the person at the
/// terminal.
///
/// # Errors
/// A passphrase that is wrong too often or too short, or a system that needs no file.
pub async fn unlock(connection: &Connection, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    if let Some(passphrase) = given() {
        connection.ask(request::KeysUnlock { passphrase }).await?;
        return Ok(());
    }
    let reply::Providers { keeper, .. } = connection.ask(request::ProviderList).await?;
    let is_new = keeper == KeyKeeper::Nobody;
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
        match connection.ask(request::KeysUnlock { passphrase }).await {
            Ok(reply::Done) => return Ok(()),
            Err(error)
                if (error.code == ErrorCode::KeysLocked || (is_new && error.code == ErrorCode::Input))
                    && console.can_ask()
                    && tries < PASSPHRASE_TRIES =>
            {
                console.complain(&error);
                tries += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn given() -> Option<String> {
    std::env::var("SHIDI_PASSPHRASE")
        .ok()
        .filter(|passphrase| !passphrase.is_empty())
}
