//! The companion: the extension in the user's browser, which tells of pages and performs what they offer (F11).
//!
//! Here is what both say to each other, and the small program between them: the browser starts it, speaks to it over
//! its own pipes, and it passes every message on to a socket that only this user can open. Who may say something, and
//! what becomes of it, is decided elsewhere. Whatever comes from a browser is bounded here before anybody sees it.

mod frames;
#[cfg(unix)]
mod host;
mod messages;

pub use frames::TO_BROWSER_BYTES_MAX;
#[cfg(unix)]
pub use host::carry;
pub use messages::{Heard, OfferedTool, OpenPage, Refusal, Told};

/// Under which name browsers know the program between them and us.
pub const HOST: &str = "com.shidi.companion";

/// The extension's id in Firefox, as its manifest says.
pub const FIREFOX_ID: &str = "companion@shidi.app";

/// Largest message of a browser in bytes: a result of a megabyte, escaped.
pub const MESSAGE_BYTES_MAX: usize = 4 << 20;
