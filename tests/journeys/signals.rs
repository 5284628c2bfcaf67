//! The end of a command from outside: as Ctrl-C, and with whatever it started.

use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ENDS_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits until something is there.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + ENDS_WITHIN;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(LOOK_EVERY);
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Whether whoever started this process wants what it starts to outlive a terminal, as `nohup` does.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.starts_with('Z'));
    state == Some(false)
}

/// Arguments of a server that never answers, does not mind that nobody speaks to it, and has a child.
fn hung(notes: &str) -> [String; 7] {
    let script = format!(
        "sleep 300 & echo $$ $! > {notes}.part; mv {notes}.part {notes}; trap '' TERM; wait; sleep 300"
    );
    ["mcp", "add", "hung", "--", "sh", "-c", &script].map(str::to_owned)
}

#[test]
fn a_command_that_is_ended_from_outside_leaves_no_server_running() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        if signal == "-HUP" && hangups_are_ignored() {
            println!(
                "NOT RUN: a closed terminal; these tests run where hangups are ignored, and so do commands"
            );
            continue;
        }
        let desk = Desk::new();
        let notes = desk.path("notes");
        let mut child = desk.spawn(hung(notes.to_str().unwrap()), Stdio::null());
        let pids = until("no server", || std::fs::read_to_string(&notes).ok());
        let pids: Vec<&str> = pids.split_whitespace().collect();
        assert!(pids.iter().all(|pid| is_alive(pid)), "{pids:?}");
        send(signal, &child);
        let status = until("the command goes on", || child.try_wait().unwrap());
        assert_eq!(status.code(), Some(130), "{signal}");
        until("the server goes on", || {
            pids.iter().all(|pid| !is_alive(pid)).then_some(())
        });
    }
}

#[test]
fn a_server_that_does_not_answer_is_named_while_it_is_waited_for_and_ctrl_c_gives_it_up() {
    let desk = Desk::new();
    let words = ["mcp", "add", "hung", "--", "sleep", "300"];
    let mut child = desk.spawn(words, Stdio::null());
    let mut line = String::new();
    let said = child.stderr.as_mut().unwrap();
    BufReader::new(said).read_line(&mut line).unwrap();
    assert!(line.contains("hung") && line.contains("90 s"), "{line}");
    send("-INT", &child);
    let status = until("the command goes on", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
    let table = std::fs::read_to_string(desk.data().join("mcp.toml"));
    assert!(!table.unwrap_or_default().contains("hung"));
}

#[test]
fn a_program_that_is_ended_from_outside_ends_as_by_ctrl_c() {
    let desk = Desk::new();
    let program = desk.path("long.py");
    std::fs::write(&program, "import time\ntime.sleep(300)").unwrap();
    let mut child = desk.spawn(["exec", program.to_str().unwrap()], Stdio::null());
    let lock = desk.data().join("lock");
    until("no runtime", || {
        std::fs::read_to_string(&lock)
            .ok()
            .filter(|text| text.contains('/'))
    });
    send("-TERM", &child);
    let status = until("the command goes on", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_task_whose_model_answers_while_its_program_ends_can_be_resumed() {
    let words: Vec<String> = (1..400).map(|number| format!("word{number}")).collect();
    let story = Answer::Slow {
        text: words.join(" "),
        pause: Duration::from_millis(50),
    };
    let server = ModelServer::start([story, Answer::Text("The end.".into())]);
    let desk = Desk::with_model(&server.url());
    let program = desk.path("long.py");
    std::fs::write(&program, "import time\ntime.sleep(300)").unwrap();
    let mut runtime = desk.spawn(["exec", program.to_str().unwrap()], Stdio::null());
    let lock = desk.data().join("lock");
    until("no runtime", || {
        std::fs::read_to_string(&lock)
            .ok()
            .filter(|text| text.contains('/'))
    });
    let mut asked = desk.spawn(["ask", "--json", "Tell me a story"], Stdio::null());
    let mut lines = BufReader::new(asked.stdout.take().unwrap()).lines();
    let run = loop {
        let event: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        if event["type"] == "delta" {
            break event["run"].as_str().unwrap().to_owned();
        }
    };
    // Nobody watches any more, so the runtime waits for nobody.
    asked.kill().unwrap();
    asked.wait().unwrap();
    send("-TERM", &runtime);
    until("the command goes on", || runtime.try_wait().unwrap());
    let resumed = desk.run(["resume", "--json", &run]);
    assert_eq!(resumed.code, Some(0), "{}{}", resumed.stdout, resumed.stderr);
    assert_eq!(resumed.event("answer")["text"], "The end.");
}
