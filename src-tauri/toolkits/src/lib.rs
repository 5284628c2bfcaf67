//! The built-in toolkits as the model sees them, and the tools that need only this crate.
//!
//! [`declared`] describes every toolkit. [`perform`] carries out `files.*` and `system.time`; [`shell`] runs
//! commands in a sandbox. The mind and the runtime perform the other calls. [`class_of`] and [`reach`] tell
//! permissions how far a call would go. Nothing here decides whether a call is allowed, and nothing reads
//! without a bound.

mod agents;
mod arguments;
mod attach;
mod attachments;
mod change_record;
pub mod clipboard;
pub mod code;
mod declare;
mod denied_paths;
mod descriptors;
mod environment;
mod error;
mod files;
mod identity;
pub mod knowledge;
pub mod limits;
mod memory;
mod reach;
mod regular_file;
mod results;
mod safe_path;
pub mod schedule;
pub mod screen;
pub mod shell;
pub mod skills;
mod system;
mod text;
mod todo;
mod tool_index;
mod trash;
mod tree;
mod user;
mod walk;
pub mod web;

pub use attach::{Attached, Body, Excerpt, Picture, Tree, attach, excerpt, picture};
pub use attachments::{Document, Library, Part, PictureFacts, confine as confine_reader, reader};
pub use change_record::{Change, ChangeRecord};
pub use denied_paths::DeniedPaths;
pub use environment::{Cancellation, Environment, Reach};
pub use error::ToolError;
pub use files::{NAME as FILES, PRODUCING, unified};
pub use reach::{class_of, placed, reach};
pub use safe_path::leads_to;
pub use trash::trash_folder;

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
        code::declaration(),
        web::declaration(),
        screen::declaration(),
        clipboard::declaration(),
        schedule::declaration(),
        skills::declaration(),
        todo::declaration(),
        agents::declaration(),
        tool_index::declaration(),
    ]
});

/// Describes the built-in toolkits, in the order in which the model reads them.
#[must_use]
pub fn declared() -> Vec<ToolkitSpec> {
    DECLARED.clone()
}

/// Works as a child of this program, if the program was started as one: supervises a job. `None` otherwise. First closes inherited descriptors for later children. Must be called before anything else
/// in `main`. `way_out` serves the connections of a job that may reach a host.
#[must_use]
pub fn work_as_child(
    way_out: impl Fn(&shell::Job) -> Box<dyn shell::WayOut>,
) -> Option<std::process::ExitCode> {
    descriptors::close_for_children();
    shell::supervise_if_asked(way_out)
}

/// Carries out a call that needs nothing but this crate; `None` leaves the call to the runtime.
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

/// The declaration of the tool that `call` names; `None` for tools of others.
fn declared_method(call: &Call) -> Option<&'static MethodSpec> {
    all()
        .iter()
        .find(|toolkit| toolkit.name == call.toolkit)?
        .method(&call.method)
}

#[cfg(test)]
mod tests;
