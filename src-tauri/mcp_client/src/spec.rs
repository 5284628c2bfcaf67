//! The facts by which a server is reached. Secrets come in here as values and are shown to nobody.

use crate::tokens::TokenStore;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A server under its user's name for it.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    pub name: String,
    pub launch: Launch,
    pub era: Era,
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub enum Launch {
    /// A program that is started, and spoken to over its standard input and output.
    Command {
        program: String,
        args: Vec<String>,
        /// Variables added to the few that every program needs.
        env: BTreeMap<String, SecretString>,
    },
    /// A server at an address, with headers for every request.
    Url {
        url: String,
        headers: BTreeMap<String, SecretString>,
        /// Where the tokens of a sign-in are kept; without it nobody signs in there.
        tokens: Option<Arc<dyn TokenStore>>,
    },
}

/// The revisions of the protocol that are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Era {
    /// First the revision without a handshake (2026-07-28), then the older ones.
    #[default]
    Auto,
    /// Only revisions with a handshake: for servers that end, or fall silent, when asked about the newer one.
    Legacy,
}
