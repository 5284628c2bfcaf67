//! Drives the real windows on a real X display, as a person would: keys, pointer, files; and looks at the screen.
//!
//! Run within a desktop, one at a time:
//! `tests/desktop/session.sh cargo test -p shidi-tests --test desktop -- --test-threads=1`.

#![cfg(target_os = "linux")]

mod answering;
mod ball_idle;
mod browsing;
mod bus;
mod capture;
mod crash;
mod files;
mod fixture;
mod focus_rules;
mod hotkeys;
mod knowledge;
mod mcp;
mod monitors;
mod quiet_hours;
mod scaling;
mod selecting;
mod states;
mod suggesting;
mod switching;
mod typing;
mod unlocking;
mod webdriver;
mod workbench;
mod workflows;

use fixture::{BALL, DARK, END_LIMIT, Fixture, LIGHT, PANEL, WELCOMED, drag_source, is_paper, type_text};
use shidi_tests::program::{Program, built};
use shidi_tests::screen::Colour;
use std::process::Command;

#[test]
fn the_ball_is_round_above_all_and_in_no_list_on_any_wallpaper() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    assert_eq!((ball.width, ball.height, ball.depth), (56, 56, 32));
    let states = fixture.screen.states(ball.window).unwrap();
    for state in [
        "_NET_WM_STATE_ABOVE",
        "_NET_WM_STATE_SKIP_TASKBAR",
        "_NET_WM_STATE_SKIP_PAGER",
    ] {
        assert!(
            states.iter().any(|known| known == state),
            "{state} is not in {states:?}"
        );
    }
    for wallpaper in [LIGHT, DARK] {
        fixture.screen.paint_wallpaper(wallpaper).unwrap();
        fixture.expect_round(ball, wallpaper);
    }
}

#[test]
fn the_keys_bring_the_panel_with_the_focus_in_its_input_and_hide_it_again() {
    let fixture = Fixture::new();
    let (driven, ball) = fixture.driven();
    for word in ["first", "second"] {
        fixture.press_hotkey();
        let panel = fixture.await_panel_beside(ball);
        fixture.screen.await_focus(panel.window).unwrap();
        assert_eq!((panel.width, panel.height), (420, 640));
        let has_focus = "return ['TEXTAREA', 'INPUT'].includes(document.activeElement.tagName)";
        driven.await_true("the input has the focus", has_focus).unwrap();
        type_text(word);
        let typed = format!("return document.activeElement.value.endsWith('{word}')");
        driven.await_true("the typed word has arrived", &typed).unwrap();
        fixture.press_hotkey();
        fixture.screen.await_gone(PANEL).unwrap();
    }
}

#[test]
fn escape_hides_the_panel() {
    let fixture = Fixture::new();
    let (_driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("Escape");
    fixture.screen.await_gone(PANEL).unwrap();
}

#[test]
fn the_panel_has_round_corners_and_stays_clean_however_often_it_is_shown() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    let mut corners: Vec<Vec<Colour>> = Vec::new();
    for _ in 0..12 {
        fixture.press_hotkey();
        let panel = fixture.await_panel_beside(ball);
        fixture.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
            colour != LIGHT
        });
        fixture.await_pixel(panel.x, panel.y, "the corner shows the desktop", |colour| {
            colour == LIGHT
        });
        let edge = (0..12)
            .map(|step| fixture.screen.pixel(panel.x + step, panel.y + 3).unwrap())
            .collect();
        corners.push(edge);
        fixture.press_hotkey();
        fixture.screen.await_gone(PANEL).unwrap();
        fixture.await_pixel(panel.x + 210, panel.y + 20, "the panel is gone", |colour| {
            colour == LIGHT
        });
    }
    // Blending rounds by a shade; what piles up grows by dozens of them.
    let (first, last) = (corners.first().unwrap(), corners.last().unwrap());
    let alike = |one: &Colour, other: &Colour| {
        one.iter()
            .zip(other)
            .all(|(one, other)| one.abs_diff(*other) <= 3)
    };
    let clean = first.iter().zip(last).all(|(one, other)| alike(one, other));
    assert!(
        clean,
        "what is half transparent piles up: {first:?} became {last:?}"
    );
}

#[test]
fn a_click_opens_the_panel_and_another_closes_it() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    for _ in 0..2 {
        fixture.click(ball);
        let panel = fixture.screen.await_window(PANEL).unwrap();
        fixture.screen.await_focus(panel.window).unwrap();
        fixture.click(ball);
        fixture.screen.await_gone(PANEL).unwrap();
    }
}

#[test]
fn a_second_start_shows_the_first_program_and_ends_well() {
    let fixture = Fixture::new();
    let (_program, _ball) = fixture.start();
    let mut second = Program::spawn(fixture.command(&[])).unwrap();
    assert_eq!(second.await_end(END_LIMIT).unwrap(), Some(0));
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
}

#[test]
fn without_a_display_one_sentence_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(built("shidi-desktop").unwrap());
    command
        .args(["--lang", "en"])
        .env("SHIDI_DATA_DIR", folder.path());
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("There is no display") && !said.contains("panicked"),
        "{said}"
    );
}

#[test]
fn without_a_session_bus_it_works_all_the_same() {
    let fixture = Fixture::new();
    let mut command = fixture.command(&[]);
    command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
    let _program = Program::spawn(command).unwrap();
    let ball = fixture.screen.await_window(BALL).unwrap();
    fixture.click(ball);
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
}

/// Runs in a desktop of its own, since this one has a compositor.
#[test]
fn without_a_compositor_ball_and_panel_are_cut_round() {
    const NAME: &str = "without_a_compositor_ball_and_panel_are_cut_round";
    if std::env::var_os("COMPOSITOR").is_none_or(|kind| kind != "none") {
        let session = shidi_tests::folder().join("desktop/session.sh");
        let mut command = Command::new(session);
        command
            .arg(std::env::current_exe().unwrap())
            .args([NAME, "--exact", "--nocapture"]);
        assert!(command.env("COMPOSITOR", "none").status().unwrap().success());
        return;
    }
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    fixture.expect_round(ball, LIGHT);
    fixture.click(ball);
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.await_pixel(panel.x + 210, panel.y + 20, "the panel is painted", |colour| {
        colour != LIGHT
    });
    for (x, y) in [(0, 0), (419, 0), (0, 639), (419, 639)] {
        fixture.await_pixel(
            panel.x + x,
            panel.y + y,
            "the corner shows the desktop",
            |colour| colour == LIGHT,
        );
    }
}
