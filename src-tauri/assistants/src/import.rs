//! Assistants of other programs: each becomes one of ours, or the lines and reasons for which it does not.
//!
//! What has no counterpart is told beside the result, and stays in its file below `other`; what says who somebody is does not.

mod agent;
mod card;
mod cherry;
mod fields;
mod goose;
mod open_webui;
mod opencode;
mod tools;

pub use fields::cut;

use crate::limits::{IMPORT_BYTES_MAX, REVIEWED_MAX};
use crate::problem::{Fault, Problem, in_order};
use crate::reading;
use crate::writing;
use serde_json::{Value, json};
use shidi_protocol::AssistantSpec;
use shidi_yaml::{Data, Node, Place};
use std::sync::Arc;

/// Whose file it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Shidi,
    Cherry,
    OpenWebui,
    AgentMarkdown,
    OpencodeAgent,
    CharacterCard,
    Goose,
}

impl Format {
    /// The name below `other` and in `origin`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shidi => "shidi",
            Self::Cherry => "cherry_studio",
            Self::OpenWebui => "open_webui",
            Self::AgentMarkdown => "agent_markdown",
            Self::OpencodeAgent => "opencode_agent",
            Self::CharacterCard => "character_card",
            Self::Goose => "goose_recipe",
        }
    }
}

/// An assistant that came from a file.
#[derive(Debug, Clone)]
pub struct Imported {
    pub spec: AssistantSpec,
    /// As our own file.
    pub text: String,
    /// The whole of that file, with keys that are not ours.
    pub document: Value,
    /// By what it is known again: the format, and its id there.
    pub origin: Option<Value>,
    pub left_out: Vec<Fault>,
}

/// What a foreign item becomes.
struct Mapped {
    spec: AssistantSpec,
    id: String,
    /// Fields that are kept and do nothing.
    other: serde_json::Map<String, Value>,
    left_out: Vec<Fault>,
}

/// What a file holds, and why other parts of it became nothing.
#[derive(Debug, Default)]
pub struct Import {
    pub assistants: Vec<Imported>,
    pub refused: Vec<Fault>,
}

/// Reads a file of any program that is known.
#[must_use]
pub fn import(file: &Arc<str>, bytes: &[u8]) -> Import {
    read(file, bytes).unwrap_or_else(|refused| Import {
        assistants: Vec::new(),
        refused: in_order(refused),
    })
}

fn read(file: &Arc<str>, bytes: &[u8]) -> Result<Import, Vec<Fault>> {
    let one = |fault: Fault| vec![fault];
    if card::is_picture(bytes) {
        let root = card::in_picture(file, bytes).map_err(one)?;
        return Ok(finished(file, Format::CharacterCard, vec![card::mapped(&root)]));
    }
    let start = bytes.get(..bytes.len().min(8)).unwrap_or_default();
    let has_front_matter =
        start.starts_with(b"---\n") || start.starts_with(b"---\r\n") || start.starts_with(b"\xef\xbb\xbf---");
    if has_front_matter && let Some((format, mapped)) = agent::read(file, bytes) {
        return Ok(finished(file, format, vec![mapped]));
    }
    let root = reading::tree(file, bytes, IMPORT_BYTES_MAX).map_err(one)?;
    match format(&root) {
        Some(Format::Shidi) => own(file, bytes),
        Some(format) => {
            let items: Vec<&Node> = match &root.data {
                Data::List(items) => items.iter().take(REVIEWED_MAX).collect(),
                Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => vec![&root],
            };
            let map = match format {
                Format::Cherry => cherry::mapped,
                Format::OpenWebui => open_webui::mapped,
                Format::CharacterCard => card::mapped,
                Format::Goose | Format::Shidi | Format::AgentMarkdown | Format::OpencodeAgent => {
                    goose::mapped
                }
            };
            let mapped = |item: &Node| match item.data {
                Data::Map(_) => map(item),
                Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => {
                    Err(Fault::new(&item.place, Problem::NoItem))
                }
            };
            Ok(finished(file, format, items.into_iter().map(mapped).collect()))
        }
        None => Err(one(Fault::new(&root.place, Problem::UnknownFormat))),
    }
}

/// Our own file, byte for byte as it came.
fn own(file: &Arc<str>, bytes: &[u8]) -> Result<Import, Vec<Fault>> {
    let read = reading::read(file, bytes)?;
    if let Some(fault) = reading::reserved(file, &read.spec) {
        return Err(vec![fault]);
    }
    let imported = Imported {
        spec: read.spec,
        text: String::from_utf8_lossy(bytes).into_owned(),
        origin: read.document.get("origin").cloned(),
        document: read.document,
        left_out: read.notes,
    };
    Ok(Import {
        assistants: vec![imported],
        refused: Vec::new(),
    })
}

fn format(root: &Node) -> Option<Format> {
    let first = match &root.data {
        // An item that is none must not hide what the others are.
        Data::List(items) => items.iter().find(|item| matches!(item.data, Data::Map(_)))?,
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => root,
    };
    let has = |key: &str| first.get(key).is_some();
    let is_list = matches!(root.data, Data::List(_));
    let is_card = fields::text(first, "spec").starts_with("chara_card_v");
    if is_card || (has("first_mes") && has("personality")) {
        return Some(Format::CharacterCard);
    }
    if has("params") || has("meta") || has("base_model_id") {
        return Some(Format::OpenWebui);
    }
    if !is_list && (has("recipe") || (has("title") && !has("name") && (has("instructions") || has("prompt"))))
    {
        return Some(Format::Goose);
    }
    if !is_list && has("version") && has("name") {
        return Some(Format::Shidi);
    }
    (has("prompt") && has("name")).then_some(Format::Cherry)
}

/// Each of the items as a file of ours, read again as one.
fn finished(file: &Arc<str>, format: Format, items: Vec<Result<Mapped, Fault>>) -> Import {
    let mut import = Import::default();
    for item in items {
        match item
            .map_err(|fault| vec![fault])
            .and_then(|mapped| whole(file, format, mapped))
        {
            Ok(imported) => import.assistants.push(imported),
            Err(faults) => import.refused.extend(faults),
        }
    }
    import.refused = in_order(import.refused);
    import
}

fn whole(file: &Arc<str>, format: Format, mapped: Mapped) -> Result<Imported, Vec<Fault>> {
    let Mapped {
        spec,
        id,
        other,
        left_out,
    } = mapped;
    let origin = json!({"format": format.name(), "id": id});
    let mut earlier = json!({"origin": origin});
    if !other.is_empty() {
        earlier["other"] = json!({(format.name()): other});
    }
    let place = left_out
        .first()
        .map_or_else(|| top(file), |fault| fault.place.clone());
    let broken = |why: String| vec![Fault::new(&place, Problem::NotYaml(why))];
    let text = writing::text(&spec, &earlier).map_err(broken)?;
    // What another program allows may be beyond our bounds: the reader of our own files has the last word.
    let read = reading::read(file, text.as_bytes()).map_err(|faults| {
        let moved = faults.into_iter().map(|fault| Fault::new(&place, fault.problem));
        in_order(moved.collect())
    })?;
    Ok(Imported {
        spec: read.spec,
        text,
        document: read.document,
        origin: Some(origin),
        left_out: in_order(left_out),
    })
}

fn top(file: &Arc<str>) -> Place {
    Place {
        file: Arc::clone(file),
        line: 1,
        column: 1,
    }
}
