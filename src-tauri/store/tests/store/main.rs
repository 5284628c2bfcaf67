//! The store as its callers see it: through its public functions, on real files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of tests fails like a test"
)]

mod erasing;
mod evicting;
mod fixture;
mod killing;
mod knowing;
mod learning;
mod looking;
mod opening;
mod property;
mod ranking;
mod reading;
mod recalling;
mod remembering;
mod searching;
mod taught;
mod traces;
mod troubles;
mod writing;
