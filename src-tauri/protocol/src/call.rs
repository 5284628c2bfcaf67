//! A call from code to a toolkit, and its outcome.

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
    /// The places to which path arguments lead, by the argument's name, left-out arguments included. Places are
    /// absolute with all links followed. Rules look at the place, however the program spelled the path.
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

    /// The text of an argument; empty where that is left out or is no text.
    #[must_use]
    pub fn text(&self, argument: &str) -> &str {
        self.args
            .get(argument)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The whole number of an argument; `otherwise` where that is left out or is none.
    #[must_use]
    pub fn number(&self, argument: &str, otherwise: u64) -> u64 {
        self.args
            .get(argument)
            .and_then(Value::as_u64)
            .unwrap_or(otherwise)
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
    /// Whether the outcome (a result, an error or a name) may hold another author's text than the user's (DESIGN
    /// §8). The outcome counts as such until its performer marks it as [`own`](CallOutcome::own).
    pub untrusted: bool,
    /// Pictures that came with the result: paths of files that are kept with the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub pictures: Vec<String>,
    /// Other files that came with the result, sounds among them: paths like those of the pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub files: Vec<String>,
}

impl CallOutcome {
    /// A success that counts as foreign until its performer marks it as own.
    #[must_use]
    pub fn success(data: Value, summary: impl Into<String>) -> Self {
        Self {
            data,
            error: None,
            summary: summary.into(),
            untrusted: true,
            pictures: Vec::new(),
            files: Vec::new(),
        }
    }

    /// A failure that the program can catch as the Python exception `kind`. Errors quote unreadable input, so a
    /// failure counts as foreign too.
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
            pictures: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The same outcome, marked as holding only words of ours, of the user and of the calling program.
    #[must_use]
    pub fn own(mut self) -> Self {
        self.untrusted = false;
        self
    }

    /// The same outcome, marked as foreign whatever its performer says.
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

/// The state of a recorded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum CallState {
    /// The call waits for the user's approval.
    Approval,
    /// The call waits for the user's answer.
    Question,
    /// The call is about to be performed, or was when the process ended. A side effect in this state after a
    /// restart is shown to the user and never silently repeated.
    Intended,
    /// The call was performed; the outcome is recorded.
    Done,
    /// The user or a rule refused the call.
    Refused,
}

/// A call with all its facts: one row of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallRecord {
    pub run: RunId,
    pub call: Call,
    pub class: Class,
    pub state: CallState,
    /// Why the call was allowed, asked about or refused: the ground of the table or rule first, then the user's.
    #[serde(default)]
    pub grounds: Vec<Ground>,
    pub outcome: Option<CallOutcome>,
    /// Position in the order in which the program got its results, from 1; a replay follows this order.
    pub answered: Option<u32>,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
}

impl CallRecord {
    /// Whether the call's result holds text that the user did not write.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.untrusted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_argument_of_another_kind_counts_as_left_out() {
        let args = [("path".to_owned(), json!("a.md")), ("limit".to_owned(), json!(3))];
        let call = Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: "files".to_owned(),
            method: "read".to_owned(),
            args: args.into_iter().collect(),
            line: 1,
            places: BTreeMap::new(),
        };
        assert_eq!(
            (call.text("path"), call.text("limit"), call.text("other")),
            ("a.md", "", "")
        );
        let numbers = ["limit", "path", "other"].map(|name| call.number(name, 7));
        assert_eq!(numbers, [3, 7, 7]);
    }
}
