//! A sensor of pages, windows or pictures, as the settings and the doctor show it (F2.1).

use crate::{ContentSource, Moment};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What one sensor can do in this session, and when it last did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SensorView {
    pub source: ContentSource,
    /// The setting that switches it.
    pub setting: String,
    pub on: bool,
    /// What keeps it from reading here, in words; told only of a sensor that is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub missing: Option<String>,
    /// What to do about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub remedy: Option<String>,
    /// When it last read something, since the program began.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub seen: Option<Moment>,
}
