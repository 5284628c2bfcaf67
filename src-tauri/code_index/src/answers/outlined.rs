//! `code.outline`: what one file defines, in its order, with lines.

use super::{Answer, counted, written};
use crate::index::View;
use crate::limits::OUTLINE_ENTRIES_MAX;
use shidi_reader::outline::{Kind, Outline};

/// Characters of a description beside an entry.
const DOC_CHARACTERS: usize = 80;

/// Characters of an entry: the lines say where the rest stands.
const SIGNATURE_CHARACTERS: usize = 110;

pub(super) fn outline(view: &View) -> Answer {
    let Some(file) = view.files.first() else {
        return told("this file is in no language that is indexed; files.read reads it\n");
    };
    match file.outline() {
        None => {
            told("this file can't be indexed: it is too large, minified or no text; files.read reads it\n")
        }
        Some(outline) => of(outline),
    }
}

fn of(outline: &Outline) -> Answer {
    let mut text = format!("{} lines", outline.lines);
    if !outline.doc.is_empty() {
        text.push_str(&format!(" — {}", outline.doc));
    }
    text.push('\n');
    let entries = outline
        .symbols
        .iter()
        .filter(|symbol| symbol.kind != Kind::Variant);
    let number = entries.clone().count();
    for symbol in entries.take(OUTLINE_ENTRIES_MAX) {
        let indent = "  ".repeat(usize::from(symbol.depth.min(6)));
        let lines = match symbol.end > symbol.line {
            true => format!("{}-{}", symbol.line, symbol.end),
            false => symbol.line.to_string(),
        };
        let doc: String = symbol.doc.chars().take(DOC_CHARACTERS).collect();
        let doc = match symbol.depth == 0 && !doc.is_empty() {
            true => format!(" — {doc}"),
            false => String::new(),
        };
        let written: String = written(symbol).chars().take(SIGNATURE_CHARACTERS).collect();
        text.push_str(&format!("{indent}{lines} {written}{doc}\n"));
    }
    if number > OUTLINE_ENTRIES_MAX {
        text.push_str(&format!("[and {} more]\n", number - OUTLINE_ENTRIES_MAX));
    }
    Answer {
        text,
        summary: counted(number, "definition", "definitions"),
    }
}

fn told(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        summary: "no outline".to_owned(),
    }
}
