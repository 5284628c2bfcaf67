//! Decides what a program may do without asking (F7.7, DESIGN §8).
//!
//! Decision = class × mode × tainted, then the user's rules; deny wins. Evaluated in memory, for one exact call,
//! and always with the reason, so that "why was this allowed?" has an answer. Nothing here performs or remembers.

mod pattern;

pub use pattern::{Pattern, PatternError};

use shidi_protocol::{Call, Class, MethodSpec, Mode, Verdict};

/// A remembered decision of the user for a family of calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub pattern: Pattern,
    pub verdict: Verdict,
}

/// What was decided of one call, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    /// For the trace: the cell of the table or the rule that decided.
    pub reason: String,
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
    #[must_use]
    pub fn decide(&self, call: &Call, class: Class, tainted: bool) -> Decision {
        let matching = || self.rules.iter().filter(|rule| rule.pattern.matches(call));
        if let Some(rule) = matching().find(|rule| rule.verdict == Verdict::Deny) {
            return decision(Verdict::Deny, format!("rule: deny {}", rule.pattern));
        }
        if let Some(pattern) = self.approved.iter().find(|pattern| pattern.matches(call)) {
            return decision(Verdict::Allow, format!("approved beforehand: {pattern}"));
        }
        if let Some(rule) = matching().find(|rule| rule.verdict == Verdict::Ask) {
            return decision(Verdict::Ask, format!("rule: ask {}", rule.pattern));
        }
        let from_table = table(class, self.mode, tainted);
        let may_allow = !tainted || !class.has_side_effect();
        match matching().find(|rule| rule.verdict == Verdict::Allow) {
            Some(rule) if may_allow => decision(Verdict::Allow, format!("rule: allow {}", rule.pattern)),
            Some(_) | None => {
                let taint = if tainted {
                    ", the run has read outside content"
                } else {
                    ""
                };
                decision(
                    from_table,
                    format!("table: {class:?} in mode {:?}{taint}", self.mode),
                )
            }
        }
    }
}

/// The table of DESIGN §8; for a tainted run the stricter of both columns.
#[must_use]
pub fn table(class: Class, mode: Mode, tainted: bool) -> Verdict {
    use Verdict::{Allow, Ask};
    let (ask, risky, trust, taint) = match class {
        Class::Read => (Allow, Allow, Allow, Allow),
        Class::ReadOutside | Class::WriteOutside | Class::ExecuteOpen | Class::Money => (Ask, Ask, Ask, Ask),
        Class::NetworkRead | Class::Send | Class::Page => (Ask, Ask, Allow, Ask),
        Class::Write => (Ask, Allow, Allow, Allow),
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

fn decision(verdict: Verdict, reason: String) -> Decision {
    Decision { verdict, reason }
}

#[cfg(test)]
mod tests;
