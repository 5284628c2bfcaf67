//! Words that mean a time, whichever language they are in.

use crate::calendar::checked_cron;
use crate::clock::{LEAST_SECONDS, bounded};
use crate::fault::WordsFault;
use crate::{chinese, english, events, zones};
use jiff::Zoned;
use shidi_protocol::{Moment, ScheduleTime, ScheduleWords};
use unicode_normalization::UnicodeNormalization;

/// More than that says something else than a time.
const WORDS_MAX_CHARACTERS: usize = 200;

/// In so many places at most a second zone is looked for: the search would take long.
const SECOND_ZONE_LOOKS: usize = 4;

/// Reads a time, seen from `now`, by the clock of the zone that words name, else of `now`'s.
///
/// # Errors
/// Words that mean none, or one that a schedule can't have.
pub fn read(words: &ScheduleWords, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    read_in(None, words, now)
}

/// As [`read`], by the clock of another zone where one is given.
///
/// # Errors
/// As [`read`], a name of no zone, or words that name another one.
pub fn read_in(zone: Option<&str>, words: &ScheduleWords, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let zone = zone.map(zones::known).transpose()?;
    let there = zones::there(zone.as_deref(), now);
    let (time, said) = match words {
        ScheduleWords::Cron { text } => (checked_cron(text.trim())?, None),
        // A time that names what is done then, too, is a time: "every Friday at 5 …".
        ScheduleWords::Plain { text } => match (plain(text, &there), events::read(text)) {
            (Err(_), Some(event)) => (event?, None),
            (Err(fault), None) => elsewhere(text, now).unwrap_or(Err(fault))?,
            (Ok(time), _) => (time, None),
        },
        ScheduleWords::Change { path } => (events::change(path)?, None),
        ScheduleWords::Job { name } => (events::job(name), None),
    };
    if said.is_some() && matches!(time, ScheduleTime::Every { .. }) {
        return Err(WordsFault::IntervalWithZone);
    }
    let zone = match (zone, said) {
        (Some(given), Some(said)) if given != said => return Err(WordsFault::TwoZones { said, given }),
        (given, said) => given.or(said),
    };
    check(of_zone(time, zone), now)
}

/// A time that a schedule can have, seen from `now` and its zone.
///
/// # Errors
/// What has passed, never comes, comes too often, or names no whole path or no zone.
pub fn check(time: ScheduleTime, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let zone = time.zone().map(zones::known).transpose()?;
    match of_zone(time, zone.clone()) {
        ScheduleTime::Once { at, .. } if at <= Moment::from(now.timestamp()) => Err(WordsFault::Past),
        time @ (ScheduleTime::Once { .. } | ScheduleTime::Job { .. }) => Ok(time),
        ScheduleTime::Change { path, .. } => events::change(&path),
        ScheduleTime::Every { seconds, from } => {
            bounded(f64::from(seconds), LEAST_SECONDS).map(|_| ScheduleTime::Every { seconds, from })
        }
        ScheduleTime::Cron { expression, .. } => {
            let time = of_zone(checked_cron(&expression)?, zone);
            crate::next(&time, now).ok_or(WordsFault::Never)?;
            Ok(time)
        }
    }
}

/// The time by the clock of a zone. An interval and an event have no clock.
fn of_zone(time: ScheduleTime, zone: Option<String>) -> ScheduleTime {
    match time {
        ScheduleTime::Once { at, .. } => ScheduleTime::Once { at, zone },
        ScheduleTime::Cron { expression, .. } => ScheduleTime::Cron { expression, zone },
        ScheduleTime::Every { .. } | ScheduleTime::Change { .. } | ScheduleTime::Job { .. } => time,
    }
}

fn plain(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    match text.chars().count() > WORDS_MAX_CHARACTERS {
        true => Err(WordsFault::NotUnderstood),
        false => understood(&normal(text), now),
    }
}

/// In lower case, without the end of a sentence. Wide digits and colons are what they look like.
fn normal(text: &str) -> String {
    let text: String = text.nfkc().collect::<String>().to_lowercase();
    text.trim()
        .trim_end_matches(['.', '\u{3002}', '!'])
        .trim()
        .to_owned()
}

fn understood(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    if let Some(at) = stamped(text, now) {
        return Ok(ScheduleTime::Once { at, zone: None });
    }
    match text.chars().any(is_han) {
        true => chinese::read(text, now),
        false => english::read(text, now),
    }
}

/// A time with the zone whose clock it is by, where words name one; `None` where they name none.
fn elsewhere(text: &str, now: &Zoned) -> Option<Result<(ScheduleTime, Option<String>), WordsFault>> {
    if text.chars().count() > WORDS_MAX_CHARACTERS {
        return None;
    }
    let (mut fault, mut unknown, mut two) = (None, None, None);
    let mut looks = 0;
    for (rest, name) in zones::splits(&normal(text)) {
        let zone = zones::named(&name);
        match (understood(&rest, &zones::there(zone.as_deref(), now)), zone) {
            (Ok(time), Some(zone)) => return Some(Ok((time, Some(zone)))),
            // What stands around it is a time, so it was meant as the name of a zone.
            (Ok(_), None) => unknown = unknown.or(Some(name)),
            (Err(WordsFault::NotUnderstood), Some(zone)) if two.is_none() && looks < SECOND_ZONE_LOOKS => {
                looks += 1;
                two = two_zones(&rest, &zone, now);
            }
            (Err(WordsFault::NotUnderstood), _) | (Err(_), None) => {}
            (Err(other), Some(_)) => fault = fault.or(Some(other)),
        }
    }
    let unknown = unknown.map(|name| zones::no_such_zone(&name));
    fault.or(two).or(unknown).map(Err)
}

/// The fault of words that name another zone beside the first one: without both they say a time.
fn two_zones(rest: &str, first: &str, now: &Zoned) -> Option<WordsFault> {
    zones::splits(rest).into_iter().find_map(|(time, name)| {
        if understood(&time, now) == Err(WordsFault::NotUnderstood) {
            return None;
        }
        let second = zones::named(&name).filter(|second| second != first)?;
        let first = first.to_owned();
        Some(WordsFault::TwoZonesNamed { first, second })
    })
}

/// A moment as programs and models write it: `2026-11-30T08:00:00Z`, `…[Europe/Berlin]`, or by the clock on the wall.
fn stamped(text: &str, now: &Zoned) -> Option<Moment> {
    let is_stamp = text
        .as_bytes()
        .get(10)
        .is_some_and(|byte| matches!(byte, b'T' | b't'));
    if !is_stamp {
        return None;
    }
    let zoned = || {
        // Read as a time alone, it would lose the zone that stands in brackets.
        if text.contains('[') {
            return text.parse::<Zoned>().ok().map(|time| time.timestamp());
        }
        let time: jiff::civil::DateTime = text.parse().ok()?;
        Some(time.to_zoned(now.time_zone().clone()).ok()?.timestamp())
    };
    let stamp: Option<jiff::Timestamp> = text.parse().ok();
    stamp.or_else(zoned).map(Moment::from)
}

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}
