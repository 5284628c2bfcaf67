//! Shared by the tests of this crate: a toolkit, a host that answers, and short ways to run a program.

use serde_json::{Value, json};
use shidi_executor::{
    CallAnswer, HOST_TOOLKIT, Limits, Outcome, PendingCall, Program, Progress, Session, SpawnOptions,
};
use shidi_protocol::{CallOutcome, Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSpec};
use std::io::Write;

/// Says that a check was left out, past the capture of a test's output.
pub fn not_run(why: &str) {
    let mut stderr = std::io::stderr().lock();
    writeln!(stderr, "NOT RUN: {why}").expect("standard error is open");
}

pub fn session() -> Session {
    Session::spawn(SpawnOptions::default()).expect("a worker starts")
}

fn parameter(name: &str, kind: ParameterKind, default: Option<Value>) -> ParameterSpec {
    ParameterSpec {
        name: name.to_owned(),
        kind,
        doc: String::new(),
        default,
        asked: false,
    }
}

fn method(name: &str, parameters: Vec<ParameterSpec>) -> MethodSpec {
    MethodSpec {
        name: name.to_owned(),
        doc: String::new(),
        parameters,
        returns: "object".to_owned(),
        class: Class::Read,
        matters: Vec::new(),
        idempotent: false,
    }
}

/// A toolkit `kit`: `add(a, b=1)`, `read(path, lines=None)`, `echo(value)`, `fail(kind, message)`, `now()`.
pub fn kit() -> Vec<ToolkitSpec> {
    use ParameterKind::{Any, Integer, Number, Text};
    let methods = vec![
        method(
            "add",
            vec![
                parameter("a", Number, None),
                parameter("b", Number, Some(json!(1))),
            ],
        ),
        method(
            "read",
            vec![
                parameter("path", Text, None),
                parameter("lines", Integer, Some(Value::Null)),
            ],
        ),
        method("echo", vec![parameter("value", Any, None)]),
        method(
            "fail",
            vec![
                parameter("kind", Text, None),
                parameter("message", Text, Some(json!("it failed"))),
            ],
        ),
        method("now", Vec::new()),
    ];
    vec![ToolkitSpec {
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
        name: "kit".to_owned(),
        doc: "A toolkit for tests".to_owned(),
        methods,
    }]
}

/// The answer of these tests' host: the toolkit's result, a fixed clock, fixed entropy, no waiting.
pub fn answer(call: &PendingCall) -> CallOutcome {
    let number = |name: &str| call.args.get(name).and_then(Value::as_i64);
    let text = |name: &str| call.args.get(name).and_then(Value::as_str);
    let data = match (call.toolkit.as_str(), call.method.as_str()) {
        ("kit", "add") => json!(number("a").unwrap_or(0) + number("b").unwrap_or(1)),
        ("kit", "read") => json!(format!("text of {}", text("path").unwrap_or("?"))),
        ("kit", "echo") => call.args.get("value").cloned().unwrap_or_default(),
        ("kit", "now") => json!("now"),
        ("kit", "fail") => {
            return CallOutcome::failure(
                text("kind").unwrap_or("?"),
                text("message").unwrap_or("it failed"),
            );
        }
        (HOST_TOOLKIT, "clock") => json!({"unix_ms": 1_700_000_000_000_i64, "utc_offset_minutes": 480}),
        (HOST_TOOLKIT, "entropy") => {
            let bytes = usize::try_from(number("bytes").unwrap_or(0)).unwrap_or(0);
            json!({"hex": "5a".repeat(bytes)})
        }
        (HOST_TOOLKIT, "sleep") => Value::Null,
        other => panic!("nobody answers {other:?}"),
    };
    CallOutcome::success(data, "done")
}

/// Runs a program to its end; returns the outcome with the calls made.
pub fn run_with(
    session: &mut Session,
    source: &str,
    limits: &Limits,
    variables: Vec<(String, Value)>,
) -> (Outcome, Vec<PendingCall>) {
    let toolkits = kit();
    let program = Program {
        source,
        toolkits: &toolkits,
        variables,
    };
    let mut progress = session.run(program, limits).expect("the program is taken");
    let mut made = Vec::new();
    loop {
        match progress {
            Progress::Ended(outcome) => return (outcome, made),
            Progress::Calls(calls) => {
                let answers = calls
                    .iter()
                    .map(|call| CallAnswer {
                        number: call.number,
                        outcome: answer(call),
                    })
                    .collect();
                made.extend(calls);
                progress = session.resume(answers).expect("the answers are taken");
            }
        }
    }
}

pub fn run(session: &mut Session, source: &str) -> Outcome {
    run_with(session, source, &Limits::default(), Vec::new()).0
}

/// The value of a program that must not fail.
pub fn value(session: &mut Session, source: &str) -> Value {
    let outcome = run(session, source);
    assert_eq!(outcome.error, None, "{source}");
    outcome.value
}

/// The last line of the traceback of a program that must fail.
pub fn error(session: &mut Session, source: &str) -> String {
    let outcome = run(session, source);
    outcome
        .error
        .unwrap_or_else(|| panic!("{source} did not fail"))
        .message
}

/// Starts a program and gives its first calls.
pub fn first_calls(session: &mut Session, source: &str) -> Vec<PendingCall> {
    let toolkits = kit();
    let program = Program {
        source,
        toolkits: &toolkits,
        variables: Vec::new(),
    };
    match session
        .run(program, &Limits::default())
        .expect("the program is taken")
    {
        Progress::Calls(calls) => calls,
        Progress::Ended(outcome) => panic!("{source} ended: {:?}", outcome.error),
    }
}
