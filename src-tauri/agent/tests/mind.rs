//! Events in, effects out: what the mind promises, one sentence a test.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test stops where it fails"
)]

use serde_json::json;
use shidi_agent::permissions::{Grants, Pattern, Rule};
use shidi_agent::{Arrival, Decided, Effect, Event, Finding, Mind, Phase, ProgramEnd, Record, Settings};
use shidi_protocol::{
    Call, CallId, CallOutcome, CallRecord, CallState, Class, ExecId, FailureKind, Finish, Mode, ModelFailure,
    ModelReply, Moment, RunEventKind, RunStatus, SegmentKind, ToolCall, Usage, Verdict,
};

/// A mind with its clock and everything it has written so far.
struct Bench {
    mind: Mind,
    clock: i64,
    written: Vec<Record>,
}

impl Bench {
    fn new(settings: Settings) -> Self {
        let mind = Mind::new(
            "s".into(),
            "run-00000001".into(),
            settings,
            Vec::new(),
            Vec::new(),
        );
        Self {
            mind,
            clock: 1_000,
            written: Vec::new(),
        }
    }

    fn asked(question: &str) -> (Self, Vec<Effect>) {
        Self::asked_with(Settings::default(), question)
    }

    fn asked_with(settings: Settings, question: &str) -> (Self, Vec<Effect>) {
        let mut bench = Self::new(settings);
        let effects = bench.give(Event::Asked(Arrival {
            text: question.into(),
            ..Arrival::default()
        }));
        (bench, effects)
    }

    fn give(&mut self, event: Event) -> Vec<Effect> {
        self.clock += 10;
        let effects = self.mind.handle(Moment(self.clock), event);
        for effect in &effects {
            if let Effect::Commit(records) | Effect::Buffer(records) = effect {
                self.written.extend(records.iter().cloned());
            }
        }
        effects
    }

    fn model(&mut self, text: &str) -> Vec<Effect> {
        self.give(Event::ModelAnswered { reply: reply(text) })
    }

    fn call(&mut self, tool: &str, args: serde_json::Value, class: Class) -> Vec<Effect> {
        let (toolkit, method) = tool.split_once('.').unwrap();
        let exec = match self.mind.state().phase {
            Phase::Running { exec } => exec,
            _ => ExecId(0),
        };
        let args = args.as_object().cloned().unwrap();
        let call = Call {
            id: CallId(0),
            exec,
            toolkit: toolkit.into(),
            method: method.into(),
            args,
            line: 1,
        };
        self.give(Event::CallRequested { call, class })
    }

    fn ended(&mut self, stdout: &str, error: Option<&str>) -> Vec<Effect> {
        self.give(Event::ProgramEnded(ProgramEnd {
            stdout: stdout.into(),
            value: None,
            error: error.map(str::to_owned),
            variables: Vec::new(),
            wall_ms: 1,
            diverged: false,
        }))
    }

    /// The same run after a restart, from what was written.
    fn restarted(&self, settings: Settings) -> Self {
        let mut segments = Vec::new();
        let mut calls: Vec<CallRecord> = Vec::new();
        let mut state = None;
        for record in &self.written {
            match record {
                Record::Segment(segment) => segments.push(segment.clone()),
                Record::Call(call) => {
                    calls.retain(|other| other.call.id != call.call.id);
                    calls.push((**call).clone());
                }
                Record::State(new) => state = Some((**new).clone()),
                Record::Rule { .. } | Record::Result { .. } | Record::Title(_) => {}
            }
        }
        calls.sort_by_key(|record| record.call.id);
        let mind = Mind::new("s".into(), "run-00000001".into(), settings, segments, Vec::new());
        let mind = mind.restore(state.unwrap(), calls, Vec::new());
        Self {
            mind,
            clock: self.clock,
            written: self.written.clone(),
        }
    }
}

fn reply(text: &str) -> ModelReply {
    ModelReply {
        text: text.into(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage {
            input: 100,
            output: 10,
            model_calls: 1,
            ..Usage::default()
        },
        model: "m".into(),
    }
}

fn ended_as(effects: &[Effect]) -> Option<RunStatus> {
    effects.iter().find_map(|effect| match effect {
        Effect::End { status, .. } => Some(*status),
        _ => None,
    })
}

fn answer(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::Answer { text }) => Some(text.as_str()),
        _ => None,
    })
}

fn asks_model(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::AskModel(_)))
}

fn position(effects: &[Effect], wanted: impl Fn(&Effect) -> bool) -> usize {
    effects.iter().position(wanted).expect("the effect is there")
}

fn answered(effects: &[Effect]) -> Option<(CallId, CallOutcome, u32)> {
    effects.iter().find_map(|effect| match effect {
        Effect::AnswerCall { call, outcome, order } => Some((*call, outcome.clone(), *order)),
        _ => None,
    })
}

const PROGRAM: &str = "[Thought]: try\n```python\nx = 1\n```";

#[test]
fn a_plain_question_costs_exactly_one_model_call() {
    let (mut bench, effects) = Bench::asked("What is the capital of France?");
    assert_eq!(
        effects
            .iter()
            .filter(|effect| matches!(effect, Effect::AskModel(_)))
            .count(),
        1
    );
    let effects = bench.model("Paris.");
    assert_eq!(answer(&effects), Some("Paris."));
    assert_eq!(ended_as(&effects), Some(RunStatus::Completed));
    assert!(!asks_model(&effects));
}

#[test]
fn everything_so_far_is_durable_before_the_model_is_asked_and_before_an_answer_is_final() {
    let (mut bench, effects) = Bench::asked("hi");
    assert!(
        position(&effects, |e| matches!(e, Effect::Commit(_)))
            < position(&effects, |e| matches!(e, Effect::AskModel(_)))
    );
    let effects = bench.model("hello");
    let committed = position(&effects, |e| matches!(e, Effect::Commit(_)));
    assert!(
        committed
            < position(&effects, |e| matches!(
                e,
                Effect::Show(RunEventKind::Answer { .. })
            ))
    );
}

#[test]
fn what_a_program_says_is_the_answer_without_another_model_call() {
    let (mut bench, _) = Bench::asked("2+2?");
    bench.model(PROGRAM);
    let effects = bench.call("user.say", json!({"text": "4"}), Class::Read);
    assert!(answered(&effects).unwrap().1.ok());
    let effects = bench.ended("", None);
    assert_eq!(answer(&effects), Some("4"));
}

#[test]
fn output_without_words_for_the_user_goes_back_to_the_model_for_another_round() {
    let (mut bench, _) = Bench::asked("2+2?");
    bench.model(PROGRAM);
    let effects = bench.ended("4\n", None);
    assert!(asks_model(&effects));
    assert_eq!(bench.mind.state().round, 2);
}

#[test]
fn a_read_is_performed_at_once_and_recorded_with_its_result() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let effects = bench.call("files.read", json!({"path": "/a"}), Class::Read);
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Commit(_) | Effect::Buffer(_)))
    );
    let outcome = CallOutcome::success(json!("text"), "a · 1 line").untrusted();
    let effects = bench.give(Event::CallReturned {
        call: CallId(1),
        outcome,
    });
    assert!(matches!(effects[0], Effect::Buffer(_)));
    assert!(
        bench.mind.state().tainted,
        "a file that the user did not write taints the run"
    );
}

#[test]
fn a_side_effect_has_a_durable_intent_before_it_happens() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let effects = bench.call("memory.remember", json!({"text": "t"}), Class::Write);
    let intent = position(&effects, |effect| match effect {
        Effect::Commit(records) => records
            .iter()
            .any(|r| matches!(r, Record::Call(call) if call.state == CallState::Intended)),
        _ => false,
    });
    assert!(intent < position(&effects, |e| matches!(e, Effect::PerformCall { .. })));
}

#[test]
fn a_risky_call_waits_for_the_user_and_the_run_rests_in_the_meantime() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let effects = bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    let card = effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::ApprovalNeeded { tool, family, .. }) => {
            Some((tool.clone(), family.clone()))
        }
        _ => None,
    });
    assert_eq!(card.unwrap().0, "files.read");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    let effects = bench.give(Event::ProgramWaits);
    assert!(effects.contains(&Effect::Suspend));
    assert_eq!(bench.mind.state().status, Some(RunStatus::Suspended));
    let effects = bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Approved { always: false },
    });
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
}

#[test]
fn a_refused_call_ends_as_an_exception_with_the_users_reason() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    let decision = Decided::Refused {
        reason: Some("look elsewhere".into()),
    };
    let effects = bench.give(Event::Decided {
        call: CallId(1),
        decision,
    });
    let (_, outcome, _) = answered(&effects).unwrap();
    let error = outcome.error.unwrap();
    assert_eq!(error.kind, "PermissionError");
    assert!(error.message.contains("look elsewhere"));
}

#[test]
fn an_approval_is_taken_once_and_a_second_one_does_nothing() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    let approve = Event::Decided {
        call: CallId(1),
        decision: Decided::Approved { always: false },
    };
    assert!(!bench.give(approve.clone()).is_empty());
    assert!(bench.give(approve).is_empty());
}

#[test]
fn always_remembers_the_family_that_was_shown() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Approved { always: true },
    });
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!(""), ""),
    });
    assert!(bench.written.iter().any(|r| matches!(
        r,
        Record::Rule {
            verdict: Verdict::Allow,
            ..
        }
    )));
    let effects = bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
}

#[test]
fn a_denied_call_never_asks() {
    let rule = Rule {
        pattern: Pattern::parse("files.read").unwrap(),
        verdict: Verdict::Deny,
    };
    let grants = Grants {
        rules: vec![rule],
        mode: Mode::Trust,
        ..Grants::default()
    };
    let (mut bench, _) = Bench::asked_with(
        Settings {
            grants,
            ..Settings::default()
        },
        "q",
    );
    bench.model(PROGRAM);
    let effects = bench.call("files.read", json!({"path": "/a"}), Class::Read);
    assert_eq!(
        answered(&effects).unwrap().1.error.unwrap().kind,
        "PermissionError"
    );
}

#[test]
fn a_question_of_the_program_is_answered_by_the_user() {
    let (mut bench, _) = Bench::asked("book a table");
    bench.model(PROGRAM);
    let effects = bench.call("user.ask", json!({"text": "For how many?"}), Class::Read);
    assert!(
        effects.iter().any(
            |e| matches!(e, Effect::Show(RunEventKind::Question { text, .. }) if text == "For how many?")
        )
    );
    let effects = bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Answered { text: "4".into() },
    });
    assert_eq!(answered(&effects).unwrap().1.data, json!("4"));
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
fn a_refused_program_goes_back_to_the_model_with_its_lines() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let finding = Finding {
        kind: "NameError".into(),
        message: "name 'file' is not defined".into(),
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
    assert!(prompt.contains("line 3: NameError") && prompt.contains("did you mean 'files'?"));
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
fn a_failed_model_ends_the_run_with_what_broke_and_what_to_do() {
    let (mut bench, _) = Bench::asked("q");
    let failure = ModelFailure {
        kind: FailureKind::Key,
        detail: "401 invalid_api_key".into(),
        detail_zh: None,
        provider: "openai".into(),
    };
    let effects = bench.give(Event::ModelFailed { failure });
    let error = effects.iter().find_map(|effect| match effect {
        Effect::End { error, .. } => error.clone(),
        _ => None,
    });
    let error = error.unwrap();
    assert!(error.message.contains("401") && error.hint.unwrap().contains("key set"));
}

#[test]
fn cancelling_stops_everything_and_later_arrivals_do_nothing() {
    let (mut bench, _) = Bench::asked("q");
    let effects = bench.give(Event::Cancelled);
    assert_eq!(effects[0], Effect::Stop);
    assert_eq!(ended_as(&effects), Some(RunStatus::Cancelled));
    assert!(bench.model("late").is_empty());
}

#[test]
fn a_long_output_costs_little_of_the_window_and_is_kept_whole() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let long = "line of output\n".repeat(20_000);
    bench.ended(&long, None);
    let kept = bench
        .written
        .iter()
        .any(|r| matches!(r, Record::Result { text, .. } if text.len() > 250_000));
    let output = bench
        .mind
        .situation()
        .segments
        .iter()
        .rev()
        .find(|s| s.kind == SegmentKind::Output)
        .unwrap();
    assert!(kept && output.text.len() < 2_500 && output.text.contains("results.find"));
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

#[test]
fn a_run_that_was_thinking_asks_again_after_a_restart() {
    let (bench, _) = Bench::asked("q");
    let mut after = bench.restarted(Settings::default());
    assert!(asks_model(&after.give(Event::Resumed)));
}

#[test]
fn a_program_is_replayed_from_its_record_and_goes_on_at_its_open_call() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("A"), "a"),
    });
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    bench.give(Event::ProgramWaits);

    let mut after = bench.restarted(Settings::default());
    let decision = Event::Decided {
        call: CallId(2),
        decision: Decided::Approved { always: false },
    };
    let effects = after.give(Event::Resumed);
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::RunProgram { replay: true, .. }))
    );
    assert!(
        after.give(decision).is_empty(),
        "kept until the program comes back to the call"
    );
    let first = after.call("files.read", json!({"path": "/a"}), Class::Read);
    assert_eq!(
        answered(&first),
        Some((CallId(1), CallOutcome::success(json!("A"), "a"), 1))
    );
    assert!(
        !first
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    let second = after.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    assert!(
        second
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
}

#[test]
fn an_intended_side_effect_is_shown_to_the_user_and_not_repeated_in_silence() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("memory.remember", json!({"text": "t"}), Class::Write);
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    let effects = after.call("memory.remember", json!({"text": "t"}), Class::Write);
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    assert!(
        effects
            .iter()
            .any(|e| matches!(e, Effect::Show(RunEventKind::ApprovalNeeded { .. })))
    );
}

#[test]
fn a_replay_that_goes_another_way_stops_at_the_last_safe_point() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("A"), "a"),
    });
    bench.call("memory.remember", json!({"text": "t"}), Class::Write);
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    let effects = after.call("files.read", json!({"path": "/b"}), Class::Read);
    assert_eq!(ended_as(&effects), Some(RunStatus::Failed));
}

#[test]
fn the_language_of_the_question_is_the_language_of_the_answer() {
    for (question, language) in [
        ("今天星期几？", "zh"),
        ("What day is it?", "en"),
        ("解释 E0502", "zh"),
        ("1+1", "en"),
    ] {
        let (bench, _) = Bench::asked(question);
        assert_eq!(bench.mind.state().language, language, "{question}");
    }
}
