//! Rules about files and folders look at where a path leads, however the path was spelled.

use super::*;

fn reading(written: &str, place: &str) -> Call {
    leading("files", "read", json!({"path": written}), "path", place)
}

fn writing(written: &str, place: &str) -> Call {
    leading("files", "write", json!({"path": written}), "path", place)
}

fn with(rules: &[(&str, Verdict)]) -> Grants {
    Grants {
        mode: Mode::Ask,
        rules: rules
            .iter()
            .map(|(pattern, verdict)| rule(pattern, *verdict))
            .collect(),
        ..Grants::default()
    }
}

fn on_path(name: &str, class: Class) -> MethodSpec {
    MethodSpec {
        name: name.into(),
        doc: String::new(),
        parameters: Vec::new(),
        returns: "str".into(),
        class,
        matters: vec!["path".into()],
        idempotent: false,
    }
}

#[test]
fn what_a_rule_denies_or_asks_about_is_not_reached_by_another_spelling() {
    let spellings = [
        "/w/private/x.txt",
        "private/x.txt",
        "./private/x.txt",
        "/w//private/x.txt",
        "/w/./private/x.txt",
        "/w/sub/../private/x.txt",
        "plink/x.txt",
    ];
    for verdict in [Verdict::Deny, Verdict::Ask] {
        let grants = with(&[("files.*(path=/w/private/*)", verdict)]);
        for written in spellings {
            let decided = |call: &Call, class| grants.decide(call, class, false).verdict;
            let place = "/w/private/x.txt";
            assert_eq!(
                decided(&reading(written, place), Class::Read),
                verdict,
                "{written}"
            );
            assert_eq!(
                decided(&writing(written, place), Class::Write),
                verdict,
                "{written}"
            );
        }
    }
}

#[test]
fn what_is_denied_below_a_folder_is_denied_of_the_folder_and_a_folder_with_all_below_it() {
    for pattern in [
        "files.*(path=/w/private/*)",
        "files.*(path=/w/private/)",
        "files.*(path=/w/private)",
    ] {
        let grants = with(&[(pattern, Verdict::Deny)]);
        let decided = |place: &str| {
            let call = leading("files", "list", json!({}), "path", place);
            grants.decide(&call, Class::Read, false).verdict
        };
        assert_eq!(decided("/w/private"), Verdict::Deny, "{pattern}");
        assert_eq!(decided("/w/private/a/b"), Verdict::Deny, "{pattern}");
        assert_eq!(decided("/w"), Verdict::Allow, "{pattern}");
        assert_eq!(decided("/w/private2"), Verdict::Allow, "{pattern}");
    }
}

#[test]
fn a_written_form_that_is_denied_stays_denied_wherever_it_leads() {
    let grants = with(&[("files.read(path=/w/plink/*)", Verdict::Deny)]);
    let call = reading("/w/plink/x", "/w/open/x");
    assert_eq!(grants.decide(&call, Class::Read, false).verdict, Verdict::Deny);
}

#[test]
fn a_walk_leaves_out_what_rules_hold_back_for_that_tool_and_not_what_it_was_asked_about_itself() {
    let grants = with(&[
        ("files.*(path=/w/private/*)", Verdict::Deny),
        ("files.write(path=/w/notes/*)", Verdict::Deny),
        ("files.grep(path=/w/asked/*)", Verdict::Ask),
    ]);
    let grep = |place: &str| leading("files", "grep", json!({"pattern": "x"}), "path", place);
    let from_above = grants.withheld(&grep("/w"), Class::Read);
    for (path, is_withheld) in [
        ("/w/private", true),
        ("/w/private/x", true),
        ("/w/asked/x", true),
        ("/w/notes/x", false),
        ("/w/open/x", false),
    ] {
        assert_eq!(from_above.covers(path), is_withheld, "{path}");
    }
    let approved = grants.withheld(&grep("/w/asked"), Class::Read);
    assert!(!approved.covers("/w/asked/x"));
    assert!(approved.covers("/w/private/x"));
    assert!(with(&[]).withheld(&grep("/w"), Class::Read).is_empty());
}

#[test]
fn an_error_names_no_neighbour_that_rules_keep_from_listings_or_readings() {
    let grants = with(&[
        ("files.list(path=/w/unlisted/*)", Verdict::Deny),
        ("files.read(path=/w/asked/*)", Verdict::Ask),
        ("files.write(path=/w/frozen/*)", Verdict::Deny),
    ]);
    let edit = leading("files", "edit", json!({"path": "x"}), "path", "/w/x");
    let unnamed = grants.unnamed(&edit).unwrap();
    for (path, is_left_out) in [
        ("/w/unlisted/x", true),
        ("/w/asked/x", true),
        ("/w/frozen/x", false),
        ("/w/open/x", false),
    ] {
        assert_eq!(unnamed.covers(path), is_left_out, "{path}");
    }
    // It counts too where the user was asked about the very file that is missing.
    let asked = grants.unnamed(&reading("asked/x", "/w/asked/x")).unwrap();
    assert!(asked.covers("/w/asked/y"));
    for rule in ["files.list", "files.*"] {
        let grants = with(&[(rule, Verdict::Deny)]);
        assert_eq!(grants.unnamed(&edit), None, "{rule}");
    }
}

#[test]
fn what_was_allowed_of_a_place_is_not_allowed_of_the_same_words_that_lead_elsewhere() {
    let grants = with(&[
        ("files.write(path=rl/*)", Verdict::Allow),
        ("files.write(path=/w/*)", Verdict::Allow),
    ]);
    let decided = |written: &str, place: &str| {
        let call = writing(written, place);
        grants.decide(&call, Class::Write, false).verdict
    };
    assert_eq!(decided("sub/a.txt", "/w/sub/a.txt"), Verdict::Allow);
    assert_eq!(decided("rl/a.txt", "/elsewhere/a.txt"), Verdict::Ask);
    assert_eq!(decided("/w/lnk", "/elsewhere/a.txt"), Verdict::Ask);
}

#[test]
fn an_always_for_ordinary_files_covers_neither_hidden_ones_nor_what_lies_outside() {
    let method = on_path("write", Class::Write);
    let always = kind(Class::Write, &writing("n1.txt", "/w/n1.txt"), Some(&method)).unwrap();
    assert_eq!(always.to_string(), "files.write(path=/w/*)");
    let grants = with(&[(&always.to_string(), Verdict::Allow)]);
    let decided = |place: &str, class| grants.decide(&writing("x", place), class, false).verdict;
    assert_eq!(decided("/w/n2.txt", Class::Write), Verdict::Allow);
    assert_eq!(decided("/w/.env", Class::WriteOutside), Verdict::Ask);
    assert_eq!(
        decided("/w/.git/hooks/pre-commit", Class::WriteOutside),
        Verdict::Ask
    );
    assert_eq!(decided("/w/sub/.git/config", Class::WriteOutside), Verdict::Ask);
    assert_eq!(decided("/home/me/out.txt", Class::WriteOutside), Verdict::Ask);
}

#[test]
fn an_always_for_a_hidden_file_names_that_file_and_covers_no_other() {
    let method = on_path("write", Class::Write);
    let hidden = writing(".env", "/w/.env");
    let always = kind(Class::WriteOutside, &hidden, Some(&method)).unwrap();
    assert_eq!(always.to_string(), "files.write(path=/w/.env)");
    let grants = with(&[(&always.to_string(), Verdict::Allow)]);
    let decided = |place: &str| {
        grants
            .decide(&writing(".env", place), Class::WriteOutside, false)
            .verdict
    };
    assert_eq!(decided("/w/.env"), Verdict::Allow);
    assert_eq!(
        decided("/w2/.env"),
        Verdict::Ask,
        "the same words in another folder"
    );
    assert_eq!(decided("/w/.git/config"), Verdict::Ask);
}

#[test]
fn outside_the_granted_folders_a_remembered_decision_holds_where_it_names_the_place() {
    for (pattern, verdict) in [
        ("files.read", Verdict::Ask),
        ("files.read(path=*)", Verdict::Ask),
        ("files.read(path=/*)", Verdict::Ask),
        ("files.read(path=/et*)", Verdict::Ask),
        ("files.read(path=/etc/*)", Verdict::Allow),
        ("files.read(path=/etc/hosts)", Verdict::Allow),
    ] {
        let grants = with(&[(pattern, Verdict::Allow)]);
        let decision = grants.decide(&reading("/etc/hosts", "/etc/hosts"), Class::ReadOutside, false);
        assert_eq!(decision.verdict, verdict, "{pattern}");
    }
    let grants = with(&[("files.write(path=/w/.git/*)", Verdict::Allow)]);
    let hook = writing(".git/hooks/x", "/w/.git/hooks/x");
    assert_eq!(
        grants.decide(&hook, Class::WriteOutside, false).verdict,
        Verdict::Allow
    );
    let elsewhere = with(&[("crm.add", Verdict::Allow)]);
    let add = call("crm", "add", json!({"name": "n"}));
    let decision = elsewhere.decide(&add, Class::WriteOutside, false);
    assert_eq!(
        decision.verdict,
        Verdict::Allow,
        "what has no place is no matter of folders"
    );
}

#[test]
fn a_folder_that_may_be_read_outside_is_without_what_is_hidden_in_it() {
    let pattern = Pattern::parse("files.read(path=/home/me/*)").unwrap();
    let key = reading("x", "/home/me/.ssh/id");
    assert!(pattern.allows(&reading("x", "/home/me/notes/a.txt"), Class::ReadOutside));
    assert!(!pattern.allows(&key, Class::ReadOutside));
    assert!(
        pattern.allows(&key, Class::Read),
        "what is granted is granted with all that is in it"
    );
    let spelled_out = Pattern::parse("files.read(path=/home/me/.ssh/*)").unwrap();
    assert!(spelled_out.allows(&key, Class::ReadOutside));
}

#[test]
fn the_family_of_what_lies_at_the_top_is_not_the_whole_disk() {
    let method = on_path("list", Class::Read);
    let list = leading("files", "list", json!({"path": "/etc"}), "path", "/etc");
    assert_eq!(family(&list, Some(&method)).to_string(), "files.list(path=/etc)");
}

#[test]
fn an_always_for_a_command_holds_in_the_folder_where_it_was_given() {
    let method = MethodSpec {
        matters: vec!["command".into(), "cwd".into()],
        ..on_path("run", Class::Execute)
    };
    let run = |cwd: &str| leading("shell", "run", json!({"command": "touch made"}), "cwd", cwd);
    let always = kind(Class::Execute, &run("/w"), Some(&method)).unwrap();
    assert_eq!(always.to_string(), "shell.run(command=touch made, cwd=/w)");
    let grants = with(&[(&always.to_string(), Verdict::Allow)]);
    assert_eq!(
        grants.decide(&run("/w"), Class::Execute, false).verdict,
        Verdict::Allow
    );
    assert_eq!(
        grants.decide(&run("/w2"), Class::Execute, false).verdict,
        Verdict::Ask
    );
    assert_eq!(
        grants.decide(&run("/w/sub"), Class::Execute, false).verdict,
        Verdict::Ask
    );
}

#[test]
fn a_pattern_is_put_where_its_named_beginning_leads() {
    let placed = |text: &str| {
        let pattern = Pattern::parse(text).unwrap();
        let placed = pattern.placed(|written| (written != "gone").then(|| format!("/real*/{written}")));
        placed.map(|placed| placed.to_string())
    };
    let cases = [
        ("files.read(path=a/b/*)", Some(r"files.read(path=/real\*/a/b/*)")),
        ("files.read(path=a/b*c)", Some(r"files.read(path=/real\*/a/b*c)")),
        ("files.read(path=b*)", Some(r"files.read(path=/real\*//b*)")),
        (r"files.read(path=a\*b)", Some(r"files.read(path=/real\*/a\*b)")),
        ("files.read(path=*)", None),
        ("files.read(path=/*)", None),
        ("files.read(path=gone/*)", None),
        ("files.read", None),
    ];
    for (text, expected) in cases {
        assert_eq!(placed(text).as_deref(), expected, "{text}");
    }
}

/// A call that takes something from one place to another.
fn moving(from: &str, to: &str) -> Call {
    let mut call = leading("files", "move", json!({"path": "a", "to": "b"}), "path", from);
    call.places.insert("to".to_owned(), to.to_owned());
    call
}

#[test]
fn a_rule_about_a_path_holds_back_what_would_be_put_there() {
    for verdict in [Verdict::Deny, Verdict::Ask] {
        let grants = Grants {
            mode: Mode::Trust,
            ..with(&[("files.*(path=/w/frozen/*)", verdict)])
        };
        let decided = |call: &Call| grants.decide(call, Class::Write, false).verdict;
        assert_eq!(decided(&moving("/w/frozen/a", "/w/b")), verdict);
        assert_eq!(decided(&moving("/w/a", "/w/frozen/b")), verdict);
        assert_eq!(decided(&moving("/w/a", "/w/b")), Verdict::Allow);
    }
    // An argument of that name that leads nowhere is no path.
    let grants = with(&[("mail.send(path=bob)", Verdict::Deny)]);
    let sent = call("mail", "send", json!({"to": "bob"}));
    assert_eq!(grants.decide(&sent, Class::Read, false).verdict, Verdict::Allow);
}

#[test]
fn outside_the_folders_a_rule_lets_through_what_it_names_both_places_of() {
    let decided = |pattern: &str| {
        let grants = with(&[(pattern, Verdict::Allow)]);
        grants
            .decide(&moving("/srv/a", "/etc/b"), Class::WriteOutside, false)
            .verdict
    };
    assert_eq!(decided("files.move(path=/srv/*)"), Verdict::Ask);
    assert_eq!(decided("files.move(to=/etc/*)"), Verdict::Ask);
    assert_eq!(decided("files.move(path=/srv/*, to=/etc/*)"), Verdict::Allow);
    assert_eq!(decided("files.move(path=/srv/*, to=*)"), Verdict::Ask);
}

#[test]
fn always_remembers_the_folders_of_both_places() {
    let method = MethodSpec {
        matters: vec!["path".into(), "to".into()],
        ..on_path("move", Class::Write)
    };
    let family = family(&moving("/w/a/x.txt", "/w/b/x.txt"), Some(&method));
    assert_eq!(family.to_string(), "files.move(path=/w/a/*, to=/w/b/*)");
}

#[test]
fn what_is_kept_back_of_files_is_kept_back_of_the_index_of_code() {
    let grants = with(&[
        ("files.*(path=/w/private/*)", Verdict::Deny),
        ("files.read(path=/w/keys/*)", Verdict::Deny),
        ("code.find(path=/w/old/*)", Verdict::Ask),
        ("files.write(path=/w/frozen/*)", Verdict::Deny),
    ]);
    let find = leading("code", "find", json!({"path": "/w"}), "path", "/w");
    let withheld = grants.withheld(&find, Class::Read);
    for path in ["/w/private/x.rs", "/w/keys/x.rs", "/w/old/x.rs"] {
        assert!(withheld.covers(path), "{path}");
    }
    for path in ["/w/src/x.rs", "/w/frozen/x.rs"] {
        assert!(!withheld.covers(path), "{path}");
    }
}
