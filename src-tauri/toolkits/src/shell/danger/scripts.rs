//! Programs whose own language can hold a command.

use super::super::lexer::Word;
use super::{has_beginning, has_part, is_stream, short, text};
use std::iter::Peekable;
use std::str::Chars;

/// `tar` can delete the files that it packs, and run commands in its options.
pub(super) fn tar(arguments: &[Word], nested: usize) -> bool {
    const RUNS: [&str; 6] = [
        "--remove-f",
        "--recursive-u",
        "--checkpoint-a",
        "--to-c",
        "--info-s",
        "--new-v",
    ];
    let first = arguments.first().map_or("", |word| word.text.as_str());
    let packs = short(arguments, 'I') || first.contains('I') || has_beginning(arguments, "--use-c");
    let is_text = |word: &Word| {
        let given = word
            .text
            .split_once('=')
            .map_or(word.text.as_str(), |(_, given)| given);
        let given = given
            .split_once('I')
            .filter(|_| given.starts_with('-'))
            .map_or(given, |(_, given)| given);
        given.contains(char::is_whitespace) && text(given, nested + 1)
    };
    RUNS.iter().any(|option| has_beginning(arguments, option))
        || short(arguments, 'F')
        || packs && arguments.iter().any(is_text)
}

/// `make` with rules that nobody has read.
pub(super) fn make(arguments: &[Word]) -> bool {
    let is_unread = |word: &Word| {
        let given = word
            .text
            .strip_prefix("-f")
            .or(word.text.split_once('=').map(|(_, given)| given));
        let is_none = given.unwrap_or(word.text.as_str()) == "-";
        is_none || is_stream(word) || given.is_some_and(|given| given.starts_with("/dev/"))
    };
    has_beginning(arguments, "--ev") || arguments.iter().any(is_unread)
}

/// Editors: their command arguments may run other programs.
pub(super) fn editor(arguments: &[Word], documents: &[String]) -> bool {
    let runs = |text: &str| {
        ["!", "system", "shell-command", "delete", "call-process"]
            .iter()
            .any(|part| text.contains(part))
    };
    documents.iter().any(|document| runs(document)) || arguments.iter().any(|word| runs(&word.text))
}

/// Programs that pass a line on to a shell.
pub(super) fn shelled(arguments: &[Word], documents: &[String]) -> bool {
    let runs = |text: &str| {
        [".shell", ".system", "shell ", "!"]
            .iter()
            .any(|part| text.contains(part))
    };
    documents.iter().any(|document| runs(document))
        || ["shell ", ".shell", ".system"]
            .iter()
            .any(|part| has_part(arguments, part))
}

/// `sed`: its command `e`, and its flag of that name, run a text.
pub(super) fn sed(arguments: &[Word]) -> bool {
    let is_script = |at: usize, word: &Word| {
        let before = at.checked_sub(1).and_then(|at| arguments.get(at));
        let is_named = before.is_some_and(|word| {
            word.text == "--expression"
                || !word.text.starts_with("--") && word.text.starts_with('-') && word.text.ends_with('e')
        });
        is_named || word.text.starts_with('-')
    };
    let has_option = arguments
        .iter()
        .any(|word| word.text.starts_with("-e") || word.text.starts_with("--ex"));
    let first = arguments.iter().position(|word| !word.text.starts_with('-'));
    arguments.iter().enumerate().any(|(at, word)| {
        let text = word.text.as_str();
        let given = text
            .strip_prefix("--expression=")
            .or_else(|| text.strip_prefix("-e"))
            .unwrap_or(text);
        (is_script(at, word) || !has_option && first == Some(at)) && runs(given)
    })
}

/// Reads a script of `sed` command by command.
fn runs(script: &str) -> bool {
    let mut rest = script.chars().peekable();
    loop {
        address(&mut rest);
        match rest.next() {
            None => return false,
            Some('e') => return true,
            Some('s') => {
                let Some(sign) = rest.next() else { return false };
                skip_to(&mut rest, sign);
                skip_to(&mut rest, sign);
                while let Some(flag) = rest.next_if(|flag| !matches!(flag, ';' | '\n' | '}')) {
                    match flag {
                        'e' => return true,
                        'w' => skip_to(&mut rest, '\n'),
                        _ => {}
                    }
                }
            }
            Some('y') => {
                let Some(sign) = rest.next() else { return false };
                skip_to(&mut rest, sign);
                skip_to(&mut rest, sign);
            }
            Some('a' | 'i' | 'c' | 'r' | 'R' | 'w' | 'W' | '#') => skip_to(&mut rest, '\n'),
            Some('b' | 't' | 'T' | ':') => {
                while rest.next_if(|sign| !matches!(sign, ';' | '\n' | '}')).is_some() {}
            }
            Some(_) => {}
        }
    }
}

/// Skips the address before a command: line numbers, patterns, signs between.
fn address(rest: &mut Peekable<Chars<'_>>) {
    while let Some(&sign) = rest.peek() {
        match sign {
            '/' => {
                rest.next();
                skip_to(rest, '/');
                while rest.next_if(|flag| matches!(flag, 'I' | 'M')).is_some() {}
            }
            '\\' => {
                rest.next();
                let Some(sign) = rest.next() else { return };
                skip_to(rest, sign);
                while rest.next_if(|flag| matches!(flag, 'I' | 'M')).is_some() {}
            }
            ';' | '{' | '}' | ',' | '!' | '~' | '+' | '$' => {
                rest.next();
            }
            other if other.is_whitespace() || other.is_ascii_digit() => {
                rest.next();
            }
            _ => return,
        }
    }
}

/// Goes on behind the next `sign` that has no backslash before it.
fn skip_to(rest: &mut Peekable<Chars<'_>>, sign: char) {
    while let Some(next) = rest.next() {
        if next == '\\' && sign != '\\' {
            rest.next();
        } else if next == sign {
            return;
        }
    }
}
