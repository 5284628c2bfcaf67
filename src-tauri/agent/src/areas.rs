//! The five areas (F3) and the modules beside them, with the [`Step`] that each returns.
//!
//! `perception`, `cognition`, `motor`, `expression` and `evaluation` are the areas. `calls`, `compaction`,
//! `fast_model`, `job_events` and `stopping` each do one job that belongs to no single area. A function takes
//! the context and an input and returns its effects or a [`Step`]. `mind/transitions.rs` alone joins areas:
//! no area knows another.

pub mod calls;
pub mod cognition;
pub mod compaction;
pub mod evaluation;
pub mod expression;
pub mod fast_model;
pub mod job_events;
pub mod motor;
pub mod perception;
pub mod stopping;

use crate::effect::Effect;
use shidi_protocol::{Finish, UserError};

/// The effects that an area wants performed, and the step that follows.
#[derive(Debug)]
pub struct Step {
    pub effects: Vec<Effect>,
    pub next: Next,
}

/// The step that follows another. Only the mind knows which area takes a step up.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Nothing follows by itself: something is under way, or the run is over.
    Wait,
    /// The fast model may tell the meaning of the user's words.
    Understand,
    /// The model is asked for its next action, after making room where the prompt needs room.
    Think,
    /// The model is asked for its next action; the prompt has room.
    Ask,
    /// The model is asked for the middle of a program.
    Draft,
    /// A program of the model runs.
    Run { program: String },
    /// A program of the model stays unrun, and a bound ends the run.
    Shelve { program: String },
    /// Another round begins.
    Round,
    /// The user sees the model's answer.
    Express { text: String, finish: Finish },
    /// Local rules judge an answer.
    Judge { answer: String },
    /// The fast model may judge an answer.
    Check { answer: String },
    /// A judged answer is final, unless the user has said more.
    Conclude { answer: String },
    /// The model sees no way.
    Surrender { reasons: String },
    /// A bound of the task is reached.
    Bound,
    /// The run can't go on; its standing answer, if there is one, is given.
    Break(Ending),
    /// The run ends.
    End(Ending),
    /// The model or program that was to be stopped has ended.
    Stopped,
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// With an answer, or with nothing to answer.
    Completed {
        answer: Option<String>,
    },
    GaveUp {
        reasons: String,
    },
    Cancelled,
    Failed {
        error: Box<UserError>,
    },
}

impl Next {
    /// The run ends with an answer.
    pub fn complete(answer: String) -> Self {
        Self::End(Ending::Completed { answer: Some(answer) })
    }
}

impl Ending {
    pub fn failed(error: UserError) -> Self {
        Self::Failed {
            error: Box::new(error),
        }
    }
}

impl Step {
    pub fn new(effects: Vec<Effect>, next: Next) -> Self {
        Self { effects, next }
    }

    /// This step, with the effects in `before` ahead of its own.
    #[must_use]
    pub fn after(self, mut before: Vec<Effect>) -> Self {
        before.extend(self.effects);
        Self::new(before, self.next)
    }
}

/// Effects after which nothing follows by itself.
impl From<Vec<Effect>> for Step {
    fn from(effects: Vec<Effect>) -> Self {
        Self::new(effects, Next::Wait)
    }
}

/// A step that has no effects of its own.
impl From<Next> for Step {
    fn from(next: Next) -> Self {
        Self::new(Vec::new(), next)
    }
}
