//! Toolkits as the model sees them: Python classes of async methods (F7.2).

use crate::literal::literal;
use shidi_protocol::{MethodSpec, ParameterSpec, ToolkitSpec};

/// Renders toolkits, one class after the other.
pub fn render<'a>(toolkits: impl Iterator<Item = &'a ToolkitSpec>) -> String {
    toolkits.map(class).collect::<Vec<_>>().join("\n\n")
}

fn class(toolkit: &ToolkitSpec) -> String {
    let methods = toolkit.methods.iter().map(method).collect::<Vec<_>>().join("\n");
    format!(
        "class {}:\n    \"\"\"{}\"\"\"\n{methods}",
        toolkit.name, toolkit.doc
    )
}

fn method(method: &MethodSpec) -> String {
    let parameters = method
        .parameters
        .iter()
        .map(parameter)
        .collect::<Vec<_>>()
        .join(", ");
    let head = format!(
        "    async def {}({parameters}) -> {}:",
        method.name, method.returns
    );
    if method.doc.is_empty() {
        return format!("{head} ...");
    }
    let doc = method.doc.replace('\n', "\n        ");
    format!("{head}\n        \"\"\"{doc}\"\"\"")
}

fn parameter(parameter: &ParameterSpec) -> String {
    let ParameterSpec {
        name,
        kind,
        default,
        doc: _,
        asked: _,
    } = parameter;
    let python = kind.python();
    match default {
        None => format!("{name}: {python}"),
        Some(value) => format!("{name}: {python} = {}", literal(value)),
    }
}
