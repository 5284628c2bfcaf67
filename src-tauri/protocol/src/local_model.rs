//! The model file on this computer, as windows and `shidi model file` show it.

use crate::UserError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the server of the model file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum LocalModelPhase {
    /// No server runs: it starts when the model is asked.
    #[default]
    Asleep,
    /// The model is loaded from its file.
    Loading,
    Ready,
    /// It could not be started, or it ended by itself.
    Failed,
}

/// The model file, the program that serves it, and how they stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalModelView {
    /// Whether it is the model that answers.
    pub is_used: bool,
    pub phase: LocalModelPhase,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub file: Option<ModelFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub program: Option<ServerProgram>,
    /// Tokens of context that it has, or would be started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub threads: Option<u32>,
    /// Memory that it takes, about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub needs_bytes: Option<u64>,
    /// How long it was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub load_ms: Option<u32>,
    /// Thousandths of a token each second, as the server measured the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub speed: Option<u64>,
    /// What is missing, or how it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<UserError>,
}

/// A model file, as its header says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelFile {
    /// The name under which it answers: of its file.
    pub name: String,
    pub path: String,
    /// The name that its makers gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    pub architecture: String,
    /// Such as `Q4_K_M`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quantisation: Option<String>,
    #[ts(type = "number")]
    pub bytes: u64,
    #[ts(type = "number")]
    pub parameters: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trained_context: Option<u32>,
    pub has_template: bool,
}

/// The program that serves model files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServerProgram {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<String>,
}

/// What can be downloaded to this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelCatalogue {
    /// From small to large.
    pub models: Vec<CatalogueEntry>,
    /// The program that serves them, where there is a build for this system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub engine: Option<CatalogueEntry>,
    /// Names of what was downloaded and is listed no longer: it can still be removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub earlier: Vec<String>,
    /// The folder that models go to.
    pub folder: String,
    /// Memory that is free, as far as the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub memory_bytes: Option<u64>,
    /// What is wrong with the user's own list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<UserError>,
}

/// One file of the web, known by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CatalogueEntry {
    pub id: String,
    pub title: String,
    pub file: String,
    pub maker: String,
    /// As SPDX names it.
    pub licence: String,
    /// Where people read about it.
    pub page: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// Memory that a model takes, about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub needs_bytes: Option<u64>,
    /// Whether that much is free.
    pub fits: bool,
    /// Whether it is the largest that fits. Where nobody knows what is free, none is.
    pub is_best: bool,
    /// Bytes that are free once it is removed; nothing where it was not downloaded by Shidi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub frees_bytes: Option<u64>,
    pub state: DownloadState,
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "is", rename_all = "snake_case")]
#[ts(export)]
pub enum DownloadState {
    Absent,
    /// It was stopped, or the program ended.
    Partly {
        #[ts(type = "number")]
        done: u64,
    },
    Coming {
        #[ts(type = "number")]
        done: u64,
    },
    /// What is there is compared with its digest, or unpacked.
    Checking,
    Here {
        path: String,
    },
    Failed {
        error: UserError,
    },
}
