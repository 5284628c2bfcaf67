//! Tasks that put files elsewhere: shown with both places where they are asked about, taken back by the user in another
//! process, and neither lost nor doubled by a kill.

use crate::crash::Dice;
use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Files that are moved by the program that is killed.
const MOVED: usize = 24;

/// Kills of one test run.
const KILLS: u64 = 4;

fn doing<const COUNT: usize>(programs: [&str; COUNT]) -> ModelServer {
    let programs = programs.map(|program| Answer::Text(format!("```python\n{program}\n```")));
    ModelServer::start(programs.into_iter().chain([Answer::Text("Done.".into())]))
}

fn granted(desk: &Desk) -> PathBuf {
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn arguments(desk: &Desk) -> [String; 5] {
    let folder = granted(desk).display().to_string();
    ["ask", "--json", "--folder", &folder, "Tidy the folder"].map(str::to_owned)
}

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = names
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_task_moved_copied_packed_and_deleted_is_listed_and_taken_back() {
    let server = doing(["await files.make_folder(path='archive')\n\
         await files.move(path='draft.md', to='archive')\n\
         await files.copy(path='archive', to='copy')\n\
         await files.zip(path='archive', to='archive.zip')\n\
         await files.unzip(path='archive.zip', to='out')\n\
         print((await files.delete(path='tmp')).data)"]);
    let desk = Desk::with_model(&server.url());
    let work = granted(&desk);
    fs::write(work.join("draft.md"), "# Draft\n").unwrap();
    fs::create_dir_all(work.join("tmp/deep")).unwrap();
    fs::write(work.join("tmp/deep/x.bin"), [0, 1, 2]).unwrap();
    let printed = done(desk.run(arguments(&desk)));
    assert!(!printed.stdout.contains("approval_needed"), "{}", printed.stdout);
    for shown in [
        "draft.md → archive/draft.md",
        "copy · new, 1 file",
        "archive.zip · new, 1 file",
        "out · new, 1 file",
        "tmp · in the trash",
    ] {
        assert!(printed.stdout.contains(shown), "{shown}: {}", printed.stdout);
    }
    assert_eq!(names(&work), ["archive", "archive.zip", "copy", "out"]);
    let trash = desk.path(".local/share/Trash");
    assert_eq!(names(&trash.join("files")), ["tmp"]);

    let listed = done(desk.run(["--json", "changes"])).json();
    let kinds: Vec<_> = listed
        .iter()
        .map(|change| change["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["delete", "unpack", "write", "copy", "move", "make_folder"]
    );
    assert!(
        listed[2]["bytes"]["after"].as_u64().unwrap() > 100,
        "{}",
        listed[2]
    );
    let told = done(desk.run(["changes"])).stdout;
    assert!(told.contains("in the trash") && !told.contains("+0"), "{told}");
    assert!(told.contains("/draft.md → "), "{told}");
    // Newest first, each in a process of its own.
    for change in &listed {
        done(desk.run(["changes", "undo", change["id"].as_str().unwrap()]));
    }
    assert_eq!(names(&work), ["draft.md", "tmp"]);
    assert_eq!(fs::read(work.join("tmp/deep/x.bin")).unwrap(), [0, 1, 2]);
    assert!(names(&trash.join("files")).is_empty() && names(&trash.join("info")).is_empty());
}

#[test]
fn where_it_is_asked_about_the_card_names_both_places_and_outside_it_always_is() {
    for (to, mode, class) in [("b.txt", "ask", "write"), ("../b.txt", "trust", "write_outside")] {
        let server = doing([&format!("await files.move(path='a.txt', to='{to}')")]);
        let desk = Desk::with_model(&server.url());
        let work = granted(&desk);
        fs::write(work.join("a.txt"), "a").unwrap();
        let asked = [&arguments(&desk)[..], &["--mode".to_owned(), mode.to_owned()]].concat();
        let printed = desk.run(asked);
        assert_eq!(printed.code, Some(3), "{}{}", printed.stdout, printed.stderr);
        let card = printed.event("approval_needed");
        assert_eq!(card["class"], class);
        assert_eq!(card["args"]["path"], "a.txt");
        assert_eq!(card["args"]["to"], to);
        assert!(work.join("a.txt").exists());
        let run = card["run"].as_str().unwrap().to_owned();
        done(desk.run(["approve", &run, &card["call"].to_string()]));
        assert_eq!(fs::read_to_string(work.join(to)).unwrap(), "a");
        assert!(!work.join("a.txt").exists());
    }
}

#[test]
fn a_plain_question_is_not_told_of_moving_and_one_with_a_folder_is() {
    let server = ModelServer::repeating(Answer::Text("Done.".into()));
    let desk = Desk::with_model(&server.url());
    done(desk.run(["ask", "--json", "Hello"]));
    done(desk.run(arguments(&desk)));
    let requests = server.requests();
    let is_told = |request: Option<&Value>| request.unwrap().to_string().contains("make_folder");
    assert!(!is_told(requests.first()) && is_told(requests.last()));
}

#[test]
fn a_kill_in_the_middle_of_moving_loses_and_doubles_nothing() {
    let program = format!(
        "for number in range({MOVED}):\n    await files.move(path=f'{{number:02}}.txt', to=f'moved/{{number:02}}.txt')\n\
         print('all')"
    );
    let mut dice = Dice(7);
    for kill in 0..KILLS {
        let server = doing([&program]);
        let desk = Desk::with_model(&server.url());
        let work = granted(&desk);
        for number in 0..MOVED {
            fs::write(work.join(format!("{number:02}.txt")), format!("text {number}")).unwrap();
        }
        let calls = 1 + dice.below(MOVED as u64 - 2);
        killed(&desk, calls, Duration::from_micros(dice.below(3_000)));
        let both = [names(&work), names(&work.join("moved"))].concat();
        let files = both.iter().filter(|name| name.ends_with(".txt")).count();
        assert_eq!(files, MOVED, "kill {kill} after {calls} calls: {both:?}");
        // 2: the answer was durable and only its event was not seen.
        let resumed = desk.run(["resume", "--json"]);
        assert!(
            matches!(resumed.code, Some(0 | 2)),
            "kill {kill}: {}{}",
            resumed.stdout,
            resumed.stderr
        );
        assert_eq!(
            names(&work.join("moved")).len(),
            MOVED,
            "kill {kill} after {calls} calls"
        );
        let listed = done(desk.run(["--json", "changes"])).json();
        assert_eq!(listed.len(), MOVED);
        for change in &listed {
            done(desk.run(["changes", "undo", change["id"].as_str().unwrap()]));
        }
        assert!(names(&work.join("moved")).is_empty());
        let texts = (0..MOVED).all(|number| {
            let text = fs::read_to_string(work.join(format!("{number:02}.txt")));
            text.is_ok_and(|text| text == format!("text {number}"))
        });
        assert!(texts, "kill {kill}");
    }
}

/// Asks, and kills the process after so many calls and a moment more.
fn killed(desk: &Desk, calls: u64, more: Duration) {
    let mut child = desk.spawn(arguments(desk), Stdio::null());
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let lines = stdout.lines().map_while(Result::ok);
    let seen = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    let mut done = seen.filter(|event| event["type"] == "call_done");
    if done.nth(usize::try_from(calls).unwrap()).is_some() {
        std::thread::sleep(more); // the random moment itself
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
