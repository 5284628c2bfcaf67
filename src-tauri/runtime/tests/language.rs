//! Which language the runtime's own sentences have.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

use shidi_protocol::{Reply, Request};
use shidi_runtime::{Door, OpenOptions};
use tokio::sync::mpsc;

/// What the setting says about itself after `value` was set as the language.
async fn described(door: &Door, value: &str) -> String {
    let set = Request::ConfigSet {
        key: "language".to_owned(),
        value: value.to_owned(),
    };
    door.send(set).next().await.unwrap();
    let Some(Reply::Config { entries, .. }) = door.send(Request::ConfigList).next().await else {
        panic!("the settings are listed");
    };
    let language = entries.into_iter().find(|entry| entry.key == "language").unwrap();
    language.doc
}

async fn open(folder: &tempfile::TempDir, has_windows: bool) -> Door {
    let (sender, _) = mpsc::unbounded_channel();
    let options = OpenOptions {
        data_dir: Some(folder.path().join("data")),
        language: Some("en".to_owned()),
        desktop: has_windows.then_some(sender),
        ..OpenOptions::default()
    };
    Door::open(options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_windows_it_is_the_one_that_is_set_at_once_and_after_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let door = open(&folder, true).await;
    assert_eq!(described(&door, "zh").await, "界面语言");
    door.close().await;
    let door = open(&folder, true).await;
    let Some(Reply::Config { entries, .. }) = door.send(Request::ConfigList).next().await else {
        panic!("the settings are listed");
    };
    assert!(entries.iter().any(|entry| entry.doc == "界面语言"));
    assert_eq!(described(&door, "system").await, "Language of the interface");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_speaks_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let door = open(&folder, false).await;
    assert_eq!(described(&door, "zh").await, "Language of the interface");
}
