//! Traces (F12.1): what a run did, step by step, kept beside the record and never in its way.
//!
//! [`Tree`] watches a run's effects and makes steps of them (pure); [`Traces`] takes the steps on a thread of its own,
//! where secrets are taken out and the rest is written; `reading` answers those who look. A trace that can't be kept
//! is a pity, never a failure of the run.

mod bounded;
mod keeper;
mod names;
mod reading;
mod redaction;
mod tree;

pub use keeper::Traces;
pub use reading::{list, show, step, steps};
pub use tree::{ChatFacts, Tree};

use shidi_protocol::{JsonMap, ModelRequest, RunId, Span};
use std::sync::Arc;

/// A step on its way to the store: nothing in it is redacted yet.
#[derive(Debug, Clone)]
pub struct Draft {
    pub run: RunId,
    pub span: Span,
    /// Attributes that are read one step at a time.
    pub content: JsonMap,
    /// The question to a model, whose prompt is kept with the step.
    pub request: Option<Arc<ModelRequest>>,
}
