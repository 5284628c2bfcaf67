//! Measures a tool call of an MCP server through Shidi's client, beside the bare official library on which it stands. Each
//! has a process of the same server, and their calls come by turns in one run.
//!
//! The product's limit is 3 ms more at p95. What the client adds is bounds, cleaning, the log and the end of a call that
//! nobody waits for.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::{Value, json};
use shidi_mcp_client::{Era, Launch, Limits, Server, ServerSpec};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::Instant;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

const ROUNDS: usize = 2_000;
/// Calls of each before any is counted.
const WARMING: usize = 100;
/// How many milliseconds more a call may take at p95.
const MORE_MAX: f64 = 3.0;
/// Bytes of the longer result.
const TEXT_BYTES: usize = 32 << 10;

const PROGRAM: &str = env!("CARGO_BIN_EXE_shidi-test-server");
/// What the server says where it has something to say.
const TEXT: &str = "SHIDI_TEST_TEXT";

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measured());
}

async fn measured() {
    let text = "what it says ".repeat(TEXT_BYTES / 13);
    let own = Server::connect(spec(&text), Limits::default());
    let own = own.await.expect("our client connects");
    let (bare, _child) = library(&text).await;
    println!("{ROUNDS} calls by turns                              p50         p95");
    for (tool, args, name) in [
        ("add", json!({"a": 1, "b": 2}), "a sum"),
        ("read_text", json!({}), "a text of 32 KB"),
    ] {
        compared(&own, &bare, tool, &args, name).await;
    }
    own.close().await;
}

fn spec(text: &str) -> ServerSpec {
    ServerSpec {
        name: "peer".to_owned(),
        launch: Launch::Command {
            program: PROGRAM.to_owned(),
            args: Vec::new(),
            env: BTreeMap::from([(TEXT.to_owned(), text.to_owned().into())]),
        },
        era: Era::Auto,
    }
}

/// The bare library with a server of its own, which ends with the returned child.
async fn library(text: &str) -> (RunningService<RoleClient, ()>, Child) {
    let mut child = Command::new(PROGRAM)
        .env(TEXT, text)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the server starts");
    let (output, input) = (child.stdout.take(), child.stdin.take());
    let (output, input) = (output.expect("its output"), input.expect("its input"));
    let transport = AsyncRwTransport::new_client(output, input);
    let service = rmcp::serve_client((), transport).await;
    (service.expect("the library connects"), child)
}

async fn compared(own: &Server, bare: &RunningService<RoleClient, ()>, tool: &str, args: &Value, name: &str) {
    let tools = own.tools().await.expect("its tools");
    let known = tools.iter().find(|known| known.name == tool).expect("the tool");
    let args = args.as_object().cloned().unwrap_or_default();
    let stop = CancellationToken::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..WARMING + ROUNDS {
        let began = Instant::now();
        let outcome = own.call(known, args.clone(), &stop).await;
        let took = began.elapsed().as_secs_f64() * 1e3;
        assert!(outcome.error.is_none(), "{:?}", outcome.error);
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args.clone());
        let began = Instant::now();
        let result = bare.call_tool(params).await.expect("a result");
        let bare_took = began.elapsed().as_secs_f64() * 1e3;
        assert_ne!(result.is_error, Some(true));
        if round >= WARMING {
            ours.push(took);
            theirs.push(bare_took);
        }
    }
    let own_late = row(&format!("{name}: Shidi's client"), &mut ours);
    let bare_late = row("  beside it: the bare library", &mut theirs);
    let more = own_late - bare_late;
    let kept = if more <= MORE_MAX { "kept" } else { "MISSED" };
    println!("  {more:+.3} ms at p95; the limit of +{MORE_MAX} ms is {kept}");
}

/// Prints a row, and returns its p95.
fn row(name: &str, times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    };
    let late = at(95);
    println!("{name:<40} {:>8.3} ms {late:>8.3} ms", at(50));
    late
}
