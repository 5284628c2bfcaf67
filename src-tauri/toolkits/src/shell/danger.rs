//! Commands that are asked about every time. They delete trees, rewrite history or open rights widely, or move
//! files to places that vanish with the command.
//!
//! The text of the command alone is judged. A program that the command starts (a script, make) is not read. The
//! sandbox keeps its effects within the granted folders. A word may only be known at run time. Such a word
//! counts as dangerous where it could name a program, or a deleting program's option or place. This list asks;
//! it is no sandbox.

mod emptying;
mod finding;
mod git;
mod interpreters;
mod scripts;
mod wrapping;

use super::lexer::{self, Simple, Word};
use super::moving;

/// Deepest commands within the text of commands: `bash -c "bash -c …"`.
const NESTED_MAX: usize = 6;

/// Words that only begin a command, and words that end several together.
const BEGINNINGS: &[&str] = &[
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "esac",
];
const ENDINGS: &[&str] = &["}", "fi", "done", "esac"];

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash"];

/// Programs that have no harmless use, as far as the user's files go.
const ALWAYS: &[&str] = &[
    "dd",
    "shred",
    "wipefs",
    "blkdiscard",
    "fdisk",
    "sfdisk",
    "sgdisk",
    "parted",
    "mkswap",
    "srm",
    "wipe",
    "rimraf",
    "trash",
    "trash-put",
    "trash-empty",
    "fstrim",
    "mkfs",
];

/// Whether the user is asked about `command`, whatever was allowed before.
#[must_use]
pub fn is_dangerous(command: &str) -> bool {
    text(command, 0)
}

fn text(command: &str, nested: usize) -> bool {
    if nested > NESTED_MAX {
        return true;
    }
    match lexer::commands(command) {
        Ok(found) => found.iter().any(|simple| judge(simple, nested)) || moving::goes_away(command, &found),
        Err(lexer::Unread) => true,
    }
}

fn judge(simple: &Simple, nested: usize) -> bool {
    let is_beginning = |word: &&Word| is_assignment(word) || BEGINNINGS.contains(&word.text.as_str());
    let begun = |words: &[Word]| words.iter().take_while(is_beginning).count();
    let mut words = simple.words.get(begun(&simple.words)..).unwrap_or_default();
    if words.first().is_some_and(|word| word.text == "function") {
        words = words.get(2..).unwrap_or_default();
        words = words.get(begun(words)..).unwrap_or_default();
    }
    let is_ending = |word: &Word| ENDINGS.contains(&word.text.as_str());
    let ends = simple.is_group || simple.words.first().is_some_and(is_ending);
    !ends && emptying::empties(words, simple)
        || git::is_written(&simple.writes)
        || command(words, simple, nested)
}

fn is_assignment(word: &Word) -> bool {
    let is_name = |name: &str| {
        let name = name.trim_end_matches('+');
        name.chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
            && name.chars().next().is_some_and(|first| !first.is_ascii_digit())
    };
    word.text.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// Judges a program with its arguments.
fn command(words: &[Word], simple: &Simple, nested: usize) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    if program.open {
        return true;
    }
    let name = program.text.rsplit('/').next().unwrap_or_default();
    if wrapping::is_wrapper(name) {
        return wrapping::wrapped(name, arguments, simple, nested);
    }
    if SHELLS.contains(&name) {
        return shell(arguments, nested);
    }
    if let Some(language) = interpreters::language_of(name) {
        return interpreters::runs(language, arguments, &simple.documents, nested);
    }
    if ALWAYS.contains(&name) || name.starts_with("mkfs.") || git::is_touched(name, arguments) {
        return true;
    }
    match name {
        "rm" | "rmdir" | "unlink" => removes(arguments),
        "git" => git::judge(arguments, nested),
        "find" => finding::find(arguments, simple, nested),
        "fd" | "fdfind" => finding::executes(arguments, simple, nested),
        "chmod" | "chown" | "chgrp" | "setfacl" => is_recursive(arguments),
        "rsync" => options(arguments)
            .any(|option| option.starts_with("--del") || option.starts_with("--remove-source")),
        "truncate" | "cp" | "install" => emptying::replaces(name, arguments),
        // These delete the files that they pack, or run the commands in their options.
        "tar" | "bsdtar" | "gtar" => scripts::tar(arguments, nested),
        "zip" => {
            has_beginning(arguments, "--mov")
                || has_beginning(arguments, "-TT")
                || has_beginning(arguments, "--unz")
                || short(arguments, 'm')
        }
        "7z" | "7za" | "7zr" | "7zz" => has_beginning(arguments, "-sdel"),
        "sed" | "gsed" => scripts::sed(arguments),
        "vi" | "vim" | "nvim" | "view" | "ex" | "ed" | "emacs" => {
            scripts::editor(arguments, &simple.documents)
        }
        "make" | "gmake" => scripts::make(arguments),
        "sqlite3" | "gdb" => scripts::shelled(arguments, &simple.documents),
        "ssh" => has_part(arguments, "command="),
        "gio" => has_any(arguments, &["remove", "trash"]),
        "eval" => any_open(arguments) || text(&joined(arguments), nested + 1),
        "." | "source" => arguments.first().is_none_or(|word| word.open || is_stream(word)),
        "trap" | "alias" => arguments.iter().any(|word| aside(word, nested)),
        _ => false,
    }
}

/// Whether a file is a pipe or the command's own text: nobody has read its content.
fn is_stream(word: &Word) -> bool {
    moving::lies_in(&word.text, &["/dev", "/proc"])
}

/// Whether a text that is run later is dangerous.
fn aside(word: &Word, nested: usize) -> bool {
    let command = word
        .text
        .split_once('=')
        .map_or(word.text.as_str(), |(_, command)| command);
    text(command, nested + 1)
}

/// A shell that gets its commands as text, or from a source that can't be read here.
fn shell(arguments: &[Word], nested: usize) -> bool {
    let is_option = |word: &Word| word.text.starts_with(['-', '+']) && !word.open;
    let takes_text = |word: &Word| is_option(word) && !word.text.starts_with("--") && word.text.contains('c');
    if let Some(at) = arguments.iter().position(takes_text) {
        let given = arguments.get(at + 1..).unwrap_or_default().iter();
        return given
            .into_iter()
            .find(|word| !is_option(word))
            .is_none_or(|word| word.open || text(&word.text, nested + 1));
    }
    if has_any(arguments, &["--version", "--help"]) {
        return false;
    }
    arguments
        .iter()
        .find(|word| !is_option(word))
        .is_none_or(|script| script.open || is_stream(script))
}

fn removes(arguments: &[Word]) -> bool {
    any_open(arguments) || is_recursive(arguments)
}

fn is_recursive(arguments: &[Word]) -> bool {
    options(arguments).any(|option| match option.strip_prefix("--") {
        Some(long) => !long.is_empty() && "recursive".starts_with(long),
        None => option.contains(['r', 'R']),
    })
}

/// Everything before `--` that begins with a dash.
fn options(arguments: &[Word]) -> impl Iterator<Item = &str> {
    let texts = arguments.iter().map(|word| word.text.as_str());
    texts
        .take_while(|text| *text != "--")
        .filter(|text| text.len() > 1 && text.starts_with('-'))
}

fn short(arguments: &[Word], letter: char) -> bool {
    options(arguments).any(|option| !option.starts_with("--") && option.contains(letter))
}

fn has_beginning(arguments: &[Word], beginning: &str) -> bool {
    options(arguments).any(|option| option.starts_with(beginning))
}

fn any_open(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| word.open)
}

/// Whether a word holds a variable or a substitution. A mere pattern does not count, since such words are
/// usually quoted.
fn any_open_quoted(arguments: &[Word]) -> bool {
    let is_pattern = |word: &Word| word.text.contains(['*', '?', '[', '{']);
    arguments.iter().any(|word| word.open && !is_pattern(word))
}

fn has_any(arguments: &[Word], wanted: &[&str]) -> bool {
    arguments.iter().any(|word| wanted.contains(&word.text.as_str()))
}

/// Whether one of the words holds `part`, in any case.
fn has_part(arguments: &[Word], part: &str) -> bool {
    arguments
        .iter()
        .any(|word| word.text.to_lowercase().contains(part))
}

fn joined(arguments: &[Word]) -> String {
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests;
