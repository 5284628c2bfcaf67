//! The types of permission (F7.7). The table that decides is in `agent::permissions`.

use serde::{Deserialize, Serialize};
use shidi_locales::{Language, Permissions};
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
    /// Asks the user's own search provider; what it is asked leaves the computer.
    Search,
    /// Fetches from the network into a granted folder, undoable.
    Download,
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
    /// Lets commands reach one host, through the proxy that is their only way out.
    Connect,
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
            Self::Read | Self::ReadOutside | Self::NetworkRead | Self::Search => false,
            Self::Download
            | Self::Write
            | Self::Keep
            | Self::WriteOutside
            | Self::Execute
            | Self::ExecuteOpen
            | Self::Connect
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
    /// One line for people, and for the model in the source language.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.permissions();
        match self {
            Self::Own => say.own().to_owned(),
            Self::Table {
                class,
                mode,
                tainted,
                verdict,
            } => {
                let (class, mode, verdict) = (class.word(say), mode.word(say), verdict.word(say));
                match tainted {
                    true => say.by_default_after_foreign(class, mode, verdict),
                    false => say.by_default(class, mode, verdict),
                }
            }
            Self::Rule { pattern, verdict } => say.by_rule(pattern, verdict.word(say)),
            Self::Beforehand { pattern } => say.beforehand(pattern),
            Self::User { approved: false, .. } => say.user_refused().to_owned(),
            Self::User { always: true, .. } => say.user_approved_always().to_owned(),
            Self::User { always: false, .. } => say.user_approved().to_owned(),
        }
    }
}

impl Class {
    fn word(self, say: Permissions) -> &'static str {
        match self {
            Self::Read => say.class_read(),
            Self::ReadOutside => say.class_read_outside(),
            Self::NetworkRead => say.class_network_read(),
            Self::Search => say.class_search(),
            Self::Download => say.class_download(),
            Self::Write => say.class_write(),
            Self::Keep => say.class_keep(),
            Self::WriteOutside => say.class_write_outside(),
            Self::Execute => say.class_execute(),
            Self::ExecuteOpen => say.class_execute_open(),
            Self::Connect => say.class_connect(),
            Self::Send => say.class_send(),
            Self::Page => say.class_page(),
            Self::Money => say.class_money(),
        }
    }
}

impl Mode {
    fn word(self, say: Permissions) -> &'static str {
        match self {
            Self::Ask => say.mode_ask(),
            Self::Risky => say.mode_risky(),
            Self::Trust => say.mode_trust(),
        }
    }
}

impl Verdict {
    fn word(self, say: Permissions) -> &'static str {
        match self {
            Self::Allow => say.allow(),
            Self::Ask => say.ask(),
            Self::Deny => say.deny(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_names_class_and_mode_as_rules_write_them_and_in_another_language_by_its_own_words() {
        let ground = Ground::Table {
            class: Class::WriteOutside,
            mode: Mode::Risky,
            tainted: false,
            verdict: Verdict::Ask,
        };
        assert_eq!(
            ground.sentence(Language::SOURCE),
            "asked about by default: write_outside in mode risky"
        );
        let others = Language::ALL.iter().filter(|other| **other != Language::SOURCE);
        for language in others {
            let said = ground.sentence(*language);
            assert!(
                !said.contains("risky") && !said.contains("write_outside"),
                "{said}"
            );
        }
    }
}
