//! Shows where a text matches: the stretch around the match for a hit, the best lines of a long tool result.
//!
//! It looks at text only; what is worth asking for was decided by `query.rs`.

use crate::search::query;
use crate::search::words;
use std::collections::{HashMap, HashSet};

/// Characters of an excerpt.
const EXCERPT_CHARACTERS: usize = 160;

/// Of these, characters before the first match.
const LEAD_CHARACTERS: usize = 40;

/// Matches that are weighed to find the stretch with most of them.
const MATCHES_MOST: usize = 512;

/// Longer lines are looked at in pieces of this many bytes: JSON often comes as one line.
const PIECE_BYTES: usize = 400;

/// A line that holds the whole of what was asked for, word for word, comes before all others.
const WHOLE_BONUS: f64 = 1_000.0;

/// A line of a tool's result that answers a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// From 1.
    pub line: u32,
    /// The line, or the piece of a very long one.
    pub text: String,
}

/// The stretch of `text` that holds most of the different `terms`; its beginning when it holds none.
pub(crate) fn around(text: &str, terms: &[String]) -> String {
    let matches = places(text, &numbered(terms));
    let mut best = (0, 0);
    for (from, (start, _)) in matches.iter().enumerate() {
        let stretch = matches[from..]
            .iter()
            .take_while(|(place, _)| place - start < EXCERPT_CHARACTERS);
        let different = stretch.map(|(_, term)| *term).collect::<HashSet<_>>().len();
        if different > best.0 {
            best = (different, *start);
        }
    }
    let begin = back(text, best.1, LEAD_CHARACTERS);
    let end = text[begin..]
        .char_indices()
        .nth(EXCERPT_CHARACTERS)
        .map_or(text.len(), |(end, _)| begin + end);
    let middle = text[begin..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let before = if begin > 0 { "…" } else { "" };
    let after = if end < text.len() { "…" } else { "" };
    format!("{before}{middle}{after}")
}

/// The lines of `text` that hold most of `needle`'s words, rare ones counting more, best first.
pub(crate) fn lines(text: &str, needle: &str, limit: usize) -> Vec<Excerpt> {
    let wanted = query::terms(needle);
    let whole = needle.trim().to_lowercase();
    let pieces: Vec<(u32, &str)> = pieces(text).collect();
    let numbers = numbered(&wanted);
    let held = pieces.iter().map(|(_, piece)| {
        places(piece, &numbers)
            .into_iter()
            .map(|(_, term)| term)
            .collect()
    });
    let held: Vec<HashSet<usize>> = held.collect();
    let mut frequency: HashMap<usize, f64> = HashMap::new();
    held.iter()
        .flatten()
        .for_each(|term| *frequency.entry(*term).or_default() += 1.0);
    let count = pieces.len() as f64;
    let weight = |term: &usize| (1.0 + count / frequency.get(term).copied().unwrap_or(1.0)).ln();
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (place, (_, piece)) in pieces.iter().enumerate() {
        let mut score: f64 = held[place].iter().map(weight).sum();
        if !whole.is_empty() && piece.to_lowercase().contains(&whole) {
            score += WHOLE_BONUS;
        }
        if score > 0.0 {
            scored.push((score, place));
        }
    }
    scored.sort_by(|(left, left_place), (right, right_place)| {
        right.total_cmp(left).then(left_place.cmp(right_place))
    });
    let best = scored.into_iter().take(limit);
    best.map(|(_, place)| Excerpt {
        line: pieces[place].0,
        text: pieces[place].1.to_owned(),
    })
    .collect()
}

/// Places of the terms in the text: bytes from 0, with the number of the term.
fn places(text: &str, numbers: &HashMap<&str, usize>) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    words::cut(text, |found| {
        if let Some(number) = numbers.get(found.text.as_str())
            && places.len() < MATCHES_MOST
        {
            places.push((found.start, *number));
        }
    });
    places
}

fn numbered(terms: &[String]) -> HashMap<&str, usize> {
    terms
        .iter()
        .enumerate()
        .map(|(number, term)| (term.as_str(), number))
        .collect()
}

/// Lines with their numbers; long ones in several pieces.
fn pieces(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines()).flat_map(|(number, line)| {
        let mut rest = line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut end = rest.len().min(PIECE_BYTES);
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            if end < rest.len() {
                let border = rest[..end].rfind([' ', ',']);
                end = border
                    .filter(|border| *border > PIECE_BYTES / 2)
                    .map_or(end, |border| border + 1);
            }
            let (piece, after) = rest.split_at(end);
            rest = after;
            Some((number, piece))
        })
    })
}

/// The byte `characters` before `place`.
fn back(text: &str, place: usize, characters: usize) -> usize {
    text[..place]
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(place, |(start, _)| start)
}
