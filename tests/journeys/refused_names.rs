//! Names of which there is nothing, and files that hold what can't be used: each is told with what to do, in both languages.

use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;

/// What a command says that is refused, in a language.
fn refused(desk: &Desk, language: &str, words: &[&str]) -> String {
    let printed = desk.run([&["--lang", language], words].concat());
    assert_eq!(printed.code, Some(2), "{words:?}: {printed:?}");
    printed.stderr
}

fn import(desk: &Desk, options: &[&str], text: &str) -> Printed {
    let path = desk.path("taken.json");
    fs::write(&path, text).unwrap();
    let import = ["assistant", "import", path.to_str().unwrap(), "--yes"];
    desk.run([options, &import[..]].concat())
}

#[test]
fn an_assistant_of_which_there_is_nothing_is_refused_with_those_that_there_are() {
    let server = ModelServer::repeating(Answer::Text("Hello.".into()));
    let desk = Desk::with_model(&server.url());
    for (language, name, said) in [
        ("en", "nope", "There is no assistant nope"),
        ("en", "nobody", "There are: "),
        ("zh", "没有的", "没有助手 没有的"),
        ("zh", "nope", "translator"),
    ] {
        let told = refused(&desk, language, &["ask", "--assistant", name, "hi"]);
        assert!(told.contains(said), "{name}: {told}");
    }
    assert_eq!(
        desk.run(["--json", "ask", "--assistant", "nope", "hi"]).code,
        Some(2)
    );
    assert!(server.requests().is_empty(), "nobody was asked");
    let usual = desk.run(["ask", "--assistant", "shidi", "hi"]);
    assert_eq!(usual.code, Some(0), "{usual:?}");
}

#[test]
fn a_name_without_a_file_is_asked_where_its_user_has_something_for_it_and_its_session_goes_on() {
    let server = ModelServer::repeating(Answer::Text("Hello.".into()));
    let desk = Desk::with_model(&server.url());
    let ran = |words: &[&str]| {
        let printed = desk.run([&["--json"], words].concat());
        assert_eq!(printed.code, Some(0), "{words:?}: {printed:?}");
        printed
    };
    ran(&["tool", "off", "memory", "--assistant", "ben"]);
    let begun = ran(&["ask", "--assistant", "ben", "hi"]);
    let session = begun.event("run_started")["session"].as_str().unwrap().to_owned();
    ran(&["tool", "on", "memory", "--assistant", "ben"]);
    let on = ran(&["ask", "--session", &session, "--assistant", "ben", "more"]);
    assert_eq!(on.event("run_started")["assistant"], "ben");
}

#[test]
fn an_import_that_nobody_looked_at_tells_what_stayed_behind_and_what_it_replaced() {
    let desk = Desk::new();
    let item = |prompt: &str| {
        json!([{"id": "1", "name": "Poet", "prompt": prompt, "mcpServers": [{"name": "m"}]}]).to_string()
    };
    let first = import(&desk, &[], &item("Write in {{place}}."));
    assert_eq!(first.code, Some(0), "{first:?}");
    for said in ["Not taken over: mcpServers", "{{place}}"] {
        assert!(first.stdout.contains(said), "{said}: {first:?}");
    }
    assert!(!first.stdout.contains("took the place"), "{first:?}");
    for (language, said) in [("en", "took the place of"), ("zh", "取代了原来的")] {
        let prompt = format!("Write odes ({language}).");
        let again = import(&desk, &["--lang", language], &item(&prompt));
        assert_eq!(again.code, Some(0), "{again:?}");
        assert!(
            again.stdout.contains(said) && again.stdout.contains("prompt"),
            "{again:?}"
        );
    }
    let told = import(&desk, &["--json"], &item("Write sonnets.")).json();
    let notes = told[0]["notes"].to_string();
    assert!(
        notes.contains("mcpServers") && notes.contains("took the place of"),
        "{told:?}"
    );
}

#[test]
fn a_list_with_an_item_that_is_no_assistant_keeps_the_others_and_ends_with_one() {
    let desk = Desk::new();
    let poet = json!({"id": "1", "name": "Poet", "prompt": "Write."});
    for (list, language, said) in [
        (json!([poet, 7]), "en", "This item of the list is no assistant"),
        (json!(["x", poet]), "zh", "列表里的这一项不是助手"),
    ] {
        let printed = import(&desk, &["--lang", language], &list.to_string());
        assert_eq!(printed.code, Some(1), "{printed:?}");
        assert!(
            printed.stdout.contains(said) && printed.stdout.contains("poet"),
            "{printed:?}"
        );
    }
    let shown = desk.run(["assistant", "show", "poet"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
}

#[test]
fn two_documents_in_one_file_are_told_as_that() {
    let desk = Desk::new();
    for (language, said, remedy) in [
        ("en", "more than one document", "a file of its own"),
        ("zh", "不止一个文档", "单独放一个文件"),
    ] {
        let text = "version: '1'\nname: a\n---\nversion: '1'\nname: b\n";
        let printed = import(&desk, &["--lang", language], text);
        assert_eq!(printed.code, Some(2), "{printed:?}");
        assert!(
            printed.stdout.contains(said) && printed.stdout.contains(remedy),
            "{printed:?}"
        );
        assert!(!printed.stdout.contains("breached"), "{printed:?}");
    }
}

#[test]
fn a_question_that_was_never_dropped_is_not_offered_again() {
    let desk = Desk::new();
    for (language, site, guess, said) in [
        ("en", "nope", "q", "no question 'q' on 'nope'"),
        ("zh", "file:///x", "q", "没有不再提示的问题"),
        ("en", "", "", "No site was named"),
    ] {
        let told = refused(&desk, language, &["memory", "offer", site, guess]);
        assert!(told.contains(said), "{told}");
    }
    let for_programs = desk.run(["--json", "memory", "offer", "nope", "q"]);
    assert_eq!(for_programs.code, Some(2), "{for_programs:?}");
}

#[test]
fn an_assistant_that_comes_along_is_not_removed_and_no_copy_is_advised() {
    let desk = Desk::new();
    for (language, said, edit) in [
        ("en", "can't be removed", "change the copy"),
        ("zh", "不能删除", "再改那一份"),
    ] {
        let told = refused(&desk, language, &["assistant", "remove", "translator", "--yes"]);
        assert!(told.contains(said) && !told.contains(edit), "{told}");
    }
}
