//! Two years of looks at schedules under a simulated clock. Each time that comes has one record and one outcome, and none is
//! done twice.
//!
//! The machine sleeps for hours and weeks, its clock is set, and its program ends. Runs last long or wait for their user. What
//! is due is told by the calendar, day by day, and not by what is tested.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use jiff::civil::{Date, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use shidi_protocol::{MissedPolicy, Moment, ScheduleTime, ScheduleWords};
use shidi_schedule::{
    CATCH_UP_MS, Dispatch, LATE_MS, Look, Seen, SkipReason, Turn, is_moved, look, next, read,
};
use std::collections::{BTreeSet, HashMap};

const ZONES: [&str; 6] = [
    "Asia/Shanghai",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "UTC",
];

/// Seeds for each zone and rule in `make test`, and in `make soak`.
const SEEDS: u64 = 1;
const SEEDS_SOAKED: u64 = 20;

const BEGIN: Date = date(2027, 6, 1);
const END: Date = date(2029, 6, 1);

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// The clock is never further behind, and the calendar begins so long before it.
const BEHIND_MS: i64 = 21 * DAY_MS;

/// When something happens, in the product's words and by the calendar.
struct Rule {
    words: &'static str,
    is_cron: bool,
    days: fn(Date) -> bool,
    clocks: fn() -> Vec<(i8, i8)>,
}

fn rules() -> Vec<Rule> {
    let plain = |words, days, clocks| Rule {
        words,
        is_cron: false,
        days,
        clocks,
    };
    let cron = |words, days, clocks| Rule {
        words,
        is_cron: true,
        days,
        clocks,
    };
    vec![
        plain("every workday at eight", is_workday, || vec![(8, 0)]),
        plain(
            "every month on the 31st at 9:00",
            |day| day.day() == 31,
            || vec![(9, 0)],
        ),
        plain("every day at 2:30", |_| true, || vec![(2, 30)]),
        cron(
            "0 9 29 2 *",
            |day| (day.month(), day.day()) == (2, 29),
            || vec![(9, 0)],
        ),
        cron(
            "0 */6 * * *",
            |_| true,
            || (0..4).map(|part| (part * 6, 0)).collect(),
        ),
        // Half an hour is left out on Lord Howe, and a quarter of an hour is no whole one anywhere.
        cron(
            "15,40 1,2 * * 0,6",
            |day| !is_workday(day),
            || vec![(1, 15), (1, 40), (2, 15), (2, 40)],
        ),
    ]
}

fn is_workday(day: Date) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

impl Rule {
    fn time(&self, now: &Zoned) -> ScheduleTime {
        let text = self.words.to_owned();
        let words = match self.is_cron {
            true => ScheduleWords::Cron { text },
            false => ScheduleWords::Plain { text },
        };
        read(&words, now).unwrap()
    }

    /// Every time of it: one that a change of the clock leaves out comes after the change, one that it repeats once.
    fn by_calendar(&self, zone: &TimeZone) -> Vec<Moment> {
        let clocks = (self.clocks)();
        let days = BEGIN.series(-jiff::ToSpan::days(1)).take(30);
        let days = days.chain(BEGIN.series(jiff::ToSpan::days(1)).take_while(|day| *day <= END));
        let mut times = BTreeSet::new();
        for day in days.filter(|day| (self.days)(*day)) {
            for (hour, minute) in &clocks {
                let at = day.at(*hour, *minute, 0, 0).to_zoned(zone.clone()).unwrap();
                times.insert(Moment::from(at.timestamp()));
            }
        }
        times.into_iter().collect()
    }
}

/// Numbers from a seed, by SplitMix64: what fails fails again.
struct Random(u64);

impl Random {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::try_from(self.number() % most.abs_diff(least)).unwrap()
    }

    /// Once in so many times.
    fn once_in(&mut self, times: u64) -> bool {
        self.number().is_multiple_of(times)
    }
}

/// What the simulation has seen, so that none of it goes untested.
#[derive(Default)]
struct Tally {
    looks: usize,
    dispatched: usize,
    stood_for: usize,
    moved: usize,
    kept_back: usize,
    skipped: HashMap<SkipReason, usize>,
    due: BTreeSet<Moment>,
}

/// A machine with one schedule.
struct Machine<'a> {
    random: Random,
    zone: TimeZone,
    time: ScheduleTime,
    policy: MissedPolicy,
    /// Time that nobody sets, and how far the clock is from it, both in milliseconds.
    passed: i64,
    set: i64,
    due: Option<Moment>,
    /// Until when nothing can begin, by the time that nobody sets, and why.
    run: Option<(i64, SkipReason)>,
    expected: Vec<Moment>,
    /// How many of the expected ones have a record.
    recorded: usize,
    newest: Option<Moment>,
    tally: &'a mut Tally,
}

impl Machine<'_> {
    fn now(&self) -> Zoned {
        let moment = Moment(self.passed + self.set);
        moment.timestamp().to_zoned(self.zone.clone())
    }

    /// Lets time pass as it does on somebody's computer.
    fn pass(&mut self) {
        let random = &mut self.random;
        if random.once_in(100) {
            let longest = [HOUR_MS * 3, DAY_MS, DAY_MS * 4, DAY_MS * 24][(random.number() % 4) as usize];
            self.passed += random.between(MINUTE_MS, longest);
        } else if random.once_in(150) {
            self.set = match random.once_in(3) {
                true => 0,
                false => random.between(-BEHIND_MS, 2 * DAY_MS),
            };
        } else if random.once_in(200) {
            self.run = None;
        }
        // Looks come as often as every 15 seconds, and those around a change of the clock are not left out.
        let (least, most) = match self.is_near_a_change() || self.random.once_in(4) {
            true => (15 * SECOND_MS, 25 * MINUTE_MS),
            false => (HOUR_MS, 30 * HOUR_MS),
        };
        let mut step = self.random.between(least, most);
        let clock = self.passed + self.set;
        if let Some(due) = self.due.filter(|due| due.0 > clock && due.0 - clock < step) {
            step = due.0 - clock + self.random.between(0, 16 * SECOND_MS);
        }
        self.passed += step;
    }

    fn is_near_a_change(&self) -> bool {
        let offset = |away: i64| {
            let at = Moment(self.passed + self.set + away).timestamp();
            self.zone.to_offset(at)
        };
        offset(-DAY_MS / 4) != offset(DAY_MS / 4)
    }

    fn look(&mut self) {
        let now = self.now();
        let Some(due) = self.due else { return };
        self.run = self.run.filter(|(until, _)| *until > self.passed);
        let busy = self.run.map(|(_, reason)| reason);
        let seen = Seen {
            time: &self.time,
            policy: self.policy,
            due,
            newest: self.newest,
            busy,
        };
        let found = look(&seen, &now);
        self.tally.looks += 1;
        match found {
            Look::Waits => {
                self.tally.kept_back += usize::from(self.set < 0 && is_moved(&self.time, due, &now));
                self.nothing_is_forgotten(&now);
            }
            Look::Moves(next) => self.moves(next, &now),
            Look::Takes { turns, next } => {
                self.takes(&turns, busy, &now);
                self.due = next;
            }
        }
    }

    /// Every time that has come by now has its record.
    fn nothing_is_forgotten(&self, now: &Zoned) {
        let moment = Moment::from(now.timestamp());
        let open = self.expected.get(self.recorded);
        assert!(
            open.is_none_or(|open| *open > moment),
            "{open:?} has no record at {now}"
        );
    }

    /// Before anything is on record, a clock that is set back brings times again that have not come yet by it.
    fn moves(&mut self, next: Option<Moment>, now: &Zoned) {
        let moment = Moment::from(now.timestamp());
        let coming = self.expected.partition_point(|time| *time <= moment);
        match self.newest {
            None => self.recorded = coming,
            Some(newest) => assert!(next.is_none_or(|next| next > newest), "{next:?} is on record"),
        }
        self.nothing_is_forgotten(now);
        if let Some(expected) = self.expected.get(coming) {
            assert_eq!(next, Some(*expected), "at {now}");
        }
        self.due = next;
        self.tally.moved += 1;
    }

    fn takes(&mut self, turns: &[Turn], busy: Option<SkipReason>, now: &Zoned) {
        assert!(!turns.is_empty(), "what is due at {now} has no record");
        let done = turns.iter().filter(|turn| turn.dispatch == Dispatch::Now);
        assert!(done.count() <= 1, "{turns:?} at {now}");
        for turn in turns {
            self.record(turn, busy, now);
        }
        self.nothing_is_forgotten(now);
    }

    /// The record stands for the times that come next on the calendar, and its outcome is that of each.
    fn record(&mut self, turn: &Turn, busy: Option<SkipReason>, now: &Zoned) {
        let moment = Moment::from(now.timestamp());
        let stands_for = turn.missed as usize + 1;
        let last = self.recorded + stands_for - 1;
        assert_eq!(self.expected.get(last), Some(&turn.due), "{turn:?} at {now}");
        let late = moment.since(turn.due);
        let reason = match self.policy {
            MissedPolicy::Once if late >= CATCH_UP_MS => Some(SkipReason::TooLate),
            MissedPolicy::Skip if late > LATE_MS => Some(SkipReason::NotMadeUp),
            MissedPolicy::Once | MissedPolicy::Skip => busy,
        };
        assert_eq!(turn.dispatch, Dispatch::unless(reason), "{turn:?} at {now}");
        let oldest = self.expected[self.recorded];
        let makes_up = self.policy == MissedPolicy::Once || reason == Some(SkipReason::NotMadeUp);
        assert!(
            makes_up || moment.since(oldest) <= LATE_MS,
            "{turn:?} makes up at {now}"
        );
        self.recorded += stands_for;
        self.newest = Some(turn.due);
        self.tally.stood_for += stands_for - 1;
        self.tally.due.insert(turn.due);
        match reason {
            Some(reason) => *self.tally.skipped.entry(reason).or_default() += 1,
            None => self.begins(),
        }
    }

    /// Most runs are over soon, some last for hours, and some wait for their user for days.
    fn begins(&mut self) {
        self.tally.dispatched += 1;
        let random = &mut self.random;
        let (longest, reason) = match random.number() % 10 {
            0 => (2 * DAY_MS, SkipReason::AtWork),
            1 => (3 * DAY_MS, SkipReason::Waiting),
            2 => (5 * HOUR_MS, SkipReason::AtWork),
            _ => (20 * MINUTE_MS, SkipReason::AtWork),
        };
        self.run = Some((self.passed + random.between(SECOND_MS, longest), reason));
    }
}

fn began(zone: &TimeZone) -> Zoned {
    BEGIN.at(0, 0, 7, 0).to_zoned(zone.clone()).unwrap()
}

/// Two years of a schedule; all of its times that came by the clock at its furthest are on record.
fn simulate(
    time: ScheduleTime,
    expected: Vec<Moment>,
    policy: MissedPolicy,
    seed: u64,
    tally: &mut Tally,
    zone: &TimeZone,
) {
    let begin = began(zone);
    let end = Moment::from(END.at(0, 0, 0, 0).to_zoned(zone.clone()).unwrap().timestamp());
    let moment = Moment::from(begin.timestamp());
    let mut machine = Machine {
        random: Random(seed),
        zone: zone.clone(),
        due: next(&time, &begin),
        time,
        policy,
        passed: moment.0,
        set: 0,
        run: None,
        recorded: expected.partition_point(|time| *time <= moment),
        expected,
        newest: None,
        tally,
    };
    // The clock that it was kept by is often the one that was wrong.
    if machine.random.once_in(2) {
        machine.set = machine.random.between(-BEHIND_MS, 0);
    }
    while machine.passed + machine.set < end.0 {
        machine.look();
        machine.pass();
    }
}

fn policy_of(seed: u64) -> MissedPolicy {
    match seed % 2 {
        0 => MissedPolicy::Once,
        _ => MissedPolicy::Skip,
    }
}

fn seeds() -> u64 {
    match std::env::var_os("SHIDI_SOAK") {
        Some(_) => SEEDS_SOAKED,
        None => SEEDS,
    }
}

#[test]
fn each_time_of_two_years_has_one_record_and_one_outcome_in_every_zone() {
    let mut tally = Tally::default();
    for (at, name) in (0..).zip(ZONES) {
        let zone = TimeZone::get(name).unwrap();
        for (number, rule) in (0..).zip(rules()) {
            let expected = rule.by_calendar(&zone);
            for seed in 0..seeds() {
                println!("{name}: {}, seed {seed}", rule.words);
                let mixed = seed ^ (at << 32) ^ (number << 16);
                let policy = policy_of(seed + at + number);
                let time = rule.time(&began(&zone));
                simulate(time, expected.clone(), policy, mixed, &mut tally, &zone);
            }
        }
    }
    println!(
        "{} looks: {} dispatched, skipped {:?}, {} counted by another record, {} moved, {} kept back",
        tally.looks, tally.dispatched, tally.skipped, tally.stood_for, tally.moved, tally.kept_back
    );
    for reason in [
        SkipReason::AtWork,
        SkipReason::Waiting,
        SkipReason::NotMadeUp,
        SkipReason::TooLate,
    ] {
        assert!(tally.skipped.contains_key(&reason), "{reason:?} never came");
    }
    assert!(tally.dispatched > 0 && tally.stood_for > 0 && tally.moved > 0 && tally.kept_back > 0);
    let leap_day: Timestamp = "2028-02-29T09:00:00Z".parse().unwrap();
    assert!(tally.due.contains(&Moment::from(leap_day)), "29 February 2028");
}

/// An interval has a rhythm and no calendar.
#[test]
fn each_time_of_an_interval_has_one_record_and_one_outcome() {
    let mut tally = Tally::default();
    for (at, name) in (0..).zip(ZONES) {
        let zone = TimeZone::get(name).unwrap();
        let begin = began(&zone);
        let words = ScheduleWords::Plain {
            text: "every hour".to_owned(),
        };
        let time = read(&words, &begin).unwrap();
        let first = Moment::from(begin.timestamp()).0;
        let expected: Vec<Moment> = (1..=740 * 24)
            .map(|hour| Moment(first + hour * HOUR_MS))
            .collect();
        for seed in 0..seeds() {
            println!("{name}: every hour, seed {seed}");
            let (policy, mixed) = (policy_of(seed + at), seed ^ (at << 32));
            simulate(time.clone(), expected.clone(), policy, mixed, &mut tally, &zone);
        }
    }
    println!("{} dispatched, skipped {:?}", tally.dispatched, tally.skipped);
}

/// Whoever travels has another clock on the wall, and what is on record stays behind them.
#[test]
fn no_time_comes_twice_to_who_travels() {
    for seed in 0..seeds() * 6 {
        let mut random = Random(seed);
        let rule = &rules()[(seed % 3) as usize];
        let mut zone = TimeZone::get(ZONES[0]).unwrap();
        let begin = began(&zone);
        let time = rule.time(&begin);
        let (mut clock, end) = (
            Moment::from(begin.timestamp()),
            Moment(begin.timestamp().as_millisecond() + 730 * DAY_MS),
        );
        let (mut due, mut newest, mut moved) = (next(&time, &begin), None, 0);
        while clock < end {
            clock = clock.after(random.between(MINUTE_MS, 20 * HOUR_MS).unsigned_abs());
            if random.once_in(40) {
                zone = TimeZone::get(ZONES[(random.number() % 6) as usize]).unwrap();
            }
            let Some(comes) = due else { break };
            let seen = Seen {
                time: &time,
                policy: policy_of(seed),
                due: comes,
                newest,
                busy: None,
            };
            match look(&seen, &clock.timestamp().to_zoned(zone.clone())) {
                Look::Waits => {}
                Look::Moves(next) => {
                    due = next;
                    moved += 1;
                }
                Look::Takes { turns, next } => {
                    for turn in turns {
                        assert!(
                            newest.is_none_or(|newest| newest < turn.due),
                            "{turn:?} comes again"
                        );
                        newest = Some(turn.due);
                    }
                    due = next;
                }
            }
        }
        assert!(moved > 0, "seed {seed}");
    }
}
