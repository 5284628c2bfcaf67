//! Decides what a program may do without asking (F7.7, DESIGN §8).
//!
//! Decision = class × mode × tainted, then the user's rules; deny wins. Evaluated in memory, for one exact call,
//! and always with the reason, so that "why was this allowed?" has an answer. Nothing here performs or remembers, or
//! looks at files: where a path leads comes with the call.

mod pattern;

pub use pattern::{Pattern, PatternError};

use crate::limits::FAMILY_CHARACTERS_MAX;
use serde_json::Value;
use shidi_protocol::{Call, Class, Ground, MethodSpec, Mode, Verdict};

/// A remembered decision of the user for a family of calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub pattern: Pattern,
    pub verdict: Verdict,
}

/// What was decided of one call, and why: the cell of the table or the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    pub ground: Ground,
}

/// What the user has granted so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grants {
    pub mode: Mode,
    /// Remembered decisions, of all sessions.
    pub rules: Vec<Rule>,
    /// Families approved beforehand for this run alone; these hold in a tainted run too, since the user named
    /// them together with the task.
    pub approved: Vec<Pattern>,
}

impl Grants {
    /// Decides `call` of `class` in a run that has (`tainted`) or has not read what the user did not write.
    ///
    /// What deletes trees or has no walls is asked about whatever is remembered: an "always" was given for another
    /// moment. With the task it is allowed by its very words alone. What lies outside the granted folders is covered by
    /// a remembered decision that names the place.
    #[must_use]
    pub fn decide(&self, call: &Call, class: Class, tainted: bool) -> Decision {
        let held_back = |verdict: Verdict| {
            let mut rules = self.rules.iter().filter(move |rule| rule.verdict == verdict);
            rules.find(|rule| rule.pattern.restricts(call))
        };
        if let Some(rule) = held_back(Verdict::Deny) {
            return by_rule(rule);
        }
        if let Some(pattern) = self.beforehand(call, class) {
            return Decision {
                verdict: Verdict::Allow,
                ground: Ground::Beforehand {
                    pattern: pattern.to_string(),
                },
            };
        }
        if let Some(rule) = held_back(Verdict::Ask) {
            return by_rule(rule);
        }
        let let_through = self.rules.iter().find(|rule| {
            rule.verdict == Verdict::Allow
                && rule.pattern.allows(call, class)
                && (!is_outside(call, class) || rule.pattern.names_place())
        });
        match let_through {
            Some(rule) if class != Class::ExecuteOpen && (!tainted || !leads_out(class)) => by_rule(rule),
            Some(_) | None => {
                let verdict = table(class, self.mode, tainted);
                Decision {
                    verdict,
                    ground: Ground::Table {
                        class,
                        mode: self.mode,
                        tainted,
                        verdict,
                    },
                }
            }
        }
    }

    /// What a walk of a permitted `call` leaves out: of the rules that would hold back a call to a place, those that
    /// don't speak of this very call.
    #[must_use]
    pub fn withheld(&self, call: &Call, class: Class) -> WithheldPaths {
        let is_asked_already = self.beforehand(call, class).is_some();
        let rules = self.rules.iter().filter(|rule| match rule.verdict {
            Verdict::Allow => false,
            Verdict::Ask => !is_asked_already && !rule.pattern.restricts(call),
            Verdict::Deny => true,
        });
        let globs = rules.filter_map(|rule| rule.pattern.restricted_paths(call));
        WithheldPaths(globs.map(str::to_owned).collect())
    }

    fn beforehand(&self, call: &Call, class: Class) -> Option<&Pattern> {
        let mut covering = self.approved.iter().filter(|pattern| pattern.allows(call, class));
        let is_open = class == Class::ExecuteOpen && call.args.contains_key(pattern::COMMAND);
        covering.find(|pattern| !is_open || pattern.names_command())
    }
}

/// Paths that rules of the user hold back, by their globs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithheldPaths(Vec<String>);

impl WithheldPaths {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether what lies at `path`, absolute with all links followed, is held back.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        self.0.iter().any(|glob| pattern::covers(glob, path, true))
    }
}

/// Whether a file or folder outside the granted ones is reached: what another program changes there has a class of its
/// own, and no place.
fn is_outside(call: &Call, class: Class) -> bool {
    matches!(class, Class::ReadOutside | Class::WriteOutside) && call.places.contains_key(pattern::PATH)
}

fn by_rule(rule: &Rule) -> Decision {
    Decision {
        verdict: rule.verdict,
        ground: Ground::Rule {
            pattern: rule.pattern.to_string(),
            verdict: rule.verdict,
        },
    }
}

/// Whether a call of this class changes something, or may carry away what the run has read: a remembered "allow" was
/// given for other circumstances than a run that follows a stranger's words. What was allowed of the page in front was
/// allowed of a task that has read that page.
fn leads_out(class: Class) -> bool {
    class != Class::Page && (class.has_side_effect() || class == Class::NetworkRead)
}

/// The table of DESIGN §8; for a tainted run the stricter of both columns.
#[must_use]
pub fn table(class: Class, mode: Mode, tainted: bool) -> Verdict {
    use Verdict::{Allow, Ask};
    let (ask, risky, trust, taint) = match class {
        Class::Read => (Allow, Allow, Allow, Allow),
        Class::ReadOutside | Class::WriteOutside | Class::ExecuteOpen | Class::Money => (Ask, Ask, Ask, Ask),
        Class::NetworkRead | Class::Send => (Ask, Ask, Allow, Ask),
        // Of the page that the user looks at and asked about, which is what marked the run; any other one is sent to.
        Class::Page => (Ask, Ask, Allow, Allow),
        Class::Write => (Ask, Allow, Allow, Allow),
        // What is remembered is believed in every later conversation: a stranger's words don't get there unseen.
        Class::Keep => (Ask, Allow, Allow, Ask),
        Class::Execute => (Ask, Allow, Allow, Ask),
    };
    let by_mode = match mode {
        Mode::Ask => ask,
        Mode::Risky => risky,
        Mode::Trust => trust,
    };
    if tainted && taint == Ask { Ask } else { by_mode }
}

/// The pattern that "always" would remember for `call`: its tool, with the arguments that matter, by where they lead. A
/// path stands for its folder; that of a hidden file, or of what lies at the top, for itself.
#[must_use]
pub fn family(call: &Call, method: Option<&MethodSpec>) -> Pattern {
    let matters = method.map(|method| method.matters.as_slice()).unwrap_or_default();
    let arguments = matters.iter().filter_map(|name| {
        let leads_to = call.places.get(name).map(String::as_str);
        let text = leads_to.or_else(|| call.args.get(name)?.as_str())?;
        let glob = match text.rsplit_once('/') {
            Some((folder, file)) if name == pattern::PATH && !folder.is_empty() && !file.starts_with('.') => {
                format!("{}/*", pattern::escaped(folder))
            }
            Some(_) | None => pattern::escaped(text),
        };
        Some((name.clone(), glob))
    });
    Pattern::new(&call.toolkit, &call.method, arguments.collect())
}

/// The widest pattern that can be named beforehand for `call`: its tool, and where each is asked about by itself, its
/// command.
#[must_use]
pub fn beforehand(call: &Call, class: Class) -> Pattern {
    let command = call.args.get(pattern::COMMAND).and_then(Value::as_str);
    let arguments = command
        .filter(|_| class == Class::ExecuteOpen)
        .map(|command| (pattern::COMMAND.to_owned(), pattern::escaped(command)));
    Pattern::new(&call.toolkit, &call.method, arguments.into_iter().collect())
}

/// The family where a user can say "always" to it: not of what is asked about every time, nor where the pattern is a text
/// that nobody reads before saying so. That one covers nothing but this very call anyway.
#[must_use]
pub fn kind(class: Class, call: &Call, method: Option<&MethodSpec>) -> Option<Pattern> {
    let kind = Some(family(call, method)).filter(|_| class != Class::ExecuteOpen)?;
    let text = kind.to_string();
    let is_readable = text.chars().count() <= FAMILY_CHARACTERS_MAX && !text.contains('\n');
    is_readable.then_some(kind)
}

#[cfg(test)]
mod tests;
