//! An assistant's file from the command line: a file to begin with, and the user's own editor, which spoils nothing that is kept.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

/// A desk whose editor makes one change by `sed`.
fn editing(change: &str) -> Desk {
    let mut desk = Desk::new();
    desk.set("EDITOR", &format!("sed -i '{change}'"));
    // Drafts that stay go with the desk.
    let folder = desk.path("").display().to_string();
    desk.set("TMPDIR", &folder);
    desk
}

fn shown(desk: &Desk, name: &str) -> Value {
    done(desk.run(["assistant", "--json", "show", name])).json()[0].clone()
}

/// The files in the user's folder.
fn files(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.data().join("assistants"))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_new_one_is_printed_first_kept_where_that_is_said_and_asked_at_once() {
    let server = ModelServer::repeating(Answer::Text("Soup.".to_owned()));
    let desk = Desk::with_model(&server.url());
    for language in ["en", "zh"] {
        let printed = done(desk.run(["--lang", language, "assistant", "new", "my-cook"]));
        assert!(printed.stderr.contains("--save"), "{printed:?}");
        let path = desk.path("new.yaml");
        fs::write(&path, &printed.stdout).unwrap();
        done(desk.run(["assistant", "check", path.to_str().unwrap()]));
    }
    assert_eq!(files(&desk), [""; 0], "nothing is kept by looking");
    let printed = done(desk.run(["--json", "assistant", "new", "my-cook"])).json();
    assert!(printed[0]["text"].as_str().unwrap().contains("name: 'my-cook'"));
    let kept = done(desk.run(["--json", "assistant", "new", "my-cook", "--save"])).json();
    assert_eq!(
        (&kept[0]["name"], &kept[0]["problem"]),
        (&"my-cook".into(), &Value::Null)
    );
    assert_eq!(files(&desk), ["my-cook.yaml"]);
    done(desk.run(["ask", "--assistant", "my-cook", "hello"]));
    assert!(server.last_prompt().contains("You help with one kind of task."));
    for (name, words) in [
        ("my-cook", "already"),
        ("translator", "already"),
        ("shidi", "already"),
        ("Bad Name", "small letters"),
        ("", "small letters"),
    ] {
        for more in [&[][..], &["--save"][..]] {
            let refused = desk.run([&["assistant", "new", name][..], more].concat());
            assert_eq!(refused.code, Some(2), "{name}: {refused:?}");
            assert!(refused.stderr.contains(words), "{name}: {refused:?}");
        }
    }
    assert_eq!(files(&desk), ["my-cook.yaml"]);
}

#[test]
#[cfg(unix)]
fn an_edit_is_kept_as_its_users_own_word_and_one_that_changes_nothing_leaves_nothing() {
    let desk = editing("s/one kind of task/soup/");
    done(desk.run(["assistant", "new", "my-cook", "--save"]));
    let kept = done(desk.run(["--json", "assistant", "edit", "my-cook"])).json();
    assert_eq!(
        (&kept[0]["trust"], &kept[0]["problem"]),
        (&"reviewed".into(), &Value::Null)
    );
    let text = shown(&desk, "my-cook")["text"].as_str().unwrap().to_owned();
    assert!(text.contains("You help with soup."), "{text}");
    // The same once more finds nothing to change.
    let again = done(desk.run(["assistant", "edit", "my-cook"]));
    assert!(again.stderr.contains("Nothing was changed"), "{again:?}");
    assert_eq!(shown(&desk, "my-cook")["text"], text);
    let other = done(desk.run(["assistant", "edit", "translator"]));
    assert!(other.stderr.contains("Nothing was changed"), "{other:?}");
    assert_eq!(shown(&desk, "translator")["assistant"]["source"], "built_in");
    assert_eq!(files(&desk), ["my-cook.yaml"], "no copy is left behind");
}

#[test]
#[cfg(unix)]
fn of_one_that_comes_along_a_copy_is_edited_in_the_users_folder() {
    let desk = editing("s/^memory: own$/memory: none/");
    let before = shown(&desk, "translator")["text"].as_str().unwrap().to_owned();
    done(desk.run(["assistant", "edit", "translator"]));
    let after = shown(&desk, "translator");
    assert_eq!(after["assistant"]["source"], "user");
    assert_eq!(
        after["text"],
        before.replace("\nmemory: own\n", "\nmemory: none\n").as_str()
    );
    assert_eq!(files(&desk), ["translator.yaml"]);
    done(desk.run(["assistant", "remove", "translator", "--yes"]));
    assert_eq!(shown(&desk, "translator")["text"], before.as_str());
    let usual = desk.run(["assistant", "edit", "shidi"]);
    assert_eq!(usual.code, Some(2), "{usual:?}");
    assert!(usual.stderr.contains("usual assistant"), "{usual:?}");
}

#[test]
#[cfg(unix)]
fn a_broken_edit_keeps_the_old_one_tells_line_and_remedy_and_loses_no_word() {
    let desk = editing("s/^memory: own$/memory: evrything/");
    let before = done(desk.run(["assistant", "new", "my-cook"])).stdout;
    done(desk.run(["assistant", "new", "my-cook", "--save"]));
    let line = 1 + before.lines().position(|line| line == "memory: own").unwrap();
    for (language, remedy) in [("en", "There are: own"), ("zh", "own")] {
        let broken = desk.run(["--lang", language, "assistant", "edit", "my-cook"]);
        assert_eq!(broken.code, Some(2), "{broken:?}");
        assert!(
            broken.stdout.contains(&format!("my-cook.yaml:{line}:9: ")) && broken.stdout.contains(remedy),
            "{broken:?}"
        );
        assert_eq!(shown(&desk, "my-cook")["text"], before.as_str());
        // What was written lies where that is said.
        let draft = broken
            .stderr
            .split_whitespace()
            .find(|word| word.contains("shidi-assistant-"));
        let draft = draft.unwrap_or_else(|| panic!("{broken:?}"));
        let start = draft.find('/').unwrap();
        let draft = fs::read_to_string(&draft[start..]).unwrap();
        assert!(draft.contains("memory: evrything"), "{draft}");
    }
    // One that comes along stays what it is, and no copy is left.
    let shipped = desk.run(["assistant", "edit", "translator"]);
    assert_eq!(shipped.code, Some(2), "{shipped:?}");
    assert_eq!(shown(&desk, "translator")["assistant"]["source"], "built_in");
    assert_eq!(files(&desk), ["my-cook.yaml"]);
}

#[test]
#[cfg(unix)]
fn an_edit_keeps_the_name_and_an_editor_that_fails_changes_nothing() {
    let mut desk = editing("s/^name: .*/name: other/");
    done(desk.run(["assistant", "new", "my-cook", "--save"]));
    let renamed = desk.run(["assistant", "edit", "my-cook"]);
    assert_eq!(renamed.code, Some(2), "{renamed:?}");
    assert!(
        renamed.stdout.contains("my-cook.yaml:3:1: ") && renamed.stdout.contains("Write name: my-cook"),
        "{renamed:?}"
    );
    assert_eq!(files(&desk), ["my-cook.yaml"]);
    // The first variable counts.
    desk.set("VISUAL", "false");
    let failed = desk.run(["assistant", "edit", "my-cook"]);
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert!(failed.stderr.contains("The editor false failed"), "{failed:?}");
    // What no editor should write is still its user's text.
    desk.set("VISUAL", "printf 'name: \\377' >");
    let unread = desk.run(["assistant", "edit", "my-cook"]);
    assert_eq!(unread.code, Some(2), "{unread:?}");
    assert!(unread.stderr.contains("shidi-assistant-"), "{unread:?}");
    let none = Desk::new().run(["assistant", "edit", "translator"]);
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.stderr.contains("export EDITOR="), "{none:?}");
    let nobody = desk.run(["assistant", "edit", "nosuch"]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
    assert!(
        nobody.stderr.contains("There is no assistant nosuch"),
        "{nobody:?}"
    );
}
