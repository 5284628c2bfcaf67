//! Archives: what is packed comes out as it was, and nothing that an archive says leads out of its folder or past its bounds.

use super::writing::{permitted, undo};
use super::*;
use proptest::prelude::*;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn act(desk: &Desk, tool: &str, args: Value) -> CallOutcome {
    let environment = permitted(desk, tool, &args);
    perform(&call(tool, args), &environment).unwrap()
}

/// The call with the places that it was decided for: they are the same when it is repeated after a crash.
fn decided(desk: &Desk, tool: &str, args: &Value) -> Call {
    placed(call(tool, args.clone()), &desk.environment())
}

fn done(outcome: CallOutcome) -> CallOutcome {
    assert!(outcome.error.is_none(), "{outcome:?}");
    outcome
}

/// An archive with these entries.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn a_folder_is_packed_and_unpacked_as_it_was() {
    let desk = Desk::new();
    desk.write("报告/一.md", "one");
    desk.write("报告/deep/two.bin", b"\0\x01");
    let packed = json!({"path": "报告", "to": "all.zip"});
    let outcome = done(act(&desk, "files.zip", packed.clone()));
    assert_eq!(outcome.data["files"], 2);
    assert_eq!(outcome.data["created"], true);
    let again = done(act(&desk, "files.zip", packed.clone()));
    assert_eq!(again.data, outcome.data, "the same call after a crash");
    let unpacked = json!({"path": "all.zip", "to": "out"});
    let decided = decided(&desk, "files.unzip", &unpacked);
    let environment = permitted(&desk, "files.unzip", &unpacked);
    let outcome = done(perform(&decided, &environment).unwrap());
    assert_eq!(
        outcome.data,
        json!({"path": "all.zip", "to": "out", "files": 2, "bytes": 5, "left_out": 0})
    );
    assert_eq!(
        fs::read(desk.granted.join("out/报告/deep/two.bin")).unwrap(),
        b"\0\x01"
    );
    let again = done(perform(&decided, &environment).unwrap());
    assert_eq!(again.data, outcome.data);
    undo(&desk, "files.unzip", unpacked).unwrap();
    undo(&desk, "files.zip", packed).unwrap();
    assert!(!desk.granted.join("out").exists() && !desk.granted.join("all.zip").exists());
}

#[test]
fn an_archive_goes_into_a_folder_of_its_name_where_one_is_there() {
    let desk = Desk::new();
    desk.write("photos.zip", archive(&[("a.txt", b"a")]));
    fs::create_dir_all(desk.granted.join("out")).unwrap();
    let outcome = done(act(
        &desk,
        "files.unzip",
        json!({"path": "photos.zip", "to": "out"}),
    ));
    assert_eq!(outcome.data["to"], "out/photos");
}

#[test]
fn names_that_lead_out_refuse_the_archive_and_leave_nothing() {
    for name in [
        "../evil.txt",
        "/etc/evil",
        "a/../../evil",
        "C:\\evil",
        "\\\\host\\evil",
    ] {
        let desk = Desk::new();
        desk.write("a.zip", archive(&[("good.txt", b"good"), (name, b"evil")]));
        let outcome = act(&desk, "files.unzip", json!({"path": "a.zip", "to": "out"}));
        let (kind, message) = error_of(&outcome);
        assert_eq!(kind, "ValueError", "{name}");
        assert!(message.contains("is no name inside it"), "{message}");
        assert!(outcome.untrusted, "the name is the archive's");
        let left: Vec<_> = fs::read_dir(&desk.granted).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}

#[test]
fn what_hides_or_is_a_link_stays_in_the_archive() {
    let desk = Desk::new();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for name in ["a.txt", ".git/hooks/pre-commit", "sub/.env"] {
        writer.start_file(name, options).unwrap();
        writer.write_all(b"x").unwrap();
    }
    writer.add_symlink("link", "/etc/passwd", options).unwrap();
    desk.write("a.zip", writer.finish().unwrap().into_inner());
    let outcome = done(act(&desk, "files.unzip", json!({"path": "a.zip", "to": "out"})));
    assert_eq!(
        (&outcome.data["files"], &outcome.data["left_out"]),
        (&json!(1), &json!(3))
    );
    let names: Vec<_> = fs::read_dir(desk.granted.join("out")).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(
        outcome.summary.ends_with("1 file, 3 left out"),
        "{}",
        outcome.summary
    );
}

#[test]
fn a_bomb_and_what_is_no_archive_are_refused() {
    let desk = Desk::new();
    let zeros = vec![0; 40 << 20];
    desk.write("bomb.zip", archive(&[("zeros", &zeros)]));
    let outcome = act(&desk, "files.unzip", json!({"path": "bomb.zip", "to": "out"}));
    assert!(error_of(&outcome).1.contains("MB come out of it"), "{outcome:?}");
    let many: Vec<_> = (0..10_001).map(|at| format!("{at}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    desk.write("many.zip", archive(&many));
    let outcome = act(&desk, "files.unzip", json!({"path": "many.zip", "to": "out"}));
    assert!(error_of(&outcome).1.contains("10000 entries"), "{outcome:?}");
    desk.write("none.zip", "no archive");
    let outcome = act(&desk, "files.unzip", json!({"path": "none.zip", "to": "out"}));
    assert!(error_of(&outcome).1.contains("can't be unpacked"), "{outcome:?}");
    assert!(!desk.granted.join("out").exists());
    let outcome = act(&desk, "files.zip", json!({"path": "none.zip", "to": "a.tar"}));
    assert!(error_of(&outcome).1.contains("'.zip'"), "{outcome:?}");
}

#[test]
fn a_change_of_no_text_tells_its_sizes_and_text_of_any_encoding_its_lines() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let args = json!({"path": "a.txt", "to": "a.zip"});
    let outcome = done(act(&desk, "files.zip", args.clone()));
    let change = super::writing::kept(&desk, "files.zip", &args)
        .change()
        .unwrap()
        .unwrap();
    let bytes = change.bytes.unwrap();
    assert_eq!(
        (bytes.before, json!(bytes.after)),
        (0, outcome.data["bytes"].clone())
    );
    let wide: Vec<u8> = "\u{feff}one\r\ntwo\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    desk.write("wide.txt", wide);
    let args = json!({"path": "wide.txt", "old": "two", "new": "2"});
    done(act(&desk, "files.edit", args.clone()));
    let change = super::writing::kept(&desk, "files.edit", &args)
        .change()
        .unwrap()
        .unwrap();
    assert_eq!((change.added, change.removed, change.bytes), (1, 1, None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever names and contents an archive has: nothing is written beside its folder, and nothing panics.
    #[test]
    fn nothing_comes_out_beside_the_folder(
        entries in proptest::collection::btree_map("(\\.\\./|/|[a-c]{1,2}|\\.|中|\\\\){1,6}", proptest::collection::vec(any::<u8>(), 0..30), 0..8),
        cut in 0usize..200,
    ) {
        let desk = Desk::new();
        let all: Vec<_> = entries.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        let mut bytes = archive(&all);
        // Also one that is torn.
        bytes.truncate(bytes.len().saturating_sub(cut % 7));
        desk.write("a.zip", bytes);
        let outcome = act(&desk, "files.unzip", json!({"path": "a.zip", "to": "out"}));
        let names: Vec<_> = fs::read_dir(&desk.granted).unwrap().flatten().map(|entry| entry.file_name()).collect();
        let expected = if outcome.error.is_none() { 2 } else { 1 };
        prop_assert_eq!(names.len(), expected, "{:?} {:?}", names, outcome);
        prop_assert!(fs::read_dir(&desk.beside).unwrap().flatten().all(|entry| entry.file_name() == "earlier"));
    }
}
