//! Summer time, leap years, and times at which nobody was there.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use jiff::{ToSpan, Zoned};
use proptest::prelude::*;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime};
use shidi_schedule::{CATCH_UP_MS, first, next, turn};

fn zoned(text: &str) -> Zoned {
    text.parse().unwrap()
}

fn cron(expression: &str) -> ScheduleTime {
    ScheduleTime::Cron {
        expression: expression.to_owned(),
    }
}

fn dates(time: &ScheduleTime, from: &str, count: usize) -> Vec<String> {
    let from = zoned(from);
    let told = |moment: Moment| moment.timestamp().to_zoned(from.time_zone().clone());
    first(time, &from, count)
        .into_iter()
        .map(|moment| told(moment).strftime("%m-%d %H:%M %:z").to_string())
        .collect()
}

#[test]
fn a_time_that_spring_leaves_out_comes_after_the_change_and_one_that_autumn_repeats_comes_once() {
    assert_eq!(
        dates(&cron("30 2 * * *"), "2026-03-28T00:00+01:00[Europe/Berlin]", 3),
        ["03-28 02:30 +01:00", "03-29 03:30 +02:00", "03-30 02:30 +02:00"]
    );
    assert_eq!(
        dates(&cron("30 2 * * *"), "2026-10-24T12:00+02:00[Europe/Berlin]", 3),
        ["10-25 02:30 +02:00", "10-26 02:30 +01:00", "10-27 02:30 +01:00"]
    );
    // Between the two half past twos, the next one is tomorrow's.
    assert_eq!(
        dates(&cron("30 2 * * *"), "2026-10-25T02:45+02:00[Europe/Berlin]", 1),
        ["10-26 02:30 +01:00"]
    );
    assert_eq!(
        dates(&cron("0 8 * * *"), "2026-03-28T09:00+01:00[Europe/Berlin]", 2),
        ["03-29 08:00 +02:00", "03-30 08:00 +02:00"]
    );
}

#[test]
fn months_without_a_day_are_left_out() {
    assert_eq!(
        dates(&cron("0 9 31 * *"), "2026-01-31T10:00+08:00[Asia/Shanghai]", 2),
        ["03-31 09:00 +08:00", "05-31 09:00 +08:00"]
    );
    assert_eq!(
        dates(&cron("0 9 29 2 *"), "2026-01-31T10:00+08:00[Asia/Shanghai]", 1),
        ["02-29 09:00 +08:00"]
    );
}

#[test]
fn an_interval_keeps_its_rhythm_whenever_it_is_asked_for() {
    let from = zoned("2026-11-25T10:00+08:00[Asia/Shanghai]");
    let time = ScheduleTime::Every {
        seconds: 1200,
        from: Moment::from(from.timestamp()),
    };
    assert_eq!(
        dates(&time, "2026-11-25T11:10+08:00[Asia/Shanghai]", 2),
        ["11-25 11:20 +08:00", "11-25 11:40 +08:00"]
    );
}

#[test]
fn times_that_were_missed_are_made_up_for_once_and_only_within_a_day() {
    let daily = cron("0 8 * * *");
    let due = Moment::from(zoned("2026-11-20T08:00+08:00[Asia/Shanghai]").timestamp());
    let late = zoned("2026-11-25T09:00+08:00[Asia/Shanghai]");
    let once = turn(&daily, MissedPolicy::Once, due, &late).unwrap();
    assert!(once.runs);
    assert_eq!(once.missed, 5, "the days from the 20th to the 24th");
    assert_eq!(once.due.timestamp().to_string(), "2026-11-25T00:00:00Z");
    assert_eq!(once.next.unwrap().timestamp().to_string(), "2026-11-26T00:00:00Z");
    assert!(!turn(&daily, MissedPolicy::Skip, due, &late).unwrap().runs);

    let on_time = zoned("2026-11-20T08:00:30+08:00[Asia/Shanghai]");
    let kept = turn(&daily, MissedPolicy::Skip, due, &on_time).unwrap();
    assert!(kept.runs && kept.missed == 0);
    assert_eq!(
        turn(
            &daily,
            MissedPolicy::Once,
            due,
            &zoned("2026-11-20T07:59+08:00[Asia/Shanghai]")
        ),
        None
    );

    let reminder = ScheduleTime::Once { at: due };
    let next_day = turn(&reminder, MissedPolicy::Once, due, &late).unwrap();
    assert!(!next_day.runs, "five days late, it says nothing useful");
    assert_eq!(next_day.next, None);
}

#[test]
fn of_more_times_than_are_counted_the_newest_one_decides() {
    let minutely = cron("* * * * *");
    let due = Moment::from(zoned("2026-10-01T08:00+08:00[Asia/Shanghai]").timestamp());
    let late = zoned("2026-11-25T09:00:10+08:00[Asia/Shanghai]");
    let turn = turn(&minutely, MissedPolicy::Once, due, &late).unwrap();
    assert!(turn.runs);
    assert_eq!(turn.due.timestamp().to_string(), "2026-11-25T01:00:00Z");
}

fn zones() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "UTC",
        "Asia/Shanghai",
        "Europe/Berlin",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
    ])
}

proptest! {
    #[test]
    fn every_next_time_is_later_and_a_turn_never_bursts(
        minute in 0..60u8, hour in 0..24u8, day in prop::option::of(0..7u8),
        zone in zones(), start in 0..500_000_000i64, away in 0..3_000_000i64,
        skips in any::<bool>(),
    ) {
        let day = day.map_or("*".to_owned(), |day| day.to_string());
        let time = cron(&format!("{minute} {hour} * * {day}"));
        let from = jiff::Timestamp::from_second(1_700_000_000 + start).unwrap().in_tz(zone).unwrap();
        let due = next(&time, &from).unwrap();
        prop_assert!(due > Moment::from(from.timestamp()));
        prop_assert!(due.since(Moment::from(from.timestamp())) <= 8 * CATCH_UP_MS);
        let later = from.checked_add(away.seconds()).unwrap();
        let policy = if skips { MissedPolicy::Skip } else { MissedPolicy::Once };
        match turn(&time, policy, due, &later) {
            None => prop_assert!(due > Moment::from(later.timestamp())),
            Some(turn) => {
                let moment = Moment::from(later.timestamp());
                prop_assert!(turn.due <= moment && turn.due >= due);
                prop_assert!(turn.next.is_some_and(|next| next > moment));
                prop_assert!(!turn.runs || moment.since(turn.due) < CATCH_UP_MS);
            }
        }
    }
}
