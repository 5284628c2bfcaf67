//! The table of permissions and the grammar of patterns, as promises.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use shidi_protocol::{CallId, ExecId};

fn call(toolkit: &str, method: &str, args: serde_json::Value) -> Call {
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.into(),
        method: method.into(),
        args: args.as_object().cloned().unwrap_or_default(),
        line: 1,
    }
}

fn rule(pattern: &str, verdict: Verdict) -> Rule {
    Rule {
        pattern: Pattern::parse(pattern).unwrap(),
        verdict,
    }
}

#[test]
fn the_table_is_the_one_of_the_design() {
    use Verdict::{Allow, Ask};
    let rows = [
        (Class::Read, [Allow, Allow, Allow, Allow]),
        (Class::ReadOutside, [Ask, Ask, Ask, Ask]),
        (Class::NetworkRead, [Ask, Ask, Allow, Ask]),
        (Class::Write, [Ask, Allow, Allow, Allow]),
        (Class::Keep, [Ask, Allow, Allow, Ask]),
        (Class::WriteOutside, [Ask, Ask, Ask, Ask]),
        (Class::Execute, [Ask, Allow, Allow, Ask]),
        (Class::ExecuteOpen, [Ask, Ask, Ask, Ask]),
        (Class::Send, [Ask, Ask, Allow, Ask]),
        (Class::Page, [Ask, Ask, Allow, Allow]),
        (Class::Money, [Ask, Ask, Ask, Ask]),
    ];
    for (class, [ask, risky, trust, tainted]) in rows {
        assert_eq!(table(class, Mode::Ask, false), ask, "{class:?}");
        assert_eq!(table(class, Mode::Risky, false), risky, "{class:?}");
        assert_eq!(table(class, Mode::Trust, false), trust, "{class:?}");
        assert_eq!(table(class, Mode::Trust, true), tainted, "{class:?}");
    }
    assert_eq!(
        table(Class::Write, Mode::Ask, true),
        Ask,
        "taint never loosens a mode"
    );
}

#[test]
fn a_deny_rule_wins_over_everything() {
    let grants = Grants {
        mode: Mode::Trust,
        rules: vec![
            rule("files.*", Verdict::Allow),
            rule("files.read(path=/etc/*)", Verdict::Deny),
        ],
        approved: vec![Pattern::parse("files.read").unwrap()],
    };
    let decision = grants.decide(
        &call("files", "read", json!({"path": "/etc/passwd"})),
        Class::Read,
        false,
    );
    assert_eq!(decision.verdict, Verdict::Deny);
    assert!(decision.ground.sentence("en").contains("/etc/*"));
}

#[test]
fn what_is_asked_about_every_time_is_covered_by_no_remembered_family_but_by_what_was_approved_with_the_task()
{
    let call = call("shell", "run", json!({"command": "rm -rf build"}));
    let mut grants = Grants {
        mode: Mode::Trust,
        rules: vec![rule("shell.run", Verdict::Allow)],
        ..Grants::default()
    };
    assert_eq!(
        grants.decide(&call, Class::ExecuteOpen, false).verdict,
        Verdict::Ask
    );
    assert_eq!(
        grants.decide(&call, Class::Execute, false).verdict,
        Verdict::Allow
    );
    assert_eq!(grants.decide(&call, Class::Execute, true).verdict, Verdict::Ask);
    grants
        .approved
        .push(Pattern::parse("shell.run(command=rm *)").unwrap());
    assert_eq!(
        grants.decide(&call, Class::ExecuteOpen, true).verdict,
        Verdict::Allow
    );
}

#[test]
fn a_remembered_family_does_not_cover_side_effects_of_a_tainted_run() {
    let grants = Grants {
        rules: vec![rule("mail.send(to=ann@*)", Verdict::Allow)],
        ..Grants::default()
    };
    let mail = call("mail", "send", json!({"to": "ann@example.org"}));
    assert_eq!(grants.decide(&mail, Class::Send, false).verdict, Verdict::Allow);
    assert_eq!(grants.decide(&mail, Class::Send, true).verdict, Verdict::Ask);
}

#[test]
fn a_remembered_family_of_the_page_in_front_holds_in_a_task_that_has_read_it_and_for_no_other_site() {
    let grants = Grants {
        rules: vec![rule("page.edit(site=https://a.example)", Verdict::Allow)],
        ..Grants::default()
    };
    let edit = |site: &str| call("page", "edit", json!({"script": "s", "site": site}));
    let decided = |site: &str, class| grants.decide(&edit(site), class, true).verdict;
    assert_eq!(decided("https://a.example", Class::Page), Verdict::Allow);
    assert_eq!(decided("https://b.example", Class::Page), Verdict::Ask);
    // Whoever looks elsewhere by now would not see it.
    assert_eq!(decided("https://a.example", Class::Send), Verdict::Ask);
}

#[test]
fn what_was_approved_with_the_task_holds_in_a_tainted_run() {
    let grants = Grants {
        approved: vec![Pattern::parse("mail.send(to=ann@*)").unwrap()],
        ..Grants::default()
    };
    let mail = call("mail", "send", json!({"to": "ann@example.org"}));
    assert_eq!(grants.decide(&mail, Class::Send, true).verdict, Verdict::Allow);
    let other = call("mail", "send", json!({"to": "eve@example.org"}));
    assert_eq!(grants.decide(&other, Class::Send, true).verdict, Verdict::Ask);
}

#[test]
fn a_family_names_the_tool_and_the_folder_of_its_path() {
    let method = MethodSpec {
        name: "read".into(),
        doc: String::new(),
        parameters: Vec::new(),
        returns: "str".into(),
        class: Class::Read,
        matters: vec!["path".into()],
        idempotent: false,
    };
    let pattern = family(
        &call("files", "read", json!({"path": "/srv/a*/b.txt"})),
        Some(&method),
    );
    assert_eq!(pattern.to_string(), r"files.read(path=/srv/a\*/*)");
    assert!(pattern.matches(&call("files", "read", json!({"path": "/srv/a*/c.txt"}))));
    assert!(!pattern.matches(&call("files", "read", json!({"path": "/srv/ab/c.txt"}))));
}

#[test]
fn what_nobody_would_read_and_what_is_asked_about_every_time_has_no_kind_to_remember() {
    let method = MethodSpec {
        name: "run".into(),
        doc: String::new(),
        parameters: Vec::new(),
        returns: "str".into(),
        class: Class::Execute,
        matters: vec!["command".into()],
        idempotent: false,
    };
    let kind_of = |class, command: &str| {
        let call = call("shell", "run", json!({"command": command}));
        kind(class, &call, Some(&method)).map(|kind| kind.to_string())
    };
    let make = kind_of(Class::Execute, "make test");
    assert_eq!(make.as_deref(), Some("shell.run(command=make test)"));
    assert_eq!(kind_of(Class::Execute, "make\ntest"), None);
    assert_eq!(kind_of(Class::Execute, &"长".repeat(FAMILY_CHARACTERS_MAX)), None);
    assert_eq!(kind_of(Class::ExecuteOpen, "make test"), None);
}

#[test]
fn a_path_that_climbs_matches_no_glob() {
    let pattern = Pattern::parse("files.read(path=/srv/*)").unwrap();
    assert!(!pattern.matches(&call("files", "read", json!({"path": "/srv/../etc/passwd"}))));
}

#[test]
fn what_is_no_pattern_is_refused_in_words() {
    for text in [
        "",
        "files",
        "files.",
        "files.read(",
        "files.read(path)",
        ".read",
        "a b.c",
    ] {
        assert!(Pattern::parse(text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn a_pattern_survives_being_written_and_read(
        toolkit in "[a-z_]{1,8}", method in "[a-z_]{1,8}", name in "[a-z]{1,5}", text in "[ -~你]{1,30}",
    ) {
        let text = text.trim();
        prop_assume!(!text.is_empty() && text != "…");
        let pattern = Pattern::new(&toolkit, &method, vec![(name.clone(), pattern::escaped(text))]);
        let again = Pattern::parse(&pattern.to_string());
        let again = again.unwrap();
        prop_assert_eq!(&again, &pattern);
        // What climbs may lead anywhere, and a glob covers nothing of it.
        if !text.contains("..") {
            let call = call(&toolkit, &method, json!({name: text}));
            prop_assert!(again.matches(&call));
        }
    }

    #[test]
    fn an_escaped_text_matches_itself_alone(text in "\\PC{0,30}", other in "\\PC{0,30}") {
        prop_assume!(!text.contains("..") && !other.contains(".."));
        let pattern = Pattern::new("t", "m", vec![("a".into(), pattern::escaped(&text))]);
        let (same, different) = (call("t", "m", json!({"a": text})), call("t", "m", json!({"a": other})));
        prop_assert!(pattern.matches(&same));
        prop_assert_eq!(pattern.matches(&different), text == other);
    }
}

/// How far a verdict goes: what is stricter is lower.
fn freedom(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Deny => 0,
        Verdict::Ask => 1,
        Verdict::Allow => 2,
    }
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Verdict::Allow), Just(Verdict::Ask), Just(Verdict::Deny)]
}

fn patterns() -> impl Strategy<Value = Pattern> {
    let texts = [
        "files.read",
        "files.*",
        "files.read(path=/srv/*)",
        "files.read(path=/srv/a)",
        "mail.send",
        "mail.send(to=ann@*)",
        "memory.remember",
    ];
    proptest::sample::select(texts.to_vec()).prop_map(|text| Pattern::parse(text).unwrap())
}

fn calls() -> impl Strategy<Value = Call> {
    let calls = vec![
        call("files", "read", json!({"path": "/srv/a"})),
        call("files", "read", json!({"path": "/etc/a"})),
        call("files", "write", json!({"path": "/srv/b"})),
        call("mail", "send", json!({"to": "ann@example.org"})),
        call("memory", "remember", json!({"text": "x"})),
    ];
    proptest::sample::select(calls)
}

fn classes() -> impl Strategy<Value = Class> {
    use Class::{
        Execute, ExecuteOpen, Keep, Money, NetworkRead, Page, Read, ReadOutside, Send, Write, WriteOutside,
    };
    let all = vec![
        Read,
        ReadOutside,
        NetworkRead,
        Write,
        Keep,
        WriteOutside,
        Execute,
        ExecuteOpen,
        Send,
        Page,
        Money,
    ];
    proptest::sample::select(all)
}

prop_compose! {
    fn grants()(
        mode in proptest::sample::select(vec![Mode::Ask, Mode::Risky, Mode::Trust]),
        rules in proptest::collection::vec((patterns(), verdicts()), 0..6),
        approved in proptest::collection::vec(patterns(), 0..3),
    ) -> Grants {
        let rules = rules.into_iter().map(|(pattern, verdict)| Rule { pattern, verdict }).collect();
        Grants { mode, rules, approved }
    }
}

proptest! {
    #[test]
    fn a_stricter_rule_never_allows_more(
        grants in grants(), call in calls(), class in classes(), tainted: bool,
    ) {
        let before = freedom(grants.decide(&call, class, tainted).verdict);
        for place in 0..grants.rules.len() {
            let mut stricter = grants.clone();
            stricter.rules[place].verdict = match stricter.rules[place].verdict {
                Verdict::Allow => Verdict::Ask,
                Verdict::Ask | Verdict::Deny => Verdict::Deny,
            };
            prop_assert!(freedom(stricter.decide(&call, class, tainted).verdict) <= before);
        }
    }

    #[test]
    fn a_rule_more_that_asks_or_denies_never_allows_more(
        grants in grants(), call in calls(), class in classes(), tainted: bool, pattern in patterns(), deny: bool,
    ) {
        let before = freedom(grants.decide(&call, class, tainted).verdict);
        let verdict = if deny { Verdict::Deny } else { Verdict::Ask };
        let mut stricter = grants;
        stricter.rules.push(Rule { pattern, verdict });
        prop_assert!(freedom(stricter.decide(&call, class, tainted).verdict) <= before);
    }

    #[test]
    fn fewer_allowances_never_allow_more(
        grants in grants(), call in calls(), class in classes(), tainted: bool,
    ) {
        let before = freedom(grants.decide(&call, class, tainted).verdict);
        let mut without = grants.clone();
        without.rules.retain(|rule| rule.verdict != Verdict::Allow);
        prop_assert!(freedom(without.decide(&call, class, tainted).verdict) <= before);
        without.approved.clear();
        prop_assert!(freedom(without.decide(&call, class, tainted).verdict) <= before);
    }

    #[test]
    fn taint_and_a_stricter_mode_never_allow_more(grants in grants(), call in calls(), class in classes()) {
        let of = |mode: Mode, tainted: bool| {
            let grants = Grants { mode, ..grants.clone() };
            freedom(grants.decide(&call, class, tainted).verdict)
        };
        for tainted in [false, true] {
            prop_assert!(of(Mode::Ask, tainted) <= of(Mode::Risky, tainted));
            prop_assert!(of(Mode::Risky, tainted) <= of(Mode::Trust, tainted));
        }
        for mode in [Mode::Ask, Mode::Risky, Mode::Trust] {
            prop_assert!(of(mode, true) <= of(mode, false));
        }
    }

    #[test]
    fn the_order_of_rules_decides_nothing(
        grants in grants(), call in calls(), class in classes(), tainted: bool,
    ) {
        let mut turned = grants.clone();
        turned.rules.reverse();
        turned.approved.reverse();
        prop_assert_eq!(
            grants.decide(&call, class, tainted).verdict,
            turned.decide(&call, class, tainted).verdict
        );
    }
}
