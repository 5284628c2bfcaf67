//! Families of calls: `toolkit.method(arg=glob, …)`.
//!
//! `*` stands for any run of characters and `?` for one; `\` makes the next character plain. `toolkit.*` covers
//! every method. An argument that the pattern names must be present and match; other arguments are free.
//!
//! A pattern is read in two ways. A restricting pattern is read widely: an argument matches as written or by
//! where it leads. An allowing pattern is read narrowly: by where an argument leads alone. Its wildcards match
//! no further command of a shell, and no hidden name outside the granted folders. So a pattern also restricts
//! every call that it would allow.

use serde_json::Value;
use shidi_locales::Language;
use shidi_protocol::{Call, Class};
use std::fmt;

/// Longest pattern that is read, in characters: a person has read no longer rule.
const PATTERN_CHARACTERS_MAX: usize = 1_000;

/// The argument that names a file or folder.
pub(super) const PATH: &str = "path";

/// The argument that names where a file or folder goes; it is a path where its place is known.
pub(super) const TO: &str = "to";

/// The argument that names a host, and the one beside it that tells of the own network.
const HOST: &str = "host";
const NETWORK: &str = "network";

/// The argument that names a shell's command.
pub(super) const COMMAND: &str = "command";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    toolkit: String,
    method: String,
    arguments: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence(Language::SOURCE))]
pub enum PatternError {
    Form(String),
    TooLong,
}

impl PatternError {
    /// What is wrong with the pattern, in the user's language.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        let say = language.permissions();
        match self {
            Self::Form(text) => say.no_pattern(text),
            Self::TooLong => say.pattern_too_long(PATTERN_CHARACTERS_MAX),
        }
    }
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
    /// [`PatternError`] when the text is no pattern.
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

    /// Whether a rule with this pattern may hold `call` back.
    #[must_use]
    pub fn restricts(&self, call: &Call) -> bool {
        self.names_tool(call)
            && self.arguments.iter().all(|(name, glob)| {
                // A rule about a path also holds back what would be put there.
                let also = (name == PATH)
                    .then_some(TO)
                    .filter(|to| call.places.contains_key(*to));
                let mut forms = [Some(name.as_str()), also]
                    .into_iter()
                    .flatten()
                    .flat_map(|name| {
                        let leads_to = call.places.get(name).cloned();
                        leads_to.into_iter().chain(call.args.get(name).map(plain))
                    });
                forms.any(|text| covers(glob, &text, is_path(name, call)))
            })
    }

    /// Whether this pattern may let `call` of `class` through.
    #[must_use]
    pub fn allows(&self, call: &Call, class: Class) -> bool {
        self.names_tool(call)
            && self.arguments.iter().all(|(name, glob)| {
                if let Some(leads_to) = call.places.get(name) {
                    let is_kept_apart =
                        matches!(class, Class::ReadOutside | Class::WriteOutside) && is_path(name, call);
                    return matches(glob, leads_to, |text, at| {
                        is_kept_apart && begins_hidden(text, at)
                    });
                }
                let Some(text) = call.args.get(name).map(plain) else {
                    return false;
                };
                let climbs = text.split(['/', '\\']).any(|part| part == "..");
                let is_command = name == COMMAND;
                !(climbs && glob.contains(['*', '?']))
                    && matches(glob, &text, |text, at| is_command && begins_another(text, at))
            })
    }

    /// The same pattern with the beginning of its path, up to the first wildcard, replaced by where the
    /// beginning leads. `None` where the pattern names no path, or its beginning leads nowhere.
    #[must_use]
    pub fn placed(&self, leads_to: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let index = self.arguments.iter().position(|(name, _)| name == PATH)?;
        let glob = &self.arguments[index].1;
        let (before, is_whole) = before_wildcard(glob);
        let folder = match before.rsplit_once('/') {
            _ if is_whole => before,
            Some((folder, _)) => folder,
            None => "",
        };
        let rest = &glob[folder.len()..];
        if folder.is_empty() && rest.starts_with(['/', '*']) {
            return None;
        }
        let head = escaped(&leads_to(&plain_text(folder))?);
        let between = if rest.is_empty() || rest.starts_with('/') {
            ""
        } else {
            "/"
        };
        let mut placed = self.clone();
        placed.arguments[index].1 = format!("{head}{between}{rest}");
        Some(placed)
    }

    /// The path glob that this pattern restricts for calls like `call`, whatever path `call` itself names.
    pub(super) fn restricted_paths(&self, call: &Call) -> Option<&str> {
        let others: Vec<_> = self
            .arguments
            .iter()
            .filter(|(name, _)| name != PATH)
            .cloned()
            .collect();
        let apart_from_path = Self::new(&self.toolkit, &self.method, others);
        let (_, glob) = self.arguments.iter().find(|(name, _)| name == PATH)?;
        apart_from_path.restricts(call).then_some(glob)
    }

    /// Whether a folder or file is named before the first wildcard of each path that the call has.
    pub(super) fn names_places(&self, call: &Call) -> bool {
        let mut paths = [PATH, TO]
            .into_iter()
            .filter(|name| call.places.contains_key(*name));
        paths.all(|path| self.names_place(path))
    }

    fn names_place(&self, path: &str) -> bool {
        let named = self.arguments.iter().find(|(name, _)| name == path);
        named.is_some_and(|(_, glob)| {
            let (before, is_whole) = before_wildcard(glob);
            let folder = if is_whole {
                Some(before)
            } else {
                before.rsplit_once('/').map(|(folder, _)| folder)
            };
            folder.is_some_and(|folder| folder.len() > 1 && folder.starts_with('/'))
        })
    }

    /// Whether the pattern names the exact command, without a wildcard.
    pub(super) fn names_command(&self) -> bool {
        let named = self.arguments.iter().find(|(name, _)| name == COMMAND);
        named.is_some_and(|(_, glob)| before_wildcard(glob).1)
    }

    /// Whether this pattern is meant for where a command's connection leads. A family of commands is none of hosts.
    /// Only a pattern that names the exact host and network leads into the own network. A name may lead elsewhere after
    /// the user has agreed to the pattern.
    pub(super) fn names_host(&self, call: &Call, class: Class) -> bool {
        let named = |name: &str| self.arguments.iter().find(|(other, _)| other == name);
        let is_exact = |name: &str| named(name).is_some_and(|(_, glob)| before_wildcard(glob).1);
        match class == Class::Connect {
            true if call.args.contains_key(NETWORK) => is_exact(HOST) && is_exact(NETWORK),
            true => named(HOST).is_some(),
            false => true,
        }
    }

    fn names_tool(&self, call: &Call) -> bool {
        self.toolkit == call.toolkit && (self.method == "*" || self.method == call.method)
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

/// `text` as a glob that matches exactly that text.
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

/// The text that an escaped glob stands for.
fn plain_text(glob: &str) -> String {
    let mut text = String::with_capacity(glob.len());
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        text.extend(if character == '\\' {
            characters.next()
        } else {
            Some(character)
        });
    }
    text
}

/// Whether an argument of a call names a file or folder.
pub(super) fn is_path(name: &str, call: &Call) -> bool {
    name == PATH || (name == TO && call.places.contains_key(TO))
}

/// A value as patterns match it.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a restricting glob matches. A path is held back together with everything below it. A glob for
/// everything in a folder also holds back the folder.
pub(super) fn covers(glob: &str, text: &str, is_path: bool) -> bool {
    let is_match = |glob: &str, text: &str| matches(glob, text, |_, _| false);
    if !is_path {
        return is_match(glob, text);
    }
    let folder = glob.strip_suffix("/*").or(glob.strip_suffix('/')).unwrap_or(glob);
    is_match(glob, text)
        || is_match(folder, text.strip_suffix('/').unwrap_or(text))
        || is_match(&format!("{folder}/*"), text)
}

/// The glob up to its first wildcard, and whether the glob has no wildcard.
fn before_wildcard(glob: &str) -> (&str, bool) {
    let mut is_plain = false;
    for (at, character) in glob.char_indices() {
        match character {
            '*' | '?' if !is_plain => return (&glob[..at], false),
            '\\' => is_plain = !is_plain,
            _ => is_plain = false,
        }
    }
    (glob, true)
}

/// Whether the name of a hidden file or folder begins here.
fn begins_hidden(text: &[char], at: usize) -> bool {
    text[at] == '.' && at.checked_sub(1).is_some_and(|before| text[before] == '/')
}

/// Whether a shell would begin another command here, or redirect to or from a file.
fn begins_another(text: &[char], at: usize) -> bool {
    let follows_dollar = || at.checked_sub(1).is_some_and(|before| text[before] == '$');
    match text[at] {
        ';' | '&' | '|' | '\n' | '\r' | '`' | '<' | '>' => true,
        '(' | '{' => follows_dollar(),
        _ => false,
    }
}

/// Whether the glob matches, where no wildcard may stand for a `barred` character.
///
/// Backtracks to the last star only, so the time is bounded by the product of both lengths. With barred
/// characters this misses some matches of an earlier star, but never matches too much.
fn matches(glob: &str, text: &str, barred: impl Fn(&[char], usize) -> bool) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < text.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
                continue;
            }
            Some('?') if !barred(&text, here) => {
                (at, here) = (at + 1, here + 1);
                continue;
            }
            Some('\\') if glob.get(at + 1) == Some(&text[here]) => {
                (at, here) = (at + 2, here + 1);
                continue;
            }
            Some(character) if !matches!(character, '\\' | '?') && *character == text[here] => {
                (at, here) = (at + 1, here + 1);
                continue;
            }
            Some(_) | None => {}
        }
        let Some((star_at, taken)) = star.filter(|(_, taken)| !barred(&text, *taken)) else {
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
