//! Programs in other languages, where their text stands in the command.

use super::super::lexer::Word;
use super::{is_stream, text};

/// Languages that differ in how they delete and run commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Node,
    /// Perl and Ruby: a function's argument may stand without brackets.
    Perl,
    Awk,
    Other,
}

/// Texts that delete trees, move them away, empty files or run a text, in small letters. Texts that find
/// such a function by a composed name count, too.
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
    "fileutils.rm",
    "fileutils.remove",
    "fileutils.move",
    "file::copy",
    "movesync",
    "getattr",
    "attrgetter",
    "methodcaller",
    "__dict__",
    "__import__",
    "import_module",
    "importlib",
    "globals(",
    "locals(",
    "vars(",
    "sys.modules",
    "builtins",
    "ctypes",
    "runpy",
    "popen",
    "proc_open",
    "shell_exec",
    "passthru",
    "os.exec",
    "os.execute",
    "posix.",
    "import posix",
    "spawn",
    "truncate",
    "file.delete",
    "file.remove",
    "file delete",
    "deno.remove",
];

/// Functions of a language that run a text, unless they are an object's own.
const RUN_TEXT: &[&str] = &["eval(", "exec("];

/// Names in the system's module that delete or run commands.
const OF_SYSTEM: &[&str] = &["remove", "rmdir", "rename", "replace", "system"];

pub(super) fn language_of(name: &str) -> Option<Language> {
    let plain = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    match plain {
        "python" | "pypy" | "ipython" => Some(Language::Python),
        "node" | "nodejs" | "deno" | "bun" => Some(Language::Node),
        "perl" | "ruby" | "jruby" | "irb" => Some(Language::Perl),
        "awk" | "gawk" | "mawk" | "nawk" => Some(Language::Awk),
        "php" | "lua" | "luajit" | "R" | "Rscript" | "julia" | "tclsh" | "expect" | "guile" | "elixir"
        | "groovy" | "pwsh" => Some(Language::Other),
        _ => None,
    }
}

/// Whether a program deletes that is given as text, or from a source that can't be read here.
pub(super) fn runs(language: Language, arguments: &[Word], documents: &[String], nested: usize) -> bool {
    let takes_text = |word: &Word| word.text.starts_with('-') || word.text.contains(['(', '{', ';', '\n']);
    let is_given_text = arguments.iter().any(takes_text);
    // Without a program argument, the program comes through a pipe.
    let is_program = |word: &Word| word.text != "-" && !is_stream(word);
    let deletes = |text: &str| deletes(language, text, nested);
    documents.iter().any(|document| deletes(document))
        || documents.is_empty() && !arguments.iter().any(is_program)
        || documents.is_empty() && arguments.first().is_some_and(is_stream)
        || is_given_text && arguments.iter().any(|word| deletes(&word.text))
}

fn deletes(language: Language, written: &str, nested: usize) -> bool {
    let text = written.to_lowercase();
    let has = |part: &&str| text.contains(*part);
    if DELETES.iter().any(&has) || RUN_TEXT.iter().any(|runs| calls(&text, runs)) {
        return true;
    }
    match language {
        Language::Python => takes_from_system(&text) || text.contains("shutil") && has_word(&text, "move"),
        Language::Node => {
            let by_name = ["fs[", ")[\"", ")['", "process.binding"];
            has_word(&text, "rm") || by_name.iter().any(has) || written.contains("new Function")
        }
        Language::Perl => {
            let others = ["%x", ".send(", "public_send", "_eval", "\"|", "'|", "|\"", "|'"];
            let runs = ["system", "exec", "eval", "qx"];
            has_word(&text, "rm") && text.contains("fileutils")
                || others.iter().any(has)
                || runs.iter().any(|function| runs_text(&text, function))
        }
        Language::Awk => runs_text(&text, "system") || pipes(written, nested),
        Language::Other => ["rm", "exec"].iter().any(|word| has_word(&text, word)) || text.contains("os["),
    }
}

fn calls(text: &str, function: &str) -> bool {
    let is_of_object = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '.' | '_'))
    };
    text.match_indices(function).any(|(at, _)| !is_of_object(at))
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The texts after each place where `word` stands by itself.
fn after<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let rest = text.get(at + word.len()..)?;
        let is_whole = !before.is_some_and(is_of_word) && !rest.starts_with(is_of_word);
        is_whole.then_some(rest)
    })
}

fn has_word(text: &str, word: &str) -> bool {
    after(text, word).next().is_some()
}

/// Whether a function has a text or a variable as its argument, with brackets or without.
fn runs_text(text: &str, function: &str) -> bool {
    let quotes = ['"', '\'', '(', '$', '@', '%', '[', '{', '/', '|', '!'];
    after(text, function).any(|rest| match function {
        "qx" => rest.starts_with(quotes),
        // A brace opens a block, and a slash ends a pattern.
        _ => rest
            .trim_start()
            .starts_with(['"', '\'', '(', '$', '@', '%', '[', 'q']),
    })
}

/// Whether the system's module gets another name, or its deleting functions are imported by name.
fn takes_from_system(text: &str) -> bool {
    let is_renamed = after(text, "os").any(|rest| rest.trim_start().starts_with("as "));
    let is_taken = |rest: &str| {
        let Some(names) = rest.trim_start().strip_prefix("import ") else {
            return false;
        };
        let end = match names.trim_start().starts_with('(') {
            true => names.find(')'),
            false => names.find(['\n', ';']),
        };
        let names = names.get(..end.unwrap_or(names.len())).unwrap_or_default();
        names.contains('*') || OF_SYSTEM.iter().any(|name| has_word(names, name))
    };
    is_renamed || after(text, "from os").any(is_taken)
}

/// Whether a program of `awk` writes to or reads from a dangerous command.
fn pipes(program: &str, nested: usize) -> bool {
    program.match_indices('|').any(|(at, _)| {
        let (before, rest) = (
            program.get(..at).unwrap_or_default(),
            program.get(at + 1..).unwrap_or_default(),
        );
        if before.ends_with('|') || rest.starts_with('|') {
            return false;
        }
        let rest = rest.trim_start_matches('&').trim_start();
        if rest.starts_with("getline") {
            let mut quoted = before
                .trim_end()
                .strip_suffix('"')
                .unwrap_or_default()
                .rsplit('"');
            return quoted
                .next()
                .is_none_or(|command| command.is_empty() || text(command, nested + 1));
        }
        let Some(command) = rest.strip_prefix('"') else {
            // A pattern with alternatives, or a variable.
            return rest.starts_with(is_of_word)
                && before.trim_end().ends_with(|sign: char| sign != '/')
                && is_printed(before);
        };
        let command = command.split('"').next().unwrap_or_default();
        text(command, nested + 1)
    })
}

/// Whether the text before a sign is printed, and not matched as a pattern.
fn is_printed(before: &str) -> bool {
    let statement = before.rsplit([';', '{', '}', '\n']).next().unwrap_or_default();
    statement.trim_start().starts_with("print")
}
