//! Constants of files that a program opens as Python does, such as `open("a.csv")` or `os.path.join("data", "a.csv")`. Each
//! such call becomes one of `files`, whose record says whether the constant is of a path. Pure.

use super::super::tokens::{Kind, Token};
use super::{Argument, divided, literal_of};
use serde_json::Value;
use shidi_protocol::{CallRecord, CallState, JsonMap};

/// The toolkit that such calls become calls of.
const FILES: &str = "files";

/// Functions whose arguments are paths, by the names under which programs import them.
const FUNCTIONS: [&str; 3] = [OPEN, "Path", "glob"];

/// Modules whose functions take paths.
const MODULES: [&str; 5] = ["glob", "io", "os", "pathlib", "shutil"];

/// Takes a path first, and then how it is opened.
const OPEN: &str = "open";

/// Arguments of `files` that are paths.
const PATHS: [&str; 2] = ["path", "to"];

/// The constants of a program that were parts of paths.
pub(super) fn arguments(program: &str, tokens: &[Token<'_>], calls: &[CallRecord]) -> Vec<Argument> {
    let made = calls
        .iter()
        .filter(|record| record.state == CallState::Done && record.call.toolkit == FILES);
    let made: Vec<&JsonMap> = made.map(|record| &record.call.args).collect();
    if made.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let Some((function, start)) = call_at(tokens, at) else {
            // `Path("data") / "a.csv"`: nothing else is divided by a text.
            let part = tokens.get(at + 1..at + 2).filter(|_| tokens[at].text == "/");
            found.extend(part.and_then(|part| path_of(program, part, &made)));
            continue;
        };
        let count = if function == OPEN { 1 } else { usize::MAX };
        let given = divided(&tokens[start..]).into_iter().take(count);
        found.extend(given.filter_map(|argument| path_of(program, argument, &made)));
    }
    found
}

/// The function that is called at a token, and where its arguments begin.
fn call_at<'p>(tokens: &[Token<'p>], at: usize) -> Option<(&'p str, usize)> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let head = tokens.get(at).filter(|head| head.kind == Kind::Name)?;
    if at > 0 && text(at - 1) == "." {
        return None;
    }
    if FUNCTIONS.contains(&head.text) && text(at + 1) == "(" {
        return Some((head.text, at + 2));
    }
    if !MODULES.contains(&head.text) {
        return None;
    }
    let mut last = at;
    while text(last + 1) == "." {
        last += 2;
    }
    let function = tokens.get(last).filter(|_| last > at && text(last + 1) == "(")?;
    // `io.StringIO("data")` is given a text.
    let takes_paths = head.text != "io" || function.text == OPEN;
    takes_paths.then_some((function.text, last + 2))
}

/// The constant that is all of an argument, if a call's path was made of it.
fn path_of(program: &str, argument: &[Token<'_>], made: &[&JsonMap]) -> Option<Argument> {
    let (_, range, value) = literal_of(program, argument)?;
    let Value::String(text) = &value else {
        return None;
    };
    let paths = || {
        let given = made.iter().flat_map(|args| args.iter());
        given
            .filter(|(name, _)| PATHS.contains(&name.as_str()))
            .filter_map(|(name, given)| given.as_str().map(|given| (name, given)))
    };
    let whole = paths().find(|(_, given)| given == text);
    let (name, _) = whole.or_else(|| paths().find(|(_, given)| is_part(given, text)))?;
    Some(Argument {
        name: name.clone(),
        value,
        range,
    })
}

/// Whether a path has the names of another one, one after the other.
fn is_part(path: &str, part: &str) -> bool {
    let names = |path: &str| -> Vec<String> {
        let names = path.split('/').filter(|name| !matches!(*name, "" | "." | ".."));
        names.map(str::to_owned).collect()
    };
    let (path, part) = (names(path), names(part));
    !part.is_empty() && path.windows(part.len()).any(|names| names == part)
}
