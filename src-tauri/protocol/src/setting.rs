//! Settings as a page can draw them, and remembered decisions.

use crate::{Moment, Verdict, Worded};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One setting with its value, and all facts for drawing it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ConfigEntry {
    pub key: String,
    pub value: String,
    /// Whether the value is the built-in one.
    pub default: bool,
    /// The purpose of the setting with its possible values, in the language of the program.
    pub doc: String,
    pub kind: SettingKind,
    pub group: SettingGroup,
    pub title: Worded,
    /// The same as `doc`, in every language.
    pub about: Worded,
}

/// The kind of a setting's value. Every value is written as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "is", rename_all = "snake_case")]
#[ts(export)]
pub enum SettingKind {
    Text,
    Choice {
        values: Vec<SettingChoice>,
    },
    Number {
        #[ts(type = "number")]
        min: i64,
        #[ts(type = "number")]
        max: i64,
    },
    /// Absolute paths, separated by `:`.
    Paths,
    /// Words or patterns, separated by `;`.
    List,
    /// Keys pressed together, such as `Ctrl+Alt+Space`.
    Keys,
    /// `on` or `off`.
    Switch,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingChoice {
    pub value: String,
    pub title: Worded,
}

/// The part of the settings page that a setting belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SettingGroup {
    General,
    Look,
    Keys,
    Models,
    Search,
    Privacy,
    Memory,
    Permissions,
    Limits,
}

/// A decision about a family of calls that holds until it is revoked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RememberedRule {
    /// `toolkit.method(arg=glob, …)`.
    pub pattern: String,
    pub verdict: Verdict,
    #[ts(type = "string")]
    pub created: Moment,
}
