//! `knowledge`: searching documents that the user imported. Performed by the runtime, which holds the store.

use crate::declare::{method, optional, required, toolkit};
use crate::limits::KNOWLEDGE_PIECES_DEFAULT;
use serde_json::Value;
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let query = method(
        "query",
        Class::Read,
        vec![
            required("query", ParameterKind::Text, "a question or words"),
            optional(
                "base",
                ParameterKind::Text,
                Value::Null,
                "name of one base; all when None",
            ),
            optional(
                "field",
                ParameterKind::Text,
                Value::Null,
                "returns only this column or key of the records that have it",
            ),
            optional(
                "limit",
                ParameterKind::Integer,
                KNOWLEDGE_PIECES_DEFAULT,
                "most pieces, up to 50",
            ),
        ],
        "list[dict]",
        "Searches the user's knowledge bases. .data is a list of {text, heading, source, base, fields}, best first; with \
         field of {value, source, base}. Cite each used source as [source].",
    );
    let bases = method(
        "bases",
        Class::Read,
        vec![],
        "list[dict]",
        "The user's knowledge bases. .data is a list of {name, about, documents, pieces}.",
    );
    toolkit(
        "knowledge",
        "Documents that the user imported to be asked.",
        vec![query, bases],
    )
}
