//! A program that is written again and comes to the same outcome: a reminder at its second time, the end at its
//! third.

use crate::bench::*;

const COUNT: &str = "```python\nprint(len(await files.read(path='a.md')))\n```";

/// The reminders to the model since its task began.
fn reminders(bench: &Bench) -> Vec<&str> {
    let segments = bench.mind.context().segments.iter();
    segments
        .filter(|segment| segment.kind() == SegmentKind::Reminder)
        .map(shidi_protocol::Segment::text)
        .collect()
}

fn reason(bench: &Bench) -> &str {
    bench.mind.state().reason.as_deref().unwrap_or_default()
}

/// One round: the program makes a call, and prints.
fn round(bench: &mut Bench, program: &str, call: (&str, Class), brought: &str, printed: &str) -> Vec<Effect> {
    bench.model(program);
    let (tool, class) = call;
    let effects = bench.call(tool, json!({"path": "a.md"}), class);
    let performed = effects.iter().find_map(|effect| match effect {
        Effect::PerformCall { call, .. } => Some(call.id),
        _ => None,
    });
    let call = performed.expect("a call that is performed");
    bench.give(Event::CallReturned {
        call,
        outcome: CallOutcome::success(json!(brought), "").own(),
    });
    bench.ended(printed, None)
}

fn with_trust() -> Settings {
    Settings {
        grants: Grants {
            mode: Mode::Trust,
            ..Grants::default()
        },
        ..Settings::default()
    }
}

const READ: (&str, Class) = ("files.read", Class::Read);

#[test]
fn a_program_that_comes_to_the_same_is_noticed_the_second_time_and_ends_the_task_the_third() {
    let (mut bench, _) = Bench::asked("how long is it?");
    assert!(asks_model(&round(&mut bench, COUNT, READ, "abc", "3\n")));
    assert!(reminders(&bench).is_empty());
    assert!(asks_model(&round(&mut bench, COUNT, READ, "abc", "3\n")));
    let told = reminders(&bench);
    assert!(
        told.len() == 1 && told[0].contains("nothing has changed"),
        "{told:?}"
    );
    assert!(
        told[0].contains("answer the user now") && told[0].contains("another way"),
        "{told:?}"
    );
    let effects = round(&mut bench, COUNT, READ, "abc", "3\n");
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
    assert!(
        reason(&bench).contains("came to the same 3 times\n3"),
        "{}",
        reason(&bench)
    );
}

#[test]
fn an_answer_after_the_second_time_is_given() {
    let (mut bench, _) = Bench::asked("how long is it?");
    round(&mut bench, COUNT, READ, "abc", "3\n");
    round(&mut bench, COUNT, READ, "abc", "3\n");
    assert_eq!(answer(&bench.model("Three letters.")), Some("Three letters."));
}

#[test]
fn the_same_failure_is_pointed_out_and_the_third_time_ends_the_task() {
    let (mut bench, _) = Bench::asked("q");
    let failing = |bench: &mut Bench| {
        bench.model(PROGRAM);
        bench.ended("", Some("ZeroDivisionError: division by zero"))
    };
    assert!(asks_model(&failing(&mut bench)));
    assert!(asks_model(&failing(&mut bench)));
    let told = reminders(&bench);
    assert!(
        told.len() == 1 && told[0].contains("failed in the same way"),
        "{told:?}"
    );
    assert_eq!(ended_as(&failing(&mut bench)), Some(RunStatus::GaveUp));
    assert!(reason(&bench).contains("division by zero"), "{}", reason(&bench));
}

#[test]
fn a_refused_program_that_is_written_again_is_a_repetition() {
    let (mut bench, _) = Bench::asked("q");
    let refused = |bench: &mut Bench| {
        bench.model(PROGRAM);
        let finding = Finding {
            kind: "NameError".into(),
            message: "NameError: name 'file' is not defined".into(),
            line: 1,
            hint: None,
        };
        bench.give(Event::ProgramRefused {
            findings: vec![finding],
        })
    };
    assert!(asks_model(&refused(&mut bench)));
    assert!(asks_model(&refused(&mut bench)));
    assert_eq!(ended_as(&refused(&mut bench)), Some(RunStatus::GaveUp));
}

#[test]
fn programs_that_take_turns_repeat_themselves_too() {
    let (mut bench, _) = Bench::asked("q");
    for _ in 0..2 {
        for program in ["```python\nprint(1)\n```", "```python\nprint(2)\n```"] {
            bench.model(program);
            assert!(asks_model(&bench.ended("n\n", None)));
        }
    }
    assert_eq!(reminders(&bench).len(), 2);
    bench.model("```python\nprint(1)\n```");
    assert_eq!(ended_as(&bench.ended("n\n", None)), Some(RunStatus::GaveUp));
}

#[test]
fn a_program_that_polls_is_no_repetition() {
    for (tool, class) in [
        ("host.sleep", Class::Read),
        ("host.clock", Class::Read),
        ("system.sleep", Class::Read),
        ("shell.status", Class::Read),
        ("agents.wait", Class::Read),
        ("web.get", Class::NetworkRead),
        ("page.read", Class::Page),
        ("tickets.list", Class::NetworkRead),
    ] {
        let (mut bench, _) = Bench::asked_with(with_trust(), "wait for it");
        for _ in 0..5 {
            let effects = round(
                &mut bench,
                "```python\nimport time\nprint('not yet')\n```",
                (tool, class),
                "no",
                "not yet\n",
            );
            assert!(asks_model(&effects), "{tool}");
        }
        assert!(reminders(&bench).is_empty(), "{tool}");
    }
}

#[test]
fn a_clock_that_a_library_reads_for_a_program_makes_no_news() {
    let program =
        "```python\nimport asyncio\n\nasync def main():\n    print('TCP')\n\nasyncio.run(main())\n```";
    let (mut bench, _) = Bench::asked("what is TCP?");
    let clock = ("host.clock", Class::Read);
    round(&mut bench, program, clock, "1", "TCP\n");
    round(&mut bench, program, clock, "2", "TCP\n");
    assert_eq!(reminders(&bench).len(), 1);
    let effects = round(&mut bench, program, clock, "3", "TCP\n");
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
}

#[test]
fn a_file_that_has_changed_or_a_variable_that_has_makes_it_another_outcome() {
    let (mut bench, _) = Bench::asked("watch it");
    for content in ["a", "b", "c", "d", "e"] {
        assert!(asks_model(&round(&mut bench, COUNT, READ, content, "1\n")));
    }
    let (mut bench, _) = Bench::asked("count on");
    for number in 0..5 {
        bench.model("```python\ncount += 1\n```");
        let effects = bench.ended_with("", &[("count", &number.to_string())]);
        assert!(asks_model(&effects));
    }
    assert!(reminders(&bench).is_empty());
}

#[test]
fn what_another_program_changed_in_between_begins_anew() {
    let (mut bench, _) = Bench::asked_with(with_trust(), "mend it");
    for attempt in 0..4 {
        assert!(asks_model(&round(
            &mut bench,
            COUNT,
            READ,
            "abc",
            "still broken\n"
        )));
        let mend = format!("```python\nmend({attempt})\n```");
        assert!(asks_model(&round(
            &mut bench,
            &mend,
            ("files.edit", Class::Write),
            "",
            ""
        )));
    }
    assert!(reminders(&bench).is_empty());
}

#[test]
fn what_the_user_says_in_between_begins_anew() {
    let (mut bench, _) = Bench::asked("how long is it?");
    for _ in 0..3 {
        assert!(asks_model(&round(&mut bench, COUNT, READ, "abc", "3\n")));
        bench.give(Event::Said(UserInput {
            text: "look again".into(),
            ..UserInput::default()
        }));
    }
    assert!(reminders(&bench).is_empty());
}

#[test]
fn the_count_is_kept_over_a_restart() {
    let (mut bench, _) = Bench::asked("how long is it?");
    round(&mut bench, COUNT, READ, "abc", "3\n");
    round(&mut bench, COUNT, READ, "abc", "3\n");
    let mut bench = bench.restarted(Settings::default());
    bench.give(Event::Resumed);
    let effects = round(&mut bench, COUNT, READ, "abc", "3\n");
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
}

#[test]
fn a_call_that_may_bring_news_and_fails_in_the_same_way_ends_the_task_the_fourth_time() {
    let (mut bench, _) = Bench::asked_with(with_trust(), "q");
    let failing = |bench: &mut Bench| {
        bench.model("```python\nprint(await web.get(url='https://a.example'))\n```");
        bench.call("web.get", json!({"url": "https://a.example"}), Class::NetworkRead);
        bench.ended("", Some("OSError: no route"))
    };
    for _ in 0..3 {
        assert!(asks_model(&failing(&mut bench)));
    }
    assert_eq!(ended_as(&failing(&mut bench)), Some(RunStatus::GaveUp));
    assert!(reason(&bench).contains("same way 4 times"));
}
