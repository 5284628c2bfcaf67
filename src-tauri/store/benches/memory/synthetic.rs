//! Time and size at scale: many records of made-up words whose frequencies fall as those of real ones do, Chinese and
//! English, and questions of every shape.

use crate::measure::Random;
use shidi_protocol::{MemoryId, MemoryKind, MemoryQuery, MemoryRecord, MemoryScope, MemoryScopes, Moment};
use shidi_store::{Batch, Embedded, MemoryWrite, OpenOptions, QueryVector, Store, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Different words of each language.
const WORDS: usize = 40_000;

/// Numbers of a vector, as all-MiniLM-L6-v2 gives them.
const NUMBERS: usize = 384;

/// The model that is said to have made them.
const MODEL: &str = "made-up";

/// Records in one transaction.
const TOGETHER: usize = 2_000;

/// Questions that are timed, of each shape.
const ASKED: usize = 200;

/// Measures writing and searching of so many records, and returns the store that holds them.
pub fn measure(folder: &Path, records: usize) -> Store {
    let store = filled(folder, records);
    for (name, questions) in shapes(&mut Random(records as u64 | 1)) {
        times(&store, name, &questions, None);
    }
    by_meaning(&store, folder, records);
    store
}

/// The same with a vector for every record, of a length that small models have.
fn by_meaning(store: &Store, folder: &Path, records: usize) {
    let mut random = Random(records as u64 | 1);
    let begun = Instant::now();
    loop {
        let missing = store.unplaced(MODEL, TOGETHER as u32).unwrap();
        if missing.is_empty() {
            break;
        }
        let placed = missing.into_iter().map(|one| Embedded {
            document: one.document,
            text: one.text,
            numbers: vector(&mut random),
        });
        let placed = placed.collect();
        let model = MODEL.to_owned();
        store.commit(Write::PutVectors { model, placed }).unwrap();
    }
    let took = begun.elapsed().as_secs_f64();
    let size = std::fs::metadata(folder.join(format!("{records}.db")))
        .unwrap()
        .len()
        / 1_000_000;
    println!("  {NUMBERS} numbers for each kept in {took:.1} s, {size} MB in all");
    let near = QueryVector {
        model: MODEL.to_owned(),
        numbers: vector(&mut random),
    };
    let questions: Vec<String> = (0..ASKED / 4).map(|_| sentence(&mut random, 5)).collect();
    times(store, "five words and their meaning", &questions, Some(&near));
}

fn vector(random: &mut Random) -> Vec<f32> {
    (0..NUMBERS)
        .map(|_| random.below(2_001) as f32 / 1_000.0 - 1.0)
        .collect()
}

/// A store of so many records.
pub fn filled(folder: &Path, records: usize) -> Store {
    let path = folder.join(format!("{records}.db"));
    let store = Store::open(&path, OpenOptions::default()).unwrap();
    let mut random = Random(records as u64 | 1);
    let begun = Instant::now();
    let mut batch = Batch::default();
    for number in 0..records {
        batch.push(Write::Memory(MemoryWrite::Put(Box::new(record(
            number,
            &mut random,
        )))));
        if batch.len() == TOGETHER {
            store.commit(std::mem::take(&mut batch)).unwrap();
        }
    }
    store.commit(batch).unwrap();
    let took = begun.elapsed();
    println!(
        "{records} records: written and indexed in {:.1} s ({:.0} a second), {} MB",
        took.as_secs_f64(),
        records as f64 / took.as_secs_f64(),
        std::fs::metadata(&path).unwrap().len() / 1_000_000
    );
    store
}

fn times(store: &Store, name: &str, questions: &[String], near: Option<&QueryVector>) {
    let ask = |text: &String| {
        let begun = Instant::now();
        let hits = store.recall_near(&query(text), near).unwrap();
        (begun.elapsed(), hits.len())
    };
    for text in questions.iter().take(20) {
        ask(text);
    }
    let mut took: Vec<(Duration, usize)> = questions.iter().map(ask).collect();
    took.sort();
    let at = |share: usize| took[(took.len() - 1) * share / 100].0.as_secs_f64() * 1_000.0;
    let found = took.iter().filter(|(_, hits)| *hits > 0).count();
    println!(
        "  {name:<28} p50 {:>6.2} ms  p95 {:>6.2} ms  most {:>6.2} ms  found in {found} of {}",
        at(50),
        at(95),
        at(100),
        took.len()
    );
}

pub fn query(text: &str) -> MemoryQuery {
    MemoryQuery {
        text: text.to_owned(),
        kinds: Vec::new(),
        scopes: MemoryScopes::These(vec![MemoryScope::User]),
        page: None,
        except: None,
        now: Moment(2_000_000_000_000),
        limit: 10,
    }
}

fn shapes(random: &mut Random) -> Vec<(&'static str, Vec<String>)> {
    let mut of = |make: &dyn Fn(&mut Random) -> String| (0..ASKED).map(|_| make(random)).collect::<Vec<_>>();
    vec![
        ("five words", of(&|random| sentence(random, 5))),
        ("a question of twelve words", of(&|random| sentence(random, 12))),
        (
            "common words",
            of(&|random| {
                (0..4)
                    .map(|_| word(random.below(30), random.below(2)))
                    .collect::<Vec<_>>()
                    .join(" ")
            }),
        ),
        (
            "one character",
            of(&|random| character(random.below(300)).to_string()),
        ),
        ("10,000 characters", of(&|random| sentence(random, 2_200))),
        (
            "emoji and signs",
            of(&|random| {
                format!(
                    "🎉 \"*\" NEAR( OR '; DROP -- {} ^: {{words}} 👩‍👩‍👧",
                    sentence(random, 1)
                )
            }),
        ),
    ]
}

fn record(number: usize, random: &mut Random) -> MemoryRecord {
    let length = 8 + random.below(25);
    let kind = [MemoryKind::Knowledge, MemoryKind::Entity, MemoryKind::Summary][number % 3];
    let time = Moment(1_600_000_000_000 + number as i64 * 60_000);
    let mut record = MemoryRecord::new(
        MemoryId::from(format!("m{number}")),
        kind,
        sentence(random, length),
        time,
    );
    record.source.session = Some(format!("s{}", number / 20).into());
    record.sort_value = number as i64;
    record
}

pub fn sentence(random: &mut Random, words: usize) -> String {
    let language = random.below(2);
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(&word(ranked(random), language));
        if language == 0 {
            text.push(' ');
        }
    }
    text
}

/// A place in a list of words in which the n-th is met about n times as rarely as the first.
fn ranked(random: &mut Random) -> usize {
    let share = random.below(1_000_000) as f64 / 1_000_000.0;
    ((WORDS as f64).powf(share) as usize).min(WORDS - 1)
}

fn word(place: usize, language: usize) -> String {
    if language == 1 {
        return [character(place % 197), character(place / 7 % 2_111)]
            .iter()
            .collect();
    }
    let (mut rest, mut text) = (place + 1, String::new());
    while rest > 0 {
        text.push(char::from(b"bcdfghklmnprstvz"[rest % 16]));
        text.push(char::from(b"aeiou"[rest / 16 % 5]));
        rest /= 80;
    }
    text
}

fn character(place: usize) -> char {
    char::from_u32(0x4E00 + u32::try_from(place).unwrap_or_default() * 7).unwrap_or('字')
}
