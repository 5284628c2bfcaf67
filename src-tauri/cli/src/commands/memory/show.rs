//! Memories as a person reads them in a terminal.

use crate::commands::session::local;
use crate::console::{Console, Look};
use crate::failure::Failure;
use serde_json::json;
use shidi_protocol::{
    Contrary, DroppedGuess, MemoryCount, MemoryHit, MemoryMeaning, MemoryRecord, MemoryRoom, MemoryScope,
    PageVisit,
};

pub fn count(count: &MemoryCount, console: &Console) -> Result<(), Failure> {
    console.line(&format!("{:>8}  {}", count.records, count.kind.name()))
}

/// What there is beside what may be.
pub fn room(room: &MemoryRoom, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "room": room }));
    }
    let line = console.words.memory_room(room);
    console.line(&console.painted(Look::Dim, &line))
}

pub fn meaning(meaning: &MemoryMeaning, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "meaning": meaning }));
    }
    let line = console.words.memory_meaning(meaning);
    console.line(&console.painted(Look::Dim, &line))
}

pub fn visit(visit: &PageVisit, console: &Console) -> Result<(), Failure> {
    let head = format!("{}  {}  {}", local(visit.time), visit.session, visit.title);
    said(&visit.question, &head, console)?;
    let answer = Some(&visit.answer).filter(|answer| !answer.is_empty());
    let answer = answer.map(|answer| format!("→ {answer}"));
    let facts = visit.facts.iter().map(|fact| format!("· {}", fact.text));
    let mut beside = answer.into_iter().chain(visit.files.iter().cloned()).chain(facts);
    beside.try_for_each(|line| console.line(&format!("    {}", console.painted(Look::Dim, &line))))
}

pub fn dropped(dropped: &DroppedGuess, console: &Console) -> Result<(), Failure> {
    let head = format!("{}  {}  {}", local(dropped.time), dropped.site, dropped.guess);
    said(&dropped.words, &head, console)
}

/// What somebody said on one line, and below it what is known about it.
fn said(text: &str, head: &str, console: &Console) -> Result<(), Failure> {
    let text = console.painted(Look::Plain, &text.replace('\n', " "));
    console.line(&format!("{text}\n    {}", console.painted(Look::Dim, head)))
}

pub fn hit(hit: &MemoryHit, console: &Console) -> Result<(), Failure> {
    // Whose it is goes without saying where it is the user's.
    let scope = match &hit.scope {
        MemoryScope::User => String::new(),
        other => format!("{other}  "),
    };
    let kind = hit.kind.name();
    let head = format!("{:.2}  {kind}  {scope}{}  {}", hit.score, local(hit.time), hit.id);
    said(&hit.text, &head, console)?;
    hit.contradicted
        .iter()
        .try_for_each(|other| against(other, console))
}

/// What states something else about the same.
pub fn against(other: &Contrary, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "contradicted": other }));
    }
    let text = other.text.replace('\n', " ");
    let line = console
        .words
        .contradicted(other.id.as_str(), text, local(other.time));
    console.line(&format!("    {}", console.painted(Look::Dim, &line)))
}

pub fn record(record: &MemoryRecord, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut head = format!(
        "{}  {}  {}  {}",
        record.id,
        record.kind.name(),
        record.scope,
        local(record.valid_from)
    );
    if let Some(ended) = record.valid_to {
        head.push_str(&format!(" – {}", local(ended)));
    }
    if let Some(until) = record.until {
        head.push_str(&format!("  {}", words.until(local(until))));
    }
    if record.pinned {
        head.push_str(&format!("  {}", words.pinned()));
    }
    said(&record.text, &head, console)
}
