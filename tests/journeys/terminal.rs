//! Cards at a terminal: what is approved was shown whole, and reads as nothing but itself.

use shidi_tests::command::{Desk, shidi};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Characters of a text that fills several parts.
const LONG: usize = 8_000;

/// Whether there is a program that gives others a terminal; says NOT RUN where there is none.
fn has_terminal() -> bool {
    let has = Command::new("script").arg("--version").output().is_ok();
    if !has {
        println!("NOT RUN: script (util-linux) is not installed");
    }
    has
}

/// What a terminal shows while a question is asked and these lines are typed.
fn typed(desk: &Desk, language: &str, lines: &str) -> String {
    let shell = format!("{} --lang {language} ask write it", shidi().display());
    let mut child = desk
        .command_of(Path::new("script"), ["-qefc", &shell, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}

/// A model that writes a long text to a place that asks.
fn writing(desk: &Desk) -> (ModelServer, String) {
    let text = format!("{}MIDDLE{}THE-END", "a".repeat(LONG), "b".repeat(LONG));
    let place = desk.path("outside.txt").display().to_string();
    let program = format!("```python\nawait files.write(path='{place}', text='{text}')\n```");
    let server = ModelServer::start([Answer::Text(program), Answer::Text("Done.".to_owned())]);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    (server, text)
}

fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.set("SHIDI_KEY_OPENAI", "sk-test-0000000000001234");
    desk
}

#[test]
fn a_long_call_is_shown_to_its_end_before_it_can_be_approved() {
    if !has_terminal() {
        return;
    }
    let first = desk();
    let (_server, text) = writing(&first);
    let shown = typed(&first, "en", "y\nall\ny\n");
    let unbroken = shown.replace('\n', "");
    assert!(
        unbroken.contains("MIDDLE") && unbroken.contains("THE-END"),
        "{shown}"
    );
    assert!(shown.contains("Part 1 of 6"), "{shown}");
    let before = shown.split("Part 1 of 6").next().unwrap();
    assert!(!before.contains("MIDDLE"), "the first part is shown first");
    assert_eq!(std::fs::read_to_string(first.path("outside.txt")).unwrap(), text);

    // Approving what was not shown is no approval; refusing needs no more of it.
    let second = desk();
    let (_server, _) = writing(&second);
    let shown = typed(&second, "zh", "y\ny\n\ny\nn\n\n");
    assert!(
        shown.contains("第 2/6 部分") && !shown.contains("THE-END"),
        "{shown}"
    );
    assert!(!second.path("outside.txt").exists());
}

#[test]
fn questions_and_answers_say_nothing_that_is_not_seen() {
    if !has_terminal() {
        return;
    }
    let desk = desk();
    let program = "```python\nprint(await user.ask(text='Pay \\u202ecba\\u200b?'))\n```";
    let server = ModelServer::start([
        Answer::Text(program.to_owned()),
        Answer::Text("It is \u{202e}cod.exe\u{2066}, 👩\u{200d}💻.".to_owned()),
    ]);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let shown = typed(&desk, "en", "yes\n");
    assert!(shown.contains(r"Pay \u202ecba\u200b?"), "{shown}");
    assert!(shown.contains(r"It is \u202ecod.exe\u2066, 👩"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{2066}', '\u{200b}']), "{shown}");
}
