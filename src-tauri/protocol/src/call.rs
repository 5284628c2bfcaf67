//! A call from code to a toolkit, and what came of it.

use crate::{CallId, Class, ExecId, Ground, JsonMap, Moment, RunId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use ts_rs::TS;

/// `toolkit.method(args)` as a program made it, arguments already mapped to their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Call {
    pub id: CallId,
    pub exec: ExecId,
    pub toolkit: String,
    pub method: String,
    #[ts(type = "Record<string, unknown>")]
    pub args: JsonMap,
    /// Line of the program, from 1.
    pub line: u32,
    /// Where arguments that name files or folders lead: absolute, all links followed, by the name of the argument, those
    /// left out included. Rules look at this, however the program spelled it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, String>>")]
    pub places: BTreeMap<String, String>,
}

impl Call {
    /// `toolkit.method`, as users and rules write it.
    #[must_use]
    pub fn tool(&self) -> String {
        format!("{}.{}", self.toolkit, self.method)
    }
}

/// Why a call did not succeed. `kind` is the Python exception the program sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallError {
    /// `ValueError`, `FileNotFoundError`, `PermissionError`, `TimeoutError`, `RuntimeError`, …
    pub kind: String,
    pub message: String,
}

/// The result of a call, wrapped alike for all toolkits (F5.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallOutcome {
    /// The value, or `null` when it failed.
    #[ts(type = "unknown")]
    pub data: Value,
    pub error: Option<CallError>,
    /// One line for people: `src/cart.rs · 212 lines`.
    pub summary: String,
    /// Whether it may hold text that the user did not write (DESIGN §8): a result, an error or a name. It is taken for
    /// such until whoever performed the call says that it is [`own`](CallOutcome::own).
    pub untrusted: bool,
}

impl CallOutcome {
    /// A success, of which nobody has said yet that a stranger has no word in it.
    #[must_use]
    pub fn success(data: Value, summary: impl Into<String>) -> Self {
        Self {
            data,
            error: None,
            summary: summary.into(),
            untrusted: true,
        }
    }

    /// A failure that the program can catch as the Python exception `kind`; errors quote what they could not read, so it
    /// is a stranger's as a success is.
    #[must_use]
    pub fn failure(kind: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            data: Value::Null,
            summary: message.clone(),
            error: Some(CallError {
                kind: kind.to_owned(),
                message,
            }),
            untrusted: true,
        }
    }

    /// The same outcome, known to hold nothing but words of ours, of the user, and of the program that called.
    #[must_use]
    pub fn own(mut self) -> Self {
        self.untrusted = false;
        self
    }

    /// The same outcome, whoever performed the call and whatever that one says of it.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    #[must_use]
    pub fn ok(&self) -> bool {
        self.error.is_none()
    }
}

/// How far a call has come, as recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallState {
    /// Waits for the user's approval.
    Approval,
    /// Waits for the user's answer.
    Question,
    /// Is about to be performed, or was when the program ended; a side effect in this state after a restart is
    /// shown to the user and never silently repeated.
    Intended,
    /// Was performed; the outcome is recorded.
    Done,
    /// Was refused by the user or by a rule.
    Refused,
}

/// A call with everything that is known of it: one row of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallRecord {
    pub run: RunId,
    pub call: Call,
    pub class: Class,
    pub state: CallState,
    /// Why it was let through, asked about or refused: what the table or a rule said, then what the user decided.
    #[serde(default)]
    pub grounds: Vec<Ground>,
    pub outcome: Option<CallOutcome>,
    /// Position in the order in which the program was given its results, from 1; replay follows it.
    pub answered: Option<u32>,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
}

impl CallRecord {
    /// Whether its result holds text that the user did not write.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.untrusted)
    }
}
