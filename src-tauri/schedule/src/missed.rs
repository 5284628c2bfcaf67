//! What becomes of times that have come: they are done now, or skipped with a reason.
//!
//! However many went by, one is done at most. The record of a time counts those before it that it stands for.

use crate::next::next;
use jiff::Zoned;
use shidi_locales::Language;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime};

/// As late as that, a time counts as kept: a machine is busy, or wakes up.
pub const LATE_MS: u64 = 5 * 60 * 1000;

/// Times that were missed are made up for as long after.
pub const CATCH_UP_MS: u64 = 24 * 60 * 60 * 1000;

/// Times of a crontab that are counted, since each is looked for: of one of every minute, a week.
const COUNTED_MAX: u32 = 10_080;

const MINUTE_MS: u64 = 60 * 1000;

/// Why a time is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// The run before it goes on.
    AtWork,
    /// The run before it waits for its user.
    Waiting,
    /// It came to light too late to count as kept, and its user wants none made up for.
    NotMadeUp,
    /// It came to light more than a day late.
    TooLate,
}

impl SkipReason {
    const ALL: [Self; 4] = [Self::AtWork, Self::Waiting, Self::NotMadeUp, Self::TooLate];

    /// The name that is kept with a record.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtWork => "at_work",
            Self::Waiting => "waiting",
            Self::NotMadeUp => "not_made_up",
            Self::TooLate => "too_late",
        }
    }

    /// The reason that a record keeps; `None` for a name that this version does not know.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// The sentence for its user.
    #[must_use]
    pub fn told(self, language: Language) -> String {
        let say = language.schedule();
        match self {
            Self::AtWork => say.skipped_at_work().to_owned(),
            Self::Waiting => say.skipped_waiting().to_owned(),
            Self::NotMadeUp => say.skipped_not_made_up(LATE_MS / MINUTE_MS),
            Self::TooLate => say.skipped_too_late().to_owned(),
        }
    }
}

/// Whether a time that has come is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    Now,
    Skipped(SkipReason),
}

impl Dispatch {
    /// Skipped where there is a reason to.
    #[must_use]
    pub fn unless(reason: Option<SkipReason>) -> Self {
        reason.map_or(Self::Now, Self::Skipped)
    }
}

/// Times that have come and have one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The newest of them.
    pub due: Moment,
    /// How many times before it the record stands for. Of a crontab no more than a week of minutes are counted.
    pub missed: u32,
    pub dispatch: Dispatch,
}

/// Why a time is skipped that came to light so late, in milliseconds.
#[must_use]
pub fn too_late(policy: MissedPolicy, late_ms: u64) -> Option<SkipReason> {
    match policy {
        MissedPolicy::Once => (late_ms >= CATCH_UP_MS).then_some(SkipReason::TooLate),
        MissedPolicy::Skip => (late_ms > LATE_MS).then_some(SkipReason::NotMadeUp),
    }
}

/// What becomes of the times from `due` to `now`, the older ones first. `busy` says why none can begin.
///
/// The last of them makes up for all others. Where its user wants none made up for, those that are late have a record of their
/// own.
pub(crate) fn turns(
    time: &ScheduleTime,
    policy: MissedPolicy,
    due: Moment,
    busy: Option<SkipReason>,
    now: &Zoned,
) -> Vec<Turn> {
    let moment = Moment::from(now.timestamp());
    let mut turns = Vec::new();
    let mut first = Some(due);
    let late = Moment(moment.0.saturating_sub_unsigned(LATE_MS + 1));
    if policy == MissedPolicy::Skip && due <= late {
        let (due, missed) = newest(time, due, late, now);
        first = next(time, &at(due, now)).filter(|next| *next <= moment);
        let dispatch = Dispatch::Skipped(SkipReason::NotMadeUp);
        turns.push(Turn {
            due,
            missed,
            dispatch,
        });
    }
    if let Some(first) = first {
        let (due, missed) = newest(time, first, moment, now);
        turns.push(Turn {
            due,
            missed,
            dispatch: Dispatch::unless(too_late(policy, moment.since(due)).or(busy)),
        });
    }
    turns
}

/// The newest time from `first` to `until`, and how many of those come before it.
fn newest(time: &ScheduleTime, first: Moment, until: Moment, now: &Zoned) -> (Moment, u32) {
    if let ScheduleTime::Every { seconds, from } = time {
        return newest_of_interval(u64::from(*seconds).max(1) * 1000, *from, first, until);
    }
    let later = |than: Moment| next(time, &at(than, now)).filter(|later| *later <= until);
    let (mut due, mut missed) = (first, 0);
    while missed < COUNTED_MAX
        && let Some(next) = later(due)
    {
        due = next;
        missed += 1;
    }
    // Of more than are counted, the newest one still decides.
    if missed == COUNTED_MAX {
        let day_before = Moment(until.0.saturating_sub_unsigned(CATCH_UP_MS)).max(due);
        let of_the_day = std::iter::successors(later(day_before), |due| later(*due));
        due = of_the_day.take(COUNTED_MAX as usize).last().unwrap_or(due);
    }
    (due, missed)
}

fn newest_of_interval(pause_ms: u64, from: Moment, first: Moment, until: Moment) -> (Moment, u32) {
    let before = |moment: Moment| moment.since(from) / pause_ms;
    match before(until).saturating_sub(before(first)) {
        0 => (first, 0),
        missed => (
            from.after(before(until).saturating_mul(pause_ms)),
            u32::try_from(missed).unwrap_or(u32::MAX),
        ),
    }
}

/// A moment by the clock of `now`'s zone.
fn at(moment: Moment, now: &Zoned) -> Zoned {
    moment.timestamp().to_zoned(now.time_zone().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_known_again_by_its_name_and_has_words_in_every_language() {
        for reason in SkipReason::ALL {
            assert_eq!(SkipReason::named(reason.name()), Some(reason));
            for language in Language::ALL {
                assert!(!reason.told(*language).is_empty());
            }
        }
        assert_eq!(SkipReason::named("moonlight"), None);
    }
}
