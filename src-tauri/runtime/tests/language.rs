//! Which language the runtime's own sentences have.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use shidi_protocol::{reply, request};
use shidi_runtime::{Connection, OpenOptions};
use tokio::sync::mpsc;

/// What the setting says about itself after `value` was set as the language.
async fn described(connection: &Connection, value: &str) -> String {
    let set = request::ConfigSet {
        key: "language".to_owned(),
        value: value.to_owned(),
    };
    let reply::Config { entries, .. } = connection.ask(set).await.unwrap();
    let language = entries.into_iter().find(|entry| entry.key == "language").unwrap();
    language.doc
}

async fn open(folder: &tempfile::TempDir, has_windows: bool) -> Connection {
    let (sender, _) = mpsc::unbounded_channel();
    let options = OpenOptions {
        data_dir: Some(folder.path().join("data")),
        language: Some("en".to_owned()),
        desktop: has_windows.then_some(sender),
        ..OpenOptions::default()
    };
    Connection::open(options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_windows_it_is_the_one_that_is_set_at_once_and_after_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(&folder, true).await;
    assert_eq!(described(&connection, "zh").await, "界面语言");
    connection.close().await;
    let connection = open(&folder, true).await;
    let reply::Config { entries, .. } = connection.ask(request::ConfigList).await.unwrap();
    assert!(entries.iter().any(|entry| entry.doc == "界面语言"));
    assert_eq!(
        described(&connection, "system").await,
        "Language of the interface"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_speaks_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let connection = open(&folder, false).await;
    assert_eq!(described(&connection, "zh").await, "Language of the interface");
}
