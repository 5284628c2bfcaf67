//! Bounds of MCP servers, with unit and reason.

use std::time::Duration;

/// MCP servers that are configured: each is a toolkit that a model has to know of.
pub const PEERS_MAX: usize = 32;

/// Bytes of a text with servers that is pasted: some hundred entries.
pub const PASTED_BYTES_MAX: usize = 256 << 10;

/// Bytes of another program's file: some keep what was ever said beside their servers.
pub const PROGRAM_FILE_BYTES_MAX: u64 = 32 << 20;

/// Servers that are read out of one text or file.
pub const DRAFTS_MAX: usize = 100;

/// Wait for the resources of one of several servers: who opens a list does not wait for the slowest.
pub const RESOURCES_WAIT: Duration = Duration::from_secs(4);

/// Wait for a resource that was picked, the start of its server included: a question waits beside it.
pub const PICKED_WAIT: Duration = Duration::from_secs(60);

/// Wait for the name of a resource that has been read. Its list is asked for beside the resource.
pub const NAME_WAIT: Duration = Duration::from_secs(1);

/// Resources of all servers in one list: nobody looks through more, and a name finds any of one server's.
pub const RESOURCES_TOLD_MAX: usize = 1_000;

/// Pause after a server's news of its tools before it is asked: several changes are one question.
pub const PEER_NEWS_PAUSE: Duration = Duration::from_millis(200);

/// Longest wait for servers that end with the process; then they are killed.
pub const PEERS_END_WAIT: Duration = Duration::from_secs(6);

/// Programs whose names are kept as clients of this Shidi: beyond it somebody makes up names.
pub const CLIENTS_MAX: usize = 64;

/// Characters of a client's name: a line of a list.
pub const CLIENT_CHARACTERS_MAX: usize = 60;

/// Names that are proposed in place of one that no tool has: a sentence that is read at a glance.
pub const NAMES_PROPOSED_MAX: usize = 5;
