//! Prompts of one's own: texts with fields, one Markdown file each.

use crate::macros::requests;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

requests! {
    /// A request about the user's own prompts.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    SavedPromptRequest as saved_prompts, through |action| crate::Request::SavedPrompts { action };
    List -> SavedPrompts,
    /// The text with values in the places of its fields; a field without one has its default. Nothing is sent.
    Fill {
        name: String,
        #[serde(default)]
        values: BTreeMap<String, String>,
    } -> FilledPrompt,
    /// Keeps a prompt, in the place of the one named `replaces`.
    Keep {
        draft: SavedPromptDraft,
        #[serde(default)]
        #[ts(optional)]
        replaces: Option<String>,
    } -> SavedPrompts,
    Remove { name: String } -> SavedPrompts,
    /// Brings in Markdown files, and those directly in folders; fields of other programs become ours.
    Import { paths: Vec<String> } -> ImportedPrompts,
    /// Copies the files of `names`, or all, into a folder.
    Export {
        #[serde(default)]
        names: Vec<String>,
        folder: String,
    } -> ExportedPrompts,
}

/// A prompt as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SavedPrompt {
    /// The name by which it is called; its file's.
    pub name: String,
    pub description: String,
    /// As it was written, with its fields.
    pub text: String,
    pub fields: Vec<PromptField>,
    pub path: String,
    /// Why it can't be used.
    pub problem: Option<String>,
}

/// A prompt as its user makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SavedPromptDraft {
    pub name: String,
    #[serde(default)]
    pub description: String,
    pub text: String,
    /// What is said of fields; those that the text does not have are left out.
    #[serde(default)]
    pub fields: Vec<PromptField>,
}

/// A field of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PromptField {
    pub name: String,
    pub kind: PromptFieldKind,
    /// What is asked for; the name, where nothing else is said.
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub default: Option<String>,
    /// Values that are offered.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Whether it may be left empty.
    #[serde(default)]
    pub optional: bool,
}

/// What a field stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PromptFieldKind {
    /// Whatever its user writes.
    Free,
    /// What is selected: it goes along as data, and the text only names it.
    Selection,
    /// The page in front.
    Page,
    /// A file that goes along.
    File,
}
