//! The canonical solutions of HumanEval pass their own tests.

use crate::common::{not_run, run_with, session};
use serde_json::Value;
use shidi_executor::Limits;
use std::path::PathBuf;

/// The variable that names the problems' file; the problems are not part of the repository.
const VARIABLE: &str = "SHIDI_HUMAN_EVAL";
const BESIDE_THE_REPOSITORY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/data/HumanEval.jsonl"
);
const PROBLEMS: usize = 164;

fn program(problem: &Value) -> String {
    let part = |name: &str| problem.get(name).and_then(Value::as_str).unwrap_or_default();
    let (prompt, solution, test) = (part("prompt"), part("canonical_solution"), part("test"));
    format!(
        "{prompt}{solution}\n{test}\ncheck({})\n'passed'\n",
        part("entry_point")
    )
}

#[test]
fn all_canonical_solutions_of_human_eval_pass() {
    let path = std::env::var_os(VARIABLE).map_or_else(|| PathBuf::from(BESIDE_THE_REPOSITORY), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(&path) else {
        not_run(&format!("no HumanEval.jsonl (set {VARIABLE} to its path)"));
        return;
    };
    let mut failed = Vec::new();
    let mut count = 0;
    let mut session = session();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let problem: Value = serde_json::from_str(line).expect("a line is a problem");
        let source = program(&problem);
        let name = problem["task_id"].as_str().unwrap_or("?").to_owned();
        let findings = session.check(&source, &[], &[]).expect("it is checked");
        if !findings.is_empty() {
            failed.push(format!("{name}: found {findings:?}"));
        }
        let (outcome, _) = run_with(&mut session, &source, &Limits::default(), Vec::new());
        if outcome.error.is_some() || outcome.value != "passed" {
            failed.push(format!("{name}: {:?}", outcome.error));
        }
        count += 1;
    }
    println!("{} of {count} pass", count - failed.len());
    assert_eq!(count, PROBLEMS);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
