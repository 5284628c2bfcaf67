//! `shidi model`: providers, their models, servers on this machine, a model file, a test, and what was spent.

mod catalogue;
mod file;

use crate::client::with_connection;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::limits::THINKING_NAMED_AFTER;
use crate::options::Options;
use crate::unlocking::{ask_unlocking, unlocking};
use crate::words::Words;
use clap::Subcommand;
use serde_json::json;
use shidi_protocol::{DaySpending, ErrorCode, LocalServer, ModelEntry, Provider, reply, request};
use shidi_runtime::Connection;
use std::path::PathBuf;
use std::pin::pin;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List {
        provider: Option<String>,
    },
    Test {
        provider: Option<String>,
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        #[arg(long, value_name = "URL")]
        model_url: Option<String>,
    },
    Providers,
    Find,
    Use {
        file: PathBuf,
    },
    File,
    Catalogue,
    Download {
        name: String,
        #[arg(long, value_name = "FOLDER")]
        to: Option<PathBuf>,
        #[arg(long = "use")]
        then_use: bool,
    },
    Engine,
    Remove {
        name: String,
        #[arg(long)]
        yes: bool,
    },
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
    with_connection(options, async |connection| match arguments.action {
        Action::List { provider } => {
            let provider = provider.unwrap_or_default();
            let listed = ask_unlocking(connection, request::ModelList { provider }, console);
            let reply::Models { models } = listed.await?;
            each(&models, console, |model| model_line(model, console))?;
            Ok(Exit::Done)
        }
        Action::Test {
            provider,
            model,
            model_url,
        } => {
            let request = request::ModelTest {
                provider: provider.unwrap_or_default(),
                model,
                url: model_url,
            };
            tested(connection, request, console).await
        }
        Action::Providers => {
            let listed = ask_unlocking(connection, request::ProviderList, console);
            let reply::Providers { providers, .. } = listed.await?;
            each(&providers, console, |provider| provider_line(provider, console))?;
            Ok(Exit::Done)
        }
        Action::Find => {
            let reply::Servers { servers } = connection.ask(request::ServersFind).await?;
            found(&servers, console)
        }
        Action::Use { file } => file::choose(connection, &file, console).await,
        Action::File => file::show(connection, console).await,
        Action::Catalogue => catalogue::list(connection, console).await,
        Action::Download { name, to, then_use } => {
            catalogue::download(connection, &name, to.as_deref(), then_use, console).await
        }
        Action::Engine => catalogue::engine(connection, console).await,
        Action::Remove { name, yes } => catalogue::remove(connection, name, yes, console).await,
        Action::Spent { days } => {
            let reply::Spending { days } = connection.ask(request::Spending { days }).await?;
            spent(&days, console)
        }
    })
    .await
}

async fn tested(
    connection: &Connection,
    request: request::ModelTest,
    console: &Console,
) -> Result<Exit, Failure> {
    let act = async || {
        let mut asking = pin!(connection.ask(request.clone()));
        // A server that loads its model is waited for as well.
        let tested = match tokio::time::timeout(THINKING_NAMED_AFTER, asking.as_mut()).await {
            Ok(tested) => tested?,
            Err(_) => {
                console.note(Look::Dim, &format!("· {}", console.words.model_is_tested()));
                asking.await?
            }
        };
        match tested.error {
            Some(error) if error.code == ErrorCode::KeysLocked => Err(error.into()),
            _ => Ok(tested),
        }
    };
    let reply::Tested {
        ok,
        ms,
        detail,
        error,
    } = unlocking(connection, console, act).await?;
    if console.is_json() {
        console.json(&json!({"ok": ok, "ms": ms, "detail": detail, "error": error}))?;
        return Ok(error.map_or(Exit::Done, |error| Exit::Because(error.code)));
    }
    if let Some(error) = error {
        return Err(error.into());
    }
    console.line(&format!(
        "{} {ms} ms  {}",
        console.painted(Look::Good, "✓"),
        console.painted(Look::Plain, &detail)
    ))?;
    Ok(Exit::Done)
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
        console.note(Look::Dim, console.words.start_server());
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
