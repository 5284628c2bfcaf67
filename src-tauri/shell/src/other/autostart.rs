//! Starting at login on macOS and Windows.

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "windows")]
mod windows;

#[cfg(target_os = "macos")]
pub use macos::{add, remove};
#[cfg(target_os = "windows")]
pub use windows::{add, remove};
