//! Two commands in one data folder: who waits for the other says so, and ends as the contract tells.

use crate::incognito::{Connection, until};
use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::patience::ended;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::time::Duration;

/// Longest wait for a word of a command.
const PATIENCE: Duration = Duration::from_secs(60);

/// Of so many attempts one begins within a second, before anything is said; other work spoils some.
const ATTEMPTS: usize = 5;

#[test]
fn a_command_that_waits_for_another_one_through_its_process_says_so() {
    let gate = Arc::new(Barrier::new(2));
    let server = ModelServer::start([Answer::Gated {
        before: "It ".to_owned(),
        gate: Arc::clone(&gate),
        after: "is so.".to_owned(),
    }]);
    let desk = Desk::with_model(&server.url());
    let mut first = desk.spawn(["ask", "is it so?"], Stdio::null());
    let lines = BufReader::new(first.stderr.take().unwrap()).lines();
    let (told, is_told) = channel();
    let reading = std::thread::spawn(move || lines.map_while(Result::ok).all(|line| told.send(line).is_ok()));
    // It has the data folder then, and its answer does not end before the second one is there.
    until("it asks its model", || !server.requests().is_empty());
    let mut second = Connection::ask(&desk, &json!({"request": "incognito"}));
    assert!(second.next().is_some(), "it works through the first one");
    gate.wait();
    // The second one stays until the first has said that it waits.
    let waits = "waiting for another shidi command that works through this process";
    while !is_told.recv_timeout(PATIENCE).unwrap().contains(waits) {}
    drop(second);
    let first = Printed::of(ended(first));
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("It is so."), "{first:?}");
    assert!(reading.join().unwrap(), "nobody stopped to listen");
}

#[test]
fn a_command_that_finds_the_data_folder_taken_says_so_and_why_it_gives_up() {
    let desk = Desk::new();
    assert_eq!(desk.run(["config", "list"]).code, Some(0));
    // As a process has it that is starting: taken, and nobody answers there yet.
    let lock = File::options()
        .write(true)
        .truncate(true)
        .open(desk.data().join("lock"))
        .unwrap();
    lock.lock().unwrap();
    let refused = desk.run(["ask", "what time is it?"]);
    assert_eq!(refused.code, Some(5), "{refused:?}");
    let waits = refused.stderr.find("Waiting for another Shidi process");
    let why = refused.stderr.find("holds the data folder but does not answer");
    assert!(waits.is_some() && waits < why, "{refused:?}");
    drop(lock);
    let mut attempts = (0..ATTEMPTS).map(|_| desk.run(["config", "list"]));
    let is_silent = |free: Printed| {
        assert_eq!(free.code, Some(0), "{free:?}");
        free.stderr.is_empty()
    };
    assert!(attempts.any(is_silent), "it waits for nobody");
}
