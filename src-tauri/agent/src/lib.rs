//! The mind: events in, effects out. No IO, no clock, no randomness, no async.
//!
//! Read [`Mind`] first: it takes an [`Event`] with its time and returns the [`Effect`]s that the runtime
//! performs, in order. The five areas in `areas/` hold the logic. Perception takes the user's words and their
//! context; cognition does one round of the coding loop, motor does many. Expression speaks to the user,
//! evaluation judges answers. Modules beside them have calls, compaction, the fast model, jobs and stopping.
//! `mind/transitions.rs` joins them all. `formats/` are the ways in which a model may write an action; `prompt/` builds
//! the model's requests. `permissions/` decides on a program's calls; `limits.rs` holds every bound of the
//! mind.

pub mod addresses;
mod areas;
mod bounds;
pub mod cards;
pub mod common_mistakes;
mod compaction;
mod effect;
mod event;
mod failures;
pub mod foreign;
pub mod formats;
mod forms;
pub mod hosts;
pub mod learning_prompt;
pub mod lessons;
mod letters;
pub mod limits;
mod literal;
pub mod memory_injection;
mod mind;
pub mod model_calls;
mod parameters;
pub mod passages;
pub mod permissions;
mod persona;
pub mod program_inputs;
mod prompt;
mod prompt_templates;
pub mod proposals;
mod provenance;
pub mod rendering;
pub mod result_lookup;
mod results;
mod run_context;
pub mod server_questions;
mod skills;
mod state;
mod stubs;
mod subject;
pub mod suggestion;
mod todo;
pub mod tool_index;

pub use areas::perception::{language as language_of, title};
pub use areas::stopping::stopped_program;
pub use effect::{Effect, Record};
pub use event::{Decided, Event, Finding, Notice, ProgramEnd, UserInput};
pub use failures::model_error;
pub use literal::literal;
pub use mind::{Mind, Past};
pub use parameters::asked_toolkits;
pub use persona::Persona;
pub use prompt::{measured_prompt, part_standing};
pub use prompt_templates::OwnModules;
pub use run_context::{RunContext, Settings};
pub use shidi_protocol::tokens::estimate as estimate_tokens;
pub use state::{Phase, RunState, Setting};
