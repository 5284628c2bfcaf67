//! `schedule`: what is to happen at a time by itself. Performed by the scheduler, which keeps it.

use crate::declare::{method, optional, required, toolkit};
use serde_json::{Value, json};
use shidi_protocol::{Call, Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSpec};

/// The name of the toolkit.
pub const NAME: &str = "schedule";

/// The argument that holds what a task may do without asking.
const APPROVE: &str = "approve";

pub(crate) fn declaration() -> ToolkitSpec {
    let remind = method(
        "remind",
        Class::Keep,
        vec![
            required("text", ParameterKind::Text, "what the user is told"),
            when(),
            zone(),
        ],
        "dict",
        "Reminds the user at that time, with a notification. .data is {id, next}: say `next` to the user.",
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
        vec![remind, task(), list, cancel],
    )
}

fn task() -> MethodSpec {
    method(
        "task",
        Class::Keep,
        vec![
            required(
                "question",
                ParameterKind::Text,
                "the task, complete in itself: nothing of this conversation is known then",
            ),
            when(),
            zone(),
            optional(
                APPROVE,
                ParameterKind::List,
                json!([]),
                "calls that it may make without asking, [\"files.read(path=/srv/*)\"]; the user decides about them",
            ),
            optional(
                "max_tokens",
                ParameterKind::Integer,
                0,
                "most tokens that one time may spend; 0 is the usual bound",
            ),
        ],
        "dict",
        "Does a task at that time, in a session of its own. .data is {id, next}.",
    )
}

fn when() -> ParameterSpec {
    required(
        "when",
        ParameterKind::Text,
        "\"in 20 minutes\", \"tomorrow at 8\", \"every workday at 8:30\", or as the user said it",
    )
}

fn zone() -> ParameterSpec {
    optional(
        "zone",
        ParameterKind::Text,
        "",
        "\"America/New_York\", where the user names another zone than their own",
    )
}

/// The class of a call of this toolkit: one that permits anything is a change of permissions.
pub(crate) fn class_of(call: &Call, declared: Class) -> Class {
    let permits_nothing = match call.args.get(APPROVE) {
        None | Some(Value::Null) => true,
        Some(Value::Array(families)) => families.is_empty(),
        Some(_) => false,
    };
    if permits_nothing { declared } else { Class::Money }
}
