//! Measures the cost of the border between supervisor and worker: starting a worker, starting a program, one
//! call and back.
//!
//! Prints a table in microseconds. Run on a quiet machine: `cargo bench -p shidi-executor`.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a bench that cannot go on should say where"
)]

use serde_json::{Value, json};
use shidi_executor::{CallAnswer, Limits, Outcome, Program, Progress, Session, SpawnOptions};
use shidi_protocol::{CallOutcome, Class, MethodSpec, ParameterKind, ParameterSpec, ToolkitSpec};
use std::time::{Duration, Instant};

const SPAWNS: usize = 100;
const PROGRAMS: usize = 2_000;
/// Calls of one measurement; the first tenth warms up and is not counted.
const CALLS: usize = 10_000;
const LARGE_CALLS: usize = 500;
const LARGE_BYTES: usize = 100_000;

fn toolkit() -> Vec<ToolkitSpec> {
    let parameter = |name: &str| ParameterSpec {
        name: name.to_owned(),
        kind: ParameterKind::Integer,
        doc: String::new(),
        default: Some(json!(0)),
        asked: false,
    };
    let method = MethodSpec {
        name: "f".to_owned(),
        doc: String::new(),
        parameters: vec![parameter("a"), parameter("k")],
        returns: "int".to_owned(),
        class: Class::Read,
        matters: Vec::new(),
        idempotent: false,
    };
    vec![ToolkitSpec {
        name: "kit".to_owned(),
        doc: String::new(),
        methods: vec![method],
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
    }]
}

fn row(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e6;
    println!(
        "| {what:<48} | {:>9.1} | {:>9.1} | {:>7} |",
        at(50),
        at(95),
        times.len()
    );
}

fn run(
    session: &mut Session,
    source: &str,
    toolkits: &[ToolkitSpec],
    mut reply: impl FnMut() -> Value,
) -> Outcome {
    let limits = Limits {
        calls: u32::MAX,
        ..Limits::default()
    };
    let program = Program {
        source,
        toolkits,
        variables: Vec::new(),
    };
    let mut progress = session.run(program, &limits).expect("it runs");
    loop {
        match progress {
            Progress::Ended(outcome) => return outcome,
            Progress::Calls(calls) => {
                let outcome = CallOutcome::success(reply(), String::new());
                progress = session
                    .resume(vec![CallAnswer {
                        number: calls[0].number,
                        outcome,
                    }])
                    .expect("it goes on");
            }
        }
    }
}

/// Durations of whole cycles as the program sees them: from one call's arrival to the next one's.
fn cycles(session: &mut Session, calls: usize, reply: &Value) -> Vec<Duration> {
    let source = format!("t = 0\nfor i in range({calls}):\n    r = await kit.f(a=i, k=2)\nr = None");
    let mut arrived = Vec::with_capacity(calls);
    let outcome = run(session, &source, &toolkit(), || {
        arrived.push(Instant::now());
        reply.clone()
    });
    if let Some(error) = outcome.error {
        panic!("{}", error.message);
    }
    arrived[calls / 10..]
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect()
}

fn programs(session: &mut Session, source: &str) -> Vec<Duration> {
    let toolkits = toolkit();
    (0..PROGRAMS)
        .map(|_| {
            let begun = Instant::now();
            let outcome = run(session, source, &toolkits, || Value::Null);
            assert_eq!(outcome.error, None);
            begun.elapsed()
        })
        .collect()
}

fn main() {
    println!(
        "| {:<48} | {:>9} | {:>9} | {:>7} |",
        "microseconds", "p50", "p95", "times"
    );
    println!("|{:-<50}|{:-<11}|{:-<11}|{:-<9}|", "", "", "", "");
    let spawns = (0..SPAWNS).map(|_| {
        let begun = Instant::now();
        let session = Session::spawn(SpawnOptions::default()).expect("a worker starts");
        let took = begun.elapsed();
        drop(session);
        took
    });
    row("worker: spawn to ready, confined", spawns.collect());
    let mut session = Session::spawn(SpawnOptions::default()).expect("a worker starts");
    row(
        "program: one assignment, warm worker",
        programs(&mut session, "x = 1"),
    );
    row(
        "program: three lines, warm worker",
        programs(&mut session, "x = 1\ny = [i * i for i in range(5)]\nlen(y)"),
    );
    let toolkits = toolkit();
    let checks = (0..PROGRAMS).map(|_| {
        let begun = Instant::now();
        let findings = session.check("x = 1\ny = [i * i for i in range(5)]\nlen(y)", &toolkits, &[]);
        assert!(findings.is_ok_and(|findings| findings.is_empty()));
        begun.elapsed()
    });
    row("check: three lines", checks.collect());
    row(
        "call: kit.f(a=i, k=2) and its answer",
        cycles(&mut session, CALLS, &json!(1)),
    );
    let large = json!("x".repeat(LARGE_BYTES));
    row(
        "call: an answer of 100 kB",
        cycles(&mut session, LARGE_CALLS, &large),
    );
}
