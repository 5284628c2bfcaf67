//! Loops of ten thousand turns through the whole process and its store: what is kept of a run grows by its records alone, each of
//! them small, and whoever follows it is told of all.

use crate::workflow_kills::run_of;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use shidi_tests::patience::ended;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const TURNS: usize = 10_000;

/// Lines of a run between two looks at what is kept of it. On a busy machine thousands of lines are read after its end, when
/// there is nothing to look at any more.
const LOOK_EVERY: usize = 100;

/// Bytes of the kept state of a run that is in a loop, however many turns lie behind it.
const STATE_BYTES_MAX: u64 = 2_000;
/// By so much its numbers grow longer.
const STATE_GROWTH_MAX: u64 = 64;

/// Bytes of one record of a step.
const RECORD_BYTES_MAX: u64 = 200;

/// It rests in each tenth turn, so that its state is written a thousand times.
const RESTING: &str = "version: '1.0'
name: Resting
steps:
  - id: each
    type: loop
    times: 10000
    as: n
    steps:
      - {id: pause, type: wait, for: 1ms, if: '{n} % 10 == 0'}
      - {id: told, type: output, inputs: {turn: '{n}'}}
    output: {name: last, type: int, value: '{n}'}
  - {id: end, type: output, inputs: {last: '{last}'}}
";

/// All its turns are one event.
const AT_ONCE: &str = "version: '1.0'
name: At once
steps:
  - id: each
    type: loop
    times: 10000
    as: n
    steps:
      - {id: one, type: output, inputs: {one: '{n}'}}
      - {id: two, type: output, inputs: {two: '{n}'}}
      - {id: three, type: output, inputs: {three: '{n}'}}
";

fn desk(text: &str) -> Desk {
    let desk = Desk::new();
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("long.yaml"), text).unwrap();
    desk
}

/// A number that the store says.
fn number(desk: &Desk, sql: &str) -> Option<u64> {
    let read = || -> rusqlite::Result<Option<i64>> {
        let path = desk.data().join("shidi.db");
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.query_row(sql, [], |row| row.get(0))
    };
    // While the process opens or ends it may be locked.
    let number = read().ok().flatten()?;
    u64::try_from(number).ok()
}

fn steps(printed: &[Value]) -> usize {
    printed.iter().filter(|line| line["type"] == "step").count()
}

#[test]
fn ten_thousand_turns_leave_a_state_as_small_as_the_first_one_and_a_small_record_each() {
    let desk = desk(RESTING);
    let mut child = desk.spawn(["--json", "workflow", "run", "long"], Stdio::null());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut states, mut printed) = (Vec::new(), String::new());
    for (count, line) in lines.map_while(Result::ok).enumerate() {
        if (count + 1) % LOOK_EVERY == 0 {
            let state = "SELECT max(length(state)) FROM workflow_run WHERE ended IS NULL";
            states.extend(number(&desk, state));
        }
        printed.push_str(&line);
        printed.push('\n');
    }
    let rest = Printed::of(ended(child));
    let printed = Printed {
        stdout: printed,
        ..rest
    };
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let run = run_of(&printed);
    assert_eq!(
        (&run["status"], &run["result"]),
        (&json!("done"), &json!({"turn": TURNS - 1, "last": TURNS - 1}))
    );

    assert!(states.len() >= 5, "too few looks: {states:?}");
    let (least, most) = (states.iter().min().unwrap(), states.iter().max().unwrap());
    assert!(
        *most <= STATE_BYTES_MAX && most - least <= STATE_GROWTH_MAX,
        "{states:?}"
    );
    // A wait that was left out or is over, what is told, and in the end the loop and the last step.
    let records = 2 * TURNS + 2;
    assert_eq!(steps(&printed.json()), records);
    assert_eq!(
        number(&desk, "SELECT count(*) FROM workflow_step"),
        Some(records as u64)
    );
    let longest = number(&desk, "SELECT max(length(record)) FROM workflow_step");
    assert!(
        longest.is_some_and(|bytes| bytes <= RECORD_BYTES_MAX),
        "{longest:?}"
    );
    assert_eq!(
        number(&desk, "SELECT count(*) FROM workflow_program"),
        Some(0),
        "no turn needed a program"
    );
}

#[test]
fn whoever_follows_a_loop_whose_turns_all_come_at_once_is_told_of_each_and_of_its_end() {
    let desk = desk(AT_ONCE);
    let printed = desk.run(["--json", "workflow", "run", "long"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert_eq!(run_of(&printed)["status"], "done");
    assert_eq!(steps(&printed.json()), 3 * TURNS + 1);
}
