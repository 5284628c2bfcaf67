//! The modules that we supply behave as CPython's, case by case.

use crate::common::{not_run, run, session, value};
use serde_json::json;
use std::process::Command;

const CASES: &str = include_str!("parity_cases.py");
/// Versions compared with; others word some results differently.
const COMPARED_WITH: &str = "Python 3.11.";

/// What CPython prints; `None` when there is none of the version compared with.
fn printed_by_cpython() -> Option<String> {
    let candidates = [
        std::env::var("SHIDI_CPYTHON").unwrap_or_default(),
        "python3.11".to_owned(),
        "python3".to_owned(),
    ];
    let python = candidates
        .into_iter()
        .filter(|python| !python.is_empty())
        .find(|python| {
            let version = Command::new(python).arg("--version").output();
            version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).starts_with(COMPARED_WITH))
        })?;
    let printed = Command::new(python)
        .args(["-I", "-c", CASES])
        .output()
        .expect("CPython runs");
    assert!(
        printed.status.success(),
        "{}",
        String::from_utf8_lossy(&printed.stderr)
    );
    Some(String::from_utf8(printed.stdout).expect("CPython prints UTF-8"))
}

/// Whether two lines say the same. Of two shortest texts of one float the interpreter may choose the other.
fn same(ours: &str, theirs: &str) -> bool {
    let parts = |line: &str| -> Vec<String> {
        line.split([' ', ',', '[', ']', '(', ')', '='])
            .map(str::to_owned)
            .collect()
    };
    let (ours, theirs) = (parts(ours), parts(theirs));
    ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(ours, theirs)| {
            let floats = ours.contains('.') && theirs.contains('.');
            ours == theirs || (floats && ours.parse::<f64>().is_ok_and(|float| theirs.parse() == Ok(float)))
        })
}

#[test]
fn supplied_modules_agree_with_cpython_on_every_case() {
    let Some(expected) = printed_by_cpython() else {
        not_run("no Python 3.11 (set SHIDI_CPYTHON to its path)");
        return;
    };
    let outcome = run(&mut session(), CASES);
    assert_eq!(outcome.error, None);
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (outcome.stdout.lines().collect(), expected.lines().collect());
    assert_eq!(ours.len(), theirs.len());
    let differing: Vec<String> = ours
        .iter()
        .zip(&theirs)
        .filter(|(ours, theirs)| !same(ours, theirs))
        .map(|(ours, theirs)| format!("ours   {ours}\ntheirs {theirs}"))
        .collect();
    println!("{} cases", ours.len());
    let shown = &differing[..differing.len().min(20)];
    assert!(
        differing.is_empty(),
        "{} cases differ:\n{}",
        differing.len(),
        shown.join("\n")
    );
}

#[test]
fn a_supplied_module_is_imported_in_every_way_that_python_has() {
    let mut session = session();
    for source in [
        "import heapq\nh = [2, 1]\nheapq.heapify(h)\nh[0]",
        "import heapq as q, math\nh = [2, 1]\nq.heapify(h)\nh[0] + math.floor(0.5)",
        "from heapq import heapify as make, heappop\nh = [2, 1]\nmake(h)\nheappop(h)",
        "from heapq import (\n    heapify,\n    heappop,\n)\nh = [2, 1]\nheapify(h)\nheappop(h)",
        "def f():\n    import heapq\n    h = [2, 1]\n    heapq.heapify(h)\n    return h[0]\nf()",
        "if True: import heapq; h = [2, 1]; heapq.heapify(h)\nh[0]",
    ] {
        assert_eq!(value(&mut session, source), json!(1), "{source}");
    }
}

#[test]
fn a_module_stays_for_the_next_program_and_is_no_variable() {
    let mut session = session();
    let outcome = run(
        &mut session,
        "import heapq, json\nfrom collections import deque, OrderedDict\nx = 1",
    );
    let names: Vec<&str> = outcome
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    assert!(names.contains(&"x") && !names.contains(&"json"), "{names:?}");
    assert_eq!(value(&mut session, "heapq.nsmallest(1, [3, 2])"), json!([2]));
}

#[test]
fn an_error_inside_a_supplied_module_names_the_programs_own_line() {
    let outcome = run(&mut session(), "import statistics\n\nstatistics.mean([])");
    let error = outcome.error.expect("it fails");
    assert_eq!((error.kind.as_str(), error.line), ("ValueError", 3));
    assert!(!error.traceback.contains("_shidi_"), "{}", error.traceback);
}
