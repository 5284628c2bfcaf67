//! Finds the method that a call means which names another one, by the names of its arguments.
//!
//! A hint and no repair: whoever wrote one method's name with another one's arguments may have meant either.

use super::given::written_name;
use ruff_python_ast::ExprCall;
use shidi_executor_proto::{MethodShape, ToolkitShape};

/// Named arguments that a call must have before they tell methods apart.
const NAMES_MIN: usize = 2;

/// Methods of a toolkit that are told with what they take; of a larger one the names alone are told.
const TOLD_WHOLE_MAX: usize = 6;

/// What a toolkit has.
pub fn methods(toolkit: &ToolkitShape) -> String {
    let is_small = toolkit.methods.len() <= TOLD_WHOLE_MAX;
    let told = toolkit.methods.iter().map(|method| match is_small {
        true => format!("{}({})", method.name, parameters(method)),
        false => method.name.clone(),
    });
    format!("It has: {}", told.collect::<Vec<_>>().join(", "))
}

/// What a method takes, as a call writes it.
pub fn parameters(method: &MethodShape) -> String {
    let parameters = method.parameters.iter();
    let written = parameters.map(|parameter| match parameter.required {
        true => parameter.name.clone(),
        false => format!("{}=…", parameter.name),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// The method of that name in another toolkit, or the one of this toolkit that takes what the call names.
pub fn meant(
    toolkits: &[ToolkitShape],
    toolkit: &ToolkitShape,
    name: &str,
    call: Option<&ExprCall>,
) -> Option<String> {
    let others = toolkits.iter().filter(|other| other.name != toolkit.name);
    let mut named = others.filter(|other| other.methods.iter().any(|method| method.name == name));
    match (named.next(), named.next()) {
        (Some(other), None) => Some(format!("{}.{name}", other.name)),
        _ => by_arguments(toolkit, call?),
    }
}

/// The only method of a toolkit that has all names of the call's arguments and needs no other.
pub fn by_arguments(toolkit: &ToolkitShape, call: &ExprCall) -> Option<String> {
    let names: Option<Vec<&str>> = call.arguments.keywords.iter().map(written_name).collect();
    let names = names.filter(|names| names.len() >= NAMES_MIN && call.arguments.args.is_empty())?;
    let takes = |method: &&MethodShape| {
        let has = |name: &&str| {
            let mut parameters = method.parameters.iter();
            parameters.any(|parameter| parameter.name == **name)
        };
        let mut parameters = method.parameters.iter();
        names.iter().all(has)
            && parameters.all(|parameter| !parameter.required || names.contains(&parameter.name.as_str()))
    };
    let mut methods = toolkit.methods.iter().filter(takes);
    match (methods.next(), methods.next()) {
        (Some(method), None) => Some(format!("{}.{}", toolkit.name, method.name)),
        _ => None,
    }
}
