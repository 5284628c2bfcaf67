//! The promises of the executor, kept against the real worker.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod calls;
mod common;
mod facts;
mod human_eval;
mod language;
mod limits;
mod modules;
mod programs;
mod sandbox;
mod stored;
