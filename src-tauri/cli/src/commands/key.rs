//! `shidi key`: keys of model providers, which live in the system's keychain, or in an encrypted file where there is
//! none, and are never shown.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use crate::options::Options;
use crate::unlocking::{unlock, unlocking};
use clap::Subcommand;
use shidi_protocol::{KeyStatus, Reply, Request};

/// Keys of model providers, kept in the system's keychain
#[derive(Debug, clap::Args)]
#[command(after_help = help::KEY)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Store a key, read from the prompt or from stdin
    Set {
        provider: String,
        /// Store it without asking the provider whether it works
        #[arg(long)]
        unchecked: bool,
    },
    /// Which providers have a key, and where it is kept
    List,
    /// Ask the provider whether the key works
    Test { provider: String },
    /// Remove a key
    Delete { provider: String },
    /// Open the encrypted file of keys with its passphrase, or make it, where the system has no keychain
    Unlock,
}

/// Carries out the action.
///
/// # Errors
/// No keychain, a key that the provider rejects, or no key at all.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let (request, said) = match arguments.action {
        Action::Set { provider, unchecked } => {
            let key = input::secret(&words.key_prompt(&provider), words)?;
            return set(provider, key, unchecked, options, console).await;
        }
        Action::List => return list(options, console).await,
        Action::Unlock => {
            with_connection(options, async |connection| unlock(connection, console).await).await?;
            return said_so(words.keys_unlocked(), console);
        }
        Action::Test { provider } => (Request::KeyTest { provider }, words.key_works()),
        Action::Delete { provider } => (Request::KeyDelete { provider }, words.key_deleted()),
    };
    with_connection(options, async |connection| {
        unlocking(connection, console, async || {
            answered(connection, request.clone()).await
        })
        .await
    })
    .await?;
    said_so(said, console)
}

/// Stores a key, and says where it is now.
async fn set(
    provider: String,
    key: String,
    unchecked: bool,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let request = Request::KeySet {
        provider: provider.clone(),
        key,
        unchecked,
    };
    let kept = with_connection(options, async |connection| {
        unlocking(connection, console, async || {
            answered(connection, request.clone()).await
        })
        .await?;
        answered(connection, Request::KeyList).await
    })
    .await?;
    let Reply::Keys { keys } = kept else {
        return Err(Failure::Unanswered);
    };
    let in_file = keys
        .iter()
        .any(|key| key.kept == "file" && key.provider.eq_ignore_ascii_case(&provider));
    let words = console.words;
    said_so(
        if in_file {
            words.key_stored_in_file()
        } else {
            words.key_stored()
        },
        console,
    )
}

fn said_so(said: &str, console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        console.json(&serde_json::json!({"ok": true}))?;
    } else {
        console.line(said)?;
    }
    Ok(Exit::Done)
}

async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply = with_connection(options, async |connection| {
        unlocking(connection, console, async || {
            answered(connection, Request::KeyList).await
        })
        .await
    })
    .await?;
    let Reply::Keys { keys } = reply else {
        return Err(Failure::Unanswered);
    };
    for key in &keys {
        if console.is_json() {
            console.json(key)?
        } else {
            line(key, console)?
        }
    }
    Ok(Exit::Done)
}

fn line(key: &KeyStatus, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let (look, kept) = match key.kept.as_str() {
        "keychain" => (Look::Good, words.kept_in_keychain()),
        "file" => (Look::Good, words.kept_in_file()),
        "environment" => (Look::Good, words.kept_in_environment()),
        _ => (Look::Dim, words.not_kept()),
    };
    let tail = key
        .tail
        .as_ref()
        .map_or_else(String::new, |tail| format!("  …{tail}"));
    console.line(&format!(
        "{}  {}{tail}",
        key.provider,
        console.painted(look, kept)
    ))
}
