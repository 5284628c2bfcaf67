//! Asking about the screen: by the keys, and by a region that is dragged or chosen with the keys alone.

use super::answering::{ask, fixture_with, says};
use super::{BALL, Fixture, LIGHT, PANEL};
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::screen::await_some;

const REGION: &str = "Shidi: region";

/// Starts picking a region; what was picked is in `window.picked`.
const PICK: &str = "window.picked = undefined; \
    window.__TAURI_INTERNALS__.invoke('pick_region').then((region) => (window.picked = region)); return true";

#[test]
fn the_keys_that_ask_about_the_screen_show_the_panel_with_what_was_seen_or_why_not() {
    let fixture = Fixture::new();
    let (driven, _ball) = fixture.driven();
    let listen = "window.told = []; for (const event of ['screen-looked', 'screen-failed']) \
        window.__TAURI_INTERNALS__.invoke('plugin:event|listen', { event, target: { kind: 'Any' }, \
        handler: window.__TAURI_INTERNALS__.transformCallback((told) => window.told.push(told)) }); return true";
    driven.await_true("the page listens", listen).unwrap();
    fixture.type_keys("ctrl+alt+s");
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    driven
        .await_true("the page is told once", "return window.told.length === 1")
        .unwrap();
    fixture.screen.await_window(BALL).unwrap();
    fixture.picture("screen-asked");
}

#[test]
fn a_region_is_dragged_with_our_windows_out_of_the_way() {
    let fixture = Fixture::new();
    let (driven, ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.await_panel_beside(ball);
    driven.await_true("picking begins", PICK).unwrap();
    fixture.screen.await_window(REGION).unwrap();
    assert!(
        fixture.screen.find(PANEL).unwrap().is_none(),
        "the panel covers what is to be picked"
    );
    assert!(
        fixture.screen.find(BALL).unwrap().is_none(),
        "the ball covers what is to be picked"
    );
    fixture.await_pixel(panel.x + 100, panel.y + 100, "the screen is dimmed", |colour| {
        colour
            .iter()
            .zip(LIGHT)
            .all(|(now, before)| *now < before - 60 && *now > 60)
    });
    fixture.screen.point(300, 200).unwrap();
    fixture.screen.press(1).unwrap();
    for step in 1..=10 {
        fixture.screen.point(300 + 40 * step, 200 + 20 * step).unwrap();
    }
    fixture.await_pixel(500, 300, "what is chosen is bright", |colour| colour == LIGHT);
    fixture.picture("region");
    fixture.screen.release(1).unwrap();
    let picked = "return JSON.stringify(window.picked) === \
        '{\"region\":{\"x\":300,\"y\":200,\"width\":400,\"height\":200}}'";
    driven.await_true("the region is told", picked).unwrap();
    fixture.screen.await_gone(REGION).unwrap();
    fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_window(BALL).unwrap();
}

#[test]
fn a_region_is_chosen_and_left_with_the_keys_alone() {
    let fixture = Fixture::new();
    let (driven, _ball) = fixture.driven();
    driven.await_true("picking begins", PICK).unwrap();
    fixture.screen.await_window(REGION).unwrap();
    await_some("the overlay has the keyboard", || {
        Ok(fixture.screen.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    for keys in ["Left", "Left", "shift+Down", "Return"] {
        fixture.type_keys(keys);
    }
    let picked = "return JSON.stringify(window.picked) === \
        '{\"region\":{\"x\":472,\"y\":270,\"width\":960,\"height\":548}}'";
    driven.await_true("the region is told", picked).unwrap();
    driven.await_true("picking begins again", PICK).unwrap();
    fixture.screen.await_window(REGION).unwrap();
    await_some("the overlay has the keyboard", || {
        Ok(fixture.screen.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    fixture.type_keys("Escape");
    driven
        .await_true("nothing is picked", "return window.picked === null")
        .unwrap();
    fixture.screen.await_window(BALL).unwrap();
}

#[test]
fn a_region_picked_by_hand_is_a_chip_with_its_size_and_goes_to_the_model_as_a_picture() {
    let server = ModelServer::start([Answer::Text("It is one plain colour.".into())]);
    let fixture = fixture_with(&server);
    // A model whose name says that it sees.
    fixture.configure("model", "gpt-4o");
    let (driven, ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.await_panel_beside(ball);
    fixture.screen.await_focus(panel.window).unwrap();
    let menu = "document.querySelector('[aria-label=\"Ask about the screen\"]')";
    fixture.click_on(&driven, panel, menu);
    let line =
        "[...document.querySelectorAll('[role=menuitem]')].find((one) => one.innerText.includes('region'))";
    fixture.click_on(&driven, panel, line);
    fixture.screen.await_window(REGION).unwrap();
    await_some("the overlay has the pointer", || {
        Ok(fixture.screen.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    fixture.screen.point(200, 150).unwrap();
    fixture.screen.press(1).unwrap();
    for step in 1..=10 {
        fixture.screen.point(200 + 32 * step, 150 + 18 * step).unwrap();
    }
    fixture.screen.release(1).unwrap();
    fixture.screen.await_gone(REGION).unwrap();
    fixture.screen.await_window(PANEL).unwrap();
    let chip = "const chip = document.querySelector('.chip .open'); \
        return chip !== null && chip.title === 'Screenshot 320×180' && chip.querySelector('img').naturalWidth > 0";
    driven
        .await_true("its chip is there, with a small picture", chip)
        .unwrap();
    fixture.picture("region-chip");
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
    ask(&fixture, &driven, "what is there?");
    driven
        .await_true("the answer is there", &says("one plain colour"))
        .unwrap();
}
