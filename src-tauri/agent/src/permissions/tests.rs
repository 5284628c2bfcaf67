//! The table of permissions and the grammar of patterns, as promises.

mod places;

use super::*;
use proptest::prelude::*;
use serde_json::json;
use shidi_locales::Language;
use shidi_protocol::{CallId, ExecId};

fn call(toolkit: &str, method: &str, args: serde_json::Value) -> Call {
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.into(),
        method: method.into(),
        args: args.as_object().cloned().unwrap_or_default(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

/// A call whose argument leads to a place.
fn leading(toolkit: &str, method: &str, args: serde_json::Value, name: &str, place: &str) -> Call {
    Call {
        places: [(name.to_owned(), place.to_owned())].into(),
        ..call(toolkit, method, args)
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
        (Class::Search, [Ask, Allow, Allow, Ask]),
        (Class::Download, [Ask, Ask, Allow, Ask]),
        (Class::Write, [Ask, Allow, Allow, Allow]),
        (Class::Keep, [Ask, Allow, Allow, Ask]),
        (Class::WriteOutside, [Ask, Ask, Ask, Ask]),
        (Class::Execute, [Ask, Allow, Allow, Ask]),
        (Class::ExecuteOpen, [Ask, Ask, Ask, Ask]),
        (Class::Connect, [Ask, Ask, Ask, Ask]),
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
fn a_list_of_its_own_is_all_that_is_allowed_and_what_holds_back_holds() {
    let read = |path: &str| call("files", "read", json!({"path": path}));
    let mut grants = Grants {
        rules: vec![
            rule("files.read(path=/srv/*)", Verdict::Allow),
            rule("files.read(path=/etc/shadow)", Verdict::Deny),
        ],
        approved: vec![Pattern::parse("files.read(path=/etc/*)").unwrap()],
        ..Grants::default()
    };
    let verdicts = |grants: &Grants| {
        let paths = ["/srv/a", "/etc/hosts", "/etc/shadow"];
        paths.map(|path| grants.decide(&read(path), Class::ReadOutside, false).verdict)
    };
    assert_eq!(verdicts(&grants), [Verdict::Allow, Verdict::Allow, Verdict::Deny]);
    assert!(grants.kind(Class::ReadOutside, &read("/srv/a"), None).is_some());
    grants.own_list = true;
    assert_eq!(verdicts(&grants), [Verdict::Ask, Verdict::Allow, Verdict::Deny]);
    assert_eq!(grants.kind(Class::ReadOutside, &read("/srv/a"), None), None);
}

#[test]
fn a_call_that_permits_other_calls_is_asked_about_whatever_was_allowed_before() {
    let task = |approve| call("schedule", "task", json!({"question": "x", "approve": approve}));
    let grants = Grants {
        mode: Mode::Trust,
        rules: vec![rule("schedule.task", Verdict::Allow)],
        approved: vec![Pattern::parse("schedule.*").unwrap()],
        ..Grants::default()
    };
    let permitting = task(json!(["shell.run"]));
    let decided = grants.decide(&permitting, Class::Money, false);
    assert_eq!(decided.verdict, Verdict::Ask);
    assert_eq!(
        grants.kind(Class::Money, &permitting, None),
        None,
        "no \"always\""
    );
    let bare = grants.decide(&task(json!([])), Class::Keep, false);
    assert_eq!(bare.verdict, Verdict::Allow);
    let denied = Grants {
        rules: vec![rule("schedule.task", Verdict::Deny)],
        ..grants
    };
    let decided = denied.decide(&permitting, Class::Money, false);
    assert_eq!(decided.verdict, Verdict::Deny);
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
        ..Grants::default()
    };
    let decision = grants.decide(
        &call("files", "read", json!({"path": "/etc/passwd"})),
        Class::Read,
        false,
    );
    assert_eq!(decision.verdict, Verdict::Deny);
    assert!(decision.ground.sentence(Language::SOURCE).contains("/etc/*"));
}

#[test]
fn a_rule_covers_hosts_only_where_it_names_some_and_the_own_network_only_by_the_very_host() {
    let verdict = |pattern: &str, beforehand: bool, host: &str, is_local: bool| {
        let mut args = json!({"host": host});
        if is_local {
            args["network"] = json!("local");
        }
        let mut grants = Grants::default();
        match beforehand {
            true => grants.approved.push(Pattern::parse(pattern).unwrap()),
            false => grants.rules.push(rule(pattern, Verdict::Allow)),
        }
        grants
            .decide(&call("shell", "connect", args), Class::Connect, false)
            .verdict
    };
    use Verdict::{Allow, Ask};
    for beforehand in [false, true] {
        for (pattern, host, is_local, expected) in [
            ("shell.connect(host=pypi.org)", "pypi.org", false, Allow),
            ("shell.connect(host=pypi.org)", "evil.org", false, Ask),
            ("shell.connect(host=pypi.org)", "pypi.org:22", false, Ask),
            ("shell.connect(host=*)", "files.pypi.org", false, Allow),
            ("shell.connect", "pypi.org", false, Ask),
            ("shell.*", "pypi.org", false, Ask),
            ("shell.connect(host=*.pypi.org)", "files.pypi.org", false, Allow),
            ("shell.connect(host=pypi.org)", "pypi.org", true, Ask),
            ("shell.connect(host=*)", "10.0.0.8:22", true, Ask),
            ("shell.*", "10.0.0.8:22", true, Ask),
            (
                "shell.connect(host=10.0.0.*, network=local)",
                "10.0.0.8:22",
                true,
                Ask,
            ),
            (
                "shell.connect(host=10.0.0.8:22, network=*)",
                "10.0.0.8:22",
                true,
                Ask,
            ),
            (
                "shell.connect(host=10.0.0.8:22, network=local)",
                "10.0.0.8:22",
                true,
                Allow,
            ),
            (
                "shell.connect(host=10.0.0.8:22, network=local)",
                "10.0.0.8:22",
                false,
                Ask,
            ),
        ] {
            assert_eq!(
                verdict(pattern, beforehand, host, is_local),
                expected,
                "{pattern} {host} {is_local} {beforehand}"
            );
        }
    }
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
    for (pattern, verdict) in [
        ("shell.run", Verdict::Ask),
        ("shell.run(command=rm *)", Verdict::Ask),
        ("shell.run(command=rm -rf buil?)", Verdict::Ask),
        ("shell.run(command=rm -rf build)", Verdict::Allow),
    ] {
        grants.approved = vec![Pattern::parse(pattern).unwrap()];
        let decision = grants.decide(&call, Class::ExecuteOpen, true);
        assert_eq!(decision.verdict, verdict, "{pattern}");
    }
}

#[test]
fn a_wildcard_of_a_command_allows_no_second_command_and_no_other_file_and_holds_back_both() {
    let pattern = Pattern::parse("shell.run(command=git *)").unwrap();
    let of = |command: &str| call("shell", "run", json!({"command": command}));
    for command in [
        "git status",
        "git log --format=%H -n 3",
        "git commit -m (a){b}$HOME",
    ] {
        assert!(pattern.allows(&of(command), Class::Execute), "{command}");
    }
    for command in [
        "git --version; rm -rf sub",
        "git --version & touch pwned",
        "git --version && touch pwned",
        "git log | sh",
        "git status\ntouch pwned",
        "git status\rtouch pwned",
        "git log `touch pwned`",
        "git log $(touch pwned)",
        "git log ${ touch pwned;}",
        "git log > .bashrc",
        "git log < secret",
    ] {
        assert!(!pattern.allows(&of(command), Class::Execute), "{command}");
        assert!(pattern.restricts(&of(command)), "{command}");
    }
    let one = Pattern::parse("shell.run(command=ls?pwd)").unwrap();
    assert!(one.allows(&of("ls pwd"), Class::Execute));
    assert!(!one.allows(&of("ls;pwd"), Class::Execute));
    let written = Pattern::parse("shell.run(command=make * > log)").unwrap();
    assert!(
        written.allows(&of("make test > log"), Class::Execute),
        "what is written out is meant"
    );
}

#[test]
fn a_pattern_for_a_program_that_a_person_runs_covers_the_call_that_it_was_made_for() {
    let command = call("shell", "run", json!({"command": "rm -rf a*, b"}));
    for class in [Class::Execute, Class::ExecuteOpen] {
        let pattern = Pattern::parse(&beforehand(&command, class).to_string()).unwrap();
        let grants = Grants {
            approved: vec![pattern],
            ..Grants::default()
        };
        assert_eq!(
            grants.decide(&command, class, true).verdict,
            Verdict::Allow,
            "{class:?}"
        );
    }
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
    // A user who looks at another page by now would not see the call.
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
    assert!(pattern.restricts(&call("files", "read", json!({"path": "/srv/a*/c.txt"}))));
    assert!(!pattern.restricts(&call("files", "read", json!({"path": "/srv/ab/c.txt"}))));
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
fn a_path_that_climbs_is_allowed_by_no_glob_where_nobody_knows_where_it_leads() {
    let pattern = Pattern::parse("files.read(path=/srv/*)").unwrap();
    let climbs = call("files", "read", json!({"path": "/srv/../etc/passwd"}));
    assert!(!pattern.allows(&climbs, Class::Read));
    assert!(pattern.restricts(&climbs));
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
        let call = call(&toolkit, &method, json!({name: text}));
        prop_assert!(again.restricts(&call));
    }

    #[test]
    fn an_escaped_text_matches_itself_alone(text in "\\PC{0,30}", other in "\\PC{0,30}") {
        let pattern = Pattern::new("t", "m", vec![("a".into(), pattern::escaped(&text))]);
        let (same, different) = (call("t", "m", json!({"a": text})), call("t", "m", json!({"a": other})));
        prop_assert!(pattern.restricts(&same));
        prop_assert_eq!(pattern.restricts(&different), text == other);
        prop_assert_eq!(pattern.allows(&different, Class::Send), text == other);
    }
}

/// How much a verdict allows: a stricter verdict has a lower number.
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
        "files.*(path=*)",
        "files.*(path=a*)",
        "files.write(path=/srv/*)",
        "files.*(path=/srv/.git/*)",
        "shell.run(command=git *)",
        "shell.run(command=git *, cwd=/srv)",
        "shell.run",
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
        leading("files", "read", json!({"path": "a"}), "path", "/srv/a"),
        leading(
            "files",
            "write",
            json!({"path": "/srv/../srv/link"}),
            "path",
            "/etc/a",
        ),
        leading(
            "files",
            "write",
            json!({"path": ".git/hooks/x"}),
            "path",
            "/srv/.git/hooks/x",
        ),
        leading("files", "list", json!({}), "path", "/srv"),
        leading("shell", "run", json!({"command": "git status"}), "cwd", "/srv"),
        leading(
            "shell",
            "run",
            json!({"command": "git status; rm a", "cwd": "x"}),
            "cwd",
            "/srv/x",
        ),
        call("mail", "send", json!({"to": "ann@example.org"})),
        call("memory", "remember", json!({"text": "x"})),
        call("shell", "connect", json!({"host": "pypi.org"})),
        call(
            "shell",
            "connect",
            json!({"host": "10.0.0.8:22", "network": "local"}),
        ),
    ];
    proptest::sample::select(calls)
}

fn classes() -> impl Strategy<Value = Class> {
    use Class::{
        Connect, Download, Execute, ExecuteOpen, Keep, Money, NetworkRead, Page, Read, ReadOutside, Search,
        Send, Write, WriteOutside,
    };
    let all = vec![
        Read,
        ReadOutside,
        NetworkRead,
        Search,
        Download,
        Write,
        Keep,
        WriteOutside,
        Execute,
        ExecuteOpen,
        Connect,
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
        Grants { mode, rules, approved, own_list: false }
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
    fn whatever_a_pattern_allows_it_also_restricts(pattern in patterns(), call in calls(), class in classes()) {
        prop_assert!(!pattern.allows(&call, class) || pattern.restricts(&call));
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
