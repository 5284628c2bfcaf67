//! `memory`: records that the user wants kept beyond this session. Performed by the runtime, which holds the store.

use crate::declare::{method, optional, required, toolkit};
use crate::limits::MEMORY_HITS_DEFAULT;
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let remember = method(
        "remember",
        Class::Keep,
        vec![
            required("text", ParameterKind::Text, "one fact, complete in itself"),
            optional(
                "until",
                ParameterKind::Text,
                "",
                "only if it holds for a time: \"2026-12-31\" (to the end of that day), \"2026-12-31T18:00\", or \"7d\" \
                 from now; it is forgotten then",
            ),
        ],
        "str",
        "Keeps a fact for later sessions. .data is its id. Only what the user wants kept; never a secret.",
    );
    let search = method(
        "search",
        Class::Read,
        vec![
            required("text", ParameterKind::Text, "words or a question"),
            optional(
                "limit",
                ParameterKind::Integer,
                MEMORY_HITS_DEFAULT,
                "most hits, up to 50",
            ),
        ],
        "list[dict]",
        "Searches kept facts and earlier sessions. .data is a list of {text, time, source}, best \
         first.",
    );
    toolkit(
        "memory",
        "What was kept from earlier sessions.",
        vec![remember, search],
    )
}
