//! Whether a value may take the place of an earlier one: a correction changes only what it names (F9.2).
//!
//! The sources decide. A value that was said since, or later than the one that it replaces, is the user's. One whose
//! words are older was there to be passed before, so nobody has asked for the change. The model may mend its own
//! reading as long as the user has not answered it.

use super::days::{self, Day};
use super::filled::Filled;
use super::numerals::numbers;
use super::sources::Source;
use super::words::{self, plain};
use serde_json::Value;
use shidi_protocol::Moment;

/// Words with which a correction begins. They answer no question where more follows.
const HEADS: [&str; 12] = [
    "no", "nope", "not that", "wait", "sorry", "actually", "不", "不是", "不对", "没有", "错了", "等等",
];
/// What stands behind them.
const BEHIND_HEADS: [char; 12] = [',', '.', '!', ';', ':', '-', '–', '—', '。', '、', '…', '~'];

/// Words that name a value by pointing at what was said before.
const POINTERS: [&str; 36] = [
    "first", "second", "third", "last", "other", "others", "both", "same", "back", "again", "swap",
    "earlier", "later", "previous", "next", "before", "those", "these", "former", "latter", "第", "另",
    "都要", "都订", "都改", "原来", "原先", "上次", "上一", "下一", "之前", "刚才", "对调", "交换", "改回",
    "那个",
];
/// Words that begin another order, or change a value by counting on.
const ANEW: [&str; 18] = [
    "another", "new", "more", "also", "extra", "double", "half", "each", "再", "新的", "新订", "还要",
    "加一", "加两", "加个", "加订", "减一", "多一",
];
/// Letters of a turn that only goes on with what was asked for; a Chinese one counts twice.
const GOES_ON_LETTERS_MAX: usize = 48;
/// Replies that take away what a call was filled with.
const NOTHING: [&str; 14] = [
    "yes", "no", "none", "nothing", "nope", "not", "n/a", "无", "没有", "不要", "不用", "算了", "不", "没",
];
/// What may stand around such a reply.
const AROUND_REPLIES: [char; 13] = [
    ' ', ',', '.', '!', ';', '~', '，', '。', '！', '；', '了', '的', '吧',
];

/// Whether the user's last words go on with an order: short ones, or a correction. Words that point at something said before,
/// or begin another order, may mean any value.
pub fn goes_on(sources: &[&Source], passed: &[String]) -> bool {
    let users = sources.iter().filter(|source| source.is_users);
    let Some(last) = users.max_by_key(|source| source.came) else {
        return false;
    };
    let letters = last
        .text
        .chars()
        .map(|letter| if letter.is_ascii() { 1 } else { 2 });
    let is_short = letters.sum::<usize>() <= GOES_ON_LETTERS_MAX;
    // A value that holds such a word does not point: a day in the next week, a name.
    let mut text = last.text.clone();
    for value in passed {
        text = text.replace(&plain(value), " ");
    }
    let points = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let rest = text[at + word.len()..].trim_start();
            let following = rest.split(' ').next().unwrap_or_default();
            let following = following.trim_end_matches(|sign: char| !sign.is_alphanumeric());
            !is_of_a_value(following)
        })
    };
    let says = |word: &&str| match word.is_ascii() {
        true => words::has_token(&text, word) && points(word),
        false => text.contains(*word),
    };
    let is_open = POINTERS.iter().chain(&ANEW).any(says);
    (is_short || correction(&last.text) != last.text.trim()) && !is_open
}

/// Whether what follows such a word makes it a part of a value: a day, a number, a name.
fn is_of_a_value(following: &str) -> bool {
    let is_number = following != "one" && !numbers(following).is_empty();
    following == "name" || days::is_calendar_word(following) || is_number
}

/// What was said about a parameter.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    pub sources: &'a [&'a Source],
    /// Its name and what is written about it.
    pub about: &'a str,
    /// When the user last said something.
    pub turn: Option<Moment>,
}

impl Said<'_> {
    /// Whether what was said gives a parameter another value than it was filled with.
    pub fn changes(&self, filled: &Filled<'_>, value: &Value) -> bool {
        let is_writing = |value: &Value| value.as_str().is_some_and(|text| words::is_writing(&plain(text)));
        if is_writing(value) || self.names(filled.value, value, filled.since) {
            return true;
        }
        let is_first_reading = self.turn.is_none_or(|turn| turn <= filled.since);
        match self.source_of(filled) {
            Some(moment) => {
                let just_before = Moment(moment.0.saturating_sub(1));
                self.names(filled.value, value, moment)
                    || is_first_reading && self.names(filled.value, value, just_before)
            }
            None => is_first_reading,
        }
    }

    /// Whether the user has spoken since of a parameter that a call leaves out, or of its value.
    pub fn drops(&self, filled: &Filled<'_>) -> bool {
        let (newer, _) = self.around(filled.since);
        let mut users = newer.into_iter().filter(|source| source.is_users);
        users.any(|source| self.is_spoken_of(source) || self.is_found(filled.value, &[source]))
    }

    /// Whether what came after a moment names a value, or a part of it that nothing before holds.
    fn names(&self, before: &Value, value: &Value, moment: Moment) -> bool {
        let (newer, older) = self.around(moment);
        if value.is_boolean() {
            let mut users = newer.iter().filter(|source| source.is_users);
            return users.any(|source| self.is_spoken_of(source));
        }
        let is_new = |value: &Value| self.is_found(value, &newer) || !self.is_found(value, &older);
        if is_new(value) {
            return true;
        }
        let (Value::Array(before), Value::Array(items)) = (before, value) else {
            return false;
        };
        let mut added = items.iter().filter(|item| !before.contains(item));
        let mut removed = before.iter().filter(|item| !items.contains(item));
        added.all(is_new) && removed.all(|item| self.is_mentioned(item, &newer))
    }

    /// Whether somebody's words name a parameter, or are no more than a yes or no.
    fn is_spoken_of(&self, source: &Source) -> bool {
        let said = correction(&source.text);
        words::names(self.about, said) || NOTHING.contains(&said.trim_matches(AROUND_REPLIES))
    }

    fn is_mentioned(&self, value: &Value, sources: &[&Source]) -> bool {
        let mut leaves = Vec::new();
        words::leaves(value, &mut leaves);
        let mut leaves = leaves.into_iter().map(Value::from);
        leaves.any(|leaf| self.is_found(&leaf, sources))
    }

    /// When the value that a parameter was filled with came up last before that.
    fn source_of(&self, filled: &Filled<'_>) -> Option<Moment> {
        let (_, older) = self.around(filled.since);
        let mut sources = older;
        sources.retain(|source| self.is_found(filled.value, &[*source]));
        sources.iter().map(|source| source.came).max()
    }

    /// Whether a value that a parameter was filled with was said before that.
    pub fn was_said(&self, filled: &Filled<'_>) -> bool {
        let (_, older) = self.around(filled.since);
        self.is_found(filled.value, &older)
    }

    fn is_found(&self, value: &Value, sources: &[&Source]) -> bool {
        words::is_found(value, self.about, sources)
    }

    /// What came after a moment, and what had come by then.
    fn around(&self, moment: Moment) -> (Vec<&Source>, Vec<&Source>) {
        let all = self.sources.iter().copied();
        all.partition(|source| source.came > moment)
    }
}

/// A text in small letters without the words with which a correction begins.
fn correction(text: &str) -> &str {
    let mut rest = text.trim();
    for head in HEADS {
        let after = rest.strip_prefix(head).map(str::trim_start);
        let after = after.filter(|after| after.starts_with(BEHIND_HEADS));
        let after = after.map(|after| {
            after.trim_start_matches(|letter: char| letter.is_whitespace() || BEHIND_HEADS.contains(&letter))
        });
        if let Some(after) = after.filter(|after| !after.is_empty()) {
            rest = after;
        }
    }
    rest
}

/// Whether a value is one that a parameter was filled with, also where it is written otherwise.
pub fn is_kept(filled: &Filled<'_>, value: &Value) -> bool {
    let mut others = filled.beside.iter().copied();
    is_same(filled.value, value, filled.since) || others.any(|other| other == value)
}

/// Whether two values mean the same, or the second one says more of the first.
fn is_same(before: &Value, value: &Value, since: Moment) -> bool {
    if before == value {
        return true;
    }
    if let (Value::Array(before), Value::Array(items)) = (before, value) {
        let is_long = before.len() == items.len();
        return is_long
            && before
                .iter()
                .zip(items)
                .all(|(one, other)| is_same(one, other, since));
    }
    match (number(before), number(value)) {
        (Some(one), Some(other)) => are_equal(one, other),
        (Some(number), None) => says_only(value, number),
        (None, Some(number)) => says_only(before, number),
        (None, None) => {
            let texts = before.as_str().zip(value.as_str());
            texts.is_some_and(|(one, other)| is_same_text(one, other, since))
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn are_equal(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// Whether a text mentions a number and no other one.
fn says_only(text: &Value, number: f64) -> bool {
    let found = numbers(&plain(text.as_str().unwrap_or_default()));
    !found.is_empty() && found.iter().all(|one| are_equal(*one, number))
}

fn is_same_text(before: &str, text: &str, since: Moment) -> bool {
    let means = |day: Day, text: &str| {
        let text = plain(text);
        day.parts().iter().all(|part| part.is_meant(&text, since))
    };
    match (Day::read(before), Day::read(text)) {
        (Some(one), Some(other)) => one == other,
        (Some(day), None) => means(day, text),
        (None, Some(day)) => means(day, before),
        (None, None) => {
            let (bare, other) = (words::bare(before), words::bare(text));
            !bare.is_empty() && bare == other || words::holds(&plain(text), &plain(before))
        }
    }
}

#[cfg(test)]
mod tests;
