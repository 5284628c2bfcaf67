//! Preferences (F6.3): choices that the user makes in forms of web pages again and again. Shidi proposes to keep some
//! of them.
//!
//! A use of a form is noticed only on sites for which the user switched that on. A proposal becomes a memory by the user's
//! word alone.

use crate::{MemoryId, Moment};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The kind of a field in which something is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum FieldKind {
    /// One of several options.
    Choice,
    /// Any number of several options.
    Choices,
    /// On or off.
    Switch,
    Number,
    Text,
    /// The forms of a site in the order in which they are used. No form of a page has such a field.
    Steps,
}

/// A value that the user gave a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ChosenValue {
    /// The field's label.
    pub name: String,
    pub kind: FieldKind,
    #[ts(type = "string | number | boolean | string[]")]
    pub value: Value,
    /// The options that the field offers; empty where it is free.
    #[serde(default)]
    pub options: Vec<String>,
}

/// One use of a form, as a browser tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormUse {
    /// Scheme, host and port.
    pub site: String,
    /// The form's name on its page; may be empty.
    pub form: String,
    /// The id of the loaded document: of one document the latest use counts.
    pub document: String,
    /// In the order in which the fields were touched.
    pub values: Vec<ChosenValue>,
    /// The button that was pressed at the end; empty for a form that applies at once.
    pub button: String,
    pub place: FormPlace,
}

/// Where a form was used: uses in one tab belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormPlace {
    /// The browser's own name.
    pub browser: String,
    pub tab: i64,
    /// The path of the page's address, with a star for each part that may name something.
    pub path: String,
}

/// What a browser, or the user, says of forms.
#[derive(Debug, Clone, PartialEq)]
pub enum FormNews {
    /// A form was used so.
    Used(FormUse),
    /// Nothing is learned on that site any more: what was noticed there goes.
    Unlearned { site: String },
}

/// What could be kept as a preference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PreferenceProposal {
    /// Another one as soon as what is proposed changes.
    pub id: String,
    pub site: String,
    /// Empty for the order of several forms.
    pub form: String,
    pub values: Vec<ChosenValue>,
    pub button: String,
    /// The times that it was chosen so; of an order, the days.
    pub times: u32,
    /// The latest uses of the form, or visits of the site, that were looked at.
    pub of: u32,
    #[ts(type = "string")]
    pub last: Moment,
}

/// A preference that the user keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Preference {
    pub memory: MemoryId,
    pub site: String,
    pub form: String,
    pub values: Vec<ChosenValue>,
    pub button: String,
    #[ts(type = "string")]
    pub time: Moment,
}
