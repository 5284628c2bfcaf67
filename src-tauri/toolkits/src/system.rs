//! `system`: the clock and the list of abilities. Waiting and the list of running work are the runtime's.

use crate::arguments::Arguments;
use crate::declare::{method, required, toolkit};
use crate::environment::Environment;
use crate::error::ToolError;
use serde_json::json;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};

pub(crate) fn declaration() -> ToolkitSpec {
    let time = method(
        "time",
        Class::Read,
        vec![],
        "dict",
        "The present moment where the user is. .data is {iso: str, date: 'YYYY-MM-DD', weekday: 'Monday'…, \
         timezone: str, unix_ms: int}.",
    );
    let sleep = method(
        "sleep",
        Class::Read,
        vec![required("seconds", ParameterKind::Number, "from 0 to 3600")],
        "None",
        "Waits. .data is None.",
    );
    let abilities = method(
        "abilities",
        Class::Read,
        vec![],
        "list[dict]",
        "Everything that can be called. .data is a list of {tool: 'toolkit.method', doc: str}.",
    );
    let running = method(
        "running",
        Class::Read,
        vec![],
        "list[dict]",
        "What Shidi is working on now. .data is a list of {run: str, question: str, status: str}.",
    );
    toolkit(
        "system",
        "The clock and Shidi itself.",
        vec![time, sleep, abilities, running],
    )
}

/// Carries out what needs no runtime; `None` for the rest.
pub(crate) fn perform(
    call: &Call,
    method: &MethodSpec,
    environment: &Environment,
) -> Option<Result<CallOutcome, ToolError>> {
    let perform = match call.method.as_str() {
        "time" => time,
        "abilities" => abilities,
        _ => return None,
    };
    Some(Arguments::of(call, method).map(|_| perform(environment)))
}

fn time(environment: &Environment) -> CallOutcome {
    let here = environment.now.timestamp().to_zoned(environment.timezone.clone());
    let iso = here.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    let date = here.date().to_string();
    let name = environment
        .timezone
        .iana_name()
        .map_or_else(|| here.offset().to_string(), str::to_owned);
    let summary = here.strftime("%Y-%m-%d %H:%M").to_string();
    let data = json!({
        "iso": iso,
        "date": date,
        "weekday": here.strftime("%A").to_string(),
        "timezone": name,
        "unix_ms": environment.now.0,
    });
    CallOutcome::success(data, summary)
}

fn abilities(_environment: &Environment) -> CallOutcome {
    let tools: Vec<_> = crate::all()
        .iter()
        .flat_map(|toolkit| toolkit.methods.iter().map(move |method| (toolkit, method)))
        .map(|(toolkit, method)| json!({"tool": format!("{}.{}", toolkit.name, method.name), "doc": method.doc}))
        .collect();
    let summary = format!("{} tools", tools.len());
    CallOutcome::success(tools.into(), summary)
}
