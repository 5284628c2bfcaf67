//! Tasks that change files: in the granted folder at once and shown, elsewhere with leave, and never beyond taking back.

use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::{Path, PathBuf};

/// A model that runs these programs one after the other, then is done.
fn doing<const COUNT: usize>(programs: [&str; COUNT]) -> ModelServer {
    let programs = programs.map(|program| Answer::Text(format!("```python\n{program}\n```")));
    ModelServer::start(programs.into_iter().chain([Answer::Text("Done.".into())]))
}

fn granted(desk: &Desk) -> PathBuf {
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn ask(desk: &Desk, more: &[&str]) -> Printed {
    let folder = granted(desk).display().to_string();
    desk.run([&["ask", "--json", "--folder", &folder], more, &["Tidy the notes"]].concat())
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

#[test]
fn the_setting_of_granted_folders_says_what_it_allows() {
    let server = doing([
        "print(await files.read(path='notes.txt'))\nawait files.write(path='new.md', text='# Notes\\n')",
    ]);
    let desk = Desk::with_model(&server.url());
    let folder = granted(&desk);
    fs::write(folder.join("notes.txt"), "one\n").unwrap();
    done(desk.run(["config", "set", "folders", &folder.display().to_string()]));
    let printed = desk.run(["ask", "--json", "Tidy the notes"]);
    assert!(
        folder.join("new.md").exists(),
        "{}{}",
        printed.stdout,
        printed.stderr
    );
    for (language, words) in [
        ("en", ["read", "change files", "commands"]),
        ("zh", ["读", "改文件", "命令"]),
    ] {
        let listed = done(desk.run(["--lang", language, "config", "list"])).stdout;
        let about = listed
            .split("\nfolders = ")
            .nth(1)
            .unwrap()
            .lines()
            .nth(1)
            .unwrap();
        for word in words {
            assert!(about.contains(word), "{about}");
        }
    }
}

#[test]
fn a_file_is_written_and_edited_without_asking_even_after_reading_a_strangers_words_and_put_back_by_the_user()
{
    let server = doing([
        "print(await files.read(path='notes.txt'))\nprint(await files.edit(path='notes.txt', old='teh', new='the'))\n\
         await files.write(path='new/index.md', text='# Notes\\n')",
    ]);
    let desk = Desk::with_model(&server.url());
    let notes = granted(&desk).join("notes.txt");
    fs::write(&notes, "teh harbour\r\n").unwrap();
    let printed = done(ask(&desk, &[]));
    assert!(!printed.stdout.contains("approval_needed"), "{}", printed.stdout);
    assert!(
        printed.stdout.contains("notes.txt · +1 −1 line"),
        "{}",
        printed.stdout
    );
    assert_eq!(fs::read_to_string(&notes).unwrap(), "the harbour\r\n");
    let index = granted(&desk).join("new/index.md");
    assert_eq!(fs::read_to_string(&index).unwrap(), "# Notes\n");

    let listed = done(desk.run(["--json", "changes"])).json();
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert_eq!(listed[0]["created"], true, "newest first");
    let edit = listed[1]["id"].as_str().unwrap();
    let shown = done(desk.run(["changes", "show", edit])).stdout;
    assert!(shown.contains("-teh harbour\n+the harbour\n"), "{shown}");
    done(desk.run(["changes", "undo", edit]));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "teh harbour\r\n");
    done(desk.run(["changes", "undo", listed[0]["id"].as_str().unwrap()]));
    assert!(!index.exists());
    let again = done(desk.run(["changes", "undo", edit]));
    assert!(again.stderr.contains("Taken back before"), "{}", again.stderr);
}

#[test]
fn what_lies_outside_or_is_hidden_waits_for_the_user_and_shidis_own_data_for_nobody() {
    for (path, code) in [("../beside.txt", 3), (".git/hooks/pre-commit", 3)] {
        let server = doing([&format!("await files.write(path='{path}', text='x')")]);
        let desk = Desk::with_model(&server.url());
        let printed = ask(&desk, &[]);
        assert_eq!(printed.code, Some(code), "{path}: {}", printed.stdout);
        assert_eq!(
            printed.event("approval_needed")["class"],
            "write_outside",
            "{path}"
        );
        assert!(!granted(&desk).join(path).exists());
        let call = printed.event("approval_needed")["call"].to_string();
        let run = printed.event("approval_needed")["run"]
            .as_str()
            .unwrap()
            .to_owned();
        done(desk.run(["approve", &run, &call]));
        assert_eq!(fs::read_to_string(granted(&desk).join(path)).unwrap(), "x");
    }
    let server = doing(["await files.write(path='../data/prompts/en/principles.xml', text='obey')"]);
    let desk = Desk::with_model(&server.url());
    let own = desk.data().join("prompts/en/principles.xml");
    let printed = ask(&desk, &["--mode", "trust"]);
    assert!(!own.exists(), "{}", printed.stdout);
    assert!(!printed.stdout.contains("approval_needed"), "{}", printed.stdout);
}

#[test]
fn deleting_a_conversation_erases_what_stood_in_its_files_before() {
    let server = doing(["await files.write(path='notes.txt', text='new')"]);
    let desk = Desk::with_model(&server.url());
    fs::write(granted(&desk).join("notes.txt"), "a secret of the old text").unwrap();
    done(ask(&desk, &[]));
    let kept = || fs::read_dir(desk.data().join("blobs")).map_or(0, Iterator::count);
    assert_eq!(kept(), 1);
    done(desk.run(["session", "delete", "last", "--yes"]));
    assert_eq!(kept(), 0);
    assert_eq!(
        fs::read_to_string(granted(&desk).join("notes.txt")).unwrap(),
        "new"
    );
}

#[test]
fn a_program_of_ones_own_changes_files_the_same_way() {
    let desk = Desk::new();
    let folder = granted(&desk);
    let program = "await files.write(path='a.txt', text='一')\nawait files.write(path='a.txt', text='二', append=True)\n\
                   (await files.read(path='a.txt'))";
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    let printed = done(desk.run_with(arguments, program));
    assert_eq!(printed.json()[0]["value"], "一二");
    done(desk.run(["changes", "undo", "last"]));
    assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "一");
}

/// A run that wrote four times: twice into a file that was there, then two new ones.
fn four_changes(desk: &Desk) -> (PathBuf, String) {
    let folder = granted(desk);
    fs::write(folder.join("kept.txt"), "before").unwrap();
    let program = "await files.write(path='kept.txt', text='one')\nawait files.write(path='kept.txt', text='two')\n\
                   await files.write(path='a.txt', text='a')\nawait files.write(path='b.txt', text='b')";
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    done(desk.run_with(arguments, program));
    let newest = done(desk.run(["--json", "changes"])).json().remove(0);
    let (run, _) = newest["id"].as_str().unwrap().split_once('/').unwrap();
    (folder, run.to_owned())
}

#[test]
fn all_that_a_run_changed_is_taken_back_at_once_and_what_stays_is_named_with_its_reason() {
    let desk = Desk::new();
    let (folder, run) = four_changes(&desk);
    fs::write(folder.join("b.txt"), "mine").unwrap();
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // Nobody is there to be asked.
    let unasked = desk.run(["changes", "undo", "--run", &run]);
    assert_eq!(
        (unasked.code, text("a.txt").as_str()),
        (Some(2), "a"),
        "{unasked:?}"
    );

    // What there is to look at is shown all the same.
    assert_eq!(unasked.stdout.lines().count(), 4, "{unasked:?}");
    assert!(unasked.stdout.contains("kept.txt"), "{unasked:?}");

    let undone = desk.run(["--lang", "en", "changes", "undo", "--run", &run, "--yes"]);
    assert_eq!(undone.code, Some(1), "{undone:?}");
    assert_eq!(
        (text("kept.txt").as_str(), text("b.txt").as_str()),
        ("before", "mine")
    );
    assert!(!folder.join("a.txt").exists());
    for said in [
        "3 changes taken back",
        "1 change could not be taken back",
        "Changed again since",
        "The file was new",
    ] {
        assert!(undone.stderr.contains(said), "{said}: {undone:?}");
    }
    let again = desk
        .run(["--json", "changes", "undo", "--run", &run, "--yes"])
        .json();
    assert_eq!(again[0]["undone"].as_array().map(Vec::len), Some(0), "{again:?}");
    let left = &again[0]["left"][0];
    assert!(
        left["change"]["path"].as_str().unwrap().ends_with("b.txt"),
        "{left}"
    );
    assert!(
        left["error"]["message"]
            .as_str()
            .is_some_and(|message| message.ends_with("b.txt")),
        "{left}"
    );

    fs::write(folder.join("b.txt"), "b").unwrap();
    done(desk.run(["changes", "undo", "--run", &run, "--yes"]));
    let nothing = done(desk.run(["--lang", "en", "changes", "undo", "--run", &run]));
    assert!(
        nothing.stdout.contains("Nothing of this run is left"),
        "{nothing:?}"
    );
}

#[test]
fn a_list_of_changes_says_how_many_it_leaves_out_and_can_be_of_one_run() {
    let desk = Desk::new();
    let (folder, first) = four_changes(&desk);
    let program = "await files.write(path='c.txt', text='c')\nawait files.write(path='c.txt', text='c')";
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    done(desk.run_with(arguments, program));
    let short = done(desk.run(["--lang", "en", "changes", "list", "--limit", "1"]));
    assert_eq!(short.stdout.lines().count(), 1, "{short:?}");
    assert!(!short.stdout.contains("+0"), "{short:?}");
    assert!(short.stderr.contains("5 older ones are not shown"), "{short:?}");
    assert!(short.stderr.contains("--limit N"), "{short:?}");
    let whole = done(desk.run(["changes"]));
    assert!(!whole.stderr.contains("--limit"), "{whole:?}");
    let of_first = done(desk.run(["--json", "changes", "list", "--run", &first])).json();
    assert_eq!(of_first.len(), 4, "{of_first:?}");
}

/// Programs of one's own, one after the other, that each write that text into a file; the ids of the changes.
fn written(desk: &Desk, folder: &Path, name: &str, texts: &[&str]) -> Vec<String> {
    let mut ids = Vec::new();
    for text in texts {
        let program = format!("await files.write(path='{name}', text='{text}')");
        let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
        done(desk.run_with(arguments, &program));
        let newest = done(desk.run(["--json", "changes", "list", "--limit", "1"])).json();
        ids.push(newest[0]["id"].as_str().unwrap().to_owned());
    }
    ids
}

#[test]
fn what_an_earlier_undo_has_taken_back_is_nothing_to_do_and_no_failure() {
    let desk = Desk::new();
    let folder = granted(&desk);
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for (name, language, said) in [
        ("a.txt", "en", "Taken back before"),
        ("b.txt", "zh", "已经撤销过"),
    ] {
        fs::write(folder.join(name), "old").unwrap();
        let ids = written(&desk, &folder, name, &["new", "new"]);
        done(desk.run(["changes", "undo", &ids[0]]));
        let again = done(desk.run(["--lang", language, "changes", "undo", &ids[1]]));
        assert!(again.stderr.contains(said), "{again:?}");
        assert_eq!(text(name), "old");
    }
    fs::write(folder.join("c.txt"), "old").unwrap();
    let ids = written(&desk, &folder, "c.txt", &["new", "new"]);
    done(desk.run(["changes", "undo", &ids[0]]));
    let (run, _) = ids[1].split_once('/').unwrap();
    let all = done(desk.run(["--lang", "en", "changes", "undo", "--run", run, "--yes"]));
    assert!(
        all.stderr.contains("1 change had been taken back before"),
        "{all:?}"
    );
    let listed = done(desk.run(["--json", "changes"])).json();
    assert!(listed.iter().all(|change| change["undone"] == true), "{listed:?}");

    // What a task wrote there since is no undo, though it is what stood there before.
    fs::write(folder.join("d.txt"), "old").unwrap();
    let ids = written(&desk, &folder, "d.txt", &["new", "old"]);
    let refused = desk.run(["--lang", "en", "changes", "undo", &ids[0]]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("Changed again since"), "{refused:?}");

    // Nor is what a task moved away taken back: it would be there again with the undo of that.
    let ids = written(&desk, &folder, "e.txt", &["new"]);
    let arguments = ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"];
    done(desk.run_with(arguments, "await files.move(path='e.txt', to='f.txt')"));
    let refused = desk.run(["--lang", "en", "changes", "undo", &ids[0]]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("Changed again since"), "{refused:?}");
    assert_eq!(text("f.txt"), "new");
}
