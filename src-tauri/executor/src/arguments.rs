//! Checks a call's arguments against the method's declaration, and names the positional ones.

mod said;

use crate::stored::type_name;
use crate::value;
use shidi_executor_proto::{Call, closest};
use shidi_protocol::{JsonMap, MethodSpec, ParameterSpec, ToolkitSpec};
use std::fmt;

/// The exception that a program gets for a call that never reaches the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    pub kind: &'static str,
    pub message: String,
}

/// A call's name as errors write it.
#[derive(Clone, Copy)]
struct Tool<'a>(&'a Call);

impl fmt::Display for Tool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}()", self.0.toolkit, self.0.method)
    }
}

/// The arguments of a call by name, defaults not filled in.
///
/// # Errors
/// `AttributeError` for a method that does not exist, `TypeError` for arguments that do not fit it.
pub fn arguments(call: &Call, toolkits: &[ToolkitSpec]) -> Result<JsonMap, Unfit> {
    let method = method(call, toolkits)?;
    let tool = Tool(call);
    if let Some(why) = &call.unfit {
        return Err(unfit(format!("{tool}: {why}")));
    }
    if call.positional.len() > method.parameters.len() {
        let (takes, given) = (method.parameters.len(), call.positional.len());
        return Err(unfit(format!(
            "{tool} takes {takes} arguments but {given} were given"
        )));
    }
    let positional = method.parameters.iter().zip(&call.positional);
    let mut args = JsonMap::new();
    for (parameter, packed) in positional
        .map(|(parameter, packed)| (Ok(parameter), packed))
        .chain(
            call.named
                .iter()
                .map(|(name, packed)| (named(method, name, tool), packed)),
        )
    {
        let parameter = parameter?;
        let value = value::unpack(packed)
            .map_err(|why| unfit(format!("{tool}: argument `{}`: {why}", parameter.name)))?;
        let value = said::as_wanted(parameter, value);
        if !parameter.kind.accepts(&value) && !is_left_out(parameter, &value) {
            let (name, wanted) = (&parameter.name, parameter.kind.python());
            return Err(unfit(format!(
                "{tool}: argument `{name}` must be {wanted}, not {}",
                type_name(&value)
            )));
        }
        if args.insert(parameter.name.clone(), value).is_some() {
            return Err(unfit(format!(
                "{tool} got multiple values for argument `{}`",
                parameter.name
            )));
        }
    }
    args.retain(|name, value| {
        !method
            .parameters
            .iter()
            .any(|parameter| parameter.name == *name && is_left_out(parameter, value))
    });
    match method
        .parameters
        .iter()
        .find(|parameter| missing(parameter, &args))
    {
        Some(parameter) => Err(unfit(format!(
            "{tool} missing required argument `{}`; {}",
            parameter.name,
            usage(method)
        ))),
        None => Ok(args),
    }
}

fn method<'a>(call: &Call, toolkits: &'a [ToolkitSpec]) -> Result<&'a MethodSpec, Unfit> {
    let toolkit = toolkits.iter().find(|toolkit| toolkit.name == call.toolkit);
    let Some(toolkit) = toolkit else {
        return Err(Unfit {
            kind: "NameError",
            message: format!("name '{}' is not defined", call.toolkit),
        });
    };
    toolkit.method(&call.method).ok_or_else(|| {
        let known = toolkit.methods.iter().map(|method| method.name.as_str());
        let mut message = format!("toolkit '{}' has no method '{}'", call.toolkit, call.method);
        if let Some(meant) = closest(&call.method, known) {
            message.push_str(&format!(". Did you mean: '{meant}'?"));
        }
        Unfit {
            kind: "AttributeError",
            message,
        }
    })
}

fn named<'a>(method: &'a MethodSpec, name: &str, tool: Tool<'_>) -> Result<&'a ParameterSpec, Unfit> {
    method
        .parameters
        .iter()
        .find(|parameter| parameter.name == name)
        .ok_or_else(|| {
            let known = method.parameters.iter().map(|parameter| parameter.name.as_str());
            unfit(match closest(name, known) {
                Some(meant) => format!("{tool} got an unexpected argument '{name}'. Did you mean '{meant}'?"),
                None => format!("{tool} got an unexpected argument '{name}'; {}", usage(method)),
            })
        })
}

/// Whether a parameter counts as left out: a call may do without it, and `None` was passed.
fn is_left_out(parameter: &ParameterSpec, value: &serde_json::Value) -> bool {
    value.is_null() && !parameter.is_required() && !parameter.kind.accepts(value)
}

fn missing(parameter: &ParameterSpec, args: &JsonMap) -> bool {
    parameter.is_required() && !args.contains_key(&parameter.name)
}

fn usage(method: &MethodSpec) -> String {
    let parameters: Vec<String> = method
        .parameters
        .iter()
        .map(|parameter| {
            let kind = parameter.kind.python();
            match &parameter.default {
                Some(default) => format!("{}: {kind} = {default}", parameter.name),
                None => format!("{}: {kind}", parameter.name),
            }
        })
        .collect();
    format!("it takes ({})", parameters.join(", "))
}

fn unfit(message: String) -> Unfit {
    Unfit {
        kind: "TypeError",
        message,
    }
}
