//! Arguments of a call, checked against the declaration before a tool looks at them.

use crate::error::ToolError;
use serde_json::Value;
use shidi_protocol::{Call, MethodSpec, ParameterKind};
use std::ops::RangeInclusive;

/// The arguments of one call, with the declaration's defaults for missing ones.
pub(crate) struct Arguments<'a> {
    call: &'a Call,
    method: &'a MethodSpec,
}

impl<'a> Arguments<'a> {
    /// Checks names and types of everything that was passed.
    ///
    /// # Errors
    /// An argument that is missing, unknown or of another type.
    pub(crate) fn of(call: &'a Call, method: &'a MethodSpec) -> Result<Self, ToolError> {
        for (name, value) in &call.args {
            let Some(parameter) = method.parameters.iter().find(|parameter| &parameter.name == name) else {
                return Err(unknown(call, method, name));
            };
            let is_default = parameter.default.as_ref() == Some(value);
            if !is_default && !parameter.kind.accepts(value) {
                return Err(ToolError::WrongArgument {
                    tool: call.tool(),
                    name: name.clone(),
                    expected: described(parameter.kind),
                    found: found(value),
                });
            }
        }
        let missing = method
            .parameters
            .iter()
            .find(|parameter| parameter.default.is_none() && !call.args.contains_key(&parameter.name));
        match missing {
            Some(parameter) => Err(ToolError::MissingArgument {
                tool: call.tool(),
                name: parameter.name.clone(),
            }),
            None => Ok(Self { call, method }),
        }
    }

    /// A text; empty when the program passed none and the declaration has no default.
    pub(crate) fn text(&self, name: &str) -> &'a str {
        self.value(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A value of any kind.
    pub(crate) fn any(&self, name: &str) -> Option<&'a Value> {
        self.value(name)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Whether the tool has a parameter `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.method
            .parameters
            .iter()
            .any(|parameter| parameter.name == name)
    }

    /// Whether the program itself passed `name`.
    pub(crate) fn was_passed(&self, name: &str) -> bool {
        self.call.args.contains_key(name)
    }

    /// A whole number within `range`.
    ///
    /// # Errors
    /// A number outside `range`.
    pub(crate) fn count(&self, name: &str, range: RangeInclusive<u64>) -> Result<u64, ToolError> {
        let value = self.value(name);
        match value
            .and_then(Value::as_u64)
            .filter(|number| range.contains(number))
        {
            Some(number) => Ok(number),
            None => Err(ToolError::OutOfRange {
                tool: self.call.tool(),
                name: name.to_owned(),
                least: *range.start(),
                most: *range.end(),
                found: value.map(Value::to_string).unwrap_or_default(),
            }),
        }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        let declared = || {
            let parameter = self
                .method
                .parameters
                .iter()
                .find(|parameter| parameter.name == name)?;
            parameter.default.as_ref()
        };
        self.call.args.get(name).or_else(declared)
    }
}

fn unknown(call: &Call, method: &MethodSpec, name: &str) -> ToolError {
    let known: Vec<&str> = method
        .parameters
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let known = if known.is_empty() {
        "no arguments".to_owned()
    } else {
        known.join(", ")
    };
    ToolError::UnknownArgument {
        tool: call.tool(),
        name: name.to_owned(),
        known,
    }
}

fn described(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Text => "a str",
        ParameterKind::Integer => "an int",
        ParameterKind::Number => "a number",
        ParameterKind::Boolean => "a bool",
        ParameterKind::List => "a list",
        ParameterKind::Dict => "a dict",
        ParameterKind::Any => "a value",
    }
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "None",
        Value::Bool(_) => "a bool",
        Value::Number(number) if number.is_f64() => "a float",
        Value::Number(_) => "an int",
        Value::String(_) => "a str",
        Value::Array(_) => "a list",
        Value::Object(_) => "a dict",
    }
}
