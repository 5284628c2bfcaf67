//! An error for the user: what broke, and what to do about it.

mod earlier;

use crate::{FailureKind, Worded};
use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// Programs match on this code, never on text. A variant exists only where a consumer acts on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ErrorCode {
    /// Wrong usage or bad input: exit code 2.
    Input,
    /// The task failed: exit code 1.
    Task,
    /// No model could be reached: exit code 4.
    Model,
    /// The key is missing or was rejected: exit code 4, the panel offers to replace it.
    Key,
    /// The encrypted file of keys waits for its passphrase, or must be created first: exit code 4. A surface
    /// that can ask does.
    KeysLocked,
    /// Storage failed: exit code 5.
    Storage,
    /// The stored data were written by a newer version: exit code 5.
    NewerData,
    /// The system lacks a keychain, a display or the worker.
    System,
    /// Nothing has that id.
    NotFound,
    Cancelled,
    /// Our own mistake.
    Internal,
}

impl ErrorCode {
    /// The exit code of the command line (`CLI.md`).
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Task | Self::System | Self::Internal => 1,
            Self::Input | Self::NotFound => 2,
            Self::Model | Self::Key | Self::KeysLocked => 4,
            Self::Storage | Self::NewerData => 5,
            Self::Cancelled => 130,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UserError {
    pub code: ErrorCode,
    /// What broke: one sentence, capital first, no final period.
    pub message: String,
    /// The remedy, worded for a terminal.
    pub hint: Option<String>,
    /// Set when a model failed: windows word the failure themselves, and offer their own remedies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub model: Option<Box<ModelTrouble>>,
}

/// Why a model gave no answer, split into parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct ModelTrouble {
    pub kind: FailureKind,
    /// The provider's name as written in commands.
    pub provider: String,
    /// The provider's name as its makers write it, or the address of a server of the user's own.
    pub title: String,
    /// The provider's words, or a sentence of ours; may be empty.
    pub detail: Worded,
}

impl UserError {
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            model: None,
        }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn of_model(mut self, model: ModelTrouble) -> Self {
        self.model = Some(Box::new(model));
        self
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UserError {}
