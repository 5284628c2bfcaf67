//! `shidi trace`: what a run did, step by step, with tokens, cost, time, and why each call was allowed.

mod statistics;
mod step;
mod tree;

use super::session;
use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::limits::{LIST_LIMIT_DEFAULT, STATISTICS_DAYS_DEFAULT, TRACES_EXPORTED_MAX};
use crate::options::Options;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{Reply, Request, RunId, Span, StepStatistics, TraceQuery, TraceSummary};
use shidi_runtime::Connection;

/// Steps of past runs with tokens, cost and time
#[derive(Debug, clap::Args)]
#[command(after_help = help::TRACE)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Newest first
    List {
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
        /// Only runs whose question, end, tools or models hold this text
        #[arg(long, value_name = "TEXT", default_value = "")]
        text: String,
    },
    /// The steps of one run
    Show {
        run: String,
        /// One step with everything that is kept of it: the prompt as sent, the program, arguments and result
        #[arg(long, value_name = "N")]
        step: Option<u32>,
    },
    /// How models, programs and tools fared: failures, times, tokens
    Stats {
        #[arg(long, value_name = "N", default_value_t = STATISTICS_DAYS_DEFAULT)]
        days: u32,
    },
    /// All steps of one run, or of all, one JSON object a line
    Export { run: Option<String> },
}

/// Carries out the action.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        match &arguments.action {
            Action::List { limit, text } => list(&listed(connection, *limit, text).await?, console)?,
            Action::Show { run, step: None } => show(&steps(connection, run).await?, console)?,
            Action::Show {
                run,
                step: Some(number),
            } => show_step(connection, run, *number, console).await?,
            Action::Stats { days } => statistics::show(&fared(connection, *days).await?, console)?,
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
    match answered(connection, Request::TraceList(query)).await? {
        Reply::Traces { traces } => Ok(traces),
        _ => Err(Failure::Unanswered),
    }
}

async fn fared(connection: &Connection, days: u32) -> Result<Vec<StepStatistics>, Failure> {
    match answered(connection, Request::TraceStatistics { days }).await? {
        Reply::TraceStatistics { statistics } => Ok(statistics),
        _ => Err(Failure::Unanswered),
    }
}

async fn steps(connection: &Connection, run: &str) -> Result<Vec<Span>, Failure> {
    let run = RunId::from(run);
    match answered(connection, Request::TraceShow { run }).await? {
        Reply::Trace { spans, .. } => Ok(spans),
        _ => Err(Failure::Unanswered),
    }
}

fn list(traces: &[TraceSummary], console: &Console) -> Result<(), Failure> {
    if traces.is_empty() && !console.is_json() {
        console.note(Look::Dim, console.words.nothing_here());
    }
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

fn show(spans: &[Span], console: &Console) -> Result<(), Failure> {
    if spans.is_empty() && !console.is_json() {
        console.note(Look::Dim, console.words.no_steps());
    }
    if console.is_json() {
        return spans.iter().try_for_each(|span| console.json(span));
    }
    tree::draw(spans, console)
}

async fn show_step(connection: &Connection, run: &str, span: u32, console: &Console) -> Result<(), Failure> {
    let run = RunId::from(run);
    let Reply::TraceStep { span, .. } = answered(connection, Request::TraceStep { run, span }).await? else {
        return Err(Failure::Unanswered);
    };
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
        let request = Request::TraceShow {
            run: RunId::from(run),
        };
        let Reply::Trace { run, spans } = answered(connection, request).await? else {
            return Err(Failure::Unanswered);
        };
        for span in spans {
            console.json(&json!({ "run": run, "span": span }))?;
        }
    }
    Ok(())
}
