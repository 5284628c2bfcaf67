//! Results of 50,000 tokens: what it costs the main model's window to answer from one, and how many planted facts are
//! found by words alone (F4.7).
//!
//! The results come from seeded generators (`shapes.rs`): JSON, log, table, code and prose, Chinese and English, where
//! everything that is not asked for has the very shape of what is. A few seeds here, many in `make soak`.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

mod shapes;
mod words;

use serde_json::json;
use shapes::{Dice, Fact, Language, SHAPES, Shape};
use shidi_agent::{Effect, Event, Mind, Past, ProgramEnd, Record, Settings, UserInput, estimate_tokens};
use shidi_protocol::{Finish, ModelReply, Moment, RunId, Sampling, SegmentKind, SessionId, Usage};
use shidi_store::{OpenOptions, Session, Store, ToolResult, Write};

/// What one answer from a large result may cost, and the least share of facts that must be found.
const TOKENS_MAX: u32 = 4_000;
const FOUND_PERCENT_MIN: f64 = 98.0;

/// Least tokens of a generated result.
const RESULT_TOKENS_MIN: u32 = 50_000;

/// As `results.find` asks the store.
const PASSAGES: usize = 12;

fn seeds() -> u64 {
    if std::env::var_os("SHIDI_SOAK").is_some() {
        40
    } else {
        2
    }
}

/// What the transcript gets of an output, and what the cache gets under which handle.
struct StoredOutput {
    shown: String,
    handle: String,
    text: String,
}

fn kept(stdout: &str) -> StoredOutput {
    let mut mind = Mind::new(
        "s".into(),
        "run-00000001".into(),
        Settings::default(),
        Past::default(),
    );
    mind.handle(
        Moment(1),
        Event::Asked(UserInput {
            text: "look it up".to_owned(),
            ..UserInput::default()
        }),
    );
    let reply = ModelReply {
        asked: String::new(),
        text: "[Thought]: fetch\n```python\nprint(1)\n```".to_owned(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage::default(),
        model: "m".to_owned(),
        provider: String::new(),
        sampling: Sampling::default(),
    };
    mind.handle(Moment(2), Event::ModelAnswered { reply });
    let end = ProgramEnd {
        stdout: stdout.to_owned(),
        value: None,
        error: None,
        variables: Vec::new(),
        wall_ms: 1,
        cpu_ms: 0,
        memory_bytes: 0,
        diverged: false,
    };
    let effects = mind.handle(Moment(3), Event::ProgramEnded(end));
    let records = effects.into_iter().flat_map(|effect| match effect {
        Effect::Commit(records) | Effect::Buffer(records) => records,
        _ => Vec::new(),
    });
    let (mut shown, mut result) = (String::new(), None);
    for record in records {
        match record {
            Record::Result { handle, text, .. } => result = Some((handle, text)),
            Record::Segment(segment) if segment.kind() == SegmentKind::Output => {
                shown = segment.text().to_owned()
            }
            _ => {}
        }
    }
    let (handle, text) = result.unwrap();
    StoredOutput { shown, handle, text }
}

/// One look-up of one fact.
struct Looked {
    found: bool,
    tokens: u32,
}

fn look_up(store: &Store, session: &SessionId, kept: &StoredOutput, fact: &Fact) -> Looked {
    let found = store
        .find(session, &kept.handle, &fact.question, PASSAGES)
        .unwrap()
        .unwrap();
    let printed: Vec<_> = found
        .iter()
        .map(|passage| json!({"line": passage.line, "text": passage.text}))
        .collect();
    let printed = serde_json::to_string(&printed).unwrap();
    let program = format!(
        "[Thought]: Look it up in the result.\n```python\nprint(await results.find(handle=\"{}\", text=\"{}\"))\n```",
        kept.handle, fact.question
    );
    Looked {
        found: found.iter().any(|passage| passage.text.contains(&fact.answer)),
        tokens: estimate_tokens(&kept.shown) + estimate_tokens(&program) + estimate_tokens(&printed),
    }
}

struct Figure {
    facts: u32,
    found: u32,
    tokens_most: u32,
    missed: Vec<String>,
}

fn figure(shape: &Shape, language: Language) -> Figure {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("shidi.db"), OpenOptions::default()).unwrap();
    let session = SessionId::from("s");
    let row = Session {
        id: session.clone(),
        created: Moment(1),
        updated: Moment(1),
        title: String::new(),
        is_named: false,
        folders: Vec::new(),
        mode: shidi_protocol::Mode::default(),
    };
    store.commit(Write::PutSession(row)).unwrap();
    let mut figure = Figure {
        facts: 0,
        found: 0,
        tokens_most: 0,
        missed: Vec::new(),
    };
    for seed in 0..seeds() {
        let made = (shape.make)(&mut Dice::new(seed), language, RESULT_TOKENS_MIN);
        assert!(
            estimate_tokens(&made.text) >= RESULT_TOKENS_MIN,
            "{} is too short",
            shape.name
        );
        let kept = kept(&made.text);
        let result = ToolResult {
            session: session.clone(),
            handle: kept.handle.clone(),
            run: RunId::from("run-00000001"),
            text: kept.text.clone(),
            tainted: true,
        };
        store.commit(Write::PutResult(result)).unwrap();
        for fact in &made.facts {
            assert_eq!(
                made.text.matches(&fact.answer).count(),
                1,
                "{} stands once",
                fact.answer
            );
            let looked = look_up(&store, &session, &kept, fact);
            figure.facts += 1;
            figure.found += u32::from(looked.found);
            figure.tokens_most = figure.tokens_most.max(looked.tokens);
            if !looked.found {
                figure.missed.push(format!(
                    "{} ({language:?}, seed {seed}): {}",
                    shape.name, fact.question
                ));
            }
        }
    }
    figure
}

#[test]
fn facts_of_large_results_are_found_by_words_alone_for_four_thousand_tokens() {
    let (mut facts, mut found) = (0, 0);
    let mut missed = Vec::new();
    for shape in SHAPES {
        for language in [Language::English, Language::Chinese] {
            let figure = figure(shape, language);
            println!(
                "{:6} {language:8?} {:4} of {:4} facts found, at most {} tokens each",
                shape.name, figure.found, figure.facts, figure.tokens_most
            );
            assert!(
                figure.tokens_most <= TOKENS_MAX,
                "{}: {} tokens",
                shape.name,
                figure.tokens_most
            );
            facts += figure.facts;
            found += figure.found;
            missed.extend(figure.missed);
        }
    }
    let percent = f64::from(found) * 100.0 / f64::from(facts);
    println!("{found} of {facts} facts found: {percent:.1} %");
    missed.truncate(20);
    assert!(
        percent >= FOUND_PERCENT_MIN,
        "{percent:.1} %, missed for example\n{}",
        missed.join("\n")
    );
}
