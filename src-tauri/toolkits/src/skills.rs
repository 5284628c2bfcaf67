//! `skills`: guides for tasks, loaded when one fits. The feature of skills performs the calls; the mind puts what is
//! loaded into the conversation.

use crate::arguments::Arguments;
use crate::declare::{method, required, toolkit};
use shidi_protocol::{Call, CallOutcome, Class, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "skills";
/// The methods.
pub const LOAD: &str = "load";
pub const READ: &str = "read";
/// The arguments.
pub const NAME_OF: &str = "name";
pub const PATH: &str = "path";
/// The source of a piece of context that is a skill.
pub const NAME_OF_PIECE: &str = "skill";

pub(crate) fn declaration() -> ToolkitSpec {
    let name = || required(NAME_OF, ParameterKind::Text, "as it is listed");
    let load = method(
        LOAD,
        Class::Read,
        vec![name()],
        "dict",
        "Loads a skill: its text then stands as [Context]. .data is {name, files: list[str]}.",
    );
    let read = method(
        READ,
        Class::Read,
        vec![name(), required(PATH, ParameterKind::Text, "one of its files")],
        "str",
        "Reads a file beside a skill. .data is the text.",
    );
    toolkit(NAME, "Guides for tasks.", vec![load, read])
}

/// Checks the arguments of a call.
///
/// # Errors
/// What the program is told of wrong arguments.
pub fn check(call: &Call) -> Result<(), Box<CallOutcome>> {
    let Some(method) = crate::declared_method(call) else {
        let missing = CallOutcome::failure("AttributeError", format!("There is no {}", call.tool()));
        return Err(Box::new(missing.own()));
    };
    let checked = Arguments::of(call, method).map(|_| ());
    checked.map_err(|error| Box::new(error.outcome().own()))
}
