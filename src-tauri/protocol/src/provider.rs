//! Providers, their models, prices and spending: the types of the model picker and of `shidi model`.
//!
//! Facts for display. No key is ever in them, only its place and its last characters.

use crate::{ModelRole, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A provider that Shidi knows by name, whether or not it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Provider {
    /// The name in `--provider` and `shidi key set`.
    pub id: String,
    /// The name as its makers write it.
    pub name: String,
    pub url: String,
    /// Whether the server runs on the user's own machine.
    pub local: bool,
    pub needs_key: bool,
    pub key: KeyStatus,
    /// The page where the provider gives out keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key_page: Option<String>,
    /// The default model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub default_model: Option<String>,
}

/// A provider's key: where it is kept, and its last characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeyStatus {
    pub provider: String,
    /// `keychain`, `file`, `environment`, `unknown` (the keychain or the file can't be read), or `none`.
    pub kept: String,
    /// The last four characters of the key.
    pub tail: Option<String>,
}

/// The place where this user's keys are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum KeyKeeper {
    Keychain,
    /// There is no keychain; the encrypted file is open.
    File,
    /// There is no keychain; the encrypted file waits for its passphrase (`Request::KeysUnlock`).
    LockedFile,
    /// There is neither; `Request::KeysUnlock` creates the file.
    Nobody,
}

/// A model that a provider offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ModelEntry {
    pub provider: String,
    pub id: String,
    /// Whether the model sees images, as far as is known.
    pub vision: bool,
    /// Whether the model makes native tool calls, as far as is known.
    pub tools: bool,
    /// The window in tokens, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub window: Option<u32>,
    /// The best action format of the model: `fenced` or `tool`.
    pub format: String,
    /// The price in US dollars per million tokens; an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub input_price: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub output_price: Option<f64>,
}

/// A model server that was found running on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LocalServer {
    pub provider: String,
    /// The server's name as its makers write it.
    pub name: String,
    pub url: String,
    pub models: Vec<String>,
}

/// The usage of one model in one role on one day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Spent {
    pub provider: String,
    pub model: String,
    pub role: ModelRole,
    pub usage: Usage,
}

/// The spending of one day of the user's calendar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DaySpending {
    /// `2026-11-21`.
    pub day: String,
    pub spent: Vec<Spent>,
}
