//! The keys: chosen in the configuration or in an assistant's file, followed while the program runs, taken when another
//! program gives them up, and asked of the portal where no program may grab any.

use super::answering::fixture_with;
use super::bus::{KeyRequest, Portal, told};
use super::{Fixture, PANEL, WELCOMED};
use shidi_tests::model_server::ModelServer;
use shidi_tests::program::{Program, built};
use shidi_tests::screen::{Screen, Seen, await_some};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The display's number for a letter; those of the others follow.
const LETTER_A: u32 = 0x61;
/// Longest time from keys that are ours to the panel.
const SHOWN_WITHIN: Duration = Duration::from_secs(3);
const TAKEN: &str = "Ctrl+Alt+Space is taken by another program";
const TAKEN_OF_COOK: &str = "Ctrl+Alt+Space, which chooses @cook, is taken by another program";
/// Time after which keys that nobody has have shown nothing.
const NOTHING_AFTER: Duration = Duration::from_millis(700);

/// The old keys are free a moment before the new ones are ours: whoever presses too early presses again.
fn summoned_by(fixture: &Fixture, keys: &str) -> Seen {
    await_some("the keys summon the panel", || {
        fixture.type_keys(keys);
        let begun = Instant::now();
        while begun.elapsed() < SHOWN_WITHIN {
            if let Some(panel) = fixture.screen.find(PANEL)? {
                return Ok(Some(panel));
            }
        }
        Ok(None)
    })
    .unwrap()
}

/// Does something with assistants as the command line does.
fn assistant(fixture: &Fixture, arguments: &[&str]) {
    let done = Command::new(built("shidi").unwrap())
        .args(["--lang", "en", "assistant"])
        .args(arguments)
        .env("SHIDI_DATA_DIR", fixture.folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(done.unwrap().success(), "{arguments:?}");
}

/// Keeps an assistant with keys of its own, as somebody who has reviewed its file.
fn keep_assistant(fixture: &Fixture, name: &str, keys: &str) {
    let file = fixture.folder.path().join("kept.yaml");
    let text = format!("version: '1'\nname: {name}\ntitle: The {name}\nprompt: You cook.\nhotkey: {keys}\n");
    std::fs::write(&file, text).unwrap();
    assistant(fixture, &["import", file.to_str().unwrap(), "--yes"]);
}

fn hide_panel(fixture: &Fixture) {
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
}

/// Waits until a press of the keys shows nothing.
fn await_free(fixture: &Fixture, keys: &str) {
    await_some("the keys do nothing any more", || {
        fixture.type_keys(keys);
        std::thread::sleep(NOTHING_AFTER);
        let is_shown = fixture.screen.find(PANEL)?.is_some();
        if is_shown {
            hide_panel(fixture);
        }
        Ok((!is_shown).then_some(()))
    })
    .unwrap();
}

#[test]
fn an_assistants_own_keys_choose_it_until_they_are_changed_or_it_is_removed() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    let chosen = |name: &str| {
        let is_chosen = format!(
            "return [...document.querySelectorAll('button')].some((one) => \
                (one.getAttribute('aria-label') ?? one.title).includes('The {name}'))"
        );
        driven.await_true("the assistant is chosen", &is_chosen).unwrap();
    };
    keep_assistant(&fixture, "cook", "Super+F8");
    summoned_by(&fixture, "super+F8");
    chosen("cook");
    fixture.picture("hotkey-assistant");
    hide_panel(&fixture);
    // Another one that wants the same keys does not get them.
    keep_assistant(&fixture, "baker", "Super+F8");
    summoned_by(&fixture, "super+F8");
    chosen("cook");
    hide_panel(&fixture);
    keep_assistant(&fixture, "cook", "Super+F7");
    summoned_by(&fixture, "super+F7");
    chosen("cook");
    hide_panel(&fixture);
    summoned_by(&fixture, "super+F8");
    chosen("baker");
    hide_panel(&fixture);
    assistant(&fixture, &["remove", "cook", "--yes"]);
    await_free(&fixture, "super+F7");
    assert!(server.requests().is_empty(), "something was sent");
}

#[test]
fn keys_of_an_assistant_that_another_program_has_are_reported_and_taken_when_it_gives_them_up() {
    let fixture = Fixture::new();
    let config = fixture.folder.path().join("config.toml");
    std::fs::write(config, format!("{WELCOMED}hotkey = \"Super+F9\"\n")).unwrap();
    keep_assistant(&fixture, "cook", "Ctrl+Alt+Space");
    let other = Screen::open().unwrap();
    await_some("the keys are free", || Ok(other.take_hotkey().ok())).unwrap();
    let said = fixture.folder.path().join("said");
    let mut command = fixture.command(&[]);
    command.stderr(std::fs::File::create(&said).unwrap());
    let _program = Program::spawn(command).unwrap();
    await_some("the program says so", || {
        let text = std::fs::read_to_string(&said).unwrap_or_default();
        Ok(text.contains(TAKEN_OF_COOK).then_some(()))
    })
    .unwrap();
    drop(other);
    summoned_by(&fixture, "ctrl+alt+space");
}

#[test]
fn keys_that_are_changed_work_at_once_and_the_old_ones_no_more() {
    let fixture = Fixture::new();
    let (_driven, _ball) = fixture.driven();
    fixture.configure("hotkey", "Super+F9");
    await_some("the old keys are free", || Ok(Screen::open()?.take_hotkey().ok())).unwrap();
    let panel = summoned_by(&fixture, "super+F9");
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("super+F9");
    fixture.screen.await_gone(PANEL).unwrap();
    fixture.configure("hotkey", "");
    await_some("the first keys are ours again", || {
        Ok(Screen::open()?.take_hotkey().is_err().then_some(()))
    })
    .unwrap();
    fixture.press_hotkey();
    fixture.screen.await_window(PANEL).unwrap();
}

#[test]
fn a_press_just_after_a_change_of_the_layout_is_not_lost() {
    let fixture = Fixture::new();
    let (_driven, _ball) = fixture.driven();
    for (sign, pause_ms) in (LETTER_A..).zip(0..8) {
        for shows in [true, false] {
            fixture.screen.change_layout(sign + u32::from(shows)).unwrap();
            std::thread::sleep(Duration::from_millis(pause_ms));
            fixture.screen.press_hotkey().unwrap();
            if shows {
                let panel = fixture.screen.await_window(PANEL).unwrap();
                fixture.screen.await_focus(panel.window).unwrap();
            } else {
                fixture.screen.await_gone(PANEL).unwrap();
            }
        }
    }
}

#[test]
fn keys_that_another_program_has_are_reported_in_words_and_taken_when_it_gives_them_up() {
    let fixture = Fixture::new();
    let other = Screen::open().unwrap();
    await_some("the keys are free", || Ok(other.take_hotkey().ok())).unwrap();
    let said = fixture.folder.path().join("said");
    let mut command = fixture.command(&[]);
    command.stderr(std::fs::File::create(&said).unwrap());
    let _program = Program::spawn(command).unwrap();
    await_some("the program says so", || {
        let text = std::fs::read_to_string(&said).unwrap_or_default();
        Ok(text.contains(TAKEN).then_some(()))
    })
    .unwrap();
    drop(other);
    await_some("the keys are ours", || {
        Ok(Screen::open()?.take_hotkey().is_err().then_some(()))
    })
    .unwrap();
    fixture.press_hotkey();
    fixture.screen.await_window(PANEL).unwrap();
}

#[test]
fn keys_that_do_two_things_are_reported_and_the_others_work() {
    let fixture = Fixture::new();
    let said = fixture.folder.path().join("said");
    std::fs::write(
        fixture.folder.path().join("config.toml"),
        "hotkey_pause = \"alt+ctrl+space\"\n",
    )
    .unwrap();
    let mut command = fixture.command(&[]);
    command.stderr(std::fs::File::create(&said).unwrap());
    let _program = Program::spawn(command).unwrap();
    await_some("the program says so", || {
        let text = std::fs::read_to_string(&said).unwrap_or_default();
        Ok(text.contains("hotkey_pause").then_some(()))
    })
    .unwrap();
    fixture.press_hotkey();
    fixture.screen.await_window(PANEL).unwrap();
}

#[test]
fn practice_takes_one_press_for_itself() {
    let fixture = Fixture::new();
    let (driven, _ball) = fixture.driven();
    let practise = "window.__TAURI_INTERNALS__.invoke('practise_hotkey').then((pressed) => (window.pressed = pressed)); \
                    return true";
    driven.await_true("the practice has begun", practise).unwrap();
    // The command has to arrive before the keys do.
    await_some("the press is practice", || {
        fixture.press_hotkey();
        let pressed = driven.run("return window.pressed === true").unwrap();
        Ok((pressed == true).then_some(()))
    })
    .unwrap();
}

#[test]
fn where_no_program_may_grab_keys_the_portal_gives_them() {
    let fixture = Fixture::new();
    let portal = Portal::start();
    let mut command = fixture.command(&[]);
    command.env("XDG_SESSION_TYPE", "wayland");
    let _program = Program::spawn(command).unwrap();
    fixture.screen.await_window(super::BALL).unwrap();
    let asked = told(&portal.asked);
    let summon = ("hotkey".to_owned(), "CTRL+ALT+space".to_owned());
    assert_eq!(asked.triggers[0], summon);
    assert_eq!(asked.triggers.len(), 5);
    await_some("the portal's keys show the panel", || {
        portal.press(&asked.session, "hotkey");
        std::thread::sleep(Duration::from_millis(200));
        fixture.screen.find(PANEL)
    })
    .unwrap();
}

#[test]
fn the_portal_is_asked_for_an_assistants_keys_too() {
    let fixture = Fixture::new();
    keep_assistant(&fixture, "cook", "Ctrl+Alt+T");
    let portal = Portal::start();
    let mut command = fixture.command(&[]);
    command.env("XDG_SESSION_TYPE", "wayland");
    let _program = Program::spawn(command).unwrap();
    fixture.screen.await_window(super::BALL).unwrap();
    assert_eq!(told(&portal.asked).triggers.len(), 5);
    let again = told(&portal.asked);
    let cook = ("assistant/cook".to_owned(), "CTRL+ALT+t".to_owned());
    assert_eq!(again.triggers.last(), Some(&cook));
    await_some("the portal's keys show the panel", || {
        portal.press(&again.session, "assistant/cook");
        std::thread::sleep(Duration::from_millis(200));
        fixture.screen.find(PANEL)
    })
    .unwrap();
}

#[test]
fn an_assistants_keys_that_the_user_refuses_the_portal_cost_nobody_the_panel() {
    let fixture = Fixture::new();
    keep_assistant(&fixture, "cook", "Ctrl+Alt+T");
    let portal = Portal::that_refuses_more_than(5);
    let mut command = fixture.command(&[]);
    command.env("XDG_SESSION_TYPE", "wayland");
    let _program = Program::spawn(command).unwrap();
    fixture.screen.await_window(super::BALL).unwrap();
    let asked: Vec<KeyRequest> = (0..3).map(|_| told(&portal.asked)).collect();
    let counts: Vec<usize> = asked.iter().map(|asked| asked.triggers.len()).collect();
    assert_eq!(counts, [5, 6, 5]);
    await_some("the portal's keys show the panel", || {
        portal.press(&asked[2].session, "hotkey");
        std::thread::sleep(Duration::from_millis(200));
        fixture.screen.find(PANEL)
    })
    .unwrap();
}

#[test]
fn without_a_portal_the_user_is_told_what_to_bind() {
    let fixture = Fixture::new();
    let said = fixture.folder.path().join("said");
    let mut command = fixture.command(&[]);
    command.env("XDG_SESSION_TYPE", "wayland");
    command.stderr(std::fs::File::create(&said).unwrap());
    let _program = Program::spawn(command).unwrap();
    await_some("the program says so", || {
        let text = std::fs::read_to_string(&said).unwrap_or_default();
        let told = text.contains("Bind shidi toggle") && text.contains("Bind shidi ask-screen");
        Ok(told.then_some(()))
    })
    .unwrap();
}
