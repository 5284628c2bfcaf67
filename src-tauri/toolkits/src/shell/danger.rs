//! Which commands are asked about every time: those that delete trees, or move them to where they are gone with the command,
//! rewrite history or open rights far and wide.
//!
//! Judged by the text of the command alone. What a program does that it starts (a script, make) is not read: the walls
//! keep that within the granted folders. A word that is only known when it runs counts as dangerous where it could name
//! a program, or an option or a place of one that deletes. This list asks; it is no wall.

use super::lexer::{self, Simple, Word};
use super::moving;

/// Commands within the text of commands: `bash -c "bash -c …"`.
const NESTED_MAX: usize = 6;

/// Words after which the rest is a command of its own, and those that only begin one.
const WRAPPERS: &[&str] = &[
    "sudo", "doas", "env", "nice", "ionice", "nohup", "time", "timeout", "command", "builtin", "exec",
    "setsid", "stdbuf", "xargs", "parallel", "busybox", "chroot", "unshare", "strace", "watch", "flock",
    "script", "coproc",
];
const BEGINNINGS: &[&str] = &[
    "if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "esac",
];

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
    "fstrim",
    "mkfs",
];

/// What deletes trees in the languages that are written within a command, moves them away, or finds by a name that is put
/// together what would do so.
const DELETES: &[&str] = &[
    "rmtree",
    "rimraf",
    "unlink",
    "rmsync",
    "rmdirsync",
    "removesync",
    "rm_rf",
    "rm_r",
    "remove_tree",
    "os.remove",
    "removedirs",
    "fs.rm",
    "remove_entry",
    "remove_dir_all",
    "os.system",
    "subprocess",
    "child_process",
    "system(",
    "`",
    "shutil.move",
    "import move",
    "fileutils.mv",
    "file::copy",
    "movesync",
    "getattr",
    "attrgetter",
    "methodcaller",
    "__dict__",
    "__import__",
    "import_module",
    "globals(",
    "locals(",
    "vars(",
    "os.popen",
    "os.exec",
    "spawn",
];
/// Functions of a language that run a text, unless they are some object's own.
const RUN_TEXT: &[&str] = &["eval(", "exec("];
const INTERPRETERS: &[&str] = &[
    "python", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "awk", "gawk", "mawk",
];

/// Whether the user is asked about `command` whatever was allowed before.
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
    command(words, &simple.documents, nested)
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
fn command(words: &[Word], documents: &[String], nested: usize) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    if program.open {
        return true;
    }
    let name = program.text.rsplit('/').next().unwrap_or_default();
    if WRAPPERS.contains(&name) {
        return wrapped(name, arguments, documents, nested);
    }
    if SHELLS.contains(&name) {
        return shell(arguments, nested);
    }
    let plain = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    if INTERPRETERS.contains(&plain) {
        return interpreter(arguments, documents);
    }
    if ALWAYS.contains(&name) || name.starts_with("mkfs.") {
        return true;
    }
    match name {
        "rm" | "rmdir" => removes(arguments),
        "git" => git(arguments, nested),
        "find" => {
            any_open_quoted(arguments)
                || has_any(arguments, &["-delete"])
                || executes(arguments, documents, nested)
        }
        "fd" | "fdfind" => executes(arguments, documents, nested),
        "chmod" | "chown" | "chgrp" | "setfacl" => is_recursive(arguments),
        "rsync" => options(arguments)
            .any(|option| option.starts_with("--del") || option.starts_with("--remove-source")),
        // These take away what they pack.
        "tar" | "bsdtar" | "gtar" => has_beginning(arguments, "--remove-f"),
        "zip" => has_beginning(arguments, "--mov") || short(arguments, 'm'),
        "7z" | "7za" | "7zr" | "7zz" => has_beginning(arguments, "-sdel"),
        "eval" => arguments.iter().any(|word| word.open) || text(&joined(arguments), nested + 1),
        "." | "source" => arguments.first().is_none_or(|word| word.open),
        "trap" | "alias" => arguments.iter().any(|word| aside(word, nested)),
        _ => false,
    }
}

/// A text that is run later.
fn aside(word: &Word, nested: usize) -> bool {
    let command = word
        .text
        .split_once('=')
        .map_or(word.text.as_str(), |(_, command)| command);
    text(command, nested + 1)
}

/// Any word may be the one at which the wrapped command begins.
fn wrapped(name: &str, arguments: &[Word], documents: &[String], nested: usize) -> bool {
    let mut arguments = arguments.to_vec();
    if matches!(name, "xargs" | "parallel") {
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
    let is_given_alone = matches!(name, "xargs" | "parallel") && first + 1 >= arguments.len();
    (0..arguments.len()).any(|from| {
        let rest = arguments.get(from..).unwrap_or_default();
        let is_open = rest.first().is_some_and(|word| word.open);
        match is_open {
            true => from <= first && !is_given_alone,
            false => command(rest, documents, nested),
        }
    })
}

/// A shell that is given its commands as text, or by something that can't be read here.
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
        .is_none_or(|script| script.open)
}

fn interpreter(arguments: &[Word], documents: &[String]) -> bool {
    let deletes = |text: &str| {
        let text = text.to_lowercase();
        DELETES.iter().any(|deletes| text.contains(deletes)) || RUN_TEXT.iter().any(|runs| calls(&text, runs))
    };
    let takes_text = |word: &Word| word.text.starts_with('-') || word.text.contains(['(', '{', ';', '\n']);
    let is_given_text = arguments.iter().any(takes_text);
    // Without a program, one comes through a pipe.
    let is_program = |word: &Word| word.text != "-";
    documents.iter().any(|document| deletes(document))
        || documents.is_empty() && !arguments.iter().any(is_program)
        || is_given_text && arguments.iter().any(|word| deletes(&word.text))
}

fn calls(text: &str, function: &str) -> bool {
    let is_of_object = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '.' | '_'))
    };
    text.match_indices(function).any(|(at, _)| !is_of_object(at))
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

/// Of words whose patterns are quoted as a rule: those that hold a variable or a substitution, not a mere pattern.
fn any_open_quoted(arguments: &[Word]) -> bool {
    let is_pattern = |word: &Word| word.text.contains(['*', '?', '[', '{']);
    arguments.iter().any(|word| word.open && !is_pattern(word))
}

fn has_any(arguments: &[Word], wanted: &[&str]) -> bool {
    arguments.iter().any(|word| wanted.contains(&word.text.as_str()))
}

fn joined(arguments: &[Word]) -> String {
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// `find -exec COMMAND …`, with names that are only known when it runs.
fn executes(arguments: &[Word], documents: &[String], nested: usize) -> bool {
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
    let mut rest = arguments;
    while let Some(place) = rest.iter().position(at) {
        rest = rest.get(place + 1..).unwrap_or_default();
        let mut given = rest.to_vec();
        given.push(Word {
            text: String::new(),
            open: true,
        });
        if command(&given, documents, nested) {
            return true;
        }
    }
    false
}

fn git(arguments: &[Word], nested: usize) -> bool {
    let mut rest = arguments;
    while let Some(option) = rest
        .first()
        .filter(|word| word.text.starts_with('-') || word.open)
    {
        if option.open {
            return true;
        }
        let takes_value = matches!(
            option.text.as_str(),
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace"
        );
        // An alias or a helper of a configuration is a command.
        if let Some((_, value)) = rest.get(1).and_then(|word| word.text.split_once('='))
            && option.text == "-c"
            && text(value.trim_start_matches('!'), nested + 1)
        {
            return true;
        }
        rest = rest.get(1 + usize::from(takes_value)..).unwrap_or_default();
    }
    let Some((verb, arguments)) = rest.split_first() else {
        return false;
    };
    let has = |wanted: &[&str]| has_any(arguments, wanted);
    let short = |letter: char| short(arguments, letter);
    let long = |beginning: &str| options(arguments).any(|option| option.starts_with(beginning));
    let takes_open = any_open_quoted(arguments);
    match verb.text.as_str() {
        "push" => {
            let is_forced = |word: &Word| word.text.starts_with(['+', ':']);
            takes_open
                || short('f')
                || short('d')
                || long("--f")
                || long("--d")
                || long("--mi")
                || long("--pru")
                || arguments.iter().any(is_forced)
        }
        "reset" => takes_open || long("--h") || long("--me") || long("--k"),
        "clean" => takes_open || !(short('n') || long("--dry")),
        "checkout" => short('f') || long("--f") || has(&["--", "."]),
        "switch" => short('f') || short('C') || long("--f") || long("--disc"),
        "restore" | "filter-branch" | "filter-repo" | "update-ref" | "prune" => true,
        "branch" | "tag" => {
            short('D') || short('d') || short('f') || short('M') || long("--d") || long("--f")
        }
        "stash" => has(&["drop", "clear"]),
        "reflog" => has(&["expire", "delete"]),
        "gc" => long("--pru") || long("--agg"),
        "rm" => is_recursive(arguments) || any_open(arguments) || short('f') || long("--f"),
        "worktree" => has(&["remove", "prune"]),
        "submodule" => has(&["deinit", "foreach"]),
        "bisect" => has(&["run"]),
        "rebase" => short('x') || long("--ex"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
