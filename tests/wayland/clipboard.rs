//! The clipboard of a Wayland desktop beside that of other programs (`wl-copy`, `wl-paste`), and a text in another program's
//! window.

use crate::{answering, desk, done, until};
use shidi_senses::{Copied, InsertError, Manner};
use shidi_tests::gtk_window::GtkWindow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const READ: &str = "(await clipboard.read()).data['text']";

/// Whether the other programs are there; says NOT RUN where they are not.
fn has_others() -> bool {
    let begun = Command::new("wl-paste")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if begun.is_err() {
        println!("NOT RUN: the clipboard of a Wayland desktop (wl-clipboard is not installed)");
    }
    begun.is_ok()
}

/// Another program copies it, and holds it ready in the background.
fn copy(form: &str, text: &str) {
    let copied = Command::new("wl-copy")
        .args(["--type", form, "--", text])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(copied.unwrap().success());
}

/// What another program pastes. It waits by itself for ever where nobody gives anything.
fn pasted() -> String {
    let output = Command::new("timeout")
        .args(["20", "wl-paste", "--no-newline"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn copied() -> Copied {
    let until = Instant::now() + Duration::from_secs(20);
    shidi_senses::copied(until).unwrap().unwrap_or_default()
}

#[test]
fn what_others_copied_is_read_and_what_is_copied_here_is_theirs_to_paste() {
    if !has_others() {
        return;
    }
    copy("text/plain;charset=utf-8", "deploy 明天");
    until("it is read", || copied().text == "deploy 明天");
    assert!(!copied().is_secret && !copied().is_cut);
    // More than a pipe holds.
    let long = "灯 ".repeat(50_000);
    shidi_senses::copy(&long).unwrap();
    assert!(pasted() == long, "{} bytes", pasted().len());
    shidi_senses::copy("the next one").unwrap();
    assert_eq!(
        (pasted(), copied().text),
        ("the next one".into(), "the next one".into())
    );
}

#[test]
fn programs_read_the_clipboard_once_it_is_switched_on_and_a_password_managers_never() {
    if !has_others() {
        return;
    }
    let server = answering();
    let desk = desk(&server);
    copy("text/plain", "deploy tomorrow");
    until("it is copied", || copied().text == "deploy tomorrow");
    let told = || {
        let printed = desk.run_with(["exec", "--json", "-"], READ);
        format!("{}{}", printed.stdout, printed.stderr)
    };
    let off = told();
    assert!(
        off.contains("privacy.clipboard") && !off.contains("tomorrow"),
        "{off}"
    );
    done(&desk.run(["config", "set", "privacy.clipboard", "on"]));
    assert!(told().contains("deploy tomorrow"), "{}", told());
    let checks = desk.run(["doctor", "--json"]).json();
    let is_clipboard = |check: &&serde_json::Value| check["name"] == "clipboard";
    let check = checks.iter().find(is_clipboard).unwrap();
    assert_eq!(check["ok"], true, "{check}");
    copy("x-kde-passwordManagerHint", "secret");
    until("a password is copied", || copied().is_secret);
    assert!(told().contains("password manager"), "{}", told());
}

/// A window that somebody was writing in, by its number, and the one that is in front of it now.
fn come_from(arguments: &[&str]) -> Option<(GtkWindow, u32, GtkWindow)> {
    let (told, fronts) = std::sync::mpsc::channel();
    shidi_senses::follow(move |front| told.send(front.title).unwrap_or_default()).unwrap();
    let notepad = GtkWindow::show(arguments)?;
    let window = shidi_senses::sensor().unwrap().front().unwrap().id;
    // Where the focus is heard of, it is told each time that the window comes to the front again.
    until("the focus is followed", || {
        drop(GtkWindow::show(&["Reader", "report - Reader", "Sales rose."]));
        let mut heard = fronts.try_iter();
        heard.any(|title: String| title == "orders - Notepad")
    });
    // Somebody asks Shidi: another window is in front.
    let panel = GtkWindow::show(&["Reader", "report - Reader", "Sales rose."]).unwrap();
    Some((notepad, window, panel))
}

#[test]
fn a_text_takes_the_place_of_what_was_selected_in_the_window_that_the_user_came_from() {
    let arguments = ["Notepad", "orders - Notepad", "Ship the lamp", "the"];
    let Some((notepad, window, _panel)) = come_from(&arguments) else {
        return;
    };
    let began = Instant::now();
    let inserted = shidi_senses::insert(window, "a 灯\u{1b}\n").unwrap();
    println!("inserted by accessibility in {:?}", began.elapsed());
    assert_eq!(inserted.manner, Manner::Plain);
    assert_eq!(notepad.text(), "Ship a 灯\n lamp");
    assert_eq!(
        shidi_senses::sensor().unwrap().front().unwrap().title,
        "report - Reader"
    );
}

#[test]
fn a_field_that_holds_a_part_of_a_text_is_told_with_how_much_and_the_whole_waits_on_the_clipboard() {
    if !has_others() {
        return;
    }
    let arguments = ["Notepad", "orders - Notepad", "Ship", "", "10"];
    let Some((notepad, window, _panel)) = come_from(&arguments) else {
        return;
    };
    let part = InsertError::Part {
        characters: 6,
        of: 8,
        is_copied: true,
    };
    assert_eq!(shidi_senses::insert(window, "the lamp"), Err(part));
    assert_eq!(notepad.text(), "Shipthe la");
    assert_eq!(pasted(), "the lamp");
}

#[test]
fn a_text_that_no_window_takes_waits_on_the_clipboard_and_a_window_that_is_gone_is_said_so() {
    if !has_others() {
        return;
    }
    shidi_senses::copy("before").unwrap();
    let Some(notepad) = GtkWindow::show(&["Notepad", "orders - Notepad", "Ship the lamp"]) else {
        return;
    };
    let window = shidi_senses::sensor().unwrap().front().unwrap().id;
    drop(notepad);
    until("the window is gone", || {
        shidi_senses::insert(window, "lost") == Err(InsertError::Gone)
    });
    // A program that tells nothing has no number.
    let by_hand = InsertError::OnClipboard {
        app: String::new(),
        manner: Manner::Plain,
    };
    assert_eq!(shidi_senses::insert(0, "by hand\u{7}\n"), Err(by_hand));
    assert_eq!(pasted(), "by hand");
    assert_eq!(shidi_senses::insert(0, "\u{1b}"), Err(InsertError::Empty));
}
