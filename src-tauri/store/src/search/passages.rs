//! Looks up a long tool result: the passages that answer a question, by words alone (F4.7).
//!
//! A line is judged together with its surroundings. They are the lines that it is indented below, its neighbours, and
//! the rest of its record. So the name of the whole finds a record's field, a function's constant, and a log entry's
//! second line. Rare words count most, nearer ones more. Nothing here asks a model.

use crate::search::excerpt::Excerpt;
use crate::search::query;
use crate::search::words;
use std::collections::HashMap;

/// Longer lines are looked at in pieces of at most this many bytes: JSON and prose often come as one line.
const PIECE_BYTES: usize = 400;

/// The same for one member of a list of JSON that stands on one line. A record is best seen whole.
const MEMBER_BYTES: usize = 1_000;

/// Words of a question that are looked for; more are no question.
const TERMS_MOST: usize = 64;

/// Matches in one piece that are looked at. A line of a thousand equal words says no more than its beginning.
const MATCHES_MOST: usize = 512;

/// Lines before and after a line that count for it, and lines that one record may have.
const NEAR: usize = 8;
const RECORD_LINES: usize = 60;

/// The weight of a word that stands beside the line and not in it. One weight is for a word above the line, one for a
/// word in its record. A factor counts for each line farther.
const ABOVE: f64 = 0.95;
const IN_RECORD: f64 = 0.7;
const PER_LINE: f64 = 0.9;

/// Lines that a line is indented below.
const DEPTH_MOST: usize = 12;

/// A piece that holds the whole of what was asked for, word for word, comes before all others.
const WHOLE_BONUS: f64 = 1_000.0;

/// Lines that are shown before and after the best one of a passage, though nothing in them was asked for.
const LEAD: usize = 2;
const TRAIL: usize = 4;

/// Size of one passage and of all together. Narrow letters count 1 and wide ones 4, so about four units are a token.
/// One look-up then costs some 1,500 tokens of a prompt.
const PASSAGE_UNITS: usize = 1_200;
const ALL_UNITS: usize = 6_000;

/// The same for whoever chooses among the passages before they reach a prompt.
const WIDE_UNITS: usize = 24_000;

/// How much is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// An excerpt that a program reads at once.
    Narrow,
    /// Four times as much, to choose from.
    Wide,
}

impl Breadth {
    fn units(self) -> usize {
        match self {
            Self::Narrow => ALL_UNITS,
            Self::Wide => WIDE_UNITS,
        }
    }
}

/// Passages of `text` that answer `question`, best first, at most `limit`.
pub(crate) fn passages(text: &str, question: &str, limit: usize, breadth: Breadth) -> Vec<Excerpt> {
    let pieces = pieces(text);
    let wanted = wanted(question);
    let held = held(&pieces, &wanted);
    let weights = weights(&held, wanted.len());
    let whole = question.trim().to_lowercase();
    let mut scored: Vec<(f64, usize)> = Vec::new();
    for (place, terms) in held.iter().enumerate() {
        let is_whole = !whole.is_empty() && pieces[place].text.to_lowercase().contains(&whole);
        if *terms == 0 && !is_whole {
            continue;
        }
        let bonus = if is_whole { WHOLE_BONUS } else { 0.0 };
        scored.push((score(&pieces, &held, &weights, place) + bonus, place));
    }
    scored.sort_by(|(left, left_place), (right, right_place)| {
        right.total_cmp(left).then(left_place.cmp(right_place))
    });
    let mut chosen = Chosen {
        pieces: &pieces,
        held: &held,
        shown: vec![false; pieces.len()],
        left: breadth.units(),
        passages: Vec::new(),
    };
    for (_, place) in scored {
        if chosen.passages.len() >= limit || chosen.left == 0 {
            break;
        }
        chosen.show(place);
    }
    chosen.passages
}

/// A line, or a part of a very long one.
struct Piece<'a> {
    /// From 1.
    line: u32,
    text: &'a str,
    indent: usize,
    /// The nearest line before it that it is indented below.
    above: Option<usize>,
    /// Where the lines end that are indented below it.
    end: usize,
    is_blank: bool,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    // Lines that something may still be indented below, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let indent = text.len() - text.trim_start().len();
        let is_blank = indent == text.len();
        if !is_blank {
            while let Some(above) = open.pop_if(|above| pieces[*above].indent >= indent) {
                pieces[above].end = pieces.len();
            }
        }
        let above = open.last().copied();
        if !is_blank {
            open.push(pieces.len());
        }
        for part in parts(text) {
            pieces.push(Piece {
                line,
                text: part,
                indent,
                above,
                end: usize::MAX,
                is_blank,
            });
        }
    }
    let count = pieces.len();
    for piece in &mut pieces {
        piece.end = piece.end.min(count);
    }
    pieces
}

/// A line cut into parts where a record, a sentence or a word ends.
fn parts(line: &str) -> Vec<&str> {
    if line.len() > PIECE_BYTES && line.trim_start().starts_with(['[', '{']) {
        return members(line);
    }
    let mut parts = Vec::new();
    let mut rest = line;
    while rest.len() > PIECE_BYTES {
        let head = &rest[..rest.floor_char_boundary(PIECE_BYTES)];
        let ends = ["},", "。", ". ", "；", "; ", ", ", "，", " "];
        let end = ends.iter().find_map(|end| {
            let place = head.rfind(end)? + end.len();
            (place > PIECE_BYTES / 4).then_some(place)
        });
        let (part, after) = rest.split_at(end.unwrap_or(head.len()));
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// A line of JSON cut between the members of its outermost list or object. A long member is cut where its own members
/// end.
fn members(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut in_text, mut is_escaped) = (0, 0_usize, false, false);
    // The outermost end of a member within the part, and how deep it lies.
    let mut border: Option<(usize, usize)> = None;
    for (place, byte) in line.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            b',' if !in_text && depth <= 1 => {
                parts.push(&line[start..=place]);
                (start, border) = (place + 1, None);
            }
            b',' if !in_text && border.is_none_or(|(_, known)| depth <= known) => {
                border = Some((place + 1, depth));
            }
            _ => {}
        }
        if place.saturating_sub(start) >= MEMBER_BYTES && line.is_char_boundary(place) {
            let end = border.map_or(place, |(end, _)| end);
            parts.push(&line[start..end]);
            (start, border) = (end, None);
        }
    }
    parts.push(&line[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The words to look for: those that tell something, or all when none does.
fn wanted(question: &str) -> Vec<String> {
    let mut terms = query::parts(question);
    let telling = |term: &String| !words::is_stopword(term);
    if terms.iter().any(telling) {
        terms.retain(telling);
    }
    terms.truncate(TERMS_MOST);
    terms
}

/// Which words each piece holds, as bits.
fn held(pieces: &[Piece<'_>], wanted: &[String]) -> Vec<u64> {
    let numbers: HashMap<&str, usize> = wanted
        .iter()
        .enumerate()
        .map(|(number, term)| (term.as_str(), number))
        .collect();
    let bits = pieces.iter().map(|piece| {
        let (mut bits, mut matches) = (0, 0);
        words::cut(piece.text, |found| {
            if let Some(number) = numbers.get(found.text.as_str())
                && matches < MATCHES_MOST
            {
                matches += 1;
                bits |= 1 << number;
            }
        });
        bits
    });
    bits.collect()
}

/// The weight of each word: the rarer, the more.
fn weights(held: &[u64], count: usize) -> Vec<f64> {
    let pieces = held.len() as f64;
    let weight = |number: usize| {
        let holding = held.iter().filter(|bits| *bits & (1 << number) != 0).count() as f64;
        (1.0 + (pieces - holding + 0.5) / (holding + 0.5)).ln()
    };
    (0..count).map(weight).collect()
}

/// The score of a piece for the question, with its surroundings.
fn score(pieces: &[Piece<'_>], held: &[u64], weights: &[f64], place: usize) -> f64 {
    let mut best = vec![0.0_f64; weights.len()];
    let mut count = |other: usize, share: f64| {
        let mut bits = held[other];
        while bits != 0 {
            let number = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            best[number] = best[number].max(share);
        }
    };
    count(place, 1.0);
    for (step, other) in above(pieces, place).enumerate() {
        count(other, ABOVE.powi(i32::try_from(step).unwrap_or_default() + 1));
    }
    for (other, distance) in near(pieces, place) {
        count(other, IN_RECORD * PER_LINE.powi(distance));
    }
    best.iter()
        .zip(weights)
        .map(|(share, weight)| share * weight)
        .sum()
}

/// The lines that a piece is indented below, nearest first.
fn above<'a>(pieces: &'a [Piece<'_>], place: usize) -> impl Iterator<Item = usize> + 'a {
    std::iter::successors(pieces[place].above, |above| pieces[*above].above).take(DEPTH_MOST)
}

/// Pieces around one, with their distance. Pieces of the same record are all equally near. A few on either side follow,
/// up to an empty line.
fn near(pieces: &[Piece<'_>], place: usize) -> Vec<(usize, i32)> {
    let record = record(pieces, place);
    let mut near: Vec<(usize, i32)> = record
        .clone()
        .filter(|other| *other != place)
        .map(|other| (other, 1))
        .collect();
    let mut walk = |others: &mut dyn Iterator<Item = usize>| {
        let until_gap = others.take(NEAR).take_while(|other| !pieces[*other].is_blank);
        let outside = (1..).zip(until_gap).filter(|(_, other)| !record.contains(other));
        near.extend(outside.map(|(distance, other)| (other, distance)));
    };
    walk(&mut (0..place).rev());
    walk(&mut (place + 1..pieces.len()));
    near
}

/// The largest block that a piece stands in and that is no longer than a record.
fn record(pieces: &[Piece<'_>], place: usize) -> std::ops::Range<usize> {
    let mut root = place;
    while let Some(above) = pieces[root].above
        && pieces[above].end - above <= RECORD_LINES
    {
        root = above;
    }
    root..pieces[root].end.min(root + RECORD_LINES)
}

/// The pieces that were chosen so far.
struct Chosen<'a, 'text> {
    pieces: &'a [Piece<'text>],
    held: &'a [u64],
    shown: Vec<bool>,
    left: usize,
    passages: Vec<Excerpt>,
}

impl Chosen<'_, '_> {
    /// Shows a piece with what belongs to it, unless it was shown already.
    fn show(&mut self, place: usize) {
        if self.shown[place] {
            return;
        }
        let mut units = 0;
        let mut taken = Vec::new();
        for other in self.wished(place) {
            let size = units_of(self.pieces[other].text);
            if self.shown[other] || taken.contains(&other) {
                continue;
            }
            if (units + size > PASSAGE_UNITS && other != place) || units + size > self.left {
                continue;
            }
            units += size;
            taken.push(other);
        }
        if !taken.contains(&place) {
            self.left = 0; // the best that is left has no place any more
            return;
        }
        taken.sort_unstable();
        taken.iter().for_each(|other| self.shown[*other] = true);
        self.left -= units;
        self.passages.push(Excerpt {
            line: self.pieces[place].line,
            text: joined(self.pieces, &taken),
        });
    }

    /// The lines that belong to a piece, most important first.
    fn wished(&self, place: usize) -> Vec<usize> {
        let mut wished = vec![place];
        wished.extend(above(self.pieces, place).filter(|other| self.held[*other] != 0));
        let mut near = near(self.pieces, place);
        near.retain(|(other, _)| self.held[*other] & !self.held[place] != 0);
        near.sort_by_key(|(other, _)| other.abs_diff(place));
        wished.extend(near.into_iter().map(|(other, _)| other));
        // A record that is short is shown whole: what was asked for may go by another name in it.
        let record = record(self.pieces, place);
        let size: usize = record
            .clone()
            .map(|other| units_of(self.pieces[other].text))
            .sum();
        if size <= PASSAGE_UNITS {
            wished.extend(record);
        }
        let last = self.pieces.len().saturating_sub(1);
        wished.extend(place + 1..=(place + TRAIL).min(last));
        wished.extend((place.saturating_sub(LEAD)..place).rev());
        wished
    }
}

/// The pieces as one text; what is left out between them is marked.
fn joined(pieces: &[Piece<'_>], places: &[usize]) -> String {
    let mut text = String::new();
    let mut before: Option<usize> = None;
    for place in places {
        if let Some(before) = before {
            let (last, here) = (&pieces[before], &pieces[*place]);
            match (before + 1 == *place, last.line == here.line) {
                (true, true) => {}
                (true, false) => text.push('\n'),
                (false, _) => text.push_str("\n…\n"),
            }
        }
        text.push_str(pieces[*place].text);
        before = Some(*place);
    }
    text.trim_end().to_owned()
}

fn units_of(text: &str) -> usize {
    text.chars()
        .map(|character| if (character as u32) < 0x2000 { 1 } else { 4 })
        .sum::<usize>()
        + 1
}
