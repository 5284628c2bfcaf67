//! Programs that find files and run a command on each.

use super::wrapping::begins_others;
use super::{NESTED_MAX, Simple, Word, any_open_quoted, command, has_any};

/// Options that empty a file and write the found names.
const WRITERS: &[&str] = &["-fprint", "-fprint0", "-fprintf", "-fls"];

pub(super) fn find(arguments: &[Word], simple: &Simple, nested: usize) -> bool {
    any_open_quoted(arguments)
        || has_any(arguments, &["-delete"])
        || has_any(arguments, WRITERS)
        || executes(arguments, simple, nested)
}

/// `find -exec COMMAND …`, with names that are only known at run time.
pub(super) fn executes(arguments: &[Word], simple: &Simple, nested: usize) -> bool {
    const EXECUTE: [&str; 8] = [
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-x",
        "-X",
        "--exec",
        "--exec-batch",
    ];
    let at = |word: &Word| EXECUTE.contains(&word.text.as_str());
    if nested > NESTED_MAX {
        return true;
    }
    let mut rest = arguments;
    while let Some(place) = rest.iter().position(at) {
        rest = rest.get(place + 1..).unwrap_or_default();
        let mut given = rest.to_vec();
        given.push(Word {
            text: String::new(),
            open: true,
        });
        let is_found = command(&given, simple, nested + 1);
        // A word that begins a command itself has judged the rest.
        if is_found || given.first().is_some_and(begins_others) {
            return is_found;
        }
    }
    false
}
