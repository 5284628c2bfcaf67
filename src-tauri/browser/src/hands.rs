//! Actions that Shidi itself performs in the page in front, whatever the page offers. Shidi reads the page, finds
//! elements, fills, clicks, selects, and opens another address. The companion performs it; the page has no say in it
//! and no name of these can be its own.

use serde_json::Value;
use shidi_protocol::{Class, MethodSpec, ParameterKind, ParameterSpec, SITE};

/// The argument of `open` by which "always" is remembered.
pub(crate) const HOST: &str = "host";

/// The method that opens another address.
pub(crate) const OPEN: &str = "open";

/// The methods that work where the browser shows a PDF.
const IN_PDF: [&str; 4] = ["read", "find", "validate", OPEN];

/// The methods, in the order in which prompts show them.
pub(crate) fn methods() -> Vec<MethodSpec> {
    [reading(), acting()].concat()
}

/// Methods that change nothing.
fn reading() -> Vec<MethodSpec> {
    let read = |name, parameters, returns, doc| method(name, Class::Read, parameters, returns, doc);
    vec![
        read(
            "read",
            vec![text("part", "whole", "whole, visible or selection")],
            "dict",
            "Reads the page as it is now: {title, kind, language, text (Markdown; [text][n] means links[n-1]), links, fields, \
             buttons}.",
        ),
        read(
            "find",
            vec![
                text("role", "", "button, link, textbox, checkbox, combobox, …"),
                text("name", "", "its label, or a part of it"),
                text("text", "", "a part of its text"),
            ],
            "list[dict]",
            "Finds elements: [{ref, role, name, value, states}], at most 20.",
        ),
        read(
            "links",
            Vec::new(),
            "list[dict]",
            "All links of the page: [{text, url}].",
        ),
        read(
            "context",
            Vec::new(),
            "dict",
            "What the page offers of itself by name, such as the text of its editor.",
        ),
        read(
            "validate",
            vec![
                required("request", "what was wanted, in words"),
                any("result", "what the page returned"),
            ],
            "dict",
            "Judges by a model whether a result of the page answers a request: {passed, summary, problems, suggestions, \
             need_more_context, context_queries}.",
        ),
        read(
            "select",
            vec![required("text", "as it stands on the page")],
            "dict",
            "Selects a text on the page and scrolls to it.",
        ),
    ]
}

/// Methods that change the page, or what stands in the browser.
fn acting() -> Vec<MethodSpec> {
    let element = vec![
        text(
            "ref",
            "",
            "from find() or read(); else the element is named by role and name",
        ),
        text("role", "", "button, link, checkbox, …"),
        text("name", "", "its whole label"),
    ];
    let field = vec![
        required("field", "whole label of the field, or its ref"),
        required("value", ""),
    ];
    let acts = |name, class, parameters, doc| method(name, class, parameters, "dict", doc);
    let fill = "Fills a field of the page; the user sees it there. Never passwords, codes or cards. Returns {done, undo}.";
    let click = "Clicks a button, link or other element of the page.";
    let undo = "Puts back what a field held before.";
    let insert = "Puts a text at the caret of the field that had the focus when the user called you. Returns {done, undo}.";
    let open = "Opens an address in a new tab of the user's browser.";
    vec![
        matters(&["field", "value"], acts("fill", Class::Page, field, fill)),
        matters(
            &["ref", "role", "name"],
            acts("click", Class::Page, element, click),
        ),
        matters(
            &["undo"],
            acts(
                "undo",
                Class::Page,
                vec![required("undo", "from fill() or insert()")],
                undo,
            ),
        ),
        matters(
            &["text"],
            acts("insert", Class::Page, vec![required("text", "")], insert),
        ),
        matters(
            &[HOST],
            acts(
                OPEN,
                Class::NetworkRead,
                vec![required("url", "http or https")],
                open,
            ),
        ),
    ]
}

/// Whether a method works where the browser shows a PDF.
pub(crate) fn works_in_pdf(method: &str) -> bool {
    IN_PDF.contains(&method)
}

/// Whether a method is one of these, and not one of the page's own.
pub(crate) fn is_own(method: &str) -> bool {
    methods().iter().any(|known| known.name == method)
}

fn method(name: &str, class: Class, parameters: Vec<ParameterSpec>, returns: &str, doc: &str) -> MethodSpec {
    MethodSpec {
        name: name.to_owned(),
        doc: doc.to_owned(),
        parameters,
        returns: returns.to_owned(),
        class,
        matters: vec![SITE.to_owned()],
        // The companion knows a call by its run and number, and performs it once.
        idempotent: true,
    }
}

fn matters(names: &[&str], mut method: MethodSpec) -> MethodSpec {
    method.matters.extend(names.iter().map(|name| (*name).to_owned()));
    method
}

fn required(name: &str, doc: &str) -> ParameterSpec {
    ParameterSpec {
        name: name.to_owned(),
        kind: ParameterKind::Text,
        doc: doc.to_owned(),
        default: None,
        asked: false,
    }
}

fn any(name: &str, doc: &str) -> ParameterSpec {
    ParameterSpec {
        kind: ParameterKind::Any,
        ..required(name, doc)
    }
}

fn text(name: &str, default: &str, doc: &str) -> ParameterSpec {
    ParameterSpec {
        default: Some(Value::from(default)),
        ..required(name, doc)
    }
}
