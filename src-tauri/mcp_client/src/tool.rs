//! A tool in its server's description.

use crate::limits::{SCHEMA_BYTES_MAX, TOOL_DOC_CHARACTERS};
use crate::text::paragraph;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

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
    pub hints: Hints,
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

    pub(crate) fn of(tool: &rmcp::model::Tool) -> Self {
        let schema = Value::Object((*tool.input_schema).clone());
        let is_bounded = schema.to_string().len() <= SCHEMA_BYTES_MAX;
        let annotations = tool.annotations.as_ref();
        let doc = tool
            .description
            .as_deref()
            .or(tool.title.as_deref())
            .unwrap_or_default();
        Self {
            name: tool.name.to_string(),
            doc: paragraph(doc, TOOL_DOC_CHARACTERS),
            schema: if is_bounded {
                schema
            } else {
                Value::Object(serde_json::Map::new())
            },
            structured: tool.output_schema.is_some(),
            hints: Hints {
                reads_only: annotations.and_then(|hints| hints.read_only_hint),
                destroys: annotations.and_then(|hints| hints.destructive_hint),
                reaches_out: annotations.and_then(|hints| hints.open_world_hint),
            },
        }
    }
}
