//! The requests to a running Shidi and their replies.
//!
//! A request is followed by a stream of replies. The last one is exactly one of [`Reply::Ended`] (for work that
//! streams), a direct answer, or [`Reply::Failed`]. Callers send a request's own type and get its reply's
//! ([`TypedRequest`]); the enums are what crosses the wire.

mod earlier;
mod reply;
mod request;
#[cfg(test)]
mod tests;
mod typed;
#[cfg(test)]
mod windows;

pub use earlier::read_request;
pub use reply::{Check, Reply, reply as replies_by_name};
pub use request::{DesktopSignal, Request, own};
pub use typed::{TypedReply, TypedRequest, reply_to};
