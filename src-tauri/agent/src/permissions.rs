//! Decides what a program may do without asking (F7.7, DESIGN §8).
//!
//! Decision = class × mode × tainted, then the user's rules; deny wins. Evaluated in memory, for one exact call,
//! and always with the reason, so that "why was this allowed?" has an answer. Nothing here performs or remembers.

mod pattern;

pub use pattern::{Pattern, PatternError};

use crate::limits::FAMILY_CHARACTERS_MAX;
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
    /// What deletes trees or has no walls is asked about whatever is remembered: an "always" was given for another moment.
    #[must_use]
    pub fn decide(&self, call: &Call, class: Class, tainted: bool) -> Decision {
        let matching = |verdict: Verdict| {
            let mut rules = self.rules.iter().filter(move |rule| rule.verdict == verdict);
            rules.find(|rule| rule.pattern.matches(call))
        };
        if let Some(rule) = matching(Verdict::Deny) {
            return by_rule(rule);
        }
        if let Some(pattern) = self.approved.iter().find(|pattern| pattern.matches(call)) {
            return Decision {
                verdict: Verdict::Allow,
                ground: Ground::Beforehand {
                    pattern: pattern.to_string(),
                },
            };
        }
        if let Some(rule) = matching(Verdict::Ask) {
            return by_rule(rule);
        }
        match matching(Verdict::Allow) {
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

/// The pattern that "always" would remember for `call`: its tool, with the arguments that matter. A path stands
/// for its folder.
#[must_use]
pub fn family(call: &Call, method: Option<&MethodSpec>) -> Pattern {
    let matters = method.map(|method| method.matters.as_slice()).unwrap_or_default();
    let arguments = matters.iter().filter_map(|name| {
        let text = call.args.get(name)?.as_str()?;
        let glob = match text.rsplit_once('/') {
            Some((folder, _)) if name == "path" => format!("{}/*", pattern::escaped(folder)),
            Some(_) | None => pattern::escaped(text),
        };
        Some((name.clone(), glob))
    });
    Pattern::new(&call.toolkit, &call.method, arguments.collect())
}

/// The same where a user can say "always" to it: not of what is asked about every time, nor where the pattern is a text
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
