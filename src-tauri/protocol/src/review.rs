//! The finds of a review of a stranger's words, for the person who decides on them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something in a text that its reader should know of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReviewFinding {
    pub file: String,
    pub line: u32,
    /// What it is, in the user's language.
    pub what: String,
    /// The line, with unseen characters written out.
    pub excerpt: String,
}
