//! The network of background commands: their hosts are allowed before they begin, and hold without anybody being there.

use crate::net::{ALLOWED, NOT_ALLOWED, Server, can_have_net};
use crate::shell::{ask, programs, work};
use serde_json::Value;
use shidi_tests::command::Desk;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest wait for what other processes do, and how often it is looked for.
const WAITED_MOST: Duration = Duration::from_secs(60);
const LOOKED_EVERY: Duration = Duration::from_millis(10);

fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < WAITED_MOST, "it never came to it");
        std::thread::sleep(LOOKED_EVERY);
    }
}

fn text(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

/// Runs a program in a session of its own, with leave for these hosts; gives what it printed and how its run is named.
fn exec(desk: &Desk, leaves: &[&Server], program: &str) -> (String, String) {
    let work = work(desk).display().to_string();
    let leaves: Vec<String> = leaves.iter().map(|server| server.leave()).collect();
    let mut words = vec!["exec", "--json", "--session", "new", "--folder", &work];
    words.extend(leaves.iter().flat_map(|leave| ["--allow", leave]));
    words.push("-");
    let printed = desk.run_with(&words, program);
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
    let mut events = printed.json().into_iter();
    let run = events.find_map(|event| event["run"].as_str().map(str::to_owned));
    (printed.stdout, run.unwrap())
}

#[test]
fn a_background_command_reaches_the_hosts_that_it_named_and_no_other_one() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !can_have_net(&desk) {
        return;
    }
    let (named, other) = (Server::start(ALLOWED), Server::start(NOT_ALLOWED));
    let program = format!(
        "job = await shell.background(\"curl -sS http://{0}/; curl -sS -m 9 http://{1}/; echo over\", hosts=[\"{0}\"])\n\
         r = await shell.wait(job[\"id\"])\nr = await shell.status(job[\"id\"])\nprint(r.data)",
        named.host, other.host
    );
    let (output, run) = exec(&desk, &[&named, &other], &program);
    assert!(output.contains("hello") && output.contains("over"), "{output}");
    assert!(output.contains("among hosts=["), "{output}");
    assert!(
        output.contains(&format!("'refused_hosts': ['{}']", other.host)),
        "{output}"
    );
    // The other host is allowed to the program, and is still none of the job's.
    assert_eq!((named.count(), other.count()), (1, 0));
    let spans: Vec<Value> = desk.run(["--json", "trace", "show", &run]).json();
    let all = serde_json::to_string(&spans).unwrap();
    let connections = all.matches("\"operation\":\"connection\"").count();
    assert_eq!(connections, 2, "each once, though two calls heard of them: {all}");
    assert!(all.contains("\"error.type\":\"local_network\""), "{all}");
}

#[test]
fn a_background_command_reaches_its_hosts_when_the_program_that_began_it_is_gone() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !can_have_net(&desk) {
        return;
    }
    let named = Server::start(ALLOWED);
    let command = format!(
        "until [ -e go ]; do sleep 0.05; done; curl -s http://{}/ > got",
        named.host
    );
    let program = format!(
        "await shell.background(\"{command}\", hosts=[\"{}\"])",
        named.host
    );
    exec(&desk, &[&named], &program);
    assert_eq!(named.count(), 0);
    std::fs::write(work(&desk).join("go"), "").unwrap();
    let got = work(&desk).join("got");
    until(|| text(&got) == "hello\n");
    assert_eq!(named.count(), 1);
}

#[test]
fn a_background_command_whose_host_nobody_allowed_does_not_begin_and_its_program_can_ask() {
    let named = Server::start(ALLOWED);
    let program = format!(
        "await shell.background(\"touch began; curl -s http://{0}/\", hosts=[\"{0}\"])",
        named.host
    );
    let asks = format!("await shell.connect('{}')", named.host);
    let server = programs(&[&program, &asks]);
    let desk = Desk::with_model(&server.url());
    if !can_have_net(&desk) {
        return;
    }
    let printed = ask(&desk, &["fetch it"]);
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let error = printed.event("output").to_string();
    assert!(error.contains("PermissionError"), "{error}");
    assert!(error.contains("await shell.connect("), "{error}");
    assert_eq!(printed.event("approval_needed")["tool"], "shell.connect");
    assert!(!work(&desk).join("began").exists());
    assert_eq!(named.count(), 0);
}
