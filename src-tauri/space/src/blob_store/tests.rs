//! Files of sessions: kept once, gone with the last session, whole whenever a process ends, taken over from before.

use super::*;
use crate::config::Config;
use crate::home::Home;
use crate::shared::Shared;
use crate::usage::Spending;
use serde_json::json;
use shidi_models::KeyRing;
use shidi_protocol::{LookAt, LookOutcome, LookRecord, Mode};
use shidi_store::{OpenOptions, RunState, Session, Store, TAKEN_OVER};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// A data folder whose space lasts until it is dropped.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn write(&self, below: &str, content: &str) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Does `work` as a process with this data folder would.
    fn with<T>(&self, work: impl FnOnce(&Space) -> T) -> T {
        in_space(self.folder.path(), work)
    }

    /// Whether any file of the folder, the database among them, holds these words.
    fn holds(&self, words: &str) -> bool {
        holds(self.folder.path(), words)
    }
}

fn in_space<T>(folder: &Path, work: impl FnOnce(&Space) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    let home = Home::open(Some(folder.to_owned()), Language::En).unwrap();
    let store = Store::open(&home.database(), OpenOptions::default()).unwrap();
    let config = Config::read(&home.config(), Language::En).unwrap();
    let spending = Spending::new(store.clone());
    let shared = Shared::new((config, folder), KeyRing::new(), spending, None, Language::En).unwrap();
    work(&Space::new(Arc::new(shared), store, home, None))
}

fn holds(folder: &Path, words: &str) -> bool {
    fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        match path.is_dir() {
            true => entry.file_name().to_string_lossy().contains(words) || holds(&path, words),
            false => {
                let bytes = fs::read(&path).unwrap();
                entry.file_name().to_string_lossy().contains(words)
                    || bytes.windows(words.len()).any(|some| some == words.as_bytes())
            }
        }
    })
}

fn begin(space: &Space, session: &str) -> SessionId {
    let id = SessionId::from(session);
    let row = Session {
        id: id.clone(),
        created: Moment(1),
        updated: Moment(1),
        title: String::new(),
        is_named: false,
        folders: Vec::new(),
        mode: Mode::Risky,
    };
    space.store.commit(Write::PutSession(row)).unwrap();
    id
}

/// A run whose question named these files; `null` for a state that can't be read.
fn asked(space: &Space, session: &str, run: &str, files: &serde_json::Value) {
    let state = match files.is_null() {
        true => json!({"mind": "?"}),
        false => {
            let mut state = storage::state_of_stranger("what?", Moment(1), None);
            state["ask"]["files"] = files.clone();
            state
        }
    };
    let row = RunState {
        run: RunId::from(run.to_owned()),
        session: SessionId::from(session),
        parent: None,
        status: None,
        state,
        question: String::new(),
        usage: Default::default(),
        offline: false,
        waiting: Vec::new(),
        started: Moment(1),
        ended: None,
        reason: None,
        error: None,
        seq: 0,
        build: String::new(),
    };
    space.store.commit(Write::PutRun(Box::new(row))).unwrap();
}

fn owner<'a>(session: &'a SessionId, run: &'a RunId, name: &str) -> Owner<'a> {
    Owner {
        session: Some(session),
        run,
        purpose: BlobPurpose::Capture,
        name: name.to_owned(),
    }
}

fn keep_in(space: &Space, session: &SessionId, name: &str, content: &str) -> PathBuf {
    let run = RunId::from("r".to_owned());
    let owner = owner(session, &run, &format!("{session} {name} {content}"));
    keep_for(space, name, content.as_bytes(), owner, Vec::new()).unwrap()
}

#[test]
fn a_file_lies_under_its_content_by_the_name_that_people_gave_it() {
    let desk = Desk::new();
    desk.with(|space| {
        let path = keep(space, "报告.txt", b"abc", None).unwrap();
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(path, desk.path(&format!("blobs/{hash}/报告.txt")));
        assert_eq!(keep(space, "报告.txt", b"abc", None).unwrap(), path);
        // What somebody changed by hand is not what its name says.
        fs::write(&path, "changed").unwrap();
        keep(space, "报告.txt", b"abc", None).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        let of = |address| keep(space, "page.html", b"abc", Some(address)).unwrap();
        let (one, other) = (of("https://one.example/"), of("https://other.example/"));
        assert_ne!(one.parent(), other.parent(), "the same page of two addresses");
        assert_eq!(address_of(&one).as_deref(), Some("https://one.example/"));
        assert_eq!(address_of(&path), None);
    });
}

#[test]
fn a_session_takes_its_files_along_and_no_others() {
    let desk = Desk::new();
    desk.with(|space| {
        let (one, other) = (begin(space, "one"), begin(space, "other"));
        let own = keep_in(space, &one, "own.txt", "of the one");
        let shared = keep_in(space, &one, "salary of lin.txt", "of both");
        let twin = keep_in(space, &other, "b.txt", "of both");
        assert_eq!(shared.parent(), twin.parent());
        let pasted = keep(space, "pasted.txt", b"pasted", None).unwrap();
        let run = RunId::from("r1".to_owned());
        let paths = [pasted.display().to_string(), "/etc/hostname".to_owned()];
        refer(space, &one, &run, &paths).unwrap();
        delete_session(space, &one).unwrap();
        assert!(!own.exists() && !pasted.exists());
        assert!(
            twin.is_file() && !shared.exists(),
            "the name is the first one's alone"
        );
        delete_session(space, &other).unwrap();
        assert!(!desk.path("blobs").exists());
    });
    assert!(!desk.holds("of the one") && !desk.holds("of both") && !desk.holds("salary"));
}

#[test]
fn what_is_taken_back_goes_unless_something_else_has_it_too() {
    let desk = Desk::new();
    desk.with(|space| {
        let one = begin(space, "one");
        let first = keep_in(space, &one, "a.txt", "same");
        let second = keep_in(space, &one, "b.txt", "same");
        let owner = "one b.txt same";
        let rows = Write::Blob(BlobWrite::TakeBack {
            purpose: BlobPurpose::Capture,
            owner: owner.to_owned(),
        });
        take_back(space, BlobPurpose::Capture, owner, rows).unwrap();
        assert!(first.is_file() && !second.exists());
        assert_eq!(file_of(space, BlobPurpose::Capture, owner).unwrap(), None);
    });
}

#[test]
fn what_was_pasted_and_never_sent_goes_after_its_time_and_what_was_sent_stays() {
    let desk = Desk::new();
    let day_ms = i64::try_from(UNSENT_KEPT.as_millis()).unwrap();
    let (old, new, sent) = desk.with(|space| {
        let old = keep(space, "old.txt", b"old", None).unwrap();
        let new = keep(space, "new.txt", b"new", None).unwrap();
        let sent = keep(space, "sent.txt", b"sent", None).unwrap();
        let since = Moment(clock::now().0 - day_ms - 1);
        for path in [&old, &sent] {
            let place = file_at(&desk.path(""), path).unwrap().place;
            let aged = BlobWrite::Keep { place, since };
            space.store.commit(Write::Blob(aged)).unwrap();
        }
        let session = begin(space, "one");
        refer(
            space,
            &session,
            &RunId::from("r".to_owned()),
            &[sent.display().to_string()],
        )
        .unwrap();
        (old, new, sent)
    });
    desk.with(|space| sweep(space).unwrap());
    assert!(!old.exists() && new.is_file() && sent.is_file());
}

#[test]
fn what_a_crash_leaves_without_a_row_is_removed_by_the_next_start() {
    let desk = Desk::new();
    let kept = desk.with(|space| keep_in(space, &begin(space, "one"), "kept.txt", "kept"));
    // Before its row was written; while it was written; after its row had gone.
    desk.write("blobs/0001/whole.txt", "no row yet");
    desk.write("blobs/0002/.tmpAb1", "half of it");
    fs::create_dir_all(desk.path("blobs/0003")).unwrap();
    desk.with(|space| sweep(space).unwrap());
    assert!(kept.is_file());
    assert_eq!(names_in(&desk.path("blobs")).len(), 1);
}

#[test]
fn files_of_an_earlier_layout_belong_to_the_sessions_whose_questions_name_them() {
    let desk = Desk::new();
    let named = desk.write("attachments/aa/named.txt", "named by the one");
    desk.write("attachments/aa/.address", "https://one.example/");
    let unsent = desk.write("attachments/bb/unsent.txt", "waits to be sent");
    let picture = desk.write("captures/look1.jpg", "pixels of the one");
    let stray = desk.write("captures/look2.jpg", "no ledger knows it");
    let look = LookRecord {
        id: "look1".to_owned(),
        time: Moment(1),
        what: LookAt::Monitor,
        app: String::new(),
        title: String::new(),
        width: 1,
        height: 1,
        blacked_out: 0,
        outcome: LookOutcome::Sent,
        session: Some(SessionId::from("one")),
    };
    desk.with(|space| {
        begin(space, "one");
        begin(space, "other");
        asked(space, "one", "r1", &json!([named]));
        asked(space, "other", "r2", &json!([]));
        space.store.commit(Write::PutLook(Box::new(look))).unwrap();
        sweep(space).unwrap();
        assert_eq!(address_of(&named).as_deref(), Some("https://one.example/"));
        let shown = file_of(space, BlobPurpose::Capture, "look1").unwrap();
        assert_eq!(shown.as_ref(), Some(&picture));
    });
    assert!(named.is_file() && unsent.is_file() && !stray.exists());
    desk.with(|space| delete_session(space, &SessionId::from("other")).unwrap());
    assert!(named.is_file() && picture.is_file());
    desk.with(|space| delete_session(space, &SessionId::from("one")).unwrap());
    assert!(!named.exists() && unsent.is_file() && !desk.path("captures").exists());
    assert!(!desk.holds("of the one") && !desk.holds("by the one"));
}

#[test]
fn a_run_that_can_not_be_read_keeps_what_it_may_have_named_until_it_goes() {
    let desk = Desk::new();
    let file = desk.write("attachments/aa/may be named.txt", "x");
    desk.with(|space| {
        begin(space, "one");
        begin(space, "other");
        asked(space, "one", "r1", &serde_json::Value::Null);
        delete_session(space, &SessionId::from("other")).unwrap();
        assert!(file.is_file());
        delete_session(space, &SessionId::from("one")).unwrap();
        assert!(!file.exists());
    });
}

#[test]
fn a_taking_over_that_ended_half_way_goes_on_and_is_done_once() {
    let desk = Desk::new();
    let files: Vec<PathBuf> = (0..3)
        .map(|number| desk.write(&format!("attachments/{number}/a.txt"), "x"))
        .collect();
    let reached = format!("{TAKEN_OVER}attachments.run");
    desk.with(|space| {
        begin(space, "one");
        for (number, file) in files.iter().enumerate() {
            asked(space, "one", &format!("r{number}"), &json!([file]));
        }
        // The process before had come to the first run, whose reference it wrote.
        let first = &[files[0].display().to_string()];
        refer(
            space,
            &SessionId::from("one"),
            &RunId::from("r0".to_owned()),
            first,
        )
        .unwrap();
        let value = json!("r0");
        let key = reached.clone();
        space.store.commit(Write::PutSetting { key, value }).unwrap();
        sweep(space).unwrap();
        assert_eq!(space.store.blobs_of(&SessionId::from("one")).unwrap().len(), 3);
        space.store.flush().unwrap();
        let done = space.store.setting(&format!("{TAKEN_OVER}attachments")).unwrap();
        assert_eq!(done, Some(json!(true)));
        assert_eq!(space.store.setting(&reached).unwrap(), Some(json!("r2")));
    });
    // A folder that comes from nowhere now is a stranger's.
    desk.write("attachments/9/a.txt", "x");
    desk.with(|space| sweep(space).unwrap());
    assert_eq!(names_in(&desk.path("attachments")).len(), 3);
}

const KILLED: &str = "SHIDI_TEST_KILLED_FILES";
const KILLS: usize = 12;
const SESSIONS: usize = 3;

/// Operations of the life that is killed: most keep a file in one of the sessions, each fourth deletes a session.
fn is_deletion(number: usize) -> bool {
    number % 4 == 3
}

fn session_of(number: usize) -> SessionId {
    SessionId::from(format!("s{}", number % SESSIONS))
}

fn content_of(number: usize) -> String {
    format!("content <{number}>")
}

/// Not a test of its own: what the killed process does.
#[test]
fn the_killed_process() {
    let Some(folder) = std::env::var_os(KILLED) else {
        return;
    };
    let (folder, first) = folder.to_str().unwrap().rsplit_once(':').unwrap();
    let first: usize = first.parse().unwrap();
    in_space(Path::new(folder), |space| {
        let mut stdout = std::io::stdout();
        for number in first..1_000_000 {
            let session = session_of(number);
            if is_deletion(number) {
                delete_session(space, &session).unwrap();
            } else {
                begin(space, session.as_str());
                keep_in(space, &session, "a.txt", &content_of(number));
            }
            writeln!(stdout, "acknowledged {number}").unwrap();
        }
    });
}

/// Kills a process after some operations from `first` on, and returns the first one that was not acknowledged.
fn killed(folder: &Path, first: usize, operations: usize) -> usize {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "blob_store::tests::the_killed_process", "--nocapture"])
        .env(KILLED, format!("{}:{first}", folder.display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let number = |line: String| line.split_once("acknowledged ")?.1.parse::<usize>().ok();
    let mut acknowledged = lines.map_while(Result::ok).filter_map(number);
    let mut next = first;
    while next < first + operations {
        next = acknowledged.next().expect("the child goes on until it is killed") + 1;
    }
    child.kill().unwrap();
    next = acknowledged.last().map_or(next, |last| last + 1);
    child.wait().unwrap();
    next
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_is_left_over_after_kill_9() {
    let desk = Desk::new();
    let mut next = 0;
    for kill in 0..KILLS {
        next = killed(desk.folder.path(), next, 1 + kill % 5 * 2);
        let kept = desk.with(|space| {
            sweep(space).unwrap();
            space.store.blobs().unwrap()
        });
        let mut there = places_in(desk.folder.path(), BLOBS);
        there.sort();
        assert_eq!(there, kept, "a row for each file, and a file for each row");
        for number in (0..next).filter(|number| !is_deletion(*number)) {
            let deletions = (number..next).filter(|at| is_deletion(*at));
            let is_deleted = deletions
                .into_iter()
                .any(|at| session_of(at) == session_of(number));
            // The operation after the last acknowledged one may have been done.
            let may_be_deleted = is_deletion(next) && session_of(next) == session_of(number);
            if is_deleted || !may_be_deleted {
                assert_eq!(desk.holds(&content_of(number)), !is_deleted, "{number} of {next}");
            }
        }
    }
}
