//! Moving, copying and deleting: what goes somewhere arrives whole, nothing that stood there is lost, everything can be taken
//! back, and no forbidden place is reached.

use super::writing::{InFolder, kept, permitted, undo};
use super::*;
use std::sync::Arc;

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

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = names
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_or_folder_moves_whole_and_comes_back() {
    let desk = Desk::new();
    desk.write("drafts/一.md", "one");
    desk.write("drafts/deep/two.md", "two");
    fs::create_dir_all(desk.granted.join("archive")).unwrap();
    let args = json!({"path": "drafts", "to": "archive"});
    let outcome = done(act(&desk, "files.move", args.clone()));
    assert_eq!(outcome.data, json!({"path": "drafts", "to": "archive/drafts"}));
    assert_eq!(outcome.summary, "drafts → archive/drafts");
    assert!(!outcome.untrusted, "names are the program's own");
    assert_eq!(text(desk.granted.join("archive/drafts/deep/two.md")), "two");
    assert!(!desk.granted.join("drafts").exists());
    let change = undo(&desk, "files.move", args).unwrap();
    assert!(change.undone);
    assert_eq!(text(desk.granted.join("drafts/一.md")), "one");
    assert!(names(&desk.granted.join("archive")).is_empty());

    let renamed = json!({"path": "drafts/一.md", "to": "new/1.md"});
    done(act(&desk, "files.move", renamed));
    assert_eq!(text(desk.granted.join("new/1.md")), "one");
}

#[test]
fn nothing_that_stands_somewhere_is_replaced() {
    let desk = Desk::new();
    let (from, to) = (desk.write("a.txt", "a"), desk.write("b.txt", "b"));
    desk.write("folder/b.txt", "c");
    for (tool, args) in [
        ("files.move", json!({"path": "a.txt", "to": "b.txt"})),
        ("files.copy", json!({"path": "a.txt", "to": "b.txt"})),
        ("files.move", json!({"path": "b.txt", "to": "folder"})),
        ("files.copy", json!({"path": "folder", "to": "b.txt"})),
        ("files.make_folder", json!({"path": "b.txt"})),
    ] {
        let outcome = act(&desk, tool, args);
        assert_eq!(error_of(&outcome).0, "FileExistsError", "{outcome:?}");
    }
    assert_eq!((text(from), text(to)), ("a".to_owned(), "b".to_owned()));
    // What came there since keeps its place when the move is taken back.
    let args = json!({"path": "a.txt", "to": "moved.txt"});
    done(act(&desk, "files.move", args.clone()));
    desk.write("a.txt", "the user's own");
    let refused = undo(&desk, "files.move", args).unwrap_err();
    assert!(matches!(refused, ToolError::Exists(_)), "{refused}");
    assert_eq!(text(desk.granted.join("a.txt")), "the user's own");
    assert_eq!(text(desk.granted.join("moved.txt")), "a");
}

#[test]
fn what_was_changed_since_stays_where_it_went() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let moved = json!({"path": "a.txt", "to": "b.txt"});
    done(act(&desk, "files.move", moved.clone()));
    desk.write("b.txt", "longer than before");
    let refused = undo(&desk, "files.move", moved).unwrap_err();
    assert!(matches!(refused, ToolError::Altered(_)), "{refused}");
    let copied = json!({"path": "b.txt", "to": "copies/c.txt"});
    done(act(&desk, "files.copy", copied.clone()));
    desk.write("copies/c.txt", "written into since");
    assert!(undo(&desk, "files.copy", copied).is_err());
    assert_eq!(text(desk.granted.join("copies/c.txt")), "written into since");
}

#[test]
fn a_move_that_is_repeated_after_a_crash_happens_once() {
    let desk = Desk::new();
    desk.write("a/x.txt", "x");
    let args = json!({"path": "a", "to": "b"});
    let decided = decided(&desk, "files.move", &args);
    let first = done(perform(&decided, &permitted(&desk, "files.move", &args)).unwrap());
    // The crash came after the move: `b` is a folder now, and nothing goes into it.
    let again = perform(&decided, &permitted(&desk, "files.move", &args)).unwrap();
    assert_eq!((again.data, again.summary), (first.data, first.summary));
    assert_eq!(names(&desk.granted.join("b")), ["x.txt"]);
    // The crash came before the move: the record is there, and the folder as it was.
    fs::rename(desk.granted.join("b"), desk.granted.join("a")).unwrap();
    done(perform(&decided, &permitted(&desk, "files.move", &args)).unwrap());
    assert_eq!(text(desk.granted.join("b/x.txt")), "x");
    // Somebody else's thing has come there instead.
    fs::remove_dir_all(desk.granted.join("b")).unwrap();
    desk.write("b", "theirs");
    let outcome = perform(&decided, &permitted(&desk, "files.move", &args)).unwrap();
    assert!(error_of(&outcome).1.contains("somebody else"), "{outcome:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_deleted_lies_in_the_trash_and_comes_back() {
    let desk = Desk::new();
    desk.write("notes/a.txt", "a");
    let trash = desk.beside.join("Trash");
    let args = json!({"path": "notes"});
    let outcome = done(act(&desk, "files.delete", args.clone()));
    assert_eq!(outcome.summary, "notes · in the trash");
    assert!(!desk.granted.join("notes").exists());
    assert_eq!(text(trash.join("files/notes/a.txt")), "a");
    let note = text(trash.join("info/notes.trashinfo"));
    assert!(
        note.contains(&format!("\nPath={}\n", desk.granted.join("notes").display())),
        "{note}"
    );
    // The same call after a crash.
    let again = done(act(&desk, "files.delete", args.clone()));
    assert_eq!(again.summary, outcome.summary);
    assert_eq!(names(&trash.join("files")), ["notes"]);
    undo(&desk, "files.delete", args).unwrap();
    assert_eq!(text(desk.granted.join("notes/a.txt")), "a");
    assert!(names(&trash.join("files")).is_empty() && names(&trash.join("info")).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_between_the_note_and_the_move_leaves_one_note() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let args = json!({"path": "a.txt"});
    done(act(&desk, "files.delete", args.clone()));
    let trash = desk.beside.join("Trash");
    fs::rename(trash.join("files/a.txt"), desk.granted.join("a.txt")).unwrap();
    done(act(&desk, "files.delete", args.clone()));
    assert_eq!(names(&trash.join("info")), ["a.txt.trashinfo"]);
    assert_eq!(names(&trash.join("files")), ["a.txt"]);
    // Emptied by the user: nothing comes back, and it is said.
    fs::remove_file(trash.join("files/a.txt")).unwrap();
    let refused = undo(&desk, "files.delete", args).unwrap_err();
    assert!(matches!(refused, ToolError::NothingKept(_)), "{refused}");
}

#[test]
fn without_a_trash_or_a_record_nothing_is_deleted() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let args = json!({"path": "a.txt"});
    let without_trash = Environment {
        trash: None,
        ..permitted(&desk, "files.delete", &args)
    };
    let without_record = Environment {
        change: None,
        ..permitted(&desk, "files.delete", &args)
    };
    for environment in [without_trash, without_record] {
        let outcome = perform(&call("files.delete", args.clone()), &environment).unwrap();
        assert!(outcome.error.is_some());
    }
    assert_eq!(text(desk.granted.join("a.txt")), "a");
    assert!(undo(&desk, "files.delete", args).is_err(), "nothing is on record");
}

#[test]
fn a_copy_is_whole_without_links_and_goes_when_it_is_taken_back() {
    let desk = Desk::new();
    let script = desk.write("tools/run.sh", "#!/bin/sh\n");
    desk.write("tools/node_modules/x/y.js", "y");
    fs::create_dir_all(desk.granted.join("tools/empty")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        symlink("/etc/passwd", desk.granted.join("tools/link")).unwrap();
    }
    let args = json!({"path": "tools", "to": "copy"});
    let decided = decided(&desk, "files.copy", &args);
    let environment = permitted(&desk, "files.copy", &args);
    let outcome = done(perform(&decided, &environment).unwrap());
    let left_out = u64::from(cfg!(unix));
    assert_eq!(
        outcome.data,
        json!({"path": "tools", "to": "copy", "files": 2, "bytes": 11, "left_out": left_out})
    );
    assert_eq!(text(desk.granted.join("copy/node_modules/x/y.js")), "y");
    assert!(desk.granted.join("copy/empty").is_dir());
    assert!(!desk.granted.join("copy/link").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(desk.granted.join("copy/run.sh"))
            .unwrap()
            .permissions();
        assert_ne!(mode.mode() & 0o100, 0);
    }
    assert_eq!(
        names(&desk.granted),
        ["copy", "tools"],
        "nothing is left beside it"
    );
    let again = done(perform(&decided, &environment).unwrap());
    assert_eq!(again.data, outcome.data);
    undo(&desk, "files.copy", args).unwrap();
    assert_eq!(names(&desk.granted), ["tools"]);
    assert!(script.exists());
}

#[cfg(unix)]
#[test]
fn what_a_crash_left_of_a_copy_is_taken_away_by_the_next() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let target = crate::safe_path::SafeWriter::at(&desk.granted.join("b.txt"), Path::new("b.txt")).unwrap();
    desk.write(&format!("{}/content/half", target.beside()), "half");
    done(act(&desk, "files.copy", json!({"path": "a.txt", "to": "b.txt"})));
    assert_eq!(names(&desk.granted), ["a.txt", "b.txt"]);
}

#[test]
fn a_folder_is_made_once_and_goes_only_while_it_is_empty() {
    let desk = Desk::new();
    let args = json!({"path": "a/b"});
    let outcome = done(act(&desk, "files.make_folder", args.clone()));
    assert_eq!(outcome.data, json!({"path": "a/b", "created": true}));
    let again = done(act(&desk, "files.make_folder", args.clone()));
    assert_eq!(again.data, outcome.data);
    desk.write("a/b/x", "x");
    let refused = undo(&desk, "files.make_folder", args.clone()).unwrap_err();
    assert!(matches!(refused, ToolError::Altered(_)), "{refused}");
    fs::remove_file(desk.granted.join("a/b/x")).unwrap();
    undo(&desk, "files.make_folder", args).unwrap();
    assert!(!desk.granted.join("a/b").exists());
    let there = done(act(&desk, "files.make_folder", json!({"path": "a"})));
    assert_eq!(there.data["created"], false);
}

#[test]
fn what_must_stay_stays() {
    let desk = Desk::new();
    desk.write("shidi/data.db", "own");
    desk.write("kept/secret.txt", "secret");
    let own = desk.granted.join("shidi");
    let secret = desk.granted.join("kept/secret.txt").display().to_string();
    let stays = |tool: &str, args: Value, kind: &str| {
        let environment = Environment {
            own: Some(own.clone()),
            withheld: DeniedPaths::by({
                let secret = secret.clone();
                move |path| path == secret
            }),
            ..permitted(&desk, tool, &args)
        };
        let outcome = perform(&call(tool, args), &environment).unwrap();
        assert_eq!(error_of(&outcome).0, kind, "{outcome:?}");
    };
    stays("files.delete", json!({"path": "."}), "PermissionError");
    stays("files.move", json!({"path": ".", "to": "x"}), "ValueError");
    stays("files.delete", json!({"path": "shidi"}), "PermissionError");
    stays("files.delete", json!({"path": "kept"}), "PermissionError");
    stays(
        "files.move",
        json!({"path": "kept", "to": "open"}),
        "PermissionError",
    );
    stays(
        "files.move",
        json!({"path": "kept", "to": "kept/in"}),
        "ValueError",
    );
    stays(
        "files.move",
        json!({"path": "nothing", "to": "x"}),
        "FileNotFoundError",
    );
    assert_eq!(names(&desk.granted), ["kept", "shidi"]);
    // A copy leaves out what the rules keep back, and says so.
    let args = json!({"path": "kept", "to": "open"});
    let environment = Environment {
        withheld: DeniedPaths::by(move |path| path == secret),
        ..permitted(&desk, "files.copy", &args)
    };
    let outcome = done(perform(&call("files.copy", args), &environment).unwrap());
    assert_eq!(outcome.data["left_out"], 1);
    assert!(names(&desk.granted.join("open")).is_empty());
}

#[cfg(unix)]
#[test]
fn no_link_leads_a_move_out_of_the_granted_folder_and_links_themselves_stay() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    desk.write("a.txt", "a");
    fs::write(desk.beside.join("theirs.txt"), "theirs").unwrap();
    symlink(&desk.beside, desk.granted.join("out")).unwrap();
    symlink(desk.beside.join("theirs.txt"), desk.granted.join("link.txt")).unwrap();
    for (tool, args) in [
        ("files.move", json!({"path": "a.txt", "to": "out"})),
        ("files.move", json!({"path": "a.txt", "to": "out/a.txt"})),
        ("files.copy", json!({"path": "a.txt", "to": "out/a.txt"})),
        ("files.move", json!({"path": "out/theirs.txt", "to": "mine.txt"})),
        ("files.copy", json!({"path": "out/theirs.txt", "to": "mine.txt"})),
        ("files.delete", json!({"path": "out/theirs.txt"})),
        ("files.delete", json!({"path": "link.txt"})),
        ("files.delete", json!({"path": "out"})),
        ("files.make_folder", json!({"path": "out/new"})),
        ("files.zip", json!({"path": "out", "to": "all.zip"})),
    ] {
        let outcome = act(&desk, tool, args.clone());
        assert!(outcome.error.is_some(), "{tool} {args}");
    }
    assert_eq!(names(&desk.granted), ["a.txt", "link.txt", "out"]);
    assert_eq!(text(desk.beside.join("theirs.txt")), "theirs");
}

#[test]
fn both_places_decide_how_far_a_call_reaches() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let beside = desk.beside.join("x.txt");
    let beside = beside.to_str().unwrap();
    let class = |tool: &str, args: Value| class_of(&call(tool, args), &desk.environment());
    assert_eq!(
        class("files.move", json!({"path": "a.txt", "to": "b.txt"})),
        Class::Write
    );
    for (tool, args) in [
        ("files.move", json!({"path": "a.txt", "to": beside})),
        ("files.move", json!({"path": beside, "to": "a.txt"})),
        ("files.copy", json!({"path": beside, "to": "b.txt"})),
        (
            "files.copy",
            json!({"path": "a.txt", "to": ".git/hooks/post-commit"}),
        ),
        ("files.move", json!({"path": ".env", "to": "env.txt"})),
        ("files.delete", json!({"path": beside})),
        ("files.unzip", json!({"path": "a.zip", "to": beside})),
    ] {
        assert_eq!(class(tool, args.clone()), Class::WriteOutside, "{tool} {args}");
    }
    // What was attached is there to be read, and so to be copied.
    let environment = Environment {
        attached: vec![desk.beside.join("x.txt")],
        ..desk.environment()
    };
    fs::write(desk.beside.join("x.txt"), "x").unwrap();
    let copied = call("files.copy", json!({"path": beside, "to": "b.txt"}));
    assert_eq!(class_of(&copied, &environment), Class::Write);
    // A place other than the decided one is not reached.
    fs::create_dir_all(desk.granted.join("sub")).unwrap();
    let mut decided = placed(
        call("files.move", json!({"path": "a.txt", "to": "sub"})),
        &desk.environment(),
    );
    assert_eq!(
        decided.places["to"],
        desk.granted.join("sub/a.txt").display().to_string()
    );
    decided.places.insert(
        "to".to_owned(),
        desk.granted.join("elsewhere").display().to_string(),
    );
    let outcome = perform(&decided, &permitted(&desk, "files.move", &json!({}))).unwrap();
    assert!(
        error_of(&outcome).1.contains("elsewhere than when"),
        "{outcome:?}"
    );
}

#[test]
fn a_move_with_leave_reaches_outside() {
    let desk = Desk::new();
    desk.write("a.txt", "a");
    let to = desk.beside.join("there/a.txt");
    let args = json!({"path": "a.txt", "to": to});
    let environment = Environment {
        permitted: Class::WriteOutside,
        change: Some(Arc::new(InFolder(desk.beside.join("record")))),
        ..permitted(&desk, "files.move", &args)
    };
    done(perform(&call("files.move", args.clone()), &environment).unwrap());
    assert_eq!(text(&to), "a");
    drop(kept(&desk, "files.move", &args));
}
