//! What is to be done about a time that has come, and about those that went by while nobody was there.

use crate::next::next;
use jiff::Zoned;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime};

/// As late as that, a time counts as kept: a machine is busy, or wakes up.
pub const LATE_MS: u64 = 5 * 60 * 1000;

/// Times that were missed are made up for as long after.
pub const CATCH_UP_MS: u64 = 24 * 60 * 60 * 1000;

/// Times that are counted: of a schedule of every minute, a week.
const COUNTED_MAX: u32 = 10_080;

/// What is to be done now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The newest time that has come.
    pub due: Moment,
    /// Whether it is done.
    pub runs: bool,
    /// How many times before it were missed.
    pub missed: u32,
    pub next: Option<Moment>,
}

/// What is to be done about a schedule that was due at `due`, or nothing when that is still to come.
///
/// However many times went by, it is done once at most.
#[must_use]
pub fn turn(time: &ScheduleTime, policy: MissedPolicy, due: Moment, now: &Zoned) -> Option<Turn> {
    let moment = Moment::from(now.timestamp());
    if due > moment {
        return None;
    }
    let mut turn = Turn {
        due,
        runs: false,
        missed: 0,
        next: next(time, now),
    };
    while turn.missed < COUNTED_MAX
        && let Some(later) = next(time, &at(turn.due, now)).filter(|later| *later <= moment)
    {
        turn.due = later;
        turn.missed += 1;
    }
    // Of more than are counted, the newest one still decides.
    let day_ago = Moment(moment.0.saturating_sub_unsigned(CATCH_UP_MS));
    if turn.missed == COUNTED_MAX {
        turn.due = newest(time, day_ago.max(turn.due), now).unwrap_or(turn.due);
    }
    let late = moment.since(turn.due);
    turn.runs = match policy {
        MissedPolicy::Once => late < CATCH_UP_MS,
        MissedPolicy::Skip => late <= LATE_MS,
    };
    Some(turn)
}

/// The last time after `since` that has come by now.
fn newest(time: &ScheduleTime, since: Moment, now: &Zoned) -> Option<Moment> {
    let moment = Moment::from(now.timestamp());
    let later = |after: &Moment| next(time, &at(*after, now)).filter(|later| *later <= moment);
    std::iter::successors(Some(since), later)
        .take(COUNTED_MAX as usize)
        .skip(1)
        .last()
}

/// A moment by the clock of `now`'s zone.
fn at(moment: Moment, now: &Zoned) -> Zoned {
    moment.timestamp().to_zoned(now.time_zone().clone())
}
