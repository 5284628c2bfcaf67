//! The store as its callers see it: through its public functions, on real files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails like a test"
)]

mod choosing;
mod composing;
mod counting;
#[cfg(unix)]
mod disk;
mod erasing;
mod evicting;
mod fixture;
mod guessing;
mod in_memory;
mod keeping;
mod killing;
mod knowing;
mod learning;
mod limiting;
mod looking;
mod opening;
mod operations;
mod partial;
mod placing;
#[cfg(unix)]
mod power;
mod property;
mod ranking;
mod reading;
mod recalling;
mod remembering;
mod rescuing;
mod scheduling;
mod scoping;
mod searching;
mod taught;
mod traces;
mod troubles;
mod versions;
mod visiting;
mod workflows;
mod writing;
