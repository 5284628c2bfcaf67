//! The dashboard: what its figures say after tasks that ended in different ways, and what they never hold.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Longest wait for something that happens by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// The rows of the figures, each with its cells by the names of their columns.
struct Figures(Vec<Vec<(String, String)>>);

impl Figures {
    fn of(desk: &Desk, days: &str) -> Self {
        Self::read(&desk.run(["trace", "stats", "--days", days, "--csv"]).stdout)
    }

    /// No cell of these tests holds a comma.
    fn read(text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
        let head: Vec<String> = lines.next().unwrap().collect();
        Self(
            lines
                .map(|cells| head.iter().cloned().zip(cells).collect())
                .collect(),
        )
    }

    fn rows(&self, what: &str) -> Vec<&Vec<(String, String)>> {
        self.0.iter().filter(|row| cell(row, "what") == what).collect()
    }

    /// Cells of the only row of that kind, or of the last one, which is today's among the days.
    fn cells<const N: usize>(&self, what: &str, columns: [&str; N]) -> [String; N] {
        let rows = self.rows(what);
        let row = rows.last().unwrap_or_else(|| panic!("{what} in {:#?}", self.0));
        columns.map(|column| cell(row, column).to_owned())
    }
}

fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    let found = row.iter().find(|(name, _)| name == column);
    &found.unwrap_or_else(|| panic!("{column} in {row:?}")).1
}

/// One request to the program that has the folder open, as windows send it.
fn asked(desk: &Desk, request: &Value) -> Value {
    let socket = std::fs::read_to_string(desk.data().join("lock")).unwrap();
    let mut stream = UnixStream::connect(socket.trim()).unwrap();
    stream.write_all(format!("{request}\n").as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap()
}

#[test]
fn a_good_task_a_failed_one_and_a_refused_call_stand_in_the_figures() {
    let refusal = Answer::Status {
        code: 401,
        headers: vec![],
        body: r#"{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}"#.to_owned(),
    };
    let server = ModelServer::start([
        reply("add"),
        reply("total"),
        reply("read_hosts"),
        Answer::Text("You refused, so I can't say.".to_owned()),
        refusal,
    ]);
    let desk = Desk::with_model(&server.url());
    assert_eq!(desk.run(["ask", "add 12 and 30"]).code, Some(0));
    let waiting = desk.run(["--json", "ask", "how long is my host name?"]);
    let run = waiting.event("run_started")["run"].as_str().unwrap().to_owned();
    let before = Figures::of(&desk, "7");
    assert_eq!(
        before.cells("day", ["runs", "completed", "unfinished"]),
        ["2", "1", "1"]
    );
    let call = waiting.event("approval_needed")["call"].to_string();
    desk.run(["refuse", &run, &call, "--reason", "not mine"]);
    assert_eq!(desk.run(["ask", "why?"]).code, Some(4));

    let figures = Figures::of(&desk, "7");
    assert_eq!(figures.rows("day").len(), 7);
    let today = ["runs", "completed", "failed_runs", "unfinished", "calls"];
    assert_eq!(figures.cells("day", today), ["3", "2", "1", "0", "4"]);
    let tokens = ["input_tokens", "output_tokens"];
    assert_eq!(figures.cells("day", tokens), figures.cells("model", tokens));
    let [name, calls, failures] = figures.cells("model", ["name", "calls", "failures"]);
    assert_eq!(
        (name.as_str(), calls.as_str(), failures.as_str()),
        ("openai:scripted", "5", "1")
    );
    for row in [
        figures.cells("day", ["median_ms", "model_p95_ms"]),
        figures.cells("model", ["median_ms", "p95_ms"]),
    ] {
        assert!(row.iter().all(|ms| ms.parse::<u64>().is_ok()), "{row:?}");
    }
    let tools = figures.rows("tool");
    let read = tools
        .iter()
        .find(|row| cell(row, "name") == "files.read")
        .unwrap();
    let told = ["calls", "failures", "refused", "median_ms"].map(|column| cell(read, column));
    assert_eq!(
        told,
        ["1", "0", "1", ""],
        "a refused call is no failure and has no time"
    );
    assert_eq!(figures.cells("model_error", ["name", "failures"]), ["key", "1"]);
    let alone = figures.cells("without_either", ["runs", "completed", "failed_runs"]);
    assert_eq!(alone, ["3", "2", "1"]);
    assert_eq!(Figures::of(&desk, "1").rows("day").len(), 1);
    let whole = desk.run(["--json", "trace", "stats", "--csv"]).json();
    assert_eq!(whole[0]["period"]["completed"], 2, "JSON where JSON is asked for");
}

#[test]
fn runs_and_tokens_are_told_where_no_steps_are_kept() {
    let server = ModelServer::start([reply("add"), reply("total")]);
    let desk = Desk::with_model(&server.url());
    desk.run(["config", "set", "trace_days", "0"]);
    assert_eq!(desk.run(["ask", "add 12 and 30"]).code, Some(0));
    let figures = Figures::of(&desk, "7");
    let today = figures.cells("day", ["runs", "completed", "calls", "median_ms"]);
    assert_eq!(today, ["1", "1", "2", ""]);
    assert!(figures.rows("model").is_empty() && figures.rows("tool").is_empty());
}

#[test]
fn an_incognito_question_is_in_no_figure_and_windows_take_the_figures_out_as_a_file() {
    let server = ModelServer::start([Answer::Slow {
        text: "word ".repeat(4_000),
        pause: Duration::from_millis(20),
    }]);
    let desk = Desk::with_model(&server.url());
    let mut child = desk.spawn(["--json", "ask", "--incognito", "tell me"], Stdio::null());
    let begun = Instant::now();
    while server.requests().is_empty() {
        assert!(begun.elapsed() < PATIENCE, "it asks its model");
        std::thread::sleep(Duration::from_millis(10));
    }
    let show = json!({ "request": "dashboard", "action": { "action": "show", "days": 7 } });
    let shown = asked(&desk, &show);
    let counted = &shown["dashboard"];
    assert_eq!(counted["days"].as_array().unwrap().len(), 7, "{shown}");
    assert_eq!(counted["period"]["unfinished"], 0);
    assert_eq!(counted["models"], json!([]));
    let file = desk.path("figures.csv");
    let action = json!({ "action": "export", "days": 30, "path": file });
    let written = asked(&desk, &json!({ "request": "dashboard", "action": action }));
    assert_eq!(written["reply"], "dashboard_file", "{written}");
    let figures = Figures::read(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(written["rows"], figures.0.len());
    assert_eq!(figures.rows("day").len(), 30);
    let nowhere = json!({ "action": "export", "days": 30, "path": "figures.csv" });
    let refused = asked(&desk, &json!({ "request": "dashboard", "action": nowhere }));
    assert_eq!(refused["error"]["code"], "input", "{refused}");
    child.kill().unwrap();
    child.wait().unwrap();
}
