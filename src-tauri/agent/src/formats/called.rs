//! Calls that a model wrote as JSON, turned into the program that makes them.
//!
//! Every format therefore runs the same way: one check, one set of permissions, one record and replay. The
//! program's first line is a comment that holds the calls; the transcript shows the calls from that comment.

use super::{Malformed, malformed};
use crate::literal::literal;
use serde_json::{Map, Value, json};
use shidi_protocol::{MethodSpec, ParameterSpec, ToolkitSpec};
use strsim::levenshtein;

/// Begins the comment that holds the calls.
const MARK: &str = "# calls: ";

/// Most calls of one answer.
pub(super) const CALLS_MAX: usize = 16;

/// One call as the model wrote it, with its arguments by name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Called {
    /// `toolkit.method`
    pub tool: String,
    pub args: Map<String, Value>,
}

impl Called {
    /// Checks one call against the toolkits.
    ///
    /// # Errors
    /// Every fault of the call, one sentence each.
    pub(super) fn checked(tool: &str, args: &Value, toolkits: &[ToolkitSpec]) -> Result<Self, Malformed> {
        let Some(method) = method(tool, toolkits) else {
            let names = toolkits.iter().flat_map(names);
            let meant = closest(tool, names).map(|name| format!(" Did you mean `{name}`?"));
            return Err(malformed(format!(
                "There is no tool `{tool}`.{}",
                meant.unwrap_or_default()
            )));
        };
        let Some(args) = args.as_object() else {
            return Err(malformed(format!(
                "The arguments of `{tool}` must be a JSON object such as {}.",
                example(method)
            )));
        };
        let mut problems = Vec::new();
        for (name, value) in args {
            match method.parameters.iter().find(|parameter| parameter.name == *name) {
                None => problems.push(format!(
                    "`{tool}` has no argument `{name}`; it takes {}.",
                    taken(method)
                )),
                Some(parameter) if !fits(parameter, value) => problems.push(format!(
                    "The argument `{name}` of `{tool}` must be {}, not {value}.",
                    kind(parameter)
                )),
                Some(_) => {}
            }
        }
        let missing = method
            .parameters
            .iter()
            .filter(|parameter| parameter.is_required() && !args.contains_key(&parameter.name));
        problems
            .extend(missing.map(|parameter| format!("`{tool}` needs the argument `{}`.", parameter.name)));
        if problems.is_empty() {
            return Ok(Self {
                tool: tool.to_owned(),
                args: args.clone(),
            });
        }
        Err(malformed(problems.join(" ")))
    }

    fn python(&self) -> String {
        let args = self
            .args
            .iter()
            .map(|(name, value)| format!("{name}={}", literal(value)));
        format!("{}({})", self.tool, args.collect::<Vec<_>>().join(", "))
    }
}

/// The program that makes the calls: a single one plainly, several at once, each with its own result or error.
pub(super) fn program(calls: &[Called]) -> String {
    let noted: Vec<Value> = calls
        .iter()
        .map(|call| json!({"tool": call.tool, "args": call.args}))
        .collect();
    let head = format!("{MARK}{}", Value::Array(noted));
    if let [call] = calls {
        return format!("{head}\nprint(await {})", call.python());
    }
    let made = calls
        .iter()
        .map(|call| format!("        answered({}),", call.python()));
    format!(
        "{head}
import asyncio, json
async def answered(call):
    try:
        return {{\"ok\": True, \"data\": await call}}
    except Exception as error:
        return {{\"ok\": False, \"error\": f\"{{type(error).__name__}}: {{error}}\"}}
async def answers():
    for answer in await asyncio.gather(
{}
    ):
        print(json.dumps(answer, ensure_ascii=False))
await answers()",
        made.collect::<Vec<_>>().join("\n")
    )
}

/// The calls of a program that [`program`] wrote; `None` for any other.
pub(super) fn calls_of(program: &str) -> Option<Vec<Called>> {
    let head = program.lines().next()?.strip_prefix(MARK)?;
    let noted: Vec<Value> = serde_json::from_str(head).ok()?;
    let read = |noted: &Value| {
        Some(Called {
            tool: noted.get("tool")?.as_str()?.to_owned(),
            args: noted.get("args")?.as_object()?.clone(),
        })
    };
    let calls: Vec<Called> = noted.iter().map(read).collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

/// The output of a program that made `count` calls, split by call. Output that can't be split stands with the
/// first call.
pub(super) fn results(output: &str, count: usize) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    if count > 1 && lines.len() == count {
        return lines.into_iter().map(str::to_owned).collect();
    }
    let mut results = vec![output.to_owned()];
    results.resize_with(count.max(1), || "(with the result of the first call)".to_owned());
    results
}

/// `toolkit.method` of all methods.
pub(super) fn names(toolkit: &ToolkitSpec) -> impl Iterator<Item = String> {
    toolkit
        .methods
        .iter()
        .map(|method| format!("{}.{}", toolkit.name, method.name))
}

pub(super) fn method<'a>(tool: &str, toolkits: &'a [ToolkitSpec]) -> Option<&'a MethodSpec> {
    let (toolkit, method) = tool.split_once('.')?;
    let toolkit = toolkits.iter().find(|known| known.name == toolkit)?;
    toolkit.method(method)
}

fn fits(parameter: &ParameterSpec, value: &Value) -> bool {
    parameter.kind.accepts(value)
        || parameter.asked && value.is_null()
        || parameter.default.as_ref().is_some_and(|default| default == value)
}

fn kind(parameter: &ParameterSpec) -> &'static str {
    use shidi_protocol::ParameterKind as Kind;
    match parameter.kind {
        Kind::Text => "a string",
        Kind::Integer => "an integer",
        Kind::Number => "a number",
        Kind::Boolean => "true or false",
        Kind::List => "a list",
        Kind::Dict => "an object",
        Kind::Any => "any value",
    }
}

fn taken(method: &MethodSpec) -> String {
    if method.parameters.is_empty() {
        return "none".to_owned();
    }
    let names = method
        .parameters
        .iter()
        .map(|parameter| format!("`{}`", parameter.name));
    names.collect::<Vec<_>>().join(", ")
}

fn example(method: &MethodSpec) -> String {
    let required = method
        .parameters
        .iter()
        .filter(|parameter| parameter.default.is_none());
    let fields = required.map(|parameter| format!("\"{}\": …", parameter.name));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

/// The candidate nearest to a misspelt name, if one is near enough.
fn closest(name: &str, candidates: impl Iterator<Item = String>) -> Option<String> {
    // Only the first 100 characters count: a name as long as a page is no misspelling.
    let name: String = name.chars().take(100).collect();
    let near = candidates.map(|candidate| (levenshtein(&name, &candidate), candidate));
    near.filter(|(steps, candidate)| *steps <= candidate.chars().count() / 3 + 1)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, candidate)| candidate)
}
