//! Segments of before bodies had types: text as a model reads it, with frames around what stands in it.
//!
//! Read once, when an older database or session file is opened. A text that is not of its kind's form stays words.

use super::{Body, ContextPiece, RecallMark, SegmentKind, ShownCard, SummaryBody};
use crate::SegmentId;
use serde_json::{Map, Value};

/// What a program's output said when there was none.
const NO_OUTPUT: &str = "(no output)";

/// The body of a segment that was kept as text.
#[must_use]
pub fn body(kind: &str, text: &str, failed: bool) -> Body {
    let kind = SegmentKind::from_name(kind);
    let typed = match &kind {
        SegmentKind::Context => context(text).map(Body::Context),
        SegmentKind::Summary => summary(text),
        SegmentKind::Card => card(text).map(Body::Card),
        SegmentKind::Recalled => Some(Body::Recalled { marks: marks(text) }),
        SegmentKind::Output => Some(Body::Output {
            text: if text == NO_OUTPUT { "" } else { text }.to_owned(),
            failed,
        }),
        _ => None,
    };
    typed.unwrap_or_else(|| Body::plain(&kind, text))
}

/// Brings a segment of an older session file into today's form; leaves one of today as it is.
pub fn bring_up(segment: &mut Map<String, Value>) {
    let (kind, is_named) = match segment.get("kind") {
        Some(Value::String(name)) => (name.clone(), true),
        Some(Value::Object(custom)) => match custom.get("Custom").and_then(Value::as_str) {
            Some(name) => (name.to_owned(), false),
            None => return,
        },
        _ => return,
    };
    let is_typed = match kind.as_str() {
        "Context" => segment.contains_key("source"),
        "Summary" => segment.contains_key("through"),
        _ => is_named,
    };
    let text = segment.get("text").and_then(Value::as_str).unwrap_or_default();
    if is_typed && !(kind == "Output" && text == NO_OUTPUT) {
        return;
    }
    let failed = segment.get("failed").and_then(Value::as_bool).unwrap_or_default();
    let Ok(Value::Object(typed)) = serde_json::to_value(body(&kind, text, failed)) else {
        return;
    };
    segment.remove("text");
    segment.extend(typed);
}

/// `<file title="a.csv" url="file:///a.csv" trust="…">`, the words, `</file>`.
fn context(text: &str) -> Option<ContextPiece> {
    let (head, rest) = text.split_once('\n')?;
    let inner = head.strip_prefix('<')?.strip_suffix('>')?;
    let (source, mut attributes) = inner.split_once(' ').unwrap_or((inner, ""));
    let mut piece = ContextPiece {
        source: source.to_owned(),
        ..ContextPiece::default()
    };
    while let Some((name, value, left)) = attribute(attributes) {
        match name {
            "title" => piece.title = value,
            "url" => piece.url = Some(value),
            "trust" => piece.untrusted = true,
            _ => return None,
        }
        attributes = left;
    }
    let closing = format!("</{source}>");
    let words = rest.trim_end().strip_suffix(&closing)?;
    piece.text = words.strip_suffix('\n').unwrap_or(words).to_owned();
    Some(piece)
}

/// The first attribute of a head, with its value as it was before it was quoted, and the rest.
fn attribute(text: &str) -> Option<(&str, String, &str)> {
    let (name, rest) = text.trim_start().split_once("=\"")?;
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '"' => return Some((name, value, &rest[place + 1..])),
            '\\' => value.push(unquoted(&mut letters)?),
            other => value.push(other),
        }
    }
    None
}

/// The letter behind a backslash, as Rust writes it: `\n`, `\"`, `\u{301}`.
fn unquoted(letters: &mut std::str::CharIndices<'_>) -> Option<char> {
    Some(match letters.next()?.1 {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let code: String = letters
                .by_ref()
                .map(|(_, letter)| letter)
                .skip(1)
                .take_while(|letter| *letter != '}')
                .collect();
            u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)?
        }
        other => other,
    })
}

/// `<summary through="41" kept="3 17">`, the words, `</summary>`; or `<cut through="30"/>`.
fn summary(text: &str) -> Option<Body> {
    let number = |text: &str| text.parse().ok().map(SegmentId);
    let cut = text.strip_prefix("<cut through=\"");
    if let Some(through) = cut.and_then(|rest| rest.strip_suffix("\"/>")) {
        return number(through).map(|through| Body::Cut { through });
    }
    let (head, rest) = text.split_once('\n')?;
    let head = head.strip_prefix("<summary through=\"")?.strip_suffix("\">")?;
    let (through, kept) = head.split_once("\" kept=\"")?;
    let rest = rest.trim_end();
    Some(Body::Summary(SummaryBody {
        through: number(through)?,
        kept: kept.split_whitespace().map(number).collect::<Option<_>>()?,
        text: rest
            .strip_suffix("</summary>")
            .unwrap_or(rest)
            .trim_end()
            .to_owned(),
    }))
}

/// The line for the model, then the card as JSON.
fn card(text: &str) -> Option<ShownCard> {
    let (told, data) = text.split_once('\n')?;
    let mut card: Map<String, Value> = serde_json::from_str(data).ok()?;
    let mut word = |name: &str| card.remove(name)?.as_str().map(str::to_owned);
    let (id, kind) = (word("id")?, word("kind")?);
    Some(ShownCard {
        card_id: id,
        card: kind,
        text: told.to_owned(),
        data: card.remove("data")?,
    })
}

/// One mark on each line.
fn marks(text: &str) -> Vec<RecallMark> {
    let marks = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    marks.collect()
}

#[cfg(test)]
mod tests;
