//! The passages of a text that match a question, best first: no index, one reading, words and Chinese pairs.

use crate::limits::{PASSAGE_CHARS, PASSAGE_WORDS_MAX, PASSAGES_LOOKED_AT_MAX};
use crate::text::is_han;

/// Some consecutive lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passage {
    /// From 1.
    pub(crate) line: u64,
    pub(crate) text: String,
    score: f64,
    /// How often each word of the question occurs.
    counts: Vec<u16>,
}

impl Passage {
    /// The match of the passage with the question; comparable within one kind of text only.
    pub(crate) fn score(&self) -> f64 {
        self.score
    }
}

/// Lines that begin a passage of their own.
fn begins_anew(line: &str) -> bool {
    let mark = line.starts_with("[p. ") || line.starts_with("[slide ") || line.starts_with("[sheet ");
    mark || line.starts_with('#')
}

/// The searched words of a question: Latin words, and pairs of neighbouring Chinese characters.
pub(crate) fn words_of(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    let mut words: Vec<String> = Vec::new();
    let mut add = |word: String| {
        if !words.contains(&word) && words.len() < PASSAGE_WORDS_MAX {
            words.push(word);
        }
    };
    for run in lower.split(|character: char| !character.is_alphanumeric()) {
        let characters: Vec<char> = run.chars().collect();
        let han: Vec<bool> = characters.iter().map(|character| is_han(*character)).collect();
        let mut latin = String::new();
        for (index, character) in characters.iter().enumerate() {
            if !han.get(index).copied().unwrap_or(false) {
                latin.push(*character);
                continue;
            }
            if !latin.is_empty() {
                add(std::mem::take(&mut latin));
            }
            let next = characters.get(index + 1).filter(|next| is_han(**next));
            let before = index > 0 && han.get(index - 1).copied().unwrap_or(false);
            match next {
                Some(next) => add([*character, *next].iter().collect()),
                None if !before => add(character.to_string()),
                None => {}
            }
        }
        if !latin.is_empty() {
            add(latin);
        }
    }
    words
}

/// Collects a text's passages line by line and ranks them at the end.
pub(crate) struct Looking {
    words: Vec<String>,
    found: Vec<Passage>,
    /// Passages seen, including passages without any searched word.
    seen: u32,
    begun: u64,
    text: String,
}

impl Looking {
    pub(crate) fn new(question: &str) -> Self {
        Self {
            words: words_of(question),
            found: Vec::new(),
            seen: 0,
            begun: 1,
            text: String::new(),
        }
    }

    pub(crate) fn line(&mut self, number: u64, line: &str) {
        if begins_anew(line) || self.text.len() > PASSAGE_CHARS {
            self.finish_passage(number);
        }
        if self.text.is_empty() {
            self.begun = number;
        }
        let end = line.floor_char_boundary(PASSAGE_CHARS * 2);
        self.text.push_str(line.get(..end).unwrap_or(line).trim_end());
        self.text.push('\n');
    }

    fn finish_passage(&mut self, next: u64) {
        let text = std::mem::take(&mut self.text);
        let begun = std::mem::replace(&mut self.begun, next);
        if text.trim().is_empty() {
            return;
        }
        self.seen += 1;
        let lower = text.to_lowercase();
        let counts: Vec<u16> = self
            .words
            .iter()
            .map(|word| u16::try_from(occurrences(&lower, word)).unwrap_or(u16::MAX))
            .collect();
        if counts.iter().any(|count| *count > 0) && self.found.len() < PASSAGES_LOOKED_AT_MAX {
            self.found.push(Passage {
                line: begun,
                text,
                score: 0.0,
                counts,
            });
        }
    }

    /// The best `limit` passages.
    pub(crate) fn best(mut self, limit: usize) -> Vec<Passage> {
        self.finish_passage(0);
        let seen = f64::from(self.seen.max(1));
        let weights: Vec<f64> = (0..self.words.len())
            .map(|word| {
                let holding = self
                    .found
                    .iter()
                    .filter(|passage| passage.counts.get(word).is_some_and(|count| *count > 0));
                let holding = holding.count() as f64;
                (1.0 + (seen - holding + 0.5) / (holding + 0.5)).ln()
            })
            .collect();
        for passage in &mut self.found {
            let terms = passage.counts.iter().zip(&weights).map(|(count, weight)| {
                let count = f64::from(*count);
                weight * count * 2.2 / (count + 1.2)
            });
            passage.score = terms.sum();
        }
        self.found
            .sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
        self.found.truncate(limit);
        self.found
    }
}

/// Counts a Latin word only at a word's beginning, so that "port" is not found in "report".
fn occurrences(text: &str, word: &str) -> usize {
    let latin = word.chars().all(|character| character.is_ascii_alphanumeric());
    text.match_indices(word)
        .filter(|(at, _)| {
            let before = text.get(..*at).and_then(|head| head.chars().next_back());
            !latin || !before.is_some_and(|character| character.is_ascii_alphanumeric())
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(text: &str, question: &str) -> Vec<(u64, String)> {
        let mut looking = Looking::new(question);
        for (number, line) in (1..).zip(text.lines()) {
            looking.line(number, line);
        }
        let passages = looking.best(3).into_iter();
        passages.map(|passage| (passage.line, passage.text)).collect()
    }

    #[test]
    fn chinese_is_looked_for_in_pairs_and_latin_in_words() {
        assert_eq!(
            words_of("付款期限 of PDF2"),
            ["付款", "款期", "期限", "of", "pdf2"]
        );
        assert_eq!(words_of("款"), ["款"]);
        assert!(words_of("？！").is_empty());
    }

    #[test]
    fn the_passage_with_the_rarest_words_comes_first() {
        let text = "[p. 1]\nThe report speaks of money.\n[p. 2]\nThe report: payment within 30 days.\n[p. 3]\nreport";
        let found = best(text, "payment report");
        assert_eq!(found.first().map(|(line, _)| *line), Some(3));
        assert!(best(text, "port").is_empty());
    }
}
