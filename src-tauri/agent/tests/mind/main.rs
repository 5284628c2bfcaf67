//! Events in, effects out: the mind's promises, one sentence a test, by area.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops where it fails"
)]

mod answers;
mod asked_tools;
mod asking;
mod bench;
mod bounds;
mod calls;
mod compaction;
mod corrections;
mod formats;
mod given;
mod grounds;
mod hosts;
mod news;
mod orders;
mod parameters;
mod passages;
mod repetition;
mod restarts;
mod roles;
mod rounds;
mod server_questions;
mod side_questions;
mod stopping;
mod subjects;
mod taint;
mod todo;
mod toolkits;
