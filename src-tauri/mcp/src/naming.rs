//! Which names servers may have: programs write them, so nothing that a program needs may be called so.

use shidi_locales::Language;
use shidi_protocol::{ErrorCode, HOST_TOOLKIT, UserError};
use shidi_space::errors::error;
use std::collections::BTreeSet;

/// Longest name, in characters: it stands before every call.
const NAME_CHARACTERS_MAX: usize = 24;

/// Modules that programs import, and names that programs have without an import. They would hide a toolkit of that
/// name, or the toolkit would hide them.
const OF_PYTHON: &[&str] = &[
    "abc",
    "abs",
    "all",
    "any",
    "ascii",
    "asyncio",
    "base64",
    "bin",
    "bisect",
    "bool",
    "bytes",
    "calendar",
    "callable",
    "chr",
    "cmath",
    "collections",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "dict",
    "difflib",
    "dir",
    "email",
    "enum",
    "enumerate",
    "eval",
    "exec",
    "filter",
    "float",
    "format",
    "fractions",
    "frozenset",
    "functools",
    "getattr",
    "glob",
    "globals",
    "gzip",
    "hasattr",
    "hash",
    "hashlib",
    "heapq",
    "help",
    "hex",
    "hmac",
    "html",
    "http",
    "id",
    "input",
    "int",
    "io",
    "isinstance",
    "iter",
    "itertools",
    "json",
    "len",
    "list",
    "locals",
    "logging",
    "map",
    "math",
    "max",
    "min",
    "next",
    "numbers",
    "object",
    "oct",
    "open",
    "operator",
    "ord",
    "os",
    "pathlib",
    "pickle",
    "pow",
    "pprint",
    "print",
    "random",
    "range",
    "re",
    "repr",
    "reversed",
    "round",
    "secrets",
    "set",
    "shutil",
    "slice",
    "socket",
    "sorted",
    "sqlite3",
    "statistics",
    "str",
    "string",
    "struct",
    "subprocess",
    "sum",
    "sys",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "tuple",
    "typing",
    "unicodedata",
    "urllib",
    "uuid",
    "vars",
    "xml",
    "zip",
    "zipfile",
    "zlib",
    "zoneinfo",
];

/// Makes sure that a server may be called so.
///
/// # Errors
/// What is wrong with the name, with one that would do.
pub fn checked(name: &str, language: Language) -> Result<(), UserError> {
    if is_fine(name) {
        return Ok(());
    }
    let other = format!("{}_server", plain(name, NAME_CHARACTERS_MAX - 7));
    let shown = shidi_mcp_client::paragraph(name, NAME_CHARACTERS_MAX);
    Err(error(
        ErrorCode::Input,
        if is_taken(name) {
            language.mcp().name_reserved(shown)
        } else {
            language.mcp().name_rule(shown)
        },
        language.mcp().choose_other_name(other),
    ))
}

/// A name that would do, near to the one that is wanted, and none of those that are `there`.
pub fn fitting(wanted: &str, there: &BTreeSet<String>) -> String {
    let short = plain(wanted, NAME_CHARACTERS_MAX - 7);
    let whole = plain(wanted, NAME_CHARACTERS_MAX);
    let numbered = (2_u32..).map(|number| format!("{short}_{number}"));
    [whole, format!("{short}_server")]
        .into_iter()
        .chain(numbered)
        .find(|name| is_fine(name) && !there.contains(name))
        .unwrap_or(short)
}

fn is_fine(name: &str) -> bool {
    let is_plain = shidi_mcp_client::is_identifier(name)
        && name
            .chars()
            .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_');
    is_plain && !is_taken(name) && name.len() <= NAME_CHARACTERS_MAX
}

fn is_taken(name: &str) -> bool {
    OF_PYTHON.contains(&name)
        || name == HOST_TOOLKIT
        || shidi_toolkits::declared()
            .iter()
            .any(|declared| declared.name == name)
}

/// The letters of a name that programs can write.
fn plain(name: &str, characters: usize) -> String {
    let lower = name.to_lowercase();
    let lower: String = lower.chars().filter(char::is_ascii).take(characters).collect();
    let plain = shidi_mcp_client::identifier(&lower, &mut BTreeSet::new());
    plain.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_programs_need_are_refused_with_one_that_would_do() {
        for fine in ["git", "github", "everything", "my_notes2"] {
            assert!(checked(fine, Language::En).is_ok(), "{fine}");
        }
        for (taken, other) in [
            ("time", "time_server"),
            ("files", "files_server"),
            ("Git-Hub", "git_hub_server"),
            ("天气", "unnamed_server"),
        ] {
            let refused = checked(taken, Language::En).expect_err(taken);
            assert!(
                refused.hint.as_deref().is_some_and(|hint| hint.contains(other)),
                "{refused:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_proposed_would_do(name in ".{0,40}") {
            let there = ["server_server".to_owned(), name.clone()].into();
            let other = fitting(&name, &there);
            prop_assert!(checked(&other, Language::En).is_ok() && !there.contains(&other), "{}", other);
            if let Err(refused) = checked(&name, Language::En) {
                let hint = refused.hint.unwrap_or_default();
                let proposed = hint.rsplit(' ').next().unwrap_or_default();
                prop_assert!(checked(proposed, Language::En).is_ok(), "{}", proposed);
            }
        }
    }
}
