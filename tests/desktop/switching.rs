//! What is configured while the program runs is seen at once: language and theme.

use super::answering::says;
use super::{Fixture, PANEL};
use shidi_tests::screen::{Colour, Seen};

/// `--surface` of the design in both themes.
const PAPER_LIGHT: Colour = [0xFD, 0xFC, 0xFB];
const PAPER_DARK: Colour = [0x1A, 0x1A, 0x19];
/// `--raised` in both.
const MENU_LIGHT: Colour = [0xFF, 0xFF, 0xFF];
const MENU_DARK: Colour = [0x22, 0x22, 0x20];

fn shown(fixture: &Fixture) -> Seen {
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    panel
}

#[test]
fn a_changed_language_is_spoken_at_once_by_panel_ball_and_menu() {
    let fixture = Fixture::new();
    let (driven, ball) = fixture.driven();
    shown(&fixture);
    let placeholder =
        |text: &str| format!("return document.querySelector('textarea').placeholder === '{text}'");
    driven
        .await_true(
            "the panel speaks English",
            &placeholder("Ask, or drop a file here"),
        )
        .unwrap();
    fixture.configure("language", "zh");
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
    fixture.screen.await_window("师弟：空闲").unwrap();
    fixture.screen.await_window("师弟").unwrap();
    fixture.picture("panel-empty-zh");
    fixture.press_hotkey();
    fixture.screen.await_gone("师弟").unwrap();
    fixture.open_menu(ball);
    fixture.picture("menu-zh");
    fixture.leave_menu(ball);
    fixture.configure("language", "en");
    driven
        .await_true("and English again", &placeholder("Ask, or drop a file here"))
        .unwrap();
    fixture.screen.await_window("Shidi: idle").unwrap();
}

#[test]
fn a_changed_theme_is_seen_at_once() {
    let fixture = Fixture::new();
    let (_driven, ball) = fixture.driven();
    let panel = shown(&fixture);
    for (theme, ground, menu) in [
        ("light", PAPER_LIGHT, MENU_LIGHT),
        ("dark", PAPER_DARK, MENU_DARK),
        ("light", PAPER_LIGHT, MENU_LIGHT),
    ] {
        fixture.configure("theme", theme);
        // The middle of the empty conversation is ground.
        fixture.await_pixel(panel.x + 40, panel.y + 320, "the panel has the theme", |colour| {
            colour == ground
        });
        fixture.picture(&format!("panel-empty-{theme}"));
        fixture.screen.point(ball.x + 28, ball.y + 28).unwrap();
        fixture.screen.press(3).unwrap();
        fixture.screen.release(3).unwrap();
        // In the gap between panel and ball, below the last line of the menu.
        let (x, y) = (ball.x - 5, ball.y + 25);
        fixture.await_pixel(x, y, "the menu has the theme", |colour| colour == menu);
        fixture.picture(&format!("menu-{theme}"));
        fixture.type_keys("Escape");
        fixture.await_pixel(x, y, "the menu is gone", |colour| colour == super::LIGHT);
    }
}

/// Everything else of the surroundings is English here.
#[test]
fn what_was_configured_before_the_start_is_spoken_by_the_program_behind_the_panel_too() {
    let fixture = Fixture::new();
    fixture.configure("language", "zh");
    let (driven, _ball) = fixture.driven_to("师弟：空闲");
    fixture.press_hotkey();
    fixture.screen.await_window("师弟").unwrap();
    driven
        .await_true("what is in front is told in Chinese", &says("前面没有窗口"))
        .unwrap();
}
