//! The workbench in its real window: there only while it is open, it shows what runs do while they do it, and what was
//! sent to the model.

use super::{Fixture, PANEL, type_text};
use crate::answering::{ask, fixture_with, says};
use shidi_tests::model_server::{Answer, ModelServer, reply};
use shidi_tests::program::built;
use std::process::Command;
use std::time::Duration;

const WORKBENCH: &str = "Shidi workbench";

#[test]
fn the_workbench_is_opened_by_a_key_watches_a_run_and_is_gone_when_it_is_closed() {
    let slow = Answer::Slow {
        text: "The sum is forty-two, as far as anybody knows.".into(),
        pause: Duration::from_millis(400),
    };
    let server = ModelServer::start([reply("add"), slow]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    assert!(
        fixture.screen.find(WORKBENCH).unwrap().is_none(),
        "it costs nothing until it is opened"
    );
    ask(&fixture, &driven, "add 12 and 30");
    fixture.type_keys("ctrl+e");
    let window = fixture.screen.await_window(WORKBENCH).unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    assert_eq!((window.width, window.height), (1200, 760));
    driven.turn_to("workbench.html").unwrap();
    driven
        .await_true(
            "a step is under way",
            "return document.querySelector('.run .spinner') !== null",
        )
        .unwrap();
    driven
        .await_true("the program is a step", &says("python"))
        .unwrap();
    driven
        .await_true("the run has ended under our eyes", &says("goal met"))
        .unwrap();
    driven
        .await_true("the prompt is there", &says("[system]"))
        .unwrap();
    fixture.picture("workbench");
    fixture.type_keys("ctrl+alt+s");
    fixture
        .screen
        .await_gone(WORKBENCH)
        .expect("it is out of the way of a look");
    let back = fixture.screen.await_window(WORKBENCH).unwrap();
    assert_eq!((back.x, back.y), (window.x, window.y), "it stands where it stood");
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.picture("workbench-looked");
    fixture.screen.point(back.x + 600, back.y + 700).unwrap();
    fixture.screen.press(1).unwrap();
    fixture.screen.release(1).unwrap();
    fixture.screen.await_focus(back.window).unwrap();
    fixture.type_keys("ctrl+w");
    fixture.screen.await_gone(WORKBENCH).unwrap();
    driven.turn_to("panel.html").unwrap();
    driven
        .await_true("the panel lives on", &says("forty-two"))
        .unwrap();
    // Whom the window manager gives the focus to is its affair: a person clicks.
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.point(panel.x + 200, panel.y + 300).unwrap();
    fixture.screen.press(1).unwrap();
    fixture.screen.release(1).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("ctrl+e");
    fixture.screen.await_window(WORKBENCH).unwrap();
    driven.turn_to("workbench.html").unwrap();
    driven
        .await_true("it begins afresh with what is kept", &says("goal met"))
        .unwrap();
    let press = "[...document.querySelectorAll('button')].find((one) => one.innerText.includes('Open session')).click(); return true";
    driven.await_true("the way back is there", press).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
}

#[test]
fn a_step_of_an_older_answer_opens_where_it_is_and_the_settings_where_they_are() {
    let server = ModelServer::start([Answer::Text("Paris.".into()), Answer::Text("Rome.".into())]);
    let fixture = fixture_with(&server);
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "first city?");
    driven
        .await_true("the first answer is there", &says("Paris."))
        .unwrap();
    type_text("second city?");
    fixture.type_keys("Return");
    driven
        .await_true("the second answer is there", &says("Rome."))
        .unwrap();
    let more = "document.querySelectorAll('.after')[0].querySelector('.menu button').click(); return true";
    driven.await_true("the older answer has a menu", more).unwrap();
    let steps = "document.querySelector('[role=menuitem]').click(); return true";
    driven.await_true("its steps can be shown", steps).unwrap();
    let window = fixture.screen.await_window(WORKBENCH).unwrap();
    driven.turn_to("workbench.html").unwrap();
    let shown = "return document.querySelector('main h2').innerText === 'first city?'";
    driven
        .await_true("the steps are those of the older answer", shown)
        .unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    fixture.type_keys("ctrl+1");
    let choose = "const find = [...document.querySelectorAll('footer button')][0]; find?.click(); return find !== undefined";
    driven
        .await_true("a model for meaning can be chosen", choose)
        .unwrap();
    driven.turn_to("panel.html").unwrap();
    driven
        .await_true("the setting is in view", &says("Embedding model"))
        .unwrap();
}

#[test]
fn the_dialogs_of_the_workbench_write_what_is_remembered_and_fill_a_base() {
    let fixture = Fixture::new();
    for arguments in [
        &["memory", "add", "tea is served at four"][..],
        &["knowledge", "create", "rules"],
    ] {
        let mut command = Command::new(built("shidi").unwrap());
        command
            .args(arguments)
            .env("SHIDI_DATA_DIR", fixture.folder.path());
        assert!(command.output().unwrap().status.success());
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("travel.md"),
        "# Travel\nA room may cost 450 yuan.\n",
    )
    .unwrap();
    let (driven, _ball) = fixture.driven();
    fixture.press_hotkey();
    let panel = fixture.screen.await_window(PANEL).unwrap();
    fixture.screen.await_focus(panel.window).unwrap();
    fixture.type_keys("ctrl+e");
    let window = fixture.screen.await_window(WORKBENCH).unwrap();
    fixture.screen.await_focus(window.window).unwrap();
    driven.turn_to("workbench.html").unwrap();
    driven
        .await_true(
            "its sections hear keys",
            "return document.querySelector('a[href=\"#memory\"]') !== null",
        )
        .unwrap();
    fixture.type_keys("ctrl+1");
    driven
        .await_true("what is remembered is listed", &says("tea is served"))
        .unwrap();
    let press = |word: &str| {
        format!(
            "[...document.querySelectorAll('button')].find((one) => one.innerText.includes('{word}')).click(); return true"
        )
    };
    driven.await_true("it can be exported", &press("Export")).unwrap();
    let kept = folder.path().join("kept.jsonl");
    type_into("Save as", &fixture, kept.to_str().unwrap());
    driven
        .await_true("the file is named", &says("kept.jsonl"))
        .unwrap();
    let written = std::fs::read_to_string(&kept).unwrap();
    assert!(written.contains("tea is served at four"), "{written}");
    fixture.picture("workbench-memory");
    std::fs::remove_file(&kept).unwrap();
    fixture.type_keys("ctrl+3");
    driven
        .await_true("the base is there", &says("0 documents"))
        .unwrap();
    driven
        .await_true("a folder can be added", &press("Add folder"))
        .unwrap();
    type_into("Choose a folder", &fixture, folder.path().to_str().unwrap());
    driven
        .await_true("what was read is told", &says("1 documents read"))
        .unwrap();
    fixture.picture("workbench-knowledge");
}

/// Types a path into the dialog with that title, and takes it.
fn type_into(title: &str, fixture: &Fixture, path: &str) {
    let dialog = fixture.screen.await_window(title).unwrap();
    fixture.screen.await_focus(dialog.window).unwrap();
    // As text in the field of names; without it the dialog would look for a file in its list.
    fixture.type_keys("ctrl+l");
    fixture.type_keys("ctrl+a");
    type_text(path);
    fixture.type_keys("Return");
    fixture.screen.await_gone(title).unwrap();
}
