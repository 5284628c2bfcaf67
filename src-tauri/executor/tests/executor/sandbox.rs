//! Attacks of programs, and that none succeeds: no file, no environment, no network; hang, abort and panic
//! contained. The session stays usable afterwards.

use crate::common::{answer, kit, not_run, session, value};
use serde_json::json;
use shidi_executor::{
    CallAnswer, HOST_TOOLKIT, Held, Limits, Outcome, Program, Progress, Session, try_walls,
};
use std::net::{TcpListener, UdpSocket};
use std::time::{Duration, Instant};

const ATTACKS: &str = include_str!("attacks.txt");
/// Short, so that the whole table takes seconds; the attacks are the same at any size.
const LIMITS: Limits = Limits {
    wall_ms: 20_000,
    cpu_ms: 250,
    memory_bytes: 48 << 20,
    output_bytes: 10_000,
    calls: 50,
};
/// For a table of a hundred rows, a third of which run into a limit.
const WHOLE_TABLE_WITHIN: Duration = Duration::from_secs(300);
const SECRET: &str = "c4n4ry-7f3a9e";
const VARIABLE: &str = "SHIDI_TEST_SECRET";

struct Attack {
    name: String,
    expected: Vec<String>,
    program: String,
}

fn attacks(file: &str, folder: &str, port: u16) -> Vec<Attack> {
    ATTACKS
        .split("\n=== ")
        .skip(1)
        .map(|section| {
            let (head, program) = section.split_once('\n').expect("a head and a program");
            let (name, expected) = head.split_once(" :: ").expect("a name and what is expected");
            let program = program
                .replace("{file}", file)
                .replace("{folder}", folder)
                .replace("{port}", &port.to_string())
                .replace("{variable}", VARIABLE);
            Attack {
                name: name.to_owned(),
                expected: expected.split('|').map(str::to_owned).collect(),
                program,
            }
        })
        .collect()
}

/// Runs an attack; returns calls to toolkits that the attack must not reach.
fn attack(session: &mut Session, program: &str) -> (Outcome, Vec<String>) {
    let toolkits = kit();
    let program = Program {
        source: program,
        toolkits: &toolkits,
        variables: Vec::new(),
    };
    let mut progress = session.run(program, &LIMITS).expect("the program is taken");
    let mut reached = Vec::new();
    loop {
        match progress {
            Progress::Ended(outcome) => return (outcome, reached),
            Progress::Calls(calls) => {
                let tools = calls
                    .iter()
                    .map(|call| format!("{}.{}", call.toolkit, call.method));
                reached.extend(tools.filter(|tool| !tool.starts_with(HOST_TOOLKIT) && tool != "kit.now"));
                let answers = calls
                    .iter()
                    .map(|call| CallAnswer {
                        number: call.number,
                        outcome: answer(call),
                    })
                    .collect();
                progress = session.resume(answers).expect("the answers are taken");
            }
        }
    }
}

/// The fault of an attack's outcome, if there is one.
fn breach(attack: &Attack, outcome: &Outcome, reached: &[String]) -> Option<String> {
    let became = match (&outcome.error, outcome.lost) {
        (_, Some(_)) => "lost",
        (Some(error), None) => error.kind.as_str(),
        (None, None) => "ok",
    };
    let told = format!("{outcome:?}");
    if told.contains(SECRET) {
        return Some("the secret was read".to_owned());
    }
    if !reached.is_empty() {
        return Some(format!("it reached {reached:?}"));
    }
    if !attack.expected.iter().any(|expected| expected == became) {
        let message = outcome.error.as_ref().map_or("", |error| error.message.as_str());
        return Some(format!(
            "it became {became} ({message}), not {:?}",
            attack.expected
        ));
    }
    None
}

#[test]
fn no_attack_of_the_table_reaches_anything_and_the_session_survives_each() {
    let folder = std::env::temp_dir().join(format!("shidi-sandbox-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("secret.txt");
    std::fs::write(&file, SECRET).expect("a file can be written");
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
    tcp.set_nonblocking(true).expect("it does not block");
    let port = tcp.local_addr().expect("it has an address").port();
    let udp = UdpSocket::bind(("127.0.0.1", port)).expect("the same port can be had");
    udp.set_nonblocking(true).expect("it does not block");

    let attacks = attacks(&file.to_string_lossy(), &folder.to_string_lossy(), port);
    assert!(attacks.len() >= 60, "{} attacks", attacks.len());
    let begun = Instant::now();
    let mut session = session();
    let mut breaches = Vec::new();
    for attack_ in &attacks {
        let started = Instant::now();
        let (outcome, reached) = attack(&mut session, &attack_.program);
        if let Some(breach) = breach(attack_, &outcome, &reached) {
            breaches.push(format!("{}: {breach}", attack_.name));
        }
        if started.elapsed() > Duration::from_secs(1) {
            println!("{}: {:?}", attack_.name, started.elapsed());
        }
        assert_eq!(value(&mut session, "40 + 2"), json!(42), "after {}", attack_.name);
    }
    println!("{} attacks in {:?}", attacks.len(), begun.elapsed());
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
    assert!(begun.elapsed() < WHOLE_TABLE_WITHIN, "{:?}", begun.elapsed());

    assert!(tcp.accept().is_err(), "somebody connected");
    assert!(udp.recv(&mut [0; 16]).is_err(), "somebody sent");
    let left: Vec<_> = std::fs::read_dir(&folder).expect("it is still there").collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("it is still there"), SECRET);
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn the_walls_hold_against_the_worker_itself() {
    if !cfg!(target_os = "linux") {
        not_run("this system has no walls of ours");
        return;
    }
    let trials = try_walls().expect("the worker can be tried");
    assert!(trials.len() >= 10);
    for trial in trials {
        println!("{trial:?}");
        assert_ne!(trial.held, Held::No, "{trial:?}");
    }
}
