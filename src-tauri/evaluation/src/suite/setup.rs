//! Reads what promptfoo does not know of a task: its situation, and what is said after the first answer.

use super::fault::fault;
use super::reading::Reading;
use super::{Content, Exchange, Page, Setup};
use crate::limits::TURNS_MAX;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use shidi_protocol::{Mode, UserError};
use shidi_yaml::{Data, Node};
use std::collections::BTreeMap;
use std::path::{Component, Path};

const KEYS: [&str; 10] = [
    "history",
    "files",
    "attach",
    "memory",
    "knowledge",
    "workflows",
    "page",
    "turns",
    "mode",
    "answers",
];

/// What the key `shidi` of a task tells.
#[derive(Default)]
pub struct Situation {
    pub setup: Setup,
    pub history: Vec<Exchange>,
    /// Turns after the question.
    pub turns: Vec<String>,
}

/// Reads the key `shidi` of a task: its situation, what was said before, and the further turns.
///
/// # Errors
/// Unknown keys, values of another kind, and names of files that lead out of the folder.
pub fn setup(reading: &Reading, node: &Node) -> Result<Situation, UserError> {
    reading.keys(node, &KEYS)?;
    let mut setup = Setup::default();
    if let Some(node) = node.get("files") {
        setup.files = files(reading, node)?;
    }
    if let Some(node) = node.get("attach") {
        setup.attach = reading.texts(node)?;
        if let Some(name) = setup.attach.iter().find(|name| !setup.files.contains_key(*name)) {
            return Err(fault(
                &node.place,
                reading.say().attached_no_file(name),
                reading.say().list_example(),
            ));
        }
    }
    if let Some(node) = node.get("memory") {
        setup.memory = reading.texts(node)?;
    }
    if let Some(node) = node.get("knowledge") {
        setup.knowledge = knowledge(reading, node)?;
    }
    if let Some(node) = node.get("workflows") {
        setup.workflows = workflows(reading, node)?;
    }
    if let Some(node) = node.get("page") {
        reading.keys(node, &["url", "title", "text"])?;
        let text = |key| {
            node.get(key)
                .map_or(Ok(String::new()), |node| reading.text(node).map(str::to_owned))
        };
        setup.page = Some(Page {
            url: text("url")?,
            title: text("title")?,
            text: text("text")?,
        });
    }
    if let Some(node) = node.get("mode") {
        setup.mode = match reading.text(node)? {
            "ask" => Mode::Ask,
            "risky" => Mode::Risky,
            "trust" => Mode::Trust,
            other => {
                let there = reading.say().there_are("ask, risky, trust");
                return Err(fault(&node.place, reading.say().no_such_mode(other), there));
            }
        };
    }
    setup.answers = bounded(reading, node.get("answers"))?;
    let turns = bounded(reading, node.get("turns"))?;
    Ok(Situation {
        setup,
        history: history(reading, node.get("history"))?,
        turns,
    })
}

/// What was said before, each with its answer.
fn history(reading: &Reading, node: Option<&Node>) -> Result<Vec<Exchange>, UserError> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let items = reading.list(node)?;
    if items.len() >= TURNS_MAX {
        return Err(too_many_turns(reading, node));
    }
    let mut history = Vec::new();
    for item in items {
        reading.keys(item, &["question", "answer", "tainted"])?;
        let text = |key| match item.get(key) {
            Some(node) => reading.text(node).map(str::to_owned),
            None => Err(fault(
                &item.place,
                reading.say().key_missing(key),
                reading.say().map_example(),
            )),
        };
        history.push(Exchange {
            question: text("question")?,
            answer: text("answer")?,
            tainted: match item.get("tainted") {
                Some(node) => reading.flag(node)?,
                None => false,
            },
        });
    }
    Ok(history)
}

fn too_many_turns(reading: &Reading, node: &Node) -> UserError {
    let say = reading.say();
    fault(&node.place, say.too_many_turns(TURNS_MAX), say.split_file())
}

/// Texts of which there may not be too many.
fn bounded(reading: &Reading, node: Option<&Node>) -> Result<Vec<String>, UserError> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let texts = reading.texts(node)?;
    match texts.len() >= TURNS_MAX {
        true => Err(too_many_turns(reading, node)),
        false => Ok(texts),
    }
}

/// Files of workflows: a name is that of a file without its ending.
fn workflows(reading: &Reading, node: &Node) -> Result<BTreeMap<String, String>, UserError> {
    reading.map(node)?;
    let mut workflows = BTreeMap::new();
    for entry in node.entries() {
        let mut parts = Path::new(&entry.key).components();
        let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        if !is_name {
            return Err(fault(
                &entry.place,
                reading.say().path_leads_out(&entry.key),
                reading.say().path_example(),
            ));
        }
        workflows.insert(entry.key.clone(), reading.text(&entry.value)?.to_owned());
    }
    Ok(workflows)
}

fn files(reading: &Reading, node: &Node) -> Result<BTreeMap<String, Content>, UserError> {
    reading.map(node)?;
    let mut files = BTreeMap::new();
    for entry in node.entries() {
        let stays_inside = Path::new(&entry.key)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !stays_inside || entry.key.is_empty() {
            return Err(fault(
                &entry.place,
                reading.say().path_leads_out(&entry.key),
                reading.say().path_example(),
            ));
        }
        files.insert(entry.key.clone(), content(reading, &entry.value)?);
    }
    Ok(files)
}

fn content(reading: &Reading, node: &Node) -> Result<Content, UserError> {
    match &node.data {
        Data::Text(text) => Ok(Content::Bytes(text.clone().into_bytes())),
        Data::Map(_) => {
            reading.keys(node, &["base64", "python"])?;
            match (node.get("base64"), node.get("python")) {
                (Some(coded), None) => {
                    let bytes = STANDARD.decode(reading.text(coded)?.trim());
                    let bytes =
                        bytes.map_err(|cause| fault(&coded.place, cause, reading.say().content_example()))?;
                    Ok(Content::Bytes(bytes))
                }
                (None, Some(program)) => Ok(Content::Python(reading.text(program)?.to_owned())),
                (Some(_), Some(_)) | (None, None) => Err(fault(
                    &node.place,
                    reading.say().wants_text(),
                    reading.say().content_example(),
                )),
            }
        }
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::List(_) => Err(fault(
            &node.place,
            reading.say().wants_text(),
            reading.say().content_example(),
        )),
    }
}

/// Documents by their names, by the names of their bases.
type Bases = BTreeMap<String, BTreeMap<String, String>>;

fn knowledge(reading: &Reading, node: &Node) -> Result<Bases, UserError> {
    reading.map(node)?;
    let mut bases = BTreeMap::new();
    for base in node.entries() {
        reading.map(&base.value)?;
        let mut documents = BTreeMap::new();
        for document in base.value.entries() {
            if Path::new(&document.key)
                .file_name()
                .is_none_or(|name| name != document.key.as_str())
            {
                let say = reading.say();
                return Err(fault(
                    &document.place,
                    say.path_leads_out(&document.key),
                    say.path_example(),
                ));
            }
            documents.insert(document.key.clone(), reading.text(&document.value)?.to_owned());
        }
        bases.insert(base.key.clone(), documents);
    }
    Ok(bases)
}
