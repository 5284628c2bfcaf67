//! How well memory is searched, and how fast: `make bench-memory`.
//!
//! Plain: the half `dev` of the corpus, against the peers' formulas, then time and size at 10,000 and 100,000 records.
//! `--embedding ADDRESS,MODEL` searches by meaning, too (`meaning.rs`); `--test` scores the half that is scored once;
//! `--million` measures a million records, too; `--only-quality`, `--only-speed` and `--only-upkeep` do one part;
//! `--failures` lists the questions whose evidence is not among the first five.

#![expect(clippy::unwrap_used, reason = "a bench that can't go on should say where")]

mod baselines;
mod corpus;
mod meaning;
mod measure;
mod recall;
mod synthetic;
mod upkeep;

use baselines::Baselines;
use corpus::{Half, named};
use meaning::Meaning;
use measure::{Mark, bootstrap, mark, score};
use shidi_store::{OpenOptions, Store};

/// Records of the memory that is kept up while it is searched.
const UPKEPT: usize = 100_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |name: &str| arguments.iter().any(|argument| argument == name);
    let folder = tempfile::tempdir_in(".").unwrap();
    if is_asked("--only-upkeep") {
        upkeep::measure(&synthetic::filled(folder.path(), UPKEPT));
        return;
    }
    if !is_asked("--only-speed") {
        let half = if is_asked("--test") { "test" } else { "dev" };
        let meaning = Meaning::asked_for(&arguments);
        let path = folder.path().join("quality.db");
        quality(&path, half, meaning.as_ref(), is_asked("--failures"));
    }
    if !is_asked("--only-quality") {
        synthetic::measure(folder.path(), 10_000);
        let store = synthetic::measure(folder.path(), UPKEPT);
        upkeep::measure(&store);
        drop(store);
        if is_asked("--million") {
            synthetic::measure(folder.path(), 1_000_000);
        }
    }
}

fn quality(path: &std::path::Path, name: &str, meaning: Option<&Meaning>, list_failures: bool) {
    let half = Half::load(name);
    println!(
        "{name}: {} sessions, {} questions, {}",
        half.sessions,
        half.questions,
        if meaning.is_some() {
            "words and vectors"
        } else {
            "no vectors"
        }
    );
    let store = Store::open(path, OpenOptions::default()).unwrap();
    let peers = Baselines::open(path);
    let mut ours: Vec<Mark> = Vec::new();
    let mut theirs: [Vec<Mark>; 4] = Default::default();
    let mut asked = Vec::new();
    half.run(&store, |question| {
        let near = meaning.map(|meaning| {
            meaning.place(&store);
            meaning.near(&question.text)
        });
        asked.push(recall::QuestionHits::of(&store, question, near.as_ref()));
        let hits = store.recall_near(&question.query(), near.as_ref()).unwrap();
        let ids: Vec<String> = hits.iter().map(|hit| named(&hit.id)).collect();
        let marked = mark(question, &ids);
        if list_failures && marked.counts && marked.recall_5 < 1.0 {
            println!("  {} {} {}", question.id, question.kind, question.text);
        }
        if list_failures && marked.stale == Some(true) || marked.forbidden == Some(true) {
            println!(
                "  WRONG {} {} {:?}",
                question.id,
                question.text,
                &ids[..ids.len().min(5)]
            );
        }
        ours.push(marked);
        for (marks, ids) in theirs.iter_mut().zip(peers.rank(question)) {
            marks.push(mark(question, &ids));
        }
    });
    println!("  {:<24} {}", "Shidi", score(ours.iter()));
    for (name, marks) in baselines::NAMES.iter().zip(&theirs) {
        let (mean, low, high, behind) = bootstrap(&ours, marks);
        println!("  {name:<24} {}", score(marks.iter()));
        println!(
            "  {:<24} Shidi is ahead by {mean:+.3} R@5, 95 % interval {low:+.3} to {high:+.3}, p {behind:.4}",
            ""
        );
    }
    let mut groups: Vec<String> = ours
        .iter()
        .flat_map(|mark| [mark.kind.clone(), mark.language.clone()])
        .collect();
    groups.sort();
    groups.dedup();
    for group in groups {
        let of_group = ours
            .iter()
            .filter(|mark| mark.kind == group || mark.language == group);
        println!("    {group:<22} {}", score(of_group));
    }
    recall::print(&asked);
    recall::small(path.parent().unwrap(), &half);
    recall::unrelated(&store);
    recall::one_word(path.parent().unwrap());
}
