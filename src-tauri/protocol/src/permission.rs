//! The words of permission (F7.7). The table that decides is in `agent::permissions`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a call can do to the world: the rows of the table in DESIGN §8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Class {
    /// Reads inside granted folders, own memory, what the user attached.
    Read,
    ReadOutside,
    NetworkRead,
    /// Writes inside granted folders, undoable.
    Write,
    /// Writes outside granted folders, deletes trees.
    WriteOutside,
    /// Runs something sandboxed, without network, inside granted folders.
    Execute,
    /// Runs something with network or outside the sandbox, or from the dangerous list.
    ExecuteOpen,
    /// Messages, posts, MCP and A2A calls.
    Send,
    /// Changes the page.
    Page,
    /// Money, credentials, sharing, permission changes.
    Money,
}

impl Class {
    /// Whether a call of this class changes anything that a repetition would change again.
    #[must_use]
    pub fn has_side_effect(self) -> bool {
        match self {
            Self::Read | Self::ReadOutside | Self::NetworkRead => false,
            Self::Write
            | Self::WriteOutside
            | Self::Execute
            | Self::ExecuteOpen
            | Self::Send
            | Self::Page
            | Self::Money => true,
        }
    }
}

/// How much the user wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Mode {
    Ask,
    #[default]
    Risky,
    Trust,
}

/// What the table and the rules say of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// Where an argument of a call came from, as far as matching can tell. For display only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Origin {
    pub argument: String,
    pub source: String,
}
