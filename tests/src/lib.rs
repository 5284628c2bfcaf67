//! Support for the tests.

pub mod command;
#[path = "../desktop/eyes.rs"]
pub mod eyes;
pub mod model_server;
#[path = "../desktop/program.rs"]
pub mod program;
