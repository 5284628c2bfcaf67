//! `clipboard`: what the user copied last, and a text in its place. Offered where the user switched it on; the runtime
//! performs it.

use crate::arguments::Arguments;
use crate::declare::{idempotent, method, required, toolkit};
use crate::limits::CLIPBOARD_CHARACTERS_MAX;
use shidi_protocol::{Call, CallOutcome, Class, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "clipboard";
/// The methods.
pub const READ: &str = "read";
pub const WRITE: &str = "write";
/// The text that is put there.
pub const TEXT: &str = "text";

pub(crate) fn declaration() -> ToolkitSpec {
    let doc = "Reads what the user copied last. .data is {text, app, cut: bool}.";
    let read = method(READ, Class::Read, Vec::new(), "dict", doc);
    let text = vec![required(TEXT, ParameterKind::Text, "what is to be pasted")];
    let doc = "Puts a text on the clipboard, in place of what the user copied. .data is the number of its characters.";
    // Other programs paste it, in no granted folder.
    let write = idempotent(method(WRITE, Class::WriteOutside, text, "int", doc));
    toolkit(NAME, "The user's clipboard.", vec![read, write])
}

/// Checks the arguments of a call before anything is read or written.
///
/// # Errors
/// What the program is told of wrong arguments.
pub fn check(call: &Call) -> Result<(), Box<CallOutcome>> {
    let Some(method) = crate::declared_method(call) else {
        return Ok(());
    };
    let arguments = Arguments::of(call, method).map_err(|error| Box::new(error.outcome().own()))?;
    let is_short = arguments.text(TEXT).chars().count() <= CLIPBOARD_CHARACTERS_MAX;
    is_short.then_some(()).ok_or_else(|| {
        let message =
            format!("The clipboard takes at most {CLIPBOARD_CHARACTERS_MAX} characters: write a file");
        Box::new(CallOutcome::failure("ValueError", message).own())
    })
}
