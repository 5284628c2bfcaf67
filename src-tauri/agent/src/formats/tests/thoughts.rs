//! Thoughts within an answer: they are no part of the answer, and none of them runs.

use super::*;

#[test]
fn thinking_of_local_models_is_not_part_of_the_answer() {
    let action = read_fenced("<think>hm</think>\nParis.").unwrap();
    assert_eq!(
        (action.thought.as_str(), action.action),
        ("hm", Action::Answer("Paris.".into()))
    );
}

#[test]
fn a_thought_that_nobody_opened_is_no_part_of_the_answer_in_any_format() {
    for format in Format::ALL {
        for (text, thought) in [
            ("2 + 3 … </think>\n\nThe answer is 5.", "2 + 3 …"),
            ("2 + 3\n</think>\nThe answer is 5.", "2 + 3"),
            (
                "2 + 3\n```\na\n```\n </think>The answer is 5.",
                "2 + 3\n```\na\n```",
            ),
            ("</think>\nThe answer is 5.", ""),
            ("<think>\n2 + 3</think>The answer is 5.", "2 + 3"),
        ] {
            let action = format.implementation().read(&reply(text), &[]).unwrap();
            assert_eq!(
                (action.thought.as_str(), action.action),
                (thought, Action::Answer("The answer is 5.".into())),
                "{format:?}: {text}"
            );
        }
    }
}

#[test]
fn code_in_a_thought_that_nobody_opened_does_not_run() {
    for draft in [
        "Perhaps\n```python\nprint('draft')\n```\nNo.\n</think>\n\n",
        "Perhaps\n```python\nprint('draft')\n</think>\n\n",
        "Perhaps\n```python\na = '''\n```\n</think>\n'''\n```\nNo. </think>\n",
    ] {
        let text = format!("{draft}[Thought]: go\n```python\nprint('real')\n```\nand on");
        for format in [Format::Fenced, Format::Fim] {
            let action = format.implementation().read(&reply(&text), &[]).unwrap();
            assert_eq!(action.action, Action::Program("print('real')".into()), "{text}");
            assert_eq!(action.thought, "go");
        }
        let shown = streamed(&text, &[2]);
        let last = &shown[shown.len() - 2..];
        assert_eq!(last[0], (SegmentKind::Thought, "go\n".into()), "{shown:?}");
        assert_eq!(last[1], (SegmentKind::Python, "print('real')\n".into()));

        let action = read_fenced(&format!("{draft}It is 5.")).unwrap();
        assert_eq!(action.action, Action::Answer("It is 5.".into()));
    }
    let wish = reply("Perhaps\n[Python]:\nno.\n</think>\nAdd them.\n[Python]:\n");
    let action = Format::Fim.implementation().read(&wish, &[]).unwrap();
    assert_eq!(
        (action.thought.as_str(), action.action),
        ("Add them.", Action::Draft)
    );
}

#[test]
fn a_program_and_an_answer_may_speak_of_the_tags_of_thoughts() {
    let program = "a = \"\"\"\n</think>\n\"\"\"\nb = \"</think>\"";
    assert_eq!(
        read_fenced(&fenced(program)).unwrap().action,
        Action::Program(program.into())
    );
    for answer in [
        "A thought ends with `</think>`.",
        "It writes </think> and goes on.",
        "Like this:\n```xml\nhm\n</think>\n```",
        "Like this:\n<think>\nhm\n</think>\nand then",
    ] {
        let read = read_fenced(answer).unwrap();
        assert_eq!(read.action, Action::Answer(answer.into()));
        assert!(read.thought.is_empty());
    }
}

#[test]
fn the_end_of_a_thought_is_not_shown_and_what_follows_is_for_the_user() {
    for text in ["hm </think>\nfive", "hm \n</think> five"] {
        let pieces = streamed(text, &[1]);
        let [(SegmentKind::Express, shown)] = pieces.as_slice() else {
            panic!("{pieces:?}");
        };
        assert!(!shown.contains('<') && shown.ends_with("five"), "{shown}");
    }
    let pieces = streamed("[Thought]: hm </think>\nfive", &[3]);
    assert_eq!(
        pieces,
        [
            (SegmentKind::Thought, "hm ".into()),
            (SegmentKind::Express, "five".into())
        ]
    );
    let plain = "a < b </thin ice> </think";
    assert_eq!(streamed(plain, &[2]), [(SegmentKind::Express, plain.into())]);
}
