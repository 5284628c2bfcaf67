//! The data folder, the runtime's folder and its socket: closed to others, and nobody who only connects keeps a command from
//! ending.

use serde_json::json;
use shidi_tests::command::{Desk, Staying};
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A user who is nobody of ours.
const ANOTHER: u32 = 65_534;
const ENDS_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

/// Whether folders can be given to others here; says NOT RUN where they can't.
fn can_give_away(desk: &Desk) -> bool {
    let tried = desk.path("tried");
    fs::write(&tried, "").unwrap();
    let can = chown(&tried, Some(ANOTHER), None).is_ok();
    if !can {
        println!("NOT RUN: only root can give a folder to another user");
    }
    can
}

/// Where the runtime of this data folder listens, or last listened.
fn socket(desk: &Desk) -> PathBuf {
    fs::read_to_string(desk.data().join("lock"))
        .unwrap_or_default()
        .trim()
        .into()
}

/// A program of three seconds in a process of its own, whose socket is open.
fn at_work(desk: &Desk) -> (std::process::Child, UnixStream) {
    let mut child = desk.spawn(["exec", "-"], Stdio::piped());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"import time\ntime.sleep(3)").unwrap();
    drop(input);
    let stream = connected(desk);
    (child, stream)
}

fn connected(desk: &Desk) -> UnixStream {
    let until = Instant::now() + ENDS_WITHIN;
    loop {
        if let Ok(stream) = UnixStream::connect(socket(desk)) {
            return stream;
        }
        assert!(Instant::now() < until, "it never listened");
        std::thread::sleep(LOOK_EVERY);
    }
}

#[test]
fn a_data_folder_that_was_open_to_others_is_closed() {
    let desk = Desk::new();
    fs::create_dir_all(desk.data()).unwrap();
    fs::set_permissions(desk.data(), Permissions::from_mode(0o755)).unwrap();
    let listed = desk.run(["session", "list"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    assert_eq!(mode(&desk.data()), 0o700);
}

#[test]
fn a_data_folder_of_another_user_is_refused_with_the_way_out() {
    let desk = Desk::new();
    if !can_give_away(&desk) {
        return;
    }
    fs::create_dir_all(desk.data()).unwrap();
    chown(desk.data(), Some(ANOTHER), None).unwrap();
    let refused = desk.run(["session", "list"]);
    assert_eq!(refused.code, Some(5), "{}", refused.stderr);
    assert!(refused.stderr.contains("belongs to another user") && refused.stderr.contains("--data-dir"));
    let refused = desk.run(["--lang", "zh", "session", "list"]);
    assert!(refused.stderr.contains("属于另一个用户"), "{}", refused.stderr);
    assert_eq!(
        fs::read_dir(desk.data()).unwrap().count(),
        0,
        "nothing was left there"
    );
}

#[test]
fn the_socket_lies_in_no_folder_that_somebody_else_made() {
    let desk = Desk::new();
    let folder = desk.path("run").join("shidi");
    // One that is ours is closed and used.
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
    assert_eq!(desk.run(["session", "list"]).code, Some(0));
    assert!(socket(&desk).starts_with(&folder), "{:?}", socket(&desk));
    assert_eq!(mode(&folder), 0o700);
    // A link leads where somebody else wants.
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(desk.path("elsewhere")).unwrap();
    symlink(desk.path("elsewhere"), &folder).unwrap();
    assert_eq!(desk.run(["session", "list"]).code, Some(0));
    assert!(socket(&desk).starts_with(desk.data()), "{:?}", socket(&desk));
    fs::remove_file(&folder).unwrap();
    if can_give_away(&desk) {
        fs::create_dir_all(&folder).unwrap();
        chown(&folder, Some(ANOTHER), None).unwrap();
        assert_eq!(desk.run(["session", "list"]).code, Some(0));
        assert!(socket(&desk).starts_with(desk.data()), "{:?}", socket(&desk));
    }
}

#[test]
fn a_connection_that_says_nothing_keeps_no_command_from_ending() {
    let desk = Desk::new();
    let (mut child, mut silent) = at_work(&desk);
    let until = Instant::now() + ENDS_WITHIN;
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("it waits for whoever says nothing");
        }
        std::thread::sleep(LOOK_EVERY);
    };
    assert!(ended.success());
    assert_eq!(silent.read(&mut [0]).unwrap_or_default(), 0, "it was let go");
}

#[test]
fn what_follows_a_request_is_not_taken_in() {
    let desk = Desk::new();
    let staying = Staying::start(&desk);
    let mut stream = UnixStream::connect(socket(&desk)).unwrap();
    writeln!(stream, "{}", json!({"type": "watch"})).unwrap();
    let more = vec![b'x'; 1 << 20];
    let taken = (0..64).take_while(|_| stream.write_all(&more).is_ok()).count();
    assert!(taken < 8, "{taken} MB of a line that nobody asked for");
    drop(staying);
}
