//! The parameters of a tool for whoever allows it: what its calls may carry, as the server says.

use crate::limits::{PARAMETER_DOC_CHARACTERS, PARAMETERS_MAX, TOOL_NAME_BYTES_MAX};
use crate::schema::{Schema, kind};
use crate::sketch;
use crate::text::paragraph;
use crate::tool::Tool;
use shidi_protocol::McpParameter;
use std::cell::Cell;

/// The parameters, those that are needed first; none of a tool that takes anything.
#[must_use]
pub fn parameters(tool: &Tool) -> Vec<McpParameter> {
    let steps = Cell::default();
    let schema = Schema::document(&tool.schema, &steps);
    let required = schema.required();
    let mut all: Vec<McpParameter> = schema
        .properties()
        .into_iter()
        .take(PARAMETERS_MAX)
        .map(|(name, member)| McpParameter {
            name: paragraph(name, TOOL_NAME_BYTES_MAX),
            kind: kind(&member),
            required: required.contains(name),
            shape: sketch::of(&member).unwrap_or_default(),
            doc: paragraph(member.description(), PARAMETER_DOC_CHARACTERS),
        })
        .collect();
    all.sort_by_key(|parameter| !parameter.required);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use shidi_protocol::ParameterKind;

    fn of(schema: Value) -> Vec<McpParameter> {
        let tool = json!({"name": "t", "inputSchema": schema});
        parameters(&Tool::of(&serde_json::from_value(tool).expect("a tool")))
    }

    #[test]
    fn what_a_call_may_carry_is_told_with_its_kind_and_what_is_needed_first() {
        let told = of(json!({
            "type": "object",
            "properties": {
                "limit": {"type": "integer"},
                "status": {"enum": ["open", "closed"], "description": "Which\nones"},
                "to": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["to"],
        }));
        let facts: Vec<_> = told
            .iter()
            .map(|one| (one.name.as_str(), one.kind, one.required))
            .collect();
        assert_eq!(
            facts,
            [
                ("to", ParameterKind::List, true),
                ("limit", ParameterKind::Integer, false),
                ("status", ParameterKind::Text, false),
            ]
        );
        assert_eq!(told[0].shape, "[str, …]");
        assert_eq!(
            (told[2].shape.as_str(), told[2].doc.as_str()),
            ("one of \"open\", \"closed\"", "Which ones")
        );
    }

    #[test]
    fn a_tool_without_a_shape_has_none_and_one_with_too_many_has_some() {
        assert_eq!(of(json!({"type": "object"})), []);
        let many: shidi_protocol::JsonMap = (0..PARAMETERS_MAX + 9)
            .map(|number| (format!("p{number}"), json!({})))
            .collect();
        let told = of(json!({"type": "object", "properties": many}));
        assert_eq!(told.len(), PARAMETERS_MAX);
    }
}
