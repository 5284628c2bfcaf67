//! `shidi exec`: its calls go on beside each other as those of a conversation, and its limit is one of the clock.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use std::time::{Duration, Instant};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");
/// Longer than any program of these tests may take, on a machine that has much else to do.
const ENDED_WITHIN: Duration = Duration::from_secs(60);

/// A desk with a server called `peer` whose tools need no approval.
fn desk() -> Desk {
    let desk = Desk::new();
    let added = desk.run(["mcp", "add", "peer", "--", SERVER]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let allowed = desk.run(["mcp", "allow", "peer", "wait", "--class", "read"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
    desk
}

fn executed(desk: &Desk, arguments: &[&str], program: &str) -> Value {
    let arguments = ["exec", "--json"].iter().chain(arguments).chain(&["-"]);
    let printed = desk.run_with(arguments, program);
    printed
        .json()
        .into_iter()
        .next()
        .unwrap_or_else(|| panic!("{}", printed.stderr))
}

#[test]
fn calls_of_others_that_are_made_at_once_are_performed_at_once() {
    let desk = desk();
    let program = "import asyncio
await peer.wait(seconds=0)
await asyncio.gather(*(peer.wait(seconds=5) for _ in range(4)))";
    let result = executed(&desk, &[], program);
    assert_eq!(result["ok"], true, "{result}");
    assert_eq!(result["calls"].as_array().unwrap().len(), 5, "{result}");
    let after_start = result["ms"].as_u64().unwrap() - result["calls"][0]["ms"].as_u64().unwrap();
    assert!((5_000..15_000).contains(&after_start), "four of 5 s: {result}");
}

#[test]
fn a_program_gives_up_a_call_that_takes_too_long() {
    let desk = desk();
    let program = "import asyncio
seen = []
try:
    await asyncio.wait_for(peer.wait(seconds=300), 1)
except TimeoutError:
    seen.append('wait_for')
try:
    async with asyncio.timeout(1):
        await peer.wait(seconds=300)
except TimeoutError:
    seen.append('timeout')
task = asyncio.create_task(peer.wait(seconds=300))
await asyncio.sleep(1)
task.cancel()
try:
    await task
except asyncio.CancelledError:
    seen.append('cancel')
seen";
    let began = Instant::now();
    let result = executed(&desk, &["--limit-time", "200"], program);
    assert_eq!(
        result["value"],
        json!(["wait_for", "timeout", "cancel"]),
        "{result}"
    );
    assert!(
        began.elapsed() < ENDED_WITHIN,
        "it waited for calls that nobody wants"
    );
}

#[test]
fn the_limit_of_time_is_one_of_the_clock_for_sleeps_and_calls_too() {
    let desk = desk();
    for program in [
        "import time\ntime.sleep(300)",
        "import asyncio\nawait asyncio.sleep(300)",
        "await system.sleep(seconds=300)",
        "await peer.wait(seconds=250)",
        "try:\n    await peer.wait(seconds=250)\nexcept BaseException:\n    await peer.wait(seconds=250)",
    ] {
        let began = Instant::now();
        let result = executed(&desk, &["--limit-time", "2"], program);
        assert_eq!(result["error"]["type"], "TimeoutError", "{program}\n{result}");
        assert!(began.elapsed() < ENDED_WITHIN, "{program}");
    }
}

#[test]
fn a_program_that_ran_out_of_time_leaves_its_variables() {
    let desk = desk();
    let arguments = ["--session", "new-one", "--limit-time", "4"];
    let first = executed(&desk, &arguments, "kept = 41\nawait system.sleep(seconds=300)");
    assert_eq!(first["error"]["type"], "TimeoutError", "{first}");
    let second = executed(&desk, &["--session", "new-one"], "kept + 1");
    assert_eq!(second["value"], 42, "{second}");
}

#[test]
fn a_variable_that_a_program_deletes_does_not_come_back() {
    let desk = Desk::new();
    let in_session = |program: &str| executed(&desk, &["--session", "s"], program);
    in_session("x = 1\ny = 2\nz = 3");
    in_session("del x\ny = 20");
    let left = in_session("sorted(name for name in ('x', 'y', 'z') if name in globals())");
    assert_eq!(left["value"], json!(["y", "z"]), "{left}");
    assert_eq!(in_session("y + z")["value"], 23);
    let gone = in_session("x");
    assert_eq!(gone["error"]["type"], "NameError", "{gone}");
    // What fails on the way has deleted it all the same.
    in_session("del z\n1 / 0");
    assert_eq!(in_session("z")["error"]["type"], "NameError");
}
