//! `todo`: the list of steps of a longer task. Kept by the mind, which shows it live and reminds of it.

use crate::declare::{method, required, toolkit};
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let items = "list of {text: str, state: 'pending'|'in_progress'|'completed', doing: str (optional, for the one in \
                 progress)}";
    let write = method(
        "write",
        Class::Read,
        vec![required("items", ParameterKind::List, items)],
        "str",
        "Replaces the list of steps, which the user sees live: at most 20, at most one in progress. items is a list of \
         {text: str, state: 'pending'|'in_progress'|'completed', doing: str}. For tasks of several steps only; keep it true. \
         .data is the list as text.",
    );
    toolkit("todo", "The steps of the task at hand.", vec![write])
}
