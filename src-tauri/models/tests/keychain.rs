//! The keychain against a real one: gnome-keyring in a D-Bus session of its own, with a home of its own.
//!
//! The test starts itself again inside that session, where the ignored tests below run.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use secrecy::{ExposeSecret, SecretString};
use shidi_models::{KeyError, KeyRing};
use std::path::Path;
use std::process::{Command, Output};

/// Unlocks a new keyring, whose password is an empty line, then runs a test of this file.
const WITH_KEYRING: &str =
    "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec \"$@\"";
/// Starts no daemon: the bus starts a locked one on demand, and nobody can answer its prompt.
const WITHOUT_KEYRING: &str = "exec \"$@\"";

fn is_here(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Runs an ignored test of this file in a session of its own; `None` when the programs for it are absent.
fn in_session(script: &str, test: &str) -> Option<Output> {
    if let Some(absent) = ["dbus-run-session", "gnome-keyring-daemon", "sh"]
        .iter()
        .find(|program| !is_here(program))
    {
        println!("NOT RUN: the keychain against gnome-keyring, as {absent} is not installed");
        return None;
    }
    let home = tempfile::tempdir().expect("a folder");
    let runtime = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("this test");
    let mut session = Command::new("dbus-run-session");
    session.args(["--", "sh", "-c", script, "sh"]).arg(&own).args([
        "--ignored",
        "--exact",
        test,
        "--nocapture",
    ]);
    Some(
        clean(&mut session, home.path(), runtime.path())
            .output()
            .expect("a session"),
    )
}

/// Keeps the user's own session out of the environment.
fn clean<'a>(session: &'a mut Command, home: &Path, runtime: &Path) -> &'a mut Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    session
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .env("XDG_RUNTIME_DIR", runtime)
}

fn assert_passed(output: &Output) {
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_real_keychain_keeps_lists_and_deletes_keys() {
    if let Some(output) = in_session(WITH_KEYRING, "inside_an_unlocked_session") {
        assert_passed(&output);
    }
}

#[test]
fn a_locked_keychain_is_told_apart_from_one_without_the_key() {
    if let Some(output) = in_session(WITHOUT_KEYRING, "inside_a_locked_session") {
        assert_passed(&output);
    }
}

#[tokio::test]
#[ignore = "run by the test above in a session of its own"]
async fn inside_an_unlocked_session() {
    let ring = KeyRing::new();
    ring.check().await.expect("a keychain");
    assert!(ring.get("deepseek").await.expect("an answer").is_none());
    assert!(ring.list().await.expect("a list").is_empty());
    ring.set("deepseek", &SecretString::from("sk-first-0123456789"))
        .await
        .expect("kept");
    ring.set("deepseek", &SecretString::from("sk-second-987654321"))
        .await
        .expect("replaced");
    ring.set("my-server", &SecretString::from("k"))
        .await
        .expect("kept");
    let other = KeyRing::new();
    let key = other.get("deepseek").await.expect("an answer").expect("a key");
    assert_eq!(key.expose_secret(), "sk-second-987654321");
    let list = other.list().await.expect("a list");
    let told: Vec<(&str, &str, Option<&str>)> = list
        .iter()
        .map(|key| (key.provider.as_str(), key.kept.as_str(), key.tail.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("deepseek", "keychain", Some("4321")),
            ("my-server", "keychain", None)
        ]
    );
    assert!(ring.delete("deepseek").await.expect("an answer"));
    assert!(!ring.delete("deepseek").await.expect("an answer"));
    assert!(other.get("deepseek").await.expect("an answer").is_none());
}

#[tokio::test]
#[ignore = "run by the test above in a session of its own"]
async fn inside_a_locked_session() {
    let ring = KeyRing::new();
    let started = std::time::Instant::now();
    for error in [
        ring.get("deepseek").await.map(|_| ()).expect_err("not readable"),
        ring.set("deepseek", &SecretString::from("sk-0123456789abc"))
            .await
            .expect_err("not writable"),
        ring.check().await.expect_err("not usable"),
    ] {
        assert!(
            matches!(
                error,
                KeyError::Locked { .. } | KeyError::Slow | KeyError::Absent { .. }
            ),
            "{error:?}"
        );
        assert!(!error.remedy(shidi_locales::Language::En).is_empty());
        println!("{error}; {}", error.remedy(shidi_locales::Language::En));
    }
    assert!(
        started.elapsed() < std::time::Duration::from_secs(30),
        "each call is given up after 5 s"
    );
}

#[tokio::test]
async fn without_a_bus_the_answer_is_quick_and_in_words() {
    if std::env::var_os("SHIDI_TEST_NO_BUS").is_none() {
        let own = std::env::current_exe().expect("this test");
        let home = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(own);
        command.args([
            "--exact",
            "without_a_bus_the_answer_is_quick_and_in_words",
            "--nocapture",
        ]);
        let output = clean(&mut command, home.path(), home.path())
            .env("SHIDI_TEST_NO_BUS", "1")
            .output()
            .expect("a run");
        return assert_passed(&output);
    }
    if !cfg!(target_os = "linux") {
        return println!("NOT RUN: only Linux can lack a keychain");
    }
    let started = std::time::Instant::now();
    let error = KeyRing::new()
        .get("deepseek")
        .await
        .map(|_| ())
        .expect_err("no keychain");
    assert!(matches!(error, KeyError::Absent { .. }), "{error:?}");
    assert!(
        started.elapsed() < std::time::Duration::from_secs(4),
        "nobody waits for it as for a keychain that hangs"
    );
}
