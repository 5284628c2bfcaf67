//! A user at a terminal, who sends what a server asks for, lets it ask the model, and refuses whatever else is asked.

use shidi_tests::command::{Desk, Printed, shidi};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Longest wait for anything new on the screen.
const SCREEN_WAIT: Duration = Duration::from_secs(90);

/// How a question ends that is about a call.
const APPROVAL: &str = "[n]o: ";

/// What stands on the screen where something is asked, and what is typed then: the first choice of a server's question, what
/// a field holds already, and no.
const TYPED: [(&str, &str); 4] = [
    ("Answer: ", "1\n"),
    ("】]: ", "\n"),
    (APPROVAL, "n\n"),
    ("Reason (may be empty): ", "\n"),
];

/// Whether there is a program that gives others a terminal; says NOT RUN where there is none.
pub fn is_there() -> bool {
    let is_there = Command::new("script").arg("--version").output().is_ok();
    if !is_there {
        println!("NOT RUN: script (util-linux) is not installed");
    }
    is_there
}

/// Runs `shidi` to its end; with it comes how often a call was refused, at most `most` times.
pub fn ended(desk: &Desk, arguments: &[&str], most: usize) -> (Printed, usize) {
    let program = shidi().display().to_string();
    let words = [&[program.as_str(), "--lang", "en"], arguments].concat();
    let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let mut child = desk
        .command_of(Path::new("script"), ["-qefc", &line.join(" "), "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = child.stdin.take().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let (sender, pieces) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut piece) {
            if sender.send(piece[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    let (mut shown, mut from, mut refused) = (Vec::new(), 0, 0);
    loop {
        match pieces.recv_timeout(SCREEN_WAIT) {
            Ok(piece) => shown.extend(piece),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill().unwrap();
                break;
            }
        }
        let new = String::from_utf8_lossy(&shown[from..]);
        let Some((awaited, line)) = TYPED.iter().find(|(awaited, _)| new.contains(awaited)) else {
            continue;
        };
        refused += usize::from(*awaited == APPROVAL);
        assert!(refused < most, "the user is asked for ever: {new}");
        // What is typed shows too, and asks nothing.
        from = shown.len();
        keys.write_all(line.as_bytes()).unwrap();
    }
    drop(keys);
    let printed = Printed {
        code: child.wait().unwrap().code(),
        stdout: String::from_utf8_lossy(&shown).replace('\r', ""),
        stderr: String::new(),
    };
    (printed, refused)
}
