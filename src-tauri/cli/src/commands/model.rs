//! `shidi model`: providers, their models, servers on this machine, a test, and what was spent.

use crate::client::{answered, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::options::Options;
use crate::unlocking::unlocking;
use crate::words::Words;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{DaySpending, ErrorCode, LocalServer, ModelEntry, Provider, Reply, Request};

/// Providers, their models, and what they cost
#[derive(Debug, clap::Args)]
#[command(after_help = help::MODEL)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// The models that a provider offers, asked of the provider itself [default: the configured one]
    List { provider: Option<String> },
    /// Ask a model one tiny question; says how long it took and what it answered
    Test {
        /// [default: the configured one]
        provider: Option<String>,
        /// The model, if not the configured one or the provider's usual one
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Base address, if not the configured one or the provider's own
        #[arg(long, value_name = "URL")]
        model_url: Option<String>,
    },
    /// The providers that are known by name, and whether their key is kept
    Providers,
    /// Look for model servers on this machine
    Find,
    /// What was spent, by day, model and role
    Spent {
        #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=366))]
        days: u32,
    },
}

/// Carries out the action.
///
/// # Errors
/// A provider that is unknown or can't be reached, or a model that does not answer.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = match arguments.action {
        Action::List { provider } => Request::ModelList {
            provider: provider.unwrap_or_default(),
        },
        Action::Test {
            provider,
            model,
            model_url,
        } => Request::ModelTest {
            provider: provider.unwrap_or_default(),
            model,
            url: model_url,
        },
        Action::Providers => Request::ProviderList,
        Action::Find => Request::ServersFind,
        Action::Spent { days } => Request::Spending { days },
    };
    let reply = with_connection(options, async |connection| {
        unlocking(connection, console, async || {
            match answered(connection, request.clone()).await? {
                Reply::Tested {
                    error: Some(error), ..
                } if error.code == ErrorCode::KeysLocked => Err(error.into()),
                reply => Ok(reply),
            }
        })
        .await
    })
    .await?;
    match reply {
        Reply::Models { models } => {
            each(&models, console, |model| model_line(model, console))?;
            Ok(Exit::Done)
        }
        Reply::Providers { providers, .. } => {
            each(&providers, console, |provider| provider_line(provider, console))?;
            Ok(Exit::Done)
        }
        Reply::Servers { servers } => found(&servers, console),
        Reply::Spending { days } => spent(&days, console),
        Reply::Tested {
            ok,
            ms,
            detail,
            error,
        } => {
            if console.is_json() {
                console.json(&json!({"ok": ok, "ms": ms, "detail": detail, "error": error}))?;
                return Ok(error.map_or(Exit::Done, |error| Exit::Because(error.code)));
            }
            match error {
                Some(error) => Err(error.into()),
                None => {
                    console.line(&format!(
                        "{} {ms} ms  {}",
                        console.painted(Look::Good, "✓"),
                        console.painted(Look::Plain, &detail)
                    ))?;
                    Ok(Exit::Done)
                }
            }
        }
        _ => Err(Failure::Unanswered),
    }
}

fn each<T: serde::Serialize>(
    things: &[T],
    console: &Console,
    line: impl Fn(&T) -> String,
) -> Result<(), Failure> {
    if things.is_empty() && !console.is_json() {
        return console.line(console.words.nothing_here());
    }
    for thing in things {
        if console.is_json() {
            console.json(thing)?;
        } else {
            console.line(&line(thing))?;
        }
    }
    Ok(())
}

fn model_line(model: &ModelEntry, console: &Console) -> String {
    let words = console.words;
    let mut facts = Vec::new();
    if let Some(window) = model.window {
        facts.push(format!("{}k", window / 1_000));
    }
    if model.vision {
        facts.push(words.sees().to_owned());
    }
    if model.tools {
        facts.push(words.calls_tools().to_owned());
    }
    if let (Some(input), Some(output)) = (model.input_price, model.output_price) {
        facts.push(format!("${input} / ${output}{}", words.estimated()));
    }
    format!(
        "{}  {}",
        console.painted(Look::Plain, &model.id),
        console.painted(Look::Dim, &facts.join(", "))
    )
}

fn provider_line(provider: &Provider, console: &Console) -> String {
    let (look, kept) = kept_words(provider, console.words);
    let page = match (&provider.key_page, provider.key.kept.as_str()) {
        (Some(page), "none") => format!("  {page}"),
        _ => String::new(),
    };
    format!(
        "{}  {}  {}  {}{}",
        console.painted(Look::Strong, &format!("{:<11}", provider.id)),
        provider.name,
        console.painted(look, kept),
        console.painted(Look::Dim, &provider.url),
        console.painted(Look::Dim, &page)
    )
}

fn kept_words(provider: &Provider, words: Words) -> (Look, &'static str) {
    match provider.key.kept.as_str() {
        "keychain" => (Look::Good, words.kept_in_keychain()),
        "file" => (Look::Good, words.kept_in_file()),
        "environment" => (Look::Good, words.kept_in_environment()),
        _ if !provider.needs_key => (Look::Dim, words.no_key_needed()),
        _ => (Look::Dim, words.not_kept()),
    }
}

fn found(servers: &[LocalServer], console: &Console) -> Result<Exit, Failure> {
    if servers.is_empty() && !console.is_json() {
        console.line(console.words.no_servers())?;
        console.note(Look::Dim, console.words.start_one());
        return Ok(Exit::Done);
    }
    each(servers, console, |server| {
        format!(
            "{}  {}  {}",
            console.painted(Look::Strong, &server.name),
            console.painted(Look::Dim, &server.url),
            console.painted(Look::Plain, &server.models.join(", "))
        )
    })?;
    Ok(Exit::Done)
}

fn spent(days: &[DaySpending], console: &Console) -> Result<Exit, Failure> {
    if days.is_empty() && !console.is_json() {
        console.line(console.words.nothing_spent())?;
        return Ok(Exit::Done);
    }
    for day in days {
        if console.is_json() {
            console.json(day)?;
            continue;
        }
        console.line(&console.painted(Look::Strong, &day.day))?;
        for spent in &day.spent {
            let usage = spent.usage;
            let cost = usage
                .cost
                .map_or_else(String::new, |cost| money(cost, console.words));
            let role = serde_json::to_value(spent.role).unwrap_or_default();
            console.line(&format!(
                "  {} {} ({})  {}×  {} + {}{}",
                spent.provider,
                console.painted(Look::Plain, &spent.model),
                role.as_str().unwrap_or_default(),
                usage.model_calls,
                usage.input,
                usage.output,
                console.painted(Look::Dim, &cost)
            ))?;
        }
    }
    Ok(Exit::Done)
}

fn money(cost: f64, words: Words) -> String {
    if cost > 0.0 && cost < 0.0001 {
        format!("  < $0.0001{}", words.estimated())
    } else {
        format!("  ${cost:.4}{}", words.estimated())
    }
}
