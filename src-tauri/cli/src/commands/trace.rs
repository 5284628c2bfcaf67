//! `shidi trace`: what a run did, step by step, with tokens and time.

use super::{answered, session, with_door};
use crate::arguments::Options;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::follow::one_line;
use crate::help;
use crate::limits::{ATTRIBUTE_CHARS_MAX, LIST_LIMIT_DEFAULT};
use clap::Subcommand;
use shidi_protocol::{Reply, Request, RunId, Span, TraceSummary};

/// Levels that a tree of steps is indented at most.
const INDENT_MAX: usize = 12;

/// Steps of past runs with tokens and time
#[derive(Debug, clap::Args)]
#[command(after_help = help::TRACE)]
pub struct Arguments {
    #[command(subcommand)]
    deed: Deed,
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Newest first
    List {
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    /// The steps of one run
    Show { run: String },
}

/// Carries out the deed.
///
/// # Errors
/// No such run, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = match arguments.deed {
        Deed::List { limit } => Request::TraceList { limit },
        Deed::Show { run } => Request::TraceShow {
            run: RunId::from(run),
        },
    };
    match with_door(options, async |door| answered(door, request).await).await? {
        Reply::Traces { traces } => list(&traces, console)?,
        Reply::Trace { spans, .. } => show(&spans, console)?,
        _ => return Err(Failure::Unanswered),
    }
    Ok(Exit::Done)
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
        let usage = words.used(&trace.usage, trace.ms);
        console.line(&format!(
            "{}  {}  {}  {}\n    {}",
            console.painted(Look::Dim, trace.run.as_str()),
            session::local(trace.started),
            words.status(trace.status),
            console.painted(Look::Strong, &trace.question.replace('\n', " ")),
            console.painted(Look::Dim, &usage),
        ))?;
    }
    Ok(())
}

fn show(spans: &[Span], console: &Console) -> Result<(), Failure> {
    for span in spans {
        if console.is_json() {
            console.json(span)?;
            continue;
        }
        let indent = "  ".repeat(depth(span, spans));
        let attributes = span.attributes.iter().filter(|(_, value)| !value.is_null());
        let attributes: Vec<String> = attributes
            .map(|(name, value)| one_line(&format!("{name}={value}"), ATTRIBUTE_CHARS_MAX))
            .collect();
        console.line(&format!(
            "{indent}{} {}  {} ms  {}",
            console.painted(Look::Strong, &span.operation),
            console.painted(Look::Plain, &span.name),
            span.ms,
            console.painted(Look::Dim, &attributes.join(" ")),
        ))?;
    }
    Ok(())
}

/// How many steps a step is within.
fn depth(span: &Span, spans: &[Span]) -> usize {
    let mut parent = span.parent;
    for depth in 0..INDENT_MAX {
        let Some(id) = parent else { return depth };
        parent = spans
            .iter()
            .find(|other| other.id == id)
            .and_then(|other| other.parent);
    }
    INDENT_MAX
}
