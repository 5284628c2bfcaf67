//! Bad input is refused with its place.

use super::*;
use shidi_locales::Language;
use std::fs;
use tempfile::TempDir;

const ENGLISH: Words = Words::of(Language::En);

fn message(failure: Failure) -> String {
    failure.to_string()
}

#[test]
fn a_broken_snapshot_is_refused_with_its_line() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("page.json");
    fs::write(&path, "{\n  \"url\": \"https://a\",\n  oops\n}").unwrap();
    let refused = message(snapshot(&path, ENGLISH).unwrap_err());
    assert!(refused.contains("is broken JSON in line 3"), "{refused}");
    fs::write(&path, "[1]").unwrap();
    assert!(message(snapshot(&path, ENGLISH).unwrap_err()).ends_with("is not a JSON object"));
    fs::write(&path, "{\"url\": \"https://a\"}").unwrap();
    assert_eq!(snapshot(&path, ENGLISH).unwrap()["url"], "https://a");
}

#[test]
fn attachments_become_absolute_and_must_be_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a b.md");
    fs::write(&path, "x").unwrap();
    assert_eq!(
        attached(&path, ENGLISH).unwrap(),
        path.canonicalize().unwrap().display().to_string()
    );
    assert!(attached(folder.path(), ENGLISH).is_ok());
    assert!(attached(&folder.path().join("none"), ENGLISH).is_err());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_being_opened() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    assert!(message(attached(&pipe, ENGLISH).unwrap_err()).ends_with("is not a file"));
    assert!(message(text_file(&pipe, ENGLISH).unwrap_err()).ends_with("is not a file"));
}

#[test]
fn a_file_is_no_work_folder() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "x").unwrap();
    assert!(message(super::folder(&path, ENGLISH).unwrap_err()).ends_with("is not a folder"));
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_its_line() {
    let refused = whole(b"one\ntwo\nth\xffree".as_slice(), "a.py", ENGLISH).unwrap_err();
    assert_eq!(message(refused), "'a.py' is not UTF-8 in line 3");
}

#[test]
fn input_without_end_is_refused_at_the_limit() {
    let refused = message(whole(io::repeat(b'x'), "stdin", ENGLISH).unwrap_err());
    assert_eq!(refused, "'stdin' is larger than 4194304 bytes");
}
