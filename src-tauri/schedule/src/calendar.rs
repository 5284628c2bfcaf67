//! Times by the calendar: a crontab's five fields, by the clock on the wall.

use crate::clock::Clock;
use crate::fault::WordsFault;
use jiff::civil::{DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use shidi_protocol::ScheduleTime;

/// The days of the week on which something happens.
pub const WORKDAYS: [Weekday; 5] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
];
pub const WEEKEND: [Weekday; 2] = [Weekday::Saturday, Weekday::Sunday];

/// At that time of those days of the week; of every day where none is named.
///
/// # Errors
/// A midnight that ends a day: with days of the week it is said of the day after.
pub fn weekly(days: &[Weekday], clock: Clock) -> Result<ScheduleTime, WordsFault> {
    let days = match days {
        [] => "*".to_owned(),
        days => {
            let mut days: Vec<i8> = days
                .iter()
                .map(|day| (day.to_sunday_zero_offset() + i8::from(clock.next_day)) % 7)
                .collect();
            days.sort_unstable();
            days.dedup();
            let days: Vec<String> = days.iter().map(i8::to_string).collect();
            days.join(",")
        }
    };
    checked_cron(&format!(
        "{} {} * * {days}",
        clock.time.minute(),
        clock.time.hour()
    ))
}

/// At that time of that day of each month; months that have none are left out.
///
/// # Errors
/// A day that no month has, or a midnight that ends a day.
pub fn monthly(day: u8, clock: Clock) -> Result<ScheduleTime, WordsFault> {
    match (1..=31).contains(&day) && !clock.next_day {
        true => checked_cron(&format!(
            "{} {} {day} * *",
            clock.time.minute(),
            clock.time.hour()
        )),
        false => Err(WordsFault::NoSuchTime),
    }
}

/// A crontab that can be read.
///
/// # Errors
/// Another number of fields, or what one of them says.
pub fn checked_cron(expression: &str) -> Result<ScheduleTime, WordsFault> {
    let fields: Vec<&str> = expression.split_whitespace().collect();
    if fields.len() != 5 {
        return Err(WordsFault::CronFields(fields.len() as u64));
    }
    let expression = fields.join(" ");
    parsed(&expression).map_err(WordsFault::Cron)?;
    Ok(ScheduleTime::Cron {
        expression,
        zone: None,
    })
}

fn parsed(expression: &str) -> Result<cronexpr::Crontab, String> {
    // The clock on the wall is read as if it were that of UTC, which never changes.
    let crontab = cronexpr::parse_crontab(&format!("{expression} UTC"));
    crontab.map_err(|cause| reason(&cause.to_string()))
}

/// What is wrong, without the line of what was read, which holds a zone of ours, and the mark below it.
fn reason(told: &str) -> String {
    let last = told.rsplit('^').next().unwrap_or(told);
    last.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Searches that a time costs at most: a day of minutes, the most that a change of the clock has left out or repeated.
const SEARCHES_MAX: usize = 1_500;

/// The next time of a crontab after a moment.
pub fn next_of(expression: &str, after: &Zoned) -> Option<Timestamp> {
    let crontab = parsed(expression).ok()?;
    let mut wall = search_from(after);
    let mut soonest: Option<Zoned> = None;
    for _ in 0..SEARCHES_MAX {
        let Some(next) = next_on_wall(&crontab, wall) else {
            break;
        };
        if soonest.as_ref().is_some_and(|soonest| next >= soonest.datetime()) {
            break;
        }
        wall = next;
        // A time that is left out comes after the change, one that is repeated comes the first time.
        let at = wall.to_zoned(after.time_zone().clone()).ok()?;
        if at.timestamp() <= after.timestamp() {
            continue;
        }
        let is_put_off = at.datetime() != wall;
        soonest = Some(match soonest {
            Some(soonest) if soonest <= at => soonest,
            Some(_) | None => at,
        });
        // One that is left out may come after another one that is not.
        if !is_put_off {
            break;
        }
    }
    soonest.map(|soonest| soonest.timestamp())
}

/// The time on the wall after which the next one is looked for. Where the clock went forward within a day, those that were left
/// out then may still come.
fn search_from(after: &Zoned) -> DateTime {
    let zone = after.time_zone();
    let now = after.timestamp();
    let day_before = now.checked_sub(SignedDuration::from_hours(24)).unwrap_or(now);
    let forward = after.offset().seconds() - zone.to_offset(day_before).seconds();
    let left_out = SignedDuration::from_secs(i64::from(forward.max(0)));
    after.datetime().saturating_sub(left_out)
}

fn next_on_wall(crontab: &cronexpr::Crontab, wall: DateTime) -> Option<DateTime> {
    let as_utc = wall.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let next = crontab.find_next(as_utc).ok()?;
    Some(next.timestamp().to_zoned(TimeZone::UTC).datetime())
}
