//! Prompts of one's own: kept as files, filled before anything is sent, brought in from other programs and taken out again.

use serde_json::{Value, json};
use shidi_tests::command::Desk;
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;

fn listed(desk: &Desk) -> Vec<Value> {
    desk.run(["--json", "prompt", "list"]).json()
}

#[test]
fn a_prompt_is_filled_and_asked_as_the_users_own_words() {
    let server = ModelServer::start([Answer::Text("Done.".into())]);
    let desk = Desk::with_model(&server.url());
    let text = "Say {greeting} to {file}, and { this } stays {not a field}.";
    let kept = desk.run([
        "--json",
        "prompt",
        "add",
        "greet",
        text,
        "--description",
        "Says hello",
    ]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    let file = desk.path("list.txt");
    fs::write(&file, "Ann, Bo").unwrap();
    let file = file.display().to_string();
    let asked = desk.run([
        "ask",
        "--prompt",
        "greet",
        "--set",
        "greeting=hello",
        "--set",
        "this=x",
        "--file",
        &file,
        "Be",
        "short.",
    ]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let sent = server.requests()[0].to_string();
    let expected = "Say hello to list.txt, and x stays {not a field}.\\n\\nBe short.";
    assert!(sent.contains(expected), "{sent}");
    let missing = desk.run(["--lang", "en", "ask", "--prompt", "greet", "--file", &file]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("needs its field greeting"), "{missing:?}");
    assert!(missing.stderr.contains("--set greeting="), "{missing:?}");
    assert_eq!(server.requests().len(), 1, "nothing was sent");
}

#[test]
fn a_prompt_is_changed_renamed_never_and_removed_when_that_was_said() {
    let desk = Desk::new();
    let add = |words: &[&str]| desk.run(["--lang", "en", "prompt", "add"].iter().chain(words).copied());
    assert_eq!(add(&["polite", "Rewrite {selection}."]).code, Some(0));
    let twice = add(&["polite", "Other"]);
    assert!(
        twice.code == Some(2) && twice.stderr.contains("already"),
        "{twice:?}"
    );
    assert_eq!(add(&["polite", "Other {x}", "--replace"]).code, Some(0));
    assert_eq!(listed(&desk)[0]["text"], "Other {x}");
    let shown = desk.run(["prompt", "show", "/polite"]);
    assert!(
        shown.code == Some(0) && shown.stdout.contains("Other {x}"),
        "{shown:?}"
    );
    for set in [&["--set", "y=1"][..], &["--set", "x=1", "--set", "x=2"]] {
        let refused = desk.run([&["prompt", "fill", "polite"], set].concat());
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
    for (name, text) in [("Not A Name", "x"), ("../up", "x"), ("empty", "  ")] {
        let refused = add(&[name, text]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
    assert_eq!(
        desk.run(["prompt", "remove", "polite"]).code,
        Some(2),
        "nobody agreed"
    );
    assert_eq!(desk.run(["prompt", "remove", "polite", "--yes"]).code, Some(0));
    assert_eq!(listed(&desk), Vec::<Value>::new());
    let gone = desk.run(["--lang", "zh", "prompt", "fill", "polite"]);
    assert!(gone.stderr.contains("没有名为 polite 的提示词"), "{gone:?}");
}

#[test]
fn files_of_other_programs_come_in_and_go_out_with_what_is_not_ours() {
    let desk = Desk::new();
    let folder = desk.path("from");
    fs::create_dir_all(&folder).unwrap();
    let editors = "---\ndescription: Explain it\nmode: agent\n---\nExplain ${selection} in ${input:lang:English or 中文}.\n";
    fs::write(folder.join("explain.prompt.md"), editors).unwrap();
    fs::write(
        folder.join("Fix Issue.md"),
        "---\nargument-hint: '[number]'\n---\nFix issue $ARGUMENTS.",
    )
    .unwrap();
    fs::write(folder.join("broken.md"), b"\xff\xfe").unwrap();
    fs::write(folder.join("notes.txt"), "no prompt").unwrap();
    let folder = folder.display().to_string();
    let brought = desk.run(["--lang", "en", "--json", "prompt", "import", &folder]);
    assert_eq!(brought.code, Some(0), "{brought:?}");
    assert!(brought.stderr.contains("broken.md is no text"), "{brought:?}");
    let names: Vec<Value> = listed(&desk).iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, [json!("explain"), json!("fix-issue")]);
    assert_eq!(listed(&desk)[0]["text"], "Explain {selection} in {lang}.");
    assert_eq!(listed(&desk)[0]["fields"][1]["label"], "English or 中文");
    assert_eq!(listed(&desk)[1]["fields"][0]["label"], "[number]");
    let again = desk.run(["prompt", "import", &format!("{folder}/explain.prompt.md")]);
    assert_eq!(again.code, Some(2), "what is there is not written over");
    let to = desk.path("to").display().to_string();
    assert_eq!(desk.run(["prompt", "export", &to]).code, Some(0));
    let written = fs::read_to_string(desk.path("to/explain.md")).unwrap();
    assert!(
        written.contains("mode: agent") && written.contains("{lang}"),
        "{written}"
    );
    assert_eq!(desk.run(["prompt", "export", &to]).code, Some(2), "nor there");
}

#[test]
fn a_file_that_is_no_prompt_is_listed_with_its_reason() {
    let desk = Desk::new();
    let folder = desk.data().join("saved-prompts");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("head.md"), "---\na: [\n---\nx").unwrap();
    fs::write(folder.join("hidden.md"), "Say \u{202e}yes\u{200b} now").unwrap();
    fs::create_dir(folder.join("inner.md")).unwrap();
    let listed = listed(&desk);
    assert!(
        listed[2]["problem"].as_str().unwrap().ends_with("is no file"),
        "{listed:?}"
    );
    let problem = listed[0]["problem"].as_str().unwrap();
    assert!(
        problem.contains("head.md") && problem.contains("line"),
        "{problem}"
    );
    let filled = desk.run(["prompt", "fill", "hidden"]);
    assert_eq!(
        filled.stdout.trim(),
        "Say yes now",
        "what the eye can't see is not sent"
    );
}
