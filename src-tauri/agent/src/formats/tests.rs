//! Promises about reading a model's answer, both whole and while it streams.

mod heads;
mod thoughts;

use super::*;
use proptest::prelude::*;
use shidi_protocol::{Body, ExecId, Finish, Moment, Sampling, SegmentId, Speaker, ToolCall, Usage};

fn reply(text: &str) -> ModelReply {
    ModelReply {
        asked: String::new(),
        text: text.to_owned(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage::default(),
        model: "test".to_owned(),
        provider: String::new(),
        sampling: Sampling::default(),
    }
}

fn tool_reply(arguments: &str) -> ModelReply {
    let call = ToolCall {
        id: "1".into(),
        name: "python".into(),
        arguments: arguments.into(),
    };
    ModelReply {
        tool_calls: vec![call],
        finish: Finish::ToolCalls,
        ..reply("")
    }
}

fn segment(kind: SegmentKind, text: &str, exec: Option<u32>) -> Segment {
    Segment {
        id: SegmentId(1),
        run: "r".into(),
        body: Body::plain(&kind, text),
        exec: exec.map(ExecId),
        round: 1,
        tainted: false,
        time: Moment(0),
    }
}

fn read_fenced(text: &str) -> Result<ParsedReply, Malformed> {
    Format::Fenced.implementation().read(&reply(text), &[])
}

#[test]
fn prose_alone_is_the_answer() {
    let action = read_fenced("Paris.").unwrap();
    assert_eq!(action.action, Action::Answer("Paris.".into()));
}

#[test]
fn prose_before_a_program_is_the_thought() {
    let action = read_fenced("Add them.\n```python\nprint(1 + 1)\n```\nOutput: 2").unwrap();
    assert_eq!(action.thought, "Add them.");
    assert_eq!(action.action, Action::Program("print(1 + 1)".into()));
}

#[test]
fn only_the_first_program_runs_and_what_follows_it_is_dropped() {
    let action = read_fenced("```python\na = 1\n```\n```python\na = 2\n```").unwrap();
    assert_eq!(action.action, Action::Program("a = 1".into()));
}

#[test]
fn code_for_the_user_with_another_label_does_not_run() {
    let action = read_fenced("Here it is:\n```py\nprint(1)\n```").unwrap();
    assert!(matches!(action.action, Action::Answer(text) if text.contains("print(1)")));
}

#[test]
fn tagged_parts_are_told_apart() {
    let action =
        read_fenced("[Evaluation]: half done\n[NextGoal]: the rest\n[Thought]: go\n```python\nx=1\n```")
            .unwrap();
    assert_eq!(action.evaluation.as_deref(), Some("half done"));
    assert_eq!(action.next_goal.as_deref(), Some("the rest"));
    assert_eq!(action.thought, "go");
}

#[test]
fn giving_up_carries_its_reasons() {
    let action = read_fenced("[GiveUp]: no such file, and no other copy").unwrap();
    assert_eq!(
        action.action,
        Action::GiveUp("no such file, and no other copy".into())
    );
}

#[test]
fn a_tag_may_have_a_chinese_colon() {
    for format in Format::ALL {
        let read = |text: &str| format.implementation().read(&reply(text), &[]).unwrap();
        let action = read("[Thought]：六乘七\n[Express]：四十二");
        assert_eq!(
            (action.thought.as_str(), action.action),
            ("六乘七", Action::Answer("四十二".into()))
        );
        let action = read("[Thought]：不行\n[GiveUp]： 做不到");
        assert_eq!(action.action, Action::GiveUp("做不到".into()));
    }
    let action = Format::Fim
        .implementation()
        .read(&reply("算一下\n[Python]："), &[]);
    assert_eq!(action.unwrap().action, Action::Draft);
    assert_eq!(
        streamed("[Thought]：六乘七\n[Express]： 四十二", &[1]),
        [
            (SegmentKind::Thought, "六乘七\n".into()),
            (SegmentKind::Express, "四十二".into())
        ]
    );
}

#[test]
fn what_only_looks_like_an_answer_is_corrected_with_the_way_of_the_format() {
    for (format, way) in [
        (Format::Fenced, "```python"),
        (Format::Tool, "call the tool `python`"),
        (Format::Json, "call one of the tools"),
        (Format::Relay, "`to_sys:`"),
        (Format::Fim, "```python"),
    ] {
        for (text, part) in [
            ("[Output]: 99\nThat is it.", "never invent"),
            ("[Express]: [User]：谢谢", "from the user alone"),
            (
                "I read it.\n<tool_call>\n{\"name\": \"python\"}\n</tool_call>",
                "not read here",
            ),
            ("[Python]:\nprint(1)", "does not run"),
            ("Add them.\n[Python]：\nprint(1)", "does not run"),
        ] {
            let read = format.implementation().read(&reply(text), &[]);
            if format == Format::Fim && text.contains("[Python]") {
                assert_eq!(read.unwrap().action, Action::Program("print(1)".into()));
                continue;
            }
            let Err(Malformed { correction }) = read else {
                panic!("{format:?}: {text}: {read:?}");
            };
            assert!(
                correction.contains(part) && correction.contains(way),
                "{format:?}: {text}: {correction}"
            );
        }
        let quoted = "Such a call looks so:\n```\n<tool_call>{}</tool_call>\n```";
        let action = format.implementation().read(&reply(quoted), &[]).unwrap();
        assert_eq!(action.action, Action::Answer(quoted.into()), "{format:?}");
    }
}

#[test]
fn an_empty_answer_is_malformed_with_a_correction() {
    assert!(read_fenced("  \n").unwrap_err().correction.contains("empty"));
    assert!(
        read_fenced("```python\n\n```")
            .unwrap_err()
            .correction
            .contains("empty")
    );
}

#[test]
fn a_program_cut_at_the_output_limit_is_malformed_and_one_without_its_last_fence_is_not() {
    let cut = ModelReply {
        finish: Finish::Length,
        ..reply("```python\nx = 1")
    };
    assert!(Format::Fenced.implementation().read(&cut, &[]).is_err());
    assert_eq!(
        read_fenced("```python\nx = 1").unwrap().action,
        Action::Program("x = 1".into())
    );
}

/// An answer with a program, as a model would write it.
fn fenced(program: &str) -> String {
    format!("Write it.\n```python\n{program}\n```\nDone: ```")
}

#[test]
fn a_fence_within_a_text_of_a_program_is_part_of_the_text() {
    for program in [
        "await files.write(path=\"README.md\", text=\"\"\"# Hi\n\n```python\nprint(1)\n```\n\nend\n\"\"\")",
        "a = '''\n```\n'''\nb = \"\"\"\n```\n\"\"\"",
        "a = f\"\"\"it's \\\"\"\" and '''\n```\n\"\"\"  # \"\"\" closes nothing",
        "a = 'one\\\n```\\\n' + \"it's\"",
        "a = r\"\"\"\\\n```\n\"\"\"\nb = \"\\\\\"\nprint(a, b)",
    ] {
        let text = fenced(program);
        let read = read_fenced(&text).unwrap();
        assert_eq!(read.action, Action::Program(program.to_owned()), "{text}");
        let shown = streamed(&text, &[3]);
        assert_eq!(shown[1], (SegmentKind::Python, format!("{program}\n")), "{text}");
        assert_eq!(shown.len(), 2, "nothing after the program is shown: {shown:?}");
    }
}

#[test]
fn quotes_that_open_no_text_do_not_hide_the_fence() {
    for program in [
        "x  # it's \"\"\" here",
        "a = \"'''\"  # don't",
        "a = '\"\"\"' + \"\\\"\"",
        "a = 'cut",
        "a = \"\" + ''",
        "a = \"\"\"x\"\"\"; b = '#'",
    ] {
        let read = read_fenced(&fenced(program)).unwrap();
        assert_eq!(read.action, Action::Program(program.to_owned()));
    }
}

#[test]
fn a_text_that_never_ends_hides_the_first_fence_within_it_from_nobody() {
    let text = "```python\na = \"\"\"x\n```\ny\n\"\"\"\nb = '''\n```\nThat is all.";
    let program = "a = \"\"\"x\n```\ny\n\"\"\"\nb = '''";
    assert_eq!(read_fenced(text).unwrap().action, Action::Program(program.into()));
    assert_eq!(
        streamed(text, &[2]),
        [(SegmentKind::Python, format!("{program}\n"))]
    );
    let cut = ModelReply {
        finish: Finish::Length,
        ..reply("```python\na = \"\"\"x\n```\ny")
    };
    let corrected = Format::Fenced.implementation().read(&cut, &[]).unwrap_err();
    assert!(corrected.correction.contains("output limit"), "{corrected:?}");
}

#[test]
fn a_block_in_a_list_is_read_without_its_indent() {
    for (text, program) in [
        (
            "1. Try:\n   ```python\n   if x:\n       y = 1\n\n   print(y)\n   ```",
            "if x:\n    y = 1\n\nprint(y)",
        ),
        ("- so\n\t```python\n\ta = 1\n\t```", "a = 1"),
        ("so\n  ```python\nif x:\n  y = 1\n```", "if x:\n  y = 1"),
    ] {
        assert_eq!(read_fenced(text).unwrap().action, Action::Program(program.into()));
        let shown = streamed(text, &[1]);
        assert_eq!(shown[1], (SegmentKind::Python, format!("{program}\n")));
    }
}

#[test]
fn a_tool_call_is_a_program_and_bad_arguments_are_corrected() {
    let format = Format::Tool.implementation();
    let action = format.read(&tool_reply(r#"{"code":"print(1)\n"}"#), &[]).unwrap();
    assert_eq!(action.action, Action::Program("print(1)".into()));
    assert!(
        format
            .read(&tool_reply(r#"{"code":"#), &[])
            .unwrap_err()
            .correction
            .contains("JSON")
    );
    assert!(
        format
            .read(&tool_reply(r#"{"program":"x"}"#), &[])
            .unwrap_err()
            .correction
            .contains("code")
    );
}

#[test]
fn the_transcript_alternates_between_the_two_sides() {
    let segments = [
        segment(SegmentKind::User, "2+2?", None),
        segment(SegmentKind::Thought, "add", None),
        segment(SegmentKind::Python, "print(4)", Some(1)),
        segment(SegmentKind::Output, "4", Some(1)),
    ];
    let pinned_toolkits: Vec<&Segment> = segments.iter().collect();
    let fenced = Format::Fenced.implementation().messages(&pinned_toolkits);
    assert_eq!(
        fenced
            .iter()
            .map(|message| (message.speaker, message.plain()))
            .collect::<Vec<_>>(),
        vec![
            (Speaker::User, "[User]: 2+2?".into()),
            (
                Speaker::Assistant,
                "[Thought]: add\n\n```python\nprint(4)\n```".into()
            ),
            (Speaker::User, "[Output]: 4".into()),
        ]
    );
    let native = Format::Tool.implementation().messages(&pinned_toolkits);
    assert_eq!(native[1].tool_calls[0].id, "call_1");
    assert_eq!(native[2].tool_call_id.as_deref(), Some("call_1"));
}

#[test]
fn every_format_says_of_a_program_without_output_that_it_was_interrupted() {
    let called = "# calls: [{\"tool\":\"files.read\",\"args\":{}}]\nprint(await files.read())";
    for program in ["x", called] {
        let segments = [
            segment(SegmentKind::Python, "y", Some(1)),
            segment(SegmentKind::Express, "begun", Some(1)),
            segment(SegmentKind::Output, "whole", Some(1)),
            segment(SegmentKind::Python, program, Some(2)),
            segment(SegmentKind::Express, "one is written", Some(2)),
            segment(SegmentKind::User, "all done?", None),
        ];
        for format in Format::ALL {
            let pinned_toolkits: Vec<&Segment> = segments.iter().collect();
            let messages = format.implementation().messages(&pinned_toolkits);
            let last = messages.len() - 1;
            assert_eq!(messages[last].speaker, Speaker::User, "{format:?}");
            let texts: Vec<String> = messages.iter().map(Message::plain).collect();
            let told = texts.iter().filter(|text| text.contains("interrupted"));
            assert_eq!(told.count(), 1, "{format:?}: {texts:?}");
            let all = texts.join("\n");
            let place = |part: &str| all.find(part).unwrap();
            assert!(
                place("whole") < place("interrupted") && place("interrupted") < place("all done?"),
                "{format:?}: {all}"
            );
        }
    }
}

/// Streams `text` in pieces of `sizes` characters and joins the shown pieces by kind.
fn streamed(text: &str, sizes: &[usize]) -> Vec<(SegmentKind, String)> {
    let mut stream = Format::Fenced.implementation().stream();
    let characters: Vec<char> = text.chars().collect();
    let (mut at, mut turn, mut pieces) = (0, 0, Vec::new());
    while at < characters.len() {
        let end = (at + sizes[turn % sizes.len()].max(1)).min(characters.len());
        let piece: String = characters[at..end].iter().collect();
        pieces.extend(stream.push(&ModelDelta::Text(piece)));
        (at, turn) = (end, turn + 1);
    }
    pieces.extend(stream.finish());
    let mut joined: Vec<(SegmentKind, String)> = Vec::new();
    for (kind, text) in pieces {
        match joined.last_mut() {
            Some((last, all)) if *last == kind => all.push_str(&text),
            _ => joined.push((kind, text)),
        }
    }
    joined
}

#[test]
fn a_stream_shows_thought_and_program_apart_and_hides_what_follows() {
    let pieces = streamed("[Thought]: add\n```python\nprint(`1`)\n```\nOutput: 1", &[1]);
    assert_eq!(
        pieces,
        vec![
            (SegmentKind::Thought, "add\n".into()),
            (SegmentKind::Python, "print(`1`)\n".into())
        ]
    );
}

#[test]
fn code_arguments_appear_while_they_arrive() {
    let mut stream = Format::Tool.implementation().stream();
    let mut shown = String::new();
    for character in r#"{ "code" : "a = \"\u4f60\"\nb" }"#.chars() {
        let delta = ModelDelta::ToolArguments {
            index: 0,
            name: "python".into(),
            text: character.to_string(),
        };
        shown.extend(stream.push(&delta).into_iter().map(|(_, text)| text));
    }
    assert_eq!(shown, "a = \"你\"\nb");
}

proptest! {
    #[test]
    fn a_stream_shows_the_same_however_it_is_cut(
        text in "([\\[\\]:`a-z你\n ]|```python\n|```\n|\\[Thought\\]: |\\[Express\\]: |\\[Output\\]: |<think>|</think>|\"\"\"|'''|#){0,40}",
        sizes in prop::collection::vec(1usize..7, 1..5),
    ) {
        prop_assert_eq!(streamed(&text, &sizes), streamed(&text, &[usize::MAX / 2]));
    }

    #[test]
    fn a_stream_shows_the_program_that_is_read(
        before in "([a-z]{1,3}\n){0,2}",
        text in "(  |\t)?```python\n(\"\"\"|'''|['\"#\\\\a]|\n|\n```\n|\n  ```\n|  ){0,30}",
        sizes in prop::collection::vec(1usize..7, 1..5),
    ) {
        let text = format!("{before}{text}");
        let pieces = streamed(&text, &sizes).into_iter();
        let shown: String = pieces
            .filter(|(kind, _)| *kind == SegmentKind::Python)
            .map(|(_, text)| text)
            .collect();
        match read_fenced(&text).map(|action| action.action) {
            Ok(Action::Program(program)) => prop_assert_eq!(program, shown.trim_end()),
            other => prop_assert!(!block::holds_statement(&shown), "{:?} {:?}", other, shown),
        }
    }

    #[test]
    fn a_stream_ends_with_the_program_that_is_read_after_a_thought(
        text in "a\n(```python\n|```\n|\n</think>|</think>\n|\"\"\"|[a'#]|\n){0,30}",
        sizes in prop::collection::vec(1usize..9, 1..5),
    ) {
        let pieces = streamed(&text, &sizes).into_iter();
        let shown: String = pieces
            .filter(|(kind, _)| *kind == SegmentKind::Python)
            .map(|(_, text)| text)
            .collect();
        if let Ok(Action::Program(program)) = read_fenced(&text).map(|action| action.action) {
            prop_assert!(shown.trim_end().ends_with(&program), "{:?} {:?}", program, shown);
        }
    }

    #[test]
    fn reading_never_panics_and_a_program_is_never_empty(text in "\\PC{0,200}") {
        if let Ok(ParsedReply { action: Action::Program(program), .. }) = read_fenced(&text) {
            prop_assert!(!program.trim().is_empty());
        }
    }
}

fn filled(text: &str) -> Result<String, Malformed> {
    let hole = Hole::new(&[], &[]);
    let program = hole.filled(&reply(text))?;
    let middle = program.strip_prefix("try:\n").unwrap();
    Ok(middle
        .split("\nexcept Exception as error:")
        .next()
        .unwrap()
        .to_owned())
}

#[test]
fn a_middle_is_put_below_try_however_it_was_indented_and_whatever_it_repeated() {
    for (written, middle) in [
        ("    a = 1\n    b = 2", "    a = 1\n    b = 2"),
        ("a = 1\nb = 2", "    a = 1\n    b = 2"),
        ("a = 1\n    b = 2", "    a = 1\n    b = 2"),
        ("for x in y:\n    print(x)", "    for x in y:\n        print(x)"),
        ("```python\na = 1\n```", "    a = 1"),
        (
            "try:\n    a = 1\nexcept Exception as error:\n    raise",
            "    a = 1",
        ),
        (
            "a = \"\"\"x\n y\n\"\"\"\nb = 1",
            "    a = \"\"\"x\n y\n\"\"\"\n    b = 1",
        ),
        ("<think>hm</think>\na = 1", "    a = 1"),
        (
            "```python\na = \"\"\"x\n```\ny\"\"\"\nb = '\"\"\"'\nc = 1\n```",
            "    a = \"\"\"x\n```\ny\"\"\"\n    b = '\"\"\"'\n    c = 1",
        ),
    ] {
        assert_eq!(filled(written).unwrap(), middle, "{written:?}");
    }
    assert!(filled("```python\n```").is_err() && filled("").is_err());
}

#[test]
fn lines_of_the_middle_are_counted_from_its_own_first() {
    let hole = Hole::new(&[], &[]);
    let program = hole.filled(&reply("a = 1\nb = 2")).unwrap();
    let own: Vec<Option<u32>> = (1..=6).map(|line| line_of_middle(&program, line)).collect();
    assert_eq!(own, [None, Some(1), Some(2), None, None, None]);
    assert_eq!(line_of_middle("a = 1", 1), None);
}

#[test]
fn a_relay_shows_what_is_for_the_user_and_nothing_else() {
    let shown = |text: &str| -> String {
        let mut stream = Format::Relay.implementation().stream();
        let pieces = text.chars().map(|letter| ModelDelta::Text(letter.to_string()));
        let mut shown: Vec<_> = pieces.flat_map(|piece| stream.push(&piece)).collect();
        shown.extend(stream.finish());
        shown.into_iter().map(|(_, text)| text).collect()
    };
    assert_eq!(shown("to_user: Hi\nthere"), "Hi\nthere");
    assert_eq!(shown("to_sys: {\"tool\": \"a.b\"}"), "");
    assert_eq!(shown("Tomorrow it rains"), "Tomorrow it rains");
}

proptest! {
    #[test]
    fn no_format_panics_on_any_answer(
        text in "(to_user:|to_sys:|sys:|user:|\\{|\\}|\"tool\"|```|json|\\[Python\\]:|try:|except|[a-z你 \n:\"]){0,30}",
        arguments in "\\PC{0,60}",
    ) {
        let hole = Hole::new(&[], &[]);
        for format in Format::ALL {
            for reply in [reply(&text), tool_reply(&arguments)] {
                let action = format.implementation().read(&reply, &[]);
                if let Ok(ParsedReply { action: Action::Program(program), .. }) = action {
                    prop_assert!(!program.trim().is_empty());
                }
                if let Ok(program) = hole.filled(&reply) {
                    prop_assert!(line_of_middle(&program, 2) == Some(1));
                }
            }
        }
    }
}
