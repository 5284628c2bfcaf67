//! Suites of tasks: read, judged, compared, reported (F12.3).
//!
//! Nothing here asks a model, runs a program or knows a run. The caller that tries a task hands over the [`Trial`] that
//! the task left. Checks that need a program or a model say what they need ([`Settled`]), and are told what came of it.

mod checks;
mod comparison;
mod earlier;
mod files;
mod form;
mod kept;
mod limits;
mod numbers;
mod other_agents;
mod outcome;
mod prose;
mod report;
mod statistics;
mod suite;
mod trial;

pub use checks::{Finding, Settled, finding_of_model, finding_of_program, settle};
pub use comparison::{Comparison, Group, SideSummary, Summary, compare, groups, summarise};
pub use earlier::EarlierResults;
pub use kept::{AttemptStore, key};
pub use limits::{
    ANSWERED_MAX, FILE_BYTES_MAX, KEPT_BYTES_MAX, KEPT_FILE_BYTES_MAX, KEPT_FILES_MAX, PARALLEL_DEFAULT,
    PARALLEL_MAX, PROGRAM_SECONDS, REPEAT_MAX, STEPS_MAX, TEXT_CHARACTERS_MAX, TURN_SECONDS,
    TURN_SECONDS_MAX,
};
pub use other_agents::{ForeignAttempt, ForeignAttempts, foreign_attempts};
pub use outcome::{CheckOutcome, Outcome, Side, Verdict, score, suffice, verdict};
pub use report::{html, junit};
pub use suite::{
    Assertion, AssertionSet, BUILT_IN, Case, Check, Content, Exchange, Kind, Options, Page, Setup, Suite,
    load, read, sides_of_models,
};
pub use trial::{Bytes, Trial, TrialCall, TrialProgram, TrialSegment, TrialVariable};
