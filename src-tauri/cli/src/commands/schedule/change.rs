//! `shidi schedule change`: what is given takes the place of what was kept; the new dates are shown first.

use super::super::review::decided;
use super::super::workflow::values;
use super::{WhenArguments, dollars, show};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::input;
use shidi_protocol::request::schedules;
use shidi_protocol::{ErrorCode, MissedPolicy, ScheduleDraft, ScheduleTask, UserError, reply};
use shidi_runtime::Connection;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct ChangeArguments {
    id: String,
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    when: Option<WhenArguments>,
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "text")]
    set: Vec<String>,
    #[arg(long, value_name = "NAME")]
    assistant: Option<String>,
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    #[arg(long, value_name = "PATTERN")]
    approve: Vec<String>,
    #[arg(long, conflicts_with = "approve")]
    approve_nothing: bool,
    #[arg(long, value_name = "NAME")]
    zone: Option<String>,
    #[arg(long, value_name = "N")]
    max_tokens: Option<u32>,
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_usd: Option<f64>,
    #[arg(long, value_name = "once|skip", value_parser = policy)]
    missed: Option<MissedPolicy>,
    #[arg(long)]
    yes: bool,
}

fn policy(text: &str) -> Result<MissedPolicy, String> {
    match text {
        "once" => Ok(MissedPolicy::Once),
        "skip" => Ok(MissedPolicy::Skip),
        _ => Err("once|skip".to_owned()),
    }
}

/// The zone and the bounds that are given: an empty name takes the zone away, and 0 a bound.
fn set_bounds(draft: &mut ScheduleDraft, arguments: &ChangeArguments) {
    let zone = arguments.zone.clone().or(draft.zone.take());
    draft.zone = zone.filter(|name| !name.trim().is_empty());
    let tokens = arguments.max_tokens.or(draft.max_tokens);
    draft.max_tokens = tokens.filter(|most| *most > 0);
    let usd = arguments.max_usd.or(draft.max_usd);
    draft.max_usd = usd.filter(|most| most.abs() > 0.0);
}

/// The text or the values that are given; each kind of task takes one of the two.
fn set_task(task: &mut ScheduleTask, arguments: &ChangeArguments, console: &Console) -> Result<(), Failure> {
    let say = console.words.language().schedule();
    let (fits, message, remedy) = match task {
        ScheduleTask::Reminder { text } | ScheduleTask::Question { text } => {
            if let Some(other) = &arguments.text {
                text.clone_from(other);
            }
            let message = say.has_no_values(&arguments.id);
            (arguments.set.is_empty(), message, say.give_a_text())
        }
        ScheduleTask::Workflow { inputs, .. } => {
            inputs.extend(values(&arguments.set, console.words.language())?);
            let message = say.has_no_text(&arguments.id);
            (arguments.text.is_none(), message, say.give_values())
        }
    };
    match fits {
        true => Ok(()),
        false => Err(Failure::input(message, remedy)),
    }
}

/// Shows what it would become, and keeps that when its user says so.
pub async fn change(
    arguments: ChangeArguments,
    connection: &Connection,
    console: &Console,
) -> Result<Exit, Failure> {
    let say = console.words.language().schedule();
    let known = connection.ask(schedules::List).await?.schedules;
    let Some(known) = known.into_iter().find(|known| known.id == arguments.id) else {
        let message = say.no_such_schedule(&arguments.id);
        return Err(UserError::new(ErrorCode::NotFound, message)
            .hint(say.see_schedules())
            .into());
    };
    let mut draft = known.draft;
    set_bounds(&mut draft, &arguments);
    set_task(&mut draft.task, &arguments, console)?;
    draft.assistant = arguments.assistant.or(draft.assistant);
    draft.missed = arguments.missed.unwrap_or(draft.missed);
    if !arguments.folder.is_empty() {
        let folders = arguments.folder.iter();
        let folders = folders.map(|path| input::folder(path, console.words));
        draft.folders = folders.collect::<Result<_, _>>()?;
    }
    if arguments.approve_nothing || !arguments.approve.is_empty() {
        draft.approve = arguments.approve;
    }
    let has_new_time = arguments.when.is_some() || arguments.zone.is_some();
    let takes_zone = arguments.when.is_none() && draft.zone.is_none();
    draft.words = arguments.when.map_or(draft.words, |when| when.words());
    // What would be refused is not shown first.
    let shown = draft.clone();
    connection.ask(schedules::Check { draft: shown }).await?;
    let mut time = None;
    if has_new_time {
        let (words, zone) = (draft.words.clone(), draft.zone.clone());
        let reply::ScheduleTimes { dates } = connection.ask(schedules::Read { words, zone }).await?;
        if let Some(zone) = dates.time.zone().filter(|_| takes_zone) {
            let message = say.words_have_zone(&arguments.id, zone);
            return Err(Failure::input(message, say.say_it_without_zone(&arguments.id)));
        }
        if !console.is_json() {
            show::dates(&dates, console)?;
        }
        time = (!arguments.yes).then_some(dates.time);
    }
    if !console.is_json() {
        show::allowed(&draft, console)?;
    }
    if !decided(arguments.yes, say.really_change(&arguments.id), console)? {
        return Ok(Exit::Done);
    }
    let id = arguments.id;
    let reply::Schedule { schedule } = connection.ask(schedules::Change { id, draft, time }).await?;
    show::one(&schedule, console)?;
    Ok(Exit::Done)
}
