//! When a schedule comes next.

use crate::calendar::next_of;
use crate::zones;
use jiff::Zoned;
use shidi_protocol::{Moment, ScheduleTime};

/// The first time after `now`; `None` when none comes any more. The clock is that of its own zone, else of `now`'s.
#[must_use]
pub fn next(time: &ScheduleTime, now: &Zoned) -> Option<Moment> {
    let after = Moment::from(now.timestamp());
    match time {
        ScheduleTime::Once { at, .. } => (*at > after).then_some(*at),
        ScheduleTime::Every { seconds, from } => {
            let pause = u64::from(*seconds).max(1) * 1000;
            let times = after.since(*from) / pause + 1;
            Some(from.after(times.saturating_mul(pause)))
        }
        ScheduleTime::Cron { expression, zone } => {
            next_of(expression, &zones::there(zone.as_deref(), now)).map(Moment::from)
        }
        ScheduleTime::Change { .. } | ScheduleTime::Job { .. } => None,
    }
}

/// The first `count` times after `now`.
#[must_use]
pub fn first(time: &ScheduleTime, now: &Zoned, count: usize) -> Vec<Moment> {
    let mut times = Vec::new();
    let mut after = now.clone();
    while times.len() < count
        && let Some(at) = next(time, &after)
    {
        times.push(at);
        after = at.timestamp().to_zoned(now.time_zone().clone());
    }
    times
}
