//! The types of permission (F7.7). The table that decides is in `agent::permissions`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The effect of a call on the world: the rows of the table in DESIGN §8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Class {
    /// Reads inside granted folders, own memory, and the user's attachments.
    Read,
    ReadOutside,
    NetworkRead,
    /// Writes inside granted folders, undoable.
    Write,
    /// Keeps text that later conversations will read as memory.
    Keep,
    /// Writes outside granted folders, deletes trees.
    WriteOutside,
    /// Runs a command in the sandbox, without network, inside granted folders.
    Execute,
    /// Runs a command with network or outside the sandbox, or one from the dangerous list.
    ExecuteOpen,
    /// Messages, posts, MCP and A2A calls.
    Send,
    /// May change the page in front, about which the user asked.
    Page,
    /// Money, credentials, sharing, permission changes.
    Money,
}

impl Class {
    /// Whether repeating a call of this class would repeat a change.
    #[must_use]
    pub fn has_side_effect(self) -> bool {
        match self {
            Self::Read | Self::ReadOutside | Self::NetworkRead => false,
            Self::Write
            | Self::Keep
            | Self::WriteOutside
            | Self::Execute
            | Self::ExecuteOpen
            | Self::Send
            | Self::Page
            | Self::Money => true,
        }
    }
}

/// How often the user wants to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Mode {
    Ask,
    #[default]
    Risky,
    Trust,
}

/// The verdict of the table and the rules on one call.
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

/// Why a call was allowed, asked about or refused: the answer to "why was this allowed?".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "by", rename_all = "snake_case")]
#[ts(export)]
pub enum Ground {
    /// The call concerns the conversation alone: words to the user, the list of steps, the clock.
    Own,
    /// The table of classes and modes, which is stricter once the task has read foreign text.
    Table {
        class: Class,
        mode: Mode,
        tainted: bool,
        verdict: Verdict,
    },
    /// A decision that the user has remembered for a family of calls.
    Rule { pattern: String, verdict: Verdict },
    /// A pattern that the user approved together with the task.
    Beforehand { pattern: String },
    /// The user decided on this very call.
    User {
        approved: bool,
        /// Whether the family of the call is remembered from then on.
        always: bool,
        /// The user's reason for a refusal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
    },
}

impl Ground {
    /// One line for people and for the model.
    #[must_use]
    pub fn sentence(&self, language: &str) -> String {
        if language == "zh" {
            self.in_chinese()
        } else {
            self.in_english()
        }
    }

    fn in_english(&self) -> String {
        match self {
            Self::Own => "part of the conversation itself".to_owned(),
            Self::Table {
                class,
                mode,
                tainted,
                verdict,
            } => {
                let read = if *tainted {
                    ", in a task that has read outside content"
                } else {
                    ""
                };
                let (class, mode) = (named(class), named(mode));
                let verdict = verdict.in_english();
                format!("{verdict} by default: {class} in mode {mode}{read}")
            }
            Self::Rule { pattern, verdict } => format!("{} by your rule {pattern}", verdict.in_english()),
            Self::Beforehand { pattern } => format!("allowed with the task: {pattern}"),
            Self::User { approved: false, .. } => "you refused it".to_owned(),
            Self::User { always: true, .. } => "you approved it, and its kind from then on".to_owned(),
            Self::User { always: false, .. } => "you approved it".to_owned(),
        }
    }

    fn in_chinese(&self) -> String {
        match self {
            Self::Own => "属于对话本身".to_owned(),
            Self::Table {
                class,
                mode,
                tainted,
                verdict,
            } => {
                let read = if *tainted {
                    "，任务读过外来内容"
                } else {
                    ""
                };
                let (class, mode) = (named(class), named(mode));
                let verdict = verdict.in_chinese();
                format!("默认{verdict}：{class}，模式 {mode}{read}")
            }
            Self::Rule { pattern, verdict } => format!("按你的规则{}：{pattern}", verdict.in_chinese()),
            Self::Beforehand { pattern } => format!("提问时已允许：{pattern}"),
            Self::User { approved: false, .. } => "你拒绝了".to_owned(),
            Self::User { always: true, .. } => "你批准了，同类以后也允许".to_owned(),
            Self::User { always: false, .. } => "你批准了".to_owned(),
        }
    }
}

impl Verdict {
    fn in_english(self) -> &'static str {
        match self {
            Self::Allow => "allowed",
            Self::Ask => "asked about",
            Self::Deny => "refused",
        }
    }

    fn in_chinese(self) -> &'static str {
        match self {
            Self::Allow => "允许",
            Self::Ask => "要问你",
            Self::Deny => "拒绝",
        }
    }
}

/// A class or mode as rules and JSON write it.
fn named(value: &impl Serialize) -> String {
    serde_json::to_value(value)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}
