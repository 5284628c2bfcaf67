//! Times in English.

use crate::calendar::{WEEKEND, WORKDAYS, monthly, weekly};
use crate::clock::{
    Clock, Part, clock, dashed, days_away, days_on, delay, every, of_week, once, once_on, soonest,
};
use crate::fault::WordsFault;
use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Zoned};
use regex::{Captures, Regex};
use shidi_protocol::ScheduleTime;
use std::sync::LazyLock;

/// Words for numbers, in their order from zero.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];
const TENS: [(&str, &str); 6] = [
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("ninety", "90"),
];
const DAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

#[expect(
    clippy::unwrap_used,
    reason = "the expressions are constants, and a test reads each"
)]
fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static DELAY: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^(?:in )?(half an|an?|\d+(?:\.\d+)?) (second|sec|minute|min|hour|hr|day|week)s?(?: from now)?$")
});
static EVERY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:every|each) (?:(half an|half|an?|\d+(?:\.\d+)?) )?(minute|min|hour|hr)s?$"));
static MONTHLY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(?:every month|each month|monthly) (?:on )?(?:the |day )?(\d{1,2})(?:st|nd|rd|th)?|(?:every|each) (?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (?:every|each|the) month)?) (.+)$",
    )
});
static PLURAL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:on )?((?:(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and | )?)+)(?: ?(at .*|\d.*|noon|midnight))?$",
    )
});
static WEEKLY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:every|each|on|weekly on|weekly) ((?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?: and | to | |-)?)+?)(?: (.*))?$",
    )
});
static DAILY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(?:every|each|on) (workdays?|weekdays?|working days?|business days?|weekends?|days?|mornings?|afternoons?|evenings?|nights?)|(workdays?|weekdays?|working days|business days|weekends|daily|mornings|afternoons|evenings|nights))(?: (.*))?$",
    )
});
static ON: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(today|tonight|tomorrow|the day after tomorrow|day after tomorrow|(?:(?:next|this|on|coming) )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:on )?\d{4}-\d{1,2}-\d{1,2}|(?:on )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?(?: \d{4})?|(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: \d{4})?|in (?:an?|\d{1,4}) weeks? (?:on )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|in (?:an?|\d{1,4}) (?:day|week)s?|(?:an?|\d{1,4}) (?:day|week)s? (?:from now|later))(?: (.*))?$",
    )
});
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(?:(in the |at )?(morning|afternoon|evening|night) )?(?:at )?(?:(half past|quarter past|quarter to) )?(noon|midday|midnight|\d{1,2})(?:[:.](\d{2}))?(?: ?o'?clock)? ?(am|pm)?(?: (?:in the |at )?(morning|afternoon|evening|night))?(?: (?:today|sharp))?$",
    )
});
static NUMBER_WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"[a-z]+"));

/// Reads a time in lower-case words.
pub fn read(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let text = plain(text);
    if let Some(told) = DELAY
        .captures(&text)
        .filter(|told| text.starts_with("in ") || text.ends_with("now") || told[1].parse::<f64>().is_ok())
    {
        return delay(number(&told[1]) * unit(&told[2]), now);
    }
    if text == "hourly" {
        return every(3600.0, now);
    }
    if let Some(told) = EVERY.captures(&text) {
        let count = told.get(1).map_or(1.0, |count| number(count.as_str()));
        return every(count * unit(&told[2]), now);
    }
    if let Some(told) = MONTHLY.captures(&text) {
        let day = told.get(1).or(told.get(2)).map_or("", |day| day.as_str());
        let day = day.parse().map_err(|_| WordsFault::NoSuchTime)?;
        return monthly(day, time_of_day(&told[3], None)?);
    }
    if let Some(told) = WEEKLY.captures(&text).filter(|_| !text.starts_with("on ")) {
        return weekly(&days(&told[1])?, rest(&told, 2, None)?);
    }
    if let Some(told) = PLURAL.captures(&text) {
        return weekly(&days(&told[1])?, rest(&told, 2, None)?);
    }
    if let Some(told) = DAILY.captures(&text) {
        let name = group(&told);
        return weekly(of_group(name), rest(&told, 3, part(name))?);
    }
    if let Some(told) = ON.captures(&text) {
        let part = (&told[1] == "tonight").then_some(Part::Evening);
        day_exists(&told[1], now)?;
        return on(&told[1], rest(&told, 2, part)?, now);
    }
    on_day_after(&text, now)
}

/// A time first and then the day, `at 8 tomorrow`, or a time alone.
fn on_day_after(text: &str, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let words: Vec<&str> = text.split(' ').collect();
    for cut in 1..words.len() {
        let (before, after) = (words[..cut].join(" "), words[cut..].join(" "));
        let Ok(clock) = time_of_day(&before, None) else {
            continue;
        };
        if let Some(told) = DAILY.captures(&after).filter(|told| told.get(3).is_none()) {
            let name = group(&told);
            return weekly(of_group(name), time_of_day(&before, part(name))?);
        }
        if let Some(told) = PLURAL.captures(&after).filter(|told| told.get(2).is_none()) {
            return weekly(&days(&told[1])?, clock);
        }
        if let Some(told) = WEEKLY
            .captures(&after)
            .filter(|told| told.get(2).is_none() && !after.starts_with("on "))
        {
            return weekly(&days(&told[1])?, clock);
        }
        if let Some(told) = ON.captures(&after).filter(|told| told.get(2).is_none()) {
            let part = (&told[1] == "tonight").then_some(Part::Evening);
            return on(&told[1], time_of_day(&before, part)?, now);
        }
    }
    soonest(time_of_day(text, None)?, now)
}

/// Numbers in digits, single spaces, no commas.
fn plain(text: &str) -> String {
    let text = text.replace([',', ';'], " ");
    let text = text.replace("a.m", "am").replace("p.m", "pm").replace("m.", "m");
    let text = NUMBER_WORD.replace_all(&text, |word: &Captures<'_>| {
        let word = &word[0];
        let ten = TENS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, digits)| (*digits).to_owned());
        let unit = NUMBERS
            .iter()
            .position(|name| *name == word)
            .map(|number| number.to_string());
        ten.or(unit).unwrap_or_else(|| word.to_owned())
    });
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn number(text: &str) -> f64 {
    match text {
        "half an" | "half" => 0.5,
        "a" | "an" => 1.0,
        digits => digits.parse().unwrap_or(0.0),
    }
}

/// Seconds.
fn unit(name: &str) -> f64 {
    match name {
        "second" | "sec" => 1.0,
        "minute" | "min" => 60.0,
        "hour" | "hr" => 3600.0,
        "day" => 86_400.0,
        _ => 7.0 * 86_400.0,
    }
}

/// The word for several days.
fn group<'a>(told: &'a Captures<'_>) -> &'a str {
    told.get(1).or(told.get(2)).map_or("", |name| name.as_str())
}

/// The days that a word for several means; none for all.
fn of_group(name: &str) -> &'static [Weekday] {
    match name {
        name if name.starts_with("weekend") => &WEEKEND,
        name if name.starts_with("work") || name.starts_with("weekday") || name.starts_with("business") => {
            &WORKDAYS
        }
        _ => &[],
    }
}

fn part(name: &str) -> Option<Part> {
    match name.trim_end_matches('s') {
        "morning" => Some(Part::Morning),
        "afternoon" => Some(Part::Afternoon),
        "evening" | "night" => Some(Part::Evening),
        _ => None,
    }
}

fn rest(told: &Captures<'_>, group: usize, part: Option<Part>) -> Result<Clock, WordsFault> {
    match told.get(group) {
        Some(text) => time_of_day(text.as_str(), part),
        None => Err(WordsFault::NoClock),
    }
}

/// A time of the day, in the part of it that was told before.
fn time_of_day(text: &str, before: Option<Part>) -> Result<Clock, WordsFault> {
    let told = CLOCK.captures(text).ok_or(WordsFault::NotUnderstood)?;
    let at = |group: usize| told.get(group).map(|found| found.as_str());
    let spoken = at(2).or(at(7)).and_then(part);
    let half = match at(6) {
        Some("am") => Some(Part::Morning),
        Some("pm") => Some(Part::Afternoon),
        _ => spoken.or(before),
    };
    let hour = match at(4).unwrap_or_default() {
        "noon" | "midday" => 12,
        "midnight" => 24,
        digits => digits.parse().map_err(|_| WordsFault::NoSuchTime)?,
    };
    // After noon, 12 is the noon; in the evening it is the midnight.
    let half = match (half, hour) {
        (Some(Part::Afternoon), 12) | (_, 24) => None,
        (half, _) => half,
    };
    match (at(3), at(5)) {
        (None, minute) => clock(
            hour,
            minute
                .map_or(Ok(0), str::parse)
                .map_err(|_| WordsFault::NoSuchTime)?,
            half,
        ),
        (Some("half past"), None) => clock(hour, 30, half),
        (Some("quarter past"), None) => clock(hour, 15, half),
        (Some(_), None) => Ok(quarter_before(clock(hour, 0, half)?)),
        (Some(_), Some(_)) => Err(WordsFault::NotUnderstood),
    }
}

fn quarter_before(clock: Clock) -> Clock {
    Clock {
        time: clock.time.wrapping_sub(15.minutes()),
        // A quarter before the midnight that ends a day is still that day.
        next_day: clock.next_day && clock.time.hour() > 0,
    }
}

/// `mon`, `tues`, `wednesdays`; not `month`.
fn weekday(name: &str) -> Option<Weekday> {
    let name = name.trim_end_matches('s');
    let found = DAYS
        .iter()
        .find(|(day, _)| name.len() >= 3 && day.starts_with(name));
    found.map(|(_, day)| *day)
}

/// `monday to friday`, `mon, wed and fri`.
fn days(text: &str) -> Result<Vec<Weekday>, WordsFault> {
    let text = text.replace('-', " to ");
    let mut days: Vec<Weekday> = Vec::new();
    let mut to = false;
    for word in text.split_whitespace().filter(|word| *word != "and") {
        if word == "to" {
            to = true;
            continue;
        }
        let day = weekday(word).ok_or(WordsFault::NotUnderstood)?;
        match days.last().copied().filter(|_| to) {
            Some(from) => days.extend(from.cycle_forward().skip(1).take(from.until(day) as usize)),
            None => days.push(day),
        }
        to = false;
    }
    Ok(days)
}

/// Whether there is such a day, also where the time of it is missing.
fn day_exists(text: &str, now: &Zoned) -> Result<(), WordsFault> {
    match text.contains(|character: char| character.is_ascii_digit()) {
        true => date(text, now).map(|_| ()),
        false => Ok(()),
    }
}

/// Once on that day.
fn on(text: &str, clock: Clock, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let named = ["on ", "this ", "coming "]
        .iter()
        .find_map(|before| text.strip_prefix(before));
    match weekday(named.unwrap_or(text)) {
        Some(day) => once_on(day, clock, now),
        None => once(date(text, now)?, clock, now),
    }
}

fn date(text: &str, now: &Zoned) -> Result<Date, WordsFault> {
    let text = text.strip_prefix("on ").unwrap_or(text);
    match text {
        "today" | "tonight" => return days_on(now, 0),
        "tomorrow" => return days_on(now, 1),
        "the day after tomorrow" | "day after tomorrow" => return days_on(now, 2),
        _ => {}
    }
    if let Some((weeks, day)) = weeks_and_day(text) {
        return of_week(now, day, weeks);
    }
    if let Some(days) = interval(text) {
        return days_away(now, days);
    }
    if let Some(date) = dashed(text) {
        return date;
    }
    if let Some(name) = text.strip_prefix("next ") {
        return of_week(now, weekday(name).ok_or(WordsFault::NotUnderstood)?, 1);
    }
    of_month(text, now)
}

/// The weeks and the day in `in 2 weeks on monday`.
fn weeks_and_day(text: &str) -> Option<(i64, Weekday)> {
    let (before, day) = text.rsplit_once(' ')?;
    let weeks = interval(before.strip_suffix(" on").unwrap_or(before))?;
    Some((weeks / 7, weekday(day)?))
}

/// The days in `in 2 days`, `in a week`, `3 days from now`.
fn interval(text: &str) -> Option<i64> {
    let after = [" from now", " later"];
    let ends = || after.iter().find_map(|end| text.strip_suffix(end));
    let told = text.strip_prefix("in ").or_else(ends)?;
    let (count, unit) = told.split_once(' ')?;
    let count = match count {
        "a" | "an" => 1,
        digits => digits.parse().ok()?,
    };
    let days = if unit.starts_with("week") { 7 } else { 1 };
    Some(count * days)
}

/// `december 1st 2026`, `the 1st of december`.
fn of_month(text: &str, now: &Zoned) -> Result<Date, WordsFault> {
    let mut month = None;
    let mut numbers = Vec::new();
    for word in text.split(' ') {
        let digits = word.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        match digits.parse::<i16>() {
            Ok(number) => numbers.push(number),
            Err(_) => month = month.or(MONTHS.iter().position(|start| word.starts_with(start))),
        }
    }
    let month = month.and_then(|month| i8::try_from(month + 1).ok());
    let day = numbers.first().and_then(|day| i8::try_from(*day).ok());
    let (Some(month), Some(day)) = (month, day) else {
        return Err(WordsFault::NotUnderstood);
    };
    match numbers.get(1) {
        Some(year) => Date::new(*year, month, day).map_err(|_| WordsFault::NoSuchTime),
        None => coming(month, day, now),
    }
}

/// That day of a month, in this year or the next.
pub fn coming(month: i8, day: i8, now: &Zoned) -> Result<Date, WordsFault> {
    let this = Date::new(now.year(), month, day);
    match this {
        Ok(date) if date >= now.date() => Ok(date),
        Ok(_) | Err(_) => Date::new(now.year() + 1, month, day).map_err(|_| WordsFault::NoSuchTime),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_expression_can_be_read() {
        for expression in [
            &DELAY,
            &EVERY,
            &MONTHLY,
            &PLURAL,
            &WEEKLY,
            &DAILY,
            &ON,
            &CLOCK,
            &NUMBER_WORD,
        ] {
            assert!(!expression.is_match("?"));
        }
    }
}
