//! What a look at a schedule finds: nothing to do, another next time, or times that have come.
//!
//! The one place that decides it. Who looks gives the clock, the record and whether something is at work, and writes what is
//! decided.

use crate::missed::{SkipReason, Turn, turns};
use crate::next::next;
use jiff::Zoned;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime};

/// A schedule at the time of a look.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    pub time: &'a ScheduleTime,
    pub policy: MissedPolicy,
    /// When it comes next.
    pub due: Moment,
    /// The newest time on record; needed where [`is_moved`] holds.
    pub newest: Option<Moment>,
    /// Why nothing of it can begin now; needed once it is due.
    pub busy: Option<SkipReason>,
}

/// What a look finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// Its next time is still to come.
    Waits,
    /// Its next time is another one now: the clock was set, or its user has come to another zone.
    Moves(Option<Moment>),
    /// Times have come, the older ones first. At most one turn is done.
    Takes { turns: Vec<Turn>, next: Option<Moment> },
}

/// Looks at a schedule that has a next time.
#[must_use]
pub fn look(seen: &Seen<'_>, now: &Zoned) -> Look {
    let Seen { time, policy, .. } = *seen;
    if seen.due <= Moment::from(now.timestamp()) {
        return Look::Takes {
            turns: turns(time, policy, seen.due, seen.busy, now),
            next: next(time, now),
        };
    }
    if !matches!(time, ScheduleTime::Cron { .. }) {
        return Look::Waits;
    }
    let again = next(time, now);
    // What is on record at a time is not done again because the clock went back.
    let is_on_record = seen
        .newest
        .is_some_and(|newest| again.is_some_and(|again| again <= newest));
    match again == Some(seen.due) || is_on_record {
        true => Look::Waits,
        false => Look::Moves(again),
    }
}

/// Whether a time that is still to come is no longer the next one.
#[must_use]
pub fn is_moved(time: &ScheduleTime, due: Moment, now: &Zoned) -> bool {
    let is_by_the_wall = matches!(time, ScheduleTime::Cron { .. });
    is_by_the_wall && due > Moment::from(now.timestamp()) && next(time, now) != Some(due)
}
