//! Workflows: read from YAML, checked as a whole, and carried out as a state machine (F9.5).
//!
//! Nothing here reads a file, knows the time, asks a model or calls a tool. A file's text becomes a [`Workflow`] or a list of
//! [`Fault`]s with their lines. A [`Run`] takes events and says what is to be done; its state can be written after each event.

mod condition;
mod definition;
mod engine;
mod event;
mod failure;
mod first_case;
mod from_run;
mod import;
mod limits;
mod plan;
mod problem;
mod reading;
mod run;
mod samples;
mod template;
mod time;
mod validation;
mod value_type;
mod words;
mod writing;

pub use condition::Condition;
pub use definition::{
    Action, Arm, Binding, Block, BlockId, Call, Named, OnError, Output, Over, Parameter, Retry, Role,
    STEP_TYPES, StepDefinition, VERSION, Wait, Workflow,
};
pub use event::{AttemptId, Decision, Effect, Event, Happened, Next, Record, Turn, Verdict, What, Work};
pub use failure::Failure;
pub use first_case::{FirstCase, case_of};
pub use from_run::{FinishedRun, from_run, inputs_of, name_of};
pub use import::{Imported, Source, import};
pub use limits::{FILE_BYTES_MAX, KEPT_BYTES_MAX, ROUNDS_MAX};
pub use plan::in_a_line;
pub use problem::{Fault, Problem};
pub use reading::{ACTION_KEYS, COMMON, HEAD, read};
pub use run::{FORMAT, GivenFault, Mode, Run, Status, Unsettled};
pub use samples::{FUNCTIONS, KNOWLEDGE_QUERY, SAMPLES, SCHEMA, Sample, plugin_with, samples};
pub use shidi_yaml::{Place, nearest, nearest_few};
pub use template::Template;
pub use value_type::ValueType;
pub use writing::{document, text};

#[cfg(test)]
mod tests;
