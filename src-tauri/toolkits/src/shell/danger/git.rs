//! Verbs of git that lose work or rewrite history, and commands that write files which git runs by itself.
//!
//! The sandbox protects such files from a command that nobody was asked about. So a command that names them is
//! asked about.

use super::{Word, any_open, any_open_quoted, has_any, is_recursive, options, short, text};

/// Files that git runs, or that tell git which programs to run.
const RUN_BY_GIT: &[&str] = &[".git/hooks", ".git/config"];

/// Programs that write to the files they are given.
const WRITERS: &[&str] = &[
    "cp", "mv", "ln", "install", "tee", "chmod", "touch", "sed", "rm", "mkdir",
];

/// Whether a redirection leads to a file that git runs.
pub(super) fn is_written(places: &[Word]) -> bool {
    let is_run = |word: &Word| RUN_BY_GIT.iter().any(|run| word.text.contains(run));
    places.iter().any(is_run)
}

/// Whether a program writes to a file that git runs.
pub(super) fn is_touched(name: &str, arguments: &[Word]) -> bool {
    WRITERS.contains(&name) && is_written(arguments)
}

/// Whether the settings are only shown, or belong to a home that vanishes with the command.
fn reads_settings(arguments: &[Word]) -> bool {
    let shows = [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--list",
        "-l",
        "get",
        "list",
        "--global",
    ];
    let is_name = |word: &&Word| !word.text.starts_with('-');
    has_any(arguments, &shows) || arguments.iter().filter(is_name).count() <= 1
}

pub(super) fn judge(arguments: &[Word], nested: usize) -> bool {
    let Some(rest) = from_verb(arguments, nested) else {
        return true;
    };
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
            let is_configured = || short('m') || short('u') || long("--mo") || long("--se") || long("--un");
            short('D')
                || short('d')
                || short('f')
                || short('M')
                || long("--d")
                || long("--f")
                || verb.text == "branch" && is_configured()
        }
        "stash" => has(&["drop", "clear"]),
        "reflog" => has(&["expire", "delete"]),
        "gc" => long("--pru") || long("--agg"),
        "rm" => is_recursive(arguments) || any_open(arguments) || short('f') || long("--f"),
        "worktree" => has(&["remove", "prune"]),
        "submodule" => has(&["deinit", "foreach", "add", "init", "update", "sync", "set-url"]),
        "config" => !reads_settings(arguments),
        "remote" => has(&[
            "add",
            "set-url",
            "rename",
            "remove",
            "rm",
            "set-head",
            "set-branches",
        ]),
        "read-tree" => long("--r") || short('u'),
        "checkout-index" => short('f') || long("--f"),
        "bisect" => has(&["run"]),
        "rebase" => short('x') || long("--ex"),
        _ => false,
    }
}

/// The words from git's verb on. `None` where an option of git itself is a command, or may be one.
fn from_verb(arguments: &[Word], nested: usize) -> Option<&[Word]> {
    let mut rest = arguments;
    while let Some(option) = rest
        .first()
        .filter(|word| word.text.starts_with('-') || word.open)
    {
        if option.open {
            return None;
        }
        let takes_value = matches!(
            option.text.as_str(),
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace"
        );
        // An alias or helper in a configuration is a command.
        if let Some((_, value)) = rest.get(1).and_then(|word| word.text.split_once('='))
            && option.text == "-c"
            && text(value.trim_start_matches('!'), nested + 1)
        {
            return None;
        }
        rest = rest.get(1 + usize::from(takes_value)..).unwrap_or_default();
    }
    Some(rest)
}
