//! `schedule`: what is to happen at a time by itself. Performed by the scheduler, which keeps it.

use crate::declare::{method, required, toolkit};
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "schedule";

pub(crate) fn declaration() -> ToolkitSpec {
    let when = || {
        required(
            "when",
            ParameterKind::Text,
            "\"in 20 minutes\", \"tomorrow at 8\", \"every workday at 8:30\", or as the user said it",
        )
    };
    let remind = method(
        "remind",
        Class::Keep,
        vec![
            required("text", ParameterKind::Text, "what the user is told"),
            when(),
        ],
        "dict",
        "Reminds the user at that time, with a notification. .data is {id, next}: say `next` to the user.",
    );
    let task = method(
        "task",
        Class::Keep,
        vec![
            required(
                "question",
                ParameterKind::Text,
                "the task, complete in itself: nothing of this conversation is known then",
            ),
            when(),
        ],
        "dict",
        "Does a task at that time, in a session of its own. .data is {id, next}.",
    );
    let list = method(
        "list",
        Class::Read,
        Vec::new(),
        "list[dict]",
        "What is kept. .data is a list of {id, kind, text, when, next}.",
    );
    // What its user keeps, no program deletes.
    let cancel = method(
        "cancel",
        Class::Keep,
        vec![required("id", ParameterKind::Text, "from list")],
        "None",
        "Turns one off; the user can turn it on again.",
    );
    toolkit(
        NAME,
        "Reminders, and tasks at a time. Never sleep in their place.",
        vec![remind, task, list, cancel],
    )
}
