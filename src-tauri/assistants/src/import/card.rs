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

const KNOWN: [&str; 8] = [
    "name",
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
    let said = |key: &str| {
        let text = text(node, key);
        text.replace("{{char}}", &name).replace("{{user}}", "the user")
    };
    mapped.describe(&text(node, "creator_notes"));
    mapped.open_with(&said("first_mes"));
    for item in items(node, "alternate_greetings") {
        let greeting = item.text().unwrap_or_default();
        mapped.suggest(&item.place, greeting);
    }
    let parts = PARTS.iter().filter_map(|(heading, key)| {
        let text = said(key);
        let is_said = !text.is_empty();
        is_said.then(|| match heading.is_empty() {
            true => text,
            false => format!("{heading}:\n{text}"),
        })
    });
    mapped.prompt(node, &parts.collect::<Vec<_>>().join("\n\n"));
    mapped.keep_others(node, &KNOWN, |_| Reason::KeptOnly);
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
