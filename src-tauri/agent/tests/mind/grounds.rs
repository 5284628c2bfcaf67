//! Why a call was allowed, asked about or refused; and which other waiting calls one approval covers.

use crate::bench::*;
use shidi_locales::Language;
use shidi_protocol::{CallRecord, Ground};

fn record(bench: &Bench, call: u32) -> CallRecord {
    bench.mind.context().calls[&CallId(call)].clone()
}

fn approve(bench: &mut Bench, call: u32, always: bool) -> Vec<Effect> {
    bench.give(Event::Decided {
        call: CallId(call),
        decision: Decided::Approved { always },
    })
}

fn performed(effects: &[Effect]) -> Vec<u32> {
    let performed = effects.iter().filter_map(|effect| match effect {
        Effect::PerformCall { call, .. } => Some(call.id.0),
        _ => None,
    });
    performed.collect()
}

#[test]
fn every_call_keeps_the_ground_on_which_it_was_decided() {
    let settings = Settings {
        grants: Grants {
            rules: vec![Rule {
                pattern: Pattern::parse("files.read(path=/srv/*)").unwrap(),
                verdict: Verdict::Deny,
            }],
            approved: vec![Pattern::parse("shell.run(command=ls)").unwrap()],
            ..Grants::default()
        },
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings, "q");
    bench.model(PROGRAM);
    bench.call("user.say", json!({"text": "hello"}), Class::Read);
    bench.call("files.read", json!({"path": "/a"}), Class::Read);
    bench.call("files.read", json!({"path": "/srv/a"}), Class::Read);
    bench.call("shell.run", json!({"command": "ls"}), Class::ExecuteOpen);
    bench.call("files.read", json!({"path": "/etc/hosts"}), Class::ReadOutside);
    approve(&mut bench, 5, false);
    let sentences = |call: u32| {
        let grounds = record(&bench, call).grounds;
        grounds
            .iter()
            .map(|ground| ground.sentence(Language::SOURCE))
            .collect::<Vec<_>>()
    };
    assert_eq!(record(&bench, 1).grounds, [Ground::Own]);
    assert_eq!(sentences(2), ["allowed by default: read in mode risky"]);
    assert_eq!(sentences(3), ["refused by your rule files.read(path=/srv/*)"]);
    assert_eq!(record(&bench, 3).state, CallState::Refused);
    assert_eq!(sentences(4), ["allowed with the task: shell.run(command=ls)"]);
    assert_eq!(
        sentences(5),
        [
            "asked about by default: read_outside in mode risky",
            "you approved it"
        ]
    );
}

#[test]
fn a_call_that_waits_is_not_a_refused_one() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/etc/a"}), Class::ReadOutside);
    let effects = bench.give(Event::ProgramWaits);
    assert!(
        answered(&effects).is_none(),
        "nobody tells the program that it was refused"
    );
    let waiting = record(&bench, 1);
    assert_eq!((waiting.state, waiting.outcome), (CallState::Approval, None));
    let refused = bench.give(Event::Decided {
        call: CallId(1),
        decision: Decided::Refused { reason: None },
    });
    assert!(answered(&refused).is_some());
    assert_eq!(record(&bench, 1).state, CallState::Refused);
    assert_eq!(
        record(&bench, 1).grounds.last(),
        Some(&Ground::User {
            approved: false,
            always: false,
            reason: None
        })
    );
}

#[test]
fn an_approved_family_covers_what_waits_beside_it_and_nothing_else() {
    let settings = Settings {
        toolkits: vec![files()],
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings.clone(), "q");
    bench.model(PROGRAM);
    bench.call("files.read", json!({"path": "/etc/a"}), Class::ReadOutside);
    bench.call("files.read", json!({"path": "/etc/b"}), Class::ReadOutside);
    bench.call("files.read", json!({"path": "/home/c"}), Class::ReadOutside);
    let mut after = bench.restarted(settings);
    assert_eq!(performed(&approve(&mut bench, 1, true)), [1, 2]);
    assert_eq!(record(&bench, 3).state, CallState::Approval);

    // The same holds when another process decides before the program has made its call again.
    after.give(Event::Resumed);
    approve(&mut after, 1, true);
    assert_eq!(
        performed(&after.call("files.read", json!({"path": "/etc/a"}), Class::ReadOutside)),
        [1]
    );
    assert_eq!(
        performed(&after.call("files.read", json!({"path": "/etc/b"}), Class::ReadOutside)),
        [2]
    );
    let third = after.call("files.read", json!({"path": "/home/c"}), Class::ReadOutside);
    assert!(performed(&third).is_empty());
}

#[test]
fn a_decision_on_a_path_that_leads_elsewhere_by_now_is_asked_for_again() {
    let settings = Settings {
        toolkits: vec![files()],
        ..Settings::default()
    };
    let (mut bench, _) = Bench::asked_with(settings.clone(), "q");
    bench.model(PROGRAM);
    let read = |bench: &mut Bench, place: &str| {
        bench.call_to(
            Some(place),
            "files.read",
            json!({"path": "rl/a"}),
            Class::ReadOutside,
        )
    };
    let card = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Show(RunEventKind::ApprovalNeeded { family, .. }) => Some(family.clone()),
            _ => None,
        })
    };
    let shown = card(&read(&mut bench, "/srv/a"));
    assert_eq!(shown.as_deref(), Some("files.read(path=/srv/*)"));

    let mut same = bench.restarted(settings.clone());
    same.give(Event::Resumed);
    approve(&mut same, 1, true);
    assert_eq!(performed(&read(&mut same, "/srv/a")), [1]);

    let mut moved = bench.restarted(settings.clone());
    moved.give(Event::Resumed);
    approve(&mut moved, 1, true);
    let effects = read(&mut moved, "/etc/a");
    assert!(performed(&effects).is_empty());
    assert_eq!(card(&effects).as_deref(), Some("files.read(path=/etc/*)"));
    assert_eq!(performed(&approve(&mut moved, 1, false)), [1]);

    let denying = Settings {
        grants: Grants {
            rules: vec![Rule {
                pattern: Pattern::parse("files.*(path=/etc/*)").unwrap(),
                verdict: Verdict::Deny,
            }],
            ..Grants::default()
        },
        ..settings
    };
    let mut denied = bench.restarted(denying);
    denied.give(Event::Resumed);
    assert!(answered(&read(&mut denied, "/etc/a")).is_some_and(|(_, outcome, _)| !outcome.ok()));
}

#[test]
fn an_effect_that_may_have_happened_is_covered_by_no_approval_of_another() {
    let (mut bench, _) = Bench::asked("q");
    bench.model(PROGRAM);
    bench.call("memory.remember", json!({"text": "t"}), Class::Keep);
    bench.call("memory.remember", json!({"text": "u"}), Class::Keep);
    let mut after = bench.restarted(Settings::default());
    after.give(Event::Resumed);
    after.call("memory.remember", json!({"text": "t"}), Class::Keep);
    after.call("memory.remember", json!({"text": "u"}), Class::Keep);
    assert_eq!(record(&after, 2).state, CallState::Approval);
    assert_eq!(performed(&approve(&mut after, 1, true)), [1]);
    assert_eq!(record(&after, 2).state, CallState::Approval);
    let mut again = after.restarted(Settings::default());
    again.give(Event::Resumed);
    again.call("memory.remember", json!({"text": "t"}), Class::Keep);
    let second = again.call("memory.remember", json!({"text": "u"}), Class::Keep);
    assert!(
        performed(&second).is_empty(),
        "not after a further restart either"
    );
}

fn files() -> shidi_protocol::ToolkitSpec {
    shidi_protocol::ToolkitSpec {
        name: "files".into(),
        doc: String::new(),
        source: shidi_protocol::ToolkitSource::BuiltIn,
        left_out: 0,
        methods: vec![shidi_protocol::MethodSpec {
            name: "read".into(),
            doc: String::new(),
            parameters: Vec::new(),
            returns: "str".into(),
            class: Class::Read,
            matters: vec!["path".into()],
            idempotent: false,
        }],
    }
}
