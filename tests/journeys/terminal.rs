//! Cards at a terminal: what is approved was shown whole, and reads as nothing but itself.

use shidi_tests::command::{Desk, shidi};
use shidi_tests::model_server::{Answer, ModelServer};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// Characters of a text that fills several parts.
const LONG: usize = 8_000;

/// Whether there is a program that gives others a terminal; says NOT RUN where there is none.
pub fn has_terminal() -> bool {
    let has = Command::new("script").arg("--version").output().is_ok();
    if !has {
        println!("NOT RUN: script (util-linux) is not installed");
    }
    has
}

/// Longest wait for a question at the terminal.
const QUESTION_WAIT: Duration = Duration::from_secs(60);

/// What a terminal shows while a question is asked: each line is typed once the words before it stand there, anew each time.
pub fn typed(desk: &Desk, language: &str, words: &str, lines: &[(&str, &str)]) -> String {
    let shell = format!("{} --lang {language} {words}", shidi().display());
    let mut child = desk
        .command_of(Path::new("script"), ["-qefc", &shell, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut keys = child.stdin.take().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let (sender, pieces) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut piece) {
            if sender.send(piece[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    let (mut bytes, mut from) = (Vec::new(), 0);
    for (awaited, line) in lines {
        while let Some(piece) = awaits(&bytes[from..], awaited).then(|| pieces.recv_timeout(QUESTION_WAIT)) {
            let Ok(piece) = piece else {
                child.kill().unwrap();
                panic!("no {awaited:?} in {}", String::from_utf8_lossy(&bytes));
            };
            bytes.extend(piece);
        }
        from = bytes.len();
        keys.write_all(line.as_bytes()).unwrap();
    }
    bytes.extend(pieces.iter().flatten());
    drop(keys);
    child.wait().unwrap();
    String::from_utf8_lossy(&bytes).replace('\r', "")
}

fn awaits(shown: &[u8], awaited: &str) -> bool {
    !String::from_utf8_lossy(shown).contains(awaited)
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
    let shown = typed(
        &first,
        "en",
        "ask write it",
        &[("[n]o:", "y\n"), ("[n]o:", "all\n"), ("[y]es once", "y\n")],
    );
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
    let shown = typed(
        &second,
        "zh",
        "ask write it",
        &[
            ("1/6", "y\n"),
            ("1/6", "y\n"),
            ("1/6", "\n"),
            ("2/6", "y\n"),
            ("2/6", "n\n"),
            ("原因", "\n"),
        ],
    );
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
    let shown = typed(&desk, "en", "ask write it", &[("Answer", "yes\n")]);
    assert!(shown.contains(r"Pay \u202ecba\u200b?"), "{shown}");
    assert!(shown.contains(r"It is \u202ecod.exe\u2066, 👩"), "{shown}");
    assert!(!shown.contains(['\u{202e}', '\u{2066}', '\u{200b}']), "{shown}");
}

#[test]
fn what_was_typed_or_pasted_before_a_question_stood_there_answers_nothing() {
    if !has_terminal() {
        return;
    }
    let desk = desk();
    let place = desk.path("outside.txt").display().to_string();
    let program = format!(
        "```python\nname = await user.ask(text='Whose is it?')\nawait files.write(path='{place}', text='typed ahead')\nprint(name)\n```"
    );
    let server = ModelServer::start([Answer::Text(program), Answer::Text("Done.".to_owned())]);
    desk.write_config(&format!(
        "provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    ));
    let ahead = "y\n".repeat(200);
    let shown = typed(
        &desk,
        "en",
        "ask write it",
        &[
            ("", &ahead),
            // A paste that answers the question holds more than its answer.
            ("Answer", &format!("Lin's\n{ahead}")),
            ("[y]es once", "n\n"),
            ("Reason", "\n"),
        ],
    );
    assert!(shown.contains("Whose is it?"), "{shown}");
    assert!(!desk.path("outside.txt").exists(), "{shown}");
}
