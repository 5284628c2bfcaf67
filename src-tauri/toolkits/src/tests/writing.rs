//! Writing: only the named place changes, no content is lost, and no forbidden place is written to.

use super::*;
use proptest::prelude::*;
use std::io;
use std::sync::Arc;

/// A record in a folder of its own.
#[derive(Debug)]
pub(super) struct InFolder(pub(super) PathBuf);

impl ChangeRecord for InFolder {
    fn change(&self) -> io::Result<Option<Change>> {
        let facts = fs::read(self.0.join("change")).ok();
        Ok(facts.map(|facts| serde_json::from_slice(&facts).unwrap()))
    }

    fn keep(&self, change: &Change, earlier: Option<&[u8]>) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        if let Some(earlier) = earlier {
            fs::write(self.earlier_path(), earlier)?;
        }
        fs::write(self.0.join("change"), serde_json::to_vec(change)?)
    }

    fn earlier(&self) -> io::Result<Vec<u8>> {
        fs::read(self.earlier_path())
    }

    fn earlier_path(&self) -> PathBuf {
        self.0.join("earlier")
    }

    fn undo(&self) -> io::Result<()> {
        let change = self.change()?.unwrap();
        let undone = Change {
            undone: true,
            ..change
        };
        self.keep(&undone, None)
    }

    fn forget(&self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// The record of a call: the same call has the same one, also after a crash.
pub(super) fn kept(desk: &Desk, tool: &str, args: &Value) -> InFolder {
    let name = format!("{tool}{args}");
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(200)
        .collect();
    InFolder(desk.beside.join("earlier").join(name))
}

/// The desk's environment with a write permitted.
pub(super) fn permitted(desk: &Desk, tool: &str, args: &Value) -> Environment {
    Environment {
        permitted: Class::Write,
        change: Some(Arc::new(kept(desk, tool, args))),
        ..desk.environment()
    }
}

#[test]
fn no_new_name_holds_a_line_end_or_a_control_character() {
    let desk = Desk::new();
    desk.write("a.md", "x");
    desk.write("a.zip", "no archive");
    for name in ["a\nb.md", "sub\u{7}/b.md", "a\rb.md", "a\u{2028}b.md"] {
        for (tool, args) in [
            ("files.write", json!({"path": name, "text": "x"})),
            ("files.write_table", json!({"path": name, "rows": []})),
            ("files.write_document", json!({"path": name, "markdown": "x"})),
            ("files.make_folder", json!({"path": name})),
            ("files.move", json!({"path": "a.md", "to": name})),
            ("files.copy", json!({"path": "nowhere.md", "to": name})),
            ("files.zip", json!({"path": "a.md", "to": name})),
            ("files.unzip", json!({"path": "a.zip", "to": name})),
        ] {
            let outcome = perform(&call(tool, args.clone()), &permitted(&desk, tool, &args)).unwrap();
            let error = outcome.error.unwrap();
            assert_eq!(error.kind, "ValueError", "{tool}: {}", error.message);
            assert!(
                error.message.contains("is no name for anything new"),
                "{}",
                error.message
            );
            assert!(
                !error.message.chars().any(char::is_control),
                "{:?}",
                error.message
            );
        }
    }
    let outside = json!({"path": desk.beside.join("a\nb.md"), "text": "x"});
    let outside = placed(call("files.write", outside), &desk.environment());
    assert_eq!(
        reach(&outside, &desk.environment()),
        Reach::Inside,
        "nobody is asked"
    );
    let left = fs::read_dir(&desk.granted).unwrap().count();
    assert_eq!(left, 2, "nothing was made");
}

#[cfg(unix)]
#[test]
fn what_has_such_a_name_already_is_written_and_moved_to_a_better_one() {
    let desk = Desk::new();
    desk.write("a\nb.md", "x");
    let written = write(&desk, json!({"path": "a\nb.md", "text": "y"}));
    assert!(written.error.is_none(), "{written:?}");
    let args = json!({"path": "a\nb.md", "to": "b.md"});
    let environment = permitted(&desk, "files.move", &args);
    let moved = perform(&call("files.move", args), &environment).unwrap();
    assert!(moved.error.is_none(), "{moved:?}");
    assert_eq!(fs::read_to_string(desk.granted.join("b.md")).unwrap(), "y");
}

fn write(desk: &Desk, args: Value) -> CallOutcome {
    let environment = permitted(desk, "files.write", &args);
    perform(&call("files.write", args), &environment).unwrap()
}

fn edit(desk: &Desk, args: Value) -> CallOutcome {
    let environment = permitted(desk, "files.edit", &args);
    perform(&call("files.edit", args), &environment).unwrap()
}

/// Takes a call back as its user would.
pub(super) fn undo(desk: &Desk, tool: &str, args: Value) -> Result<Change, ToolError> {
    Change::undo(&kept(desk, tool, &args))
}

#[test]
fn a_new_file_is_written_with_the_folders_on_its_way() {
    let desk = Desk::new();
    let outcome = write(&desk, json!({"path": "a/b/报告.md", "text": "一\n二\n"}));
    assert_eq!(
        outcome.data,
        json!({"path": "a/b/报告.md", "created": true, "bytes": 8})
    );
    assert_eq!(outcome.summary, "a/b/报告.md · new, 2 lines");
    assert_eq!(
        fs::read_to_string(desk.granted.join("a/b/报告.md")).unwrap(),
        "一\n二\n"
    );
    let names: Vec<_> = fs::read_dir(desk.granted.join("a/b")).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing is left beside it");
}

#[test]
fn a_change_is_taken_back_byte_for_byte_and_only_once() {
    let desk = Desk::new();
    let path = desk.write("a.txt", b"old\xff\r\n");
    let args = json!({"path": "a.txt", "text": "new"});
    write(&desk, args.clone());
    let change = undo(&desk, "files.write", args.clone()).unwrap();
    assert!(change.undone && !change.created);
    assert_eq!(fs::read(&path).unwrap(), b"old\xff\r\n");
    let again = undo(&desk, "files.write", args).unwrap_err();
    assert!(again.to_string().contains("taken back before"), "{again}");
}

#[test]
fn a_call_that_is_repeated_after_a_crash_changes_nothing_twice_and_nothing_of_the_users() {
    let desk = Desk::new();
    let path = desk.write("log.txt", "one\n");
    let added = json!({"path": "log.txt", "text": "two\n", "append": true});
    let first = write(&desk, added.clone());
    let again = write(&desk, added.clone());
    assert_eq!((&first.data, &first.summary), (&again.data, &again.summary));
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    let edited = json!({"path": "log.txt", "old": "two", "new": "2"});
    let first = edit(&desk, edited.clone());
    assert_eq!(edit(&desk, edited).data, first.data);

    // The crash came after the record and before the file.
    fs::write(&path, "one\n").unwrap();
    write(&desk, added.clone());
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    // The user edited the file meanwhile.
    fs::write(&path, "one\nmine\n").unwrap();
    let outcome = write(&desk, added.clone());
    assert!(
        error_of(&outcome).1.contains("changed by somebody else"),
        "{outcome:?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\nmine\n");
    undo(&desk, "files.write", added).unwrap_err();
}

#[cfg(unix)]
#[test]
fn what_a_crash_in_the_middle_of_writing_left_beside_a_file_is_taken_away_by_the_next_write() {
    let desk = Desk::new();
    let path = desk.write("log.txt", "old");
    let target = crate::safe_path::SafeWriter::at(&path, Path::new("log.txt")).unwrap();
    desk.write(&target.beside(), "half of it");
    write(&desk, json!({"path": "log.txt", "text": "new"}));
    let names = fs::read_dir(&desk.granted).unwrap().flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["log.txt"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "new");
}

#[test]
fn taking_back_a_new_file_takes_it_away() {
    let desk = Desk::new();
    let args = json!({"path": "new.txt", "text": "new"});
    write(&desk, args.clone());
    assert!(undo(&desk, "files.write", args).unwrap().created);
    assert!(!desk.granted.join("new.txt").exists());
}

#[test]
fn what_the_user_wrote_since_is_never_undone() {
    let desk = Desk::new();
    let path = desk.write("a.txt", "old");
    let args = json!({"path": "a.txt", "text": "new"});
    write(&desk, args.clone());
    fs::write(&path, "the user's own").unwrap();
    let refused = undo(&desk, "files.write", args).unwrap_err();
    assert!(refused.to_string().contains("changed again since"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "the user's own");
}

#[test]
fn nothing_is_replaced_where_what_stood_there_can_not_be_kept() {
    let desk = Desk::new();
    let path = desk.write("a.txt", "old");
    fs::write(desk.beside.join("earlier"), "a file where a folder is needed").unwrap();
    let outcome = write(&desk, json!({"path": "a.txt", "text": "new"}));
    let (kind, message) = error_of(&outcome);
    assert_eq!(kind, "OSError");
    assert!(message.contains("kept for an undo"), "{message}");
    assert_eq!(fs::read_to_string(path).unwrap(), "old");
}

#[test]
fn an_edit_replaces_what_stands_once_and_says_why_otherwise() {
    let desk = Desk::new();
    let path = desk.write("a.py", "x = 1\ny = 1\n    z = 2\n");
    let outcome = edit(&desk, json!({"path": "a.py", "old": "y = 1", "new": "y = 3"}));
    assert_eq!(outcome.data, json!({"path": "a.py", "count": 1, "line": 2}));
    assert_eq!(fs::read_to_string(&path).unwrap(), "x = 1\ny = 3\n    z = 2\n");
    for (args, told) in [
        (json!({"old": " = ", "new": "="}), "3 times, in lines 1, 2, 3"),
        (
            json!({"old": "  z  =  2", "new": ""}),
            "line 3 differs from it in spaces only",
        ),
        (
            json!({"old": "nowhere", "new": ""}),
            "does not stand in 'a.py'; files.read",
        ),
        (json!({"old": "", "new": "x"}), "'old' is empty"),
    ] {
        let mut args = args;
        args["path"] = json!("a.py");
        let outcome = edit(&desk, args);
        let (kind, message) = error_of(&outcome);
        assert_eq!(kind, "ValueError");
        assert!(message.contains(told), "{message}");
    }
    let all = edit(
        &desk,
        json!({"path": "a.py", "old": " = ", "new": "=", "all": true}),
    );
    assert_eq!(all.data["count"], 3);
    assert_eq!(fs::read_to_string(&path).unwrap(), "x=1\ny=3\n    z=2\n");
}

#[test]
fn an_edit_keeps_encoding_mark_and_line_breaks() {
    let desk = Desk::new();
    let (gbk, _, _) = encoding_rs::GBK.encode("第一行，说明文字。\r\n第二行，也是说明文字。\r\n");
    let path = desk.write("gbk.txt", &gbk);
    let edited = edit(
        &desk,
        json!({"path": "gbk.txt", "old": "文字。\n第二行", "new": "文字！\n第二行\n第三行"}),
    );
    assert!(edited.error.is_none(), "{edited:?}");
    let (expected, _, _) =
        encoding_rs::GBK.encode("第一行，说明文字！\r\n第二行\r\n第三行，也是说明文字。\r\n");
    assert_eq!(fs::read(&path).unwrap(), expected.as_ref());
    let outcome = edit(&desk, json!({"path": "gbk.txt", "old": "第三行", "new": "🙂"}));
    let (kind, message) = error_of(&outcome);
    assert_eq!(kind, "ValueError");
    assert!(message.contains("'🙂' has no place"), "{message}");

    let utf_16: Vec<u8> = "\u{feff}héllo"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let path = desk.write("wide.txt", &utf_16);
    edit(&desk, json!({"path": "wide.txt", "old": "h", "new": "j🙂"}));
    let expected: Vec<u8> = "\u{feff}j🙂éllo"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(fs::read(&path).unwrap(), expected);
}

#[test]
fn what_is_no_text_is_not_edited() {
    let desk = Desk::new();
    for (name, bytes) in [
        ("a.png", &b"\x89PNG\r\n\x1a\nxx"[..]),
        ("a.bin", &b"ab\0cd"[..]),
        ("cut.txt", &b"\xef\xbb\xbfabc\xff\xfe"[..]),
    ] {
        let path = desk.write(name, bytes);
        let outcome = edit(&desk, json!({"path": name, "old": "a", "new": "b"}));
        assert!(error_of(&outcome).1.contains("is not text"), "{outcome:?}");
        assert_eq!(fs::read(path).unwrap(), bytes);
    }
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_protection_is_respected() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let path = desk.write("run.sh", "old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    write(&desk, json!({"path": "run.sh", "text": "new"}));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o750);
    let folder = write(&desk, json!({"path": ".", "text": "x"}));
    assert!(folder.error.is_some());
}

#[cfg(unix)]
#[test]
fn no_link_leads_a_write_out_of_the_granted_folder() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    fs::write(desk.beside.join("secret.txt"), "secret").unwrap();
    symlink(desk.beside.join("secret.txt"), desk.granted.join("file")).unwrap();
    symlink(&desk.beside, desk.granted.join("folder")).unwrap();
    symlink(desk.beside.join("not-yet"), desk.granted.join("dangling")).unwrap();
    for path in [
        "file",
        "folder/new.txt",
        "dangling",
        "../beside/new.txt",
        "/etc/new.txt",
    ] {
        let wanted = call("files.write", json!({"path": path, "text": "x"}));
        assert_eq!(
            class_of(&wanted, &desk.environment()),
            Class::WriteOutside,
            "{path}"
        );
        let outcome = perform(&wanted, &permitted(&desk, "files.write", &json!(path))).unwrap();
        assert_eq!(error_of(&outcome).0, "PermissionError", "{path}");
    }
    assert_eq!(
        fs::read_to_string(desk.beside.join("secret.txt")).unwrap(),
        "secret"
    );
    assert!(!desk.beside.join("not-yet").exists() && !desk.beside.join("new.txt").exists());
    // A folder is exchanged for a link after the class was told.
    let place = crate::safe_path::ResolvedPath {
        shown: "deep/new.txt".into(),
        leads_to: desk.granted.join("folder/new.txt"),
    };
    let target = crate::safe_path::SafeWriter::at(&place.leads_to, &place.shown);
    assert!(matches!(target, Err(ToolError::Escaped(..))));
}

#[test]
fn what_others_run_by_themselves_is_asked_about() {
    let desk = Desk::new();
    let class = |path: &str| {
        let wanted = call("files.write", json!({"path": path, "text": "x"}));
        class_of(&wanted, &desk.environment())
    };
    for hidden in [
        ".git/hooks/pre-commit",
        ".bashrc",
        "sub/.vscode/tasks.json",
        ".env",
    ] {
        assert_eq!(class(hidden), Class::WriteOutside, "{hidden}");
    }
    assert_eq!(class("sub/plain.txt"), Class::Write);
    let outcome = write(&desk, json!({"path": ".git/hooks/pre-commit", "text": "x"}));
    assert_eq!(error_of(&outcome).0, "PermissionError");
}

#[test]
fn shidis_own_data_is_written_by_no_program_even_with_leave() {
    let desk = Desk::new();
    let own = desk.granted.join("shidi");
    fs::create_dir_all(&own).unwrap();
    let environment = Environment {
        own: Some(own),
        permitted: Class::WriteOutside,
        ..permitted(&desk, "files.write", &json!({}))
    };
    let wanted = call(
        "files.write",
        json!({"path": "shidi/prompts/en/x.xml", "text": "obey"}),
    );
    assert_eq!(
        class_of(&wanted, &environment),
        Class::Write,
        "nobody is asked in vain"
    );
    let outcome = perform(&wanted, &environment).unwrap();
    assert!(
        error_of(&outcome).1.contains("only the user changes"),
        "{outcome:?}"
    );
}

#[test]
fn what_was_attached_to_be_read_is_written_only_with_leave() {
    let desk = Desk::new();
    let path = desk.beside.join("attached.txt");
    fs::write(&path, "x").unwrap();
    let environment = Environment {
        attached: vec![path.clone()],
        ..desk.environment()
    };
    let wanted = call("files.edit", json!({"path": path, "old": "x", "new": "y"}));
    assert_eq!(class_of(&wanted, &environment), Class::WriteOutside);
}

#[test]
fn a_comparison_reads_like_a_patch() {
    let desk = Desk::new();
    desk.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    let outcome = desk.perform("files.diff", json!({"path": "a.txt", "text": "one\n2\nthree\n"}));
    let text = outcome.data.as_str().unwrap();
    assert!(text.contains("\n-two\n+2\n"), "{text}");
    assert!(outcome.untrusted, "it holds what stands in the file");
    let same = desk.perform(
        "files.diff",
        json!({"path": "a.txt", "text": "one\ntwo\nthree\n"}),
    );
    assert_eq!(same.data, json!(""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever bytes a file has: an edit changes the named place alone, or nothing; undoing restores all bytes.
    #[test]
    fn an_edit_never_harms_the_rest(
        before in proptest::collection::vec(any::<u8>(), 0..60),
        after in "[ -~\n\r一二🙂]{0,30}",
    ) {
        let desk = Desk::new();
        let bytes = [before.as_slice(), b"<here>", after.as_bytes()].concat();
        let path = desk.write("a.txt", &bytes);
        let args = json!({"path": "a.txt", "old": "<here>", "new": "x"});
        let outcome = edit(&desk, args.clone());
        let now = fs::read(&path).unwrap();
        if outcome.error.is_some() {
            prop_assert_eq!(&now, &bytes);
        } else {
            prop_assert!(now.len() < bytes.len());
            prop_assert!(now.starts_with(&before) || before.contains(&b'<') || !before.is_ascii());
            undo(&desk, "files.edit", args).unwrap();
            prop_assert_eq!(&fs::read(&path).unwrap(), &bytes);
        }
    }
}
