//! Support for the tests.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

pub mod command;
#[path = "../desktop/eyes.rs"]
pub mod eyes;
pub mod model_server;
pub mod papers;
#[path = "../desktop/program.rs"]
pub mod program;
