//! What durability and search cost: `cargo bench -p shidi-store`.
//!
//! The durable commit of a segment stands beside a bare SQLite commit of the same text in the same run, taken in
//! turns, because both are mostly the disk's time. Budgets: DESIGN §10.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on should say where")]

use rusqlite::Connection;
use serde_json::json;
use shidi_protocol::{
    Body, Mode, ModelRole, Moment, PartialReply, RunId, Segment, SegmentId, SegmentKind, SessionId, Usage,
};
use shidi_store::{Batch, OpenOptions, PartialAnswer, RunState, SearchScope, Session, Store, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const TEXT: &str =
    "The server db-7 restarted at 03:12 because its disk was full; 建议把日志移到另一块盘，并设置每天清理。";
const WRITERS: u32 = 8;

fn main() {
    let folder = tempfile::tempdir_in(".").unwrap();
    single_commits(folder.path());
    grouped_commits(folder.path());
    answer_under_way(folder.path());
    for documents in [10_000, 100_000] {
        searches(folder.path(), documents);
    }
    erasure(folder.path());
}

fn single_commits(folder: &Path) {
    const COMMITS: u32 = 2_000;
    let bare = Connection::open(folder.join("bare.db")).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE segment (session TEXT, id INTEGER, run TEXT, kind TEXT, text TEXT, time INTEGER);",
    )
    .unwrap();
    let store = open(&folder.join("single.db"));
    let (mut ours, mut theirs, mut with_run) = (Vec::new(), Vec::new(), Vec::new());
    for id in 1..=COMMITS {
        theirs.push(timed(|| {
            let mut insert = bare
                .prepare_cached("INSERT INTO segment VALUES ('s', ?1, 'r', 'User', ?2, 1)")
                .unwrap();
            insert.execute((id, TEXT)).unwrap();
        }));
        ours.push(timed(|| store.commit(segment(id, TEXT)).unwrap()));
        let batch = vec![segment(COMMITS + id, TEXT), run_state(id)];
        with_run.push(timed(|| store.commit(batch).unwrap()));
    }
    let (ours, theirs, with_run) = (Spread::of(ours), Spread::of(theirs), Spread::of(with_run));
    println!("bare SQLite commit, FULL            {theirs}");
    println!("durable commit of one segment       {ours}");
    println!(
        "  p50 {:.2} × bare (budget 1.30)",
        ours.p50.as_secs_f64() / theirs.p50.as_secs_f64()
    );
    println!("durable commit of segment and run   {with_run}");
    let buffered = Spread::of(
        (1..=COMMITS)
            .map(|id| timed(|| store.buffer(run_state(id)).unwrap()))
            .collect(),
    );
    println!("buffered run state                  {buffered}");
    store.flush().unwrap();
}

fn grouped_commits(folder: &Path) {
    const COMMITS_EACH: u32 = 1_000;
    let store = open(&folder.join("grouped.db"));
    let before = store.transactions();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let store = store.clone();
            scope.spawn(move || {
                for number in 1..=COMMITS_EACH {
                    store
                        .commit(segment(writer * COMMITS_EACH + number, TEXT))
                        .unwrap();
                }
            });
        }
    });
    let commits = WRITERS * COMMITS_EACH;
    let per_second = f64::from(commits) / begin.elapsed().as_secs_f64();
    let transactions = store.transactions() - before;
    println!(
        "{WRITERS} writers: {per_second:.0} durable commits/s (budget 1000), {commits} in {transactions} transactions"
    );
}

/// An answer of the length that models are asked for, 8,192 tokens, written every second while it streams: a minute and a
/// half at 100 tokens a second.
fn answer_under_way(folder: &Path) {
    const SECONDS: usize = 82;
    const BYTES_A_SECOND: usize = 500;
    let path = folder.join("partial.db");
    let store = open(&path);
    store.commit(run_state(1)).unwrap();
    let part = |seconds: usize| {
        Write::PutPartialAnswer(Box::new(PartialAnswer {
            run: RunId::from("r"),
            time: Moment(1),
            role: ModelRole::Coder,
            format: "fenced".to_owned(),
            reply: PartialReply {
                text: "word ".repeat(seconds * BYTES_A_SECOND / 5),
                ..PartialReply::default()
            },
        }))
    };
    let size = || std::fs::metadata(&path).unwrap().len();
    let (before, written) = (size(), bytes_written());
    let (mut offers, mut writes) = (Vec::new(), Vec::new());
    for seconds in 1..=SECONDS {
        let write = part(seconds);
        offers.push(timed(|| assert!(store.offer(write))));
        writes.push(timed(|| store.flush().unwrap()));
    }
    let written = bytes_written().saturating_sub(written) / 1_000;
    println!("answer under way, offered           {}", Spread::of(offers));
    println!("answer under way, written           {}", Spread::of(writes));
    store.commit(Write::DropPartialAnswer(RunId::from("r"))).unwrap();
    drop(store);
    println!(
        "  {} kB of answer: {written} kB written in {SECONDS} s, the file grew by {} kB and keeps the room",
        SECONDS * BYTES_A_SECOND / 1_000,
        size().saturating_sub(before) / 1_000
    );
}

/// Bytes that this process has handed to the system so far; 0 where the system does not tell.
fn bytes_written() -> u64 {
    let told = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn searches(folder: &Path, documents: u32) {
    let path = folder.join(format!("search-{documents}.db"));
    let store = open(&path);
    let mut random = 12_345_u64;
    let begin = Instant::now();
    for first in (1..=documents).step_by(5_000) {
        let batch: Batch = (first..first + 5_000)
            .map(|id| segment(id, &text(&mut random)))
            .collect();
        store.commit(batch).unwrap();
    }
    let written = begin.elapsed();
    let begin = Instant::now();
    store.search("w1", &SearchScope::Everything, 10).unwrap();
    let indexed = begin.elapsed();
    let size = std::fs::metadata(&path).unwrap().len() / 1_000_000;
    println!("{documents} segments: written in {written:.1?}, indexed in {indexed:.1?}, {size} MB");
    for (name, queries) in [
        (
            "five words",
            vec![
                "w301 w877 w1204 w50 w2999",
                "w17 w88 w412 w1999 w3",
                "w64 w65 w66 w67 w68",
            ],
        ),
        (
            "a question",
            vec![
                "what is the w301 of the w40?",
                "哪里可以找到东西南北的说明",
                "why did the w77 fail",
            ],
        ),
        ("one character", vec!["东", "北"]),
        ("one session", vec!["w301 w877 w1204"]),
    ] {
        let scope = if name == "one session" {
            SearchScope::Session(SessionId::from("s"))
        } else {
            SearchScope::Everything
        };
        let mut times = Vec::new();
        for _ in 0..20 {
            times.extend(
                queries
                    .iter()
                    .map(|query| timed(|| store.search(query, &scope, 20).map(|_| ()).unwrap())),
            );
        }
        println!("  search, {name:14}             {}", Spread::of(times));
    }
    let commits = (1..=200)
        .map(|id| timed(|| store.commit(segment(documents + id, TEXT)).unwrap()))
        .collect();
    println!("  durable commit of one segment     {}", Spread::of(commits));
    let begin = Instant::now();
    drop(store);
    let closed = begin.elapsed();
    let begin = Instant::now();
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    let opened = begin.elapsed();
    let begin = Instant::now();
    store.sessions(50).unwrap();
    println!(
        "  closed in {closed:.1?}, opened in {opened:.1?}, first list in {:.1?}",
        begin.elapsed()
    );
}

fn erasure(folder: &Path) {
    let store = open(&folder.join("erasure.db"));
    let mut random = 99_u64;
    let batch: Batch = (1..=10_000).map(|id| segment(id, &text(&mut random))).collect();
    store.commit(batch).unwrap();
    let small = vec![
        Write::PutSession(Session {
            id: SessionId::from("small"),
            ..session()
        }),
        Write::AppendSegment {
            session: SessionId::from("small"),
            segment: Box::new(row(1, TEXT)),
        },
    ];
    store.commit(small).unwrap();
    store.search("w1", &SearchScope::Everything, 10).unwrap();
    let size = std::fs::metadata(store.path()).unwrap().len() / 1_000_000;
    let small = timed(|| {
        store
            .commit(Write::DeleteSession(SessionId::from("small")))
            .unwrap()
    });
    let large = timed(|| store.commit(Write::DeleteSession(SessionId::from("s"))).unwrap());
    println!("{size} MB: a session of 1 segment erased in {small:.1?}, one of 10000 in {large:.1?}");
}

/// Words by Zipf's law, some Chinese, 20 to 40 words.
fn text(random: &mut u64) -> String {
    const CHARACTERS: [char; 20] = [
        '东', '南', '西', '北', '山', '水', '风', '云', '天', '地', '人', '书', '画', '琴', '棋', '花', '鸟',
        '鱼', '虫', '月',
    ];
    let mut next = |bound: u64| {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) % bound
    };
    let mut text = String::new();
    for _ in 0..20 + next(20) {
        let top = 1 + next(4_000);
        text.push_str(&format!("w{} ", next(top)));
    }
    for _ in 0..next(12) {
        text.push(CHARACTERS[usize::try_from(next(20)).unwrap()]);
    }
    text
}

fn open(path: &Path) -> Store {
    let store = Store::open(path, OpenOptions::default()).unwrap();
    store.commit(Write::PutSession(session())).unwrap();
    store
}

fn session() -> Session {
    Session {
        id: SessionId::from("s"),
        created: Moment(1),
        updated: Moment(1),
        title: "bench".to_owned(),
        is_named: false,
        folders: Vec::new(),
        mode: Mode::Risky,
    }
}

fn segment(id: u32, text: &str) -> Write {
    Write::AppendSegment {
        session: SessionId::from("s"),
        segment: Box::new(row(id, text)),
    }
}

fn row(id: u32, text: &str) -> Segment {
    Segment {
        id: SegmentId(id),
        run: RunId::from("r"),
        body: Body::plain(&SegmentKind::User, text.to_owned()),
        exec: None,
        round: 1,
        tainted: false,
        time: Moment(1),
    }
}

fn run_state(seq: u32) -> Write {
    Write::PutRun(Box::new(RunState {
        run: RunId::from("r"),
        session: SessionId::from("s"),
        parent: None,
        status: None,
        state: json!({"area": "motor", "round": 2, "exec": 3, "segment": seq}),
        question: "why did it restart?".to_owned(),
        usage: Usage::default(),
        offline: false,
        waiting: Vec::new(),
        started: Moment(1),
        ended: None,
        reason: None,
        error: None,
        seq,
        build: "0.1.0".to_owned(),
    }))
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

struct Spread {
    p50: Duration,
    p95: Duration,
}

impl Spread {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self {
            p50: times[times.len() / 2],
            p95: times[times.len() * 95 / 100],
        }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "p50 {:>9.1?}  p95 {:>9.1?}", self.p50, self.p95)
    }
}
