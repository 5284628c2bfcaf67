//! Heads of others in a model's answer are cut off and corrected; programs that do nothing are no programs.

use super::*;

fn read(format: Format, reply: &ModelReply) -> Result<ParsedReply, Malformed> {
    format.implementation().read(reply, &[])
}

fn code(program: &str) -> ModelReply {
    tool_reply(&serde_json::json!({ "code": program }).to_string())
}

const HEADS: [&str; 5] = ["[Output]:", "[Round]:", "[User]：", "[Reminder]:", "[Context]:"];

#[test]
fn a_head_that_only_others_write_is_corrected_wherever_it_stands() {
    for head in HEADS {
        for text in [
            format!("{head} 3\nThere are 3."),
            format!("There are 3.\n\n  {head} 3"),
            format!("There are 3. {head} 3"),
            format!("[Thought]: count them\n{head} 3\n[Express]: There are 3."),
            format!("[Thought]: count them {head} 3\n[Express]: There are 3."),
            format!("Count them.\n{head} 3\n```python\nprint(3)\n```"),
            format!("[Thought]: count them {head} 3\n```python\nprint(3)\n```"),
        ] {
            for format in Format::ALL {
                let read = read(format, &reply(&text));
                let correction = read.map_err(|malformed| malformed.correction).unwrap_err();
                let named = head.trim_end_matches([':', '：']);
                let is_role = correction.contains("the role `user:`");
                assert!(
                    is_role || correction.contains(named),
                    "{format:?}: {text}: {correction}"
                );
                assert!(!own_words(&text).contains(named), "{text}");
            }
        }
    }
}

#[test]
fn a_head_before_a_call_is_corrected_too() {
    let mut asked = code("print(3)");
    asked.text = "[Thought]: count [Output]: 3".to_owned();
    assert!(
        read(Format::Tool, &asked)
            .unwrap_err()
            .correction
            .contains("[Output]")
    );
}

#[test]
fn a_head_after_a_program_ends_it_and_what_follows_is_dropped() {
    for text in [
        "```python\nprint(3)\n```\n[Output]: 3\n\nThere are 3.",
        "```python\nprint(3)\n[Output]: 3\n\nThere are 3.\n```",
        "```python\nprint(3)\n[Round]: 2 of 6\n```python\nprint(4)\n```",
    ] {
        assert_eq!(
            read_fenced(text).unwrap().action,
            Action::Program("print(3)".into()),
            "{text}"
        );
        let shown = streamed(text, &[1]);
        assert_eq!(shown, [(SegmentKind::Python, "print(3)\n".into())], "{text}");
    }
    let called = read(Format::Tool, &code("print(3)\n[Output]: 3\n")).unwrap();
    assert_eq!(called.action, Action::Program("print(3)".into()));
    let filled = Hole::new(&[], &[])
        .filled(&reply("    print(3)\n[Output]: 3\n"))
        .unwrap();
    assert!(
        filled.contains("print(3)") && !filled.contains("[Output]"),
        "{filled}"
    );
}

#[test]
fn a_program_and_an_answer_may_hold_such_words_as_their_content() {
    for program in [
        "text = \"\"\"\n[Output]: 3\n[Round]: 2\n\"\"\"\nprint(text)",
        "print('[Output]: 3')",
        "x = 1  # [Output]: 1",
    ] {
        assert_eq!(
            read_fenced(&format!("Go.\n```python\n{program}\n```"))
                .unwrap()
                .action,
            Action::Program(program.into())
        );
        assert_eq!(
            read(Format::Tool, &code(program)).unwrap().action,
            Action::Program(program.into())
        );
    }
    for answer in [
        "The log reads:\n```text\n[Output]: 3\n[Round]: 2\n```\nThat is all.",
        "A line that begins with `[Output]: ` is what it printed.",
        "See [Output] and [User](https://a.example).",
    ] {
        for format in Format::ALL {
            assert_eq!(
                read(format, &reply(answer)).unwrap().action,
                Action::Answer(answer.into())
            );
        }
        assert_eq!(streamed(answer, &[1]), [(SegmentKind::Express, answer.into())]);
    }
}

#[test]
fn what_a_thinking_model_imagines_is_cut_off_and_its_answer_stands() {
    let thinking = ModelReply {
        reasoning: "I count.\n[Output]: 3\nSo 3.".to_owned(),
        ..reply("There are 3.")
    };
    let action = read(Format::Fenced, &thinking).unwrap();
    assert_eq!(
        (action.thought.as_str(), action.action),
        ("I count.", Action::Answer("There are 3.".into()))
    );
}

#[test]
fn nothing_of_what_is_cut_off_is_shown_while_it_arrives() {
    for size in [1, 3, 50] {
        let shown = streamed("[Thought]: count\n[Output]: 3\n\nThere are 3.", &[size]);
        assert_eq!(shown, [(SegmentKind::Thought, "count\n".into())]);
    }
    let mut relay = Format::Relay.implementation().stream();
    let mut shown = String::new();
    for character in "to_user: There are\n[Output]: 3\n3.".chars() {
        let pieces = relay.push(&ModelDelta::Text(character.to_string()));
        shown.extend(pieces.into_iter().map(|(_, text)| text));
    }
    shown.extend(relay.finish().into_iter().map(|(_, text)| text));
    assert_eq!(shown, "There are\n");
}

#[test]
fn a_program_that_holds_no_statement_is_malformed_in_every_format() {
    for program in [
        "# Count the lines",
        "\"\"\"Count the lines.\"\"\"",
        "'''\nCount\nthe lines\n'''\n\n# so",
        "   \n\t# a\n",
        "r'x'",
    ] {
        let block = format!("[Thought]: go\n```python\n{program}\n```");
        let alone = reply(&format!("```python\n{program}\n```"));
        let hole = Hole::new(&[], &[]);
        for (format, read) in [
            (Format::Fenced, read(Format::Fenced, &reply(&block))),
            (Format::Fim, read(Format::Fim, &reply(&block))),
            (Format::Tool, read(Format::Tool, &code(program))),
            (Format::Tool, read(Format::Tool, &alone)),
            (Format::Json, read(Format::Json, &alone)),
            (Format::Relay, read(Format::Relay, &alone)),
        ] {
            let correction = read.map_err(|malformed| malformed.correction).unwrap_err();
            assert!(
                correction.contains("no statement"),
                "{format:?}: {program}: {correction}"
            );
        }
        assert!(hole.filled(&reply(program)).is_err(), "{program}");
    }
}

#[test]
fn a_program_of_one_small_statement_is_a_program() {
    for program in [
        "pass",
        "x",
        "# a\nx = 1",
        "\"\"\"a\"\"\"\nx",
        "\"a\" * 3",
        "f\"{1 + 1}\"",
        "'a'.upper()",
        "rb = 1",
        "\"\"\"a\"\"\"; b()",
    ] {
        let text = format!("```python\n{program}\n```");
        assert_eq!(
            read_fenced(&text).unwrap().action,
            Action::Program(program.into())
        );
    }
}
