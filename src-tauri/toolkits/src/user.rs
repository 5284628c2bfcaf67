//! `user`: speaking with the person. Performed by the runtime, which alone knows who listens.

use crate::declare::{method, optional, required, toolkit};
use serde_json::Value;
use shidi_protocol::{Class, MethodSpec, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let say = method(
        "say",
        Class::Read,
        vec![required("text", ParameterKind::Text, "Markdown")],
        "None",
        "Shows text to the user at once and goes on. For the answer itself and for news during long work.",
    );
    let ask = method(
        "ask",
        Class::Read,
        vec![
            required("text", ParameterKind::Text, "one question"),
            optional(
                "fields",
                ParameterKind::List,
                Value::Null,
                "names of several values that are wanted",
            ),
        ],
        "str",
        "Asks the user and waits, however long it takes. .data is the answer as str; with fields, a dict of str by those \
         names. Ask only for what can't be found out, one question at a time.",
    );
    let [table, chart, files, links] = cards();
    let methods = vec![say, ask, table, chart, files, links];
    toolkit("user", "The person you work for.", methods)
}

/// What is shown to the user without passing through the model.
fn cards() -> [MethodSpec; 4] {
    let title = || optional("title", ParameterKind::Text, "", "what it shows");
    let card = |name, parameters, doc| method(name, Class::Read, parameters, "None", doc);
    [
        card(
            "table",
            vec![
                required("rows", ParameterKind::List, "dicts or lists"),
                optional(
                    "columns",
                    ParameterKind::List,
                    Value::Null,
                    "names, in their order",
                ),
                title(),
            ],
            "Shows a table to the user directly, many rows too: print no rows that the user only wants to see.",
        ),
        card(
            "chart",
            vec![
                required("labels", ParameterKind::List, "one for each point"),
                required(
                    "values",
                    ParameterKind::Any,
                    "list of numbers, or dict of such lists by name",
                ),
                optional("kind", ParameterKind::Text, "bar", "bar or line"),
                title(),
            ],
            "Shows a chart.",
        ),
        card(
            "files",
            vec![required("paths", ParameterKind::List, "of the files"), title()],
            "Shows files to the user by their paths.",
        ),
        card(
            "links",
            vec![
                required(
                    "links",
                    ParameterKind::List,
                    "dicts with title and url (http or https)",
                ),
                title(),
            ],
            "Shows links.",
        ),
    ]
}
