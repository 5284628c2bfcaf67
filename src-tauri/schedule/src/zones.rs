//! Zones that words name, `New York time`, `纽约时间`, `Europe/Berlin`: the rest of the words is a time by the clock there.
//!
//! Names come from the zone database: a zone that is new there is known without a change.

use crate::fault::WordsFault;
use crate::places::PLACES;
use jiff::Zoned;
use jiff::tz::{TimeZone, db};
use regex::Regex;
use shidi_yaml::nearest_above;
use std::sync::LazyLock;

/// Names that are proposed in the stead of one that no zone has.
const ALIKE_MAX: usize = 3;

/// How alike they are at least. Of two signs both are the same, or each country would be like each.
const LIKENESS_MIN: f64 = 0.65;

/// Words of a place's name in English, and signs of one before `时间`.
const NAME_WORDS_MAX: usize = 4;
const NAME_SIGNS_MAX: usize = 24;

/// Nobody types a longer name of a zone, in bytes.
const NAME_MAX_BYTES: usize = 100;

/// The areas whose zones are named by a city.
const AREAS: [&str; 10] = [
    "Africa/",
    "America/",
    "Antarctica/",
    "Arctic/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
];

/// Words between a time and the zone in which it is meant.
const LINKS: [&str; 7] = [" in", " by", " on", "按照", "按", "以", "用"];

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and a test reads each"
)]
fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static WRITTEN_OUT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:^|[^a-z0-9_/~.])((?:utc|gmt)(?-u:\b)|[a-z][a-z_-]*(?:/[a-z0-9_+-]+)+)\)?(?: ?(?:local )?time(?-u:\b)| ?时间)?",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| regex(r" (?:local )?time(?-u:\b)"));

/// `now` by the clock of a zone. It is its own where none is named, or the database knows that zone no more.
pub fn there(zone: Option<&str>, now: &Zoned) -> Zoned {
    match zone.map(TimeZone::get) {
        Some(Ok(zone)) => now.with_time_zone(zone),
        Some(Err(_)) | None => now.clone(),
    }
}

/// The IANA name of the zone that somebody names by it, in any case, or by a place in it.
///
/// # Errors
/// A name of no zone, with those that are like it.
pub fn known(name: &str) -> Result<String, WordsFault> {
    named(name).ok_or_else(|| no_such_zone(name))
}

/// As [`known`], where nobody is told of other names.
pub fn named(name: &str) -> Option<String> {
    let said = spoken(name);
    if said.is_empty() || said.len() > NAME_MAX_BYTES {
        return None;
    }
    let place = PLACES.iter().find(|(place, _)| *place == said);
    let written = place.map_or_else(|| name.trim(), |(_, zone)| *zone);
    match TimeZone::get(written).ok().filter(|zone| !zone.is_unknown()) {
        Some(zone) => zone.iana_name().map(str::to_owned),
        None => of_city(&said),
    }
}

/// The fault of a name that no zone has.
pub fn no_such_zone(name: &str) -> WordsFault {
    let names = names();
    let cities = names.iter().map(|zone| (city(zone), zone.as_str()));
    let places = PLACES.iter().map(|(place, zone)| ((*place).to_owned(), *zone));
    let all: Vec<(String, &str)> = match name.contains('/') {
        true => names.iter().map(|zone| (spoken(zone), zone.as_str())).collect(),
        false => places.chain(cities).collect(),
    };
    let said = spoken(name);
    let every = || all.iter().map(|(known, _)| known.as_str());
    // A country with several zones begins the names of them.
    let begun = every().filter(|known| said.chars().count() > 1 && known.starts_with(said.as_str()));
    let likest = nearest_above(LIKENESS_MIN, &said, every(), ALIKE_MAX);
    let mut alike: Vec<String> = Vec::new();
    for known in begun.chain(likest) {
        let found = all.iter().find(|(other, _)| other == known);
        let zone = found.map(|(_, zone)| (*zone).to_owned());
        alike.extend(zone.filter(|zone| !alike.contains(zone)));
    }
    alike.truncate(ALIKE_MAX);
    WordsFault::NoSuchZone {
        name: name.trim().chars().take(NAME_MAX_BYTES).collect(),
        alike,
    }
}

fn names() -> Vec<String> {
    let names = db().available().map(|name| name.as_str().to_owned());
    names.filter(|name| !name.starts_with("Etc/")).collect()
}

/// A name as people say it: `america/new york`.
fn spoken(name: &str) -> String {
    let name = name.to_lowercase().replace('_', " ");
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn city(zone: &str) -> String {
    spoken(zone.rsplit('/').next().unwrap_or(zone))
}

/// The zone of a city. Of several the one with the shortest path: the others are parts of a country.
fn of_city(said: &str) -> Option<String> {
    let is_meant = |zone: &String| AREAS.iter().any(|area| zone.starts_with(area)) && city(zone) == said;
    let found = names().into_iter().filter(is_meant);
    found.min_by_key(|zone| (zone.matches('/').count(), zone.clone()))
}

/// The ways in which words can name a zone: what they say without it, and its name. The text is in lower case.
pub fn splits(text: &str) -> Vec<(String, String)> {
    let mut ways: Vec<(String, String)> = WRITTEN_OUT
        .captures_iter(text)
        .filter_map(|found| {
            let (whole, name) = (found.get(0)?, found.get(1)?);
            let rest = joined(&text[..name.start()], &text[whole.end()..]);
            Some((rest, name.as_str().to_owned()))
        })
        .collect();
    for found in TIME.find_iter(text) {
        ways.extend(of_words(&text[..found.start()], &text[found.end()..]));
    }
    for (at, word) in text.match_indices("时间") {
        ways.extend(of_signs(&text[..at], &text[at + word.len()..]));
    }
    ways
}

/// The last words before `time`, first one and then more of them.
fn of_words(before: &str, after: &str) -> Vec<(String, String)> {
    let spaces = before.rmatch_indices([' ', '(']).map(|(at, _)| at + 1);
    let starts = spaces.chain([0]).take(NAME_WORDS_MAX);
    let way = |start: usize| {
        let name = before[start..].trim_matches([' ', ',', '(']);
        (!name.is_empty()).then(|| (joined(&before[..start], after), name.to_owned()))
    };
    starts.filter_map(way).collect()
}

/// The last signs before `时间`, first one and then more of them.
fn of_signs(before: &str, after: &str) -> Vec<(String, String)> {
    let before = before.trim_end_matches([' ', '的']);
    let before = before.strip_suffix("当地").unwrap_or(before);
    let starts = before.char_indices().rev().map(|(at, _)| at);
    let way = |start: usize| {
        let name = before[start..].trim();
        (!name.is_empty()).then(|| (joined(&before[..start], after), name.to_owned()))
    };
    starts.take(NAME_SIGNS_MAX).filter_map(way).collect()
}

/// What stands around a zone's name. A space keeps two numbers apart.
fn joined(before: &str, after: &str) -> String {
    let before = format!(" {}", before.trim_end_matches([' ', '(', ',']));
    let linked = LINKS.iter().find_map(|link| before.strip_suffix(link));
    let before = linked.unwrap_or(&before).trim_end_matches([' ', ',']);
    let after = after.trim_start_matches([' ', ')', ',', ':', '的']);
    format!("{before} {after}").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expression_can_be_read() {
        for expression in [&WRITTEN_OUT, &TIME] {
            assert!(!expression.is_match("?"));
        }
    }

    #[test]
    fn each_place_lies_in_a_zone_and_is_named_once() {
        let mut seen = std::collections::BTreeSet::new();
        for (place, zone) in PLACES {
            assert_eq!(TimeZone::get(zone).unwrap().iana_name(), Some(zone), "{place}");
            assert_eq!(spoken(place), place, "as it is compared");
            assert!(seen.insert(place), "{place}");
        }
    }

    #[test]
    fn what_stands_around_a_name_is_a_time_again() {
        for (before, after, expected) in [
            ("at 8 (", ")", "at 8"),
            ("in", ", every day at 8", "every day at 8"),
            ("每天按", "的8点", "每天 8点"),
            ("", " every day at 8", "every day at 8"),
        ] {
            assert_eq!(joined(before, after), expected);
        }
    }
}
