//! `screen`: the windows of the desktop, the text of the one in front, and a picture of it. The runtime performs it, through
//! the senses' gate.

use crate::arguments::Arguments;
use crate::declare::{method, required, toolkit};
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "screen";
/// The methods.
pub const WINDOWS: &str = "windows";
pub const READ: &str = "read";
pub const LOOK: &str = "look";
/// What a look is at.
pub const OF: &str = "of";
pub const WINDOW: &str = "window";
pub const MONITOR: &str = "monitor";

pub(crate) fn declaration() -> ToolkitSpec {
    toolkit(NAME, "The user's desktop.", vec![windows(), read(), look()])
}

fn windows() -> MethodSpec {
    let doc = "Lists the windows that may be seen, the one that the user came from first. .data is a list of {app, title, x, y, \
               width, height, in_front}; a private window has no title.";
    method(WINDOWS, Class::Read, Vec::new(), "list[dict]", doc)
}

fn read() -> MethodSpec {
    let doc = "Reads the window that the user came from. .data is {app, title, url, source, text (Markdown), visible, selection, \
               fields, buttons, links, cut}; source recognition may have wrong words.";
    method(READ, Class::Read, Vec::new(), "dict", doc)
}

fn look() -> MethodSpec {
    // Named by every call, so that an "always" for windows is none for the whole monitor.
    let of = required(OF, ParameterKind::Text, "window or monitor");
    let doc = "Takes a picture of the window that the user came from, or of the monitor; if you see pictures, it comes with your \
               next message. .data is {app, title, seen: bool, text}.";
    let mut look = method(LOOK, Class::ReadOutside, vec![of], "dict", doc);
    look.matters.push(OF.to_owned());
    look
}

/// Checks the arguments of a call before anything is looked at.
///
/// # Errors
/// What the program is told of wrong arguments.
pub fn check(call: &Call) -> Result<(), Box<CallOutcome>> {
    let Some(method) = crate::declared_method(call) else {
        return Ok(());
    };
    let arguments = Arguments::of(call, method).map_err(|error| Box::new(error.outcome().own()))?;
    let is_known = call.method != LOOK || [WINDOW, MONITOR].contains(&arguments.text(OF));
    is_known.then_some(()).ok_or_else(|| {
        let message = format!("{OF} is \"{WINDOW}\" or \"{MONITOR}\"");
        Box::new(CallOutcome::failure("ValueError", message).own())
    })
}
