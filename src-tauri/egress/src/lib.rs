//! Traffic that leaves this computer: where an address leads, and the one way out of a confined command.
//!
//! [`neighbourhood`] tells which addresses lie on this computer or beside it. [`Egress`] is a proxy for one command
//! that has no other way to the network. [`Egress`] asks its [`Gate`] before a name is even looked up, since a look-up
//! tells the name to strangers. [`Egress`] refuses what leads inwards unless that was allowed as such, and reports
//! every connection. Nothing here knows rules, people or sentences.

mod conversation;
mod limits;
pub mod neighbourhood;
mod proxy;
mod reaching;
mod relay;
mod request;
mod target;
mod upstream;

pub use proxy::{Egress, Way};
pub use target::{NoTarget, Target};
pub use upstream::Upstream;

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which network a host belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    /// The open network, as far as the host itself tells.
    Open,
    /// This computer or its own network.
    Local,
}

/// What was decided on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Allowed,
    /// A rule or a person refuses the host.
    Refused,
    /// Nobody has decided.
    Undecided,
}

/// Who decides on hosts, and hears what became of connections.
#[async_trait::async_trait]
pub trait Gate: Send + Sync {
    /// Decides on a host. May wait for a person within a bound of its own; other connections go on meanwhile.
    async fn decide(&self, target: &Target, network: Network) -> Verdict;

    /// One line of ASCII for the program that was refused.
    fn sentence(&self, target: &Target, refusal: &Refusal) -> String;

    /// A connection was refused, or has ended.
    fn ended(&self, connection: Connection);
}

/// Why a connection was refused or given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Refusal {
    /// A rule or a person refuses the host.
    Refused,
    /// Nobody has decided on the host.
    Undecided,
    /// The host leads into the local network, and nobody has allowed it as such.
    Local,
    /// Nobody knows the name.
    Unknown,
    /// The host, or the proxy before it, can't be reached.
    Unreachable { cause: String },
    /// The user's own proxy is of a kind that is not understood.
    UnknownProxy,
    /// The command has too many connections, or has moved too many bytes.
    TooMuch,
}

/// A connection that a command wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    pub target: Target,
    /// `None` for one that was made.
    pub refusal: Option<Refusal>,
    pub sent_bytes: u64,
    pub received_bytes: u64,
    pub took: Duration,
}

#[cfg(test)]
mod tests;
