//! How a toolkit describes itself: to the model as a Python class, to the checker, to permissions.

use crate::Class;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A toolkit: a Python class of async methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolkitSpec {
    pub name: String,
    /// One sentence, read by the model.
    pub doc: String,
    pub methods: Vec<MethodSpec>,
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
    /// What it does and returns; read by the model.
    pub doc: String,
    pub parameters: Vec<ParameterSpec>,
    /// Python type of the result: `str`, `list[dict]`, …
    pub returns: String,
    /// The class when the arguments do not raise it (a path outside granted folders makes `Read` `ReadOutside`).
    pub class: Class,
    /// Arguments that permissions look at: path, host, command, recipient, amount.
    pub matters: Vec<String>,
}

/// One parameter, in positional order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParameterSpec {
    pub name: String,
    pub kind: ParameterKind,
    pub doc: String,
    /// `None` makes the parameter required.
    pub default: Option<Value>,
}

/// The Python type of a parameter, as far as it is checked before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
