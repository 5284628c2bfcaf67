//! Measures a summon with its full context: the page that a browser tells, the window, its text and its selection. The
//! gate and the chip that is made of them count, too.
//!
//! Budget: ≤ 150 ms at p95, and ≤ 60 ms from the page to Shidi. Another program asks, by `shidi mcp serve`, and the process
//! that holds the data folder answers. That is one hop more than the panel has.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use serde_json::{Value, json};
use shidi_tests::browser::Browser;
use shidi_tests::command::{Desk, Staying};
use shidi_tests::gtk_window::GtkWindow;
use shidi_tests::line_peer::LinePeer;
use std::time::{Duration, Instant};

/// Summons measured; the first ones connect to the bus and warm what they share.
const ROUNDS: usize = 40;
const WARM_UP: usize = 5;
/// How many milliseconds each may take at p95.
const SUMMON_MOST: f64 = 150.0;
const PAGE_MOST: f64 = 60.0;
/// Longest wait until the browser has told the process of its page.
const PATIENCE: Duration = Duration::from_secs(30);

const TITLE: &str = "Query editor";
/// Paragraphs of the page: as much text as 10,000 elements have.
const PARAGRAPHS: usize = 2_000;

fn main() {
    let mut desk = Desk::new();
    for name in ["DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"] {
        match std::env::var(name) {
            Ok(value) => desk.set(name, &value),
            Err(_) if name == "XAUTHORITY" => {}
            Err(_) => return println!("NOT RUN: summon with full context ({name} is not set)"),
        }
    }
    let set = |key: &str, value: &str| desk.run(["config", "set", key, value]);
    set("mcp.serve", "on");
    desk.run(["mcp", "clients", "allow", "Bench"]);
    let title = format!("{TITLE} - Chromium");
    let shown = GtkWindow::show(&["Chromium", &title, "Ship the lamp on Friday", "lamp on Friday"]);
    let Some(_window) = shown else {
        return;
    };
    let browser = Browser::paired(&desk, page());
    browser.holds(content(), 2);
    println!("summon with full context, {ROUNDS} rounds            p50        p95");
    set("privacy.accessibility", "off");
    set("privacy.selection", "off");
    row("page, and the name of its window", measured(&desk), PAGE_MOST);
    set("privacy.accessibility", "on");
    set("privacy.selection", "on");
    row(
        "page, window, text, selection, gate, chip",
        measured(&desk),
        SUMMON_MOST,
    );
}

/// The times of looks in milliseconds; `None` where the page never came.
fn measured(desk: &Desk) -> Option<Vec<f64>> {
    let _holder = Staying::start(desk);
    let mut client = LinePeer::start(desk, ["mcp", "serve"]);
    let own = json!({"name": "Bench", "version": "1"});
    let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": own});
    answered(&mut client, "initialize", &about);
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    let began = Instant::now();
    while !is_whole(&looked(&mut client)) {
        if began.elapsed() > PATIENCE {
            return None;
        }
    }
    let mut times = Vec::new();
    for round in 0..ROUNDS + WARM_UP {
        let began = Instant::now();
        let seen = looked(&mut client);
        let took = began.elapsed().as_secs_f64() * 1e3;
        if round >= WARM_UP && is_whole(&seen) {
            times.push(took);
        }
    }
    client.kill();
    if times.len() < ROUNDS {
        println!("{} of {ROUNDS} looks had the page", times.len());
    }
    Some(times)
}

fn looked(client: &mut LinePeer) -> Value {
    let asked = json!({"name": "current_context", "arguments": {}});
    answered(client, "tools/call", &asked)
}

fn answered(client: &mut LinePeer, method: &str, params: &Value) -> Value {
    let id = client.send(method, params);
    loop {
        let message = client.message();
        if message["id"] == id {
            return message["result"].clone();
        }
    }
}

/// Whether a look has the page with what stands in it.
fn is_whole(seen: &Value) -> bool {
    let told = seen["structuredContent"].to_string();
    told.contains("The harbour of Ostmoor")
}

fn page() -> Value {
    json!({"type": "page", "tab": 7, "document": "doc-1", "url": "https://editor.example/q/1", "title": TITLE,
           "tools": []})
}

fn content() -> Value {
    let text =
        "The harbour of Ostmoor falls dry twice a day; see the table for the hours.\n".repeat(PARAGRAPHS);
    json!({"kind": "article", "language": "en", "title": TITLE, "text": text, "visible": &text[..800]})
}

/// Prints a row, with what became of its limit.
fn row(name: &str, times: Option<Vec<f64>>, most: f64) {
    let Some(mut times) = times.filter(|times| !times.is_empty()) else {
        return println!("NOT RUN: {name} (no look had the page)");
    };
    times.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let kept = if at(0.95) <= most { "kept" } else { "MISSED" };
    println!(
        "{name:<46} {:>7.1} ms {:>7.1} ms   {most} ms: {kept}",
        at(0.5),
        at(0.95)
    );
}
