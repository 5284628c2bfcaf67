//! The bar beside a text that is selected in another program's window: where it stands, what it leaves alone, its acts.

use super::answering::{fixture_with, says, type_question};
use super::{Fixture, PANEL};
use shidi_tests::gtk_window::GtkWindow;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::{Program, built};
use shidi_tests::screen::{Seen, await_some};
use std::process::Command;
use std::time::{Duration, Instant};

const BAR: &str = "Shidi: selected text";
const TITLE: &str = "orders - Notepad";
const TEXT: &str = "Ship the lamp on Friday";
/// Time that a hand stays where it is.
const HAND: Duration = Duration::from_millis(80);
/// The first button's place in the bar, beside the picture.
const FIRST_BUTTON: (i16, i16) = (50, 18);

/// The program with the bar switched on, and a window of another one.
fn window(fixture: &Fixture) -> Option<(GtkWindow, Seen)> {
    let window = GtkWindow::show(&["Notepad", TITLE, TEXT])?;
    let seen = fixture.screen.await_window(TITLE).unwrap();
    Some((window, seen))
}

/// Drags over the first line of the window, after a click beside it: what is selected already would be dragged away.
fn select(fixture: &Fixture, window: Seen) {
    fixture.click_at(window.x + 200, window.y + 200);
    hand_rests();
    fixture.screen.point(window.x + 2, window.y + 9).unwrap();
    hand_rests();
    fixture.screen.press(1).unwrap();
    hand_rests();
    for step in 1..=8 {
        fixture
            .screen
            .point(window.x + 2 + 40 * step, window.y + 9)
            .unwrap();
    }
    hand_rests();
    fixture.screen.release(1).unwrap();
}

/// Programs tell a press, a drag and its end apart by what comes between, and the display's events wait for their turn.
fn hand_rests() {
    std::thread::sleep(HAND);
}

/// Looks for a bar for longer than a selection waits for a third click; there is none at any moment.
fn expect_no_bar(fixture: &Fixture, why: &str) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(1_200) {
        assert!(fixture.screen.find(BAR).unwrap().is_none(), "{why}");
        hand_rests();
    }
}

#[test]
fn a_bar_stands_beside_what_was_selected_and_a_copy_still_goes_to_its_window() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (_driven, _ball) = fixture.driven();
    fixture.configure("selection_bar", "on");
    let Some((window, seen)) = window(&fixture) else {
        return;
    };
    select(&fixture, seen);
    let bar = fixture.screen.await_window(BAR).unwrap();
    fixture.picture("selection-bar");
    assert!(
        bar.y > seen.y + 9 && bar.y < seen.y + 80,
        "{bar:?} beside {seen:?}"
    );
    fixture.screen.await_focus(seen.window).unwrap();
    // Copied, and put behind itself: the keys went to the window, and the bar has gone with the first of them.
    for keys in ["ctrl+c", "End", "ctrl+v"] {
        fixture.type_keys(keys);
    }
    fixture.screen.await_gone(BAR).unwrap();
    await_some("the text stands there twice", || {
        Ok((window.text() == format!("{TEXT}{TEXT}")).then_some(()))
    })
    .unwrap();
}

#[test]
fn a_press_on_the_bar_takes_the_selection_into_the_panel_and_one_elsewhere_ends_it() {
    let server = ModelServer::start([Answer::Text("On Friday.".into())]);
    let fixture = fixture_with(&server);
    let (driven, ball) = fixture.driven();
    fixture.configure("selection_bar", "on");
    let Some((_window, seen)) = window(&fixture) else {
        return;
    };
    select(&fixture, seen);
    fixture.screen.await_window(BAR).unwrap();
    fixture.click_at(seen.x + 200, seen.y + 200);
    fixture.screen.await_gone(BAR).unwrap();
    select(&fixture, seen);
    let bar = fixture.screen.await_window(BAR).unwrap();
    fixture
        .screen
        .point(bar.x + FIRST_BUTTON.0, bar.y + FIRST_BUTTON.1)
        .unwrap();
    hand_rests();
    fixture.screen.press(1).unwrap();
    hand_rests();
    fixture.screen.release(1).unwrap();
    fixture.screen.await_gone(BAR).unwrap();
    let panel = fixture.await_panel_beside(ball);
    fixture.screen.await_focus(panel.window).unwrap();
    type_question(&fixture, &driven, "when?");
    fixture.picture("selection-asked");
    assert!(server.requests().is_empty(), "nothing is sent by itself");
    fixture.type_keys("Return");
    driven
        .await_true("the answer is there", &says("On Friday."))
        .unwrap();
    let prompt = server.last_prompt();
    assert!(prompt.contains(TEXT) && prompt.contains("when?"), "{prompt}");
}

#[test]
fn the_keys_show_the_bar_and_choose_in_it_without_the_pointer() {
    let server = ModelServer::start([Answer::Text("A lamp is to be shipped.".into())]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    let Some((_window, seen)) = window(&fixture) else {
        return;
    };
    select(&fixture, seen);
    let show = || {
        fixture.type_keys("ctrl+alt+e");
        fixture.screen.await_window(BAR).unwrap();
        await_some("the bar has the keyboard", || {
            Ok(fixture.screen.is_keyboard_taken()?.then_some(()))
        })
        .unwrap();
    };
    show();
    fixture.picture("selection-bar-keys");
    fixture.type_keys("Escape");
    fixture.screen.await_gone(BAR).unwrap();
    show();
    fixture.type_keys("5");
    let memories = || {
        let mut shidi = Command::new(built("shidi").unwrap());
        shidi.args(["--lang", "en", "memory", "list", "--json"]);
        let printed = shidi.env("SHIDI_DATA_DIR", fixture.folder.path()).output();
        String::from_utf8(printed.unwrap().stdout).unwrap()
    };
    await_some("it is remembered", || Ok(memories().contains(TEXT).then_some(()))).unwrap();
    assert!(
        memories().contains(r#""tainted":true"#),
        "the words are others': {}",
        memories()
    );
    fixture.picture("selection-remembered");
    assert!(
        fixture.screen.find(PANEL).unwrap().is_none(),
        "remembering needs no panel"
    );
    fixture.screen.await_gone(BAR).unwrap();
    show();
    for keys in ["Right", "Return"] {
        fixture.type_keys(keys);
    }
    fixture.screen.await_window(PANEL).unwrap();
    driven
        .await_true("it is explained at once", &says("A lamp is to be shipped."))
        .unwrap();
    assert!(server.last_prompt().contains(TEXT), "{}", server.last_prompt());
}

#[test]
fn no_bar_is_shown_over_a_program_that_is_left_out_or_where_nobody_wants_one() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (_driven, _ball) = fixture.driven();
    let Some((_window, seen)) = window(&fixture) else {
        return;
    };
    fixture.configure("selection_bar", "on");
    fixture.configure("selection_bar_apps", "notepad");
    select(&fixture, seen);
    expect_no_bar(&fixture, "left out");
    fixture.configure("selection_bar_apps", "");
    fixture.configure("selection_bar", "off");
    select(&fixture, seen);
    expect_no_bar(&fixture, "switched off");
    fixture.configure("selection_bar", "on");
    select(&fixture, seen);
    fixture.screen.await_window(BAR).unwrap();
}

#[test]
fn the_keys_choose_in_the_bar_also_while_our_own_panel_has_the_focus_and_a_link_sends_nothing() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (driven, ball) = fixture.driven();
    let Some((_window, seen)) = window(&fixture) else {
        return;
    };
    select(&fixture, seen);
    fixture.press_hotkey();
    let panel = fixture.await_panel_beside(ball);
    fixture.screen.await_focus(panel.window).unwrap();
    let is_there = || {
        fixture.screen.await_window(BAR).unwrap();
        await_some("the bar has the keyboard", || {
            Ok(fixture.screen.is_keyboard_taken()?.then_some(()))
        })
        .unwrap();
    };
    fixture.type_keys("ctrl+alt+e");
    is_there();
    fixture.type_keys("Escape");
    fixture.screen.await_gone(BAR).unwrap();
    assert!(
        fixture.screen.find(PANEL).unwrap().is_some(),
        "the panel took the key that was the bar's"
    );
    let link = || Program::spawn(fixture.command(&["shidi://selection"])).unwrap();
    let _second = link();
    is_there();
    for keys in ["2", "Return", "Escape"] {
        fixture.type_keys(keys);
    }
    fixture.screen.await_gone(BAR).unwrap();
    let is_empty = "return document.querySelector('textarea').value === ''";
    driven
        .await_true("nothing was typed into the panel", is_empty)
        .unwrap();
    assert!(server.requests().is_empty(), "{:?}", server.requests());
}
