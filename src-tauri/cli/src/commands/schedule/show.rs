//! Schedules and their times as people and programs read them.

use crate::commands::session::local;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::cards::clean;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shidi_protocol::{
    Moment, ScheduleDates, ScheduleDraft, ScheduleOutcome, ScheduleRunView, ScheduleTask, ScheduleTime,
    ScheduleView,
};

/// Characters of a text in a list.
const TITLE_CHARACTERS: usize = 60;

pub fn listed(schedules: &[ScheduleView], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(schedules);
    schedules.iter().try_for_each(|schedule| one(schedule, console))
}

pub fn one(schedule: &ScheduleView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(schedule);
    }
    let say = console.words.language().schedule();
    let next = match (schedule.on, schedule.next) {
        (false, _) => say.is_paused().to_owned(),
        (true, Some(next)) => say.comes_next(in_both(next, &schedule.zone, console)),
        (true, None) => event(&schedule.time, console).unwrap_or_else(|| say.comes_no_more().to_owned()),
    };
    let kind = match &schedule.draft.task {
        ScheduleTask::Reminder { .. } => say.a_reminder(),
        ScheduleTask::Question { .. } => say.a_question(),
        ScheduleTask::Workflow { .. } => say.a_workflow(),
    };
    let text = schedule.draft.words.text();
    let id = console.painted(Look::Strong, &schedule.id);
    let title = short(schedule.draft.task.title());
    console.line(&format!("{id}  {kind}  {title}  ({})", clean(text)))?;
    let mut about = vec![next];
    about.extend(schedule.last.map(|last| say.was_last(local(last))));
    about.extend(schedule.draft.max_tokens.map(|most| say.at_most_tokens(most)));
    about.extend(schedule.draft.max_usd.map(|most| say.at_most_usd(most)));
    console.line(&console.painted(Look::Dim, &format!("   {}", about.join(" · "))))?;
    match &schedule.waiting {
        Some(run) => waiting(run, console),
        None => Ok(()),
    }
}

/// A time that waits for its user, with the command by which they decide or go on.
fn waiting(run: &ScheduleRunView, console: &Console) -> Result<(), Failure> {
    let say = console.words.language().schedule();
    let state = match run.decided {
        true => say.is_decided().to_owned(),
        false => say.waits_since(local(run.due)),
    };
    let line: Vec<String> = [Some(state), next_step(run)].into_iter().flatten().collect();
    console.line(&console.painted(Look::Strong, &format!("   {}", line.join(" · "))))
}

/// When an event comes that has no date.
fn event(time: &ScheduleTime, console: &Console) -> Option<String> {
    let say = console.words.language().schedule();
    match time {
        ScheduleTime::Change { path, .. } => Some(say.with_each_change(clean(path))),
        ScheduleTime::Job { name } if name.is_empty() => Some(say.with_any_job().to_owned()),
        ScheduleTime::Job { name } => Some(say.with_each_job(clean(name))),
        ScheduleTime::Once { .. } | ScheduleTime::Every { .. } | ScheduleTime::Cron { .. } => None,
    }
}

/// The next dates, before it is kept.
pub fn dates(dates: &ScheduleDates, console: &Console) -> Result<(), Failure> {
    let say = console.words.language().schedule();
    if let Some(event) = event(&dates.time, console) {
        return console.line(&say.happens(event));
    }
    console.line(&say.comes_at(&dates.zone))?;
    let mut next = dates.next.iter();
    next.try_for_each(|next| console.line(&format!("  {}", in_both(*next, &dates.zone, console))))
}

/// A date by the clock of a zone, and by the reader's own where that is another one.
fn in_both(moment: Moment, zone: &str, console: &Console) -> String {
    let here = local(moment);
    let system = TimeZone::system();
    match TimeZone::get(zone) {
        Ok(there) if system.iana_name() != Some(zone) => {
            let at = moment.timestamp().to_zoned(there);
            let say = console.words.language().schedule();
            say.date_there(at.strftime("%Y-%m-%d %H:%M").to_string(), here, zone)
        }
        Ok(_) | Err(_) => here,
    }
}

/// What it may do by itself, before it is kept.
pub fn allowed(draft: &ScheduleDraft, console: &Console) -> Result<(), Failure> {
    let say = console.words.language().schedule();
    if let Some(most) = draft.max_tokens {
        console.line(&say.spends_tokens(most))?;
    }
    if let Some(most) = draft.max_usd {
        console.line(&say.spends_usd(most))?;
    }
    match (&draft.task, draft.approve.is_empty()) {
        (ScheduleTask::Reminder { .. }, _) => Ok(()),
        (_, true) => console.line(say.asks_before_all()),
        (_, false) => {
            console.line(say.may_by_itself())?;
            let mut families = draft.approve.iter();
            families.try_for_each(|family| console.line(&format!("  {}", clean(family))))
        }
    }
}

pub fn history(runs: &[ScheduleRunView], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(runs);
    runs.iter().try_for_each(|one| run(one, console))
}

pub fn run(run: &ScheduleRunView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        let mut value = serde_json::to_value(run).unwrap_or(Value::Null);
        if let Value::Object(map) = &mut value {
            map.insert("type".to_owned(), json!("schedule_run"));
        }
        return console.json(&value);
    }
    let say = console.words.language().schedule();
    let (look, state) = match run.outcome {
        None if run.started.is_some() => (Look::Plain, say.has_started()),
        None => (Look::Plain, say.is_dispatched()),
        Some(ScheduleOutcome::Done) => (Look::Good, say.is_done()),
        Some(ScheduleOutcome::Failed) => (Look::Bad, say.has_failed()),
        Some(ScheduleOutcome::Cancelled) => (Look::Dim, say.is_cancelled()),
        Some(ScheduleOutcome::Waiting) if run.decided => (Look::Strong, say.is_decided()),
        Some(ScheduleOutcome::Waiting) => (Look::Strong, say.waits_for_you()),
        Some(ScheduleOutcome::Missed) => (Look::Dim, say.was_missed()),
        Some(ScheduleOutcome::Interrupted) => (Look::Bad, say.was_interrupted()),
    };
    let title = short(&run.title);
    let line = format!(
        "{}  {}  {title}  {}",
        local(run.due),
        run.schedule,
        console.painted(look, state)
    );
    console.line(&line)?;
    let finished = run.finished.map(|finished| say.finished_at(local(finished)));
    let made_up = (run.missed > 0).then(|| say.made_up_for(u64::from(run.missed)));
    let details: Vec<String> = [
        run.reason.as_deref().map(clean),
        made_up,
        finished.filter(|_| is_later(run)),
        next_step(run),
    ]
    .into_iter()
    .flatten()
    .collect();
    match details.is_empty() {
        true => Ok(()),
        false => console.line(&console.painted(Look::Dim, &format!("   {}", details.join(" · ")))),
    }
}

/// The command by which one decides on what waits, or reads what came of it.
fn next_step(run: &ScheduleRunView) -> Option<String> {
    let session = run.session.as_ref();
    match (run.outcome?, run.run.as_ref()) {
        (ScheduleOutcome::Waiting, Some(id)) if session.is_some() => Some(format!("shidi resume {id}")),
        (ScheduleOutcome::Waiting, Some(id)) => Some(format!("shidi workflow resume {id}")),
        (ScheduleOutcome::Done | ScheduleOutcome::Failed, _) => {
            Some(format!("shidi session show {}", session?))
        }
        _ => None,
    }
}

/// Whether it took so long that its end is worth a time.
fn is_later(run: &ScheduleRunView) -> bool {
    const MINUTE_MS: u64 = 60_000;
    run.finished
        .is_some_and(|finished: Moment| finished.since(run.due) > MINUTE_MS)
}

/// What a reminder says.
pub fn told(text: &str, console: &Console) -> Result<(), Failure> {
    console.line(&console.painted(Look::Strong, &clean(text)))
}

pub fn exit_of(outcome: ScheduleOutcome) -> Exit {
    match outcome {
        ScheduleOutcome::Done => Exit::Done,
        ScheduleOutcome::Failed | ScheduleOutcome::Missed | ScheduleOutcome::Interrupted => Exit::TaskFailed,
        ScheduleOutcome::Cancelled => Exit::Cancelled,
        ScheduleOutcome::Waiting => Exit::Suspended,
    }
}

fn short(text: &str) -> String {
    let text = clean(text);
    match text.char_indices().nth(TITLE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
