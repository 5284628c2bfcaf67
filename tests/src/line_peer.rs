//! A program that starts `shidi` and speaks JSON-RPC with it: one line for each message, written by hand.

use crate::command::Desk;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longest wait for a message, on a loaded machine.
pub const WAIT: Duration = Duration::from_secs(120);

pub struct LinePeer {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    last: u64,
}

impl LinePeer {
    /// Starts `shidi` with these words. A line that is no message fails the test as its message is waited for.
    ///
    /// # Panics
    /// When it can't be started.
    pub fn start<Argument: AsRef<OsStr>>(desk: &Desk, arguments: impl IntoIterator<Item = Argument>) -> Self {
        let mut child = desk.spawn(arguments, Stdio::piped());
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line)
                    .unwrap_or_else(|_| panic!("no message on standard output: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            messages,
            last: 0,
        }
    }

    /// Writes a line, whatever it is.
    ///
    /// # Panics
    /// When nobody reads.
    pub fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(format!("{line}\n").as_bytes()).expect("it reads");
        input.flush().expect("it reads");
    }

    /// Sends a request, and gives its number.
    pub fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        self.write(&message.to_string());
        self.last
    }

    /// The next message.
    ///
    /// # Panics
    /// When none comes.
    pub fn message(&mut self) -> Value {
        self.messages.recv_timeout(WAIT).expect("a message")
    }

    /// Ends the process as `kill -9` does.
    ///
    /// # Panics
    /// When there is none.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    /// Closes its input, and waits for the end.
    ///
    /// # Panics
    /// When it goes on.
    pub fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        let begun = Instant::now();
        while begun.elapsed() < WAIT {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.kill();
        panic!("it goes on although its input has ended");
    }
}
