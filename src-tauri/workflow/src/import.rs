//! Workflows of other programs: each becomes one of ours, or the lines and reasons for which it does not.
//!
//! What changes the meaning and has no counterpart refuses the whole file. What belongs to the other program alone (its models,
//! its servers) is told beside the result, so that nothing is left out in silence.

mod dify;
mod goose;
mod names;

use crate::definition::Workflow;
use crate::problem::{Fault, Problem, Reason, in_order};
use crate::reading::{self, tree};
use crate::writing;
use serde_json::{Map, Value};
use shidi_yaml::{Data, Node, Place};
use std::sync::Arc;

/// Whose file it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Shidi,
    Goose,
    Dify,
}

/// A workflow that came from a file.
#[derive(Debug)]
pub struct Imported {
    pub source: Source,
    pub workflow: Workflow,
    /// As our own file.
    pub text: String,
    /// What was left out, each with its line and reason.
    pub left_out: Vec<Fault>,
}

/// What a foreign file becomes: the document of a workflow, and what has no counterpart.
struct Mapped {
    document: Value,
    left_out: Vec<Fault>,
}

/// Reads a file of any program that is known.
///
/// # Errors
/// Everything for which it is no workflow here, with its lines.
pub fn import(file: &Arc<str>, bytes: &[u8]) -> Result<Imported, Vec<Fault>> {
    let root = tree(file, bytes).map_err(|fault| vec![fault])?;
    let (source, mapped) = match source(&root) {
        Some(Source::Shidi) => {
            let workflow = reading::read(file, bytes)?;
            return finished(Source::Shidi, workflow, Vec::new(), &root.place);
        }
        Some(Source::Goose) => (Source::Goose, goose::mapped(&root)),
        Some(Source::Dify) => (Source::Dify, dify::mapped(&root)),
        None => return Err(vec![Fault::new(&root.place, Problem::UnknownFormat)]),
    };
    let Mapped { document, left_out } = mapped.map_err(in_order)?;
    let text = serde_json::to_string(&document).unwrap_or_default();
    let workflow = reading::read(file, text.as_bytes()).map_err(|faults| moved(faults, &root.place))?;
    finished(source, workflow, in_order(left_out), &root.place)
}

fn source(root: &Node) -> Option<Source> {
    let has = |key: &str| root.get(key).is_some();
    if has("steps") {
        return Some(Source::Shidi);
    }
    if has("app") || root.get("kind").and_then(Node::text) == Some("app") {
        return Some(Source::Dify);
    }
    let is_recipe = has("recipe") || (has("title") && (has("prompt") || has("instructions")));
    is_recipe.then_some(Source::Goose)
}

fn finished(
    source: Source,
    workflow: Workflow,
    left_out: Vec<Fault>,
    place: &Place,
) -> Result<Imported, Vec<Fault>> {
    let text = writing::text(&workflow).map_err(|why| vec![Fault::new(place, Problem::NotYaml(why))])?;
    Ok(Imported {
        source,
        workflow,
        text,
        left_out,
    })
}

/// Faults of what a file became are told at the file itself: lines of a text that nobody sees help nobody.
fn moved(faults: Vec<Fault>, place: &Place) -> Vec<Fault> {
    let moved = faults.into_iter().map(|fault| Fault::new(place, fault.problem));
    in_order(moved.collect())
}

fn unmapped(place: &Place, what: impl Into<String>, reason: Reason) -> Fault {
    Fault::new(
        place,
        Problem::Unmapped {
            what: what.into(),
            reason,
        },
    )
}

/// The text of a key, or nothing.
fn text_of(node: &Node, key: &str) -> String {
    node.get(key).and_then(Node::text).unwrap_or_default().to_owned()
}

fn items(node: &Node) -> &[Node] {
    match &node.data {
        Data::List(items) => items,
        Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::Map(_) => &[],
    }
}

/// An object of the pairs that are there.
fn object(pairs: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    let there = pairs
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

/// A text that says something.
fn said(text: String) -> Option<Value> {
    (!text.trim().is_empty()).then_some(Value::String(text))
}
