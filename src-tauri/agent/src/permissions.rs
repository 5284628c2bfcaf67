//! Decides whether a call of a program is allowed, asked about or denied (F7.7, DESIGN §8).
//!
//! Decision = class × mode × tainted, then the user's rules; deny wins. Every decision carries its ground, so
//! that "why was this allowed?" has an answer. Nothing here performs a call, remembers a decision or looks at
//! files: where a path leads comes with the call.

mod pattern;

pub use pattern::{Pattern, PatternError};

use crate::limits::FAMILY_CHARACTERS_MAX;
use serde_json::Value;
use shidi_protocol::{Call, Class, Ground, JsonMap, MethodSpec, Mode, Verdict};
use std::collections::BTreeMap;

/// The toolkit that reads files by an index.
const CODE: &str = "code";

/// The argument that holds what somebody else may do without asking, from now on.
const APPROVE: &str = "approve";

/// A remembered decision of the user for a family of calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub pattern: Pattern,
    pub verdict: Verdict,
}

/// The verdict on one call with its ground: the cell of the table, or the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    pub ground: Ground,
}

/// The permissions that the user has granted so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grants {
    pub mode: Mode,
    /// Remembered decisions, of all sessions.
    pub rules: Vec<Rule>,
    /// Families approved beforehand for this run alone. They hold in a tainted run too, since the user named
    /// them together with the task.
    pub approved: Vec<Pattern>,
    /// What may happen without asking is `approved`, and nothing that was allowed elsewhere: it was agreed to as a whole.
    pub own_list: bool,
}

impl Grants {
    /// Decides `call` of `class`; `tainted` tells that the run has read foreign words.
    ///
    /// Calls that delete trees or have no sandbox are asked about despite remembered rules. An "always" was given for
    /// another moment. An approval given with the task covers them by its exact words alone. A place outside the
    /// granted folders is covered by a remembered rule that names the place. A call that permits other calls is asked
    /// about whatever was allowed before: nobody knew then what it would permit.
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
            !self.own_list
                && !gives_permissions(call, class)
                && rule.verdict == Verdict::Allow
                && rule.pattern.allows(call, class)
                && (!is_outside(call, class) || rule.pattern.names_places(call))
                && rule.pattern.names_host(call, class)
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

    /// The paths that a walk of a permitted `call` leaves out. For such a path, rules deny a call or would ask about
    /// one. A rule that has already asked about this very call counts no more.
    #[must_use]
    pub fn withheld(&self, call: &Call, class: Class) -> WithheldPaths {
        let is_asked_already = self.beforehand(call, class).is_some();
        let rules = self.rules.iter().filter(|rule| match rule.verdict {
            Verdict::Allow => false,
            Verdict::Ask => !is_asked_already && !rule.pattern.restricts(call),
            Verdict::Deny => true,
        });
        // Whoever reads files by an index reads what `files` would read: what is kept back there is kept back here.
        let calls: Vec<Call> = std::iter::once(call.clone()).chain(as_of_files(call)).collect();
        let globs = rules.filter_map(|rule| {
            let mut restricted = calls
                .iter()
                .filter_map(|call| rule.pattern.restricted_paths(call));
            restricted.next()
        });
        WithheldPaths(globs.map(str::to_owned).collect())
    }

    /// The paths that an error of `call` does not name beside a missing one. They are those that rules keep back from the
    /// call, from a listing or from a reading. `None` where rules keep back listings as such.
    #[must_use]
    pub fn unnamed(&self, call: &Call) -> Option<WithheldPaths> {
        let listing = listing(call);
        let reading = of_files("read", call);
        let rules = || self.rules.iter().filter(|rule| rule.verdict != Verdict::Allow);
        if rules().any(|rule| rule.pattern.restricts(&listing)) {
            return None;
        }
        let calls = [call, &listing, &reading];
        let globs = rules().filter_map(|rule| {
            let mut restricted = calls
                .iter()
                .filter_map(|call| rule.pattern.restricted_paths(call));
            restricted.next().map(str::to_owned)
        });
        Some(WithheldPaths(globs.collect()))
    }

    /// The family to which its user can say "always" here. `None` too for a run with a list of its own. The next run
    /// would not keep such a permission.
    #[must_use]
    pub fn kind(&self, class: Class, call: &Call, method: Option<&MethodSpec>) -> Option<Pattern> {
        kind(class, call, method).filter(|_| !self.own_list && !gives_permissions(call, class))
    }

    fn beforehand(&self, call: &Call, class: Class) -> Option<&Pattern> {
        let mut covering = self.approved.iter().filter(|pattern| pattern.allows(call, class));
        let is_open = class == Class::ExecuteOpen && call.args.contains_key(pattern::COMMAND);
        covering
            .find(|pattern| (!is_open || pattern.names_command()) && pattern.names_host(call, class))
            .filter(|_| !gives_permissions(call, class))
    }
}

/// Whether a call permits other calls.
fn gives_permissions(call: &Call, class: Class) -> bool {
    class == Class::Money && call.args.contains_key(APPROVE)
}

/// Globs of the paths that the user's rules hold back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WithheldPaths(Vec<String>);

impl WithheldPaths {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the rules hold back `path`, which is absolute with all links followed.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        self.0.iter().any(|glob| pattern::covers(glob, path, true))
    }
}

/// The listing of some folder by the program of `call`.
#[must_use]
pub fn listing(call: &Call) -> Call {
    Call {
        args: JsonMap::new(),
        places: BTreeMap::new(),
        ..of_files("list", call)
    }
}

/// The calls of `files` that read what a call of the index of code reads.
fn as_of_files(call: &Call) -> Vec<Call> {
    match call.toolkit.as_str() {
        CODE => ["read", "grep"].map(|method| of_files(method, call)).into(),
        _ => Vec::new(),
    }
}

/// A call as one of `files`.
fn of_files(method: &str, call: &Call) -> Call {
    Call {
        toolkit: "files".to_owned(),
        method: method.to_owned(),
        ..call.clone()
    }
}

/// Whether a call reaches a file or folder outside the granted ones. A change by another program has a class of
/// its own, and names no place.
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

/// Whether a call of this class changes something or may carry away the run's reading. A remembered "allow" was
/// not given for a run that follows a stranger's words. An "allow" for the page in front was given for a task
/// that reads that page.
fn leads_out(class: Class) -> bool {
    class != Class::Page && (class.has_side_effect() || matches!(class, Class::NetworkRead | Class::Search))
}

/// The table of DESIGN §8; for a tainted run the stricter of both columns.
#[must_use]
pub fn table(class: Class, mode: Mode, tainted: bool) -> Verdict {
    use Verdict::{Allow, Ask};
    let (ask, risky, trust, taint) = match class {
        Class::Read => (Allow, Allow, Allow, Allow),
        Class::ReadOutside | Class::WriteOutside | Class::ExecuteOpen | Class::Connect | Class::Money => {
            (Ask, Ask, Ask, Ask)
        }
        // A download is a request and a file: the request is the stricter half.
        Class::NetworkRead | Class::Download | Class::Send => (Ask, Ask, Allow, Ask),
        Class::Search => (Ask, Allow, Allow, Ask),
        // The page in front is what the user asked about and what marked the run. Any other page is a place to
        // send to.
        Class::Page => (Ask, Ask, Allow, Allow),
        Class::Write => (Ask, Allow, Allow, Allow),
        // Later conversations believe whatever is remembered: a stranger's words must not enter memory unseen.
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

/// The pattern that "always" would remember for `call`: its tool and the arguments that matter, by where they
/// lead. A path stands for its folder; a hidden file, or a file at the top, stands for itself.
#[must_use]
pub fn family(call: &Call, method: Option<&MethodSpec>) -> Pattern {
    let matters = method.map(|method| method.matters.as_slice()).unwrap_or_default();
    let arguments = matters.iter().filter_map(|name| {
        let leads_to = call.places.get(name).map(String::as_str);
        let text = leads_to.or_else(|| call.args.get(name)?.as_str())?;
        let glob = match text.rsplit_once('/') {
            Some((folder, file))
                if pattern::is_path(name, call) && !folder.is_empty() && !file.starts_with('.') =>
            {
                format!("{}/*", pattern::escaped(folder))
            }
            Some(_) | None => pattern::escaped(text),
        };
        Some((name.clone(), glob))
    });
    Pattern::new(&call.toolkit, &call.method, arguments.collect())
}

/// The pattern of `call` alone; `None` where no argument says where it leads. An effect that stays is named by all
/// arguments: another text to the same person is another call.
#[must_use]
pub fn exact(call: &Call, class: Class, method: &MethodSpec) -> Option<Pattern> {
    let is_other = |name: &&String| has_lasting_effect(class) && !method.matters.contains(*name);
    let others = call.args.keys().filter(is_other);
    let arguments = method.matters.iter().chain(others).map(|name| {
        let leads_to = call.places.get(name).cloned();
        let text = leads_to.or_else(|| call.args.get(name).map(pattern::plain))?;
        Some((name.clone(), pattern::escaped(&text)))
    });
    let arguments: Option<_> = arguments.collect();
    let exact = Pattern::new(&call.toolkit, &call.method, arguments?);
    (!method.matters.is_empty()).then_some(exact)
}

/// Whether what a call of this class does can't be undone.
fn has_lasting_effect(class: Class) -> bool {
    class.has_side_effect() && !matches!(class, Class::Write | Class::Download)
}

/// The widest pattern that a user can approve beforehand for `call`: its tool. Where each call is asked about
/// by itself, the pattern names the command too.
#[must_use]
pub fn beforehand(call: &Call, class: Class) -> Pattern {
    let command = call.args.get(pattern::COMMAND).and_then(Value::as_str);
    let arguments = command
        .filter(|_| class == Class::ExecuteOpen)
        .map(|command| (pattern::COMMAND.to_owned(), pattern::escaped(command)));
    Pattern::new(&call.toolkit, &call.method, arguments.into_iter().collect())
}

/// The family to which a user can say "always". `None` for calls that are asked about every time. `None` also for a
/// pattern too long to be read before an "always".
fn kind(class: Class, call: &Call, method: Option<&MethodSpec>) -> Option<Pattern> {
    let kind = Some(family(call, method)).filter(|_| class != Class::ExecuteOpen)?;
    let text = kind.to_string();
    let is_readable = text.chars().count() <= FAMILY_CHARACTERS_MAX && !text.contains('\n');
    is_readable.then_some(kind)
}

#[cfg(test)]
mod tests;
