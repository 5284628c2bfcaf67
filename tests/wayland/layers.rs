//! Ball and panel as layers: above other windows, at their place, and with the keyboard when they are summoned.

use crate::picture::{Part, Picture};
use crate::pointer::Pointer;
use crate::{Program, TEXT, answering, desk, done, shown, until};
use serde_json::Value;
use shidi_tests::command::Desk;
use shidi_tests::gtk_window::GtkWindow;
use std::process::Command;

const SCREEN: Part = [0, 0, 1280, 720];
/// Where a new ball stands, and its size.
const NEW_BALL: Part = [1192, 632, 56, 56];
/// Pixels of the ball, and of the panel, that differ from any window behind them at least.
const BALL_LEAST: usize = 200;
const PANEL_LEAST: usize = 100_000;

/// Whether there are layers; says NOT RUN where their library is missing. This desktop itself always offers them.
fn has_layers(desk: &Desk) -> bool {
    // The compositor's socket is in the session's folder, and a desk has one of its own.
    let session = std::env::var_os("XDG_RUNTIME_DIR").unwrap();
    let mut doctor = desk.command(["doctor", "--json"]);
    let said = doctor.env("XDG_RUNTIME_DIR", session).output().unwrap().stdout;
    let checks = serde_json::Deserializer::from_slice(&said).into_iter::<Value>();
    let desktop = checks
        .map(Result::unwrap)
        .find(|check| check["name"] == "desktop");
    let detail = desktop.unwrap()["detail"].as_str().unwrap().to_owned();
    let has = detail.contains("above other windows");
    assert!(has || detail.contains("not installed"), "{detail}");
    if !has {
        println!("NOT RUN: ball and panel as layers ({detail})");
    }
    has
}

fn keys(arguments: &[&str]) {
    let typed = Command::new("wtype").args(arguments).status().unwrap();
    assert!(typed.success());
}

#[test]
fn the_panel_is_seen_with_the_keyboard_at_its_first_show_and_at_every_later_one() {
    let Some(window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    if !has_layers(&desk) {
        return;
    }
    let before = Picture::now();
    let is_seen = || Picture::now().differing(&before, SCREEN) > PANEL_LEAST;
    let Some(_program) = Program::start(&desk, &["--show"], &[]) else {
        return;
    };
    for show in ["first", "second", "third"] {
        until(show, is_seen);
        assert_eq!(shown(), ["orders - Notepad"], "a layer is no window");
        keys(&["w"]);
        until("Escape closes it", || {
            keys(&["-k", "Escape"]);
            !is_seen()
        });
        assert_eq!(window.text(), TEXT, "the panel had the keys");
        done(&desk.run(["toggle"]));
    }
    until("it comes again", is_seen);
    done(&desk.run(["toggle"]));
    until("it goes at the next toggle", || !is_seen());
    keys(&["w"]);
    until("the window has the keys again", || window.text() != TEXT);
}

#[test]
fn the_ball_stands_above_a_window_and_stays_where_it_was_dragged() {
    let Some(_window) = GtkWindow::show(&["Notepad", "orders - Notepad", TEXT]) else {
        return;
    };
    let server = answering();
    let desk = desk(&server);
    if !has_layers(&desk) {
        return;
    }
    let mut pointer = Pointer::new();
    let before = Picture::now();
    let is_at = |part: Part, least: usize| Picture::now().differing(&before, part) > least;
    let Some(program) = Program::start(&desk, &[], &[]) else {
        return;
    };
    until("the ball", || is_at(NEW_BALL, BALL_LEAST));
    let file = desk.data().join("ball.json");
    let kept = || std::fs::read_to_string(&file).unwrap_or_default();
    until("its first place is kept", || kept().contains("\"x\":1192"));
    pointer.go(1220, 660);
    pointer.press();
    for step in 1..=10 {
        pointer.go(1220 - 58 * step, 660 - 30 * step);
    }
    // A hand is never quite still.
    let mut x = 640;
    until("it follows the pointer", || {
        x ^= 1;
        pointer.go(x, 360);
        is_at([612, 332, 56, 56], BALL_LEAST)
    });
    until("it has left its place", || !is_at(NEW_BALL, BALL_LEAST));
    pointer.go(300, 200);
    pointer.release();
    until("its new place is kept", || kept().contains("\"x\":272,\"y\":0"));
    // Half of it hides beyond the edge after a while.
    let half = [272, 0, 56, 28];
    until("it went to the edge", || is_at(half, BALL_LEAST / 4));
    drop(program);
    until("it is gone", || !is_at(half, BALL_LEAST / 4));
    let _program = Program::start(&desk, &[], &[]);
    until("it is there again", || is_at(half, BALL_LEAST / 4));
    assert!(!is_at(NEW_BALL, BALL_LEAST));
}
