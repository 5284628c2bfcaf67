//! Agents of OpenCode: called by their file's name, with tools that are switched and permissions by tool.
//!
//! Permissions narrow here, and never allow: what its author lets run without a question is its user's to say.

use super::Mapped;
use super::fields::{below, text, unmapped};
use super::tools::{self, ALL};
use crate::problem::{Fault, Reason};
use shidi_protocol::{Mode, Verdict};
use shidi_yaml::{Data, Entry, Node, Place};
use std::path::Path;

const KNOWN: [&str; 6] = [
    "name",
    "description",
    "temperature",
    "top_p",
    "tools",
    "permission",
];
const MODES: [&str; 3] = ["primary", "subagent", "all"];
/// What always asks here, whatever a file says.
const ALWAYS_ASKED: &str = "external_directory";

/// Whether front matter is that of OpenCode.
pub fn is_one(node: &Node) -> bool {
    let is_switched = |tools: &Node| matches!(tools.data, Data::Map(_));
    let is_unnamed = node.get("name").is_none() && node.get("description").is_some();
    is_unnamed
        || MODES.contains(&text(node, "mode").as_str())
        || node.get("permission").is_some()
        || node.get("tools").is_some_and(is_switched)
}

/// An agent, with its prompt and the place where that begins.
///
/// # Errors
/// A name without a letter.
pub fn mapped(node: &Node, (start, body): (&Place, &str)) -> Result<Mapped, Fault> {
    let mut mapped = Mapped::agent(node, &name(node))?;
    mapped.prompt(start, body);
    let tools = node.get("tools").map(switched).unwrap_or_default();
    let permission = node.get("permission").map(|permission| {
        let place = below(node, "permission");
        permitted(permission, &place, &mut mapped)
    });
    let rules: Vec<Rule> = tools.into_iter().chain(permission.unwrap_or_default()).collect();
    bound(&mut mapped, &rules);
    for key in ["tools", "permission"] {
        if let Some(value) = node.get(key) {
            mapped.other.insert(key.to_owned(), value.json());
        }
    }
    mapped.keep_others(node, &KNOWN, |key| match key {
        "model" => Reason::ModelOfUser,
        "mcp" | "skills" => Reason::SetUpApart,
        _ => Reason::KeptOnly,
    });
    Ok(mapped)
}

fn name(node: &Node) -> String {
    let written = text(node, "name");
    if !written.is_empty() {
        return written;
    }
    let file: &str = &node.place.file;
    let stem = Path::new(file).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// What is decided of a tool.
struct Rule {
    place: Place,
    tool: String,
    verdict: Verdict,
    /// Whether it lets calls through, and does not only offer the tool.
    is_grant: bool,
}

/// Tools that are switched on or off.
fn switched(tools: &Node) -> Vec<Rule> {
    let rule = |entry: &Entry| {
        let Data::Flag(is_on) = entry.value.data else {
            return None;
        };
        Some(Rule {
            place: entry.place.clone(),
            tool: entry.key.clone(),
            verdict: if is_on { Verdict::Allow } else { Verdict::Deny },
            is_grant: false,
        })
    };
    tools.entries().iter().filter_map(rule).collect()
}

/// Permissions by tool, or one for all.
fn permitted(permission: &Node, place: &Place, mapped: &mut Mapped) -> Vec<Rule> {
    let rule = |place: &Place, tool: &str, verdict: Verdict| Rule {
        place: place.clone(),
        tool: tool.to_owned(),
        verdict,
        is_grant: true,
    };
    if let Some(verdict) = verdict(permission) {
        return vec![rule(place, ALL, verdict)];
    }
    let mut rules = Vec::new();
    for entry in permission.entries() {
        let verdict = verdict(&entry.value).or_else(|| by_arguments(entry, mapped));
        match verdict {
            Some(verdict) => rules.push(rule(&entry.place, &entry.key, verdict)),
            None => mapped
                .left_out
                .push(unmapped(&entry.place, &entry.key, Reason::KeptOnly)),
        }
    }
    rules
}

fn verdict(node: &Node) -> Option<Verdict> {
    match node.text()? {
        "allow" => Some(Verdict::Allow),
        "ask" => Some(Verdict::Ask),
        "deny" => Some(Verdict::Deny),
        _ => None,
    }
}

/// The verdict on a tool that differs by command or path. Exceptions have no counterpart: it asks, and that is told.
fn by_arguments(entry: &Entry, mapped: &mut Mapped) -> Option<Verdict> {
    let verdicts: Vec<(&str, Verdict)> = entry
        .value
        .entries()
        .iter()
        .filter_map(|inner| Some((inner.key.as_str(), verdict(&inner.value)?)))
        .collect();
    match verdicts[..] {
        [] => None,
        [(ALL, verdict)] => Some(verdict),
        _ if verdicts.iter().all(|(_, verdict)| *verdict == Verdict::Allow) => Some(Verdict::Allow),
        _ => {
            let patterns: Vec<&str> = verdicts.iter().map(|(pattern, _)| *pattern).collect();
            let what = format!("{}: {}", entry.key, patterns.join(", "));
            mapped
                .left_out
                .push(unmapped(&entry.place, what, Reason::FinerRules));
            Some(Verdict::Ask)
        }
    }
}

/// Writes the rules as bounds; of several on one tool the last holds, as it does there.
fn bound(mapped: &mut Mapped, rules: &[Rule]) {
    let last = |tool: &str| rules.iter().rev().find(|rule| rule.tool == tool);
    let of_all = last(ALL).map(|rule| rule.verdict);
    let is_last = |at: usize, rule: &Rule| rules[at + 1..].iter().all(|later| later.tool != rule.tool);
    let mut offered: Vec<String> = Vec::new();
    for (_, rule) in rules.iter().enumerate().filter(|(at, rule)| is_last(*at, rule)) {
        if rule.is_grant && rule.verdict == Verdict::Allow && is_more_than_here(&rule.tool) {
            mapped
                .left_out
                .push(unmapped(&rule.place, &rule.tool, Reason::YoursToAllow));
        }
        if rule.tool == ALL {
            continue;
        }
        if rule.verdict != Verdict::Deny {
            let families = tools::families(&tools::plain(&rule.tool)).into_iter();
            let tools = families.map(|family| family.trim_end_matches(".*").to_owned());
            offered.extend(tools);
        }
        match rule.verdict {
            Verdict::Allow => {}
            Verdict::Ask if rule.tool == ALWAYS_ASKED => {}
            Verdict::Ask => mapped.ask(&rule.place, &rule.tool),
            Verdict::Deny => mapped.deny(&rule.place, &rule.tool),
        }
    }
    match of_all {
        Some(Verdict::Deny) => {
            offered.sort();
            offered.dedup();
            mapped.spec.toolkits = Some(offered);
        }
        Some(Verdict::Ask) => mapped.spec.permissions.mode = Some(Mode::Ask),
        Some(Verdict::Allow) | None => {}
    }
}

/// Whether letting a tool through would be more than anybody has here.
fn is_more_than_here(tool: &str) -> bool {
    tool == ALL || tool == ALWAYS_ASKED || tools::is_asked_about(&tools::plain(tool))
}
