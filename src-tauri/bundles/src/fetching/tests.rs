//! Promises of installing: nothing leads out of a source, nothing is unbounded, and nothing of a repository runs.

use super::*;
use crate::limits::UNPACKED_BYTES_MAX;
use std::io::{Cursor, Write};

fn made() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("to");
    fs::create_dir(&to).expect("a folder");
    (folder, to)
}

fn packed(entries: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o755);
        header.set_size(content.len() as u64);
        let name = &mut header.as_mut_bytes()[..path.len()];
        name.copy_from_slice(path.as_bytes());
        if *kind == tar::EntryType::Symlink {
            header.set_size(0);
            header.set_link_name(content).expect("a name");
        }
        header.set_cksum();
        let content = if *kind == tar::EntryType::Symlink {
            ""
        } else {
            content
        };
        builder.append(&header, content.as_bytes()).expect("appended");
    }
    builder.into_inner().expect("a tar")
}

fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in entries {
        writer
            .start_file(*path, zip::write::SimpleFileOptions::default())
            .expect("begun");
        writer.write_all(content.as_bytes()).expect("written");
    }
    writer.finish().expect("a zip").into_inner()
}

const FILE: tar::EntryType = tar::EntryType::Regular;

#[test]
fn archives_of_each_kind_are_unpacked() {
    let (folder, _) = made();
    let plain = packed(&[("a/SKILL.md", FILE, "text"), ("a/run.sh", FILE, "echo")]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&plain).expect("written");
    let gzip = gzip.finish().expect("a gzip");
    let zip = zipped(&[("a/SKILL.md", "text"), ("a\\run.sh", "echo")]);
    for (name, bytes) in [("plain", plain), ("gzip", gzip), ("zip", zip)] {
        let (path, to) = (folder.path().join(name), folder.path().join(format!("to-{name}")));
        fs::create_dir(&to).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        archive::unpacked(&path, &to, &archive::OF_BUNDLES).expect("unpacked");
        assert_eq!(
            fs::read_to_string(to.join("a/SKILL.md")).expect("text"),
            "text",
            "{name}"
        );
        assert_eq!(
            fs::read_to_string(to.join("a/run.sh")).expect("text"),
            "echo",
            "{name}"
        );
    }
}

#[test]
fn a_link_or_a_path_that_leads_out_refuses_the_whole() {
    let (folder, to) = made();
    for path in ["../out", "/tmp/shidi-out", "a/../../out"] {
        let refused = archive::tar(
            Cursor::new(packed(&[(path, FILE, "x")])),
            &to,
            &archive::OF_BUNDLES,
        );
        assert!(
            matches!(refused, Err(Refused::Outside { .. })),
            "{path}: {refused:?}"
        );
        let file = folder.path().join("a.zip");
        fs::write(&file, zipped(&[(path, "x")])).expect("a file");
        let refused = archive::unpacked(&file, &to, &archive::OF_BUNDLES);
        assert!(
            matches!(refused, Err(Refused::Outside { .. })),
            "{path}: {refused:?}"
        );
    }
    for kind in [
        tar::EntryType::Symlink,
        tar::EntryType::Link,
        tar::EntryType::Fifo,
        tar::EntryType::Char,
    ] {
        let refused = archive::tar(
            Cursor::new(packed(&[("a", kind, "/etc")])),
            &to,
            &archive::OF_BUNDLES,
        );
        assert!(
            matches!(refused, Err(Refused::Link { .. })),
            "{kind:?}: {refused:?}"
        );
    }
    assert!(!folder.path().join("out").exists());
    assert_eq!(fs::read_dir(&to).expect("listed").count(), 0);
}

#[test]
fn what_grows_when_it_is_unpacked_is_bounded() {
    let (folder, to) = made();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut header = tar::Header::new_gnu();
    header.set_path("big").expect("a path");
    header.set_mode(0o644);
    header.set_size(UNPACKED_BYTES_MAX + 1);
    header.set_cksum();
    gzip.write_all(header.as_bytes()).expect("written");
    for _ in 0..=UNPACKED_BYTES_MAX >> 20 {
        gzip.write_all(&[0; 1 << 20]).expect("written");
    }
    let path = folder.path().join("bomb.tar.gz");
    fs::write(&path, gzip.finish().expect("a gzip")).expect("a file");
    assert_eq!(
        archive::unpacked(&path, &to, &archive::OF_BUNDLES),
        Err(Refused::TooLarge)
    );
    let text = folder.path().join("a.txt");
    fs::write(&text, "no archive at all").expect("a file");
    assert_eq!(
        archive::unpacked(&text, &to, &archive::OF_BUNDLES),
        Err(Refused::NotAnArchive)
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_is_copied_without_links_and_without_version_control() {
    let (folder, _) = made();
    let from = folder.path().join("from");
    fs::create_dir_all(from.join(".git")).expect("a folder");
    fs::write(from.join("SKILL.md"), "text").expect("a file");
    fs::write(from.join(".git/config"), "x").expect("a file");
    let reviews = folder.path().join("reviews");
    let copied = fetched(&Source::Folder(from.clone()), &reviews, &Proxy::Direct)
        .await
        .expect("copied");
    assert!(copied.join("from/SKILL.md").is_file() && !copied.join("from/.git").exists());
    std::os::unix::fs::symlink("/etc/passwd", from.join("link")).expect("a link");
    let refused = fetched(&Source::Folder(from), &reviews, &Proxy::Direct).await;
    assert!(matches!(refused, Err(Refused::Link { .. })), "{refused:?}");
    assert_eq!(
        fs::read_dir(&reviews).expect("listed").count(),
        1,
        "what was refused has gone"
    );
}

#[tokio::test]
async fn reviews_that_nobody_decided_on_make_room() {
    let (folder, _) = made();
    let from = folder.path().join("from");
    fs::create_dir(&from).expect("a folder");
    let reviews = folder.path().join("reviews");
    for _ in 0..REVIEWS_MAX + 3 {
        fetched(&Source::Folder(from.clone()), &reviews, &Proxy::Direct)
            .await
            .expect("copied");
    }
    assert_eq!(fs::read_dir(&reviews).expect("listed").count(), REVIEWS_MAX);
}

fn git(folder: &Path, arguments: &[&str]) -> bool {
    let mut command = std::process::Command::new("git");
    command
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(unix)]
#[tokio::test]
async fn a_repository_gives_its_files_and_nothing_of_it_runs() {
    let (folder, to) = made();
    let from = folder.path().join("repository");
    fs::create_dir_all(from.join("clean")).expect("a folder");
    if !git(&from, &["init", "--quiet"]) {
        println!("NOT RUN: there is no git");
        return;
    }
    let ran = folder.path().join("ran");
    fs::write(from.join("clean/SKILL.md"), "text").expect("a file");
    fs::write(from.join(".gitattributes"), "* filter=evil\n").expect("a file");
    let config = format!("[filter \"evil\"]\n smudge = touch {}\n", ran.display());
    fs::write(from.join(".gitconfig"), config).expect("a file");
    assert!(git(&from, &["add", "-A"]) && git(&from, &["commit", "--quiet", "-m", "a"]));
    let address = format!("file://{}", from.display());
    let refused = git::fetched(&address, &to, &Proxy::Direct).await;
    assert!(
        matches!(refused, Err(Refused::Git { .. })),
        "no transport but https: {refused:?}"
    );
    git::by("file", &address, &to, &Proxy::Direct)
        .await
        .expect("fetched");
    assert_eq!(
        fs::read_to_string(to.join("clean/SKILL.md")).expect("text"),
        "text"
    );
    assert!(!to.join(".git").exists() && !ran.exists());
    std::os::unix::fs::symlink("/etc/passwd", from.join("clean/link")).expect("a link");
    assert!(git(&from, &["add", "-A"]) && git(&from, &["commit", "--quiet", "-m", "b"]));
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder");
    let refused = git::by("file", &address, &other, &Proxy::Direct).await;
    assert!(matches!(refused, Err(Refused::Link { .. })), "{refused:?}");
}

#[test]
fn what_takes_a_place_leaves_nothing_of_what_was_there() {
    let (folder, reviewed) = made();
    fs::write(reviewed.join("SKILL.md"), "new").expect("a file");
    let place = folder.path().join("skills/clean");
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("old.md"), "old").expect("a file");
    put(&reviewed, &place).expect("put");
    assert!(place.join("SKILL.md").is_file() && !place.join("old.md").exists());
    assert_eq!(
        fs::read_dir(folder.path().join("skills"))
            .expect("listed")
            .count(),
        1
    );
}

#[test]
fn what_a_kill_left_of_a_change_goes_with_the_next_one() {
    let (folder, reviewed) = made();
    fs::write(reviewed.join("SKILL.md"), "new").expect("a file");
    let place = folder.path().join("skills/clean");
    fs::create_dir_all(folder.path().join("skills/.put-left/next")).expect("a folder");
    put(&reviewed, &place).expect("put");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(folder.path().join("skills"))
            .expect("listed")
            .flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    };
    assert_eq!(names(), ["clean"]);
    removed(&place).expect("removed");
    assert_eq!(names(), [""; 0]);
}
