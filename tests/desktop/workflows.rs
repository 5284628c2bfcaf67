//! A workflow that is called in the panel by its name: what its step asks is decided there, also after a restart.

use super::{Fixture, PANEL, WELCOMED};
use crate::answering::{ask, says};
use crate::webdriver::Driven;
use std::fs;

const PAY_BACK: &str = "version: '1.0'\nname: Pay back\nsteps:\n\
    \x20 - {id: sum, type: code, code: 'amount = 30', output: {name: amount, type: int}}\n\
    \x20 - {id: sure, type: approval, message: 'Pay back {amount}?', output: {name: agreed, type: bool}}\n\
    \x20 - {id: told, type: output, inputs: {paid: '{amount}'}}\n";

const CARD: &str = "return document.querySelector('.card.ask')?.innerText.includes('Pay back 30?') === true";

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    let folder = fixture.folder.path();
    fs::write(folder.join("config.toml"), WELCOMED).unwrap();
    fs::create_dir_all(folder.join("workflows")).unwrap();
    fs::write(folder.join("workflows/pay-back.yaml"), PAY_BACK).unwrap();
    fixture
}

fn decided(fixture: &Fixture, driven: &Driven) {
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.click_on(driven, panel, "document.querySelector('.card.ask footer button')");
    driven
        .await_true("the workflow is done", &says("paid: 30"))
        .unwrap();
    let gone =
        "return document.querySelector('.card.ask') === null && document.querySelector('.after') !== null";
    driven.await_true("the answer stands alone", gone).unwrap();
}

#[test]
fn what_a_step_of_a_called_workflow_asks_is_decided_in_the_panel() {
    let fixture = fixture();
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "/pay-back now");
    driven.await_true("the card is there", CARD).unwrap();
    fixture.picture("panel-workflow-asks");
    decided(&fixture, &driven);
    fixture.picture("panel-workflow-decided");
}

#[test]
fn what_a_step_asked_before_the_program_was_started_again_is_decided_after_it() {
    let fixture = fixture();
    {
        let (driven, _ball) = fixture.driven();
        ask(&fixture, &driven, "/pay-back now");
        driven.await_true("the card is there", CARD).unwrap();
    }
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    driven.await_true("the card is there again", CARD).unwrap();
    decided(&fixture, &driven);
}
