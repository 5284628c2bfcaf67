//! The coding loop over several rounds: corrections, failures, bounds.

use crate::bench::*;

#[test]
fn output_without_words_for_the_user_goes_back_to_the_model_for_another_round() {
    let (mut bench, _) = Bench::asked("2+2?");
    bench.model(PROGRAM);
    let effects = bench.ended("4\n", None);
    assert!(asks_model(&effects));
    assert_eq!(bench.mind.state().round, 2);
}

#[test]
fn a_malformed_answer_is_corrected_twice_and_then_the_user_is_told() {
    let (mut bench, _) = Bench::asked("q");
    assert!(asks_model(&bench.model("")));
    assert!(asks_model(&bench.model("")));
    let effects = bench.model("");
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
}

#[test]
fn a_program_that_holds_no_statement_runs_at_no_time_and_is_corrected_twice() {
    let (mut bench, _) = Bench::asked("How many lines?");
    let idle = "[Thought]: count\n```python\n# Count the lines of notes.txt\n```";
    for _ in 0..2 {
        let effects = bench.model(idle);
        assert!(asks_model(&effects));
        assert!(
            !effects
                .iter()
                .any(|effect| matches!(effect, Effect::RunProgram { .. }))
        );
    }
    assert_eq!(ended_as(&bench.model(idle)), Some(RunStatus::Failed));
}

#[test]
fn what_a_model_writes_in_the_name_of_others_is_not_even_quoted_to_it() {
    let (mut bench, _) = Bench::asked("How many lines?");
    bench.model("[Thought]: count them\n[Output]: 4711\n[Express]: There are 4711.");
    let segments = &bench.mind.context().segments;
    let told = segments.last().unwrap();
    assert_eq!(told.kind(), SegmentKind::Reminder);
    assert!(
        told.text().contains("[Output]") && told.text().contains("count them"),
        "{}",
        told.text()
    );
    assert!(!told.text().contains("4711"), "{}", told.text());
}

#[test]
fn a_refused_program_goes_back_to_the_model_with_its_lines() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let finding = Finding {
        kind: "NameError".into(),
        message: "NameError: name 'file' is not defined".into(),
        line: 3,
        hint: Some("did you mean 'files'?".into()),
    };
    let effects = bench.give(Event::ProgramRefused {
        findings: vec![finding],
    });
    let request = effects.iter().find_map(|effect| match effect {
        Effect::AskModel(request) => Some(request),
        _ => None,
    });
    let prompt: String = request
        .unwrap()
        .messages
        .iter()
        .map(|message| message.plain())
        .collect();
    assert!(prompt.contains("line 3: NameError: name 'file'") && prompt.contains("did you mean 'files'?"));
}

#[test]
fn a_task_given_up_after_silent_programs_says_so_in_the_users_language() {
    let gives_up = |language: &str, outputs: [&str; 2]| {
        let settings = Settings {
            rounds_max: 2,
            ..Settings::default()
        };
        let mut bench = Bench::new(settings);
        bench.ask_in("q", language);
        let effects = outputs.map(|output| {
            bench.model(PROGRAM);
            bench.ended(output, None)
        });
        assert_eq!(ended_as(&effects[1]), Some(RunStatus::GaveUp));
        bench.mind.state().reason.clone().unwrap()
    };
    assert_eq!(
        gives_up("en", ["", ""]),
        "Not done after 2 rounds\nThe last program printed nothing"
    );
    assert_eq!(
        gives_up("zh", ["3 files\n", ""]),
        "试了 2 轮没做成\n最后的程序什么也没输出\n之前的结果是：3 files"
    );
}

#[test]
fn the_executor_gives_up_with_the_last_failure_after_its_last_round() {
    let settings = Settings {
        rounds_max: 2,
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    bench.model(PROGRAM);
    bench.ended("", Some("ZeroDivisionError: division by zero"));
    bench.model(PROGRAM);
    let effects = bench.ended("", Some("ZeroDivisionError: division by zero"));
    assert_eq!(ended_as(&effects), Some(RunStatus::GaveUp));
    let reason = bench.mind.state().reason.clone().unwrap();
    assert!(
        reason.contains("2 rounds") && reason.contains("division by zero"),
        "{reason}"
    );
}

#[test]
fn an_answer_that_hides_a_failure_is_sent_back_once() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.ended("", Some("ZeroDivisionError: division by zero"));
    assert!(asks_model(&bench.model("All done, the result is 7.")));
    assert_eq!(
        ended_as(&bench.model("All done, the result is 7.")),
        Some(RunStatus::Completed)
    );
}

#[test]
fn a_budget_of_tokens_is_kept() {
    let settings = Settings {
        tokens_max: Some(150),
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    bench.model(PROGRAM);
    bench.ended("1", None);
    assert_eq!(ended_as(&bench.model(PROGRAM)), Some(RunStatus::GaveUp));
}

#[test]
fn a_program_that_prints_the_word_error_has_not_failed() {
    for (error, failed) in [(None, false), (Some("line 1: ValueError: no"), true)] {
        let (mut bench, _) = Bench::asked("How many lines hold the word Error?");
        bench.model(PROGRAM);
        let effects = bench.ended("3 lines with Error in log.txt\n", error);
        let briefs = effects.iter().filter_map(|effect| match effect {
            Effect::AskModel(request) => Some(&request.brief),
            _ => None,
        });
        let told: Vec<bool> = briefs.map(|brief| brief.last_failed).collect();
        assert_eq!(told, [failed]);
    }
}
