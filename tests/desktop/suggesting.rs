//! A window that tells of an error: the ball says that a question is ready, and a click opens the panel with it.

use super::fixture::{drag_source, xdotool};
use super::{BALL, Fixture, PANEL};

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
    let fixture = Fixture::new();
    let other = drag_source(&fixture);
    let other_window = fixture.screen.await_window("drag source").unwrap();
    fixture.screen.await_focus(other_window.window).unwrap();
    let (driven, _ball) = fixture.driven();
    rename("drag source", TROUBLE);
    fixture.screen.await_window(SUGGESTION).unwrap();
    fixture.picture("ball-suggestion");
    rename(TROUBLE, "all is well");
    fixture.screen.await_window(BALL).unwrap();
    rename("all is well", "another panic");
    let ball = fixture.screen.await_window(SUGGESTION).unwrap();
    fixture.click(ball);
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.screen.await_window(BALL).unwrap();
    let ghost = "return document.body.textContent.includes('to accept')";
    driven
        .await_true("the question is there as ghost text", ghost)
        .unwrap();
    fixture.picture("panel-suggestion");
    drop(other);
}
