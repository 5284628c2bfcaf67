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

/// Why values do not fit the fields of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnfitValue<'a> {
    /// No field has that name.
    Unknown(&'a str),
    /// A field has neither a value nor anything that stands for one.
    Missing(&'a PromptField),
}

/// Checks values against the fields of a prompt, for everybody who has one filled. Choices are proposals to a person, so
/// other values fit, too.
///
/// # Errors
/// The first value or field that does not fit.
pub fn fit_values<'a>(
    fields: &'a [PromptField],
    values: &'a BTreeMap<String, String>,
) -> Result<(), UnfitValue<'a>> {
    let is_known = |given: &str| fields.iter().any(|field| field.name == given);
    if let Some(unknown) = values.keys().find(|given| !is_known(given)) {
        return Err(UnfitValue::Unknown(unknown));
    }
    let is_missing = |field: &&PromptField| {
        let stands_by_itself = field.optional || field.default.is_some();
        !stands_by_itself && !values.contains_key(&field.name)
    };
    fields
        .iter()
        .find(is_missing)
        .map_or(Ok(()), |field| Err(UnfitValue::Missing(field)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str) -> PromptField {
        PromptField {
            name: name.to_owned(),
            kind: PromptFieldKind::Free,
            label: name.to_owned(),
            default: None,
            choices: Vec::new(),
            optional: false,
        }
    }

    #[test]
    fn values_fit_when_each_has_a_field_and_each_field_has_something() {
        let language = PromptField {
            default: Some("English".to_owned()),
            ..field("language")
        };
        let note = PromptField {
            optional: true,
            ..field("note")
        };
        let tone = PromptField {
            choices: vec!["warm".to_owned()],
            ..field("tone")
        };
        let fields = [language, note, tone];
        for (given, unfit) in [
            (&["tone"][..], None),
            (&["tone", "language", "note"], None),
            (&["tone", "words"], Some(UnfitValue::Unknown("words"))),
            (&["words"], Some(UnfitValue::Unknown("words"))),
            (&["note"], Some(UnfitValue::Missing(&fields[2]))),
            (&[], Some(UnfitValue::Missing(&fields[2]))),
        ] {
            let values = given.iter().map(|name| ((*name).to_owned(), "loud".to_owned()));
            assert_eq!(fit_values(&fields, &values.collect()).err(), unfit, "{given:?}");
        }
    }
}
