//! `user`: speaking with the person. Performed by the mind; a call that asks waits there with its card for an answer.

use crate::declare::{method, optional, required, toolkit};
use serde_json::Value;
use shidi_protocol::{Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let say = method(
        "say",
        Class::Read,
        vec![required("text", ParameterKind::Text, "Markdown")],
        "None",
        "Gives the user the answer, at once: the task ends with the program that says it. News is for progress.",
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
    let mut methods = vec![say, ask, table, chart, files, links];
    methods.extend(forms().into_iter().chain(work()));
    toolkit("user", "The person you work for.", methods)
}

/// Cards that show data to the user without passing the model.
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
            "Shows a table to the user, many rows too: print no rows that only the user wants.",
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

/// Cards that wait for the person's answer.
fn forms() -> [MethodSpec; 4] {
    let fields = "names, or dicts: name, label, kind (text, long_text, number, date, yes_no, choice), options, required, value";
    let after = required("after", ParameterKind::Text, "as it would be");
    [
        waiting(
            "choose",
            vec![
                asked(),
                required(
                    "options",
                    ParameterKind::List,
                    "str, or dicts: label, value, note",
                ),
                optional("many", ParameterKind::Boolean, false, "several may be chosen"),
            ],
            "Any",
            "Lets the user choose and waits. .data is the value chosen; with many, a list.",
        ),
        waiting(
            "confirm",
            vec![
                asked(),
                optional("yes", ParameterKind::Text, "", "label"),
                optional("no", ParameterKind::Text, "", "label"),
            ],
            "bool",
            "Asks yes or no and waits; .data is a bool. Permissions are asked by themselves.",
        ),
        waiting(
            "form",
            vec![asked(), required("fields", ParameterKind::List, fields)],
            "dict",
            "Lets the user fill in a form and waits. .data is a dict by the names.",
        ),
        waiting(
            "diff",
            vec![
                required("before", ParameterKind::Text, "the text as it is"),
                after,
                optional("text", ParameterKind::Text, "", "what is asked"),
                optional("title", ParameterKind::Text, "", "name of the text"),
            ],
            "dict",
            "Lets the user take or leave each change and waits. .data is a dict: text (the outcome), accepted, rejected.",
        ),
    ]
}

/// Cards for work that a person takes over, decides or follows.
fn work() -> [MethodSpec; 4] {
    let facts = || optional("facts", ParameterKind::Any, Value::Null, "dict that is shown");
    let actions = "str, or dicts: label, value, note, danger";
    [
        waiting(
            "hand_over",
            vec![
                asked(),
                optional("to", ParameterKind::Text, "", "who takes over"),
                facts(),
            ],
            "str",
            "Hands work to a person and waits until it is given back. .data is their note.",
        ),
        waiting(
            "operate",
            vec![
                asked(),
                required("actions", ParameterKind::List, actions),
                facts(),
            ],
            "Any",
            "Shows how something stands and what can be done, and waits. .data is the action chosen; you carry it out.",
        ),
        waiting(
            "card",
            vec![required(
                "card",
                ParameterKind::Dict,
                "title, text, facts (dict), fields (of form), actions (of operate)",
            )],
            "dict",
            "A card of your own; waits. .data is a dict: action, values.",
        ),
        method(
            "progress",
            Class::Read,
            vec![
                required("done", ParameterKind::Number, "how much"),
                optional("total", ParameterKind::Number, 0, "of how much"),
                optional(
                    "text",
                    ParameterKind::Text,
                    "",
                    "what is counted; the same text is the same bar",
                ),
            ],
            "None",
            "Shows how far long work is, and goes on.",
        ),
    ]
}

fn asked() -> ParameterSpec {
    required("text", ParameterKind::Text, "what is asked")
}

fn waiting(name: &str, parameters: Vec<ParameterSpec>, returns: &str, doc: &str) -> MethodSpec {
    method(name, Class::Read, parameters, returns, doc)
}
