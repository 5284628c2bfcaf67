//! The companion: the extension in the user's browser, which reports pages and performs calls of their tools (F11).
//!
//! This file has the messages of both sides, and the small program between browser and Shidi. The browser
//! starts that program and speaks to it over pipes. The program passes every message on to a socket that only this
//! user can open. Permissions and effects are decided elsewhere. Every message from a browser is bounded here
//! first.

mod content;
mod form_use;
mod frames;
#[cfg(unix)]
mod host;
mod messages;
mod pdf;

pub use content::Pieces;
pub use form_use::UsedForm;
pub use frames::TO_BROWSER_BYTES_MAX;
#[cfg(unix)]
pub use host::carry;
pub use messages::{FromBrowser, OfferedTool, OpenPage, Refusal, ToBrowser, ToldPiece};
pub use pdf::PdfPieces;

/// The name under which browsers know the program between them and Shidi.
pub const HOST: &str = "com.shidi.companion";

/// The extension's id in Firefox, as its manifest says.
pub const FIREFOX_ID: &str = "companion@shidi.app";

/// Largest message of a browser in bytes: a result of a megabyte, escaped.
pub const MESSAGE_BYTES_MAX: usize = 4 << 20;
