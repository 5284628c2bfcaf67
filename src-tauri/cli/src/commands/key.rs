//! `shidi key`: keys of model providers, which live in the system's keychain and are never shown.

use super::{answered, done, with_door};
use crate::arguments::Options;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use clap::Subcommand;
use shidi_protocol::{KeyStatus, Reply, Request};

/// Keys of model providers, kept in the system's keychain
#[derive(Debug, clap::Args)]
#[command(after_help = help::KEY)]
pub struct Arguments {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
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
}

/// Carries out the deed.
///
/// # Errors
/// No keychain, a key that the provider rejects, or no key at all.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    match arguments.deed {
        Deed::Set { provider, unchecked } => {
            let key = input::secret(&words.key_prompt(&provider), words)?;
            done(
                Request::KeySet {
                    provider,
                    key,
                    unchecked,
                },
                words.key_stored(),
                options,
                console,
            )
            .await
        }
        Deed::List => list(options, console).await,
        Deed::Test { provider } => {
            done(Request::KeyTest { provider }, words.key_works(), options, console).await
        }
        Deed::Delete { provider } => {
            done(
                Request::KeyDelete { provider },
                words.key_deleted(),
                options,
                console,
            )
            .await
        }
    }
}

async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let reply = with_door(options, async |door| answered(door, Request::KeyList).await).await?;
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
