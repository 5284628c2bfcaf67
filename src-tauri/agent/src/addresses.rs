//! Whether a call to the web goes only where the user sent it (DESIGN §8). The user wrote the address, has it as the
//! page in front, or the run has read it unchanged. A search goes where the user sent it if its words are the user's
//! own.
//!
//! Such a call carries nothing away that a stranger put together, so the run's reading does not make it ask. An address
//! must stand there whole: a part of a longer one could be chosen to tell something.

use crate::forms;
use crate::limits;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{Body, Call, CallRecord, Class, SegmentKind};
use std::collections::BTreeSet;

/// The toolkit of fetching and searching, and its arguments.
const WEB: &str = "web";
const URL: &str = "url";
const QUERY: &str = "query";

/// The toolkit of the page in front, and how Shidi itself reads there.
const PAGE: &str = "page";
const PAGE_READS: [&str; 2] = ["read", "links"];

/// Characters that an address as people write it does not hold.
const AROUND: &[char] = &[
    '"', '\'', '<', '>', '(', ')', '[', ']', '{', '}', '|', '\\', '^', '`',
];

/// What ends a sentence, and no address.
const SENTENCE_ENDS: &[char] = &['.', ',', ';', ':', '!', '?'];

/// Whether the call asks for permission as in a run that has read foreign words.
#[must_use]
pub fn is_swayed(context: &RunContext, call: &Call, class: Class) -> bool {
    context.state.tainted && !is_plain(context, call, class)
}

/// Whether the user wrote that very address.
#[must_use]
pub fn is_typed(context: &RunContext, address: &str) -> bool {
    let wanted = bare(address);
    own_words(context).any(|text| addresses_in(text).any(|found| bare(found) == wanted))
}

/// Whether a call to the web holds nothing that a stranger put together.
fn is_plain(context: &RunContext, call: &Call, class: Class) -> bool {
    if call.toolkit != WEB {
        return false;
    }
    match class {
        Class::NetworkRead | Class::Download => {
            let address = call.text(URL);
            is_typed(context, address) || is_in_front(context, address) || is_read(context, address)
        }
        Class::Search => is_of_user(context, call.text(QUERY)),
        Class::Read
        | Class::ReadOutside
        | Class::Write
        | Class::Keep
        | Class::WriteOutside
        | Class::Execute
        | Class::ExecuteOpen
        | Class::Connect
        | Class::Send
        | Class::Page
        | Class::Money => false,
    }
}

/// What the user wrote. A sub-agent's task is a model's text, and a choice on a card too. The words that an earlier
/// task of the session was told count unless they came after foreign reading. A stranger's session counts wholly as
/// foreign.
fn own_words(context: &RunContext) -> impl Iterator<Item = &str> {
    let is_users = context.settings.under.is_none();
    context
        .segments
        .iter()
        .filter(move |segment| is_users && segment.kind() == SegmentKind::User)
        .filter(|segment| match segment.run == context.run {
            true => !is_choice(context, segment.text()),
            false => !segment.tainted,
        })
        .map(|segment| segment.text())
}

/// Whether the text is what a card of this run was answered with.
fn is_choice(context: &RunContext, text: &str) -> bool {
    let mut answered = context
        .calls
        .values()
        .filter(|record| forms::of(&record.call).is_some());
    answered.any(|record| {
        record
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.summary == text)
    })
}

fn is_in_front(context: &RunContext, address: &str) -> bool {
    let mut pieces = context.segments.iter().filter_map(|segment| match &segment.body {
        Body::Context(piece) => piece.url.as_deref(),
        _ => None,
    });
    pieces.any(|url| url == address)
}

/// Whether an address stands unchanged in a page or search result that this run has read. A page in front that the run
/// has changed may repeat text that the run put into it. Then only text from the web counts.
fn is_read(context: &RunContext, address: &str) -> bool {
    let mut left = limits::ORIGIN_BYTES_MAX;
    let is_changed = context.calls.values().any(is_change_of_page);
    let mut read = context
        .calls
        .values()
        .rev()
        .filter(|record| is_of_web(record) || !is_changed && is_reading_of_page(record));
    read.any(|record| {
        let data = record.outcome.as_ref().map(|outcome| &outcome.data);
        data.is_some_and(|data| holds(data, address, &mut left))
    })
}

fn is_of_web(record: &CallRecord) -> bool {
    record.call.toolkit == WEB
}

/// Only what Shidi itself reads there: a page's own tool may answer anything.
fn is_reading_of_page(record: &CallRecord) -> bool {
    record.call.toolkit == PAGE && PAGE_READS.contains(&record.call.method.as_str())
}

fn is_change_of_page(record: &CallRecord) -> bool {
    record.call.toolkit == PAGE && record.class.has_side_effect()
}

fn holds(value: &Value, address: &str, left: &mut usize) -> bool {
    match value {
        Value::String(text) => {
            let Some(rest) = left.checked_sub(text.len()) else {
                return false;
            };
            *left = rest;
            text == address || addresses_in(text).any(|found| found == address)
        }
        Value::Array(items) => items.iter().any(|item| holds(item, address, left)),
        Value::Object(fields) => fields.values().any(|field| holds(field, address, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether a text names an address of the web or of mail, with its scheme or without.
pub fn names_address(text: &str) -> bool {
    text.contains('@') || addresses_in(text).next().is_some()
}

/// Whole addresses of a text. Chinese puts no space around one, so a character beyond ASCII ends it.
fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    let ends = |character: char| !character.is_ascii_graphic() || AROUND.contains(&character);
    let words = text.split(ends).map(|word| word.trim_end_matches(SENTENCE_ENDS));
    words.filter(|word| word.contains('.') || word.contains("//"))
}

/// An address without what people leave out when they type one.
fn bare(address: &str) -> &str {
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"))
        .unwrap_or(address);
    rest.strip_suffix('/').unwrap_or(rest)
}

/// Whether every word of a search is one that the user wrote.
fn is_of_user(context: &RunContext, query: &str) -> bool {
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut text = String::new();
    for said in own_words(context) {
        let said = said.to_lowercase();
        words.extend(words_of(&said).map(str::to_owned));
        text.push_str(&said);
        text.push('\n');
    }
    let query = query.to_lowercase();
    // Words of Chinese stand side by side: there a part of the user's text is the user's word.
    words_of(&query).all(|word| words.contains(word) || !word.is_ascii() && text.contains(word))
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
