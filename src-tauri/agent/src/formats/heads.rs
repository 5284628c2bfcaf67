//! Heads of segments that are not the model's to write: `[Output]: …`, `[Round]: …`.
//!
//! A model that writes one goes on with the conversation by itself; nothing from there on counts. In a text of a
//! program, in a block of code and as code within a line such a word is content.

use super::speech::COLONS;
use shidi_protocol::SegmentKind;

/// What only others say.
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

/// The first head in prose: where it stands, and what is wrong about it.
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

/// What of an answer is the model's own: all before the first head.
#[must_use]
pub fn own(text: &str) -> &str {
    first(text).map_or(text, |(place, _)| &text[..place])
}

/// Whether a line begins with a head.
pub(super) fn begins(line: &str) -> bool {
    of(line.trim_start()).is_some()
}

/// Whether a line that begins so may become one that begins with a head.
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
