//! Clock, entropy and sleep come from the host, as calls that can be recorded.

use crate::common::{first_calls, run_with, session};
use serde_json::{Value, json};
use shidi_executor::{CallAnswer, Limits, PendingCall, Progress};
use shidi_protocol::CallOutcome;

/// A program's calls to the host, as `method(args)`, and its value.
fn asked(source: &str) -> (Vec<String>, Value) {
    let (outcome, made) = run_with(&mut session(), source, &Limits::default(), Vec::new());
    assert_eq!(outcome.error, None, "{source}");
    (made.iter().map(question).collect(), outcome.value)
}

fn question(call: &PendingCall) -> String {
    assert_eq!(call.toolkit, "host");
    format!("{}({})", call.method, Value::Object(call.args.clone()))
}

#[test]
fn a_program_without_clock_or_chance_asks_nothing() {
    assert_eq!(
        asked("import json, math\nx = 1\njson.dumps(x)").0,
        Vec::<String>::new()
    );
}

#[test]
fn every_reading_of_the_clock_is_a_question() {
    let (questions, value) = asked(
        "import time, datetime\n\
         [time.time(), time.time_ns() // 10 ** 9, str(datetime.datetime.now()), str(datetime.date.today()),\n\
         str(datetime.datetime.now(datetime.timezone.utc)), time.localtime().tm_hour, time.gmtime().tm_hour, time.strftime('%H:%M'),\n\
         time.localtime(0).tm_hour, time.monotonic() > 0]",
    );
    assert_eq!(questions, vec!["clock({})"; 10]);
    assert_eq!(
        value,
        json!([
            1_700_000_000.0,
            1_700_000_000,
            "2023-11-15 06:13:20",
            "2023-11-15",
            "2023-11-14 22:13:20+00:00",
            6,
            22,
            "06:13",
            8,
            true
        ])
    );
}

#[test]
fn chance_is_seeded_by_the_host_once_for_each_program_that_uses_it() {
    let (questions, first) = asked("import random\n[random.random() for i in range(3)]");
    assert_eq!(questions, ["entropy({\"bytes\":32})"]);
    assert_eq!(
        asked("import random\n[random.random() for i in range(3)]").1,
        first
    );
    assert_eq!(
        asked("import os\nlen(os.urandom(100))").0,
        ["entropy({\"bytes\":64})"]
    );
    assert_eq!(asked("import os\nos.urandom(4).hex()").1, json!("5a5a5a5a"));
    let own_seed = "import random\nrandom.seed(42)\nrandom.randint(1, 1000)";
    assert_eq!(asked(own_seed).1, json!(655));
}

#[test]
fn a_sleep_is_the_hosts_and_several_are_slept_together() {
    let (questions, _) = asked("import time\ntime.sleep(2)");
    assert_eq!(questions, ["clock({})", "sleep({\"seconds\":2.0})"]);
    let mut session = session();
    let made = first_calls(
        &mut session,
        "import asyncio\nawait asyncio.gather(asyncio.sleep(1, 'a'), asyncio.sleep(0.5, 'b'), kit.echo('c'))",
    );
    let named: Vec<&str> = made.iter().map(|call| call.method.as_str()).collect();
    assert_eq!(named, ["echo", "sleep", "sleep"]);
    let answers = made.iter().rev().map(|call| CallAnswer {
        number: call.number,
        outcome: CallOutcome::success(call.args.get("value").cloned().unwrap_or_default(), ""),
    });
    match session.resume(answers.collect()).expect("they are taken") {
        Progress::Ended(outcome) => assert_eq!(outcome.value, json!(["a", "b", "c"])),
        Progress::Calls(calls) => panic!("it still waits for {calls:?}"),
    }
}

#[test]
fn a_fact_that_the_host_refuses_is_the_programs_error() {
    let mut session = session();
    for (source, answer, expected) in [
        (
            "import time",
            CallOutcome::failure("PermissionError", "no clock"),
            "PermissionError: no clock",
        ),
        (
            "import time",
            CallOutcome::success(json!("noon"), ""),
            "RuntimeError: host.clock must be answered with",
        ),
        (
            "import random",
            CallOutcome::success(json!({"hex": "xyz"}), ""),
            "RuntimeError: host.entropy must be answered with",
        ),
        (
            "import time",
            CallOutcome::success(json!({"unix_ms": i64::MAX, "utc_offset_minutes": 0}), ""),
            "RuntimeError",
        ),
        (
            "import time",
            CallOutcome::success(json!({"unix_ms": 0, "utc_offset_minutes": 99_999}), ""),
            "RuntimeError",
        ),
    ] {
        let made = first_calls(&mut session, source);
        match session
            .resume(vec![CallAnswer {
                number: made[0].number,
                outcome: answer,
            }])
            .expect("it is taken")
        {
            Progress::Ended(outcome) => {
                let message = outcome.error.map(|error| error.message).unwrap_or_default();
                assert!(
                    message.starts_with(expected),
                    "{source}: {message:?} is not {expected:?}"
                );
            }
            Progress::Calls(calls) => panic!("it goes on with {calls:?}"),
        }
    }
}
