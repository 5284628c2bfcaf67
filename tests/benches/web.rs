//! Measures `web.fetch` of a page of one megabyte, from the request to its Markdown, as a program waits for it; and the
//! bare request for the same page in the same run. The product's limit is 150 ms at p95.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops where it fails"
)]

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::web_server::{Page, WebServer};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

const ROUNDS: usize = 15;
/// Bytes of the page.
const BYTES: usize = 1 << 20;
/// How many milliseconds a fetch may take at p95.
const MOST: f64 = 150.0;

fn main() {
    let server = WebServer::start();
    let page = page();
    println!(
        "a page of {} KB, {ROUNDS} rounds              p50        p95",
        page.len() >> 10
    );
    let mut bare = Vec::new();
    for round in 0..ROUNDS {
        server.put(&format!("/{round}"), Page::html(&page));
        let started = Instant::now();
        let mut stream = TcpStream::connect(server.host()).expect("the server");
        let request = format!("GET /{round} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        bare.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let desk = Desk::new();
    let addresses: Vec<String> = (0..ROUNDS)
        .map(|round| format!("'{}'", server.at(&format!("/{round}"))))
        .collect();
    let program = format!(
        "pages = [{}]\ntimes = []\nfor page in pages:\n    began = (await system.time()).data['unix_ms']\n    read = await \
         web.fetch(page)\n    times.append((await system.time()).data['unix_ms'] - began)\n    assert '| 7 |' in \
         read.data['text'] or '|7|' in read.data['text']\ntimes",
        addresses.join(", ")
    );
    let printed = desk.run_with(
        ["exec", "--json", "--allow", "web.*", "--limit-time", "300", "-"],
        &program,
    );
    let told = printed.json().pop().expect("a result");
    let times = told["value"].as_array().expect("times");
    let mut fetched: Vec<f64> = times.iter().filter_map(Value::as_f64).collect();
    let late = row("web.fetch, to Markdown", &mut fetched);
    row("beside it: the bare request", &mut bare);
    let kept = if late <= MOST { "kept" } else { "MISSED" };
    println!("  {late:.1} ms at p95; the limit of {MOST} ms is {kept}");
}

/// An article of a megabyte with links and tables.
fn page() -> String {
    let mut page =
        "<!doctype html><title>A long page 长页</title><nav><a href=/>Home</a></nav><article><h1>Long</h1>"
            .to_owned();
    let mut number = 0;
    while page.len() < BYTES {
        number += 1;
        page.push_str(&format!(
            "<h2>Part {number}</h2><p>The quick brown fox jumps over <a href='/p/{number}'>the lazy dog {number}</a>, and \
             goes on for a while, as texts do. 第 {number} 段：付款期限为三十天，自收到发票之日起计算。</p><table><tr><th>Item</th>\
             <th>Price</th></tr><tr><td>Apple</td><td>{number}</td></tr></table><ul><li>one</li><li>two</li></ul>"
        ));
    }
    page.push_str("</article>");
    page
}

/// Prints a row, and returns its p95.
fn row(name: &str, times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| {
        times
            .get((times.len() * part / 100).min(times.len().saturating_sub(1)))
            .copied()
    };
    let late = at(95).unwrap_or_default();
    println!("{name:<40} {:>7.1} ms {late:>7.1} ms", at(50).unwrap_or_default());
    late
}
