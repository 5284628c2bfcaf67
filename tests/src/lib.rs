//! Support for the tests.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

pub mod browser;
pub mod clipboard;
pub mod command;
pub mod display;
pub mod git_server;
pub mod gtk_window;
pub mod line_peer;
pub mod model_server;
pub mod papers;
pub mod patience;
#[path = "../desktop/program.rs"]
pub mod program;
pub mod qdrant_server;
#[path = "../desktop/screen.rs"]
pub mod screen;
pub mod search_server;
pub mod soak;
pub mod web_server;
pub mod wire;

use std::path::PathBuf;

/// This package's folder as it is now: what is built stays behind in a target folder that another checkout may use.
#[must_use]
pub fn folder() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}
