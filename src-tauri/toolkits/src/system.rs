//! `system`: the clock and Shidi itself. This file performs the clock alone. The runtime performs waiting and
//! the list of running work. The mind performs the list of abilities and the shortening of a conversation.

use crate::arguments::Arguments;
use crate::declare::{method, optional, required, toolkit};
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
        "The present moment where the user is. .data is {iso, date: 'YYYY-MM-DD', weekday: 'Monday'…, \
         timezone, unix_ms: int}.",
    );
    let sleep = method(
        "sleep",
        Class::Read,
        vec![required("seconds", ParameterKind::Number, "from 0 to 3600")],
        "None",
        "Waits.",
    );
    let abilities = method(
        "abilities",
        Class::Read,
        vec![],
        "list[dict]",
        "Everything that can be called. .data is a list of {tool: 'toolkit.method', doc}.",
    );
    let running = method(
        "running",
        Class::Read,
        vec![],
        "list[dict]",
        "What Shidi is working on now. .data is a list of {run, question, status}.",
    );
    let compress = method(
        "compress",
        Class::Read,
        vec![],
        "None",
        "Puts a summary in place of the earlier steps, when long work no longer needs them in full. Variables stay.",
    );
    let think = method(
        "think",
        Class::Read,
        vec![
            required("question", ParameterKind::Text, ""),
            optional("material", ParameterKind::Any, "", "what the answer is to go by"),
        ],
        "str",
        "Asks a language model in the middle of a program: to judge, word or translate. .data is its answer.",
    );
    let extract = method(
        "extract",
        Class::Read,
        vec![
            required("text", ParameterKind::Text, ""),
            required(
                "schema",
                ParameterKind::Dict,
                "{field: 'str' | 'int' | 'float' | 'bool' | 'list'}, or JSON Schema",
            ),
        ],
        "dict",
        "Takes data out of a text by a language model. .data is a dict; what the text does not hold is None.",
    );
    toolkit(
        "system",
        "The clock, a language model, and Shidi itself.",
        vec![time, sleep, abilities, running, compress, think, extract],
    )
}

/// Carries out a call that needs no runtime; `None` for the others.
pub(crate) fn perform(
    call: &Call,
    method: &MethodSpec,
    environment: &Environment,
) -> Option<Result<CallOutcome, ToolError>> {
    match call.method.as_str() {
        "time" => Some(Arguments::of(call, method).map(|_| time(environment))),
        _ => None,
    }
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
    CallOutcome::success(data, summary).own()
}
