//! `shidi key`: keys of model providers, which are never shown. They live in the system's keychain, or in an
//! encrypted file where there is none.

use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::options::Options;
use crate::unlocking::{ask_unlocking, unlock};
use clap::Subcommand;
use shidi_protocol::{KeyStatus, TypedRequest, reply, request};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Set {
        provider: String,
        #[arg(long)]
        unchecked: bool,
    },
    List,
    Test {
        provider: String,
    },
    Delete {
        provider: String,
    },
    Unlock,
}

/// Carries out the action.
///
/// # Errors
/// No keychain, a key that the provider rejects, or no key at all.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    match arguments.action {
        Action::Set { provider, unchecked } => {
            let key = input::secret(&words.key_prompt(&provider), words)?;
            set(provider, key, unchecked, options, console).await
        }
        Action::List => list(options, console).await,
        Action::Unlock => {
            with_connection(options, async |connection| unlock(connection, console).await).await?;
            said_so(words.keys_unlocked(), console)
        }
        Action::Test { provider } => {
            unlocked(request::KeyTest { provider }, options, console).await?;
            said_so(words.key_works(), console)
        }
        Action::Delete { provider } => {
            unlocked(request::KeyDelete { provider }, options, console).await?;
            said_so(words.key_deleted(), console)
        }
    }
}

/// Asks a request, after unlocking the keys where they are locked.
async fn unlocked<R: TypedRequest + Clone>(
    request: R,
    options: &Options,
    console: &Console,
) -> Result<R::Reply, Failure> {
    with_connection(options, async |connection| {
        ask_unlocking(connection, request, console).await
    })
    .await
}

/// Stores a key, and says where it is now.
async fn set(
    provider: String,
    key: String,
    unchecked: bool,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let request = request::KeySet {
        provider: provider.clone(),
        key,
        unchecked,
    };
    let kept = with_connection(options, async |connection| {
        ask_unlocking(connection, request, console).await?;
        Ok(connection.ask(request::KeyList).await?)
    });
    let reply::Keys { keys } = kept.await?;
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
    let reply::Keys { keys } = unlocked(request::KeyList, options, console).await?;
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
