//! Times of schedules that were skipped: a row of them for one reason deserves one notification. Pure.
//!
//! The history of a schedule keeps them all. A row that lasts is told once a day.

use shidi_protocol::{Moment, ScheduleOutcome, ScheduleRunView};
use std::collections::BTreeMap;

/// Most rows remembered: more than there are schedules.
const ROWS_MAX: usize = 512;
/// Milliseconds after which a row is told again. A daily time is told each day, also where the clock changes.
const TOLD_AGAIN_MS: u64 = 20 * 3_600_000;

/// The rows that go on, by their schedule.
#[derive(Debug, Default)]
pub struct Skips {
    rows: BTreeMap<String, Row>,
}

#[derive(Debug)]
struct Row {
    reason: Option<String>,
    /// The newest time of the row, and the one that was told.
    newest: Moment,
    told: Option<Moment>,
}

impl Skips {
    /// Takes the news of a time down, and says whether it goes on a row that was told already.
    pub fn goes_on(&mut self, run: &ScheduleRunView) -> bool {
        if run.outcome != Some(ScheduleOutcome::Missed) {
            // The run that held the row up began before it, and its news ends nothing.
            let is_later = |row: &Row| run.due > row.newest;
            if self.rows.get(&run.schedule).is_some_and(is_later) {
                self.rows.remove(&run.schedule);
            }
            return false;
        }
        let row = self.rows.get_mut(&run.schedule);
        if let Some(row) = row.filter(|row| row.reason == run.reason) {
            row.newest = row.newest.max(run.due);
            return row.told.is_some_and(|told| run.due.since(told) < TOLD_AGAIN_MS);
        }
        if self.rows.len() >= ROWS_MAX {
            self.rows.pop_first();
        }
        let row = Row {
            reason: run.reason.clone(),
            newest: run.due,
            told: None,
        };
        self.rows.insert(run.schedule.clone(), row);
        false
    }

    /// Notes that a time of its row was shown, or waits to be: a full-screen window lets nobody see it.
    pub fn note_told(&mut self, schedule: &str, due: Moment) {
        if let Some(row) = self.rows.get_mut(schedule) {
            row.told = Some(due);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn news(schedule: &str, minute: i64, outcome: Option<ScheduleOutcome>) -> ScheduleRunView {
        ScheduleRunView {
            schedule: schedule.to_owned(),
            title: String::new(),
            due: Moment(minute * MINUTE),
            dispatched: None,
            started: None,
            finished: None,
            outcome,
            reason: None,
            run: None,
            session: None,
            missed: 0,
            decided: false,
        }
    }

    fn skipped(schedule: &str, minute: i64, reason: &str) -> ScheduleRunView {
        ScheduleRunView {
            reason: Some(reason.to_owned()),
            ..news(schedule, minute, Some(ScheduleOutcome::Missed))
        }
    }

    impl Skips {
        /// Whether the news of a time is told, by somebody who sees it.
        fn told(&mut self, run: &ScheduleRunView) -> bool {
            let goes_on = self.goes_on(run);
            if !goes_on {
                self.note_told(&run.schedule, run.due);
            }
            !goes_on
        }
    }

    #[test]
    fn a_row_that_nobody_could_see_is_told_later() {
        let mut skips = Skips::default();
        assert!(!skips.goes_on(&skipped("1", 1, "at work")));
        assert!(!skips.goes_on(&skipped("1", 2, "at work")), "nothing was shown");
        skips.note_told("1", Moment(2 * MINUTE));
        assert!(skips.goes_on(&skipped("1", 3, "at work")));
    }

    #[test]
    fn a_row_of_skips_of_one_schedule_and_reason_is_told_once() {
        let mut skips = Skips::default();
        assert!(skips.told(&news("1", 0, None)), "it begins");
        assert!(skips.told(&skipped("1", 1, "at work")), "the first one is told");
        assert!(!skips.told(&skipped("1", 2, "at work")));
        assert!(skips.told(&news("1", 0, Some(ScheduleOutcome::Waiting))));
        assert!(
            !skips.told(&skipped("1", 3, "at work")),
            "news of the run before it"
        );
        assert!(skips.told(&skipped("1", 4, "waits")), "another reason");
        assert!(!skips.told(&skipped("1", 5, "waits")));
        assert!(skips.told(&skipped("2", 5, "waits")), "another schedule");
        assert!(skips.told(&news("1", 6, None)), "it is done again");
        assert!(skips.told(&skipped("1", 7, "waits")), "a new row");
    }

    #[test]
    fn a_row_that_lasts_is_told_once_a_day() {
        let mut skips = Skips::default();
        let told = (0..3 * 24 * 60).filter(|minute| skips.told(&skipped("1", *minute, "waits")));
        assert_eq!(told.count(), 4);
        let mut daily = Skips::default();
        let told = [0, 23, 46]
            .into_iter()
            .filter(|hour| daily.told(&skipped("2", *hour * 60, "late")));
        assert_eq!(told.count(), 3, "one that comes once a day is told each day");
    }
}
