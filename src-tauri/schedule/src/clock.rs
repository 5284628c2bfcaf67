//! The time of a day, and days that are named from today.

use crate::fault::WordsFault;
use jiff::civil::{Date, Time, Weekday};
use jiff::{ToSpan, Zoned};
use shidi_protocol::{Moment, ScheduleTime};

/// The hour at which nobody says "tonight" of the hours before any more.
const NIGHT_ENDS: i8 = 5;

/// The part of a day that says which half of it an hour is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Night,
    Morning,
    Noon,
    Afternoon,
    Evening,
}

/// A time of a day; `next_day` where the midnight is meant that ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    pub time: Time,
    pub next_day: bool,
}

/// The time that an hour and a minute mean in a part of the day.
///
/// # Errors
/// An hour or a minute that no day has.
pub fn clock(hour: u8, minute: u8, part: Option<Part>) -> Result<Clock, WordsFault> {
    let (hour, next_day) = match (part, hour) {
        (Some(Part::Evening), 12) | (None, 24) => (0, true),
        (Some(Part::Night | Part::Morning), 12) => (0, false),
        // One in the evening is after midnight.
        (Some(Part::Evening), 1..=4) => (hour, true),
        (Some(Part::Night), 9..=11)
        | (Some(Part::Afternoon | Part::Evening), 1..=11)
        | (Some(Part::Noon), 1..=3) => (hour + 12, false),
        (_, hour) => (hour, false),
    };
    let (hour, minute) = (i8::try_from(hour), i8::try_from(minute));
    let time = match (hour, minute) {
        (Ok(hour), Ok(minute)) => Time::new(hour, minute, 0, 0).ok(),
        (Err(_), _) | (_, Err(_)) => None,
    };
    let time = time.ok_or(WordsFault::NoSuchTime)?;
    Ok(Clock { time, next_day })
}

/// Once, at a day and a time of it.
///
/// # Errors
/// A date beyond the calendar.
pub fn once(date: Date, clock: Clock, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    // Who says at half past midnight "tonight at one" means half an hour from then.
    let is_same_night = date == now.date() && now.hour() < NIGHT_ENDS && now.time() < clock.time;
    let date = match clock.next_day && !is_same_night {
        true => date.tomorrow().map_err(|_| WordsFault::NoSuchTime)?,
        false => date,
    };
    // A time that a change of the clock leaves out is the one after it.
    let at = date.to_datetime(clock.time).to_zoned(now.time_zone().clone());
    let at = at.map_err(|_| WordsFault::NoSuchTime)?;
    Ok(ScheduleTime::Once {
        at: Moment::from(at.timestamp()),
        zone: None,
    })
}

/// Once, when that time of a day comes next.
///
/// # Errors
/// As [`once`].
pub fn soonest(clock: Clock, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let today = once(now.date(), clock, now)?;
    match &today {
        ScheduleTime::Once { at, .. } if *at <= Moment::from(now.timestamp()) => {
            once(days_on(now, 1)?, clock, now)
        }
        _ => Ok(today),
    }
}

/// The date so many days from now.
///
/// # Errors
/// A date beyond the calendar.
pub fn days_on(now: &Zoned, days: i64) -> Result<Date, WordsFault> {
    now.date()
        .checked_add(days.days())
        .map_err(|_| WordsFault::NoSuchTime)
}

/// The day after so many, told as an interval.
///
/// # Errors
/// More than a year.
pub fn days_away(now: &Zoned, days: i64) -> Result<Date, WordsFault> {
    match days {
        0..=366 => days_on(now, days),
        _ => Err(WordsFault::Interval),
    }
}

/// That day of a week that begins on Monday, so many weeks from this one.
///
/// # Errors
/// A date beyond the calendar.
pub fn of_week(now: &Zoned, day: Weekday, weeks_on: i64) -> Result<Date, WordsFault> {
    let today = i64::from(now.date().weekday().to_monday_zero_offset());
    days_on(now, i64::from(day.to_monday_zero_offset()) - today + 7 * weeks_on)
}

/// Once, on the next such day on which that time is still to come.
///
/// # Errors
/// A date beyond the calendar.
pub fn once_on(day: Weekday, clock: Clock, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let today = i64::from(now.date().weekday().to_monday_zero_offset());
    let days = (i64::from(day.to_monday_zero_offset()) - today).rem_euclid(7);
    let this = once(days_on(now, days)?, clock, now)?;
    match &this {
        ScheduleTime::Once { at, .. } if *at <= Moment::from(now.timestamp()) => {
            once(days_on(now, days + 7)?, clock, now)
        }
        _ => Ok(this),
    }
}

/// A date with its parts in the order of the calendar, whether their zeros are written or not; `None` where it is none.
///
/// # Errors
/// A day that its month does not have.
pub fn dashed(text: &str) -> Option<Result<Date, WordsFault>> {
    let parts: Vec<i16> = text.split('-').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [year, month, day] = parts.as_slice() else {
        return None;
    };
    let date = Date::new(*year, i8::try_from(*month).ok()?, i8::try_from(*day).ok()?);
    Some(date.map_err(|_| WordsFault::NoSuchTime))
}

/// So long from now.
///
/// # Errors
/// Nothing, or more than a year.
pub fn delay(seconds: f64, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    let seconds = bounded(seconds, 1.0)?;
    Ok(ScheduleTime::Once {
        at: Moment::from(now.timestamp()).after(u64::from(seconds) * 1000),
        zone: None,
    })
}

/// The shortest interval, in seconds.
pub const LEAST_SECONDS: f64 = 60.0;

/// Again and again after so long, from now.
///
/// # Errors
/// Less than a minute, or more than a year.
pub fn every(seconds: f64, now: &Zoned) -> Result<ScheduleTime, WordsFault> {
    Ok(ScheduleTime::Every {
        seconds: bounded(seconds, LEAST_SECONDS)?,
        from: Moment::from(now.timestamp()),
    })
}

/// Whole seconds.
///
/// # Errors
/// Less than `least`, or more than a year.
pub fn bounded(seconds: f64, least: f64) -> Result<u32, WordsFault> {
    const YEAR_SECONDS: f64 = 366.0 * 24.0 * 3600.0;
    match (least..=YEAR_SECONDS).contains(&seconds) {
        true => Ok(seconds.round() as u32),
        false => Err(WordsFault::Interval),
    }
}
