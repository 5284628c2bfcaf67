//! kill -9 in the middle of writing: what was acknowledged is there, and the database is sound.
//!
//! The writing process is this test program again, started with an environment variable.

use crate::fixture::{Folder, append, session, with_session};
use shidi_protocol::SessionId;
use shidi_store::{Integrity, OpenOptions, Store, Write};
use std::io::{BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const PATH_VARIABLE: &str = "SHIDI_TEST_KILLED_STORE";
const KILLS: u32 = 10;

/// Not a test of its own: what the killed process does.
#[test]
fn the_killed_process() {
    let Some(path) = std::env::var_os(PATH_VARIABLE) else {
        return;
    };
    let store = Store::open(&PathBuf::from(path), OpenOptions::default()).unwrap();
    let first = store.segments(&SessionId::from("s1")).unwrap().len();
    let mut stdout = std::io::stdout();
    for number in u32::try_from(first).unwrap() + 1..1_000_000 {
        // The buffered row must not come without the ones before it, and the deleted session must not come back.
        store
            .buffer(Write::PutSetting {
                key: "n".to_owned(),
                value: number.into(),
            })
            .unwrap();
        if number % 7 == 0 {
            let fleeting = session("fleeting");
            let delete = Write::DeleteSession(fleeting.id.clone());
            let write = vec![
                delete.clone(),
                Write::PutSession(fleeting),
                append("fleeting", 1, "gone"),
            ];
            store.commit(write).unwrap();
            store.commit(delete).unwrap();
        }
        store
            .commit(append("s1", number, "an acknowledged segment 确认"))
            .unwrap();
        writeln!(stdout, "acknowledged {number}").unwrap();
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_kill_9() {
    let folder = Folder::new();
    drop(with_session(&folder));
    let mut acknowledged = 0;
    for kill in 0..KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "killing::the_killed_process",
                "--nocapture",
                "--test-threads",
                "1",
            ])
            .env(PATH_VARIABLE, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let wanted = acknowledged + 5 + kill * 7;
        while acknowledged < wanted {
            let line = lines.next().expect("the child ended by itself").unwrap();
            acknowledged = number(&line).unwrap_or(acknowledged);
        }
        child.kill().unwrap();
        acknowledged = lines
            .map_while(Result::ok)
            .filter_map(|line| number(&line))
            .last()
            .unwrap_or(acknowledged);
        child.wait().unwrap();
        let store = folder.open();
        let segments = store.segments(&SessionId::from("s1")).unwrap();
        let ids: Vec<u32> = segments.iter().map(|segment| segment.id.0).collect();
        let count = u32::try_from(ids.len()).unwrap();
        assert_eq!(ids, (1..=count).collect::<Vec<_>>());
        assert!(
            count >= acknowledged,
            "{acknowledged} acknowledged, {count} there"
        );
        assert!(store.setting("n").unwrap().unwrap().as_u64().unwrap() >= u64::from(acknowledged));
        assert_eq!(store.check(Duration::from_secs(10)).unwrap(), Integrity::Sound);
        assert!(
            !store
                .search("确认", &shidi_store::SearchScope::Everything, 1)
                .unwrap()
                .is_empty()
        );
        acknowledged = count;
    }
}

/// The last line may be cut.
fn number(line: &str) -> Option<u32> {
    line.split_once("acknowledged ")?.1.parse().ok()
}
