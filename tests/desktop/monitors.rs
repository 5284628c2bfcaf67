//! Two monitors: the panel comes where the ball is, the ball's place is remembered for each arrangement of them, and a
//! place that no monitor has any more is brought back. They run in a desktop of their own, since Xvfb has one monitor.

use super::ball_idle::{await_ball_at, drag};
use super::fixture::run_again;
use super::{BALL, END_LIMIT, Fixture, PANEL};
use shidi_tests::program::Program;
use shidi_tests::screen::Seen;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The driver of the display that has two monitors.
const DRIVER: &str = "/usr/lib/xorg/modules/drivers/dummy_drv.so";
/// Where a new ball is: in the corner of the primary monitor, which is the left one of 960 × 1080.
const NEW_BALL: (i16, i16) = (960 - 56 - 32, 1080 - 56 - 32);

/// Whether this is the desktop with two monitors; if not, the test is run in one.
fn has_two(test: &str) -> bool {
    if std::env::var_os("MONITORS").is_some_and(|monitors| monitors == "two") {
        return true;
    }
    if !Path::new(DRIVER).exists() {
        println!("NOT RUN: {test}: two monitors need xserver-xorg-video-dummy");
        return false;
    }
    run_again(test, "MONITORS", "two");
    false
}

fn switch_right_monitor(how: &[&str]) {
    let switch = [&["--output", "DUMMY1"], how].concat();
    // Its connection is told only after somebody has asked for it.
    for arguments in [switch, vec!["--query"]] {
        let mut command = Command::new("xrandr");
        command.args(arguments).stdout(Stdio::null());
        assert!(command.status().unwrap().success());
    }
}

fn off() {
    switch_right_monitor(&["--off"]);
}

fn on() {
    switch_right_monitor(&["--mode", "960x800", "--right-of", "DUMMY0"]);
}

fn end(mut program: Program) {
    program.ask_to_end().unwrap();
    assert_eq!(program.await_end(END_LIMIT).unwrap(), Some(0));
}

/// Shows the panel by the keys, tells where it is, and hides it again.
fn panel_by_keys(fixture: &Fixture, from: i16, to: i16) -> Seen {
    fixture.press_hotkey();
    let is_there = |panel: &Seen| panel.x >= from && panel.x + 420 <= to && panel.y >= 0;
    let panel = shidi_tests::screen::await_some("the panel is on that monitor", || {
        Ok(fixture.screen.find(PANEL)?.filter(is_there))
    });
    let panel = panel.unwrap_or_else(|error| panic!("{error}: {:?}", fixture.screen.find(PANEL)));
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.picture(&format!("panel-between-{from}-and-{to}"));
    fixture.press_hotkey();
    fixture.screen.await_gone(PANEL).unwrap();
    panel
}

#[test]
fn the_panel_opens_on_the_monitor_of_the_ball_wherever_the_pointer_is() {
    if !has_two("monitors::the_panel_opens_on_the_monitor_of_the_ball_wherever_the_pointer_is") {
        return;
    }
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    assert_eq!((ball.x, ball.y), NEW_BALL);
    drag(&fixture, ball, (1880, 400));
    let ball = await_ball_at(&fixture, (1920 - 56, 372));
    fixture.screen.point(100, 900).unwrap();
    let panel = panel_by_keys(&fixture, 960, 1920);
    // 640 pixels above the lower edge of a monitor that is lower than the other.
    assert!(panel.y + 640 <= 800, "{panel:?}");
    fixture.screen.point(1880, 400).unwrap();
    await_ball_at(&fixture, (1920 - 56, 372));
    drag(&fixture, ball, (60, 400));
    await_ball_at(&fixture, (0, 372));
    fixture.screen.point(1500, 600).unwrap();
    panel_by_keys(&fixture, 0, 960);
}

#[test]
fn a_ball_between_two_monitors_hides_no_half_on_the_other() {
    if !has_two("monitors::a_ball_between_two_monitors_hides_no_half_on_the_other") {
        return;
    }
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    drag(&fixture, ball, (900, 400));
    await_ball_at(&fixture, (960 - 56, 372));
    fixture.await_kept_place((904, 372));
    fixture.screen.point(400, 900).unwrap();
    // Longer than it takes to hide: it stays whole, for half of it would stand on the other monitor.
    std::thread::sleep(std::time::Duration::from_secs(4));
    let now = fixture.screen.await_window(BALL).unwrap();
    assert_eq!((now.x, now.y), (904, 372));
}

#[test]
fn the_place_of_the_ball_is_remembered_for_each_arrangement_of_monitors() {
    if !has_two("monitors::the_place_of_the_ball_is_remembered_for_each_arrangement_of_monitors") {
        return;
    }
    let fixture = Fixture::new();
    let (program, ball) = fixture.start();
    drag(&fixture, ball, (1880, 400));
    fixture.await_kept_place((1864, 372));
    end(program);
    off();
    let (program, ball) = fixture.start();
    assert_eq!((ball.x, ball.y), NEW_BALL, "a new arrangement has a new ball");
    drag(&fixture, ball, (60, 700));
    fixture.await_kept_place((0, 672));
    end(program);
    on();
    let (program, ball) = fixture.start();
    assert_eq!((ball.x, ball.y), (1864, 372));
    end(program);
    off();
    let (_program, ball) = fixture.start();
    assert_eq!((ball.x, ball.y), (0, 672));
}

#[test]
fn a_monitor_that_is_unplugged_gives_the_ball_back_and_gets_it_again_when_it_returns() {
    if !has_two("monitors::a_monitor_that_is_unplugged_gives_the_ball_back_and_gets_it_again_when_it_returns")
    {
        return;
    }
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    drag(&fixture, ball, (1880, 400));
    fixture.await_kept_place((1864, 372));
    off();
    await_ball_at(&fixture, (960 - 56, 372));
    panel_by_keys(&fixture, 0, 960);
    on();
    await_ball_at(&fixture, (1864, 372));
    panel_by_keys(&fixture, 960, 1920);
}

#[test]
fn a_place_that_no_monitor_has_is_brought_back_at_the_start() {
    let fixture = Fixture::new();
    let file = fixture.folder.path().join("ball.json");
    let far = r#"[{"layout":"1920x1080+0+0","place":{"x":9000,"y":-4000}}]"#;
    fs::write(&file, far).unwrap();
    let (_program, ball) = fixture.start();
    assert_eq!((ball.x, ball.y), (1920 - 56, 0));
    fixture.await_kept_place((1864, 0));
    panel_by_keys(&fixture, 0, 1920);
}
