//! A toolkit's description of itself: for the model as a Python class, for the checker, and for permissions.

use crate::Class;
use crate::macros::requests;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The toolkit whose calls ask for facts of the host: methods `clock`, `entropy`, `sleep`.
///
/// | method | arguments | data of the answer |
/// |---|---|---|
/// | `clock` | none | `{"unix_ms": int, "utc_offset_minutes": int}` |
/// | `entropy` | `{"bytes": int}`, at most 64 | `{"hex": "…"}` of that many bytes |
/// | `sleep` | `{"seconds": float}` | anything, once they have passed |
///
/// A program that imports `time` or `datetime` asks for the clock once before its first line. This first reading
/// fixes the program's time zone. The program asks again at every reading. A program that imports `random` asks for
/// 32 bytes before its first line.
///
/// The calls are recorded for the replay and shown to nobody.
pub const HOST_TOOLKIT: &str = "host";

/// A toolkit: a Python class of async methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolkitSpec {
    pub name: String,
    /// One sentence, read by the model.
    pub doc: String,
    pub methods: Vec<MethodSpec>,
    #[serde(default)]
    pub source: ToolkitSource,
    /// Tools that the user allowed and that are none of the methods, since there are too many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The source of a toolkit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ToolkitSource {
    /// Declared in Rust; present as long as the program runs.
    #[default]
    BuiltIn,
    /// An MCP server: it comes, changes and goes while the program runs.
    Server,
    /// The page in front of the user; present as long as the page is open.
    Page,
    /// The workflows that the user keeps.
    Workflow,
    /// The tools of a plugin that the user installed.
    Plugin,
}

impl ToolkitSource {
    /// Whether the toolkit comes and goes while the program runs.
    #[must_use]
    pub fn is_dynamic(self) -> bool {
        self != Self::BuiltIn
    }
}

requests! {
    /// A request about toolkits.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    ToolRequest as tools, through |action| crate::Request::Tools { action };
    /// Lists all toolkits, also those switched off.
    List {
        /// The assistant whose switches count; `None` for the switches that hold for all assistants.
        #[serde(default)]
        assistant: Option<String>,
    } -> Tools,
    /// Switches a tool (`toolkit.method`) or a whole toolkit on or off, at once.
    Switch {
        tool: String,
        on: bool,
        #[serde(default)]
        assistant: Option<String>,
    } -> Tools,
}

/// A toolkit as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedToolkit {
    pub name: String,
    pub doc: String,
    pub source: ToolkitSource,
    /// Whether the toolkit can be switched: programs can do nothing without some toolkits.
    pub switchable: bool,
    pub tools: Vec<ListedTool>,
}

/// A tool as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedTool {
    pub name: String,
    pub doc: String,
    pub class: Class,
    pub on: bool,
}

impl ToolkitSpec {
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&MethodSpec> {
        self.methods.iter().find(|method| method.name == name)
    }
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MethodSpec {
    pub name: String,
    /// The method's effect and result; read by the model.
    pub doc: String,
    pub parameters: Vec<ParameterSpec>,
    /// Python type of the result: `str`, `list[dict]`, …
    pub returns: String,
    /// The class, unless arguments raise it (a path outside granted folders makes `Read` `ReadOutside`).
    pub class: Class,
    /// Arguments that permissions look at: path, host, command, recipient, amount.
    pub matters: Vec<String>,
    /// Whether a call performed again after a crash still has its effect only once. Its performer knows the call by run
    /// and number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
}

/// One parameter, in positional order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParameterSpec {
    pub name: String,
    pub kind: ParameterKind,
    pub doc: String,
    /// The default value; `None` makes the parameter required.
    #[serde(
        default,
        deserialize_with = "default_value",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<Value>,
    /// Whether the user is asked for it where nobody has said it. A call may leave it out; a default of `null` stands for what is
    /// not known yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
}

impl ParameterSpec {
    /// Whether each call has to pass it. What the user is asked for may be left out: the call then names it.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.default.is_none() && !self.asked
    }
}

/// A default that is `null` is one. A task that goes on after a restart must not find the parameter required.
fn default_value<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The Python type of a parameter, as far as it is checked before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ParameterKind {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Dict,
    Any,
}

impl ParameterKind {
    /// The annotation shown to the model.
    #[must_use]
    pub fn python(self) -> &'static str {
        match self {
            Self::Text => "str",
            Self::Integer => "int",
            Self::Number => "float",
            Self::Boolean => "bool",
            Self::List => "list",
            Self::Dict => "dict",
            Self::Any => "object",
        }
    }

    /// Whether `value` may be passed for a parameter of this kind.
    #[must_use]
    pub fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Dict => value.is_object(),
            Self::Any => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_required_or_not_as_before_once_it_was_kept() {
        for default in [None, Some(Value::Null), Some(Value::from(3))] {
            let parameter = ParameterSpec {
                name: "times".to_owned(),
                kind: ParameterKind::Integer,
                doc: String::new(),
                default,
                asked: false,
            };
            let kept = serde_json::to_string(&parameter).unwrap();
            assert_eq!(
                serde_json::from_str::<ParameterSpec>(&kept).unwrap(),
                parameter,
                "{kept}"
            );
        }
    }
}
