//! Character cards, version 2 and 3: JSON, or within a picture.

use super::Mapped;
use super::fields::{items, text};
use crate::limits::IMPORT_BYTES_MAX;
use crate::problem::{Fault, Problem, Reason};
use crate::reading;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shidi_yaml::{Node, Place};
use std::sync::Arc;

const KNOWN: [&str; 9] = [
    "name",
    "creator_notes",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "system_prompt",
    "alternate_greetings",
];
/// The parts of a card that make its prompt, in their order, each under its heading.
const PARTS: [(&str, &str); 5] = [
    ("", "system_prompt"),
    ("Character", "description"),
    ("Personality", "personality"),
    ("Scenario", "scenario"),
    ("Examples of how it speaks", "mes_example"),
];

/// What stands around a card's values.
const AROUND: [&str; 3] = ["spec", "spec_version", "data"];
/// How a card writes the name of its character, and its reader, in small letters.
const CHARACTER: [&str; 3] = ["{{char}}", "<char>", "<bot>"];
const READER: [&str; 2] = ["{{user}}", "<user>"];

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// What a card's chunk is called, the newer version first.
const CHUNKS: [&str; 2] = ["ccv3", "chara"];
/// Chunks of a picture that are looked at.
const CHUNKS_MAX: usize = 10_000;

#[must_use]
pub fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(PNG)
}

/// The card within a picture.
///
/// # Errors
/// A picture without one, or one that can't be read.
pub fn in_picture(file: &Arc<str>, bytes: &[u8]) -> Result<Node, Fault> {
    let place = Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    };
    let texts = texts(bytes);
    let found = CHUNKS
        .iter()
        .find_map(|wanted| texts.iter().find(|(name, _)| name == wanted));
    let Some((_, text)) = found else {
        return Err(Fault::new(&place, Problem::UnknownFormat));
    };
    let json = STANDARD
        .decode(text)
        .map_err(|cause| Fault::new(&place, Problem::NotYaml(cause.to_string())))?;
    reading::tree(file, &json, IMPORT_BYTES_MAX)
}

/// The plain texts of a picture by their names; a broken chunk ends them.
fn texts(bytes: &[u8]) -> Vec<(&str, &[u8])> {
    let mut texts = Vec::new();
    let mut rest = bytes.get(PNG.len()..).unwrap_or_default();
    for _ in 0..CHUNKS_MAX {
        let Some((head, body)) = rest.split_at_checked(8) else {
            break;
        };
        let (length, kind) = head.split_at(4);
        let Ok(length) = <[u8; 4]>::try_from(length) else {
            break;
        };
        let length = u32::from_be_bytes(length) as usize;
        let Some(data) = body.get(..length) else { break };
        if kind == b"tEXt"
            && let Some(end) = data.iter().position(|byte| *byte == 0)
            && let Ok(name) = std::str::from_utf8(&data[..end])
        {
            texts.push((name, &data[end + 1..]));
        }
        // The checksum stands behind.
        rest = body.get(length + 4..).unwrap_or_default();
    }
    texts
}

/// A card, whose values are below `data` since version 2.
///
/// # Errors
/// A name without a letter.
pub fn mapped(root: &Node) -> Result<Mapped, Fault> {
    let node = root.get("data").unwrap_or(root);
    let name = text(node, "name");
    let mut mapped = Mapped::titled(node, &name, "")?;
    let said = |text: &str| spoken(text, &name);
    mapped.describe(node, "creator_notes", &said(&text(node, "creator_notes")));
    mapped.open_with(node, "first_mes", &said(&text(node, "first_mes")));
    for item in items(node, "alternate_greetings") {
        mapped.suggest(&item.place, &said(item.text().unwrap_or_default()));
    }
    let parts = PARTS.iter().filter_map(|(heading, key)| {
        let text = said(&text(node, key));
        let is_said = !text.is_empty();
        is_said.then(|| match heading.is_empty() {
            true => text,
            false => format!("{heading}:\n{text}"),
        })
    });
    let parts: Vec<String> = parts.collect();
    mapped.prompt(&node.place, &parts.join("\n\n"));
    mapped.keep_others(node, &KNOWN, |_| Reason::KeptOnly);
    if !std::ptr::eq(node, root) {
        // Programs write the values of version 1 beside those of later ones.
        let within = node.entries().iter().map(|entry| entry.key.as_str());
        let known: Vec<&str> = AROUND.into_iter().chain(KNOWN).chain(within).collect();
        mapped.keep_others(root, &known, |_| Reason::KeptOnly);
    }
    mapped.other.insert("spec".to_owned(), text(root, "spec").into());
    // A card is its JSON: what was made into a prompt can be made into a card again.
    for key in [
        "description",
        "personality",
        "scenario",
        "mes_example",
        "system_prompt",
        "alternate_greetings",
    ] {
        if let Some(value) = node.get(key) {
            mapped.other.insert(key.to_owned(), value.json());
        }
    }
    Ok(mapped)
}

/// A text with names in the place of those that are written for them.
fn spoken(text: &str, name: &str) -> String {
    let with_name = CHARACTER
        .iter()
        .fold(text.to_owned(), |text, sign| replaced(&text, sign, name));
    READER
        .iter()
        .fold(with_name, |text, sign| replaced(&text, sign, "the user"))
}

/// Replaces a sign in whichever case it is written.
fn replaced(text: &str, sign: &str, with: &str) -> String {
    let lowered = text.to_ascii_lowercase();
    let mut written = String::new();
    let mut copied = 0;
    for (at, found) in lowered.match_indices(sign) {
        written.push_str(&text[copied..at]);
        written.push_str(with);
        copied = at + found.len();
    }
    written.push_str(&text[copied..]);
    written
}
