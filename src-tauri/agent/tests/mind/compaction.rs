//! Long tasks: what the model sees stays within its window, and nothing that matters is lost.

use crate::bench::*;
use shidi_protocol::{ModelRequest, ModelRole};

const WINDOW: u32 = 8_000;

fn small() -> Settings {
    Settings {
        window_tokens: WINDOW,
        rounds_max: 100,
        ..Settings::default()
    }
}

fn request(effects: &[Effect]) -> Option<&ModelRequest> {
    effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(&**request),
        _ => None,
    })
}

fn prompt(request: &ModelRequest) -> String {
    let texts: Vec<String> = request.messages.iter().map(|message| message.plain()).collect();
    texts.join("\n")
}

fn compactions(bench: &Bench) -> usize {
    let covers = |segment: &&shidi_protocol::Segment| segment.kind() == SegmentKind::Summary;
    bench.mind.context().segments.iter().filter(covers).count()
}

/// Does rounds with outputs of about 500 tokens; answers summaries with `summary`. Returns the last effects.
fn rounds(bench: &mut Bench, numbers: std::ops::Range<u32>, summary: Option<&str>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for number in numbers {
        let plan = "and then the next ".repeat(20);
        let program = format!("[Thought]: step {number}\n```python\n# {plan}\nprint({number})\n```");
        bench.model(&program);
        effects = bench.ended(&format!("result {number}: {}", "word ".repeat(400)), None);
        effects = summarised(bench, effects, summary);
        let asked = request(&effects).unwrap();
        let text = prompt(asked);
        assert!(shidi_agent::estimate_tokens(&text) <= WINDOW, "round {number}");
        let left_out: u32 = asked.parts.iter().map(|part| part.left_out).sum();
        assert_eq!(
            left_out, 0,
            "round {number}: compacted before anything has no place"
        );
        assert!(
            text.contains("[User]: the long task"),
            "round {number}: the task itself"
        );
        assert!(
            text.contains(&format!("[Output]: result {number}: word word")),
            "round {number}: its result"
        );
    }
    effects
}

fn summarised(bench: &mut Bench, effects: Vec<Effect>, summary: Option<&str>) -> Vec<Effect> {
    match request(&effects) {
        Some(asked) if asked.role == ModelRole::Fast => match summary {
            Some(text) => bench.model(text),
            None => bench.give(Event::ModelFailed {
                failure: failure(FailureKind::Overloaded),
            }),
        },
        _ => effects,
    }
}

fn failure(kind: FailureKind) -> ModelFailure {
    ModelFailure {
        kind,
        detail: Worded::default(),
        provider: "p".into(),
        provider_title: None,
        partial: None,
    }
}

#[test]
fn sixty_rounds_under_one_message_are_compacted_and_end_well() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    rounds(
        &mut bench,
        1..61,
        Some("Goal: the long task. Done so far: as noted."),
    );
    assert!(compactions(&bench) >= 2, "{} compactions", compactions(&bench));
    let outputs = bench.mind.context().segments.iter();
    let outputs = outputs
        .filter(|segment| segment.kind() == SegmentKind::Output && segment.text().contains("word word"));
    assert_eq!(outputs.count(), 60, "the transcript stays whole");
    let effects = bench.model("Done.");
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
}

#[test]
fn people_are_told_of_a_compaction_and_the_summary_is_the_models_alone() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    let mut told = None;
    for number in 1..61 {
        bench.model(PROGRAM);
        let effects = bench.ended(&format!("{number} {}", "word ".repeat(400)), None);
        let effects = summarised(&mut bench, effects, Some("so far so good"));
        assert!(!effects.iter().any(|effect| matches!(
            effect,
            Effect::Show(RunEventKind::Segment {
                body: Body::Summary(_),
                ..
            })
        )));
        told = told.or(effects.iter().find_map(|effect| match effect {
            Effect::Show(RunEventKind::Compacted {
                before_tokens,
                after_tokens,
            }) => Some((*before_tokens, *after_tokens)),
            _ => None,
        }));
    }
    let (before, after) = told.unwrap();
    assert!(
        before > WINDOW / 100 * 70 && after < before,
        "{before} -> {after}"
    );
}

#[test]
fn a_summary_that_fails_is_made_by_rules_and_after_two_failures_no_model_is_asked() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    rounds(&mut bench, 1..61, None);
    assert!(compactions(&bench) >= 2);
    let seen = bench.mind.state().summaries_failed;
    assert_eq!(seen, 2, "a third summary is not asked for");
}

#[test]
fn a_summary_request_that_is_too_long_itself_is_halved_twice_and_then_made_by_rules() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    let too_long = || Event::ModelFailed {
        failure: ModelFailure {
            kind: FailureKind::ContextLength,
            detail: Worded::default(),
            provider: "p".into(),
            provider_title: None,
            partial: None,
        },
    };
    let size = |effects: &[Effect]| request(effects).unwrap().messages[1].plain().len();
    for number in 1..61 {
        bench.model(PROGRAM);
        let first = bench.ended(&format!("{number} {}", "word ".repeat(400)), None);
        if request(&first).unwrap().role != ModelRole::Fast {
            continue;
        }
        let second = bench.give(too_long());
        assert_eq!(request(&second).unwrap().role, ModelRole::Fast);
        let third = bench.give(too_long());
        assert!(size(&second) < size(&first) && size(&third) < size(&second));
        let last = bench.give(too_long());
        assert_eq!(
            request(&last).unwrap().role,
            ModelRole::Coder,
            "the rules have made it"
        );
        assert_eq!(bench.mind.state().summaries_failed, 1);
        return;
    }
    panic!("no compaction in sixty rounds");
}

#[test]
fn a_restart_in_the_middle_of_a_compaction_asks_again() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    for number in 1..61 {
        bench.model(PROGRAM);
        let effects = bench.ended(&format!("{number} {}", "word ".repeat(400)), None);
        if request(&effects).unwrap().role == ModelRole::Fast {
            let mut after = bench.restarted(small());
            let effects = after.give(Event::Resumed);
            assert_eq!(request(&effects).unwrap().role, ModelRole::Fast);
            let effects = after.model("summary");
            assert_eq!(request(&effects).unwrap().role, ModelRole::Coder);
            return;
        }
    }
    panic!("no compaction in sixty rounds");
}

#[test]
fn a_model_that_finds_the_prompt_too_long_is_asked_with_less_and_then_the_user_is_told() {
    let settings = Settings {
        window_tokens: 100_000,
        rounds_max: 100,
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "the long task");
    for number in 1..30 {
        bench.model(PROGRAM);
        bench.ended(&format!("{number} {}", "word ".repeat(400)), None);
    }
    let before = shidi_agent::estimate_tokens(&prompt(request(&bench.give(Event::Resumed)).unwrap()));
    let too_long = || Event::ModelFailed {
        failure: failure(FailureKind::ContextLength),
    };
    let mut last = Vec::new();
    for _ in 0..4 {
        last = bench.give(too_long());
        last = summarised(&mut bench, last, Some("short"));
        let Some(asked) = request(&last) else { break };
        assert!(shidi_agent::estimate_tokens(&prompt(asked)) < before);
    }
    assert_eq!(ended_as(&last), Some(RunStatus::Failed), "it ends, and says why");
}

#[test]
fn what_the_user_added_is_asked_with_the_rest_though_the_prompt_was_too_long() {
    let (mut bench, _) = Bench::asked("count them");
    bench.model("");
    for addition in ["also the old ones", "and the new ones"] {
        bench.give(Event::Said(UserInput {
            text: addition.into(),
            ..UserInput::default()
        }));
    }
    let effects = bench.give(Event::ModelFailed {
        failure: failure(FailureKind::ContextLength),
    });
    let asked = prompt(request(&effects).unwrap());
    for said in ["count them", "also the old ones", "and the new ones"] {
        assert!(asked.contains(said), "{said}: {asked}");
    }
}

#[test]
fn a_program_can_ask_for_a_compaction_itself() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    rounds(&mut bench, 1..12, Some("…"));
    let before = compactions(&bench);
    bench.model(PROGRAM);
    let effects = bench.call("system.compress", json!({}), Class::Read);
    assert!(answered(&effects).unwrap().1.ok());
    let effects = bench.ended("1", None);
    assert_eq!(request(&effects).unwrap().role, ModelRole::Fast);
    bench.model("short");
    assert_eq!(compactions(&bench), before + 1);
}

#[test]
fn the_next_question_of_the_session_sees_the_same_shortened_past() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    rounds(&mut bench, 1..40, Some("SUMMARY OF IT"));
    bench.model("Done.");
    let mut next = bench.followed(small());
    let effects = next.ask("and now?");
    let effects = summarised(&mut next, effects, Some("SUMMARY OF IT"));
    let text = prompt(request(&effects).unwrap());
    assert!(text.contains("SUMMARY OF IT") && !text.contains("[Thought]: step 1\n"));
    assert!(text.contains("[User]: the long task") && text.contains("[User]: and now?"));
}

#[test]
fn a_short_conversation_is_left_alone() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.ended("1", None);
    bench.model("one");
    let summaries = bench.mind.context().segments.iter();
    assert_eq!(summaries.filter(|s| s.kind() == SegmentKind::Summary).count(), 0);
}

#[test]
fn a_question_that_is_too_long_by_itself_is_not_asked_twice() {
    let (mut bench, _) = Bench::asked("a single question");
    let effects = bench.give(Event::ModelFailed {
        failure: failure(FailureKind::ContextLength),
    });
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
}

#[test]
fn what_the_user_says_while_a_session_is_shortened_is_answered_afterwards() {
    let (mut bench, _) = Bench::asked_with(small(), "the long task");
    rounds(&mut bench, 1..6, Some("so far so good"));
    bench.model("Done.");
    // For a smaller model there is something to shorten again.
    let mut bench = bench.followed(Settings {
        window_tokens: WINDOW / 2,
        ..small()
    });
    let language = "en".to_owned();
    let effects = bench.give(Event::CompactAsked { language });
    assert_eq!(request(&effects).unwrap().role, ModelRole::Fast);
    bench.give(Event::Said(UserInput {
        text: "And what came of it?".into(),
        ..UserInput::default()
    }));
    let effects = bench.model("The long task was done.");
    let asked = request(&effects).unwrap();
    assert_eq!(asked.role, ModelRole::Coder);
    assert!(prompt(asked).contains("And what came of it?"));
    assert_eq!(answer(&bench.model("A result.")), Some("A result."));
}
