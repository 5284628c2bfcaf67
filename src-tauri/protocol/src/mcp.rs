//! MCP servers: other programs that offer tools, as their user sees them.

use crate::macros::requests;
use crate::{Class, Moment, ParameterKind};
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
    Add {
        server: NewMcpServer,
        /// Whether a refusal leaves the server's name out, since whoever asks tells it beside.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        unnamed: bool,
    } -> McpServers,
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
    /// Ends a server; the next call starts it anew, however often it had failed. Replies: `McpServers` with it alone.
    Restart { name: String } -> McpServers,
    /// What happened to a server since the program began, and what it wrote; no server is started for it.
    Log { name: String } -> McpLog,
    /// Begins a sign-in in the user's browser; the address is to be opened there.
    SignIn { name: String } -> McpSignIn,
    /// Waits until the sign-in that was begun is over, at most five minutes. Replies: `McpServers` with it alone.
    SignedIn { name: String } -> McpServers,
    /// Reads servers out of a text, as other programs keep them: JSON with `mcpServers` or the like, an address, or a
    /// command line. Adds none.
    Read { text: String } -> McpDrafts,
    /// Looks for servers in the files of this user's other programs. Adds none.
    Find -> McpDrafts,
    /// The prompts of all servers, as they were last known; no server is started for the list.
    Prompts -> McpPrompts,
    /// What servers have to read. Without a name those that run are asked, and none is started for the list.
    Resources {
        #[serde(default)]
        name: Option<String>,
    } -> McpResources,
    /// Has a server write a prompt out; nothing is sent to a model.
    Prompt {
        /// The server's.
        name: String,
        prompt: String,
        #[serde(default)]
        values: BTreeMap<String, String>,
        /// Whether it is for an incognito session: nothing of it is logged then.
        #[serde(default)]
        incognito: bool,
    } -> McpPromptText,
    /// Forgets a server and its secrets; a call under way ends. Replies: the `McpServers` that are left.
    Remove { name: String } -> McpServers,
    /// The programs that asked to use Shidi as their server.
    Clients -> McpClients,
    /// Says for a program that it calls a tool of Shidi. One that is not known is kept as asking. Fails, with the remedy,
    /// unless Shidi is a server and its user allowed the program. Replies: `McpClients` with it alone.
    ClientCalls { name: String } -> McpClients,
    /// Keeps the user's decision about a program, or forgets the program where there is none.
    ClientDecide {
        name: String,
        #[serde(default)]
        state: Option<McpClientState>,
    } -> McpClients,
    /// The token that programs send over HTTP. Fails, with the remedy, unless Shidi is a server and the keychain can be
    /// used. Fails too where no token is kept and none is to be made.
    ServeToken {
        #[serde(default)]
        wish: TokenWish,
    } -> McpServeToken,
}

/// Which token is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum TokenWish {
    /// The one that is kept.
    Kept,
    /// The same, made where there is none.
    #[default]
    Made,
    /// Another one.
    Renewed,
}

/// A program that uses Shidi as its MCP server, or wants to. The name is its own word: it proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpClient {
    /// Without characters that the eye can't see.
    pub name: String,
    pub state: McpClientState,
}

/// What the user decided about a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum McpClientState {
    /// It came, and nobody has decided.
    Asking,
    Allowed,
    Denied,
}

/// How to reach a server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
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
    /// What we are called where users of an address sign in, if we have a name there. Without one we register.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub client_id: Option<String>,
}

impl NewMcpServer {
    /// The name of the client's secret among the secrets: no header and no variable has a space in its name.
    pub const CLIENT_SECRET: &str = "client secret";

    /// How long a server is waited for until it is ready, in seconds. A package runner that must fetch the server first
    /// takes most of a minute.
    pub const READY_WITHIN_S: u64 = 90;
}

/// A server that could be added, as it was read from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpDraft {
    /// Its name would do here; it may be another one than the text has.
    pub server: NewMcpServer,
    /// Secrets whose values the text does not hold: only the user knows them.
    pub wanted: Vec<String>,
    /// The program whose file it is from; none for a text that was pasted.
    pub program: Option<String>,
    /// Whether a server that is reached in the same way is here already.
    pub is_here: bool,
    /// The name of that server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub here_as: Option<String>,
    /// Its name as the text has it, if it has one there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub written: Option<String>,
    /// Its address or command as it may be shown, without keys.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub reached: String,
}

/// A server that was found and can't be added, or a file that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpLeftOut {
    /// The server's name, or the file's path.
    pub name: String,
    /// Why, in words.
    pub why: String,
}

/// How a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum McpState {
    /// It was not needed yet: the first call starts it.
    #[default]
    Idle,
    Starting,
    Running,
    /// Its user has to sign in first.
    SignIn,
    /// It ended or could not be started; the next call tries again.
    Ended,
}

/// What a line of a server's log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum McpLogKind {
    /// Its program is started, or its address is asked.
    Starting,
    /// It answers.
    Ready,
    Ended,
    Failed,
    /// It wrote a line beside the protocol.
    Wrote,
    /// It sent a message for its log.
    Told,
}

/// A line of a server's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpLogLine {
    #[ts(type = "string")]
    pub at: Moment,
    pub kind: McpLogKind,
    /// One line of its own words, in which nothing is unseen, or why it failed in ours. Empty where the kind says it
    /// all.
    pub text: String,
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
    pub state: McpState,
    /// The end of what the server wrote beside the protocol, or why it could not be started; its own words.
    pub said: String,
    /// Rights that it wants for a call and that the last sign-in did not give, by its names for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub lacks_rights: Vec<String>,
    pub tools: Vec<McpTool>,
    /// Allowed tools that programs don't get all the same: they get so many of one server at most. They are the last ones.
    #[serde(default)]
    pub left_out: u32,
    /// Tools beyond the longest list that is read: nothing is known of them.
    #[serde(default)]
    pub unread: u32,
}

/// A prompt that a server has prepared for its user; its texts are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpPrompt {
    pub server: String,
    /// Its name there.
    pub prompt: String,
    /// The name by which it is called here.
    pub name: String,
    pub description: String,
    pub fields: Vec<crate::PromptField>,
}

/// What a server has to read; its texts are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpResource {
    pub server: String,
    /// Its address there.
    pub uri: String,
    pub name: String,
    pub description: String,
    /// Its kind as the server says; empty where it does not.
    pub media_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub bytes: Option<u64>,
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
    /// What a call of it may be given, as the server says.
    #[serde(default)]
    pub parameters: Vec<McpParameter>,
}

/// A parameter of a server's tool; its texts are the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct McpParameter {
    pub name: String,
    pub kind: ParameterKind,
    pub required: bool,
    /// The choices, or the shape of a list or of fields; empty where the kind says it all.
    pub shape: String,
    pub doc: String,
}
