//! The mind: events in, effects out. No IO, no clock, no randomness, no async.
//!
//! Read [`Mind`] first: it takes an [`Event`] with its time and returns the [`Effect`]s that the runtime performs,
//! in order. The logic lies in five areas of one shape (`areas/`): perception takes what comes from outside,
//! cognition does one round of the coding loop, motor does many, expression says what is said, evaluation judges.
//! `formats/` are the ways in which a model may write an action, `prompt/` builds what it is asked,
//! `permissions/` decides what a program may do, `limits.rs` holds every bound of the product.

pub mod abilities;
mod areas;
mod asking;
pub mod cards;
mod compaction;
mod effect;
mod event;
pub mod foreign;
pub mod formats;
pub mod learning;
pub mod limits;
mod literal;
pub mod look_up;
mod mind;
mod origins;
pub mod permissions;
mod prompt;
pub mod recalling;
mod results;
mod situation;
mod state;
pub mod taught;

pub use areas::expression::model_error;
pub use areas::stopping::{SEGMENT as STOPPED_SEGMENT, stopped_program};
pub use effect::{Effect, Record};
pub use event::{Arrival, Event, Finding, Notice, ProgramEnd, Surroundings};
pub use literal::literal;
pub use mind::{Mind, Past};
pub use prompt::OwnModules;
pub use prompt::tokens::estimate as estimate_tokens;
pub use situation::{Decided, Settings, Situation};
pub use state::{Phase, RunState, Setting};
