//! The days of a dashboard, by the user's calendar: those that are shown, and as many before them. Pure.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Unit};
use shidi_protocol::Moment;

/// So many days that end with today.
pub struct Period {
    zone: TimeZone,
    first: Date,
    days: u32,
}

/// Where a moment lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On a day of the period, counted from its first.
    Day(usize),
    /// On one of as many days before it.
    Before,
}

impl Period {
    pub fn ending(now: Moment, days: u32, zone: TimeZone) -> Self {
        let today = now.timestamp().to_zoned(zone.clone()).date();
        Self {
            first: earlier(today, days.saturating_sub(1)),
            days,
            zone,
        }
    }

    /// Where its first day begins.
    pub fn first(&self) -> Moment {
        self.begins(self.first)
    }

    /// Where the days before it begin.
    pub fn before(&self) -> Moment {
        self.begins(earlier(self.first, self.days))
    }

    /// The days in words that sort: `2026-11-29`.
    pub fn names(&self) -> Vec<String> {
        let days = (0..i64::from(self.days)).map(|at| self.first.saturating_add(at.days()));
        days.map(|day| day.to_string()).collect()
    }

    /// `None` for what lies earlier than both, or in a future that a clock set back has left.
    pub fn place(&self, at: Moment) -> Option<Place> {
        let day = at.timestamp().to_zoned(self.zone.clone()).date();
        let since = self.first.until((Unit::Day, day)).ok()?.get_days();
        let days = i32::try_from(self.days).ok()?;
        match usize::try_from(since) {
            Ok(at) => (since < days).then_some(Place::Day(at)),
            Err(_) => (since >= -days).then_some(Place::Before),
        }
    }

    fn begins(&self, day: Date) -> Moment {
        match day.to_zoned(self.zone.clone()) {
            Ok(begins) => Moment::from(begins.timestamp()),
            Err(_) => Moment(i64::MIN),
        }
    }
}

fn earlier(day: Date, days: u32) -> Date {
    day.saturating_sub(i64::from(days).days())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        Moment::from(text.parse::<jiff::Timestamp>().unwrap())
    }

    #[test]
    fn days_are_those_of_the_calendar_where_the_user_is_over_a_change_of_the_clock_too() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        // The night of 29 March 2026 has 23 hours there.
        let period = Period::ending(at("2026-03-30T10:00:00Z"), 2, zone);
        assert_eq!(period.names(), ["2026-03-29", "2026-03-30"]);
        assert_eq!(period.first(), at("2026-03-28T23:00:00Z"));
        assert_eq!(period.before(), at("2026-03-26T23:00:00Z"));
        for (moment, place) in [
            ("2026-03-30T10:00:00Z", Some(Place::Day(1))),
            ("2026-03-29T22:00:00Z", Some(Place::Day(1))),
            ("2026-03-29T21:59:59Z", Some(Place::Day(0))),
            ("2026-03-28T22:59:59Z", Some(Place::Before)),
            ("2026-03-26T22:59:59Z", None),
            ("2026-03-31T10:00:00Z", None),
        ] {
            assert_eq!(period.place(at(moment)), place, "{moment}");
        }
    }
}
