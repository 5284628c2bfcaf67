//! `code.find`: definitions by their exact name, then by a name that differs in capitals. Parts of the name and words
//! of the description come next, with definitions near by meaning.

use super::names::{Named, folded, parts_of};
use super::{Answer, counted, defined};
use crate::index::{Seen, View};
use crate::limits::ALIKE_SHOWN;
use shidi_reader::outline::{Kind, Symbol};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Characters of a description beside a definition.
const DOC_CHARACTERS: usize = 90;

type Found<'a> = (&'a Seen, &'a Symbol);

pub(super) fn find(view: &View, asked: &str, limit: usize, near: Option<&[usize]>) -> Answer {
    let named = Named::of(asked);
    let mut exact: Vec<Found<'_>> = view
        .symbols()
        .filter(|(_, symbol)| named.is_exactly(symbol))
        .collect();
    if exact.is_empty() {
        exact = view
            .symbols()
            .filter(|(_, symbol)| named.is_nearly(symbol))
            .collect();
    }
    if !exact.is_empty() {
        return exactly(view, &named, exact, limit);
    }
    let scored = by_words(view, &named);
    let mut text = String::new();
    let mut told: BTreeSet<(&str, u32)> = BTreeSet::new();
    let best: Vec<&Found<'_>> = scored.iter().map(|(_, found)| found).take(limit).collect();
    if !best.is_empty() {
        text.push_str("nothing has that very name; by its words:\n");
    }
    for (file, symbol) in best {
        told.insert((&file.path, symbol.line));
        text.push_str(&described(file, symbol));
    }
    let near = near.unwrap_or_default();
    let by_meaning = by_meaning(view, near, &scored);
    let new: Vec<&Found<'_>> = by_meaning
        .iter()
        .filter(|(file, symbol)| !told.contains(&(file.path.as_str(), symbol.line)))
        .collect();
    if !new.is_empty() {
        text.push_str("by meaning:\n");
        new.iter()
            .for_each(|(file, symbol)| text.push_str(&described(file, symbol)));
    }
    let count = told.len() + new.len();
    if count == 0 {
        text.push_str(&format!(
            "nothing found for '{asked}'; files.grep searches all text\n"
        ));
    }
    Answer {
        text,
        summary: counted(count, "definition", "definitions"),
    }
}

/// Definitions of that very name, and some other names that hold it.
fn exactly(view: &View, named: &Named, mut exact: Vec<Found<'_>>, limit: usize) -> Answer {
    exact.sort_by_key(|(file, symbol)| {
        (
            file.is_test || symbol.is_in_tests(),
            is_declared_only(symbol),
            file.path.clone(),
            symbol.line,
        )
    });
    let mut text = String::new();
    for (file, symbol) in exact.iter().take(limit) {
        text.push_str(&described(file, symbol));
    }
    if exact.len() > limit {
        text.push_str(&format!(
            "and {} more of that name: name its type, or a path\n",
            exact.len() - limit
        ));
    }
    let whole = folded(&named.name);
    let holds = |symbol: &Symbol| {
        let other = folded(&symbol.name);
        whole.len() >= 4 && other != whole && other.contains(&whole)
    };
    let alike: BTreeSet<&str> = view
        .symbols()
        .filter(|(file, symbol)| {
            !(file.is_test || symbol.is_in_tests() || symbol.kind == Kind::Variant) && holds(symbol)
        })
        .map(|(_, symbol)| symbol.name.as_str())
        .collect();
    if !alike.is_empty() {
        let shown: Vec<&str> = alike.iter().copied().take(ALIKE_SHOWN).collect();
        text.push_str(&format!("names that hold it: {}\n", shown.join(", ")));
    }
    Answer {
        text,
        summary: counted(exact.len(), "definition", "definitions"),
    }
}

/// Whether a definition of C is only announced.
fn is_declared_only(symbol: &Symbol) -> bool {
    symbol.kind.is_called() && symbol.line == symbol.end && symbol.doc.is_empty()
}

fn described(file: &Seen, symbol: &Symbol) -> String {
    let line = defined(file, symbol);
    match symbol.doc.is_empty() {
        true => format!("{line}\n"),
        false => {
            let doc: String = symbol.doc.chars().take(DOC_CHARACTERS).collect();
            format!("{line} — {doc}\n")
        }
    }
}

/// Definitions by the words of what is asked, best first. Rare words count more; those of a name more than of a description.
fn by_words<'a>(view: &'a View, named: &Named) -> Vec<(f64, Found<'a>)> {
    if named.words.is_empty() {
        return Vec::new();
    }
    let mut hits: Vec<(Vec<f64>, Found<'a>)> = Vec::new();
    let mut frequent: HashMap<usize, usize> = HashMap::new();
    let (mut all, mut path_words) = (0_usize, ("", Vec::new()));
    for (file, symbol) in view.symbols() {
        all += 1;
        if path_words.0 != file.path {
            path_words = (file.path.as_str(), parts_of(&file.path));
        }
        let (name, doc) = (parts_of(&symbol.name), parts_of(&symbol.doc));
        let container = parts_of(&symbol.container);
        let weigh = |word: &String| {
            let mut weight = 0.0;
            weight += if name.contains(word) { 3.0 } else { 0.0 };
            weight += if container.contains(word) { 1.2 } else { 0.0 };
            weight += if path_words.1.contains(word) { 0.8 } else { 0.0 };
            weight + if doc.contains(word) { 1.0 } else { 0.0 }
        };
        let weights: Vec<f64> = named.words.iter().map(weigh).collect();
        if weights.iter().all(|weight| *weight == 0.0) {
            continue;
        }
        for (place, weight) in weights.iter().enumerate() {
            *frequent.entry(place).or_default() += usize::from(*weight > 0.0);
        }
        hits.push((weights, (file, symbol)));
    }
    let rarity: Vec<f64> = (0..named.words.len())
        .map(|place| rarity(all, frequent.get(&place).copied().unwrap_or_default()))
        .collect();
    let mut scored: Vec<(f64, Found<'a>)> = hits
        .into_iter()
        .map(|(weights, found)| (score(&weights, &rarity, found), found))
        .collect();
    scored.sort_by(|one, other| {
        let by_place = |found: &Found<'_>| (found.0.path.clone(), found.1.line);
        other
            .0
            .total_cmp(&one.0)
            .then_with(|| by_place(&one.1).cmp(&by_place(&other.1)))
    });
    scored.truncate(400);
    scored
}

#[expect(clippy::cast_precision_loss, reason = "numbers of definitions are small")]
fn rarity(all: usize, with: usize) -> f64 {
    (1.0 + all as f64 / (1.0 + with as f64)).ln()
}

fn score(weights: &[f64], rarity: &[f64], (file, symbol): Found<'_>) -> f64 {
    let sum: f64 = weights
        .iter()
        .zip(rarity)
        .map(|(weight, rarity)| weight * rarity)
        .sum();
    let covered = weights.iter().filter(|weight| **weight > 0.0).count();
    let share = match u32::try_from(covered).ok().zip(u32::try_from(weights.len()).ok()) {
        Some((covered, all)) if all > 0 => f64::from(covered) / f64::from(all),
        _ => 0.0,
    };
    let of_kind = match symbol.kind {
        Kind::Variant | Kind::Constant | Kind::Property | Kind::Module => 0.6,
        _ => 1.0,
    };
    sum * (0.4 + share * share)
        * of_kind
        * if file.is_test || symbol.is_in_tests() {
            0.4
        } else {
            1.0
        }
}

/// Two definitions of each file that is near by meaning: those with the best words, else the first ones.
fn by_meaning<'a>(view: &'a View, near: &[usize], scored: &[(f64, Found<'a>)]) -> Vec<Found<'a>> {
    let files = near.iter().filter_map(|place| view.files.get(*place));
    let of_file = |file: &'a Seen| {
        let mut wanted: Vec<Found<'a>> = scored
            .iter()
            .map(|(_, found)| *found)
            .filter(|(other, _)| other.path == file.path)
            .take(2)
            .collect();
        let mut others: Vec<&Symbol> = file
            .outline()
            .iter()
            .flat_map(|outline| &outline.symbols)
            .filter(|symbol| {
                symbol.kind.is_findable()
                    && !matches!(symbol.kind, Kind::Variant | Kind::Constant | Kind::Module)
            })
            .collect();
        others.sort_by_key(|symbol| {
            (
                symbol.depth,
                symbol.doc.is_empty(),
                Reverse(symbol.end - symbol.line.min(symbol.end)),
            )
        });
        let is_new = |symbol: &&Symbol| !wanted.iter().any(|(_, known)| known.line == symbol.line);
        let more: Vec<Found<'a>> = others
            .into_iter()
            .filter(is_new)
            .map(|symbol| (file, symbol))
            .collect();
        wanted.extend(more);
        wanted.truncate(2);
        wanted
    };
    files.flat_map(of_file).collect()
}
