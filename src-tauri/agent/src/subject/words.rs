//! What the words of a text tell of its subject, by the lists in `assets/subjects/`.
//!
//! English is compared by the beginnings of its words, Chinese by pairs of characters. Fields of life stand as bits, one
//! for each list.

use crate::letters::is_ideograph;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Fields of life, one bit each.
pub type Fields = u32;

/// Letters by which two English words are one.
const KEY_LETTERS: usize = 5;
/// Letters of an English word that says something, and digits of a number that does.
const WORD_LETTERS_MIN: usize = 3;
const DIGITS_MIN: usize = 2;
/// Letters of a file's ending.
const ENDING: std::ops::RangeInclusive<usize> = 2..=4;
/// Characters of a quoted text that is something of its own.
const QUOTED_MIN: usize = 8;
/// Marks that open and close a quoted text, in pairs.
const QUOTES: [(char, char); 3] = [('"', '"'), ('\u{201c}', '\u{201d}'), ('\u{300c}', '\u{300d}')];

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::read(
        include_str!("../../../../assets/subjects/en.txt"),
        include_str!("../../../../assets/subjects/zh.txt"),
    )
});

type Lists = BTreeMap<&'static str, Vec<&'static str>>;

/// The lists as they are looked up.
struct Lexicon {
    pointing: BTreeSet<&'static str>,
    far: BTreeSet<&'static str>,
    opening: BTreeSet<&'static str>,
    common: BTreeSet<&'static str>,
    pointing_chinese: Vec<&'static str>,
    far_chinese: Vec<&'static str>,
    opening_chinese: Vec<&'static str>,
    /// Chinese characters that say nothing.
    empty: BTreeSet<char>,
    /// Latin words without their plural, and their fields.
    latin: BTreeMap<String, Fields>,
    /// Chinese words by their first character, and their fields.
    chinese: BTreeMap<char, BTreeMap<&'static str, Fields>>,
    /// The fields of what is done with any subject.
    work: Fields,
}

impl Lexicon {
    fn read(english: &'static str, chinese: &'static str) -> Self {
        let (mut english, mut chinese) = (lists(english), lists(chinese));
        let taken = |lists: &mut Lists, name: &str| lists.remove(name).unwrap_or_default();
        let work = taken(&mut english, "work");
        let mut lexicon = Self {
            pointing: taken(&mut english, "pointing").into_iter().collect(),
            far: taken(&mut english, "far").into_iter().collect(),
            opening: taken(&mut english, "opening").into_iter().collect(),
            common: taken(&mut english, "common").into_iter().collect(),
            pointing_chinese: taken(&mut chinese, "pointing"),
            far_chinese: taken(&mut chinese, "far"),
            opening_chinese: taken(&mut chinese, "opening"),
            empty: taken(&mut chinese, "empty")
                .iter()
                .flat_map(|word| word.chars())
                .collect(),
            latin: BTreeMap::new(),
            chinese: BTreeMap::new(),
            work: 0,
        };
        let names: BTreeSet<&str> = english.keys().chain(chinese.keys()).copied().collect();
        for (place, name) in names.into_iter().enumerate() {
            let field: Fields = 1 << place;
            lexicon.work |= if work.contains(&name) { field } else { 0 };
            let words = english.get(name).into_iter().chain(chinese.get(name));
            for word in words.flatten().copied() {
                lexicon.put(word, field);
            }
        }
        lexicon
    }

    fn put(&mut self, word: &'static str, field: Fields) {
        if word.is_ascii() {
            *self.latin.entry(singular(&word.to_lowercase())).or_default() |= field;
        } else if let Some(first) = word.chars().next() {
            let of_first = self.chinese.entry(first).or_default();
            *of_first.entry(word).or_default() |= field;
        }
    }

    fn is_common(&self, word: &str) -> bool {
        self.common.contains(word) || self.pointing.contains(word) || self.opening.contains(word)
    }
}

/// The lists of a file, by their names in brackets.
fn lists(text: &'static str) -> Lists {
    let mut lists = Lists::new();
    let mut name = "";
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(next) => name = next,
            None => lists.entry(name).or_default().extend(line.split_whitespace()),
        }
    }
    lists.retain(|_, words| !words.is_empty());
    lists
}

/// What the words of a text, or of several, tell.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// English words by their beginnings, and numbers.
    words: BTreeSet<String>,
    /// Neighbouring Chinese characters.
    pairs: BTreeSet<(char, char)>,
    pub fields: Fields,
}

impl Vocabulary {
    /// Adds the words of a text.
    pub fn add_words(&mut self, text: &str) {
        let words = latin(text);
        self.words
            .extend(words.iter().filter(|word| says(word)).map(|word| key(word)));
        let mut before = None;
        for character in text.chars() {
            let telling = Some(character).filter(|one| is_ideograph(*one) && !LEXICON.empty.contains(one));
            if let (Some(one), Some(other)) = (before, telling) {
                self.pairs.insert((one, other));
            }
            before = telling;
        }
    }

    /// Adds the words of a text and the fields that they are of.
    pub fn add(&mut self, text: &str) {
        self.add_words(text);
        self.fields = hits(text).values().fold(self.fields, |all, fields| all | fields);
    }

    /// Whether both have a word in common.
    pub fn shares_a_word(&self, other: &Self) -> bool {
        !self.words.is_disjoint(&other.words) || !self.pairs.is_disjoint(&other.pairs)
    }
}

/// The Latin words and numbers of a text, in small letters.
pub fn latin(text: &str) -> Vec<String> {
    let lowered = text.to_lowercase();
    let words = lowered.split(|letter: char| !is_part(letter));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The Latin words of a text as they are written, each once.
pub fn exact(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !is_part(letter));
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a word says no subject: a variable of that name may not be meant.
pub fn is_common(word: &str) -> bool {
    LEXICON.is_common(&word.to_lowercase())
}

fn is_part(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric() && !is_ideograph(letter)
}

/// Chinese characters of a text.
pub fn chinese_count(text: &str) -> usize {
    text.chars().filter(|letter| is_ideograph(*letter)).count()
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|digit| digit.is_ascii_digit())
}

/// Whether a word says something of a subject.
fn says(word: &str) -> bool {
    if is_number(word) {
        return word.len() >= DIGITS_MIN;
    }
    (word.chars().count() >= WORD_LETTERS_MIN || word.contains('_')) && !LEXICON.is_common(word)
}

/// A word without the ending of its plural.
fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() > 2);
    if let Some(stem) = stem("es").filter(|stem| stem.ends_with(['s', 'x', 'z', 'h'])) {
        return stem.to_owned();
    }
    match stem("s") {
        Some(stem) if !stem.ends_with('s') => stem.to_owned(),
        Some(_) | None => word.to_owned(),
    }
}

/// What two forms of one word share.
fn key(word: &str) -> String {
    match is_number(word) {
        true => word.to_owned(),
        false => singular(word).chars().take(KEY_LETTERS).collect(),
    }
}

/// The words of a text that are of any field, each once.
fn hits(text: &str) -> BTreeMap<String, Fields> {
    let mut hits: BTreeMap<String, Fields> = BTreeMap::new();
    for word in latin(text) {
        let word = singular(&word);
        if let Some(fields) = LEXICON.latin.get(&word) {
            hits.insert(word, *fields);
        }
    }
    for (place, letter) in text.char_indices() {
        for (word, fields) in LEXICON.chinese.get(&letter).into_iter().flatten() {
            if text[place..].starts_with(word) {
                hits.insert((*word).to_owned(), *fields);
            }
        }
    }
    hits
}

/// The most words of one field that a text has, fields of work left out. A Chinese word within a longer one counts once.
pub fn strength(text: &str) -> usize {
    let hits = hits(text);
    let count = |place: u32| {
        let bit: Fields = 1 << place;
        let field = bit & !LEXICON.work;
        let of_field: Vec<&String> = hits
            .iter()
            .filter(|(_, fields)| *fields & field != 0)
            .map(|(word, _)| word)
            .collect();
        let is_within = |word: &String| {
            !word.is_ascii()
                && of_field
                    .iter()
                    .any(|other| *other != word && other.contains(word.as_str()))
        };
        of_field.iter().filter(|word| !is_within(word)).count()
    };
    (0..Fields::BITS).map(count).max().unwrap_or_default()
}

/// Whether a question points at something said before.
pub fn points(text: &str) -> bool {
    let words = latin(text);
    words.iter().any(|word| LEXICON.pointing.contains(word.as_str()))
        || LEXICON.pointing_chinese.iter().any(|word| text.contains(word))
}

/// Whether a question points at what was said long before.
pub fn points_far(text: &str) -> bool {
    let words = latin(text);
    words.iter().any(|word| LEXICON.far.contains(word.as_str()))
        || LEXICON.far_chinese.iter().any(|word| text.contains(word))
}

/// Whether a question begins as a reply does.
pub fn opens_as_a_reply(text: &str) -> bool {
    let words = latin(text);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let pair = words.iter().take(2).cloned().collect::<Vec<_>>().join("-");
    LEXICON.opening.contains(first)
        || LEXICON.opening.contains(pair.as_str())
        || LEXICON.opening_chinese.iter().any(|word| text.starts_with(word))
}

/// Whether a text brings what it is about: an address, the name of a file, a quoted text.
pub fn brings_its_own(text: &str) -> bool {
    text.contains("://") || names_a_file(text) || quotes(text)
}

fn names_a_file(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.iter().enumerate().any(|(place, letter)| {
        let is_named = place > 0 && letters[place - 1].is_alphanumeric();
        let ending = letters[place + 1..]
            .iter()
            .take_while(|one| one.is_ascii_lowercase());
        let ending = ending.count();
        let is_over = letters
            .get(place + 1 + ending)
            .is_none_or(|one| !one.is_ascii_alphanumeric());
        *letter == '.' && is_named && ENDING.contains(&ending) && is_over
    })
}

fn quotes(text: &str) -> bool {
    QUOTES.iter().any(|(open, close)| {
        let within = text
            .split_once(*open)
            .and_then(|(_, rest)| rest.split_once(*close));
        within.is_some_and(|(within, _)| within.chars().count() >= QUOTED_MIN)
    })
}

/// Whether a text names something: a Latin name as a word of its own, any other one anywhere.
pub fn names(text: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let is_word = name
        .bytes()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    if name.is_empty() {
        return false;
    }
    match is_word {
        true => latin(text).contains(&name),
        false => text.to_lowercase().contains(&name),
    }
}
