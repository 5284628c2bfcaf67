//! `shidi trace`: what a run did, step by step, with tokens, cost, time, and why each call was allowed.

mod parts;
mod statistics;
mod step;
mod tree;

use super::session;
use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::limits::{LIST_LIMIT_DEFAULT, STATISTICS_DAYS_DEFAULT, TRACES_EXPORTED_MAX};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{Dashboard, RunId, Span, StepStatistics, TraceQuery, TraceSummary, reply, request};
use shidi_runtime::Connection;

/// A run's steps.
struct Traced {
    spans: Vec<Span>,
    /// Whether the process ended in the middle of the run.
    is_interrupted: bool,
}

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
        #[arg(long, value_name = "TEXT", default_value = "")]
        text: String,
    },
    Show {
        run: String,
        #[arg(long, value_name = "N")]
        step: Option<u32>,
    },
    Stats {
        #[arg(long, value_name = "N", default_value_t = STATISTICS_DAYS_DEFAULT)]
        days: u32,
        #[arg(long)]
        csv: bool,
        #[arg(long, conflicts_with_all = ["csv", "days"])]
        parts: bool,
    },
    Export {
        run: Option<String>,
    },
}

/// Carries out the action.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        match &arguments.action {
            Action::List { limit, text } => list(&listed(connection, *limit, text).await?, console)?,
            Action::Show { run, step: None } => show(&traced(connection, run).await?, console)?,
            Action::Show {
                run,
                step: Some(number),
            } => show_step(connection, run, *number, console).await?,
            Action::Stats { parts: true, .. } => parts::show(&counted(connection, 1).await?.parts, console)?,
            Action::Stats { days, csv: false, .. } => {
                statistics::show(&fared(connection, *days).await?, console)?
            }
            Action::Stats { days, csv: true, .. } => {
                statistics::write(&counted(connection, *days).await?, console)?
            }
            Action::Export { run } => export(connection, run.as_deref(), console).await?,
        }
        Ok(Exit::Done)
    })
    .await
}

async fn listed(connection: &Connection, limit: u32, text: &str) -> Result<Vec<TraceSummary>, Failure> {
    let query = TraceQuery {
        limit,
        text: text.to_owned(),
        ..TraceQuery::default()
    };
    let reply::Traces { traces } = connection.ask(query).await?;
    Ok(traces)
}

async fn fared(connection: &Connection, days: u32) -> Result<Vec<StepStatistics>, Failure> {
    let reply::TraceStatistics { statistics } = connection.ask(request::TraceStatistics { days }).await?;
    Ok(statistics)
}

async fn counted(connection: &Connection, days: u32) -> Result<Dashboard, Failure> {
    let reply::Dashboard { dashboard } = connection.ask(request::dashboard::Show { days }).await?;
    Ok(dashboard)
}

async fn traced(connection: &Connection, run: &str) -> Result<Traced, Failure> {
    let run = RunId::from(run);
    let reply::Trace { run, spans } = connection.ask(request::TraceShow { run }).await?;
    let outline = request::TraceSteps {
        run,
        after: 0,
        limit: 1,
    };
    let reply::TraceSteps { summary, .. } = connection.ask(outline).await?;
    Ok(Traced {
        spans,
        is_interrupted: summary.interrupted,
    })
}

fn list(traces: &[TraceSummary], console: &Console) -> Result<(), Failure> {
    console.note_if_empty(traces);
    for trace in traces {
        if console.is_json() {
            console.json(trace)?;
            continue;
        }
        let words = console.words;
        let status = if trace.interrupted {
            words.interrupted()
        } else {
            words.status(trace.status)
        };
        let aside = trace.version.map(|version| format!("  {}", words.aside(version)));
        console.line(&format!(
            "{}  {}  {status}  {}{}\n    {}",
            console.painted(Look::Dim, trace.run.as_str()),
            session::local(trace.started),
            console.painted(Look::Strong, &trace.question.replace('\n', " ")),
            console.painted(Look::Dim, &aside.unwrap_or_default()),
            console.painted(Look::Dim, &words.spent(trace)),
        ))?;
    }
    Ok(())
}

fn show(traced: &Traced, console: &Console) -> Result<(), Failure> {
    let Traced {
        spans,
        is_interrupted,
    } = traced;
    if console.is_json() {
        return spans.iter().try_for_each(|span| console.json(span));
    }
    let words = console.words;
    if !is_interrupted {
        tree::draw(spans, words.at_work(), console)?;
        if spans.is_empty() {
            console.note(Look::Dim, words.no_steps());
        }
        return Ok(());
    }
    tree::draw(spans, words.interrupted(), console)?;
    let ended = match spans.is_empty() {
        true => words.ended_before_steps(),
        false => words.ended_in_the_middle(),
    };
    console.line(&console.painted(Look::Bad, ended))
}

async fn show_step(connection: &Connection, run: &str, span: u32, console: &Console) -> Result<(), Failure> {
    let run = RunId::from(run);
    let reply::TraceStep { span, .. } = connection.ask(request::TraceStep { run, span }).await?;
    if console.is_json() {
        return console.json(&span);
    }
    step::draw(&span, console)
}

async fn export(connection: &Connection, run: Option<&str>, console: &Console) -> Result<(), Failure> {
    let runs = match run {
        Some(run) => vec![run.to_owned()],
        None => {
            let traces = listed(connection, TRACES_EXPORTED_MAX, "").await?;
            let with_steps = traces.into_iter().filter(|trace| trace.steps > 0);
            with_steps.map(|trace| trace.run.to_string()).collect()
        }
    };
    for run in runs {
        let run = RunId::from(run);
        let reply::Trace { run, spans } = connection.ask(request::TraceShow { run }).await?;
        for span in spans {
            console.json(&json!({ "run": run, "span": span }))?;
        }
    }
    Ok(())
}
