//! Programs that look at the desktop and the clipboard: what they get, what they must not, and what the user is asked.

use crate::asking::{answering, captures, desk, ledger, pictures};
use crate::window_text::{TEXT, sees_windows};
use crate::windows::{CLIPBOARD, GREEN, Painted, RED};
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::gtk_window::GtkWindow;
use shidi_tests::model_server::{Answer, ModelServer};

/// What a program of the user's own comes to.
fn executed(desk: &Desk, allowed: &[&str], program: &str) -> Value {
    let mut arguments = vec!["exec", "--json"];
    for allowed in allowed {
        arguments.extend(["--allow", allowed]);
    }
    arguments.push("-");
    let printed = desk.run_with(&arguments, program);
    let objects = printed.json();
    objects.last().unwrap_or_else(|| panic!("{printed:?}")).clone()
}

fn value(desk: &Desk, program: &str) -> Value {
    let told = executed(desk, &[], program);
    assert_eq!(told["ok"], true, "{told}");
    told["value"].clone()
}

fn refused(desk: &Desk, allowed: &[&str], program: &str) -> String {
    let told = executed(desk, allowed, program);
    assert_eq!(told["ok"], false, "{told}");
    told["error"]["message"].as_str().unwrap().to_owned()
}

/// A model that first writes that program, and then has seen enough.
fn writing(program: &str) -> ModelServer {
    let program = format!("[Thought]: I look.\n```python\n{program}\n```");
    let mut asked = 0;
    ModelServer::thinking(move |_| {
        asked += 1;
        Answer::Text(if asked == 1 {
            program.clone()
        } else {
            "It is red.".to_owned()
        })
    })
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

#[test]
fn windows_are_listed_with_their_places_and_without_the_excluded_ones() {
    let _hidden = Painted::show("KeePassXC", "Passwords", RED, (50, 50, 200, 150));
    let _private = Painted::show(
        "Chromium",
        "a page that nobody vouches for",
        RED,
        (50, 250, 200, 150),
    );
    let window = Painted::show("Mousepad", "build.log - Mousepad", GREEN, (300, 200, 400, 300));
    let (x, y, width, height) = window.place();
    let server = answering();
    let listed = value(&desk(&server, "gpt-4o"), "(await screen.windows()).data");
    let listed = listed.as_array().unwrap();
    let first = &listed[0];
    assert_eq!(
        (
            first["app"].as_str(),
            first["title"].as_str(),
            first["in_front"].as_bool()
        ),
        (Some("Mousepad"), Some("build.log - Mousepad"), Some(true))
    );
    let place = ["x", "y", "width", "height"].map(|name| first[name].as_i64().unwrap());
    let drawn: [i64; 4] = [x.into(), y.into(), width.into(), height.into()];
    assert_eq!(place, drawn);
    let browser = listed.iter().find(|window| window["app"] == "Chromium").unwrap();
    assert_eq!(browser["title"], "");
    assert!(!format!("{listed:?}").contains("KeePass"), "{listed:?}");
}

#[test]
fn the_window_in_front_is_read_as_a_strangers_text_without_passwords_and_keys() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    let why = refused(&desk, &[], "await screen.read()");
    assert!(why.contains("privacy.accessibility"), "{why}");
    sees_windows(&mut desk);
    let read = value(&desk, "(await screen.read()).data");
    assert_eq!(
        (read["source"].as_str(), read["title"].as_str()),
        (Some("accessibility"), Some("orders - Notepad"))
    );
    let told = read.to_string();
    assert!(told.contains("Ship the lamp on Friday"), "{told}");
    assert!(
        !told.contains("hunter2") && !told.contains("abcdefghijklmnop"),
        "{told}"
    );
    let line = &ledger(&desk)[0];
    assert_eq!(
        (
            line["outcome"].as_str(),
            line["what"].as_str(),
            line["app"].as_str()
        ),
        (Some("sent"), Some("facts"), Some("Gtk_window.py"))
    );
    // What it read marks the task.
    let asked = executed(
        &desk,
        &[],
        "await screen.read()\nawait memory.remember(text='ship the lamp')",
    );
    assert_ne!(asked["ok"], true, "{asked}");
}

#[test]
fn a_window_that_tells_nothing_of_itself_is_read_by_recognition_where_the_user_lets_it() {
    if !shidi_senses::recogniser_is_there() {
        println!("NOT RUN: words of a window (tesseract is not installed)");
        return;
    }
    let window = Painted::show("Xmessage", "notice", 0x00ff_ffff, (200, 150, 700, 200));
    window.write("The build failed on line forty two");
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let why = refused(&desk, &[], "await screen.read()");
    assert!(why.contains("privacy.ocr"), "{why}");
    assert_eq!(desk.run(["config", "set", "privacy.ocr", "on"]).code, Some(0));
    let read = value(&desk, "(await screen.read()).data");
    assert_eq!(
        (read["source"].as_str(), read["title"].as_str()),
        (Some("recognition"), Some("notice"))
    );
    let words = read["text"].as_str().unwrap();
    assert!(words.contains("failed on line"), "{words}");
    // What it read marks the task.
    let asked = executed(
        &desk,
        &[],
        "await screen.read()\nawait memory.remember(text='the build failed')",
    );
    assert_ne!(asked["ok"], true, "{asked}");
}

#[test]
fn a_program_may_take_a_picture_when_the_user_says_so_and_a_model_that_sees_gets_it_next() {
    let _window = Painted::show("Mousepad", "build.log - Mousepad", RED, (200, 150, 400, 300));
    let server = writing("print((await screen.look(of='window')).data)");
    let desk = desk(&server, "gpt-4o");
    let waits = desk.run([
        "ask",
        "--json",
        "--format",
        "fenced",
        "Look at my window. Which colour has it?",
    ]);
    assert_eq!(waits.code, Some(3), "{waits:?}");
    let card = waits.event("approval_needed");
    assert_eq!(captures(&desk), 0, "nothing was taken before the user agreed");
    let run = card["run"].as_str().unwrap();
    let call = card["call"].to_string();
    let printed = done(desk.run(["approve", "--json", run, &call]));
    assert_eq!(printed.event("answer")["text"], "It is red.");
    let requests = server.requests();
    assert!(pictures(&requests[0]).is_empty());
    let [(width, height, colour)] = pictures(&requests[1])[..] else {
        panic!("one picture, not {:?}", pictures(&requests[1]));
    };
    assert_eq!((width, height), (400, 300));
    assert!(colour[0].abs_diff(0xc8) < 8, "{colour:?}");
    assert!(server.last_prompt().contains("picture: attached, 400×300 pixels"));
    let line = &ledger(&desk)[0];
    assert_eq!(
        (
            line["outcome"].as_str(),
            line["title"].as_str(),
            line["width"].as_u64()
        ),
        (Some("sent"), Some("build.log - Mousepad"), Some(400))
    );
    assert_eq!(captures(&desk), 1);
    assert_eq!(desk.run(["session", "delete", "last"]).code, Some(0));
    assert_eq!(captures(&desk), 0);
}

#[test]
fn a_model_without_eyes_is_told_so_and_gets_no_picture() {
    let _window = Painted::show("Mousepad", "build.log - Mousepad", RED, (200, 150, 400, 300));
    let server = writing("print((await screen.look(of='window')).data)");
    let desk = desk(&server, "deepseek-chat");
    let look = [
        "ask",
        "--json",
        "--approve",
        "screen.look(of=window)",
        "Which colour has my window?",
    ];
    done(desk.run(look));
    let prompt = server.last_prompt();
    assert!(prompt.contains("takes no pictures"), "{prompt}");
    assert!(pictures(&server.requests()[1]).is_empty());
    assert_eq!(captures(&desk), 0);
}

#[test]
fn an_allowed_look_at_a_window_is_none_at_the_monitor_and_none_at_what_may_be_private() {
    let _private = Painted::show(
        "Chromium",
        "a page that nobody vouches for",
        RED,
        (200, 150, 400, 300),
    );
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let why = refused(
        &desk,
        &["screen.look(of=window)"],
        "await screen.look(of='window')",
    );
    assert!(why.contains("private window"), "{why}");
    let waits = desk.run_with(
        ["exec", "--json", "--allow", "screen.look(of=window)", "-"],
        "await screen.look(of='monitor')",
    );
    assert_eq!(waits.code, Some(3), "{waits:?}");
    let why = refused(&desk, &["screen.look"], "await screen.look(of='all')");
    assert!(why.contains("monitor"), "{why}");
    assert_eq!(captures(&desk), 0);
}

#[test]
fn the_clipboard_is_nobodys_until_the_user_switches_it_on_and_a_password_managers_never() {
    let _window = Painted::show("Mousepad", "notes", RED, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    let _text = CLIPBOARD.hold(
        "UTF8_STRING",
        "deploy with sk-abcdefghijklmnopqrstuvwx 明天".as_bytes(),
    );
    let why = refused(&desk, &[], "await clipboard.read()");
    assert!(why.contains("privacy.clipboard"), "{why}");
    done(desk.run(["config", "set", "privacy.clipboard", "on"]));
    let read = value(&desk, "(await clipboard.read()).data");
    let text = read["text"].as_str().unwrap();
    assert!(
        text.starts_with("deploy with") && text.ends_with("明天"),
        "{text}"
    );
    assert!(!text.contains("abcdefghijklmnop"), "{text}");
    assert_eq!(
        (read["app"].as_str(), read["cut"].as_bool()),
        (Some("xclip"), Some(false))
    );
    // What it read marks the task.
    let asked = executed(
        &desk,
        &[],
        "await clipboard.read()\nawait memory.remember(text='deploy tomorrow')",
    );
    assert_ne!(asked["ok"], true, "{asked}");
    done(desk.run(["config", "set", "privacy.apps", "xclip"]));
    let why = refused(&desk, &[], "await clipboard.read()");
    assert!(why.contains("privacy.apps") && !why.contains("deploy"), "{why}");
    done(desk.run(["config", "set", "privacy.apps", "none"]));
    let _password = CLIPBOARD.hold("x-kde-passwordManagerHint", b"secret");
    let why = refused(&desk, &[], "await clipboard.read()");
    assert!(why.contains("password manager"), "{why}");
}

#[test]
fn a_program_asks_before_it_takes_the_place_of_what_the_user_copied() {
    let _window = Painted::show("Mousepad", "notes", RED, (200, 150, 400, 300));
    let server = answering();
    let desk = desk(&server, "gpt-4o");
    done(desk.run(["config", "set", "privacy.clipboard", "on"]));
    let _text = CLIPBOARD.hold("UTF8_STRING", b"mine");
    let program = "await clipboard.write(text='yours\\n\\x1b[0m')\n(await clipboard.read()).data['text']";
    let waits = desk.run_with(["exec", "--json", "-"], program);
    assert_eq!(waits.code, Some(3), "{waits:?}");
    assert_eq!(value(&desk, "(await clipboard.read()).data['text']"), "mine");
    let told = executed(&desk, &["clipboard.write"], program);
    assert_eq!(told["value"], "yours\n[0m", "{told}");
    let long = "await clipboard.write(text='x' * 300_000)";
    assert!(refused(&desk, &["clipboard.write"], long).contains("at most 200000"));
}

#[test]
fn what_has_nothing_to_do_here_is_not_offered() {
    let server = answering();
    let mut desk = desk(&server, "gpt-4o");
    done(desk.run(["ask", "What is the capital of France?"]));
    let prompt = server.last_prompt();
    assert!(prompt.contains("# screen [windows, read, look]"), "{prompt}");
    assert!(!prompt.contains("clipboard"), "{prompt}");
    done(desk.run(["config", "set", "privacy.clipboard", "on"]));
    done(desk.run(["sense", "--pause"]));
    done(desk.run(["ask", "What is the capital of France?"]));
    let prompt = server.last_prompt();
    assert!(prompt.contains("# clipboard [read, write]"), "{prompt}");
    assert!(!prompt.contains("# screen"), "{prompt}");
    desk.set("DISPLAY", "");
    done(desk.run(["sense", "--resume"]));
    done(desk.run(["ask", "What is the capital of France?"]));
    assert!(!server.last_prompt().contains("# screen"));
}
