//! Families of calls: `toolkit.method(arg=glob, …)`.
//!
//! `*` stands for any run of characters and `?` for one; `\` makes the next character plain. `toolkit.*` covers
//! every method. An argument that the pattern names must be there and match; others are free. A path with `..` in
//! it matches no pattern with a glob for that argument: it may lead anywhere.

use serde_json::Value;
use shidi_protocol::Call;
use std::fmt;

/// Longest pattern that is read, in characters: more is no rule that a person has read.
const PATTERN_CHARACTERS_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    toolkit: String,
    method: String,
    arguments: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    #[error("A pattern has the form toolkit.method or toolkit.method(arg=glob, …), not `{0}`")]
    Form(String),
    #[error("The pattern is longer than {PATTERN_CHARACTERS_MAX} characters")]
    TooLong,
}

impl Pattern {
    #[must_use]
    pub fn new(toolkit: &str, method: &str, arguments: Vec<(String, String)>) -> Self {
        Self {
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            arguments,
        }
    }

    /// Reads a pattern as written by a person.
    ///
    /// # Errors
    /// [`PatternError`] when it is none.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        if text.chars().count() > PATTERN_CHARACTERS_MAX {
            return Err(PatternError::TooLong);
        }
        let form = || PatternError::Form(text.to_owned());
        let text = text.trim();
        let (tool, arguments) = match text.split_once('(') {
            Some((tool, rest)) => (tool, rest.strip_suffix(')').ok_or_else(form)?),
            None => (text, ""),
        };
        let (toolkit, method) = tool.trim().split_once('.').ok_or_else(form)?;
        if !is_name(toolkit) || !(is_name(method) || method == "*") {
            return Err(form());
        }
        let arguments = split_arguments(arguments).into_iter().map(|argument| {
            let (name, glob) = argument.split_once('=')?;
            let name = name.trim();
            is_name(name).then(|| (name.to_owned(), glob.trim().to_owned()))
        });
        let arguments = arguments.collect::<Option<Vec<_>>>().ok_or_else(form)?;
        Ok(Self::new(toolkit, method, arguments))
    }

    /// Whether `call` is of this family.
    #[must_use]
    pub fn matches(&self, call: &Call) -> bool {
        self.toolkit == call.toolkit
            && (self.method == "*" || self.method == call.method)
            && self.arguments.iter().all(|(name, glob)| {
                call.args
                    .get(name)
                    .is_some_and(|value| argument_matches(glob, &plain(value)))
            })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.toolkit, self.method)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .map(|(name, glob)| format!("{name}={}", glob.replace(',', "\\,")))
            .collect();
        write!(f, "({})", arguments.join(", "))
    }
}

/// `text` with every character that means something in a glob made plain.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn argument_matches(glob: &str, text: &str) -> bool {
    let climbs = text.split(['/', '\\']).any(|part| part == "..");
    if climbs && glob.contains(['*', '?']) {
        return false;
    }
    glob_matches(
        &glob.chars().collect::<Vec<_>>(),
        &text.chars().collect::<Vec<_>>(),
    )
}

/// Backtracks to the last star only, so the time is bounded by the product of both lengths.
fn glob_matches(glob: &[char], text: &[char]) -> bool {
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < text.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
                continue;
            }
            Some('?') => {
                (at, here) = (at + 1, here + 1);
                continue;
            }
            Some('\\') if glob.get(at + 1) == Some(&text[here]) => {
                (at, here) = (at + 2, here + 1);
                continue;
            }
            Some(character) if *character != '\\' && *character == text[here] => {
                (at, here) = (at + 1, here + 1);
                continue;
            }
            Some(_) | None => {}
        }
        let Some((star_at, taken)) = star else {
            return false;
        };
        star = Some((star_at, taken + 1));
        (at, here) = (star_at + 1, taken + 1);
    }
    glob[at..].iter().all(|character| *character == '*')
}

fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&',') => {
                characters.next();
                current.push(',');
            }
            '\\' => {
                current.push('\\');
                current.extend(characters.next());
            }
            ',' => arguments.push(std::mem::take(&mut current)),
            _ => current.push(character),
        }
    }
    arguments.push(current);
    arguments.retain(|argument| !argument.trim().is_empty() && argument.trim() != "…");
    arguments
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_alphanumeric() || character == '_')
}
