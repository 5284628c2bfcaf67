//! What programs may call: the built-in toolkits as the model sees them, and those tools that need only themselves.
//!
//! [`declared`] describes every toolkit; [`perform`] carries out `files.*`, `system.time`;
//! whatever needs a person, the store or the clock's patience is left to the runtime. [`class_of`] and [`reach`]
//! tell permissions how far a call would go. Nothing here decides whether a call is allowed, nothing waits, and
//! nothing reads without a bound.

mod abilities;
mod agents;
mod arguments;
mod attach;
mod attachments;
mod declare;
mod environment;
mod error;
mod files;
pub mod knowledge;
pub mod limits;
mod memory;
mod place;
mod results;
pub mod shell;
mod system;
mod text;
mod todo;
mod user;
mod walk;
mod withheld;

pub use attach::{Attached, Body, Excerpt, Picture, Tree, attach, excerpt, picture};
pub use attachments::{Document, Library, Part, PictureFacts, reader};
pub use environment::{Environment, Reach, class_of, placed, reach};
pub use error::ToolError;
pub use files::{Change, unified};
pub use place::leads_to;
pub use withheld::Withheld;

use shidi_protocol::{Call, CallOutcome, MethodSpec, ToolkitSpec};
use std::sync::LazyLock;

static DECLARED: LazyLock<Vec<ToolkitSpec>> = LazyLock::new(|| {
    vec![
        system::declaration(),
        user::declaration(),
        files::declaration(),
        shell::declaration(),
        results::declaration(),
        memory::declaration(),
        knowledge::declaration(),
        todo::declaration(),
        agents::declaration(),
        abilities::declaration(),
    ]
});

/// Describes the built-in toolkits, in the order in which the model reads them.
#[must_use]
pub fn declared() -> Vec<ToolkitSpec> {
    DECLARED.clone()
}

/// Does what the program was started for as a child of itself: reading a document, supervising a job. `None` when it was
/// started for none of it. To be called before anything else in `main`.
#[must_use]
pub fn work_as_child() -> Option<std::process::ExitCode> {
    reader::run_if_asked().or_else(shell::supervise_if_asked)
}

/// Carries out a call that needs nothing but this crate; `None` leaves it to the runtime.
#[must_use]
pub fn perform(call: &Call, environment: &Environment) -> Option<CallOutcome> {
    let method = declared_method(call)?;
    let outcome = match call.toolkit.as_str() {
        "files" => files::perform(call, method, environment),
        "system" => system::perform(call, method, environment)?,
        _ => return None,
    };
    Some(outcome.unwrap_or_else(|error| error.outcome()))
}

/// Every built-in toolkit, built once.
fn all() -> &'static [ToolkitSpec] {
    &DECLARED
}

/// The declaration of the tool that `call` names, if it is one of ours.
fn declared_method(call: &Call) -> Option<&'static MethodSpec> {
    all()
        .iter()
        .find(|toolkit| toolkit.name == call.toolkit)?
        .method(&call.method)
}

#[cfg(test)]
mod tests;
