//! Quiet hours with the real windows: what a schedule does then is told when they are over. The ball shows at once that a
//! card waits, and a reminder comes anyway. A card that was decided meanwhile is not told.

use super::{BALL, Fixture};
use crate::answering::fixture_with;
use crate::bus::{Notices, told};
use serde_json::Value;
use shidi_tests::model_server::{ModelServer, reply};
use shidi_tests::program::Program;

/// The ball of somebody for whom one card waits.
const NEEDS_YOU: &str = "Shidi: needs you, 1 waiting";

/// The program in quiet hours that last all day, at which a question that was due waits for its user.
fn waiting_in_quiet_hours(fixture: &Fixture) -> Program {
    fixture.configure("quiet_hours", "0:00-24:00");
    let (program, _ball) = fixture.start();
    let question = "how long is the host name?";
    fixture.shidi(&["schedule", "add", question, "--at", "in 1 second", "--yes"]);
    fixture.screen.await_window(NEEDS_YOU).unwrap();
    fixture.picture("ball-needs-you-in-quiet-hours");
    program
}

/// Has the user reminded, and waits for what the desktop is told next: notifications come in their order.
fn next_told_is_the_reminder(fixture: &Fixture, notices: &Notices) {
    fixture.shidi(&[
        "schedule",
        "add",
        "Tea is ready",
        "--remind",
        "--at",
        "in 1 second",
        "--yes",
    ]);
    assert_eq!(told(&notices.shown), "Shidi: A reminder: Tea is ready");
}

#[test]
fn what_waits_since_a_time_in_quiet_hours_is_shown_by_the_ball_and_told_when_they_are_over() {
    let server = ModelServer::start([reply("read_hosts")]);
    let fixture = fixture_with(&server);
    let notices = Notices::start();
    let _program = waiting_in_quiet_hours(&fixture);
    next_told_is_the_reminder(&fixture, &notices);
    fixture.configure("quiet_hours", "");
    assert!(told(&notices.shown).starts_with("Shidi: Waits for your approval: files.read"));
    fixture.screen.await_window(NEEDS_YOU).unwrap();
}

#[test]
fn a_card_that_was_decided_in_quiet_hours_is_not_told_after_them() {
    let server = ModelServer::start([reply("read_hosts")]);
    let fixture = fixture_with(&server);
    let notices = Notices::start();
    let _program = waiting_in_quiet_hours(&fixture);
    let shown: Value = serde_json::from_str(&fixture.shidi(&["--json", "session", "show", "last"])).unwrap();
    let card = &shown["runs"][0]["waiting"][0]["event"];
    let (run, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    fixture.shidi(&["approve", run, &call]);
    fixture.screen.await_window(BALL).unwrap();
    fixture.configure("quiet_hours", "");
    next_told_is_the_reminder(&fixture, &notices);
}
