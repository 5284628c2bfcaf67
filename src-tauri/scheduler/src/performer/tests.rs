//! Two years of a data folder under a clock of its own, with the real database: the machine sleeps, and the program ends at
//! moments that a seed draws, also in the middle of a look and of a run. Each time has one record and one outcome.
//!
//! What is due is told by the calendar, day by day, and not by what is tested.

use super::*;
use crate::clock::Clock;
use jiff::civil::{Date, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use parking_lot::Mutex;
use shidi_locales::Language;
use shidi_models::KeyRing;
use shidi_protocol::{MissedPolicy, RunId, RunStatus, ScheduleWords};
use shidi_space::config::Config;
use shidi_space::home::Home;
use shidi_space::replies::Replies;
use shidi_space::usage::Spending;
use shidi_space::{Shared, Space};
use shidi_store::{OpenOptions, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::task::Poll;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

/// The computer's own zone, and one that schedules name.
const HERE: &str = "Europe/Berlin";
const THERE: &str = "America/New_York";

const BEGIN: Date = date(2027, 6, 1);
const END: Date = date(2029, 6, 1);

/// No leap over the end is longer.
const CALENDAR_ENDS: Date = date(2029, 7, 1);

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// Seeds in `make test`, and in `make soak`.
const SEEDS: u64 = 1;
const SEEDS_SOAKED: u64 = 20;

/// Records that are read of a schedule: all that two years leave.
const RECORDS_READ: u32 = 2_000;

/// Steps of a look after which the program may end: more of them than a look and its runs take.
const STEPS_MAX: i64 = 60;

/// A run that does not end within that time never does.
const PATIENCE: Duration = Duration::from_secs(60);

/// What happens when, by the calendar. Its text is its id.
struct Rule {
    id: &'static str,
    words: ScheduleWords,
    zone: Option<&'static str>,
    reminds: bool,
    policy: MissedPolicy,
    days: fn(Date) -> bool,
    clock: (i8, i8),
}

fn rules() -> Vec<Rule> {
    let plain = |text: &str| ScheduleWords::Plain {
        text: text.to_owned(),
    };
    let every_day = |_: Date| true;
    vec![
        Rule {
            id: "1",
            words: plain("every workday at eight, New York time"),
            zone: None,
            reminds: false,
            policy: MissedPolicy::Once,
            days: |day| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday),
            clock: (8, 0),
        },
        // Left out in spring, repeated in autumn.
        Rule {
            id: "2",
            words: plain("every day at 2:30"),
            zone: None,
            reminds: false,
            policy: MissedPolicy::Once,
            days: every_day,
            clock: (2, 30),
        },
        Rule {
            id: "3",
            words: plain("every day at 1:30"),
            zone: Some(THERE),
            reminds: true,
            policy: MissedPolicy::Skip,
            days: every_day,
            clock: (1, 30),
        },
        Rule {
            id: "4",
            words: ScheduleWords::Cron {
                text: "0 9 29 2 *".to_owned(),
            },
            zone: None,
            reminds: false,
            policy: MissedPolicy::Once,
            days: |day| (day.month(), day.day()) == (2, 29),
            clock: (9, 0),
        },
    ]
}

impl Rule {
    fn draft(&self) -> ScheduleDraft {
        let text = self.id.to_owned();
        ScheduleDraft {
            task: match self.reminds {
                true => ScheduleTask::Reminder { text },
                false => ScheduleTask::Question { text },
            },
            words: self.words.clone(),
            zone: self.zone.map(str::to_owned),
            missed: self.policy,
            assistant: None,
            folders: Vec::new(),
            approve: Vec::new(),
            max_tokens: None,
            max_usd: None,
        }
    }

    /// Every time of it in `zone`: one that a change of the clock leaves out comes after the change, one that it repeats once.
    fn by_calendar(&self, zone: &str) -> Vec<Moment> {
        let zone = TimeZone::get(zone).unwrap();
        let (hour, minute) = self.clock;
        let days = BEGIN.series(1.day()).take_while(|day| *day <= CALENDAR_ENDS);
        let at = |day: Date| day.at(hour, minute, 0, 0).to_zoned(zone.clone()).unwrap();
        let times = days.filter(|day| (self.days)(*day)).map(at);
        times
            .map(|time| Moment::from(time.timestamp()))
            .filter(|time| *time > moment(BEGIN))
            .collect()
    }
}

/// A few seconds into that day, here.
fn moment(day: Date) -> Moment {
    let zone = TimeZone::get(HERE).unwrap();
    Moment::from(day.at(0, 0, 7, 0).to_zoned(zone).unwrap().timestamp())
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

/// What of each time was seen from outside: a schedule's id and its due time.
type Noted = Vec<(String, Moment)>;

/// Who answers what schedules ask: most runs end well, some wait or fail, and one in many is cut off with the program.
struct Answers {
    space: Arc<Space>,
    random: Mutex<Random>,
    /// Whether all runs end well.
    is_calm: bool,
    asked: Arc<Mutex<Noted>>,
    /// Runs that are at work when the program ends.
    cut_off: Mutex<Vec<mpsc::Sender<Reply>>>,
    is_over: AtomicBool,
}

fn serve(answers: &Arc<Answers>, request: Request) -> Replies {
    let (sender, replies) = mpsc::channel(1);
    let Request::Ask(ask) = request else {
        return Replies::new(replies);
    };
    let records = answers.space.store.schedule_runs(Some(&ask.text), 50).unwrap();
    let begun = records.into_iter().find(|record| record.dispatched.is_some());
    answers.asked.lock().push((ask.text, begun.unwrap().due));
    let drawn = match answers.is_calm {
        true => 10,
        false => answers.random.lock().number() % 30,
    };
    let status = match drawn {
        0 => {
            answers.cut_off.lock().push(sender);
            answers.is_over.store(true, Ordering::Release);
            return Replies::new(replies);
        }
        1 => RunStatus::Suspended,
        2 | 3 => RunStatus::Failed,
        _ => RunStatus::Completed,
    };
    let run = RunId::mint();
    assert!(sender.try_send(Reply::Ended { run, status }).is_ok());
    Replies::new(replies)
}

/// A program that does what is due, from its start to its end. The runtime goes first, with all that is under way in it.
struct Process {
    runtime: Runtime,
    scheduler: Arc<Scheduler>,
    answers: Arc<Answers>,
    news: mpsc::Receiver<Reply>,
}

/// What lasts when a program ends.
struct Machine {
    folder: tempfile::TempDir,
    clock: Arc<Mutex<Moment>>,
    random: Random,
    asked: Arc<Mutex<Noted>>,
    told: Noted,
    starts: usize,
}

impl Machine {
    fn new(seed: u64) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(Mutex::new(moment(BEGIN))),
            random: Random(seed),
            asked: Arc::default(),
            told: Noted::new(),
            starts: 0,
        }
    }

    fn start(&mut self, is_calm: bool) -> Process {
        self.starts += 1;
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let entered = runtime.enter();
        let space = space(self.folder.path());
        let zone = TimeZone::get(HERE).unwrap();
        let clock = Arc::clone(&self.clock);
        let tell = move || -> Zoned { clock.lock().timestamp().to_zoned(zone.clone()) };
        let scheduler = Scheduler::by(Clock::told_by(tell), Arc::clone(&space));
        let answers = Arc::new(Answers {
            space: Arc::clone(&space),
            random: Mutex::new(Random(self.random.number())),
            is_calm,
            asked: Arc::clone(&self.asked),
            cut_off: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        scheduler.answered_by(&answers, serve);
        let news = space.watch();
        drop(entered);
        // As `begin` does.
        runtime.block_on(scheduler.settle(true)).unwrap();
        Process {
            runtime,
            scheduler,
            answers,
            news,
        }
    }

    /// Looks at what is due and lets its runs end; false when the program ended in the middle of it.
    fn look(&mut self, process: &mut Process, steps: Option<i64>) -> bool {
        let (scheduler, answers) = (&process.scheduler, &process.answers);
        let patience = Instant::now() + PATIENCE;
        let looking = async {
            scheduler.look().await.unwrap();
            while !scheduler.at_work.lock().is_empty() && !answers.is_over.load(Ordering::Acquire) {
                assert!(Instant::now() < patience, "a run does not end");
                tokio::task::yield_now().await;
            }
        };
        let is_through = process.runtime.block_on(within(steps, looking));
        while let Ok(reply) = process.news.try_recv() {
            if let Reply::ScheduleChanged { run, told: Some(_) } = reply {
                self.told.push((run.schedule, run.due));
            }
        }
        is_through && !answers.is_over.load(Ordering::Acquire)
    }

    /// Lets time pass: minutes, most of a day, or days of sleep. Often it stops where the next time is due.
    fn pass(&mut self, process: &Process) {
        let random = &mut self.random;
        let step = match random.number() % 8 {
            0 => random.between(15 * SECOND_MS, 25 * MINUTE_MS),
            1 => random.between(48 * HOUR_MS, 9 * 24 * HOUR_MS),
            _ => random.between(6 * HOUR_MS, 48 * HOUR_MS),
        };
        let mut clock = self.clock.lock();
        let next = process.scheduler.space.store.schedules().unwrap();
        let soonest = next.iter().filter_map(|row| row.next).min();
        let soon = soonest.filter(|soonest| soonest.0 > clock.0 && soonest.0 - clock.0 < step);
        clock.0 = match soon {
            Some(soonest) if random.once_in(2) => soonest.0 + random.between(0, 16 * SECOND_MS),
            Some(_) | None => clock.0 + step,
        };
    }
}

fn space(folder: &Path) -> Arc<Space> {
    let home = Home::open(Some(folder.to_owned()), Language::SOURCE).unwrap();
    let store = Store::open(&home.database(), OpenOptions::default()).unwrap();
    let config = Config::read(&home.config(), Language::SOURCE).unwrap();
    let spending = Spending::new(store.clone());
    let shared = Shared::new((config, folder), KeyRing::new(), spending, None, Language::SOURCE);
    Arc::new(Space::new(Arc::new(shared.unwrap()), store, home, None))
}

/// Carries out a part of it: the rest after so many steps never happens. Whether all of it did.
async fn within(steps: Option<i64>, work: impl Future<Output = ()>) -> bool {
    let mut work = pin!(work);
    let mut left = steps;
    std::future::poll_fn(move |context| match (work.as_mut().poll(context), &mut left) {
        (Poll::Ready(()), _) => Poll::Ready(true),
        (Poll::Pending, Some(0)) => Poll::Ready(false),
        (Poll::Pending, Some(left)) => {
            *left -= 1;
            Poll::Pending
        }
        (Poll::Pending, None) => Poll::Pending,
    })
    .await
}

/// Two years; the last look is undisturbed, so that nothing is under way after it.
fn live(machine: &mut Machine) -> (Process, usize) {
    let mut process = machine.start(false);
    for rule in rules() {
        let kept = process
            .runtime
            .block_on(process.scheduler.add(rule.draft(), None));
        assert_eq!(kept.unwrap().schedule.id, rule.id);
    }
    let mut looks = 0;
    while *machine.clock.lock() < moment(END) {
        let is_cut = machine.random.once_in(30);
        let steps = is_cut.then(|| machine.random.between(0, STEPS_MAX));
        let goes_on = machine.look(&mut process, steps) && !machine.random.once_in(60);
        looks += 1;
        if !goes_on {
            drop(process);
            process = machine.start(false);
        }
        machine.pass(&process);
    }
    drop(process);
    let mut process = machine.start(true);
    assert!(machine.look(&mut process, None));
    (process, looks)
}

/// Each time of the calendar is one that a record is of or counts, in their order; each record has an outcome.
fn check_records(rule: &Rule, process: &Process, now: Moment) -> BTreeMap<String, usize> {
    let zone = process
        .scheduler
        .space
        .store
        .schedule(rule.id)
        .unwrap()
        .unwrap()
        .time;
    let expected = rule.by_calendar(zone.zone().unwrap_or(HERE));
    let records = process
        .scheduler
        .space
        .store
        .schedule_runs(Some(rule.id), RECORDS_READ);
    let (mut at, mut outcomes) = (0, BTreeMap::new());
    for record in records.unwrap().iter().rev() {
        at += usize::try_from(record.missed).unwrap();
        assert_eq!(expected.get(at), Some(&record.due), "{record:?}");
        at += 1;
        let outcome = record.outcome.unwrap_or_else(|| panic!("no outcome: {record:?}"));
        let is_missed = outcome == ScheduleOutcome::Missed;
        assert_eq!(record.dispatched.is_none(), is_missed, "{record:?}");
        *outcomes.entry(format!("{outcome:?}")).or_default() += 1;
    }
    let come = expected.partition_point(|time| *time <= now);
    assert_eq!(at, come, "schedule {}: every time has its record", rule.id);
    outcomes
}

fn seeds() -> u64 {
    match std::env::var_os("SHIDI_SOAK") {
        Some(_) => SEEDS_SOAKED,
        None => SEEDS,
    }
}

#[test]
fn each_time_of_two_years_has_one_record_and_one_outcome_however_often_the_program_ends() {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..seeds() {
        let mut machine = Machine::new(seed);
        let (process, looks) = live(&mut machine);
        let now = *machine.clock.lock();
        for rule in rules() {
            for (outcome, count) in check_records(&rule, &process, now) {
                *all.entry(outcome).or_default() += count;
            }
        }
        let asked = machine.asked.lock().clone();
        for seen in [&asked, &machine.told] {
            let once: BTreeSet<&(String, Moment)> = seen.iter().collect();
            assert_eq!(once.len(), seen.len(), "seed {seed}: something was done twice");
            assert!(!seen.is_empty(), "seed {seed}");
        }
        println!(
            "seed {seed}: {looks} looks, {} starts, {} asked, {} told",
            machine.starts,
            asked.len(),
            machine.told.len()
        );
        assert!(machine.starts > 10, "seed {seed}: it hardly ever ended");
    }
    println!("{all:?}");
    for outcome in ["Done", "Failed", "Missed", "Interrupted"] {
        assert!(all.contains_key(outcome), "{outcome} never came: {all:?}");
    }
}

#[test]
fn the_times_of_a_schedule_with_its_own_zone_stay_when_the_computer_moves_to_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let entered = runtime.enter();
    let space = space(folder.path());
    let zone = Arc::new(Mutex::new(TimeZone::get(HERE).unwrap()));
    let (computer, now) = (Arc::clone(&zone), moment(BEGIN));
    let tell = move || now.timestamp().to_zoned(computer.lock().clone());
    let scheduler = Scheduler::by(Clock::told_by(tell), space);
    drop(entered);
    let listed = || {
        let listed = runtime.block_on(scheduler.listed()).unwrap().schedules;
        let find = |id: &str| listed.iter().find(|one| one.id == id).cloned().unwrap();
        (find("1"), find("2"))
    };
    for rule in rules() {
        runtime.block_on(scheduler.add(rule.draft(), None)).unwrap();
    }
    let (own, here) = listed();
    assert_eq!((own.zone.as_str(), here.zone.as_str()), (THERE, HERE));
    *zone.lock() = TimeZone::get("Asia/Tokyo").unwrap();
    runtime.block_on(scheduler.look()).unwrap();
    let (own_then, there) = listed();
    assert_eq!((own_then.next, own_then.zone.as_str()), (own.next, THERE));
    assert_ne!(there.next, here.next, "it goes by the clock on the wall");
    assert_eq!(there.zone, "Asia/Tokyo");
}
