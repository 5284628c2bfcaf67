//! Hosts that a command at work wants to reach: asked about beside the program, whose own calls and results stay in order.

use crate::bench::*;
use shidi_agent::hosts::{Standing, standing};
use shidi_protocol::{Call, ExecId};

fn connect(host: &str) -> Call {
    let args = json!({"host": host, "command": "pip install six"});
    Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: "shell".to_owned(),
        method: "connect".to_owned(),
        args: args.as_object().cloned().unwrap(),
        line: 0,
        places: Default::default(),
    }
}

/// A mind whose program has a command at work.
fn at_work(settings: Settings) -> Bench {
    let (mut bench, _) = Bench::asked_with(settings, "q");
    bench.model(PROGRAM);
    bench.call("shell.run", json!({"command": "pip install six"}), Class::Execute);
    bench
}

fn asked(bench: &mut Bench, host: &str) -> Vec<Effect> {
    bench.give(Event::HostAsked {
        by: CallId(1),
        call: connect(host),
    })
}

fn decide(bench: &mut Bench, call: CallId, decision: Decided) -> Vec<Effect> {
    bench.give(Event::Decided { call, decision })
}

/// The card that the effects show.
fn card(effects: &[Effect]) -> Option<CallId> {
    effects.iter().find_map(|effect| match effect {
        Effect::Show(RunEventKind::ApprovalNeeded { call, .. }) => Some(*call),
        _ => None,
    })
}

fn is_performed(effects: &[Effect], id: CallId) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::PerformCall { call, .. } if call.id == id))
}

fn answers(effects: &[Effect]) -> Vec<(CallId, u32)> {
    let answered = effects.iter().filter_map(|effect| match effect {
        Effect::AnswerCall { call, order, .. } => Some((*call, *order)),
        _ => None,
    });
    answered.collect()
}

fn returned(bench: &mut Bench, call: CallId) -> Vec<Effect> {
    bench.give(Event::CallReturned {
        call,
        outcome: CallOutcome::success(json!("pypi.org"), "pypi.org").own(),
    })
}

fn stands(bench: &Bench, host: &str) -> Standing {
    standing(bench.mind.context(), &connect(host))
}

fn approved() -> Decided {
    Decided::Approved { always: false }
}

fn refused() -> Decided {
    Decided::Refused { reason: None }
}

#[test]
fn a_host_that_a_command_wants_is_asked_about_once_and_then_stands_for_the_commands_of_the_task() {
    let mut bench = at_work(Settings::default());
    assert_eq!(stands(&bench, "pypi.org"), Standing::Unasked);
    let effects = asked(&mut bench, "pypi.org");
    let id = card(&effects).unwrap();
    assert!(id.is_aside() && matches!(stands(&bench, "pypi.org"), Standing::Waits { .. }));
    assert!(
        !effects.contains(&Effect::Suspend),
        "the command goes on, and so does the run"
    );
    assert_eq!(card(&asked(&mut bench, "pypi.org")), None, "it is asked already");
    let other = card(&asked(&mut bench, "npmjs.org")).unwrap();
    assert_ne!(id, other);
    assert!(is_performed(&decide(&mut bench, id, approved()), id));
    let effects = returned(&mut bench, id);
    assert!(effects.contains(&Effect::AsideDecided) && answers(&effects).is_empty());
    assert_eq!(stands(&bench, "pypi.org"), Standing::Allowed);
    let effects = decide(&mut bench, other, refused());
    assert!(effects.contains(&Effect::AsideDecided));
    assert_eq!(stands(&bench, "npmjs.org"), Standing::Refused);
    assert_eq!(stands(&bench, "pypi.org:22"), Standing::Unasked);
    // The program's own calls go on as if nothing had been beside them.
    let effects = returned(&mut bench, CallId(1));
    assert_eq!(answers(&effects), [(CallId(1), 1)]);
    let effects = bench.call("files.read", json!({"path": "/a"}), Class::Read);
    assert!(is_performed(&effects, CallId(2)));
}

#[test]
fn what_waits_for_a_command_ends_with_it_and_may_be_asked_again() {
    let mut bench = at_work(Settings::default());
    let id = card(&asked(&mut bench, "pypi.org")).unwrap();
    let effects = returned(&mut bench, CallId(1));
    assert!(effects.contains(&Effect::AsideDecided));
    assert_eq!(answers(&effects), [(CallId(1), 1)]);
    assert!(bench.mind.waiting().is_empty(), "nobody is asked any more");
    assert!(decide(&mut bench, id, approved()).is_empty());
    assert_eq!(
        stands(&bench, "pypi.org"),
        Standing::Unasked,
        "nobody has refused it"
    );
    assert_eq!(
        card(&asked(&mut bench, "pypi.org")),
        None,
        "no command wants it now"
    );
}

#[test]
fn leave_that_was_given_before_foreign_words_were_read_asks_again() {
    let mut bench = at_work(Settings::default());
    let id = card(&asked(&mut bench, "pypi.org")).unwrap();
    decide(&mut bench, id, Decided::Approved { always: true });
    returned(&mut bench, id);
    assert_eq!(stands(&bench, "pypi.org"), Standing::Allowed);
    bench.give(Event::CallReturned {
        call: CallId(1),
        outcome: CallOutcome::success(json!({"stdout": "a stranger's"}), "exit 0"),
    });
    assert!(bench.mind.state().tainted);
    assert_eq!(
        stands(&bench, "pypi.org"),
        Standing::Unasked,
        "not even by always"
    );
    bench.call("shell.run", json!({"command": "pip install six"}), Class::Execute);
    decide(&mut bench, CallId(2), approved());
    let effects = bench.give(Event::HostAsked {
        by: CallId(2),
        call: connect("pypi.org"),
    });
    let id = card(&effects).unwrap();
    decide(&mut bench, id, approved());
    returned(&mut bench, id);
    assert_eq!(
        stands(&bench, "pypi.org"),
        Standing::Allowed,
        "with all of it in sight"
    );
}

#[test]
fn a_rule_decides_without_a_card() {
    let rule = |pattern: &str, verdict| Rule {
        pattern: Pattern::parse(pattern).unwrap(),
        verdict,
    };
    let settings = Settings {
        grants: Grants {
            rules: vec![
                rule("shell.connect(host=*.pypi.org)", Verdict::Allow),
                rule("shell.connect(host=evil.example)", Verdict::Deny),
            ],
            mode: Mode::Trust,
            ..Grants::default()
        },
        ..Settings::default()
    };
    let mut bench = at_work(settings);
    for (host, stood) in [
        ("files.pypi.org", Standing::Allowed),
        ("evil.example", Standing::Refused),
        ("other.example", Standing::Unasked),
    ] {
        assert_eq!(stands(&bench, host), stood, "{host}");
        let is_asked = card(&asked(&mut bench, host)).is_some();
        assert_eq!(is_asked, stood == Standing::Unasked, "{host}");
    }
}

#[test]
fn after_a_restart_nothing_waits_for_a_command_that_is_gone_and_the_program_is_replayed_without_it() {
    let mut bench = at_work(Settings::default());
    let open = card(&asked(&mut bench, "pypi.org")).unwrap();
    let settings = with_idempotent(&["shell.run"]);
    let mut bench = bench.restarted(settings);
    let effects = bench.give(Event::Resumed);
    assert!(bench.mind.waiting().is_empty());
    assert_eq!(bench.mind.context().calls[&open].state, CallState::Refused);
    let first = effects.iter().find_map(|effect| match effect {
        Effect::RunProgram { first_call, .. } => Some(*first_call),
        _ => None,
    });
    assert_eq!(first, Some(CallId(1)));
    let effects = bench.call("shell.run", json!({"command": "pip install six"}), Class::Execute);
    assert!(is_performed(&effects, CallId(1)), "{effects:?}");
    let effects = returned(&mut bench, CallId(1));
    assert_eq!(answers(&effects), [(CallId(1), 1)]);
    let effects = bench.call("files.read", json!({"path": "/a"}), Class::Read);
    assert!(
        is_performed(&effects, CallId(2)),
        "no call of before was taken for it"
    );
}

#[test]
fn a_run_that_is_being_stopped_asks_about_no_host() {
    let mut bench = at_work(Settings::default());
    bench.give(Event::Cancelled);
    assert!(asked(&mut bench, "pypi.org").is_empty());
}
