//! Whether a command moves something to a place that is gone with it: the walls give each command passing folders of its
//! own, and what is moved there from a granted folder would be lost without a word.
//!
//! Judged by the text alone, as the rest of the list; between those folders and the granted ones nothing can be put.

use super::lexer::{Simple, Word};
use std::path::{Component, Path};

/// Folders that every command has for itself.
const PASSING: &[&str] = &["/tmp", "/var/tmp", "/dev"];

/// Words that name such a folder, or may come to do so.
const MENTIONS: &[&str] = &["/tmp", "/dev/", "~", "HOME", "TMP", "mktemp", "$(", "`"];

/// Whether one of the commands of `text` moves something away.
pub(super) fn goes_away(text: &str, found: &[Simple]) -> bool {
    let enters = found.iter().any(|simple| enters(simple, text));
    found.iter().any(|simple| {
        let within = || simple.words.iter().any(|word| names_mover(&word.text));
        moves(simple, text, enters) || links(simple) || enters && within()
    })
}

fn name(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or_default()
}

/// Also within a text that is run later.
fn names_mover(text: &str) -> bool {
    text.split(|part: char| !part.is_alphanumeric())
        .any(|part| part == "mv")
}

/// Whether what comes after works in a passing folder.
fn enters(simple: &Simple, text: &str) -> bool {
    let Some(at) = simple
        .words
        .iter()
        .position(|word| matches!(word.text.as_str(), "cd" | "pushd"))
    else {
        return false;
    };
    let mut arguments = simple.words.get(at + 1..).unwrap_or_default().iter();
    // Without an argument it is the home of the command, which is such a folder.
    arguments
        .find(|word| !word.text.starts_with('-'))
        .is_none_or(|folder| is_away(folder, text))
}

fn moves(simple: &Simple, text: &str, enters: bool) -> bool {
    let Some(at) = simple.words.iter().position(|word| name(word) == "mv") else {
        return false;
    };
    let arguments = simple.words.get(at + 1..).unwrap_or_default();
    let is_relative = |word: &Word| !word.text.starts_with('/');
    destination(arguments).is_some_and(|to| is_away(&to, text) || enters && is_relative(&to))
}

/// A link into a passing folder would lead what is moved through it there.
fn links(simple: &Simple) -> bool {
    let Some(at) = simple.words.iter().position(|word| name(word) == "ln") else {
        return false;
    };
    let mut arguments = simple.words.get(at + 1..).unwrap_or_default().iter();
    arguments.any(|word| is_passing(&word.text))
}

/// Where `mv` moves to: what follows `-t`, else the last of its words.
fn destination(arguments: &[Word]) -> Option<Word> {
    let of_option = |at: usize, word: &Word| {
        let text = word.text.as_str();
        let is_named = text.len() > 2 && "--target-directory".starts_with(text);
        if let Some((option, folder)) = text.split_once('=') {
            let is_target = option.len() > 2 && "--target-directory".starts_with(option);
            return is_target.then(|| Word {
                text: folder.to_owned(),
                open: word.open,
            });
        }
        let short = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        match short.and_then(|rest| rest.split_once('t')) {
            Some((_, folder)) if !folder.is_empty() => Some(Word {
                text: folder.to_owned(),
                open: word.open,
            }),
            Some(_) => arguments.get(at + 1).cloned(),
            None if is_named => arguments.get(at + 1).cloned(),
            None => None,
        }
    };
    let named = arguments
        .iter()
        .enumerate()
        .find_map(|(at, word)| of_option(at, word));
    let is_place = |word: &&Word| !word.text.starts_with('-') && !matches!(word.text.as_str(), ";" | "+");
    named.or_else(|| arguments.iter().rev().find(is_place).cloned())
}

/// A word that is only known when it runs leads away where the command speaks of such a folder at all.
fn is_away(word: &Word, text: &str) -> bool {
    let may_be = || MENTIONS.iter().any(|mention| text.contains(mention));
    is_passing(&word.text) || word.open && may_be()
}

fn is_passing(text: &str) -> bool {
    if text.starts_with('~') {
        return true;
    }
    let parts = Path::new(text).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        Component::RootDir | Component::CurDir | Component::ParentDir | Component::Prefix(_) => None,
    });
    // Also from a folder below, as far up as it goes.
    let is_rooted = text.starts_with(['/', '.']) && (text.starts_with('/') || text.starts_with(".."));
    let plain = format!("/{}", parts.collect::<Vec<_>>().join("/"));
    is_rooted && PASSING.iter().any(|place| Path::new(&plain).starts_with(place))
}
