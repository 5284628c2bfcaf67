//! Measures the mind's own cost beside a model: from an answer's last byte to the first effect, and a long
//! prompt. The product's budget: a prompt of 300 segments within 2 ms.
//!
//! Prints a table in microseconds. Run on a quiet machine: `cargo bench -p shidi-agent`.

#![expect(clippy::disallowed_methods, reason = "a bench takes the time itself")]

use shidi_agent::{Event, Mind, Past, Settings, UserInput};
use shidi_protocol::{
    Body, ExecId, Finish, ModelReply, Moment, Sampling, Segment, SegmentId, SegmentKind, Usage,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

const TURNS: usize = 1_000;
const SEGMENTS: u32 = 300;

fn row(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e6
    };
    println!(
        "| {what:<52} | {:>9.1} | {:>9.1} | {:>7} |",
        at(50),
        at(95),
        times.len()
    );
}

/// A session of many rounds: questions, thoughts, programs and their outputs.
fn session() -> Vec<Segment> {
    let segment = |number: u32| {
        let (kind, text) = match number % 4 {
            0 => (
                SegmentKind::User,
                "And what about the next month of the report?".to_owned(),
            ),
            1 => (
                SegmentKind::Thought,
                "Read the rows of that month and add them up.".to_owned(),
            ),
            2 => (
                SegmentKind::Python,
                "rows = await files.read(path=\"report.csv\")\nprint(len(rows))\n".repeat(6),
            ),
            _ => (SegmentKind::Output, "一月,上海,4200\n二月,北京,3100\n".repeat(12)),
        };
        Segment {
            id: SegmentId(number),
            run: format!("run-{:08}", number / 4).into(),
            body: Body::plain(&kind, text),
            exec: Some(ExecId(1)),
            round: 1,
            tainted: false,
            time: Moment(i64::from(number)),
        }
    };
    (1..=SEGMENTS).map(segment).collect()
}

fn mind(segments: &[Segment]) -> Mind {
    let past = Past {
        segments: segments.to_vec(),
        ..Past::default()
    };
    let settings = Settings {
        toolkits: Vec::new(),
        ..Settings::default()
    };
    Mind::new("s".into(), "run-99999999".into(), settings, past)
}

fn question() -> Event {
    Event::Asked(UserInput {
        text: "What is the sum of all months?".to_owned(),
        ..UserInput::default()
    })
}

fn answer() -> Event {
    Event::ModelAnswered {
        reply: ModelReply {
            asked: String::new(),
            text: format!("[Thought]: add\n```python\n{}\n```", "total = 1 + 2\n".repeat(20)),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
            model: "m".to_owned(),
            provider: String::new(),
            sampling: Sampling::default(),
        },
    }
}

fn main() {
    let segments = session();
    let (mut prompts, mut effects) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let mut mind = mind(&segments);
        let now = Moment(i64::try_from(turn).unwrap_or_default() + 1_000);
        let started = Instant::now();
        black_box(mind.handle(now, question()));
        prompts.push(started.elapsed());
        let started = Instant::now();
        black_box(mind.handle(now, answer()));
        effects.push(started.elapsed());
    }
    println!("| {:<52} | {:>9} | {:>9} | {:>7} |", "µs", "p50", "p95", "n");
    row("question in a session of 300 segments to its prompt", prompts);
    row("whole answer of the model to its first effect", effects);
}
