//! Answers in few words: text with `file:line`, grouped by file, bounded, and honest about what is not read yet.

mod callers;
mod digest;
mod find;
mod names;
mod outlined;

use crate::index::{Seen, View};
use shidi_reader::outline::Symbol;
use shidi_toolkits::code::{self, CodeQuery};

/// An answer to a program, and the line that people see of it.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) summary: String,
}

/// Answers a call from what is known; `near` are the files that are nearest by meaning.
pub(crate) fn answer(asked: &CodeQuery, view: &View, near: Option<&[usize]>) -> Answer {
    let mut answer = match asked.method.as_str() {
        code::FIND => find::find(view, &asked.name, asked.limit, near),
        code::CALLERS => callers::callers(view, &asked.name),
        code::OUTLINE if asked.scope.is_file => outlined::outline(view),
        _ => digest::digest(view, &asked.scope.within.to_string_lossy()),
    };
    let mut head = String::new();
    if !asked.scope.is_first {
        head = format!("paths below {}\n", asked.scope.root.display());
    }
    answer.text.insert_str(0, &head);
    if let Some(note) = left_out(view) {
        answer.text.push_str(&note);
    }
    answer
}

/// Whether something of exactly that name is defined.
pub(crate) fn is_defined(view: &View, name: &str) -> bool {
    let named = names::Named::of(name);
    view.symbols().any(|(_, symbol)| named.is_exactly(symbol))
}

/// What an answer does not cover.
fn left_out(view: &View) -> Option<String> {
    let mut said = String::new();
    if view.unread > 0 {
        let all = view.unread + view.files.len();
        said.push_str(&format!(
            "[{} of {all} files are not indexed yet; they are being read: ask again]\n",
            view.unread
        ));
    }
    if view.is_cut {
        said.push_str("[the folder has more files than are indexed; name one below it as path]\n");
    }
    (!said.is_empty()).then_some(said)
}

/// A definition on one line.
fn defined(file: &Seen, symbol: &Symbol) -> String {
    let mut line = format!("{}:{} {}", file.path, symbol.line, written(symbol));
    if !symbol.container.is_empty() {
        line.push_str(&format!("  [in {}]", symbol.container));
    }
    line
}

/// How a definition is written, with the word for what it is where that does not show.
fn written(symbol: &Symbol) -> String {
    let tells = symbol.signature.contains(symbol.name.as_str());
    match tells && (symbol.kind.is_called() || symbol.signature.contains(' ')) {
        true => symbol.signature.clone(),
        false => format!("{} {}", symbol.kind.word(), symbol.name),
    }
}

/// `1 file`, `2 files`.
fn counted(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests;
