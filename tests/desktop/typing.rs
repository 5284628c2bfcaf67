//! Chinese typed into the panel: as whole letters, and through an input method that composes them.

use super::answering::{fixture_with, says};
use super::{Fixture, PANEL, type_text};
use crate::webdriver::Driven;
use shidi_tests::model_server::{Answer, ModelServer};

fn value_is(text: &str) -> String {
    format!("return document.activeElement.value === '{text}'")
}

fn summon(fixture: &Fixture, driven: &Driven) {
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    let has_focus = "return document.activeElement.tagName === 'TEXTAREA'";
    driven.await_true("the input has the focus", has_focus).unwrap();
}

#[test]
fn chinese_typed_into_the_panel_arrives_at_the_model_and_its_answer_in_the_panel() {
    let server = ModelServer::start([Answer::Text("法国的首都是**巴黎**。".into())]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    summon(&fixture, &driven);
    type_text("法国的首都是哪里？");
    driven
        .await_true("the question is in the input", &value_is("法国的首都是哪里？"))
        .unwrap();
    fixture.type_keys("Return");
    driven
        .await_true("the answer is there", &says("法国的首都是巴黎。"))
        .unwrap();
    let prompt = server.last_prompt();
    assert!(prompt.contains("法国的首都是哪里？"), "{prompt}");
    fixture.picture("chinese-answered");
}

/// The web view knows how to take typing back, and binds no key to it by itself.
#[test]
fn what_was_typed_is_taken_back_and_done_again_by_the_usual_keys() {
    let server = ModelServer::start([]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    summon(&fixture, &driven);
    type_text("hello");
    driven
        .await_true("it is in the input", &value_is("hello"))
        .unwrap();
    fixture.type_keys("ctrl+z");
    driven.await_true("it is taken back", &value_is("")).unwrap();
    fixture.type_keys("ctrl+shift+z");
    driven
        .await_true("it is there again", &value_is("hello"))
        .unwrap();
}

/// The window library composes letters from their numbers by itself: Ctrl+Shift+U, four digits, Enter. To the page
/// that is an input method like any other.
#[test]
fn enter_that_ends_a_composition_commits_the_letter_and_sends_nothing() {
    let server = ModelServer::start([Answer::Text("你好。".into())]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    let listen = "window.composed = ''; document.addEventListener('compositionend', (event) => \
        (window.composed += event.data), true); return true";
    driven.await_true("the page listens", listen).unwrap();
    summon(&fixture, &driven);
    let mut typed = String::new();
    for (letter, digits) in [("你", "4f60"), ("好", "597d")] {
        fixture.type_keys("ctrl+shift+u");
        type_text(digits);
        driven
            .await_true(
                "the digits are being composed",
                &format!("return document.activeElement.value.endsWith('{digits}')"),
            )
            .unwrap();
        // Esc closes the panel, Enter sends: neither while something is being composed.
        fixture.type_keys("Return");
        typed.push_str(letter);
        driven
            .await_true("the letter is in the input", &value_is(&typed))
            .unwrap();
    }
    let composed = "return window.composed === '你好'";
    eprintln!(
        "{}",
        driven.run("return JSON.stringify(window.composed)").unwrap()
    );
    driven.await_true("it was composed", composed).unwrap();
    assert!(
        server.requests().is_empty(),
        "a committing Enter sent the question"
    );
    fixture.type_keys("ctrl+shift+u");
    type_text("4f");
    fixture.type_keys("Escape");
    driven
        .await_true("what was begun is dropped", &value_is("你好"))
        .unwrap();
    assert!(
        fixture.screen.find(PANEL).unwrap().is_some(),
        "Esc closed the panel"
    );
    fixture.type_keys("Return");
    fixture.await_requests(&server, 1);
    assert!(server.last_prompt().contains("你好"));
}
