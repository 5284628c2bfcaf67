//! Finds wishes to remember in the user's own words, in Chinese and English. Such are "remember that …", "my … is …"
//! and "always use …". Pure, by words and forms alone.
//!
//! The rules would rather miss a statement than invent one. A text that is quoted, asked, pasted or to be worked on
//! states nothing. A sentence about a secret is never kept, whoever asks for it.

mod forms;
mod places;
mod subject;

pub use subject::{Relation, is_correction, normalised, same_thing};

use forms::{PLACES, SECRET_JOINTS, SECRETS, TELLING, WORKING_ON, contains_any};
use shidi_protocol::MemoryKind;
use shidi_senses::redacted;

/// Something that the user stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub kind: MemoryKind,
    pub text: String,
    /// What of the user it states a value of, where there can be only one.
    pub subject: Option<String>,
}

/// Characters of a message in which something is found that nobody asked to keep: a longer one is material.
const MESSAGE_CHARACTERS_MAX: usize = 600;

/// Characters of a message that are looked at, and of one statement.
const LOOKED_AT_CHARACTERS: usize = 8_000;
const STATEMENT_CHARACTERS_MAX: usize = 500;

/// Letters of the shortest statement.
const STATEMENT_CHARACTERS_MIN: usize = 2;

/// Statements of one message.
pub const STATEMENTS_MAX: usize = 8;

/// The statements of a message, in their order, each once.
#[must_use]
pub fn statements(message: &str) -> Vec<Statement> {
    let (own, is_material) = own_words(message);
    let sentences = sentences(&own);
    // Where things are is said for a task, too: it is kept where nothing else is asked.
    let is_all = !is_material && sentences.iter().all(states);
    let mut found: Vec<Statement> = Vec::new();
    let mut goes_on = false;
    for sentence in sentences {
        let told = told(&sentence.text);
        let is_list = goes_on && sentence.is_item;
        goes_on = told == Some("") || is_list;
        let statement = match told {
            Some("") => None,
            Some(rest) => explicit(rest),
            None if is_list => explicit(&sentence.text),
            None if is_material => None,
            None => implicit(&sentence.text)
                .or_else(|| of_form(&sentence.text, places::is_placed).filter(|_| is_all)),
        };
        found.extend(statement.filter(|statement| !found.contains(statement)));
        if found.len() >= STATEMENTS_MAX {
            break;
        }
    }
    found
}

/// Whether a message does nothing but state: then what it says is kept already, and needs no summary.
#[must_use]
pub fn only_states(message: &str) -> bool {
    let own = without_quotations(message);
    let sentences = sentences(&own);
    !sentences.is_empty() && sentences.iter().all(states)
}

/// Changes of the user's things that a message tells, beyond its statements. Such a change is worth keeping only where
/// it takes the place of a known record.
#[must_use]
pub fn changes(message: &str) -> Vec<Statement> {
    let (own, is_material) = own_words(message);
    if is_material {
        return Vec::new();
    }
    let stated = statements(message);
    let sentences = sentences(&own);
    let changed = sentences
        .iter()
        .filter(|sentence| told(&sentence.text).is_none())
        .filter_map(|sentence| of_form(&sentence.text, places::is_changed));
    changed
        .filter(|change| !stated.iter().any(|one| one.text == change.text))
        .take(STATEMENTS_MAX)
        .collect()
}

/// What of a message its user says, and whether it is material to be worked on.
fn own_words(message: &str) -> (String, bool) {
    let bounded: String = message.chars().take(LOOKED_AT_CHARACTERS).collect();
    let own = without_quotations(&bounded);
    let is_material = own.chars().count() > MESSAGE_CHARACTERS_MAX
        || own.chars().count() < bounded.chars().count()
        || contains_any(&own.to_lowercase(), WORKING_ON);
    (own, is_material)
}

fn states(sentence: &Sentence) -> bool {
    told(&sentence.text).is_some()
        || sentence.is_item
        || implicit(&sentence.text).is_some()
        || of_form(&sentence.text, places::is_placed).is_some()
}

/// A sentence of a form, as something to know.
fn of_form(sentence: &str, has_form: fn(&str) -> bool) -> Option<Statement> {
    let text = tidy(sentence);
    (is_fit(&text) && !is_question(&text.to_lowercase()) && has_form(&text)).then_some(Statement {
        kind: MemoryKind::Knowledge,
        subject: None,
        text,
    })
}

/// A statement that somebody asked to keep: `text` without the asking.
#[must_use]
pub fn explicit(text: &str) -> Option<Statement> {
    let text = tidy(text);
    if !is_fit(&text) {
        return None;
    }
    if let Some(found) = implicit(&text) {
        return Some(found);
    }
    Some(Statement {
        kind: MemoryKind::Knowledge,
        subject: None,
        text,
    })
}

/// What the user says of themselves or wants always, without asking to keep it.
fn implicit(sentence: &str) -> Option<Statement> {
    let text = tidy(sentence);
    if !is_fit(&text) || is_question(&text) {
        return None;
    }
    let lower = text.to_lowercase();
    if let Some(subject) = forms::attribute(&lower) {
        return Some(Statement {
            kind: MemoryKind::Profile,
            subject: Some(subject.to_owned()),
            text,
        });
    }
    forms::prefers(&lower).then(|| Statement {
        kind: MemoryKind::Preference,
        subject: preferred(&lower),
        text,
    })
}

/// What a preference is about, for the few things of which there can be one only.
fn preferred(lower: &str) -> Option<String> {
    forms::DIMENSIONS
        .iter()
        .find(|(_, words)| contains_any(lower, words))
        .map(|(name, _)| (*name).to_owned())
}

/// The text behind "remember that"; `None` when the sentence doesn't ask for it.
fn told(sentence: &str) -> Option<&str> {
    let lower = sentence.to_ascii_lowercase();
    if is_question(&lower) {
        return None;
    }
    forms::words(TELLING).find_map(|words| {
        let rest = lower.strip_prefix(words)?;
        // A word of letters ends where it ends: "remembered" asks for nothing.
        let is_whole = !words.ends_with(|letter: char| letter.is_ascii_alphabetic())
            || !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        let rest = &sentence[sentence.len() - rest.len()..];
        is_whole
            .then(|| rest.trim_start_matches([':', '：', ',', '，', ' ', '一', '下', '了', '、', '-', '—']))
    })
}

fn is_question(lower: &str) -> bool {
    let end = lower.trim_end();
    end.ends_with(['?', '？', '吗', '呢', '么']) || contains_any(lower, forms::ASKING)
}

/// Whether a text can be kept: long enough, short enough, and no secret.
fn is_fit(text: &str) -> bool {
    let characters = text.chars().count();
    (STATEMENT_CHARACTERS_MIN..=STATEMENT_CHARACTERS_MAX).contains(&characters) && !is_secret(text)
}

/// Whether a sentence gives a secret away. Where one is kept may be told.
#[must_use]
pub fn is_secret(text: &str) -> bool {
    if redacted(text) != text {
        return true;
    }
    let lower = text.to_lowercase();
    forms::words(SECRETS).any(|word| {
        let mut behind = lower.match_indices(word).map(|(at, _)| &lower[at + word.len()..]);
        behind.any(gives_value)
    })
}

/// Whether what stands behind the name of a secret is its value.
fn gives_value(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '"', '\'', '”', '’']);
    let Some(value) = forms::behind(behind, SECRET_JOINTS) else {
        return false;
    };
    let value = value.trim_start();
    !value.is_empty() && !forms::words(PLACES).any(|place| value.starts_with(place))
}

struct Sentence {
    text: String,
    /// The statement stands in a list.
    is_item: bool,
}

fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let item = line.trim_start_matches(['-', '*', '•', '·']).trim_start();
        let item = item
            .split_once(['.', '、', ')'])
            .filter(|(number, _)| {
                !number.is_empty() && number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit())
            })
            .map_or(item, |(_, rest)| rest.trim_start());
        let is_item = item.len() < line.len();
        let mut begin = 0;
        let mut letters = item.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let end = at + letter.len_utf8();
            let is_end = match letter {
                '。' | '！' | '？' | '；' | '!' | '?' | ';' => true,
                // Not within a number, a name or an address.
                '.' => {
                    letters.peek().is_none_or(|(_, next)| next.is_whitespace())
                        && !is_abbreviation(&item[begin..at])
                }
                _ => false,
            };
            if is_end {
                push(&mut found, &item[begin..end], is_item);
                begin = end;
            }
        }
        push(&mut found, &item[begin..], is_item);
    }
    found
}

fn push(found: &mut Vec<Sentence>, text: &str, is_item: bool) {
    let text = text.trim();
    if text.chars().any(char::is_alphanumeric) {
        let text = text.to_owned();
        found.push(Sentence { text, is_item });
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(' ').next().unwrap_or_default();
    matches!(
        word,
        "Mr" | "Mrs" | "Ms" | "Dr" | "St" | "No" | "vs" | "e.g" | "i.e"
    )
}

/// The text without code, quoted lines and quotations of several words.
fn without_quotations(text: &str) -> String {
    let mut own = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.trim_start().starts_with('>') {
            own.push_str(line);
            own.push('\n');
        }
    }
    for (open, close) in [('“', '”'), ('「', '」'), ('"', '"')] {
        own = without_between(&own, open, close);
    }
    own.trim_end().to_owned()
}

/// Takes out what stands between two marks when it is a sentence; a quoted word is a name.
fn without_between(text: &str, open: char, close: char) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        left.push_str(before);
        let Some((inner, after)) = behind.split_once(close) else {
            left.push(open);
            rest = behind;
            continue;
        };
        if inner.chars().count() <= forms::QUOTED_NAME_CHARACTERS {
            left.push(open);
            left.push_str(inner);
            left.push(close);
        }
        rest = after;
    }
    left.push_str(rest);
    left
}

fn tidy(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    joined
        .trim_matches([' ', '，', ',', '：', ':', '。', '；', ';', '！', '!', '.'])
        .to_owned()
}

#[cfg(test)]
mod tests;
