//! The whole way in the real windows: a typed question, a streamed answer, an approval, and a history that is still
//! there after a restart. The model is scripted, over real HTTP.

use super::{Fixture, PANEL, WELCOMED, type_text};
use crate::webdriver::Driven;
use shidi_tests::model_server::{Answer, ModelServer, reply};
use std::time::Duration;

/// A fixture whose program asks the scripted model.
pub fn fixture_with(server: &ModelServer) -> Fixture {
    let fixture = Fixture::new();
    let settings = format!(
        "{WELCOMED}provider = \"vllm\"\nmodel = \"scripted\"\nmodel_url = \"{}\"\n",
        server.url()
    );
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    fixture
}

pub fn ask(fixture: &Fixture, driven: &Driven, question: &str) {
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    type_question(fixture, driven, question);
    fixture.type_keys("Return");
}

/// How often a question is typed. `xdotool` lends a key to each sign that the keyboard lacks and takes it back at once:
/// a busy page reads another one now and then.
const TYPED_MOST: usize = 3;

/// Types into the input until it holds exactly that.
pub fn type_question(fixture: &Fixture, driven: &Driven, question: &str) {
    let has_focus = "return document.activeElement.tagName === 'TEXTAREA'";
    driven.await_true("the input has the focus", has_focus).unwrap();
    let typed = format!("return document.activeElement.value === '{question}'");
    for last in (0..TYPED_MOST).rev() {
        type_text(question);
        match driven.await_true("the question is in the input", &typed) {
            Ok(()) => return,
            Err(_) if last > 0 && !question.is_ascii() => fixture.type_keys("ctrl+a"),
            Err(error) => panic!("{error}"),
        }
    }
}

pub fn says(text: &str) -> String {
    format!("return document.body.innerText.includes('{text}')")
}

#[test]
fn a_typed_question_is_answered_while_one_watches_and_is_still_there_after_a_restart() {
    let slow = Answer::Slow {
        text: "Paris is the capital of France.".into(),
        pause: Duration::from_millis(300),
    };
    let server = ModelServer::start([slow]);
    let fixture = fixture_with(&server);
    {
        let (driven, _ball) = fixture.driven();
        ask(&fixture, &driven, "which city?");
        let beginning = "return document.body.innerText.includes('Paris is') \
                         && !document.body.innerText.includes('France.')";
        driven
            .await_true("the beginning of the answer is there before its end", beginning)
            .unwrap();
        driven
            .await_true(
                "the whole answer is there",
                &says("Paris is the capital of France."),
            )
            .unwrap();
    }
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    fixture.screen.await_window(PANEL).unwrap();
    driven
        .await_true(
            "the answer is still there",
            &says("Paris is the capital of France."),
        )
        .unwrap();
    driven
        .await_true("and so is the question", &says("which city?"))
        .unwrap();
}

#[test]
fn a_risky_call_shows_its_card_and_runs_when_the_keys_approve_it() {
    let server = ModelServer::start([reply("read_hosts")]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "how long is the host name?");
    driven
        .await_true("the card shows the exact path", &says("/etc/hostname"))
        .unwrap();
    // Return alone never approves: it goes to the card, which has the focus.
    fixture.type_keys("Return");
    let waits = "return document.querySelector('[role=alertdialog]') !== null";
    driven.await_true("the card still waits", waits).unwrap();
    // Its keys work 400 ms after it appeared: pressed again until they do.
    for _ in 0..20 {
        fixture.type_keys("ctrl+Return");
        if driven.run(&says("characters")).unwrap() == true {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    driven
        .await_true("the answer came from the file", &says("characters"))
        .unwrap();
}

#[test]
fn a_model_at_an_own_address_is_in_the_picker_and_comes_back_after_the_offline_planner() {
    let server = ModelServer::start([Answer::Text("Lisbon.".into())]);
    let fixture = Fixture::new();
    let settings = format!("{WELCOMED}model_url = \"{}\"\n", server.url());
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    let ticked = |name: &str| {
        format!(
            "return [...document.querySelectorAll('.option[aria-selected=true] .name')].map((one) => one.innerText).join() === '{name}'"
        )
    };
    let choose = |name: &str| {
        format!(
            "[...document.querySelectorAll('.option')].find((one) => one.innerText.includes('{name}')).click(); return true"
        )
    };
    fixture.type_keys("ctrl+m");
    driven
        .await_true("its server's model is listed and ticked", &ticked("scripted"))
        .unwrap();
    fixture.picture("picker-own-address");
    driven
        .await_true("the offline planner is chosen", &choose("Offline planner"))
        .unwrap();
    fixture.type_keys("ctrl+m");
    driven
        .await_true("it is ticked instead", &ticked("Offline planner"))
        .unwrap();
    driven
        .await_true("there is a way back", &choose("scripted"))
        .unwrap();
    type_question(&fixture, &driven, "capital of Portugal?");
    fixture.type_keys("Return");
    driven
        .await_true("the model has answered", &says("Lisbon."))
        .unwrap();
}
