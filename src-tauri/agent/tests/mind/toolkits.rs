//! Toolkits that come, change and go while a run is at work.

use crate::bench::*;
use shidi_protocol::{MethodSpec, ParameterKind, ParameterSpec, ToolkitSource, ToolkitSpec};

const PROGRAM: &str = "```python\nprint(await crm.list(\"Ada\"))\n```";

fn crm(parameter: &str) -> ToolkitSpec {
    ToolkitSpec {
        name: "crm".to_owned(),
        doc: "Customers.".to_owned(),
        methods: vec![MethodSpec {
            name: "list".to_owned(),
            doc: "Orders of a customer.".to_owned(),
            parameters: vec![ParameterSpec {
                name: parameter.to_owned(),
                kind: ParameterKind::Text,
                doc: String::new(),
                default: None,
                asked: false,
            }],
            returns: "list".to_owned(),
            class: Class::Send,
            matters: Vec::new(),
            idempotent: false,
        }],
        source: ToolkitSource::Server,
        left_out: 0,
    }
}

fn with(toolkits: Vec<ToolkitSpec>) -> Settings {
    Settings {
        toolkits,
        ..Settings::default()
    }
}

fn names(bench: &Bench) -> Vec<String> {
    let toolkits = bench.mind.context().toolkits();
    toolkits.into_iter().map(|toolkit| toolkit.name).collect()
}

fn prompt(effects: &[Effect]) -> String {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(format!("{request:?}")),
        _ => None,
    });
    asked.unwrap()
}

#[test]
fn a_toolkit_that_comes_in_the_middle_stands_in_the_next_prompt() {
    let (mut bench, effects) = Bench::asked("orders of Ada?");
    assert!(!prompt(&effects).contains("class crm"));
    bench.model("```python\nprint(1)\n```");
    assert!(
        bench
            .give(Event::ToolkitsChanged {
                toolkits: vec![crm("name")]
            })
            .is_empty()
    );
    assert!(prompt(&bench.ended("1\n", None)).contains("class crm"));
}

#[test]
fn a_toolkit_that_went_stands_in_no_later_prompt_but_its_program_goes_on_with_it() {
    let (mut bench, effects) = Bench::asked_with(with(vec![crm("name")]), "orders of Ada?");
    assert!(prompt(&effects).contains("class crm"));
    bench.model(PROGRAM);
    bench.give(Event::ToolkitsChanged { toolkits: Vec::new() });
    assert_eq!(names(&bench), ["crm"]);
    assert!(!prompt(&bench.ended("", Some("AttributeError: gone"))).contains("class crm"));
}

#[test]
fn a_program_that_waits_finds_its_toolkit_as_it_was_after_a_restart_though_it_changed_or_went() {
    let (mut bench, _) = Bench::asked_with(with(vec![crm("name")]), "orders of Ada?");
    bench.model(PROGRAM);
    bench.call("crm.list", json!({"name": "Ada"}), Class::Send);
    bench.give(Event::ProgramWaits);
    for now in [Vec::new(), vec![crm("customer")]] {
        let mut after = bench.restarted(with(now));
        let effects = after.give(Event::Resumed);
        assert!(
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::RunProgram { replay: true, .. }))
        );
        assert_eq!(after.mind.context().toolkits(), [crm("name")]);
    }
}

#[test]
fn a_program_borrows_only_what_it_names_and_what_comes_and_goes() {
    let (mut bench, _) = Bench::asked_with(with(vec![crm("name")]), "q");
    bench.model("```python\nprint(\"crmx\", scrm.list())\n```");
    assert!(bench.mind.state().pinned_toolkits.is_empty());
    bench.ended("", Some("NameError"));
    bench.model(PROGRAM);
    assert_eq!(bench.mind.state().pinned_toolkits, [crm("name")]);
}

#[test]
fn a_run_that_asks_what_a_stranger_says_of_its_tools_is_marked() {
    let toolkits = ToolkitSpec {
        name: "toolkits".to_owned(),
        source: ToolkitSource::BuiltIn,
        methods: Vec::new(),
        ..crm("name")
    };
    let (mut bench, effects) = Bench::asked_with(with(vec![crm("name"), toolkits]), "orders of Ada?");
    assert!(!prompt(&effects).contains("Orders of a customer"));
    bench.model("```python\nprint(await toolkits.describe('crm'))\n```");
    assert!(!bench.mind.state().tainted);
    bench.call("toolkits.describe", json!({"name": "crm"}), Class::Read);
    assert!(bench.mind.state().tainted);
}
