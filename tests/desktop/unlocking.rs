//! A system without a keychain: keys are in an encrypted file, which the panel opens with the passphrase, in place.

use super::answering::{ask, says};
use super::fixture::run_again;
use super::{Fixture, WELCOMED, type_text};
use crate::webdriver::Driven;
use shidi_tests::model_server::{Answer, ModelServer};
use shidi_tests::program::built;
use std::io::Write;
use std::process::{Command, Stdio};

const PASSPHRASE: &str = "correct horse 9";
const KEY: &str = "sk-of-the-test";

/// A fixture whose provider needs a key, and whose key is in the file.
fn fixture_with_file(server: &ModelServer) -> Fixture {
    let fixture = Fixture::new();
    // No address of this machine by its name: one that is gets along without a key.
    let url = server.url().replace("127.0.0.1", "0.0.0.0");
    let settings = format!("{WELCOMED}provider = \"openai\"\nmodel = \"scripted\"\nmodel_url = \"{url}\"\n");
    std::fs::write(fixture.folder.path().join("config.toml"), settings).unwrap();
    let mut command = Command::new(built("shidi").unwrap());
    command
        .args(["key", "set", "openai", "--unchecked"])
        .env("SHIDI_DATA_DIR", fixture.folder.path())
        .env("SHIDI_PASSPHRASE", PASSPHRASE)
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(KEY.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "the key is kept");
    fixture
}

fn type_passphrase(fixture: &Fixture, driven: &Driven, passphrase: &str) {
    let is_there = "const field = document.querySelector('[data-passphrase]'); field?.focus(); field?.select(); \
                    return document.activeElement === field && field !== null && !field.readOnly";
    driven
        .await_true("the passphrase is asked for", is_there)
        .unwrap();
    type_text(passphrase);
    let typed = format!("return document.querySelector('[data-passphrase]').value === '{passphrase}'");
    driven.await_true("the passphrase is typed", &typed).unwrap();
    fixture.picture(&format!("locked-{}", passphrase.len()));
    fixture.type_keys("Return");
}

#[test]
fn the_passphrase_opens_the_file_of_keys_where_its_lock_was_met_and_the_question_goes_on() {
    // A session bus would start a keychain.
    if std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none_or(|bus| bus != "disabled:") {
        let test = "the_passphrase_opens_the_file_of_keys_where_its_lock_was_met_and_the_question_goes_on";
        return run_again(&format!("unlocking::{test}"), "BUS", "none");
    }
    let server = ModelServer::start([Answer::Text("Paris is the capital of France.".into())]);
    let fixture = fixture_with_file(&server);
    let (driven, _ball) = fixture.driven();
    ask(&fixture, &driven, "which city?");
    type_passphrase(&fixture, &driven, "wrong horse");
    let refused = "return document.querySelector('.lock [role=alert]') !== null";
    driven.await_true("a wrong one is told of", refused).unwrap();
    fixture.picture("locked-refused");
    assert!(server.requests().is_empty(), "nobody was asked before");
    type_passphrase(&fixture, &driven, PASSPHRASE);
    driven
        .await_true(
            "the question is answered",
            &says("Paris is the capital of France."),
        )
        .unwrap();
    assert_eq!(server.authorizations(), [format!("Bearer {KEY}")]);
    let closed = "return document.querySelector('[data-passphrase]') === null";
    driven.await_true("nothing asks for it any more", closed).unwrap();
    fixture.picture("locked-opened");
}
