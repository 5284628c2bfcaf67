//! Asking about the screen: by the keys, and by a region that is dragged or chosen with the keys alone.

use super::answering::{ask, says, stage_with};
use super::{BALL, LIGHT, PANEL, Stage};
use shidi_tests::eyes::await_some;
use shidi_tests::model_server::{Answer, ModelServer};

const REGION: &str = "Shidi: region";

/// Starts picking a region; what was picked is in `window.picked`.
const PICK: &str = "window.picked = undefined; \
    window.__TAURI_INTERNALS__.invoke('pick_region').then((region) => (window.picked = region)); return true";

#[test]
fn the_keys_that_ask_about_the_screen_show_the_panel_with_what_was_seen_or_why_not() {
    let stage = Stage::new();
    let (driven, _ball) = stage.driven();
    let listen = "window.told = []; for (const event of ['screen-looked', 'screen-failed']) \
        window.__TAURI_INTERNALS__.invoke('plugin:event|listen', { event, target: { kind: 'Any' }, \
        handler: window.__TAURI_INTERNALS__.transformCallback((told) => window.told.push(told)) }); return true";
    driven.await_true("the page listens", listen).unwrap();
    stage.type_keys("ctrl+alt+s");
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    driven
        .await_true("the page is told once", "return window.told.length === 1")
        .unwrap();
    stage.desk.await_window(BALL).unwrap();
    stage.picture("screen-asked");
}

#[test]
fn a_region_is_dragged_with_our_windows_out_of_the_way() {
    let stage = Stage::new();
    let (driven, ball) = stage.driven();
    stage.press_hotkey();
    let panel = stage.await_panel_beside(ball);
    driven.await_true("picking begins", PICK).unwrap();
    stage.desk.await_window(REGION).unwrap();
    assert!(
        stage.desk.find(PANEL).unwrap().is_none(),
        "the panel covers what is to be picked"
    );
    assert!(
        stage.desk.find(BALL).unwrap().is_none(),
        "the ball covers what is to be picked"
    );
    stage.await_pixel(panel.x + 100, panel.y + 100, "the screen is dimmed", |colour| {
        colour
            .iter()
            .zip(LIGHT)
            .all(|(now, before)| *now < before - 60 && *now > 60)
    });
    stage.desk.point(300, 200).unwrap();
    stage.desk.press(1).unwrap();
    for step in 1..=10 {
        stage.desk.point(300 + 40 * step, 200 + 20 * step).unwrap();
    }
    stage.await_pixel(500, 300, "what is chosen is bright", |colour| colour == LIGHT);
    stage.picture("region");
    stage.desk.release(1).unwrap();
    let picked = "return JSON.stringify(window.picked) === \
        '{\"region\":{\"x\":300,\"y\":200,\"width\":400,\"height\":200}}'";
    driven.await_true("the region is told", picked).unwrap();
    stage.desk.await_gone(REGION).unwrap();
    stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_window(BALL).unwrap();
}

#[test]
fn a_region_is_chosen_and_left_with_the_keys_alone() {
    let stage = Stage::new();
    let (driven, _ball) = stage.driven();
    driven.await_true("picking begins", PICK).unwrap();
    stage.desk.await_window(REGION).unwrap();
    await_some("the overlay has the keyboard", || {
        Ok(stage.desk.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    for keys in ["Left", "Left", "shift+Down", "Return"] {
        stage.type_keys(keys);
    }
    let picked = "return JSON.stringify(window.picked) === \
        '{\"region\":{\"x\":472,\"y\":270,\"width\":960,\"height\":548}}'";
    driven.await_true("the region is told", picked).unwrap();
    driven.await_true("picking begins again", PICK).unwrap();
    stage.desk.await_window(REGION).unwrap();
    await_some("the overlay has the keyboard", || {
        Ok(stage.desk.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    stage.type_keys("Escape");
    driven
        .await_true("nothing is picked", "return window.picked === null")
        .unwrap();
    stage.desk.await_window(BALL).unwrap();
}

#[test]
fn a_region_picked_by_hand_is_a_chip_with_its_size_and_goes_to_the_model_as_a_picture() {
    let server = ModelServer::start([Answer::Text("It is one plain colour.".into())]);
    let stage = stage_with(&server);
    // A model whose name says that it sees.
    stage.configure("model", "gpt-4o");
    let (driven, ball) = stage.driven();
    stage.press_hotkey();
    let panel = stage.await_panel_beside(ball);
    stage.desk.await_focus(panel.window).unwrap();
    let menu = "document.querySelector('[aria-label=\"Ask about the screen\"]')";
    stage.click_on(&driven, panel, menu);
    let line =
        "[...document.querySelectorAll('[role=menuitem]')].find((one) => one.innerText.includes('region'))";
    stage.click_on(&driven, panel, line);
    stage.desk.await_window(REGION).unwrap();
    await_some("the overlay has the pointer", || {
        Ok(stage.desk.is_keyboard_taken()?.then_some(()))
    })
    .unwrap();
    stage.desk.point(200, 150).unwrap();
    stage.desk.press(1).unwrap();
    for step in 1..=10 {
        stage.desk.point(200 + 32 * step, 150 + 18 * step).unwrap();
    }
    stage.desk.release(1).unwrap();
    stage.desk.await_gone(REGION).unwrap();
    stage.desk.await_window(PANEL).unwrap();
    let chip = "const chip = document.querySelector('.chip .open'); \
        return chip !== null && chip.title === 'Screenshot 320×180' && chip.querySelector('img').naturalWidth > 0";
    driven
        .await_true("its chip is there, with a small picture", chip)
        .unwrap();
    stage.picture("region-chip");
    stage.press_hotkey();
    stage.desk.await_gone(PANEL).unwrap();
    ask(&stage, &driven, "what is there?");
    driven
        .await_true("the answer is there", &says("one plain colour"))
        .unwrap();
}
