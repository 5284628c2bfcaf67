//! The ways of writing an action, one and the same task in each.

use crate::bench::*;

#[test]
fn native_tool_calls_run_the_same_task() {
    let settings = Settings {
        format: shidi_agent::formats::Format::from_name("tool").unwrap(),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    let call = ToolCall {
        id: "a".into(),
        name: "python".into(),
        arguments: r#"{"code":"x = 1"}"#.into(),
    };
    let reply = ModelReply {
        tool_calls: vec![call],
        finish: Finish::ToolCalls,
        ..reply("")
    };
    let effects = bench.give(Event::ModelAnswered { reply });
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::RunProgram { program, .. } if program == "x = 1"))
    );
}
