//! A tool in its server's description.

use crate::limits::{SCHEMA_BYTES_MAX, TOOL_DOC_CHARACTERS, TOOLS_LISTED_MAX};
use crate::text::paragraph;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shidi_protocol::JsonMap;

/// Hexadecimal digits of a fingerprint: enough that nobody finds a second description with the same.
const FINGERPRINT_BYTES: usize = 16;

/// One tool; all its text is a stranger's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    /// The server's description of the tool, as one bounded paragraph.
    pub doc: String,
    /// The tool's parameters, as JSON Schema.
    pub schema: Value,
    /// Whether the tool declares a structure of its results.
    pub structured: bool,
    /// That structure, as JSON Schema; null where there is none, or where it is too large.
    #[serde(default)]
    pub output: Value,
    pub hints: Hints,
    /// How it is called.
    #[serde(default, skip_serializing_if = "Way::is_tool")]
    pub way: Way,
}

/// The tools of a server, as far as they are listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    pub tools: Vec<Tool>,
    /// Tools beyond the bounds of a list.
    pub unread: usize,
    /// Whether the server has something to read, whatever its own tools are called.
    pub resources: bool,
}

impl Listing {
    /// Takes tools in, as far as the list has room for them; the rest is counted.
    pub(crate) fn take(&mut self, tools: impl Iterator<Item = Tool>, room: &mut usize) {
        for tool in tools {
            let bytes = tool.bytes();
            if self.unread > 0 || self.tools.len() >= TOOLS_LISTED_MAX || bytes > *room {
                self.unread += 1;
                continue;
            }
            *room -= bytes;
            self.tools.push(tool);
        }
    }
}

/// How a tool is called: most are the server's own, the others stand for what it offers beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    #[default]
    Tool,
    /// Lists resources.
    Resources,
    /// Reads a resource.
    Resource,
    /// Lists prompts.
    Prompts,
    /// Writes a prompt out.
    Prompt,
}

impl Way {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    fn is_tool(&self) -> bool {
        *self == Self::Tool
    }
}

/// The server's claims about a tool's effects: shown to the user, trusted by nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hints {
    pub reads_only: Option<bool>,
    pub destroys: Option<bool>,
    pub reaches_out: Option<bool>,
}

impl Tool {
    /// A hash of everything the user saw when allowing the tool: a changed tool must be allowed again.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for part in [&self.name, &self.doc, &self.schema.to_string()] {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        hex::encode(&hash.finalize()[..FINGERPRINT_BYTES])
    }

    /// About as many bytes as it takes to remember it.
    fn bytes(&self) -> usize {
        let schemas = [&self.schema, &self.output].into_iter();
        let schemas: usize = schemas.map(|schema| schema.to_string().len()).sum();
        self.name.len() + self.doc.len() + schemas
    }

    /// The structure of what a program gets: of the result alone where a library has wrapped it.
    #[must_use]
    pub fn returned(&self) -> &Value {
        wrapped(&self.output).unwrap_or(&self.output)
    }

    /// Whether its results stand within an object that only its library made.
    #[must_use]
    pub fn is_wrapped(&self) -> bool {
        wrapped(&self.output).is_some()
    }

    pub(crate) fn of(tool: &rmcp::model::Tool) -> Self {
        let annotations = tool.annotations.as_ref();
        let doc = tool
            .description
            .as_deref()
            .or(tool.title.as_deref())
            .unwrap_or_default();
        Self {
            name: tool.name.to_string(),
            doc: paragraph(doc, TOOL_DOC_CHARACTERS),
            schema: match bounded(&tool.input_schema) {
                Value::Null => Value::Object(JsonMap::new()),
                schema => schema,
            },
            structured: tool.output_schema.is_some(),
            output: tool.output_schema.as_deref().map(bounded).unwrap_or_default(),
            hints: Hints {
                reads_only: annotations.and_then(|hints| hints.read_only_hint),
                destroys: annotations.and_then(|hints| hints.destructive_hint),
                reaches_out: annotations.and_then(|hints| hints.open_world_hint),
            },
            way: Way::Tool,
        }
    }
}

/// A schema as a value; null when it is too large.
fn bounded(schema: &JsonMap) -> Value {
    let schema = Value::Object(schema.clone());
    if schema.to_string().len() <= SCHEMA_BYTES_MAX {
        schema
    } else {
        Value::Null
    }
}

/// The schema within an object of one `result`, which FastMCP and the Python SDK put around values that are none.
fn wrapped(output: &Value) -> Option<&Value> {
    let properties = output.get("properties")?.as_object()?;
    let inner = properties.get("result").filter(|_| properties.len() == 1)?;
    let is_marked = output.get("x-fastmcp-wrap-result") == Some(&Value::Bool(true));
    let title = output.get("title").and_then(Value::as_str).unwrap_or_default();
    (is_marked || title.ends_with("Output")).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(output: &Value) -> Tool {
        let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output});
        Tool::of(&serde_json::from_value(tool).expect("a tool"))
    }

    #[test]
    fn a_library_s_wrapper_is_known_and_nobody_else_s() {
        let marked = json!({"type": "object", "properties": {"result": {"type": "string"}}, "x-fastmcp-wrap-result": true});
        let titled =
            json!({"type": "object", "title": "addOutput", "properties": {"result": {"type": "integer"}}});
        assert_eq!(tool(&marked).returned(), &json!({"type": "string"}));
        assert_eq!(tool(&titled).returned(), &json!({"type": "integer"}));
        for own in [
            json!({"type": "object", "properties": {"result": {"type": "string"}}}),
            json!({"type": "object", "title": "AOutput", "properties": {"result": {}, "more": {}}}),
        ] {
            assert!(!tool(&own).is_wrapped(), "{own}");
        }
    }

    #[test]
    fn a_list_has_bounds_and_counts_what_is_beyond_them() {
        let many = || (0..TOOLS_LISTED_MAX + 7).map(|_| tool(&Value::Null));
        let (mut listing, mut room) = (Listing::default(), usize::MAX);
        listing.take(many(), &mut room);
        assert_eq!((listing.tools.len(), listing.unread), (TOOLS_LISTED_MAX, 7));
        let (mut listing, mut room) = (Listing::default(), 3 * tool(&Value::Null).bytes());
        listing.take(many().take(5), &mut room);
        assert_eq!((listing.tools.len(), listing.unread), (3, 2));
    }

    #[test]
    fn a_schema_without_bounds_is_left_out() {
        let names: JsonMap = (0..9_000)
            .map(|n| (format!("a{n}"), json!({"type": "string"})))
            .collect();
        assert_eq!(
            tool(&json!({"type": "object", "properties": names})).output,
            Value::Null
        );
    }
}
