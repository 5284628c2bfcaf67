//! The origins of a call's arguments, as far as text matching can tell: the marks on an approval (DESIGN §8).
//!
//! For display only: no permission depends on a mark. A mark can be missing where a program rewrote its input,
//! so a missing mark says nothing. A mark that is there is exact: the marked text stands in the named source.

use crate::limits;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Body, Call, CallRecord, Origin, SITE, SegmentKind};

/// The arguments that hold foreign text, each with the source that holds the text too.
#[must_use]
pub fn of(context: &RunContext, call: &Call) -> Vec<Origin> {
    let sources = sources(context);
    if sources.is_empty() {
        return Vec::new();
    }
    let said = own_words(context);
    let mark = |(argument, value): (&String, &Value)| {
        let fragments = fragments(value);
        let foreign = fragments.iter().filter(|fragment| !said.contains(*fragment));
        let found = foreign
            .filter_map(|fragment| sources.iter().find(|source| source.text.contains(fragment)))
            .next();
        found.map(|source| Origin {
            argument: argument.clone(),
            source: source.name.clone(),
        })
    };
    // The site argument of a page's tool is our own text, not the model's.
    let args = call.args.iter().filter(|(name, _)| *name != SITE);
    args.filter_map(mark).collect()
}

/// A text that the user did not write, with its name for people.
struct Source {
    name: String,
    text: String,
}

fn sources(context: &RunContext) -> Vec<Source> {
    let seen = context
        .segments
        .iter()
        .rev()
        .filter_map(|segment| match &segment.body {
            Body::Context(piece) if piece.untrusted => Some(Source {
                name: piece.title.clone(),
                text: plain(&piece.text),
            }),
            _ => None,
        });
    let read = context.calls.values().rev().filter_map(read_by);
    let mut left = limits::ORIGIN_BYTES_MAX;
    seen.chain(read)
        .take_while(|source| {
            let fits = source.text.len() <= left;
            left = left.saturating_sub(source.text.len());
            fits
        })
        .collect()
}

/// The text that a call brought in from outside.
fn read_by(record: &CallRecord) -> Option<Source> {
    let outcome = record.outcome.as_ref().filter(|outcome| outcome.untrusted)?;
    let mut texts = Vec::new();
    leaves(&outcome.data, &mut texts);
    let first = record.call.args.values().find_map(Value::as_str);
    Some(Source {
        name: first.map_or_else(|| record.call.tool(), str::to_owned),
        text: plain(&texts.join("\n")),
    })
}

/// The user's own words in this session: text that the user typed has no foreign source.
fn own_words(context: &RunContext) -> String {
    let said = context
        .segments
        .iter()
        .filter(|segment| segment.kind() == SegmentKind::User);
    said.map(|segment| plain(segment.text()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The pieces of a value that can be searched for: each text as a whole, and its lines. Words that look like
/// addresses, paths or numbers are pieces, too. An ordinary word stands in every text and would prove nothing.
fn fragments(value: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    leaves(value, &mut texts);
    let mut fragments: Vec<String> = Vec::new();
    for text in texts {
        fragments.push(plain(text));
        fragments.extend(text.lines().map(plain));
        // Chinese puts no space around an address, so runs of its own characters count as words too.
        let words = text
            .split_whitespace()
            .chain(text.split(|character: char| !character.is_ascii_graphic()));
        let words = words.map(|word| word.trim_matches(|edge: char| !edge.is_alphanumeric()));
        fragments.extend(words.filter(|word| is_address(word)).map(plain));
    }
    fragments.retain(|fragment| is_telling(fragment));
    fragments.truncate(limits::ORIGIN_FRAGMENTS_MAX);
    fragments
}

fn leaves<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| leaves(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_address(word: &str) -> bool {
    word.contains(['@', '/', '\\', '.', ':'])
        || word.chars().filter(char::is_ascii_digit).count() >= limits::ORIGIN_DIGITS_MIN
}

/// Whether a piece is too long to stand in a source by accident. A Chinese character counts as two Latin letters.
fn is_telling(fragment: &str) -> bool {
    let weight: usize = fragment
        .chars()
        .map(|character| if character.is_ascii() { 1 } else { 2 })
        .sum();
    weight >= limits::ORIGIN_WEIGHT_MIN
}

/// The text for comparing, without case and spaces.
fn plain(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

#[cfg(test)]
mod tests;
