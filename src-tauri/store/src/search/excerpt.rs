//! Shows where a text matches: the stretch around the match for a hit.
//!
//! This file looks at text only; what is worth asking for was decided by `query.rs`.

use crate::search::words;
use std::collections::{HashMap, HashSet};

/// Characters of an excerpt.
const EXCERPT_CHARACTERS: usize = 160;

/// Of these, characters before the first match.
const LEAD_CHARACTERS: usize = 40;

/// Matches that are weighed to find the stretch with most of them.
const MATCHES_MOST: usize = 512;

/// A passage of a tool's result that answers a look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line that fits best, from 1.
    pub line: u32,
    /// Lines, or pieces of very long ones. An `…` on a line of its own stands for text that is left out between
    /// them.
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

/// The byte `characters` before `place`.
fn back(text: &str, place: usize, characters: usize) -> usize {
    text[..place]
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(place, |(start, _)| start)
}
