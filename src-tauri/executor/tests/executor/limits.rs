//! Every bound ends the program with an error that names the bound; no bound ends the session.

use crate::common::{first_calls, kit, not_run, run, run_with, session, value};
use serde_json::json;
use shidi_executor::{CallAnswer, Limits, Loss, Outcome, Program, Progress, Session, Stopped};
use shidi_protocol::CallOutcome;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The promised time, with an allowance for a busy test machine.
const CANCEL_WITHIN: Duration = Duration::from_millis(200);
const FORGIVEN: Duration = Duration::from_millis(1_300);
/// Of so many attempts one keeps the promised time: other work on the machine spoils some, a fault all.
const ATTEMPTS: usize = 5;
/// Longest wait for what happens by itself; no program here may work as long.
const PATIENCE: Duration = Duration::from_secs(20);
/// Factor from processor time to wall clock on a busy machine.
const BUSY_FACTOR: u32 = 4;
/// A wall clock that even a busy machine uses up neither before a program waits nor behind its answer.
const WALL_MS: u64 = 3_000;

fn within(session: &mut Session, source: &str, limits: Limits) -> Outcome {
    run_with(session, source, &limits, Vec::new()).0
}

fn message(outcome: &Outcome) -> &str {
    outcome.error.as_ref().map_or("", |error| error.message.as_str())
}

#[test]
fn endless_work_ends_at_the_time_limit_and_the_variables_stay() {
    let mut session = session();
    for source in [
        "n = 1\nwhile True: pass",
        "n = 1\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ] {
        let outcome = within(
            &mut session,
            source,
            Limits {
                cpu_ms: 300,
                ..Limits::default()
            },
        );
        assert_eq!(
            message(&outcome),
            "TimeoutError: the program worked longer than the 300 ms it may"
        );
        assert_eq!(outcome.lost, None);
        assert_eq!(value(&mut session, "n"), json!(1));
    }
}

#[test]
fn a_hang_that_no_interpreter_limit_stops_is_killed_and_the_next_program_runs() {
    let mut session = session();
    let begun = Instant::now();
    let outcome = within(
        &mut session,
        "sum(range(10**12))",
        Limits {
            cpu_ms: 300,
            ..Limits::default()
        },
    );
    assert!(
        begun.elapsed() < Duration::from_millis(300 + 1000) * BUSY_FACTOR + PATIENCE,
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(outcome.lost, Some(Loss::Deadline));
    assert!(
        message(&outcome).starts_with("TimeoutError: the program did not end"),
        "{}",
        message(&outcome)
    );
    assert!(!session.keeps_variables());
    let restored = vec![("kept".to_owned(), json!(7))];
    assert_eq!(
        run_with(&mut session, "kept", &Limits::default(), restored)
            .0
            .value,
        json!(7)
    );
}

#[test]
fn memory_beyond_the_limit_is_a_memory_error() {
    let mut session = session();
    let limits = Limits {
        memory_bytes: 32 << 20,
        cpu_ms: 20_000,
        ..Limits::default()
    };
    for (source, lost) in [
        (
            "def f():\n    x = []\n    while True: x.append('abc' * 1000)\nf()",
            None,
        ),
        // A value kept in a variable leaves no room for another program.
        ("x = []\nwhile True: x.append('abc' * 1000)", Some(Loss::Memory)),
        // One step that asks for all memory at once cannot be interrupted.
        ("x = [0] * 10 ** 9", Some(Loss::Memory)),
    ] {
        let outcome = within(&mut session, source, limits);
        assert!(
            message(&outcome).starts_with("MemoryError"),
            "{source}: {}",
            message(&outcome)
        );
        assert_eq!(outcome.lost, lost, "{source}");
    }
    let bomb = within(&mut session, "('a' * 10 ** 6).join(['b'] * 10 ** 5)", limits);
    assert!(message(&bomb).starts_with("MemoryError"), "{}", message(&bomb));
    assert_eq!(value(&mut session, "1"), json!(1));
}

#[test]
fn a_lost_worker_says_so_and_leaves_the_stored_variables_as_they_were() {
    let mut session = session();
    let limits = Limits {
        memory_bytes: 32 << 20,
        cpu_ms: 20_000,
        ..Limits::default()
    };
    let source = "x = 2\ny = []\nwhile True: y.append('abc' * 1000)";
    let stored = vec![("x".to_owned(), json!(1))];
    let outcome = run_with(&mut session, source, &limits, stored.clone()).0;
    assert!(
        message(&outcome).ends_with("variables are lost"),
        "{}",
        message(&outcome)
    );
    assert!(outcome.variables.is_empty(), "{:?}", outcome.variables);
    let next = run_with(&mut session, "x", &limits, stored).0;
    assert_eq!(next.value, json!(1));
}

#[test]
fn memory_and_time_that_were_used_are_told() {
    let outcome = run(
        &mut session(),
        "x = 'a' * 10_000_000\nfor i in range(200000): pass\nx = 1",
    );
    assert!(
        outcome.memory_bytes > 10_000_000 && outcome.memory_bytes < 60_000_000,
        "{}",
        outcome.memory_bytes
    );
    assert!(outcome.cpu_ms >= 1, "{}", outcome.cpu_ms);
}

#[test]
fn output_beyond_the_limit_is_cut_with_a_mark_and_ends_the_program() {
    let mut session = session();
    let limits = Limits {
        output_bytes: 1000,
        ..Limits::default()
    };
    let outcome = within(&mut session, "for i in range(10 ** 6): print('é' * 10)", limits);
    assert_eq!(
        message(&outcome),
        "RuntimeError: the program printed more than the 1000 bytes it may"
    );
    assert!(
        outcome.stdout.len() < 1100 && outcome.stdout.ends_with("[output cut after 1000 bytes]\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn calls_beyond_the_limit_end_the_program_uncatchably() {
    let limits = Limits {
        calls: 5,
        ..Limits::default()
    };
    let source = "done = 0\nwhile True:\n    try:\n        await kit.now()\n        done += 1\n    except BaseException: pass";
    let mut session = session();
    let (outcome, made) = run_with(&mut session, source, &limits, Vec::new());
    assert_eq!(
        (made.len(), message(&outcome)),
        (5, "RuntimeError: the program made more than the 5 calls it may")
    );
    assert_eq!(value(&mut session, "done"), json!(5));
}

/// A program that waits for an answer, and since when.
struct Waiting {
    session: Session,
    number: u32,
    since: Instant,
}

impl Waiting {
    fn begun(limits: &Limits) -> Self {
        let mut session = session();
        let toolkits = kit();
        let program = Program {
            source: "await kit.now()",
            toolkits: &toolkits,
            variables: Vec::new(),
        };
        let Progress::Calls(calls) = session.run(program, limits).expect("it runs") else {
            panic!("it ended")
        };
        Self {
            session,
            number: calls[0].number,
            since: Instant::now(),
        }
    }

    /// That its wall clock runs while it waits is what is tested, so the clock itself is waited for.
    fn until_its_time_is_over(&self) {
        while !self.session.time_left().is_zero() {
            std::thread::park_timeout(self.session.time_left());
        }
    }

    fn answered(mut self) -> Outcome {
        let answer = CallAnswer {
            number: self.number,
            outcome: CallOutcome::success(json!(1), ""),
        };
        let Progress::Ended(outcome) = self.session.resume(vec![answer]).expect("it goes on") else {
            panic!("it waits")
        };
        outcome
    }
}

#[test]
fn waiting_counts_against_the_wall_clock_alone_unless_it_is_forgiven() {
    let limits = Limits {
        wall_ms: WALL_MS,
        cpu_ms: 2 * WALL_MS,
        ..Limits::default()
    };
    let counted = Waiting::begun(&limits);
    let mut forgiven = Waiting::begun(&limits);
    counted.until_its_time_is_over();
    forgiven.until_its_time_is_over();
    let counted = counted.answered();
    assert_eq!(
        message(&counted),
        format!("TimeoutError: the program took longer than the {WALL_MS} ms it may")
    );
    assert_eq!(counted.lost, None);
    let wait = forgiven.since.elapsed();
    forgiven.session.forgive(wait);
    let forgiven = forgiven.answered();
    assert_eq!(forgiven.error, None);
    assert_eq!(forgiven.lost, None);
}

#[test]
fn a_program_is_stopped_at_once_whatever_it_is_doing() {
    for source in [
        "while True: pass",
        "sum(range(10**12))",
        "import json\nwhile True: json.dumps(list(range(10 ** 5)))",
    ] {
        let mut took: Vec<Duration> = Vec::new();
        while took.len() < ATTEMPTS && took.iter().all(|one| *one >= CANCEL_WITHIN + FORGIVEN) {
            took.push(time_to_stop(source));
        }
        println!("{source:?}: {took:?}");
        assert!(
            took.iter().any(|one| *one < CANCEL_WITHIN + FORGIVEN),
            "{source}: {took:?}"
        );
    }
}

/// How long a program goes on once it was told to stop.
fn time_to_stop(source: &str) -> Duration {
    let mut session = session();
    value(&mut session, "1");
    let stopper = session.stopper();
    let (started, has_started) = std::sync::mpsc::channel();
    let stopping = std::thread::spawn(move || {
        has_started.recv().expect("it starts");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(50) || stopper.stop() == Stopped::Idle {
            std::thread::yield_now();
        }
        Instant::now()
    });
    started.send(()).expect("somebody listens");
    let outcome = run(&mut session, source);
    let ended = Instant::now();
    let stopped = stopping.join().expect("it stops");
    assert_eq!(outcome.lost, Some(Loss::Stopped), "{source}");
    assert_eq!(
        outcome.error.map(|error| error.kind).as_deref(),
        Some("KeyboardInterrupt")
    );
    assert_eq!(value(&mut session, "1 + 1"), json!(2));
    ended.saturating_duration_since(stopped)
}

/// What a program had printed that was stopped after a while.
fn printed_until_stopped(wait: Duration) -> String {
    let mut session = session();
    value(&mut session, "1");
    let stopper = session.stopper();
    let stopping = std::thread::spawn(move || {
        let begun = Instant::now();
        while begun.elapsed() < wait || stopper.stop() == Stopped::Idle {
            std::thread::yield_now();
        }
    });
    let outcome = run(&mut session, "print('one')\nprint('two')\nwhile True:\n    pass");
    stopping.join().expect("it stops");
    assert_eq!(outcome.lost, Some(Loss::Stopped));
    outcome.stdout
}

#[test]
fn what_a_stopped_program_had_printed_is_kept() {
    // Nobody tells from outside when it has printed: on a busy machine it is given more time.
    let waits = [200, 1_000, 4_000].map(Duration::from_millis);
    let mut printed = waits.map(|_| String::new());
    let is_kept = waits.iter().zip(&mut printed).any(|(wait, printed)| {
        *printed = printed_until_stopped(*wait);
        printed.as_str() == "one\ntwo\n"
    });
    assert!(is_kept, "{printed:?}");
}

#[test]
fn what_a_program_that_waits_has_printed_is_known_however_much_it_is() {
    let mut session = session();
    first_calls(
        &mut session,
        "for n in range(5000):\n    print(n)\nawait kit.now()",
    );
    let expected: String = (0..5000).map(|n| format!("{n}\n")).collect();
    assert_eq!(session.printed(), expected);
}

#[test]
fn a_program_that_waits_is_stopped_too_and_says_so_when_resumed() {
    let mut session = session();
    let made = first_calls(&mut session, "await kit.now()");
    assert_eq!(session.stopper().stop(), Stopped::Killed);
    let answer = CallAnswer {
        number: made[0].number,
        outcome: CallOutcome::success(json!(1), ""),
    };
    let Progress::Ended(outcome) = session.resume(vec![answer]).expect("it is told") else {
        panic!("it waits")
    };
    assert_eq!(outcome.lost, Some(Loss::Stopped));
}

#[test]
fn stopping_an_idle_session_does_nothing() {
    let mut session = session();
    run(&mut session, "x = 1");
    assert_eq!(session.stopper().stop(), Stopped::Idle);
    assert_eq!(value(&mut session, "x"), json!(1));
}

/// Kills a session's worker the way a system short of memory does.
fn kill(session: &Session) {
    let pid = session.process_id().expect("it has a worker").to_string();
    assert!(
        Command::new("kill")
            .args(["-KILL", &pid])
            .status()
            .expect("kill runs")
            .success()
    );
}

#[test]
fn a_worker_killed_from_outside_costs_the_program_and_nothing_else() {
    let mut other = crate::common::session();
    let mut session = crate::common::session();
    let made = first_calls(&mut session, "x = 1\nawait kit.now()");
    kill(&session);
    let answer = CallAnswer {
        number: made[0].number,
        outcome: CallOutcome::success(json!(1), ""),
    };
    let Progress::Ended(outcome) = session.resume(vec![answer]).expect("it is told") else {
        panic!("it waits")
    };
    assert_eq!(outcome.lost, Some(Loss::Died));
    assert!(
        message(&outcome).starts_with("SystemError"),
        "{}",
        message(&outcome)
    );
    assert_eq!(value(&mut session, "2"), json!(2));
    assert_eq!(value(&mut other, "2"), json!(2));
}

#[test]
fn a_worker_killed_while_it_works_is_told_at_once() {
    let mut session = crate::common::session();
    let pid = session.process_id().expect("it has a worker").to_string();
    let killing = std::thread::spawn(move || {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(50) {
            std::thread::yield_now();
        }
        Command::new("kill")
            .args(["-KILL", &pid])
            .status()
            .expect("kill runs")
            .success()
    });
    let outcome = run(&mut session, "while True: pass");
    assert!(killing.join().expect("it kills"));
    assert_eq!(outcome.lost, Some(Loss::Died));
    assert!(
        Duration::from_millis(outcome.wall_ms) < PATIENCE,
        "{}",
        outcome.wall_ms
    );
}

#[test]
fn a_worker_that_died_while_idle_is_replaced_and_the_caller_can_know() {
    let mut session = crate::common::session();
    run(&mut session, "x = 1");
    assert!(session.keeps_variables());
    kill(&session);
    let begun = Instant::now();
    while session.keeps_variables() && begun.elapsed() < PATIENCE {
        std::thread::yield_now();
    }
    assert!(!session.keeps_variables());
    let restored = vec![("x".to_owned(), json!(3))];
    assert_eq!(
        run_with(&mut session, "x", &Limits::default(), restored).0.value,
        json!(3)
    );
}

#[test]
#[ignore = "a supervisor for the next test to kill"]
fn a_supervisor_that_is_busy() {
    let mut session = crate::common::session();
    println!("worker {}", session.process_id().expect("it has a worker"));
    run(&mut session, "x = 3\nfor i in range(40): x = x * x");
}

#[test]
fn a_worker_in_a_hang_ends_with_its_supervisor() {
    if !cfg!(target_os = "linux") {
        return not_run("only Linux ends a worker with its supervisor while it works");
    }
    let mut supervisor = Command::new(std::env::current_exe().expect("it has a path"))
        .args([
            "--exact",
            "limits::a_supervisor_that_is_busy",
            "--ignored",
            "--nocapture",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let printed = BufReader::new(supervisor.stdout.take().expect("it is piped"));
    let line = printed
        .lines()
        .map_while(Result::ok)
        .find(|line| line.contains("worker "));
    let line = line.expect("it names its worker");
    let pid = line.rsplit(' ').next().expect("it ends with a number").to_owned();
    supervisor.kill().expect("it is killed");
    supervisor.wait().expect("it is gone");
    let stat = format!("/proc/{pid}/stat");
    let begun = Instant::now();
    let lives = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    while lives() && begun.elapsed() < PATIENCE {
        std::thread::yield_now();
    }
    assert!(!lives(), "worker {pid} outlived its supervisor");
}

#[test]
fn a_variable_that_cannot_be_described_is_named_and_does_not_hide_the_others() {
    let source = "class Slow:\n    def __repr__(self):\n        while True: pass\na = 1\ns = Slow()\nb = 2";
    let outcome = run(&mut session(), source);
    let shown: Vec<(&str, &str)> = outcome
        .variables
        .iter()
        .map(|variable| (variable.name.as_str(), variable.text.as_str()))
        .collect();
    assert!(
        shown.contains(&("a", "1")) && shown.contains(&("b", "2")),
        "{shown:?}"
    );
    assert!(shown.contains(&("s", "<it cannot be shown>")), "{shown:?}");
}

#[test]
fn a_variable_that_is_too_large_is_shown_by_its_head_and_not_kept() {
    let outcome = run(&mut session(), "x = 'a' * 6_000_000\ny = list(range(10))");
    let x = outcome
        .variables
        .iter()
        .find(|variable| variable.name == "x")
        .expect("it is named");
    assert_eq!(x.value, None);
    assert!(x.text.starts_with("'aaa") && x.text.len() < 400);
    let y = outcome
        .variables
        .iter()
        .find(|variable| variable.name == "y")
        .expect("it is named");
    assert!(y.value.is_some());
}
