//! What is needed to reach a server. Secrets come in here as values and are shown to nobody.

use secrecy::SecretString;
use std::collections::BTreeMap;

/// A server by the name that the user gave it.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    pub name: String,
    pub launch: Launch,
    pub era: Era,
}

/// How a server is reached.
#[derive(Debug, Clone)]
pub enum Launch {
    /// A program that is started and spoken to over its input and output.
    Command {
        program: String,
        args: Vec<String>,
        /// Set in its environment besides the few variables that every program needs.
        env: BTreeMap<String, SecretString>,
    },
    /// A server that runs somewhere, with what is sent to it in every request.
    Url {
        url: String,
        headers: BTreeMap<String, SecretString>,
    },
}

/// Which revisions of the protocol are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Era {
    /// The one without a handshake (2026-07-28), then the older ones.
    #[default]
    Auto,
    /// Only those with a handshake: for servers that end, or fall silent, when they are asked about the newer one.
    Legacy,
}
