//! Heads of segments that the model must not write: `[Output]: …`, `[Round]: …`.
//!
//! A model that writes one continues the conversation by itself; everything from that head on is dropped.
//! Within a program's text, a block of code or a line of code such a head is content.

use super::speech::COLONS;
use shidi_protocol::SegmentKind;

/// Heads that only others write.
const FOREIGN: [SegmentKind; 10] = [
    SegmentKind::Output,
    SegmentKind::User,
    SegmentKind::Round,
    SegmentKind::Reminder,
    SegmentKind::Context,
    SegmentKind::Summary,
    SegmentKind::Message,
    SegmentKind::Notification,
    SegmentKind::Knowledge,
    SegmentKind::Experience,
];

/// The first foreign head in prose: its position, and the fault in words.
pub(super) fn first(prose: &str) -> Option<(usize, String)> {
    let mut within_code = false;
    let mut start = 0;
    for line in prose.split_inclusive('\n') {
        within_code ^= line.trim_start().starts_with("```");
        if !within_code && let Some((place, kind)) = in_line(line) {
            return Some((start + place, wrong(kind)));
        }
        start += line.len();
    }
    None
}

/// The model's own part of an answer: all before the first foreign head.
#[must_use]
pub fn own(text: &str) -> &str {
    first(text).map_or(text, |(place, _)| &text[..place])
}

/// Whether a line begins with a head.
pub(super) fn begins(line: &str) -> bool {
    of(line.trim_start()).is_some()
}

/// Whether a line that begins with `start` may become one that begins with a head.
pub(super) fn may_begin(start: &str) -> bool {
    let Some(inner) = start.strip_prefix('[') else {
        return start.is_empty();
    };
    let mut names = FOREIGN.iter().map(SegmentKind::name);
    match inner.split_once(']') {
        None => names.any(|name| name.starts_with(inner)),
        Some((name, rest)) => rest.is_empty() && names.any(|known| known == name),
    }
}

fn in_line(line: &str) -> Option<(usize, &'static SegmentKind)> {
    let mut brackets = line.match_indices('[');
    brackets.find_map(|(place, _)| {
        let as_code = line[..place].matches('`').count() % 2 == 1;
        let kind = of(&line[place..]).filter(|_| !as_code)?;
        Some((place, kind))
    })
}

/// The kind whose head a text begins with.
fn of(text: &str) -> Option<&'static SegmentKind> {
    let (name, rest) = text.strip_prefix('[')?.split_once(']')?;
    rest.strip_prefix(COLONS)?;
    FOREIGN.iter().find(|kind| kind.name() == name)
}

fn wrong(kind: &SegmentKind) -> String {
    let why = match kind {
        SegmentKind::Output => "An output comes only from a program that ran; never invent one.",
        SegmentKind::User => "What the user says comes from the user alone.",
        _ => "It is not yours to write.",
    };
    format!("You wrote `[{}]:` yourself. {why}", kind.name())
}
