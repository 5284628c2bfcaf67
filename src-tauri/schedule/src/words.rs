//! Words that mean a time, whichever language they are in.

use crate::calendar::checked_cron;
use crate::clock::{LEAST_SECONDS, bounded};
use crate::fault::WordsFault;
use crate::{chinese, english, events};
use jiff::Zoned;
use shidi_protocol::{Moment, ScheduleTime, ScheduleWords};
use unicode_normalization::UnicodeNormalization;

/// More than that says something else than a time.
const WORDS_MAX_CHARACTERS: usize = 200;

/// Reads a time, seen from `now` and its zone.
///
/// # Errors
/// Words that mean none, or one that a schedule can't have.
pub fn read(words: &ScheduleWords, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let time = match words {
        ScheduleWords::Cron { text } => checked_cron(text.trim())?,
        // A time that names what is done then, too, is a time: "every Friday at 5 …".
        ScheduleWords::Plain { text } => match (plain(text, now), events::read(text)) {
            (Err(_), Some(event)) => event?,
            (time, _) => time?,
        },
        ScheduleWords::Change { path } => events::change(path)?,
        ScheduleWords::Job { name } => events::job(name),
    };
    check(time, now)
}

/// A time that a schedule can have, seen from `now` and its zone.
///
/// # Errors
/// What has passed, never comes, comes too often, or names no whole path.
pub fn check(time: ScheduleTime, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    match time {
        ScheduleTime::Once { at } if at <= Moment::from(now.timestamp()) => Err(WordsFault::Past),
        ScheduleTime::Once { .. } | ScheduleTime::Job { .. } => Ok(time),
        ScheduleTime::Change { path, .. } => events::change(&path),
        ScheduleTime::Every { seconds, .. } => bounded(f64::from(seconds), LEAST_SECONDS).map(|_| time),
        ScheduleTime::Cron { expression } => {
            let time = checked_cron(&expression)?;
            crate::next(&time, now).ok_or(WordsFault::Never)?;
            Ok(time)
        }
    }
}

fn plain(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    if text.chars().count() > WORDS_MAX_CHARACTERS {
        return Err(WordsFault::NotUnderstood);
    }
    if let Some(at) = stamped(text.trim(), now) {
        return Ok(ScheduleTime::Once { at });
    }
    // Wide digits and colons are what they look like.
    let text: String = text.nfkc().collect::<String>().to_lowercase();
    let text = text.trim().trim_end_matches(['.', '\u{3002}', '!']).trim();
    match text.chars().any(is_han) {
        true => chinese::read(text, now),
        false => english::read(text, now),
    }
}

/// A moment as programs and models write it: `2026-11-30T08:00:00Z`, or by the clock on the wall without a zone.
fn stamped(text: &str, now: &Zoned) -> Option<Moment> {
    let is_stamp = text
        .as_bytes()
        .get(10)
        .is_some_and(|byte| matches!(byte, b'T' | b't'));
    if !is_stamp {
        return None;
    }
    let zoned = || {
        let time: jiff::civil::DateTime = text.parse().ok()?;
        Some(time.to_zoned(now.time_zone().clone()).ok()?.timestamp())
    };
    let stamp: Option<jiff::Timestamp> = text.parse().ok();
    stamp.or_else(zoned).map(Moment::from)
}

fn is_han(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}
