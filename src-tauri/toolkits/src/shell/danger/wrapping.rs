//! Programs that begin another command, given word by word or as one text.

use super::{NESTED_MAX, Simple, Word, command, is_assignment, joined, text};

/// Words after which the rest is a command of its own.
const WRAPPERS: &[&str] = &[
    "sudo",
    "doas",
    "env",
    "nice",
    "ionice",
    "nohup",
    "time",
    "timeout",
    "command",
    "builtin",
    "exec",
    "setsid",
    "stdbuf",
    "xargs",
    "parallel",
    "busybox",
    "chroot",
    "unshare",
    "strace",
    "watch",
    "flock",
    "script",
    "coproc",
    "su",
    "runuser",
    "taskset",
    "chrt",
    "prlimit",
    "setpriv",
    "setarch",
    "unbuffer",
    "fakeroot",
    "entr",
    "xvfb-run",
    "valgrind",
    "ltrace",
    "bwrap",
    "npx",
    "bunx",
    "hyperfine",
    "toybox",
];

/// Wrappers that run a text as a shell does.
const TEXT_TAKERS: &[&str] = &[
    "script",
    "watch",
    "flock",
    "parallel",
    "su",
    "runuser",
    "hyperfine",
];

/// Wrappers that give a command words only known at run time.
const GIVERS: &[&str] = &["xargs", "parallel"];

pub(super) fn is_wrapper(name: &str) -> bool {
    // The loader of programs runs any program it is given.
    WRAPPERS.contains(&name) || name.starts_with("ld-linux") || name.starts_with("ld.so")
}

/// Judges every word as a possible beginning of the wrapped command.
pub(super) fn wrapped(name: &str, arguments: &[Word], simple: &Simple, nested: usize) -> bool {
    if nested > NESTED_MAX || name == "env" && splits(arguments, nested) {
        return true;
    }
    if TEXT_TAKERS.contains(&name) && arguments.iter().any(|word| is_text(word, nested)) {
        return true;
    }
    let mut arguments = arguments.to_vec();
    if GIVERS.contains(&name) {
        arguments.push(Word {
            text: String::new(),
            open: true,
        });
    }
    let is_prelude = |word: &&Word| {
        word.text.starts_with(['-', '+'])
            || is_assignment(word)
            || word.text.starts_with(|first: char| first.is_ascii_digit())
    };
    let first = arguments
        .iter()
        .position(|word| !is_prelude(&word))
        .unwrap_or(arguments.len());
    let is_given_alone = GIVERS.contains(&name) && first + 1 >= arguments.len();
    for from in 0..arguments.len() {
        let rest = arguments.get(from..).unwrap_or_default();
        let Some(begun) = rest.first() else { break };
        let is_found = match begun.open {
            true => from <= first && !is_given_alone,
            false => command(rest, simple, nested + 1),
        };
        // A word that begins a command itself has judged the rest.
        if is_found || begins_others(begun) {
            return is_found;
        }
    }
    false
}

/// Whether a word names a program that begins others.
pub(super) fn begins_others(word: &Word) -> bool {
    let name = word.text.rsplit('/').next().unwrap_or_default();
    is_wrapper(name) || matches!(name, "find" | "fd" | "fdfind")
}

/// `env -S TEXT`: the text is split into words, and a backslash at a line's end counts as a space.
fn splits(arguments: &[Word], nested: usize) -> bool {
    arguments.iter().enumerate().any(|(at, word)| {
        let given = match word.text.strip_prefix("--") {
            Some(long) => {
                let (option, given) = long.split_once('=').unwrap_or((long, ""));
                let is_split = !option.is_empty() && "split-string".starts_with(option);
                is_split.then_some(given)
            }
            None => word
                .text
                .strip_prefix('-')
                .and_then(|options| options.split_once('S'))
                .map(|(_, given)| given),
        };
        let Some(given) = given else { return false };
        let rest = arguments.get(at + 1..).unwrap_or_default();
        let is_open = word.open || given.is_empty() && rest.first().is_none_or(|next| next.open);
        is_open
            || text(
                &format!("{given} {}", joined(rest)).replace("\\_", " "),
                nested + 1,
            )
    })
}

/// Whether a word holds a text of several words, perhaps behind its option, that is dangerous.
fn is_text(word: &Word, nested: usize) -> bool {
    let given = match word.text.strip_prefix('-') {
        Some(long) if long.starts_with('-') => long.split_once('=').map_or("", |(_, given)| given),
        Some(short) => short.get(1..).unwrap_or_default(),
        None => word.text.as_str(),
    };
    given.contains(char::is_whitespace) && text(given, nested + 1)
}
