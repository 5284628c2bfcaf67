//! Files dragged from another program onto the ball and onto the panel, and asked about without any model.

use super::answering::says;
use super::stage::PAPER;
use super::{BALL, PANEL, Stage, drag_source, type_text};
use crate::webdriver::Driven;
use shidi_tests::eyes::Seen;
use shidi_tests::program::Program;
use std::time::Duration;

/// Steps of a drag and the time of each: a hand needs about as long.
const STEPS: i16 = 20;
const STEP: Duration = Duration::from_millis(15);

/// Takes hold of the file in the other program's window and carries it there, without letting go.
pub fn carry_to(stage: &Stage, (to_x, to_y): (i16, i16)) -> Program {
    let source = drag_source(stage);
    let from = stage.desk.await_window("drag source").unwrap();
    let (from_x, from_y) = (from.x + 50, from.y + 50);
    stage.desk.point(from_x, from_y).unwrap();
    stage.desk.press(1).unwrap();
    for step in 1..=STEPS {
        let part = |from: i16, to: i16| from + (to - from) / STEPS * step;
        stage.desk.point(part(from_x, to_x), part(from_y, to_y)).unwrap();
        std::thread::sleep(STEP);
    }
    stage.desk.point(to_x, to_y).unwrap();
    source
}

/// Waits until the file stands above the input and was read.
fn await_chip(driven: &Driven) {
    let read = format!(
        "return [...document.querySelectorAll('.chip .open')].some(one => one.title === '{PAPER}' && !one.disabled)"
    );
    driven.await_true("the file is read", &read).unwrap();
}

/// Asks what stands on the second page, and waits for the answer with that page.
fn ask_about_it(stage: &Stage, driven: &Driven) {
    type_text("保修期多久");
    driven
        .await_true(
            "the question is in the input",
            "return document.activeElement.value === '保修期多久'",
        )
        .unwrap();
    stage.type_keys("Return");
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

fn await_panel_with_keys(stage: &Stage) -> Seen {
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    panel
}

#[test]
fn a_file_dropped_on_the_ball_is_attached_in_the_panel_and_can_be_asked_about() {
    let stage = Stage::new();
    let (driven, ball) = stage.driven();
    let source = carry_to(&stage, (ball.x + 28, ball.y + 28));
    stage.desk.await_window("Shidi: drop file").unwrap();
    stage.picture("ball-dropping");
    stage.desk.release(1).unwrap();
    await_panel_with_keys(&stage);
    await_chip(&driven);
    stage.desk.await_window(BALL).unwrap();
    await_input(&driven);
    ask_about_it(&stage, &driven);
    drop(source);
}

#[test]
fn a_file_dropped_on_the_panel_is_attached_and_can_be_asked_about_at_once() {
    let stage = Stage::new();
    let (driven, _ball) = stage.driven();
    stage.press_hotkey();
    let panel = await_panel_with_keys(&stage);
    await_input(&driven);
    let source = carry_to(&stage, (panel.x + 210, panel.y + 300));
    driven
        .await_true("the panel says what a drop does", &says("Drop to attach"))
        .unwrap();
    stage.picture("panel-dropping");
    stage.desk.release(1).unwrap();
    await_chip(&driven);
    stage.picture("panel-dropped");
    // The other program had the keys, as one from which something is dragged does.
    await_panel_with_keys(&stage);
    await_input(&driven);
    ask_about_it(&stage, &driven);
    drop(source);
}
