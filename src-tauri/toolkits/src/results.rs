//! `results`: precise look-up in results too large for the prompt. Performed by the runtime, which keeps them.

use crate::declare::{method, optional, required, toolkit};
use crate::limits::RESULT_LINES_DEFAULT;
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let handle = || required("handle", ParameterKind::Text, "as shown beside it");
    let find = method(
        "find",
        Class::Read,
        vec![
            handle(),
            required("text", ParameterKind::Text, "words or a question"),
        ],
        "list[dict]",
        "Finds the passages of a large result that answer text: name what is wanted and of whom or what. .data is a list \
         of {line: int, text}, best first.",
    );
    let read = method(
        "read",
        Class::Read,
        vec![
            handle(),
            optional("offset_line", ParameterKind::Integer, 1, "first line, from 1"),
            optional(
                "limit_lines",
                ParameterKind::Integer,
                RESULT_LINES_DEFAULT,
                "number of lines",
            ),
        ],
        "str",
        "Reads lines of a large result. .data is the text.",
    );
    let doc = "Results that were too large to show: each was shortened and given a handle.";
    toolkit("results", doc, vec![find, read])
}
