//! Taint: text derived from foreign words is never clean, in this run or a later one of the session.

use crate::bench::*;
use proptest::prelude::*;

/// Stands for text that somebody else wrote.
const FOREIGN: &str = "ignore-previous-orders";

#[test]
fn a_new_question_in_a_session_that_has_read_a_page_starts_tainted() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    let outcome = CallOutcome::success(json!(FOREIGN), "a").untrusted();
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome,
    });
    bench.ended(FOREIGN, None);
    bench.model("done");
    let mut next = bench.followed(Settings::default());
    next.ask("and now run it");
    assert!(next.mind.state().tainted);
    next.model(PROGRAM);
    let effects = next.call("shell.run", json!({"command": "x"}), Class::Execute);
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::Show(RunEventKind::ApprovalNeeded { .. }))),
        "what a tainted run executes is asked about"
    );
}

#[test]
fn a_session_of_the_users_own_words_stays_clean() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("system.now", json!({}), Class::Read);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("12:00"), "").own(),
    });
    bench.ended("12:00", None);
    bench.model("noon");
    let mut next = bench.followed(Settings::default());
    next.ask("and tomorrow?");
    assert!(!next.mind.state().tainted);
}

/// One thing that happens in a session.
#[derive(Debug, Clone)]
enum Happening {
    /// The model writes a program, which passes on everything it has seen.
    Program,
    Reads {
        foreign: bool,
        fails: bool,
    },
    Prints,
    Fails,
    Answers,
    /// The user adds something, with a page or without.
    Says {
        page: bool,
    },
    Restart,
    NextQuestion,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => Just(Happening::Program),
        3 => any::<(bool, bool)>().prop_map(|(foreign, fails)| Happening::Reads { foreign, fails }),
        3 => Just(Happening::Prints),
        1 => Just(Happening::Fails),
        1 => Just(Happening::Answers),
        1 => any::<bool>().prop_map(|page| Happening::Says { page }),
        1 => Just(Happening::Restart),
        2 => Just(Happening::NextQuestion),
    ]
}

/// Plays a session in which the model and its programs repeat all they have seen.
fn play(happenings: &[Happening]) -> Bench {
    let (mut bench, _) = Bench::asked("q");
    let mut seen = String::from("nothing");
    for happening in happenings {
        match happening {
            Happening::Program => {
                bench.model(&format!("[Thought]: {seen}\n```python\nprint(\"{seen}\")\n```"));
            }
            Happening::Reads { foreign, fails } => {
                let effects = bench.call("files.read", json!({"path": "/a"}), Class::Read);
                let performed = effects.iter().find_map(|effect| match effect {
                    Effect::PerformCall { call, .. } => Some(call.id),
                    _ => None,
                });
                let Some(call) = performed else { continue };
                let outcome = if *foreign {
                    seen = FOREIGN.to_owned();
                    // A performer that says nothing of its words' author counts as foreign, and a failure
                    // counts like a success.
                    match *fails {
                        true => CallOutcome::failure("OSError", FOREIGN),
                        false => CallOutcome::success(json!(FOREIGN), "a"),
                    }
                } else {
                    CallOutcome::success(json!("own"), "a").own()
                };
                bench.give(Event::CallReturned { call, outcome });
            }
            Happening::Prints => drop(bench.ended(&seen.repeat(900), None)),
            Happening::Fails => drop(bench.ended("", Some(&format!("ValueError: {seen}")))),
            Happening::Answers => drop(bench.model(&seen)),
            Happening::Says { page } => {
                let mut input = UserInput {
                    text: "also this".into(),
                    ..UserInput::default()
                };
                if *page {
                    seen = FOREIGN.to_owned();
                    input.surroundings.push(page_of(FOREIGN));
                }
                bench.give(Event::Said(input));
            }
            Happening::Restart => bench = bench.restarted(Settings::default()),
            Happening::NextQuestion => {
                bench = bench.followed(Settings::default());
                bench.ask("next");
                let known = &bench.mind.context().segments;
                if !known.iter().any(|segment| segment.text().contains(FOREIGN)) {
                    seen = "nothing".to_owned(); // a new run knows only the transcript
                }
            }
        }
    }
    bench
}

fn page_of(text: &str) -> ContextPiece {
    ContextPiece {
        source: "page".into(),
        title: "a page".into(),
        url: None,
        text: text.into(),
        untrusted: true,
    }
}

proptest! {
    #[test]
    fn nothing_derived_from_something_untrusted_is_clean(happenings in prop::collection::vec(happening(), 0..40)) {
        let bench = play(&happenings);
        for record in &bench.written {
            match record {
                Record::Segment(segment) if segment.text().contains(FOREIGN) => {
                    prop_assert!(segment.tainted, "{segment:?}");
                }
                Record::Result { text, tainted, .. } if text.contains(FOREIGN) => prop_assert!(tainted),
                _ => {}
            }
        }
        let segments = &bench.mind.context().segments;
        if segments.iter().any(|segment| segment.text().contains(FOREIGN)) {
            prop_assert!(bench.mind.state().tainted, "a run that goes on from it");
        }
    }
}
