//! The toolkits that live in the store, for programs of a conversation and of `shidi exec` alike. `results` is here; the
//! features have `memory` and `knowledge`.

use crate::limits::{EXCERPTS_MAX, RESULT_LINES_DEFAULT, RESULT_LINES_MAX};
use crate::space::Space;
use crate::storage;
use serde_json::{Value, json};
use shidi_embedding::Embeddings;
use shidi_memory::MemoryTools;
use shidi_protocol::{Call, CallOutcome, SessionId};
use shidi_store::{Excerpt, StoreError};
use std::sync::Arc;

/// The store as one program may use it.
pub struct StoreTools<'a> {
    pub embeddings: &'a Arc<Embeddings>,
    /// The session whose results can be read and whose own words are no news to it.
    pub session: Option<&'a SessionId>,
    /// Whose program it is; `None` for the usual one.
    pub assistant: Option<&'a str>,
    /// Whether the run has read something that the user did not write.
    pub tainted: bool,
}

impl StoreTools<'_> {
    fn space(&self) -> &Space {
        self.embeddings.space()
    }

    fn memory(&self) -> MemoryTools<'_> {
        MemoryTools {
            embeddings: self.embeddings,
            session: self.session,
            assistant: self.assistant,
            tainted: self.tainted,
        }
    }

    /// Performs a call of these toolkits; `None` for any other.
    pub fn perform(&self, call: &Call) -> Option<CallOutcome> {
        let performed = match (call.toolkit.as_str(), call.method.as_str()) {
            ("results", "find") => self.find(call),
            ("results", "read") => self.read(call),
            ("memory", _) => return self.memory().perform(call),
            _ => return shidi_knowledge::called(self.embeddings, call, self.assistant),
        };
        Some(performed.unwrap_or_else(|cause| {
            CallOutcome::failure(
                "OSError",
                storage::explain(&cause, self.space().language()).message,
            )
        }))
    }

    fn find(&self, call: &Call) -> Result<CallOutcome, StoreError> {
        let handle = call.text("handle");
        let Some(session) = self.session else {
            return Ok(no_result(handle));
        };
        let excerpts = self
            .space()
            .store
            .find(session, handle, call.text("text"), EXCERPTS_MAX)?;
        let Some(excerpts) = excerpts else {
            return Ok(no_result(handle));
        };
        Ok(found(excerpts))
    }

    fn read(&self, call: &Call) -> Result<CallOutcome, StoreError> {
        let handle = call.text("handle");
        let result = match self.session {
            Some(session) => self.space().store.result(session, handle)?,
            None => None,
        };
        let Some(result) = result else {
            return Ok(no_result(handle));
        };
        let offset = usize::try_from(call.number("offset_line", 1).max(1) - 1).unwrap_or(usize::MAX);
        let limit =
            usize::try_from(call.number("limit_lines", RESULT_LINES_DEFAULT)).unwrap_or(RESULT_LINES_MAX);
        let lines: Vec<&str> = result
            .text
            .lines()
            .skip(offset)
            .take(limit.min(RESULT_LINES_MAX))
            .collect();
        let summary = format!("{} lines", lines.len());
        let outcome = CallOutcome::success(json!(lines.join("\n")), summary);
        Ok(if result.tainted { outcome } else { outcome.own() })
    }
}

/// The result of a look-up.
pub fn found(excerpts: Vec<Excerpt>) -> CallOutcome {
    let lines = excerpts
        .into_iter()
        .map(|excerpt| json!({"line": excerpt.line, "text": excerpt.text}));
    let lines: Vec<Value> = lines.collect();
    let summary = format!("{} passages", lines.len());
    CallOutcome::success(Value::Array(lines), summary)
}

fn no_result(handle: &str) -> CallOutcome {
    CallOutcome::failure(
        "KeyError",
        format!("This session has no result with the handle \"{handle}\""),
    )
    .own()
}
