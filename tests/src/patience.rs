//! Programs of a test that end, or are told what they hung in: a test that waits for ever says nothing to anybody.

use std::process::{Child, Output};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Longest run of one program of a test. The slowest takes a quarter of it on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a program printed once it has ended. Where it does not in time, its threads are told and all tests end: what holds
/// its output open may be another process, and would hold this one, too.
///
/// # Panics
/// When its output can't be read.
#[must_use]
pub fn ended(child: Child) -> Output {
    let pid = child.id();
    let (over, is_over) = channel::<()>();
    let watching = std::thread::spawn(move || {
        if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            eprintln!("process {pid} did not end in {PATIENCE:?}:\n{}", threads_of(pid));
            std::process::abort();
        }
    });
    let output = child.wait_with_output().expect("its output can be read");
    drop(over);
    watching.join().expect("it was awaited");
    output
}

/// What a process was called with, and for each thread its name and the call of the system that it waits in.
fn threads_of(pid: u32) -> String {
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
    let called = read(format!("/proc/{pid}/cmdline")).replace('\0', " ");
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten();
    let told = tasks.filter_map(Result::ok).map(|task| {
        let of = |name: &str| {
            read(task.path().join(name).display().to_string())
                .trim()
                .to_owned()
        };
        format!("{} {} {}\n", of("comm"), of("wchan"), of("syscall"))
    });
    format!("{called}\n{}", told.collect::<String>())
}
