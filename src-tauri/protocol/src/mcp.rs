//! MCP servers: other programs that offer tools, as their user sees them.

use crate::Class;
use crate::api::requests;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

requests! {
    /// A request about MCP servers.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    McpRequest as mcp, through |action| crate::Request::Mcp { action };
    /// All servers, with the known facts of their tools; no server is started for the list.
    List -> McpServers,
    /// Starts the server once, then remembers how to reach it; none of its tools is allowed yet. Replies:
    /// `McpServers` with it alone.
    Add { server: NewMcpServer } -> McpServers,
    /// Asks the server for its present tools. Replies: `McpServers` with it alone.
    Test { name: String } -> McpServers,
    /// Lets programs call tools of a server, or forbids it. Replies: `McpServers` with it alone.
    Allow {
        name: String,
        tools: Vec<String>,
        /// Applies to all present tools, whatever is named.
        #[serde(default)]
        all: bool,
        /// The class of the tools' calls, as the user says; without one they count as sending.
        #[serde(default)]
        class: Option<Class>,
        on: bool,
    } -> McpServers,
    /// Forgets a server and its secrets; a call under way ends. Replies: the `McpServers` that are left.
    Remove { name: String } -> McpServers,
}

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NewMcpServer {
    pub name: String,
    /// A program with its arguments; empty for a server at an address.
    pub command: Vec<String>,
    pub url: Option<String>,
    /// Plain variables of the program's environment; stored in a file.
    pub env: BTreeMap<String, String>,
    /// Secret variables of its environment, or secret headers; stored in the keychain.
    pub secrets: BTreeMap<String, String>,
    /// Whether only older revisions of the protocol are spoken with the server.
    pub legacy: bool,
}

/// A server as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedMcpServer {
    pub name: String,
    /// The server's own name and version.
    pub about: String,
    /// The server's command line or address.
    pub reached: String,
    /// Names of the server's secrets.
    pub secrets: Vec<String>,
    pub tools: Vec<McpTool>,
}

/// A tool of a server; its texts are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpTool {
    pub name: String,
    pub doc: String,
    pub class: Class,
    pub allowed: bool,
    /// Whether the tool has changed since it was allowed: programs get it only after it is allowed again.
    pub changed: bool,
    /// The server's own hints, on which nothing relies.
    pub reads_only: Option<bool>,
    pub destroys: Option<bool>,
}
