//! Rows of programs for this crate's tests.

use serde_json::Value;
use shidi_protocol::{Moment, RunId, RunStatus, SessionId, Usage};
use shidi_store::{RunState, Write};

/// A program that a step has begun, with the state that its run kept.
pub(crate) fn program(run: &str, session: &SessionId, status: Option<RunStatus>, state: Value) -> Write {
    Write::PutRun(Box::new(RunState {
        run: RunId::from(run.to_owned()),
        session: session.clone(),
        parent: None,
        status,
        state,
        question: String::new(),
        usage: Usage::default(),
        offline: false,
        waiting: Vec::new(),
        started: Moment(1),
        ended: None,
        reason: None,
        error: None,
        seq: 0,
        build: String::new(),
    }))
}
