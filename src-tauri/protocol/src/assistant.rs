//! Assistants: configurations of the one engine, as their user sees them.

use crate::macros::requests;
use crate::{Mode, Sampling, SessionId};
use serde::{Deserialize, Serialize};
use shidi_locales::Language;
use std::collections::BTreeMap;
use ts_rs::TS;

requests! {
    /// A request about assistants.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    AssistantRequest as assistants, through |action| crate::Request::Assistants { action };
    /// Lists all assistants, those too that can't be asked, with the reason.
    List -> Assistants,
    Show { name: String } -> Assistant,
    /// Looks at the text of a file, and keeps nothing. It may be another program's: what it becomes is shown.
    Check { file: String, text: String } -> AssistantCheck,
    /// Reads a file of this machine, ours or another program's, and shows each assistant in it. No assistant is kept
    /// yet.
    Review { path: String } -> AssistantReview,
    /// Keeps what was reviewed, just as it was: those of `names`, or all.
    Install {
        review: String,
        #[serde(default)]
        names: Vec<String>,
    } -> Assistants,
    /// Trusts a file of the user's folder as it is now. Another digest than the one that was shown is refused.
    Approve { name: String, digest: String } -> Assistants,
    /// Writes a form's values into a text; whatever else stands in the text stays.
    Write { spec: Box<AssistantSpec>, text: String } -> AssistantText,
    /// Keeps a text that its user wrote. `earlier` is the digest of what it takes the place of.
    Save {
        text: String,
        #[serde(default)]
        earlier: Option<String>,
    } -> Assistant,
    /// Has the session of a try-out ask a text that nobody has kept. `earlier` is the digest of the file that it was made
    /// of. Nothing is written, and what the text allows counts as far as the kept file allows it.
    Try {
        session: SessionId,
        text: String,
        #[serde(default)]
        earlier: Option<String>,
    } -> Assistant,
    /// Writes an assistant out: as text, and into a file where a path is given.
    Export {
        name: String,
        form: AssistantForm,
        #[serde(default)]
        path: Option<String>,
    } -> AssistantText,
    /// Removes an assistant of the user's folder.
    Remove { name: String } -> Assistants,
}

/// Words by the code of their language; the empty code is for every language that has none of its own.
pub type Wording = BTreeMap<String, String>;

/// The words for a language: its own, those for all, else those of the first language that has some.
#[must_use]
pub fn worded<'a>(words: &'a Wording, language: &str) -> &'a str {
    let own = words.get(language).or_else(|| words.get(""));
    let source = || {
        words
            .get(Language::SOURCE.code())
            .or_else(|| words.values().next())
    };
    own.or_else(source).map(String::as_str).unwrap_or_default()
}

/// What an assistant is: the values of its file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct AssistantSpec {
    /// The name by which it is called, and that of its file.
    pub name: String,
    pub title: Wording,
    /// A sign or two that stand for it.
    pub picture: String,
    /// Keys that choose it from anywhere, as `Ctrl+Alt+T`; empty for none.
    pub hotkey: String,
    pub description: Wording,
    /// What it says before anybody asks.
    pub opening: Wording,
    pub suggestions: Vec<Wording>,
    pub prompt: Wording,
    /// The languages that it speaks; empty for all.
    pub languages: Vec<String>,
    /// Models of its own: by role, and the main one as `main`.
    pub models: BTreeMap<String, String>,
    pub sampling: Sampling,
    /// What differs for a role.
    pub role_sampling: BTreeMap<String, Sampling>,
    /// Knowledge bases that it may ask; `None` for all.
    pub knowledge: Option<Vec<String>>,
    /// Toolkits and single tools that its programs may call; `None` for all.
    pub toolkits: Option<Vec<String>>,
    /// Skills that it may load; `None` for all.
    pub skills: Option<Vec<String>>,
    /// Workflows that its programs may call; `None` for all.
    pub workflows: Option<Vec<String>>,
    pub memory: AssistantMemory,
    pub permissions: AssistantPermissions,
}

/// Whose memories an assistant sees, and whose it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AssistantMemory {
    /// It sees the user's and its own; what it learns is its own.
    #[default]
    Own,
    /// It sees the user's, and what it learns is everyone's.
    Shared,
    /// It sees its own alone.
    Alone,
    /// It neither remembers nor recalls.
    None,
}

/// What an assistant's programs may do: less than the user's rules allow, or more only after a review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct AssistantPermissions {
    /// The most trusting mode in which it may be asked.
    pub mode: Option<Mode>,
    /// Families of calls, as `toolkit.method(arg=glob, …)`.
    pub allow: Vec<String>,
    pub ask: Vec<String>,
    pub deny: Vec<String>,
}

/// Where an assistant comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AssistantSource {
    BuiltIn,
    User,
}

/// How far an assistant's words are the user's own wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AssistantTrust {
    /// It ships, the user wrote it here, or has reviewed it, and it has not changed since.
    Reviewed,
    /// Nobody has reviewed it: it can't be asked.
    New,
    /// It has changed since: it can't be asked.
    Changed,
}

/// The form in which an assistant leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AssistantForm {
    Yaml,
    /// Front matter and prompt, as coding agents read it.
    Markdown,
    /// The same document as its YAML, on one line; it is read again as that is.
    Json,
}

/// An assistant as it is listed; its texts are its author's, in the language of who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedAssistant {
    pub name: String,
    pub title: String,
    pub picture: String,
    pub description: String,
    pub opening: String,
    pub suggestions: Vec<String>,
    pub source: AssistantSource,
    pub trust: AssistantTrust,
    /// Its file; `None` of a built-in one.
    pub path: Option<String>,
    /// Where it was imported from.
    pub from: Option<String>,
    /// Why it can't be asked.
    pub problem: Option<String>,
    /// What is wrong with it that does not keep it from being asked.
    pub notes: Vec<String>,
    /// Keys of its own, which the desktop takes once it can be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hotkey: Option<AssistantHotkey>,
}

/// Keys of an assistant's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AssistantHotkey {
    /// As `Ctrl+Alt+T`.
    pub keys: String,
    /// Who has them before it, with the remedy; `None` where they are its own.
    pub problem: Option<String>,
}

/// An assistant with everything that it is, for whoever decides on it or changes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AssistantDetail {
    pub assistant: ListedAssistant,
    pub spec: Box<AssistantSpec>,
    /// Its file, as it is or would be kept.
    pub text: String,
    /// What would keep the text from being an assistant, each with line, column and remedy.
    pub faults: Vec<AssistantFault>,
    /// What of another program's file has no counterpart, and what it may do, in words.
    pub left_out: Vec<AssistantFault>,
    pub may: Vec<String>,
    pub findings: Vec<crate::ReviewFinding>,
    pub digest: String,
    /// Where it would take the place of one that is there: what differs.
    pub differs: Option<Vec<AssistantDifference>>,
}

/// Something that is wrong at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AssistantFault {
    pub file: String,
    #[ts(type = "number")]
    pub line: u64,
    #[ts(type = "number")]
    pub column: u64,
    pub what: String,
    pub remedy: String,
}

/// A value of one that is there, and of one that would take its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AssistantDifference {
    /// The key of the file, as `permissions.allow`.
    pub key: String,
    pub before: String,
    pub after: String,
}
