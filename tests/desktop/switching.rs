//! What is configured while the program runs is seen at once: language and theme.

use super::answering::says;
use super::{PANEL, Stage};
use shidi_tests::eyes::{Colour, Seen};

/// `--surface` of the design in both themes.
const PAPER_LIGHT: Colour = [0xFD, 0xFC, 0xFB];
const PAPER_DARK: Colour = [0x1A, 0x1A, 0x19];
/// `--raised` in both.
const MENU_LIGHT: Colour = [0xFF, 0xFF, 0xFF];
const MENU_DARK: Colour = [0x22, 0x22, 0x20];

fn shown(stage: &Stage) -> Seen {
    stage.press_hotkey();
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    panel
}

#[test]
fn a_changed_language_is_spoken_at_once_by_panel_ball_and_menu() {
    let stage = Stage::new();
    let (driven, ball) = stage.driven();
    shown(&stage);
    let placeholder =
        |text: &str| format!("return document.querySelector('textarea').placeholder === '{text}'");
    driven
        .await_true(
            "the panel speaks English",
            &placeholder("Ask, or drop a file here"),
        )
        .unwrap();
    stage.configure("language", "zh");
    driven
        .await_true(
            "the panel speaks Chinese",
            &placeholder("问点什么，或把文件拖进来"),
        )
        .unwrap();
    driven.await_true("all of it", &says("离线应答")).unwrap();
    driven
        .await_true("and of what the program behind it says", &says("前面没有窗口"))
        .unwrap();
    stage.desk.await_window("师弟：空闲").unwrap();
    stage.desk.await_window("师弟").unwrap();
    stage.picture("panel-empty-zh");
    stage.press_hotkey();
    stage.desk.await_gone("师弟").unwrap();
    stage.open_menu(ball);
    stage.picture("menu-zh");
    stage.leave_menu(ball);
    stage.configure("language", "en");
    driven
        .await_true("and English again", &placeholder("Ask, or drop a file here"))
        .unwrap();
    stage.desk.await_window("Shidi: idle").unwrap();
}

#[test]
fn a_changed_theme_is_seen_at_once() {
    let stage = Stage::new();
    let (_driven, ball) = stage.driven();
    let panel = shown(&stage);
    for (theme, ground, menu) in [
        ("light", PAPER_LIGHT, MENU_LIGHT),
        ("dark", PAPER_DARK, MENU_DARK),
        ("light", PAPER_LIGHT, MENU_LIGHT),
    ] {
        stage.configure("theme", theme);
        // The middle of the empty conversation is ground.
        stage.await_pixel(panel.x + 40, panel.y + 320, "the panel has the theme", |colour| {
            colour == ground
        });
        stage.picture(&format!("panel-empty-{theme}"));
        stage.desk.point(ball.x + 28, ball.y + 28).unwrap();
        stage.desk.press(3).unwrap();
        stage.desk.release(3).unwrap();
        // In the gap between panel and ball, below the last line of the menu.
        let (x, y) = (ball.x - 5, ball.y + 25);
        stage.await_pixel(x, y, "the menu has the theme", |colour| colour == menu);
        stage.picture(&format!("menu-{theme}"));
        stage.type_keys("Escape");
        stage.await_pixel(x, y, "the menu is gone", |colour| colour == super::LIGHT);
    }
}

/// Everything else of the surroundings is English here.
#[test]
fn what_was_configured_before_the_start_is_spoken_by_the_program_behind_the_panel_too() {
    let stage = Stage::new();
    stage.configure("language", "zh");
    let (driven, _ball) = stage.driven_to("师弟：空闲");
    stage.press_hotkey();
    stage.desk.await_window("师弟").unwrap();
    driven
        .await_true("what is in front is told in Chinese", &says("前面没有窗口"))
        .unwrap();
}
