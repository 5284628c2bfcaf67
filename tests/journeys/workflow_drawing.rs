//! A run of a workflow as it is drawn: the steps that it was begun with, and which of them waits for a person.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::fs;

/// An approval before a program, whose branch has an arm of each kind.
const ASKING: &str = "version: '1.0'\nname: Asking\ninputs:\n  - {name: n, type: int}\nsteps:\n  - {id: sure, type: approval, \
                      message: 'Go on?'}\n  - id: size\n    type: branch\n    if: '{n} > 3'\n    then:\n      - {id: many, type: code, \
                      code: 'told = \"many\"', output: {name: told, type: str}}\n    else:\n      - {id: few, type: code, \
                      code: 'told = \"few\"', output: {name: told, type: str}}\n  - {id: end, type: output, inputs: {told: '{told}'}}\n";

fn keep(desk: &Desk, name: &str, text: &str) {
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

fn run_of(printed: &Printed) -> Value {
    let mut runs = printed.json();
    runs.retain(|line| line["type"] == "workflow_run");
    runs.pop()
        .unwrap_or_else(|| panic!("no run in:\n{}\n{}", printed.stdout, printed.stderr))
}

fn drawn(run: &Value) -> Vec<&str> {
    let steps = run["drawn"].as_array().unwrap_or_else(|| panic!("{run}"));
    steps.iter().filter_map(|step| step["id"].as_str()).collect()
}

fn step<'a>(run: &'a Value, id: &str) -> &'a Value {
    let steps = run["steps"].as_array().unwrap();
    let found = steps.iter().find(|step| step["id"] == id);
    found.unwrap_or_else(|| panic!("{id} in {run}"))
}

#[test]
fn a_past_run_is_drawn_as_it_ran_though_its_file_has_changed_and_the_step_that_waits_says_so() {
    let desk = Desk::new();
    keep(&desk, "asking", ASKING);
    let printed = desk.run(["--json", "workflow", "run", "asking", "--input", "n=1"]);
    assert_eq!(printed.code, Some(3), "{printed:?}");
    let run = run_of(&printed);
    assert_eq!(drawn(&run), ["sure", "size", "many", "few", "end"]);
    assert_eq!(
        run["drawn"][1]["arms"][0],
        json!({"kind": "when", "when": "{n} > 3"})
    );
    assert_eq!(step(&run, "sure")["waits"], true);
    // Another file takes its place, and what ran stays what it was.
    let other = "version: '1.0'\nname: Other\nsteps:\n  - {id: alone, type: output, inputs: {a: b}}\n";
    keep(&desk, "asking", other);
    let program = run["waiting"][0]["event"]["run"].as_str().unwrap();
    assert_eq!(desk.run(["answer", program, "Approve"]).code, Some(0));
    let decided = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    assert_eq!(step(&decided, "sure")["waits"], Value::Null, "{decided}");
    let resumed = desk.run(["--json", "workflow", "resume", "last"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let over = run_of(&desk.run(["--json", "workflow", "runs", "last"]));
    assert_eq!(over["result"], json!({"told": "few"}));
    assert_eq!(drawn(&over), ["sure", "size", "many", "few", "end"]);
    let kept = desk.run(["workflow", "export", "asking"]).stdout;
    assert!(kept.contains("alone") && !kept.contains("many"), "{kept}");
    // A list tells of runs without their steps.
    let listed = run_of(&desk.run(["--json", "workflow", "runs"]));
    assert_eq!(listed["drawn"], Value::Null);
}
