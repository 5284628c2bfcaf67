//! `code.callers`: the place where a name is defined, and its callers. Calls are grouped by file and by the definition
//! around each call.

use super::names::{Named, folded};
use super::{Answer, counted, defined};
use crate::index::{Seen, View};
use crate::limits::{CALL_LINES_SHOWN, CALLERS_LINES_MAX, DEFINITIONS_SHOWN};
use shidi_reader::outline::{Kind, Mention, NONE, Outline, Reference, Symbol};
use std::collections::BTreeMap;

/// Lines of tests that are named one by one.
const TEST_LINES_MAX: usize = 6;

/// Files that are named because something is brought in at their top.
const IMPORTS_SHOWN: usize = 3;

/// The calls that are found, by where they stand.
#[derive(Default)]
struct Calls<'a> {
    /// By file and caller, with the lines.
    own: BTreeMap<(&'a str, String), Vec<u32>>,
    of_tests: BTreeMap<(&'a str, String), Vec<u32>>,
    mentions: BTreeMap<(&'a str, String), Vec<u32>>,
    imports: BTreeMap<&'a str, u32>,
    /// Calls of that name on something else, or on something that is not known.
    elsewhere: usize,
}

pub(super) fn callers(view: &View, asked: &str) -> Answer {
    let named = Named::of(asked);
    let mut found: Vec<(&Seen, &Symbol)> = view
        .symbols()
        .filter(|(_, symbol)| named.is_exactly(symbol))
        .collect();
    found.sort_by_key(|(file, symbol)| {
        (
            file.is_test || symbol.is_in_tests(),
            file.path.clone(),
            symbol.line,
        )
    });
    let calls = gathered(view, &named, &found);
    let mut text = String::new();
    for (file, symbol) in found.iter().take(DEFINITIONS_SHOWN) {
        text.push_str(&format!("defined: {}\n", defined(file, symbol)));
    }
    if found.len() > DEFINITIONS_SHOWN {
        text.push_str(&format!(
            "and {} more definitions of that name\n",
            found.len() - DEFINITIONS_SHOWN
        ));
    }
    if found.is_empty() {
        text.push_str(&format!("'{asked}' is not defined in these files\n"));
    }
    let number: usize = calls.own.values().map(Vec::len).sum();
    let what = match found.first() {
        Some((_, symbol)) if !symbol.kind.is_called() => "used",
        _ => "called",
    };
    match number {
        0 => text.push_str(&format!("{what} nowhere outside of tests\n")),
        _ => text.push_str(&format!("{what} {} from:\n", counted(number, "time", "times"))),
    }
    listed(&mut text, &calls.own, CALLERS_LINES_MAX);
    let in_tests: usize = calls.of_tests.values().map(Vec::len).sum();
    rest(&mut text, &calls, &named);
    Answer {
        text,
        summary: counted(number + in_tests, "call", "calls"),
    }
}

/// What is told after the callers: tests, mentions, files that bring the name in, and what was left out.
fn rest(text: &mut String, calls: &Calls<'_>, named: &Named) {
    let in_tests: usize = calls.of_tests.values().map(Vec::len).sum();
    if in_tests > 0 {
        text.push_str(&format!("in tests {}:\n", counted(in_tests, "time", "times")));
        listed(text, &calls.of_tests, TEST_LINES_MAX);
    }
    if !calls.mentions.is_empty() {
        text.push_str("named there without a call:\n");
        listed(text, &calls.mentions, TEST_LINES_MAX);
    }
    let tops: Vec<String> = calls
        .imports
        .iter()
        .map(|(file, line)| format!("{file}:{line}"))
        .collect();
    match tops.len() {
        0 => {}
        1..=IMPORTS_SHOWN => text.push_str(&format!("named at the top of {}\n", tops.join(", "))),
        number => text.push_str(&format!("named at the top of {number} files\n")),
    }
    if calls.elsewhere > 0 {
        text.push_str(&format!(
            "not shown: {} of '{}' on other or unknown types; code.callers('{}') shows them\n",
            counted(calls.elsewhere, "call", "calls"),
            named.name,
            named.name
        ));
    }
}

fn gathered<'a>(view: &'a View, named: &Named, found: &[(&Seen, &Symbol)]) -> Calls<'a> {
    let is_type = found.first().is_some_and(|(_, symbol)| !symbol.kind.is_called());
    let is_plain = found.iter().any(|(_, symbol)| symbol.kind != Kind::Method);
    // Where one type alone has a method of that name, whatever it is called on is of that type.
    let named_alike = || view.symbols().filter(|(_, symbol)| symbol.name == named.name);
    let is_only = named.container.is_none() || named_alike().count() == found.len();
    let mut calls = Calls::default();
    for file in &view.files {
        let Some(outline) = file.outline() else { continue };
        let Some(place) = outline.place_of(&named.name) else {
            continue;
        };
        for reference in outline
            .references
            .iter()
            .filter(|reference| reference.name == place)
        {
            if !is_only && !fits(outline, reference, named) {
                calls.elsewhere += usize::from(reference.mention == Mention::Call);
                continue;
            }
            let is_call = is_type || reference.mention == Mention::Call;
            let is_top = reference.within == NONE && reference.mention != Mention::Call;
            if is_top {
                calls.imports.entry(file.path.as_str()).or_insert(reference.line);
                continue;
            }
            // A variable of a method's name is no mention of the method.
            if !is_call && !is_plain && reference.on == NONE {
                continue;
            }
            let around = around(outline, reference.within);
            let is_test = file.is_test || outline.symbol(reference.within).is_some_and(Symbol::is_in_tests);
            let kept = match (is_call, is_test) {
                (_, true) => &mut calls.of_tests,
                (true, false) => &mut calls.own,
                (false, false) => &mut calls.mentions,
            };
            kept.entry((file.path.as_str(), around))
                .or_default()
                .push(reference.line);
        }
    }
    for place in calls.own.keys().cloned().collect::<Vec<_>>() {
        calls.mentions.remove(&place);
    }
    calls
}

/// Whether a call may be one of the type that is asked about. The name before the call's dot tells, or the type around
/// the call.
fn fits(outline: &Outline, reference: &Reference, named: &Named) -> bool {
    let Some(container) = named.container.as_deref().map(folded) else {
        return true;
    };
    let within = outline.symbol(reference.within);
    let around = within.map(|symbol| folded(&symbol.container)).unwrap_or_default();
    let on = outline.name(reference.on);
    if reference.on == NONE || ["self", "this", "cls", "Self", "super"].contains(&on) {
        return around == container;
    }
    let on = folded(on);
    on == container || (on.len() >= 3 && (container.contains(&on) || on.contains(&container)))
}

/// The name of the definition around a call.
fn around(outline: &Outline, within: u32) -> String {
    match outline.symbol(within) {
        None => "(top)".to_owned(),
        Some(symbol) if symbol.kind == Kind::Implementation => format!("({})", symbol.name),
        Some(symbol) => symbol.whole_name(),
    }
}

/// Callers by file, each with its lines, and a sum of what is more than `most` lines.
fn listed(text: &mut String, calls: &BTreeMap<(&str, String), Vec<u32>>, most: usize) {
    let mut last = "";
    for ((file, around), lines) in calls.iter().take(most) {
        if *file != last {
            text.push_str(&format!("{file}\n"));
            last = file;
        }
        let mut lines = lines.clone();
        lines.sort_unstable();
        lines.dedup();
        let shown: Vec<String> = lines.iter().take(CALL_LINES_SHOWN).map(u32::to_string).collect();
        let more = if lines.len() > shown.len() { ",…" } else { "" };
        text.push_str(&format!("  {around} :{}{more}\n", shown.join(",")));
    }
    if calls.len() > most {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for ((file, _), lines) in calls.iter().skip(most) {
            *left.entry(file).or_default() += lines.len();
        }
        let files: Vec<String> = left
            .iter()
            .take(10)
            .map(|(file, number)| format!("{file} ({number})"))
            .collect();
        let more = if left.len() > files.len() { ", …" } else { "" };
        text.push_str(&format!("  and in {}{more}\n", files.join(", ")));
    }
}
