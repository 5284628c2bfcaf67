//! Where the ball rests: at the nearest edge, half hidden when nothing happens, and always on a monitor that exists.

use super::{BALL, Fixture, LIGHT, PANEL, is_paper};
use shidi_tests::screen::{Seen, await_some};
use std::time::Duration;

/// Drags the ball by its middle.
pub fn drag(fixture: &Fixture, ball: Seen, to: (i16, i16)) {
    let (x, y) = (ball.x + 28, ball.y + 28);
    fixture.screen.point(x, y).unwrap();
    fixture.screen.press(1).unwrap();
    for step in 1..=20 {
        let part = |from: i16, to: i16| from + ((i32::from(to) - i32::from(from)) * step / 20) as i16;
        fixture.screen.point(part(x, to.0), part(y, to.1)).unwrap();
        std::thread::sleep(Duration::from_millis(10));
    }
    fixture.screen.release(1).unwrap();
}

pub fn await_ball_at(fixture: &Fixture, place: (i16, i16)) -> Seen {
    let mut last = None;
    let seen = await_some(&format!("the ball is at {place:?}"), || {
        last = fixture.screen.find(BALL)?;
        Ok(last.filter(|ball| (ball.x, ball.y) == place))
    });
    seen.unwrap_or_else(|error| panic!("{error}; it is at {last:?}"))
}

#[test]
fn a_ball_that_is_let_go_rests_at_the_nearest_edge_and_is_there_after_a_restart() {
    let fixture = Fixture::new();
    let (mut program, ball) = fixture.start();
    drag(&fixture, ball, (300, 500));
    await_ball_at(&fixture, (0, 500 - 28));
    assert!(
        fixture.screen.find(PANEL).unwrap().is_none(),
        "a drag is no click"
    );
    fixture.await_kept_place((0, 472));
    program.ask_to_end().unwrap();
    assert_eq!(program.await_end(super::END_LIMIT).unwrap(), Some(0));
    let (_program, again) = fixture.start();
    assert_eq!((again.x, again.y), (0, 472));
}

#[test]
fn an_idle_ball_at_an_edge_hides_half_of_itself_and_comes_out_under_the_pointer() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    drag(&fixture, ball, (1800, 500));
    fixture.screen.point(900, 900).unwrap();
    await_ball_at(&fixture, (1920 - 28, 472));
    fixture.await_pixel(1920 - 28 + 3, 500, "the rim is still seen", is_paper);
    fixture.screen.point(1910, 500).unwrap();
    await_ball_at(&fixture, (1920 - 56, 472));
    // It stays out while the pointer is there, and a click finds it.
    fixture.screen.press(1).unwrap();
    fixture.screen.release(1).unwrap();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
}

#[test]
fn a_half_hidden_ball_comes_out_for_a_file() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    drag(&fixture, ball, (100, 500));
    fixture.screen.point(900, 900).unwrap();
    await_ball_at(&fixture, (-28, 472));
    fixture.screen.point(10, 500).unwrap();
    await_ball_at(&fixture, (0, 472));
}

#[test]
fn a_ball_that_a_smaller_monitor_leaves_outside_comes_back_at_once() {
    let fixture = Fixture::new();
    let (_program, ball) = fixture.start();
    drag(&fixture, ball, (1880, 400));
    fixture.await_kept_place((1864, 372));
    // The pointer keeps it out of its hiding place.
    let _smaller = fixture.screen.split_monitors(&[(0, 0, 960, 1080)]).unwrap();
    await_ball_at(&fixture, (960 - 56, 372));
    fixture.await_kept_place((904, 372));
}

#[test]
fn an_idle_ball_costs_no_processor_time() {
    let fixture = Fixture::new();
    let (program, ball) = fixture.start();
    drag(&fixture, ball, (100, 500));
    fixture.screen.point(900, 900).unwrap();
    await_ball_at(&fixture, (-28, 472));
    // The panel is built behind the ball; its page ends its start some time later.
    let mut before = program.processor_time();
    let calm = await_some("the program is calm", || {
        std::thread::sleep(Duration::from_secs(2));
        let now = program.processor_time();
        let used = now - std::mem::replace(&mut before, now);
        Ok((used <= Duration::from_millis(20)).then_some(used))
    });
    println!("idle: {:?} of processor time in 2 s", calm.unwrap());
}

#[test]
fn at_200_percent_the_ball_is_twice_as_large_and_still_sharp() {
    let fixture = Fixture::new();
    let mut command = fixture.command(&[]);
    command.env("GDK_SCALE", "2");
    let _program = shidi_tests::program::Program::spawn(command).unwrap();
    let ball = fixture.screen.await_window(BALL).unwrap();
    assert_eq!((ball.width, ball.height), (112, 112));
    for (x, y) in [(0, 0), (111, 0), (0, 111), (111, 111)] {
        fixture.await_pixel(ball.x + x, ball.y + y, "the corner shows the desktop", |colour| {
            colour == LIGHT
        });
    }
    fixture.await_pixel(ball.x + 6, ball.y + 56, "the rim is paper", is_paper);
    // An edge that was stretched from half the size would be blurred over four pixels or more.
    let edge = (0..112).map(|x| fixture.screen.pixel(ball.x + x, ball.y + 56).unwrap());
    let edge: Vec<_> = edge
        .take_while(|colour| !is_paper(*colour))
        .filter(|colour| *colour != LIGHT)
        .collect();
    assert!(edge.len() <= 2, "the edge is blurred: {edge:?}");
    fixture.click_at(ball.x + 56, ball.y + 56);
    // 640 pixels at 200 % are more than the screen has; the window manager says so after it is shown.
    await_some("the panel fits the screen", || {
        let panel = fixture.screen.find(PANEL)?;
        Ok(panel.filter(|panel| (panel.width, panel.height) == (840, 1080)))
    })
    .unwrap();
}
