//! `user`: speaking with the person. Performed by the runtime, which alone knows who listens.

use crate::declare::{method, optional, required, toolkit};
use serde_json::Value;
use shidi_protocol::{Class, ParameterKind, ToolkitSpec};

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
    toolkit("user", "The person you work for.", vec![say, ask])
}
