//! Summer time, leap years, and times at which nobody was there.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use jiff::{ToSpan, Zoned};
use proptest::prelude::*;
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime};
use shidi_schedule::{CATCH_UP_MS, Dispatch, Look, Seen, SkipReason, Turn, first, look, next};

fn zoned(text: &str) -> Zoned {
    text.parse().unwrap()
}

fn cron(expression: &str) -> ScheduleTime {
    ScheduleTime::Cron {
        expression: expression.to_owned(),
        zone: None,
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

/// A time by the clock, left out by spring, that a look in the hour after the change finds yet.
#[test]
fn a_time_that_spring_leaves_out_is_still_to_come_in_the_hour_after_the_change() {
    let half_past = cron("30 2 * * *");
    let change = "2026-03-29T03:00+02:00[Europe/Berlin]";
    assert_eq!(dates(&half_past, change, 1), ["03-29 03:30 +02:00"]);
    let shortly_before = "2026-03-29T03:29:59+02:00[Europe/Berlin]";
    assert_eq!(dates(&half_past, shortly_before, 1), ["03-29 03:30 +02:00"]);
    assert_eq!(
        dates(&half_past, "2026-03-29T03:30+02:00[Europe/Berlin]", 1),
        ["03-30 02:30 +02:00"]
    );
    // Where the clock goes forward by half an hour, what it leaves out comes between others.
    assert_eq!(
        dates(
            &cron("15,40 2 * * *"),
            "2026-10-04T00:00+10:30[Australia/Lord_Howe]",
            3
        ),
        ["10-04 02:40 +11:00", "10-04 02:45 +11:00", "10-05 02:15 +11:00"]
    );
}

/// What a look finds where nothing is at work.
fn looked(time: &ScheduleTime, policy: MissedPolicy, due: Moment, now: &Zoned) -> Look {
    let seen = Seen {
        time,
        policy,
        due,
        newest: None,
        busy: None,
    };
    look(&seen, now)
}

fn taken(time: &ScheduleTime, policy: MissedPolicy, due: Moment, now: &Zoned) -> (Vec<Turn>, Option<Moment>) {
    match looked(time, policy, due, now) {
        Look::Takes { turns, next } => (turns, next),
        Look::Waits | Look::Moves(_) => (Vec::new(), None),
    }
}

fn turn(due: &str, missed: u32, dispatch: Dispatch) -> Turn {
    Turn {
        due: Moment::from(due.parse::<jiff::Timestamp>().unwrap()),
        missed,
        dispatch,
    }
}

#[test]
fn times_that_were_missed_are_made_up_for_once_and_only_within_a_day() {
    let daily = cron("0 8 * * *");
    let due = Moment::from(zoned("2026-11-20T08:00+08:00[Asia/Shanghai]").timestamp());
    let late = zoned("2026-11-25T09:00+08:00[Asia/Shanghai]");
    let (turns, next) = taken(&daily, MissedPolicy::Once, due, &late);
    let days_from_20_to_24 = 5;
    assert_eq!(
        turns,
        [turn("2026-11-25T00:00:00Z", days_from_20_to_24, Dispatch::Now)]
    );
    assert_eq!(next.unwrap().timestamp().to_string(), "2026-11-26T00:00:00Z");
    let not_made_up = Dispatch::Skipped(SkipReason::NotMadeUp);
    assert_eq!(
        taken(&daily, MissedPolicy::Skip, due, &late).0,
        [turn("2026-11-25T00:00:00Z", days_from_20_to_24, not_made_up)]
    );

    let on_time = zoned("2026-11-20T08:00:30+08:00[Asia/Shanghai]");
    assert_eq!(
        taken(&daily, MissedPolicy::Skip, due, &on_time).0,
        [turn("2026-11-20T00:00:00Z", 0, Dispatch::Now)]
    );
    let early = zoned("2026-11-20T07:59+08:00[Asia/Shanghai]");
    assert_eq!(looked(&daily, MissedPolicy::Once, due, &early), Look::Waits);

    let reminder = ScheduleTime::Once { at: due, zone: None };
    let too_late = Dispatch::Skipped(SkipReason::TooLate);
    assert_eq!(
        taken(&reminder, MissedPolicy::Once, due, &late),
        (vec![turn("2026-11-20T00:00:00Z", 0, too_late)], None),
        "five days late, it says nothing useful"
    );
}

#[test]
fn one_that_is_kept_makes_up_for_none_where_none_are_made_up_for() {
    let hourly = cron("0 * * * *");
    let due = Moment::from(zoned("2026-11-20T05:00+08:00[Asia/Shanghai]").timestamp());
    let woken = zoned("2026-11-20T08:00:10+08:00[Asia/Shanghai]");
    assert_eq!(
        taken(&hourly, MissedPolicy::Skip, due, &woken).0,
        [
            turn(
                "2026-11-19T23:00:00Z",
                2,
                Dispatch::Skipped(SkipReason::NotMadeUp)
            ),
            turn("2026-11-20T00:00:00Z", 0, Dispatch::Now),
        ]
    );
    let seen = Seen {
        time: &hourly,
        policy: MissedPolicy::Once,
        due,
        newest: None,
        busy: Some(SkipReason::Waiting),
    };
    let Look::Takes { turns, .. } = look(&seen, &woken) else {
        panic!("it is due")
    };
    let waits = Dispatch::Skipped(SkipReason::Waiting);
    assert_eq!(turns, [turn("2026-11-20T00:00:00Z", 3, waits)]);
}

#[test]
fn of_more_times_than_are_counted_the_newest_one_decides() {
    let minutely = cron("* * * * *");
    let due = Moment::from(zoned("2026-10-01T08:00+08:00[Asia/Shanghai]").timestamp());
    let late = zoned("2026-11-25T09:00:10+08:00[Asia/Shanghai]");
    let week_of_minutes = 10_080;
    assert_eq!(
        taken(&minutely, MissedPolicy::Once, due, &late).0,
        [turn("2026-11-25T01:00:00Z", week_of_minutes, Dispatch::Now)]
    );
    // An interval's are reckoned.
    let every_minute = ScheduleTime::Every {
        seconds: 60,
        from: Moment(due.0 - 60_000),
    };
    let all_before = 55 * 24 * 60 + 60;
    assert_eq!(
        taken(&every_minute, MissedPolicy::Once, due, &late).0,
        [turn("2026-11-25T01:00:00Z", all_before, Dispatch::Now)]
    );
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
        let moment = Moment::from(later.timestamp());
        match looked(&time, policy, due, &later) {
            Look::Waits => prop_assert!(due > moment),
            Look::Moves(_) => prop_assert!(false, "nobody has set the clock"),
            Look::Takes { turns, next } => {
                prop_assert!(next.is_some_and(|next| next > moment));
                prop_assert!(turns.iter().all(|turn| turn.due <= moment && turn.due >= due));
                prop_assert!(turns.is_sorted_by(|one, other| one.due < other.due));
                let done: Vec<&Turn> = turns.iter().filter(|turn| turn.dispatch == Dispatch::Now).collect();
                prop_assert!(done.len() <= 1);
                prop_assert!(done.iter().all(|turn| moment.since(turn.due) < CATCH_UP_MS));
            }
        }
    }
}
