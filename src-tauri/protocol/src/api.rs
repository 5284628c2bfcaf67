//! The requests to a running Shidi and their replies.
//!
//! A request is followed by a stream of replies. The last one is exactly one of [`Reply::Ended`] (for work that
//! streams), a direct answer, or [`Reply::Failed`].

mod reply;
mod request;

pub use reply::{Check, Reply};
pub use request::{DesktopSignal, Request};
