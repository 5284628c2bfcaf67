//! A window that tells of an error: the ball says that a question is ready, and a click opens the panel with it.

use super::stage::{drag_source, xdotool};
use super::{BALL, PANEL, Stage};

const SUGGESTION: &str = "Shidi: suggestion";
const TROUBLE: &str = "build 4127 failed";

/// Gives a window of another program another title.
fn rename(from: &str, to: &str) {
    xdotool(&[
        "search",
        "--onlyvisible",
        "--name",
        from,
        "set_window",
        "--name",
        to,
    ]);
}

#[test]
fn a_window_that_tells_of_an_error_is_a_suggestion_until_it_is_gone_or_taken_up() {
    let stage = Stage::new();
    let other = drag_source(&stage);
    let other_window = stage.desk.await_window("drag source").unwrap();
    stage.desk.await_focus(other_window.window).unwrap();
    let (driven, _ball) = stage.driven();
    rename("drag source", TROUBLE);
    stage.desk.await_window(SUGGESTION).unwrap();
    stage.picture("ball-suggestion");
    rename(TROUBLE, "all is well");
    stage.desk.await_window(BALL).unwrap();
    rename("all is well", "another panic");
    let ball = stage.desk.await_window(SUGGESTION).unwrap();
    stage.click(ball);
    let panel = stage.desk.await_window(PANEL).unwrap();
    stage.desk.await_focus(panel.window).unwrap();
    stage.desk.await_window(BALL).unwrap();
    let ghost = "return document.body.textContent.includes('to accept')";
    driven
        .await_true("the question is there as ghost text", ghost)
        .unwrap();
    stage.picture("panel-suggestion");
    drop(other);
}
