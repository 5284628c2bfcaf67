//! In which language an answer is, and whether it gives up or asks back.

use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;

const PHRASES: &str = include_str!("../../../assets/evaluation/phrases.txt");

/// What is in no language: code, addresses, names of files.
const NEUTRAL: &str = r"(?s)```.*?```|`[^`]*`|https?://\S+|\S*[@_/\\]\S*|[A-Za-z0-9-]+\.[A-Za-z]+\S*";

static PROSE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NEUTRAL).ok());
static GIVES_UP: LazyLock<Vec<Regex>> = LazyLock::new(|| below("gives-up"));
static ASKS: LazyLock<Vec<Regex>> = LazyLock::new(|| below("asks"));

/// The patterns below a heading of the phrases.
fn below(wanted: &str) -> Vec<Regex> {
    let mut heading = "";
    let mut patterns = Vec::new();
    for line in PHRASES
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name @ ("gives-up" | "asks")) => heading = name,
            Some(_) | None if heading == wanted => {
                patterns.extend(RegexBuilder::new(line).case_insensitive(true).build().ok());
            }
            Some(_) | None => {}
        }
    }
    patterns
}

pub fn gives_up(text: &str) -> bool {
    GIVES_UP.iter().any(|pattern| pattern.is_match(text))
}

pub fn asks(text: &str) -> bool {
    ASKS.iter().any(|pattern| pattern.is_match(text))
}

/// Whether a text that is not empty is in a language. A bare number or name of a file is in both
/// languages.
pub fn is_in(text: &str, language: &str) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    let prose = match PROSE.as_ref() {
        Some(neutral) => neutral.replace_all(text, " "),
        None => text.into(),
    };
    let han = prose
        .chars()
        .filter(|letter| ('\u{4e00}'..='\u{9fff}').contains(letter))
        .count();
    let words = words(&prose);
    match (han, words, language) {
        (0, 0, _) => true,
        (_, _, "zh") => han > 0 && han >= words,
        (..) => words > 0 && 2 * words >= han,
    }
}

/// Latin words of at least two letters.
fn words(text: &str) -> usize {
    let is_latin = |letter: char| letter.is_ascii_alphabetic() || ('À'..='ÿ').contains(&letter);
    text.split(|letter: char| !is_latin(letter) && !letter.is_ascii_digit())
        .filter(|word| word.chars().count() >= 2 && word.chars().all(is_latin))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_its_words() {
        assert!(is_in("The total is 5.", "en") && !is_in("The total is 5.", "zh"));
        assert!(is_in("总数是 5，见 report.md", "zh") && !is_in("总数是五，在文件里", "en"));
        assert!(is_in("42", "en") && is_in("42", "zh"));
        assert!(!is_in("  ", "en"));
    }

    #[test]
    fn every_phrase_is_a_pattern_that_can_be_read() {
        let is_pattern = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let lines = PHRASES
            .lines()
            .filter(is_pattern)
            .filter(|line| !["[gives-up]", "[asks]"].contains(line));
        assert_eq!(GIVES_UP.len() + ASKS.len(), lines.count());
        assert!(gives_up("Sorry, I can't do that: there is no such file."));
        assert!(!gives_up("The total is 5."));
    }
}
