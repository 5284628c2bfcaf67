//! What goes into a prompt by itself: for each threshold of coverage, how often that is the evidence, how often
//! something goes in that is none, and how often a question that memory can't answer gets nothing.

use super::corpus::{Question, named};
use shidi_protocol::{MemoryHit, MemoryKind, MemoryQuery};
use shidi_store::{MemoryWrite, QueryVector, Store, Write, holds_more_than_a_word};

/// What goes in, but for the threshold: as `recall.rs` of the mind has it.
const RECALLED_MAX: usize = 4;
const SHARE_OF_BEST: f64 = 0.7;

/// One question: what the search gave, with whether it is evidence.
pub struct QuestionHits {
    has_evidence: bool,
    hits: Vec<Hit>,
}

/// One hit of its search.
struct Hit {
    coverage: f64,
    score: f64,
    is_evidence: bool,
    /// Whether it shares more than a single word with the question.
    holds_more: bool,
}

/// What is asked of a hit beside coverage and score.
#[derive(Clone, Copy, PartialEq)]
pub enum Rule {
    None,
    MoreThanAWord,
}

impl QuestionHits {
    /// Asks for what goes in by itself: records that are not of what was said.
    pub fn of(store: &Store, question: &Question, near: Option<&QueryVector>) -> Self {
        let kinds = MemoryKind::ALL.into_iter();
        let query = MemoryQuery {
            kinds: kinds
                .filter(|kind| *kind != MemoryKind::Conversation && *kind != MemoryKind::Chunk)
                .collect(),
            limit: 20,
            ..question.query()
        };
        let hits = store.recall_near(&query, near).unwrap();
        let is_evidence = |hit: &MemoryHit| {
            let id = named(&hit.id);
            question.evidence.iter().any(|group| group.contains(&id))
        };
        Self {
            has_evidence: !question.evidence.is_empty(),
            hits: hits
                .iter()
                .map(|hit| Hit {
                    coverage: hit.coverage,
                    score: hit.score,
                    is_evidence: is_evidence(hit),
                    holds_more: holds_more_than_a_word(&question.text, &hit.text),
                })
                .collect(),
        }
    }

    /// Whether each of those that go in is evidence.
    fn recalled(&self, threshold: f64, rule: Rule) -> Vec<bool> {
        let best = self.hits.first().map_or(0.0, |hit| hit.score);
        let fits = |hit: &&Hit| {
            hit.coverage >= threshold
                && hit.score >= best * SHARE_OF_BEST
                && (rule == Rule::None || hit.holds_more)
        };
        let fitting = self.hits.iter().filter(fits).take(RECALLED_MAX);
        fitting.map(|hit| hit.is_evidence).collect()
    }
}

/// Prints the figures for each threshold.
pub fn print(asked: &[QuestionHits]) {
    println!("  recalled by itself, at most {RECALLED_MAX}, whatever is shared:");
    print_by(asked, Rule::None);
    println!("  recalled by itself, at most {RECALLED_MAX}, if more than a word is shared:");
    print_by(asked, Rule::MoreThanAWord);
}

fn print_by(asked: &[QuestionHits], rule: Rule) {
    for percent in (10..=60).step_by(5) {
        let threshold = f64::from(percent) / 100.0;
        let (mut found, mut answerable, mut kept, mut right, mut quiet) = (0, 0, 0, 0, 0);
        for one in asked {
            let recalled = one.recalled(threshold, rule);
            kept += recalled.len();
            right += recalled.iter().filter(|is_evidence| **is_evidence).count();
            answerable += usize::from(one.has_evidence);
            found += usize::from(one.has_evidence && recalled.contains(&true));
            quiet += usize::from(!one.has_evidence && recalled.is_empty());
        }
        let unanswerable = asked.len() - answerable;
        println!(
            "    coverage {threshold:.2}: evidence for {found}/{answerable}, {:.2} records each, {:.0} % of them evidence, \
             nothing for {quiet}/{unanswerable} without any",
            kept as f64 / asked.len().max(1) as f64,
            100.0 * right as f64 / kept.max(1) as f64
        );
    }
}

/// Questions that nothing in a memory has to do with.
const UNRELATED: &[&str] = &[
    "2 + 2 等于几？",
    "帮我写一首关于秋天的诗",
    "How do I reverse a list in Python?",
    "把这句话翻译成英文：春眠不觉晓",
    "What is the capital of Australia?",
    "解释一下什么是递归",
    "给我讲个笑话",
    "write a haiku about the sea",
    "100 美元等于多少人民币？",
    "用正则匹配邮箱怎么写？",
    "Summarise the plot of Hamlet",
    "今天适合穿什么衣服？",
    "光速是多少？",
    "Explain quantum entanglement simply",
    "怎么煮溏心蛋？",
    "Fix the grammar: he go to school yesterday",
    "红楼梦的作者是谁？",
    "How many days are there in February 2028?",
    "计算 1 到 100 的和",
    "git rebase 和 merge 有什么区别？",
];

/// Questions beside records that share one of their words and nothing else, as tests and errors do.
const ONE_WORD: &[(&str, &str)] = &[
    (
        "wrongkey test",
        "The table shows all 24 tests. case_6 fails most.",
    ),
    ("429 test", "The table shows all 24 tests. case_6 fails most."),
    ("quota test", "The table shows all 24 tests. case_6 fails most."),
    (
        "Why does the build fail?",
        "The user builds model ships at weekends.",
    ),
    (
        "Write a letter to my landlord",
        "The letter templates lie in the shared folder.",
    ),
    (
        "How do I sort a table in pandas?",
        "The dining table is 2 m long.",
    ),
    ("Plan a trip to Oslo", "The last business trip was paid by Visa."),
    ("翻译这份合同", "租房合同明年五月到期。"),
    ("这个报错怎么修？", "自行车在车库门口修。"),
];

/// How many of those bring nothing.
pub fn one_word(folder: &std::path::Path) {
    let mut asked = Vec::new();
    for (at, (question, text)) in ONE_WORD.iter().enumerate() {
        let path = folder.join(format!("word{at}.db"));
        let store = Store::open(&path, shidi_store::OpenOptions::default()).unwrap();
        let record = shidi_protocol::MemoryRecord::new(
            shidi_protocol::MemoryId::from("m"),
            MemoryKind::Knowledge,
            (*text).to_owned(),
            shidi_protocol::Moment(0),
        );
        store
            .commit(Write::Memory(MemoryWrite::Put(Box::new(record))))
            .unwrap();
        asked.push(of_text(&store, question));
    }
    quiet("a record that shares one word", &asked);
}

/// A memory of a few records: every 20 questions with their evidence alone.
pub fn small(folder: &std::path::Path, half: &super::corpus::Half) {
    let (questions, records) = half.pairs();
    let mut asked = Vec::new();
    let mut noise = Vec::new();
    for (at, chunk) in questions.chunks(20).enumerate() {
        let store = Store::open(
            &folder.join(format!("small{at}.db")),
            shidi_store::OpenOptions::default(),
        )
        .unwrap();
        for question in chunk {
            for id in question.evidence.iter().flatten() {
                if let Some(record) = records.get(id) {
                    store
                        .commit(Write::Memory(MemoryWrite::Put(Box::new(record.clone()))))
                        .unwrap();
                }
            }
        }
        let kept = |question: &&Question| {
            question
                .evidence
                .iter()
                .flatten()
                .any(|id| records.contains_key(id))
        };
        asked.extend(
            chunk
                .iter()
                .filter(kept)
                .map(|question| QuestionHits::of(&store, question, None)),
        );
        noise.extend(UNRELATED.iter().map(|text| of_text(&store, text)));
    }
    println!("  a small memory:");
    print(&asked);
    quiet("a few records", &noise);
}

fn of_text(store: &Store, text: &str) -> QuestionHits {
    let question: Question = serde_json::from_value(serde_json::json!({
        "id": "u", "kind": "unrelated", "language": "", "text": text, "asked_at": "2026-11-20T00:00:00Z"
    }))
    .unwrap();
    QuestionHits::of(store, &question, None)
}

pub fn unrelated(store: &Store) {
    let noise: Vec<QuestionHits> = UNRELATED.iter().map(|text| of_text(store, text)).collect();
    quiet("all of the half", &noise);
}

fn quiet(name: &str, noise: &[QuestionHits]) {
    for threshold in [0.2, 0.3, 0.4] {
        let silent = |rule: Rule| {
            let silent = noise
                .iter()
                .filter(|one| one.recalled(threshold, rule).is_empty());
            silent.count()
        };
        println!(
            "    unrelated questions to {name}, coverage {threshold:.2}: nothing for {}/{all}, and for {}/{all} if more \
             than a word is asked for",
            silent(Rule::None),
            silent(Rule::MoreThanAWord),
            all = noise.len()
        );
    }
}
