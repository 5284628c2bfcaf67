//! `shidi schedule change`: what is given takes the place of what was kept; the new dates are shown first.

use super::super::review::decided;
use super::super::workflow::values;
use super::{WhenArguments, show};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::input;
use shidi_protocol::request::schedules;
use shidi_protocol::{ErrorCode, MissedPolicy, ScheduleTask, UserError, reply};
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
    let fits = match (&mut draft.task, arguments.text) {
        (ScheduleTask::Reminder { text } | ScheduleTask::Question { text }, other) => {
            *text = other.unwrap_or_else(|| std::mem::take(text));
            arguments.set.is_empty()
        }
        (ScheduleTask::Workflow { inputs, .. }, text) => {
            inputs.extend(values(&arguments.set, console.words.language())?);
            text.is_none()
        }
    };
    if !fits {
        let is_workflow = matches!(draft.task, ScheduleTask::Workflow { .. });
        let (message, remedy) = match is_workflow {
            true => (say.has_no_text(&arguments.id), say.give_values()),
            false => (say.has_no_values(&arguments.id), say.give_a_text()),
        };
        return Err(UserError::new(ErrorCode::Input, message).hint(remedy).into());
    }
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
    let mut time = None;
    if let Some(when) = arguments.when {
        draft.words = when.words();
        let words = draft.words.clone();
        let reply::ScheduleTimes { dates } = connection.ask(schedules::Read { words }).await?;
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
