//! The ways of writing an action: one and the same task in each, and answers that can't be read.

use crate::bench::*;
use shidi_agent::formats::Format;
use shidi_protocol::{MethodSpec, ModelRequest, ParameterKind, ParameterSpec, ToolkitSpec};

/// `files.read(path)`, `files.list(path=".")`.
fn files() -> ToolkitSpec {
    let path = |default| ParameterSpec {
        name: "path".into(),
        kind: ParameterKind::Text,
        doc: String::new(),
        default,
        asked: false,
    };
    let method = |name: &str, default| MethodSpec {
        name: name.into(),
        doc: "…".into(),
        parameters: vec![path(default)],
        returns: "str".into(),
        class: Class::Read,
        matters: vec!["path".into()],
        idempotent: false,
    };
    ToolkitSpec {
        name: "files".into(),
        doc: "Files.".into(),
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
        methods: vec![method("read", None), method("list", Some(json!(".")))],
    }
}

fn settings(format: Format) -> Settings {
    Settings {
        format,
        toolkits: vec![files()],
        ..Settings::default()
    }
}

fn tool_calls(calls: &[(&str, &str)]) -> ModelReply {
    let calls = calls
        .iter()
        .enumerate()
        .map(|(place, (name, arguments))| ToolCall {
            id: format!("c{place}"),
            name: (*name).into(),
            arguments: (*arguments).into(),
        });
    ModelReply {
        tool_calls: calls.collect(),
        finish: Finish::ToolCalls,
        ..reply("Read the notes.")
    }
}

/// A model's answers in a format to read the notes: one answer, or two where the thought comes first.
fn reading(format: Format) -> Vec<ModelReply> {
    match format {
        Format::Fenced => vec![reply(
            "Read the notes.\n```python\nprint(await files.read(path=\"/notes.md\"))\n```",
        )],
        Format::Tool => vec![tool_calls(&[(
            "python",
            r#"{"code":"print(await files.read(path=\"/notes.md\"))"}"#,
        )])],
        Format::Json => vec![tool_calls(&[("files__read", r#"{"path":"/notes.md"}"#)])],
        Format::Relay => vec![reply(
            "Read the notes.\nto_sys: {\"tool\": \"files.read\", \"args\": {\"path\": \"/notes.md\"}}",
        )],
        Format::Fim => vec![
            reply("Read the notes.\n[Python]:\n"),
            reply("    print(await files.read(path=\"/notes.md\"))"),
        ],
    }
}

fn telling(format: Format) -> ModelReply {
    match format {
        Format::Relay => reply("to_user: It is due on 5 May."),
        Format::Fenced | Format::Tool | Format::Json | Format::Fim => reply("It is due on 5 May."),
    }
}

fn program(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        Effect::RunProgram { program, .. } => Some(program.as_str()),
        _ => None,
    })
}

fn request(effects: &[Effect]) -> &ModelRequest {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request),
        _ => None,
    });
    request.unwrap()
}

#[test]
fn the_same_task_ends_with_the_same_words_in_every_format() {
    for format in Format::ALL {
        let (mut bench, _) = Bench::asked_with(settings(format), "When is it due?");
        let mut effects = Vec::new();
        for reply in reading(format) {
            effects = bench.give(Event::ModelAnswered { reply });
        }
        let program = program(&effects).unwrap_or_else(|| panic!("{format:?}: {effects:?}"));
        assert!(
            program.contains("await files.read(path=\"/notes.md\")"),
            "{format:?}: {program}"
        );
        bench.call("files.read", json!({"path": "/notes.md"}), Class::Read);
        bench.give(Event::CallReturned {
            call: CallId(1),
            outcome: CallOutcome::success(json!("due 5 May"), "notes.md").untrusted(),
        });
        let effects = bench.ended("due 5 May\n", None);
        let shown: Vec<String> = request(&effects).messages.iter().map(|m| m.plain()).collect();
        assert!(
            shown.iter().any(|text| text.contains("due 5 May")),
            "{format:?}: the model sees the output: {shown:?}"
        );
        let effects = bench.give(Event::ModelAnswered {
            reply: telling(format),
        });
        assert_eq!(answer(&effects), Some("It is due on 5 May."), "{format:?}");
        assert_eq!(ended_as(&effects), Some(RunStatus::Completed), "{format:?}");
        let output = bench.mind.context().segments.iter();
        let mut output = output.filter(|segment| segment.kind() == SegmentKind::Output);
        assert_eq!(output.next().map(|s| s.text()), Some("due 5 May"), "{format:?}");
    }
}

#[test]
fn a_plain_question_costs_one_model_call_in_every_format() {
    for format in Format::ALL {
        let (mut bench, effects) = Bench::asked_with(settings(format), "hi");
        assert!(asks_model(&effects));
        let effects = bench.give(Event::ModelAnswered {
            reply: telling(format),
        });
        assert_eq!(ended_as(&effects), Some(RunStatus::Completed), "{format:?}");
        assert_eq!(bench.mind.state().usage.model_calls, 1, "{format:?}");
    }
}

#[test]
fn every_malformed_answer_is_corrected_twice_and_then_the_user_is_told() {
    let malformed = |format| match format {
        Format::Fenced => reply("```python\n\n```"),
        Format::Tool => tool_calls(&[("python", "{\"code\":")]),
        Format::Json => tool_calls(&[("files__red", "{\"path\": 3}")]),
        Format::Relay => reply("to_user: wait\nto_sys: {\"tool\": \"files.read\"}"),
        Format::Fim => reply("[Python]:"),
    };
    for format in Format::ALL {
        let (mut bench, _) = Bench::asked_with(settings(format), "q");
        for _ in 0..2 {
            let effects = bench.give(Event::ModelAnswered {
                reply: malformed(format),
            });
            let last = request(&effects).messages.last().unwrap().plain();
            assert!(last.contains("[Reminder]"), "{format:?}: {last}");
        }
        let effects = bench.give(Event::ModelAnswered {
            reply: malformed(format),
        });
        assert_eq!(ended_as(&effects), Some(RunStatus::Failed), "{format:?}");
    }
}

#[test]
fn an_answer_that_was_cut_says_so_in_every_format() {
    for format in Format::ALL {
        for (finish, language, part) in [
            (Finish::Length, "en", "output limit"),
            (Finish::Length, "zh", "上限"),
            (Finish::Filtered, "en", "filter"),
            (Finish::Filtered, "zh", "过滤"),
            (Finish::Repeated, "en", "without end"),
            (Finish::Repeated, "zh", "重复"),
        ] {
            let mut bench = Bench::new(settings(format));
            bench.ask_in("q", language);
            let cut = ModelReply {
                finish,
                ..telling(format)
            };
            let effects = bench.give(Event::ModelAnswered { reply: cut });
            assert_eq!(answer(&effects), Some("It is due on 5 May."), "{format:?}");
            let notice = effects.iter().find_map(|effect| match effect {
                Effect::Show(RunEventKind::Notification { text, .. }) => Some(text.as_str()),
                _ => None,
            });
            assert!(notice.is_some_and(|text| text.contains(part)), "{notice:?}");
            let mut next = bench.followed(settings(format));
            let effects = next.ask("more");
            let shown: String = request(&effects).messages.iter().map(|m| m.plain()).collect();
            assert!(shown.contains(part), "the model knows it, too: {shown}");
        }
        let (mut bench, _) = Bench::asked_with(settings(format), "q");
        let effects = bench.give(Event::ModelAnswered {
            reply: telling(format),
        });
        let tells = |effect: &Effect| matches!(effect, Effect::Show(RunEventKind::Notification { .. }));
        assert!(!effects.iter().any(tells), "{format:?}");
    }
}

#[test]
fn nothing_that_was_cut_runs_and_the_correction_says_what_cut_it() {
    for format in Format::ALL {
        for (finish, part) in [
            (Finish::Length, "output limit"),
            (Finish::Filtered, "filter"),
            (Finish::Repeated, "without end"),
        ] {
            let empty = reply("");
            let broken = match format {
                Format::Fenced => reply("go\n```python\nx = 1"),
                Format::Tool => tool_calls(&[("python", "{\"code\":\"x")]),
                Format::Json => tool_calls(&[("files__read", "{\"path\":\"x")]),
                Format::Relay => reply("to_sys: {\"tool\""),
                Format::Fim => reply("go\n[Python]:\nx = 1"),
            };
            for cut in [empty, broken] {
                let (mut bench, _) = Bench::asked_with(settings(format), "q");
                let reply = ModelReply { finish, ..cut };
                let effects = bench.give(Event::ModelAnswered { reply });
                assert!(program(&effects).is_none(), "{format:?}");
                let last = request(&effects).messages.last().unwrap().plain();
                assert!(
                    last.contains(part) && !last.contains("empty"),
                    "{format:?}: {last}"
                );
            }
        }
    }
}

#[test]
fn corrections_count_in_a_row_and_not_over_a_whole_task() {
    let (mut bench, _) = Bench::asked("q");
    for number in 0..4 {
        bench.model("");
        bench.model("");
        bench.model(&format!("```python\nx = {number}\n```"));
        let effects = bench.ended("1", None);
        assert!(asks_model(&effects), "a long task may stumble more than twice");
    }
}

#[test]
fn several_json_calls_run_at_once_and_come_back_each_to_its_own() {
    let (mut bench, effects) = Bench::asked_with(settings(Format::Json), "q");
    assert_eq!(request(&effects).tools.len(), 2);
    let reply = tool_calls(&[("files__read", r#"{"path":"/a"}"#), ("files__list", "")]);
    let effects = bench.give(Event::ModelAnswered { reply });
    let text = program(&effects).unwrap();
    assert!(
        text.contains("asyncio.gather") && text.contains("files.list()"),
        "{text}"
    );
    let effects = bench.ended(
        "{\"ok\": true, \"data\": \"A\"}\n{\"ok\": true, \"data\": []}\n",
        None,
    );
    let messages = &request(&effects).messages;
    let results: Vec<String> = messages
        .iter()
        .filter(|message| message.tool_call_id.is_some())
        .map(|message| message.plain())
        .collect();
    assert_eq!(
        results,
        ["{\"ok\": true, \"data\": \"A\"}", "{\"ok\": true, \"data\": []}"]
    );
    let called = messages
        .iter()
        .find(|message| !message.tool_calls.is_empty())
        .unwrap();
    assert_eq!(called.tool_calls[1].name, "files__list");
}

#[test]
fn a_wrong_json_call_is_told_every_mistake_with_what_was_meant() {
    let (mut bench, _) = Bench::asked_with(settings(Format::Json), "q");
    let calls = [
        ("files__raed", "{}"),
        ("files__read", r#"{"file":"a"}"#),
        ("files__list", r#"{"path":7}"#),
    ];
    let effects = bench.give(Event::ModelAnswered {
        reply: tool_calls(&calls),
    });
    let last = request(&effects).messages.last().unwrap().plain();
    for part in [
        "no tool `files.raed`. Did you mean `files.read`?",
        "no argument `file`; it takes `path`",
        "needs the argument `path`",
        "must be a string, not 7",
    ] {
        assert!(last.contains(part), "{part}: {last}");
    }
}

#[test]
fn foreign_and_mixed_roles_never_run_and_are_corrected() {
    for (text, part) in [
        (
            "to_sys: {\"tool\": \"files.list\"}\nsys: []\nto_user: nothing there",
            "`sys:`",
        ),
        ("user: and now?\nto_user: yes", "`user:`"),
        ("to_user: a\nto_sys: {\"tool\": \"files.list\"}", "more than one"),
        ("to_sys: files.list()", "must be JSON"),
        ("{\"tool\": \"files.list\"}", "begin your answer with `to_sys:`"),
        (
            "to_sys: {\"tool\": \"files.list\", \"path\": \".\"}",
            "belongs into",
        ),
    ] {
        let (mut bench, _) = Bench::asked_with(settings(Format::Relay), "q");
        let effects = bench.model(text);
        assert!(program(&effects).is_none(), "{text}");
        let last = request(&effects).messages.last().unwrap().plain();
        assert!(last.contains(part), "{text}: {last}");
    }
}

#[test]
fn words_for_the_user_may_quote_roles_in_a_block_of_code() {
    let (mut bench, _) = Bench::asked_with(settings(Format::Relay), "q");
    let effects = bench.model("to_user: like this:\n```yaml\nuser: root\n```");
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
}

#[test]
fn the_middle_is_asked_for_with_beginning_and_end_and_runs_as_a_whole() {
    let (mut bench, _) = Bench::asked_with(settings(Format::Fim), "q");
    let effects = bench.model("Read the notes and print them.\n[Python]:");
    let asked = request(&effects);
    let completion = asked.completion.as_ref().unwrap();
    assert!(completion.prefix.contains("async def read(path: str)"));
    assert!(completion.prefix.contains("# Read the notes and print them."));
    assert!(completion.prefix.ends_with("try:\n"));
    assert!(completion.suffix.contains("except Exception as error:"));
    assert!(
        asked
            .messages
            .last()
            .unwrap()
            .plain()
            .contains("in place of the dots")
    );
    assert_eq!(bench.mind.state().phase, shidi_agent::Phase::Writing);
    let after = bench.restarted(settings(Format::Fim)).give(Event::Resumed);
    assert!(
        request(&after).completion.is_some(),
        "asked again after a restart"
    );

    let effects = bench.model("text = await files.read(path='/a')\nprint(text)");
    let text = program(&effects).unwrap();
    assert_eq!(
        text,
        "try:\n    text = await files.read(path='/a')\n    print(text)\nexcept Exception as error:\n    \
         print(\"Failed:\", type(error).__name__, error)\n    raise"
    );
    let finding = Finding {
        kind: "NameError".into(),
        message: "NameError: name 'text' is not defined".into(),
        line: 3,
        hint: None,
    };
    let effects = bench.give(Event::ProgramRefused {
        findings: vec![finding],
    });
    let shown: String = request(&effects).messages.iter().map(|m| m.plain()).collect();
    assert!(
        shown.contains("line 3 (line 2 of your part): NameError"),
        "{shown}"
    );
}

#[test]
fn a_program_that_one_format_wrote_is_shown_in_any_other() {
    let (mut bench, _) = Bench::asked_with(settings(Format::Json), "q");
    bench.give(Event::ModelAnswered {
        reply: tool_calls(&[("files__read", r#"{"path":"/a"}"#)]),
    });
    bench.ended("A", None);
    bench.model("done");
    for format in Format::ALL {
        let mut next = bench.followed(settings(format));
        let effects = next.ask("more");
        let messages = &request(&effects).messages;
        let text: String = messages.iter().map(|m| m.plain()).collect();
        let calls: usize = messages.iter().map(|m| m.tool_calls.len()).sum();
        assert!(text.contains("files.read") || calls == 1, "{format:?}: {text}");
        assert!(text.contains('A') && text.contains("more"), "{format:?}");
    }
}

#[test]
fn calls_of_several_runs_have_names_of_their_own() {
    let (mut bench, _) = Bench::asked_with(settings(Format::Tool), "q");
    let program = || tool_calls(&[("python", r#"{"code":"print(1)"}"#)]);
    bench.give(Event::ModelAnswered { reply: program() });
    bench.ended("1", None);
    bench.model("one");
    let mut next = bench.followed(settings(Format::Tool));
    next.ask("again");
    next.give(Event::ModelAnswered { reply: program() });
    let effects = next.ended("1", None);
    let mut ids: Vec<&str> = request(&effects)
        .messages
        .iter()
        .flat_map(|message| &message.tool_calls)
        .map(|call| call.id.as_str())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 2, "{ids:?}");
}
