//! Whether a command moves files to a place that vanishes with the command. The sandbox gives each command
//! temporary folders of its own. Files moved there from a granted folder would be lost silently.
//!
//! The text alone is judged, like the rest of the list. The sandbox can set no barrier between such a folder
//! and the granted ones.

use super::lexer::{Simple, Word};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Component, Path};

/// Folders that every command has for itself, and folders through which all others can be reached again.
const PASSING: &[&str] = &["/tmp", "/var/tmp", "/dev", "/proc"];

/// Words that name such a folder, or may come to name one.
const MENTIONS: &[&str] = &[
    "/tmp", "/dev/", "/proc", "~", "HOME", "TMP", "mktemp", "$(", "`", "$'", "printf",
];

/// Whether one of the commands of `text` moves files to such a folder.
pub(super) fn goes_away(text: &str, found: &[Simple]) -> bool {
    let enters = found.iter().any(|simple| enters(simple, text));
    found.iter().any(|simple| {
        let within = || simple.words.iter().any(|word| names_mover(&word.text));
        moves(simple, text, enters) || links(simple) || enters && within()
    }) || gathers(found)
}

/// Whether several files are moved to a single name: each takes the place of the one before.
fn gathers(found: &[Simple]) -> bool {
    let is_loop = |word: &Word| matches!(word.text.as_str(), "for" | "while" | "until" | "select");
    let repeats = |word: &Word| matches!(name(word), "xargs" | "find" | "parallel" | "fd" | "fdfind");
    let has_loop = found
        .iter()
        .any(|simple| simple.words.iter().take(2).any(is_loop));
    found.iter().any(|simple| {
        let Some(at) = simple.words.iter().position(|word| name(word) == "mv") else {
            return false;
        };
        let before = simple.words.get(..at).unwrap_or_default();
        let arguments = simple.words.get(at + 1..).unwrap_or_default();
        (has_loop || before.iter().any(repeats)) && replaces(arguments)
    })
}

/// Whether the moved names are only known at run time. The target must be one fixed name that is no folder.
fn replaces(arguments: &[Word]) -> bool {
    let keeps = |word: &Word| {
        let text = word.text.as_str();
        let short = text.strip_prefix('-').filter(|short| !short.starts_with('-'));
        short.is_some_and(|short| short.contains(['n', 'b', 't', 'S']))
            || ["--no-c", "--b", "--t", "--su"]
                .iter()
                .any(|option| text.starts_with(option))
    };
    let is_folder = |to: &Word| to.text.ends_with('/') || to.text.ends_with('.');
    let is_one = destination(arguments).is_some_and(|to| !to.open && !is_folder(&to));
    is_one && arguments.iter().any(|word| word.open) && !arguments.iter().any(keeps)
}

fn name(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or_default()
}

/// Whether a text holds a mover; also used for a text that is run later.
fn names_mover(text: &str) -> bool {
    text.split(|part: char| !part.is_alphanumeric())
        .any(|part| part == "mv")
}

/// Whether later commands work in a temporary folder.
fn enters(simple: &Simple, text: &str) -> bool {
    let Some(at) = simple
        .words
        .iter()
        .position(|word| matches!(word.text.as_str(), "cd" | "pushd"))
    else {
        return false;
    };
    let mut arguments = simple.words.get(at + 1..).unwrap_or_default().iter();
    // Without an argument, `cd` enters the command's home, which is such a folder.
    arguments
        .find(|word| !word.text.starts_with('-'))
        .is_none_or(|folder| is_away(folder, text) || folder.text.starts_with('/') && is_above(&folder.text))
}

/// Whether a relative path from `folder` could name a temporary folder.
fn is_above(folder: &str) -> bool {
    plain(folder).is_some_and(|folder| matches!(folder.as_str(), "/" | "/var"))
}

fn moves(simple: &Simple, text: &str, enters: bool) -> bool {
    let Some(at) = simple.words.iter().position(|word| name(word) == "mv") else {
        return false;
    };
    let arguments = simple.words.get(at + 1..).unwrap_or_default();
    let is_relative = |word: &Word| !word.text.starts_with('/');
    destination(arguments).is_some_and(|to| is_away(&to, text) || enters && is_relative(&to))
}

/// Whether a link leads into a temporary folder: files moved through the link would land there.
fn links(simple: &Simple) -> bool {
    let Some(at) = simple.words.iter().position(|word| name(word) == "ln") else {
        return false;
    };
    let mut arguments = simple.words.get(at + 1..).unwrap_or_default().iter();
    arguments.any(|word| is_passing(&word.text) || is_above(&word.text))
}

/// The target of `mv`: the word after `-t`, else the last word.
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

/// Whether a word leads into a temporary folder. A word only known at run time does where the text mentions
/// such a folder.
fn is_away(word: &Word, text: &str) -> bool {
    let may_be = || MENTIONS.iter().any(|mention| text.contains(mention));
    // A pattern as the first name may match any folder of the system.
    let first = word
        .text
        .strip_prefix('/')
        .map(|rest| rest.split('/').next().unwrap_or_default());
    let is_pattern = first.is_some_and(|first| first.is_empty() || first.contains(['*', '?', '[', '{']));
    is_passing(&word.text) || word.open && (is_pattern || may_be())
}

fn is_passing(text: &str) -> bool {
    text.starts_with('~') || lies_in(text, PASSING)
}

/// Whether a written path leads into one of `places`, also by `..` from any folder.
pub(super) fn lies_in(text: &str, places: &[&str]) -> bool {
    let is_in = |path: &str| places.iter().any(|place| Path::new(path).starts_with(place));
    // With a link on the way, only the part after the last `..` tells where the path ends.
    let last = || {
        text.rsplit_once("..")
            .is_some_and(|(_, rest)| plain(rest).is_some_and(|rest| is_in(&rest)))
    };
    plain(text).is_some_and(|path| is_in(&path) || last())
}

/// A path without its detours, if it begins at the root or leaves its starting folder upwards.
fn plain(text: &str) -> Option<String> {
    let mut parts: Vec<&OsStr> = Vec::new();
    let mut is_rooted = false;
    for part in Path::new(text).components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::RootDir => is_rooted = true,
            Component::ParentDir => is_rooted |= parts.pop().is_none(),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    let names: Vec<Cow<'_, str>> = parts.iter().map(|name| name.to_string_lossy()).collect();
    is_rooted.then(|| format!("/{}", names.join("/")))
}
