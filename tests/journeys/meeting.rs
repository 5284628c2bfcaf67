//! Two commands in one data folder: who waits for the other says so, and ends as the contract tells.

use crate::incognito::{Connection, until};
use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::patience::ended;
use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

/// Longer than a command waits without a word, far shorter than what it waits for here.
const A_MOMENT: Duration = Duration::from_millis(2_500);

#[test]
fn a_command_that_waits_for_another_one_through_its_process_says_so() {
    let desk = Desk::new();
    let program = desk.path("wait.py");
    std::fs::write(&program, "await system.sleep(seconds=1)\nprint('slept')").unwrap();
    let first = desk.spawn(["exec", program.to_str().unwrap()], Stdio::null());
    until("it has the data folder", || {
        std::fs::read_to_string(desk.data().join("lock")).is_ok_and(|socket| !socket.trim().is_empty())
    });
    let mut second = Connection::ask(&desk, &json!({"request": "incognito"}));
    assert!(second.next().is_some(), "it works through the first one");
    std::thread::sleep(Duration::from_secs(1) + A_MOMENT);
    drop(second);
    let first = Printed::of(ended(first));
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("slept"), "{first:?}");
    let waits = "waiting for another shidi command that works through this process";
    assert!(first.stderr.contains(waits), "{first:?}");
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
    let free = desk.run(["config", "list"]);
    assert!(free.code == Some(0) && free.stderr.is_empty(), "{free:?}");
}
