//! Functions by which toolkits declare themselves, short enough that a declaration reads like its Python class.

use serde_json::Value;
use shidi_protocol::{Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

pub(crate) fn toolkit(name: &str, doc: &str, methods: Vec<MethodSpec>) -> ToolkitSpec {
    ToolkitSpec {
        name: name.to_owned(),
        doc: doc.to_owned(),
        methods,
        source: ToolkitSource::BuiltIn,
        left_out: 0,
    }
}

/// A tool whose arguments do not matter to permissions.
pub(crate) fn method(
    name: &str,
    class: Class,
    parameters: Vec<ParameterSpec>,
    returns: &str,
    doc: &str,
) -> MethodSpec {
    MethodSpec {
        name: name.to_owned(),
        doc: doc.to_owned(),
        parameters,
        returns: returns.to_owned(),
        class,
        matters: Vec::new(),
        idempotent: false,
    }
}

/// The same tool, marked as idempotent: a call performed again after a crash has no second effect.
pub(crate) fn idempotent(mut method: MethodSpec) -> MethodSpec {
    method.idempotent = true;
    method
}

/// The same tool, with `path` as the argument that permissions look at.
pub(crate) fn on_path(mut method: MethodSpec) -> MethodSpec {
    method.matters.push("path".to_owned());
    method
}

/// The same tool, with `to`, where its path goes, as another argument that permissions look at.
pub(crate) fn on_path_to(method: MethodSpec) -> MethodSpec {
    let mut method = on_path(method);
    method.matters.push("to".to_owned());
    method
}

pub(crate) fn required(name: &str, kind: ParameterKind, doc: &str) -> ParameterSpec {
    ParameterSpec {
        name: name.to_owned(),
        kind,
        doc: doc.to_owned(),
        default: None,
        asked: false,
    }
}

pub(crate) fn optional(
    name: &str,
    kind: ParameterKind,
    default: impl Into<Value>,
    doc: &str,
) -> ParameterSpec {
    ParameterSpec {
        name: name.to_owned(),
        kind,
        doc: doc.to_owned(),
        default: Some(default.into()),
        asked: false,
    }
}
