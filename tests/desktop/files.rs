//! Files dragged from another program onto the ball and onto the panel, and asked about without any model.

use super::answering::says;
use super::fixture::PAPER;
use super::{BALL, Fixture, PANEL, drag_source, type_text};
use crate::webdriver::Driven;
use shidi_tests::program::Program;
use shidi_tests::screen::{Seen, Trouble, await_some};
use std::time::{Duration, Instant};

/// Steps of a drag and the time of each: a hand needs about as long.
const STEPS: i16 = 20;
const STEP: Duration = Duration::from_millis(15);
/// Time in which a program notices that something of its is dragged.
const HELD_WITHIN: Duration = Duration::from_secs(1);

/// Takes hold of the file in the other program's window and carries it there, without letting go.
pub fn carry_to(fixture: &Fixture, to: (i16, i16)) -> Program {
    let source = drag_source(fixture);
    let held = take_hold(fixture);
    move_in_steps(fixture, held, to).unwrap();
    source
}

/// The same, to the ball, wherever that is by now.
pub fn carry_to_ball(fixture: &Fixture, ball: Seen) -> Program {
    let source = carry_to(fixture, (ball.x + 28, ball.y + 28));
    fixture.reach(ball);
    source
}

/// Presses on the file and moves it a little, until its window says that it is held: before it is drawn at its place
/// it can't be.
fn take_hold(fixture: &Fixture) -> (i16, i16) {
    await_some("the file is held", || {
        let Some(source) = fixture.screen.find("drag source")? else {
            return Ok(None);
        };
        let from = (source.x + 50, source.y + 50);
        let aside = (from.0 + 40, from.1 + 40);
        fixture.screen.point(from.0, from.1)?;
        fixture.screen.press(1)?;
        move_in_steps(fixture, from, aside)?;
        let begun = Instant::now();
        while begun.elapsed() < HELD_WITHIN {
            if fixture.screen.find("drag source: held")?.is_some() {
                return Ok(Some(aside));
            }
        }
        fixture.screen.release(1)?;
        Ok(None)
    })
    .unwrap()
}

fn move_in_steps(fixture: &Fixture, from: (i16, i16), to: (i16, i16)) -> Result<(), Trouble> {
    for step in 1..=STEPS {
        let part = |from: i16, to: i16| from + (to - from) / STEPS * step;
        fixture.screen.point(part(from.0, to.0), part(from.1, to.1))?;
        std::thread::sleep(STEP);
    }
    fixture.screen.point(to.0, to.1)
}

/// Waits until the file stands above the input and was read.
fn await_chip(driven: &Driven) {
    let read = format!(
        "return [...document.querySelectorAll('.chip .open')].some(one => one.title === '{PAPER}' && !one.disabled)"
    );
    driven.await_true("the file is read", &read).unwrap();
}

/// Asks what stands on the second page, and waits for the answer with that page.
fn ask_about_it(fixture: &Fixture, driven: &Driven) {
    type_text("保修期多久");
    driven
        .await_true(
            "the question is in the input",
            "return document.activeElement.value === '保修期多久'",
        )
        .unwrap();
    fixture.type_keys("Return");
    let answer = format!(
        "const said = document.body.innerText; \
         return said.includes('[{PAPER} p. 2]') && said.includes('保修期为二十四个月')"
    );
    driven
        .await_true("the page that tells is named and quoted", &answer)
        .unwrap();
}

fn await_input(driven: &Driven) {
    let has_focus = "return document.activeElement.tagName === 'TEXTAREA'";
    driven.await_true("the input has the focus", has_focus).unwrap();
}

fn await_panel_with_keys(fixture: &Fixture) -> Seen {
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    panel
}

#[test]
fn a_file_dropped_on_the_ball_is_attached_in_the_panel_and_can_be_asked_about() {
    let fixture = Fixture::new();
    let (driven, ball) = fixture.driven();
    let source = carry_to_ball(&fixture, ball);
    fixture.screen.await_window("Shidi: drop file").unwrap();
    fixture.picture("ball-dropping");
    fixture.screen.release(1).unwrap();
    await_panel_with_keys(&fixture);
    await_chip(&driven);
    fixture.screen.await_window(BALL).unwrap();
    await_input(&driven);
    ask_about_it(&fixture, &driven);
    drop(source);
}

#[test]
fn a_file_dropped_on_the_panel_is_attached_and_can_be_asked_about_at_once() {
    let fixture = Fixture::new();
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = await_panel_with_keys(&fixture);
    await_input(&driven);
    let source = carry_to(&fixture, (panel.x + 210, panel.y + 300));
    driven
        .await_true("the panel says what a drop does", &says("Drop to attach"))
        .unwrap();
    fixture.picture("panel-dropping");
    fixture.screen.release(1).unwrap();
    await_chip(&driven);
    fixture.picture("panel-dropped");
    // The other program had the keys, as one from which something is dragged does.
    await_panel_with_keys(&fixture);
    await_input(&driven);
    ask_about_it(&fixture, &driven);
    drop(source);
}
