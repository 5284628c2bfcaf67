//! Whether a value stands in the words of a source.

use super::days::Day;
use super::numerals::{numbers, without_articles};
use super::sources::Source;
use crate::letters::is_ideograph;
use crate::literal::literal;
use serde_json::{Number, Value};

/// Characters above which a text is the model's own writing: a letter, a summary. Only its facts need a source.
const WRITING_CHARACTERS: usize = 80;
/// Digits that make a text a number of something: an order, a telephone.
const DIGITS_MIN: usize = 5;
/// Letters that two forms of one word share.
const STEM_LETTERS: usize = 4;
/// Letters by which two forms of one word differ.
const ENDING_LETTERS: usize = 3;
/// Share of a Chinese text's pairs of characters that a source has to hold.
const PAIRS_SHARE: f64 = 0.7;

const FILLERS: [&str; 16] = [
    "a", "an", "the", "of", "for", "at", "on", "in", "to", "and", "or", "with", "by", "my", "some", "please",
];

/// Words that stand in every request.
const COMMON: [&str; 22] = [
    "what", "this", "that", "with", "from", "have", "does", "please", "could", "would", "want", "need",
    "which", "when", "where", "there", "their", "your", "about", "into", "them", "some",
];

/// Characters of what may be an answer of yes or no and nothing else.
const REPLY_CHARACTERS_MAX: usize = 24;

/// Words that answer a question of yes or no.
const ANSWERS: [&str; 12] = [
    "yes", "no", "not", "without", "with", "don't", "要", "不", "是", "对", "没", "有",
];

/// Small letters, single spaces, and the common form of wide characters.
pub fn plain(text: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        other => other,
    };
    let lower: String = text.chars().map(narrow).collect::<String>().to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts and numbers of a value; keys are the model's own.
pub fn leaves(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| leaves(field, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Whether the model wrote a value down, in place of computing it from something.
pub fn is_written(value: &Value, programs: &str) -> bool {
    match value {
        Value::String(text) => {
            let wanted = plain(text);
            let unescaped = programs.replace("\\n", "\n").replace('\\', "");
            programs.contains(&literal(value))
                || plain(programs).contains(&wanted)
                || plain(&unescaped).contains(&wanted)
        }
        Value::Number(number) => number.as_f64().is_some_and(|number| has_number(programs, number)),
        Value::Bool(true) => has_token(programs, "True") || has_token(programs, "true"),
        Value::Bool(false) => has_token(programs, "False") || has_token(programs, "false"),
        Value::Null | Value::Array(_) | Value::Object(_) => true,
    }
}

/// Whether a program holds a number, however it writes it.
fn has_number(program: &str, wanted: f64) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
    program
        .split(|letter: char| !is_part(letter))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
        .filter_map(|word| word.replace('_', "").parse::<f64>().ok())
        .any(|number| is_near(number, wanted) || is_near(number, -wanted))
}

/// The sources among which one has to hold a value that the model wrote.
pub fn is_found(value: &Value, about: &str, sources: &[&Source]) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) => is_answered(about, sources),
        Value::Number(number) => is_number_found(number, about, sources),
        Value::String(text) => is_text_found(text, sources),
        Value::Array(items) => items.iter().all(|item| is_found(item, about, sources)),
        Value::Object(fields) => fields.values().all(|field| is_found(field, about, sources)),
    }
}

/// How often numbers of this value are mentioned in what counts.
pub fn mentions(number: f64, sources: &[&Source]) -> usize {
    let counting = sources.iter().filter(|source| source.counts);
    let found = counting.flat_map(|source| numbers(&source.text));
    found.filter(|one| is_near(*one, number)).count()
}

fn is_number_found(number: &Number, about: &str, sources: &[&Source]) -> bool {
    let Some(wanted) = number.as_f64() else {
        return false;
    };
    let said = |text: &str| match is_near(wanted, 1.0) {
        true => numbers(&without_articles(text, about)),
        false => numbers(text),
    };
    let mut counting = sources.iter().filter(|source| source.counts);
    counting.any(|source| {
        !source
            .program
            .as_deref()
            .is_some_and(|program| has_number(program, wanted))
            && said(&source.text).into_iter().any(|one| is_near(one, wanted))
    })
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(1.0)
}

fn is_text_found(text: &str, sources: &[&Source]) -> bool {
    let wanted = plain(text);
    let open = || sources.iter().filter(|source| is_open_to(source, text));
    if open().any(|source| holds(&source.text, &wanted)) {
        return true;
    }
    if let Some(day) = Day::read(text) {
        let is_said = |part: &Day| open().any(|source| part.is_meant(&source.text, source.said));
        return day.parts().iter().all(is_said);
    }
    if let Ok(number) = wanted.parse::<f64>()
        && let Some(number) = Number::from_f64(number)
        && is_number_found(&number, "", sources)
    {
        return true;
    }
    let compact = digits(&wanted);
    if compact.len() >= DIGITS_MIN && compact.len() * 2 > wanted.chars().count() {
        return open().any(|source| digits(&source.text).contains(&compact));
    }
    let all: Vec<&str> = open().map(|source| source.text.as_str()).collect();
    let all = all.join("\n");
    if is_writing(&wanted) {
        return facts(&wanted).iter().all(|fact| all.contains(fact));
    }
    are_words_found(text, &wanted, &all)
}

/// Whether a text is the model's own writing.
pub fn is_writing(text: &str) -> bool {
    text.chars().count() > WRITING_CHARACTERS
}

/// Whether a text holds another one that begins and ends where words do.
pub fn holds(text: &str, wanted: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    text.match_indices(wanted).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + wanted.len()..].chars().next();
        let cuts_before = is_part(before) && is_part(wanted.chars().next());
        let cuts_after = is_part(after) && is_part(wanted.chars().next_back());
        !cuts_before && !cuts_after
    })
}

/// Whether a source may prove a text: the output of a program that holds the text itself does not.
fn is_open_to(source: &Source, text: &str) -> bool {
    let value = Value::from(text);
    source
        .program
        .as_deref()
        .is_none_or(|program| !is_written(&value, program))
}

/// Addresses and long numbers of a text that a model wrote.
fn facts(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| letter.is_whitespace() || !letter.is_ascii());
    let words = words.map(|word| word.trim_matches(|edge: char| !edge.is_alphanumeric()));
    let is_fact = |word: &&str| {
        word.contains('@')
            || word.contains("://")
            || word.chars().filter(char::is_ascii_digit).count() >= DIGITS_MIN
    };
    words.filter(is_fact).collect()
}

fn digits(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '(' | ')' | '/' | '.' | '+'));
    let kept: String = kept.collect();
    kept.split(|letter: char| !letter.is_ascii_digit())
        .collect::<Vec<_>>()
        .join("")
}

fn are_words_found(written: &str, wanted: &str, all: &str) -> bool {
    let known: Vec<&str> = latin(all).collect();
    // A name or a code has no other forms.
    let is_exact =
        |word: &str| word.contains(|letter: char| letter.is_ascii_digit()) || !written.contains(word);
    let is_known = |word: &str| {
        let is_same = |other: &&str| match is_exact(word) {
            true => *other == word,
            false => is_same_word(word, other),
        };
        FILLERS.contains(&word) || known.iter().any(is_same)
    };
    let said = numbers(all);
    let mut words = latin(wanted);
    let latin_found = words.all(|word| {
        is_known(word)
            || word
                .parse::<f64>()
                .is_ok_and(|number| said.iter().any(|one| is_near(*one, number)))
    });
    let pairs = pairs(wanted);
    let found = pairs.iter().filter(|pair| all.contains(pair.as_str())).count();
    latin_found && (pairs.is_empty() || found as f64 >= pairs.len() as f64 * PAIRS_SHARE)
}

fn latin(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() || is_ideograph(letter));
    words.filter(|word| !word.is_empty())
}

fn is_same_word(word: &str, other: &str) -> bool {
    if word == other {
        return true;
    }
    let shared = word
        .chars()
        .zip(other.chars())
        .take_while(|(one, two)| one == two)
        .count();
    let (short, long) = (word.chars().count(), other.chars().count());
    shared >= STEM_LETTERS && short.max(long) - shared <= ENDING_LETTERS && short.min(long) + 1 >= shared
}

/// Each two neighbouring Chinese characters of a text; a character that stands alone is one, too.
fn pairs(text: &str) -> Vec<String> {
    let mut pairs = Vec::new();
    for run in text.split(|letter: char| !is_ideograph(letter)) {
        let letters: Vec<char> = run.chars().collect();
        match letters.as_slice() {
            [] => {}
            [single] => pairs.push(single.to_string()),
            several => pairs.extend(several.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
    pairs
}

/// Whether a value stands for nothing.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The words of a text that say something, in their order.
pub fn bare(text: &str) -> Vec<String> {
    let text = plain(text);
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation());
    let words = words.filter(|word| !word.is_empty() && !FILLERS.contains(word));
    words.map(str::to_owned).collect()
}

/// How near words are to what a parameter is about. A word of both counts, and each Chinese character.
pub fn nearness(about: &str, words: &str) -> usize {
    let characters = about
        .chars()
        .filter(|letter| is_ideograph(*letter) && words.contains(*letter));
    characters.count() + usize::from(share_a_word(about, words))
}

/// Whether two texts have a word in common that says something, or two neighbouring Chinese characters.
pub fn share_a_word(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    let telling = |word: &&str| word.len() >= STEM_LETTERS && !COMMON.contains(word);
    let theirs: Vec<&str> = latin(&other).filter(telling).collect();
    let mut words = latin(&one).filter(telling);
    let theirs_in_pairs = pairs(&other);
    words.any(|word| theirs.iter().any(|other| is_same_word(word, other)))
        || pairs(&one)
            .iter()
            .any(|pair| pair.chars().count() > 1 && theirs_in_pairs.contains(pair))
}

/// Whether the user's words speak of what a parameter is about, or answer a question with yes or no.
fn is_answered(about: &str, sources: &[&Source]) -> bool {
    let mut users = sources.iter().filter(|source| source.is_users);
    users.any(|source| speaks_of(about, &source.text))
}

/// The same of one text.
fn speaks_of(about: &str, text: &str) -> bool {
    let is_reply = text.chars().count() <= REPLY_CHARACTERS_MAX;
    let answers = is_reply
        && ANSWERS.iter().any(|word| match word.is_ascii() {
            true => has_token(text, word),
            false => text.contains(word),
        });
    answers || names(about, text)
}

/// Whether words name what a parameter is about.
pub fn names(about: &str, text: &str) -> bool {
    let about = plain(about);
    let names: Vec<&str> = latin(&about).filter(|word| word.len() >= STEM_LETTERS).collect();
    let speaks = latin(text).any(|word| names.iter().any(|name| is_same_word(name, word)));
    speaks || pairs(&about).iter().any(|pair| text.contains(pair.as_str()))
}

/// Whether a text has a word that is no part of a longer one.
pub fn has_token(text: &str, token: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    text.match_indices(token).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + token.len()..].chars().next();
        !is_part(before) && !is_part(after)
    })
}
