//! Calls from code: permission, approval, questions, results.

use crate::bench::*;

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
fn a_call_that_waits_when_its_program_ends_is_withdrawn_and_a_late_yes_does_nothing() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    for path in ["/etc/hosts", "/etc/hostname"] {
        bench.call("files.read", json!({"path": path}), Class::ReadOutside);
    }
    bench.give(Event::ProgramWaits);
    let refused = Decided::Refused { reason: None };
    bench.give(Event::Decided {
        call: CallId(1),
        decision: refused,
    });
    let effects = bench.ended("", Some("PermissionError: The user refused this call"));
    let is_told = |effect: &Effect| {
        matches!(
            effect,
            Effect::Show(RunEventKind::CallDone {
                call: CallId(2),
                ok: false,
                ..
            })
        )
    };
    assert!(effects.iter().any(is_told), "{effects:?}");
    assert!(asks_model(&effects), "the run goes on");
    let late = bench.give(Event::Decided {
        call: CallId(2),
        decision: Decided::Approved { always: true },
    });
    assert_eq!(late, [], "nobody waits for it");
}

#[test]
fn a_result_that_comes_after_its_program_has_ended_reaches_no_other_program() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.ended("", Some("TimeoutError"));
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/b"}), Class::Read);
    assert_eq!(bench.give(Event::CallRests { call: CallId(1) }), []);
    let late = bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!("late"), "late"),
    });
    assert_eq!(answered(&late), None, "{late:?}");
    let effects = bench.give(Event::CallReturned {
        call: CallId(2),
        outcome: CallOutcome::success(json!("own"), "own"),
    });
    let (call, _, order) = answered(&effects).expect("its own result");
    assert_eq!((call, order), (CallId(2), 1));
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
fn a_call_that_is_barred_is_refused_and_nobody_is_asked() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    let call = bench.asked_call(None, "files.read", json!({"path": "/etc/hosts"}));
    let effects = bench.give(Event::CallRequested {
        call,
        class: Class::ReadOutside,
        barred: Some(CallOutcome::failure("PermissionError", "not declared")),
    });
    let (_, outcome, _) = answered(&effects).unwrap();
    assert_eq!(outcome.error.unwrap().message, "not declared");
    let asked = |effect: &Effect| matches!(effect, Effect::Show(RunEventKind::ApprovalNeeded { .. }));
    assert!(!effects.iter().any(asked));
    // An approval that comes nevertheless leads to nothing.
    let approve = Event::Decided {
        call: CallId(1),
        decision: Decided::Approved { always: false },
    };
    assert!(bench.give(approve).is_empty());
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

/// A run whose program waits for a sub-agent.
fn with_sub_agent() -> Bench {
    let (mut bench, _) = Bench::asked_with(with_idempotent(&["agents.run"]), "q");
    bench.model(PROGRAM);
    let effects = bench.call("agents.run", json!({"task": "t"}), Class::Read);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::PerformCall { .. }))
    );
    bench.give(Event::ProgramWaits);
    bench
}

#[test]
fn a_run_rests_with_its_sub_agent_goes_on_with_it_and_rests_again() {
    let mut bench = with_sub_agent();
    assert_eq!(bench.mind.state().status, None, "the sub-agent is at work");
    for _ in 0..2 {
        let effects = bench.give(Event::CallRests { call: CallId(1) });
        assert!(
            effects.iter().any(|effect| matches!(effect, Effect::Suspend)),
            "{effects:?}"
        );
        assert_eq!(bench.mind.state().status, Some(RunStatus::Suspended));
        assert!(
            bench.give(Event::CallRests { call: CallId(1) }).is_empty(),
            "told once"
        );
        bench.give(Event::CallGoesOn { call: CallId(1) });
        assert_eq!(bench.mind.state().status, None);
    }
    let outcome = CallOutcome::success(json!("done"), "answered");
    let effects = bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: outcome.clone(),
    });
    assert_eq!(answered(&effects), Some((CallId(1), outcome, 1)));
}

#[test]
fn a_run_with_other_work_under_way_does_not_rest_with_one_sub_agent() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("agents.run", json!({"task": "a"}), Class::Read);
    bench.call("agents.run", json!({"task": "b"}), Class::Read);
    bench.give(Event::ProgramWaits);
    assert!(bench.give(Event::CallRests { call: CallId(1) }).is_empty());
    assert_eq!(bench.mind.state().status, None);
    bench.give(Event::CallRests { call: CallId(2) });
    assert_eq!(bench.mind.state().status, Some(RunStatus::Suspended));
}

#[test]
fn a_sub_agent_that_rests_before_the_program_has_nothing_else_to_do_stops_nothing() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("agents.run", json!({"task": "a"}), Class::Read);
    assert!(bench.give(Event::CallRests { call: CallId(1) }).is_empty());
    let effects = bench.give(Event::ProgramWaits);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Suspend)));
}

#[test]
fn the_call_of_a_sub_agent_keeps_its_number_over_a_restart_and_is_performed_again() {
    let mut bench = with_sub_agent();
    bench.give(Event::CallRests { call: CallId(1) });
    let mut after = bench.restarted(with_idempotent(&["agents.run"]));
    after.give(Event::Resumed);
    let effects = after.call("agents.run", json!({"task": "t"}), Class::Read);
    let performed = effects.iter().find_map(|effect| match effect {
        Effect::PerformCall { call, .. } => Some(call.id),
        _ => None,
    });
    assert_eq!(performed, Some(CallId(1)));
}

#[test]
fn a_run_that_rests_for_a_page_names_the_page_in_the_users_language() {
    for (language, told) in [
        ("en", "Waits for the page https://a.example"),
        ("zh", "等页面 https://a.example"),
    ] {
        let mut bench = Bench::new(with_idempotent(&["page.edit"]));
        bench.ask_in("q", language);
        bench.model(PROGRAM);
        bench.call("page.edit", json!({"site": "https://a.example"}), Class::Read);
        bench.give(Event::ProgramWaits);
        let effects = bench.give(Event::CallRests { call: CallId(1) });
        let reason = effects.iter().find_map(|effect| match effect {
            Effect::Show(RunEventKind::RunEnded { reason, .. }) => reason.clone(),
            _ => None,
        });
        assert_eq!(reason.as_deref(), Some(told));
    }
}

#[test]
fn what_is_known_by_its_number_is_on_record_before_it_is_performed() {
    let (mut bench, _) = Bench::asked_with(with_idempotent(&["page.look"]), "q");
    bench.model(PROGRAM);
    let effects = bench.call("page.look", json!({}), Class::Read);
    let committed = position(&effects, |effect| matches!(effect, Effect::Commit(_)));
    let performed = position(&effects, |effect| matches!(effect, Effect::PerformCall { .. }));
    assert!(committed < performed, "{effects:?}");
}
