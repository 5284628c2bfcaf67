//! `toolkits`: searches and describes tools that the prompt leaves out. Performed by the mind, which knows
//! every toolkit of the run.

use crate::declare::{method, required, toolkit};
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let search = method(
        "search",
        Class::Read,
        vec![required("text", ParameterKind::Text, "a purpose, in English")],
        "list[dict]",
        "Finds tools for a purpose. .data is a list of {tool: 'toolkit.method', doc: str}, best first.",
    );
    let describe = method(
        "describe",
        Class::Read,
        vec![required(
            "name",
            ParameterKind::Text,
            "toolkit, or toolkit.method",
        )],
        "str",
        "Describes a toolkit as Python. .data is the text.",
    );
    toolkit(
        "toolkits",
        "Toolkits that the prompt only names.",
        vec![search, describe],
    )
}
