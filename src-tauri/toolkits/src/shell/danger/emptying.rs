//! Commands that empty a file: a redirection of nothing, an empty device copied over it, a shorter size.

use super::super::lexer::{Simple, Word};
use super::super::moving::lies_in;

/// Devices that hold nothing, or that never end.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero"];

/// Whether a command prints nothing into a file that its redirection empties.
pub(super) fn empties(words: &[Word], simple: &Simple) -> bool {
    let is_file = |word: &Word| word.open || !lies_in(&word.text, &["/dev"]);
    let has_nothing = !simple.reads.is_empty() && simple.reads.iter().all(is_empty);
    let Some((program, arguments)) = words.split_first() else {
        return simple.writes.iter().any(is_file);
    };
    let all = |texts: &[&str]| {
        arguments
            .iter()
            .all(|word| !word.open && texts.contains(&word.text.as_str()))
    };
    let says_nothing = match program.text.as_str() {
        ":" | "true" | "false" => true,
        "cat" => match arguments {
            [] => has_nothing,
            _ => arguments.iter().all(is_empty),
        },
        "echo" => !arguments.is_empty() && all(&["-n", "-ne", "-en", ""]) && !all(&[""]),
        "printf" => all(&["", "%s"]),
        _ => false,
    };
    says_nothing && simple.writes.iter().any(is_file) || program.text == "tee" && has_nothing
}

fn is_empty(word: &Word) -> bool {
    lies_in(&word.text, DEVICES)
}

/// Whether a program replaces content by less.
pub(super) fn replaces(name: &str, arguments: &[Word]) -> bool {
    if name != "truncate" {
        return arguments.iter().any(is_empty);
    }
    // A size that grows a file takes nothing away.
    let grows = |size: &str| size.starts_with(['+', '>', '%']);
    arguments.iter().enumerate().any(|(at, word)| {
        let next = || arguments.get(at + 1).map_or("", |word| word.text.as_str());
        let size = match word.text.strip_prefix("--") {
            Some(long) if long.starts_with('r') => return true,
            Some(long) if long.starts_with('s') => long.split_once('=').map_or_else(next, |(_, size)| size),
            Some(_) => return false,
            None => match word.text.strip_prefix('-') {
                Some(short) if short.contains('r') => return true,
                Some(short) => match short.split_once('s') {
                    Some((_, "")) => next(),
                    Some((_, size)) => size,
                    None => return false,
                },
                None => return false,
            },
        };
        !grows(size)
    })
}
