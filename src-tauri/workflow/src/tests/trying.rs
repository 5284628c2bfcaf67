//! What a dry run tells of loops, whose steps it goes through once.

use super::of_steps;
use crate::{Effect, Event, Mode, Run, What, Workflow};
use serde_json::{Map, Value, json};
use shidi_locales::Language;

const BODY: &str = "steps: [{id: body, type: tool, tool: x.y}]";

fn told(workflow: &Workflow, given: Map<String, Value>) -> Vec<String> {
    let mut run = Run::new(workflow, Mode::Dry, given, "").unwrap();
    let turn = run.handle(workflow, Event::Started, 0);
    let records = turn.effects.into_iter().filter_map(|effect| match effect {
        Effect::Tell(record) => record.planned(Language::SOURCE, 60),
        _ => None,
    });
    records.collect()
}

#[test]
fn a_loop_says_that_it_repeats_and_how_often_where_the_file_knows_it() {
    for (over, expected) in [
        ("times: 4", "l: repeats 4 times; one round is shown"),
        (
            "each: [1, 2, 3]",
            "l: repeats 3 times, for each of [1,2,3]; one round is shown",
        ),
        (
            "until: '{dialogue} == \"x\"', max_rounds: 7",
            "l: repeats until its condition holds, at most 7 times; one round is shown",
        ),
    ] {
        let workflow = of_steps(&format!("  - {{id: l, type: loop, {over}, {BODY}}}\n"));
        assert_eq!(told(&workflow, Map::new()), [expected, "body: x.y()"]);
    }
    let single = of_steps(&format!("  - {{id: l, type: loop, times: 1, {BODY}}}\n"));
    assert_eq!(told(&single, Map::new())[0], "l: one round");
}

#[test]
fn what_was_given_is_counted_and_examples_are_not() {
    let text = format!(
        "version: '1.0'\nname: n\ninputs: [{{name: names, type: list, example: [a, b]}}]\nsteps:\n\
         \x20 - {{id: l, type: loop, each: '{{names}}', {BODY}}}\n"
    );
    let workflow = super::workflow(&text).unwrap();
    let examples = told(&workflow, Map::new());
    assert_eq!(examples[0], "l: repeats for each of {names}; one round is shown");
    let given = |names: Value| Map::from_iter([("names".to_owned(), names)]);
    let counted = told(&workflow, given(json!(["x", "y", "z"])));
    assert_eq!(
        counted[0],
        "l: repeats 3 times, for each of {names}; one round is shown"
    );
    assert_eq!(told(&workflow, given(json!([]))), ["l: has no round"]);
    let made = of_steps(&format!(
        "  - {{id: a, type: tool, tool: x.y, output: {{name: found, type: list, example: [1]}}}}\n\
         \x20 - {{id: l, type: loop, each: '{{found}}', {BODY}}}\n"
    ));
    assert_eq!(
        told(&made, Map::new())[1],
        "l: repeats for each of {found}; one round is shown"
    );
}

#[test]
fn a_run_that_is_kept_tells_no_plan() {
    let workflow = of_steps(&format!("  - {{id: l, type: loop, times: 2, {BODY}}}\n"));
    let mut run = Run::new(&workflow, Mode::Real, Map::new(), "").unwrap();
    let turn = run.handle(&workflow, Event::Started, 0);
    let is_plan = |effect: &Effect| match effect {
        Effect::Tell(record) => matches!(record.what, What::Repeats { .. }),
        _ => false,
    };
    assert!(!turn.effects.iter().any(is_plan));
}
