//! Whether upkeep keeps a search waiting: the same searches with nothing else to do, while memory is brought within its
//! limits, while a large base is imported, and while the index is merged and the file made anew after an erasure.
//!
//! A conversation goes on meanwhile: before every search something is said, so that the search has to see what the writer,
//! busy as it is, was given a moment ago. Both are timed. An erasure waits until nothing is said: there, only at first.

use crate::measure::Random;
use crate::synthetic::{query, sentence};
use shidi_protocol::{
    Body, DocumentId, MemoryId, MemoryKind, MemoryRecord, MemoryScope, Mode, Moment, RunId, Segment,
    SegmentId, SegmentKind, SessionId,
};
use shidi_store::{KnowledgeWrite, MemoryLimits, MemoryWrite, SeenPiece, Session, Store, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Searches that are timed with nothing else to do, and at least while something is done.
const SEARCHES: usize = 300;

/// Records that are forgotten, and pieces that are imported, in transactions of so many as an import has.
const FORGOTTEN: u64 = 20_000;
const PIECES: usize = 20_000;
const TOGETHER: usize = 64;

/// What is said while an erasure is awaited.
const SAID_BEFORE_ERASING: usize = 50;

/// Longest wait for an erasure to be finished: it begins ten seconds after the deletion.
const ERASED_MOST: Duration = Duration::from_secs(120);

pub fn measure(store: &Store) {
    let talk = Talk::begin(store);
    println!("searches, and what is said before each, beside upkeep:");
    talk.beside("nothing else", SEARCHES, || {
        std::thread::sleep(Duration::from_secs(2)); // the searches are timed, not this
    });
    talk.beside("forgetting 20,000 records", usize::MAX, || {
        let kept = store.memory_use().unwrap().long_term - FORGOTTEN;
        let limits = MemoryLimits {
            short_term_most: u64::MAX,
            long_term_most: kept,
            size_most_bytes: u64::MAX,
        };
        store.evict(Moment(2_000_000_000_000), &limits).unwrap();
    });
    talk.beside("importing 20,000 pieces", usize::MAX, || import(store));
    talk.beside("erasing, index and file anew", SAID_BEFORE_ERASING, || {
        erase(store)
    });
}

/// A session in which something is said again and again.
struct Talk<'store> {
    store: &'store Store,
    session: SessionId,
}

impl<'store> Talk<'store> {
    fn begin(store: &'store Store) -> Self {
        let session = SessionId::from("talk");
        let row = Session {
            id: session.clone(),
            created: Moment(1),
            updated: Moment(1),
            title: String::new(),
            is_named: false,
            folders: Vec::new(),
            mode: Mode::Risky,
        };
        store.commit(Write::PutSession(row)).unwrap();
        Self { store, session }
    }

    fn say(&self, number: u32) {
        let segment = Segment {
            id: SegmentId(number),
            run: RunId::from("r"),
            body: Body::plain(&SegmentKind::User, format!("said{number} in passing")),
            exec: None,
            round: 1,
            tainted: false,
            time: Moment(1),
        };
        let write = Write::AppendSegment {
            session: self.session.clone(),
            segment: Box::new(segment),
        };
        self.store.commit(write).unwrap();
    }

    /// Talks, `said_most` times, and searches as long as `upkeep` takes, and a while.
    fn beside(&self, name: &str, said_most: usize, upkeep: impl FnOnce() + Send) {
        let said_before = u32::try_from(self.store.segments(&self.session).unwrap().len()).unwrap();
        let mut random = Random(11);
        let questions: Vec<String> = (0..SEARCHES).map(|_| sentence(&mut random, 5)).collect();
        let is_over = AtomicBool::new(false);
        let (mut searches, mut commits) = (Vec::new(), Vec::new());
        let begun = Instant::now();
        let took = std::thread::scope(|scope| {
            let upkeep = scope.spawn(|| {
                upkeep();
                is_over.store(true, Ordering::Relaxed);
                begun.elapsed()
            });
            for (question, number) in questions.iter().cycle().zip(said_before + 1..) {
                if is_over.load(Ordering::Relaxed) && (searches.len() >= SEARCHES) {
                    break;
                }
                if commits.len() < said_most {
                    let asked = Instant::now();
                    self.say(number);
                    commits.push(asked.elapsed());
                }
                let asked = Instant::now();
                self.store.recall(&query(question)).unwrap();
                searches.push(asked.elapsed());
            }
            upkeep.join().unwrap()
        });
        println!(
            "  {name:<28} {:>5.1} s, {:>5} searches: {}; said: {}",
            took.as_secs_f64(),
            searches.len(),
            spread(searches),
            spread(commits)
        );
    }
}

fn spread(mut took: Vec<Duration>) -> String {
    took.sort();
    let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    format!(
        "p50 {:>6.2}  p95 {:>6.2}  p99 {:>6.2}  most {:>6.1} ms",
        at(50),
        at(95),
        at(99),
        at(100)
    )
}

/// Writes as an import does.
fn import(store: &Store) {
    let (base, document) = ("manual".to_owned(), DocumentId::from("manual"));
    let mut random = Random(5);
    let mut batch = Vec::new();
    for number in 0..PIECES {
        let memory = MemoryId::from(format!("piece{number}"));
        let text = sentence(&mut random, 60);
        let mut record = MemoryRecord::new(memory.clone(), MemoryKind::Chunk, text, Moment(1));
        record.scope = MemoryScope::Base(base.clone());
        record.source.document = Some(document.as_str().to_owned());
        record.sort_value = i64::try_from(number).unwrap();
        batch.push(Write::Memory(MemoryWrite::Put(Box::new(record))));
        batch.push(Write::Knowledge(KnowledgeWrite::PutPiece(SeenPiece {
            base: base.clone(),
            document: document.clone(),
            fingerprint: format!("f{number}"),
            memory,
            owns: true,
            round: 1,
        })));
        if batch.len() == 2 * TOGETHER {
            store.commit(std::mem::take(&mut batch)).unwrap();
        }
    }
}

/// Deletes one record and waits until nothing of it is left in the files.
fn erase(store: &Store) {
    store
        .commit(Write::Memory(MemoryWrite::Delete(MemoryId::from("piece7"))))
        .unwrap();
    let files = rusqlite::Connection::open(store.path()).unwrap();
    let begun = Instant::now();
    let is_due = || files.query_row("SELECT is_due FROM erasure", [], |row| row.get::<_, bool>(0));
    while is_due().unwrap() && begun.elapsed() < ERASED_MOST {
        std::thread::sleep(Duration::from_millis(50)); // looks again, now and then
    }
}
