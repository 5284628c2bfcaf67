//! Other programs that offer tools, as their user sees them.

use crate::Class;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// What may be asked of the MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum PeerDeed {
    /// All servers, with what is known of their tools; none is started for it. Replies: `Peers`.
    List,
    /// Starts the server once, then keeps how to reach it; none of its tools is allowed by that. Replies: `Peers` with
    /// it alone.
    Add { peer: NewPeer },
    /// Asks the server for its tools as they are now. Replies: `Peers` with it alone.
    Test { name: String },
    /// Lets programs call tools of a server, or no longer. Replies: `Peers` with it alone.
    Allow {
        name: String,
        tools: Vec<String>,
        /// All that it offers now, whatever is named.
        #[serde(default)]
        all: bool,
        /// What the user says that they do; without it they count as sending.
        #[serde(default)]
        class: Option<Class>,
        on: bool,
    },
    /// Forgets a server and its secrets; a call of it that is under way ends. Replies: the `Peers` that are left.
    Remove { name: String },
}

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NewPeer {
    pub name: String,
    /// A program with its arguments; empty where there is an address.
    pub command: Vec<String>,
    pub url: Option<String>,
    /// Plain variables of the program's environment; kept in a file.
    pub env: BTreeMap<String, String>,
    /// Variables of its environment, or headers, that are nobody's business; kept in the keychain.
    pub secrets: BTreeMap<String, String>,
    /// Whether it is spoken to in the older revisions of the protocol alone.
    pub legacy: bool,
}

/// A server as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedPeer {
    pub name: String,
    /// What it says of itself: its name and version.
    pub about: String,
    /// Its command line or address.
    pub reached: String,
    /// Names of its secrets.
    pub secrets: Vec<String>,
    pub tools: Vec<PeerTool>,
}

/// A tool of a server; its texts are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeerTool {
    pub name: String,
    pub doc: String,
    pub class: Class,
    pub allowed: bool,
    /// Whether it was allowed when it said something else: no program is offered it until it is allowed again.
    pub changed: bool,
    /// The server's own hints, which nothing relies on.
    pub reads_only: Option<bool>,
    pub destroys: Option<bool>,
}
