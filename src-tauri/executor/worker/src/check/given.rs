//! The named arguments of a call as the program writes them, for names that the method does not have.

use crate::meant::{Meaning, Method, Value, meanings};
use ruff_python_ast::{Expr, ExprCall, Keyword};
use shidi_executor_proto::{MethodShape, ToolkitShape};

/// What arguments mean whose names the method does not have, as far as the program shows it.
pub fn meant<'a>(
    call: &'a ExprCall,
    toolkit: &ToolkitShape,
    method: &MethodShape,
    positional: usize,
) -> Vec<(&'a str, Meaning)> {
    let parameters = method.parameters.iter();
    let parameters: Vec<&str> = parameters.map(|parameter| parameter.name.as_str()).collect();
    let keywords = call.arguments.keywords.iter();
    let named: Vec<(&str, Value<'_>)> = keywords
        .filter_map(|keyword| Some((written_name(keyword)?, value(&keyword.value))))
        .collect();
    let method = Method {
        toolkit: &toolkit.name,
        name: &method.name,
        parameters: &parameters,
        knows_files: toolkit.methods.iter().any(|method| method.name == "info"),
    };
    meanings(&method, positional, &named)
}

pub fn written_name(keyword: &Keyword) -> Option<&str> {
    keyword.arg.as_ref().map(|name| name.as_str())
}

fn value(written: &Expr) -> Value<'_> {
    match written {
        Expr::StringLiteral(text) => Value::Text(text.value.to_str()),
        Expr::NoneLiteral(_) => Value::None,
        other if other.is_literal_expr() => Value::Other,
        _ => Value::Later,
    }
}
