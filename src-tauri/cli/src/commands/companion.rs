//! `shidi companion`: the extension in the user's browser. The command tells which browsers are let in, which page is
//! in front, and which sites' tools programs may call.

use crate::client::{ask, told_after, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::limits::{
    BROWSER_ASKS_WAIT, BROWSER_BACK_WAIT, BROWSER_COMES_WAIT, PAGE_COMES_WAIT, WAITS_SILENTLY,
};
use crate::options::Options;
use crate::words::Words;
use clap::Subcommand;
use shidi_protocol::request::pages;
use shidi_protocol::{AskingBrowser, PageRef, PageState, PageView, Reply, Request, TypedRequest, reply};
use shidi_runtime::Connection;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::time::timeout;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Install {
        #[arg(long, value_name = "NAME")]
        browser: Vec<String>,
        #[arg(long, value_name = "DIR")]
        profile: Option<PathBuf>,
    },
    Pair {
        code: Option<String>,
    },
    Decline {
        code: String,
    },
    Forget {
        browser: String,
    },
    Allow {
        site: String,
    },
    Deny {
        site: String,
    },
    Insert {
        text: String,
    },
    #[command(hide = true)]
    Host {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        told: Vec<String>,
    },
}

/// Carries out the action.
///
/// # Errors
/// A code that no browser shows, a browser or site that isn't there, storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    match arguments.action {
        None => list(options, console).await,
        Some(Action::Host { .. }) => carry(options),
        Some(Action::Install { browser, profile }) => install(browser, profile, options, console).await,
        Some(Action::Pair { code: None }) => let_in(options, console).await,
        Some(Action::Pair { code: Some(code) }) => changed(pages::Pair { code }, options, console).await,
        Some(Action::Decline { code }) => changed(pages::Decline { code }, options, console).await,
        Some(Action::Forget { browser }) => changed(pages::Forget { browser }, options, console).await,
        Some(Action::Allow { site }) => changed(pages::Allow { site, on: true }, options, console).await,
        Some(Action::Insert { text }) => insert(text, options, console).await,
        Some(Action::Deny { site }) => changed(pages::Allow { site, on: false }, options, console).await,
    }
}

async fn list(options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        // A browser needs a moment to notice a process that has just begun.
        wait_for(connection, BROWSER_COMES_WAIT, |pages| {
            is_settled(pages).then_some(())
        })
        .await?;
        told(&asked(connection, pages::List).await?, console)
    })
    .await
}

async fn insert(text: String, options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_connection(options, async |connection| {
        let page = page_in_front(connection, console).await?;
        told(&asked(connection, pages::Insert { page, text }).await?, console)
    })
    .await
}

async fn changed(
    request: impl TypedRequest<Reply = reply::Pages>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let reply::Pages { pages } = ask(request, options).await?;
    told(&pages, console)
}

fn told(pages: &PageState, console: &Console) -> Result<Exit, Failure> {
    if console.is_json() {
        console.json(pages)?;
    } else {
        shown(pages, console)?;
    }
    Ok(Exit::Done)
}

/// The page in front, once its browser has told of it. A wait for it is named.
///
/// # Errors
/// No browser is let in or open, or none has told of a page in time.
pub async fn page_in_front(connection: &Connection, console: &Console) -> Result<PageRef, Failure> {
    let words = console.words;
    if asked(connection, pages::List).await?.browsers.is_empty() {
        return Err(Failure::input(words.no_page(), words.how_to_connect()));
    }
    let tell = || {
        let said = words.waits_for_page(PAGE_COMES_WAIT.as_secs());
        console.note(Look::Dim, &said);
    };
    told_after(WAITS_SILENTLY, front(connection, words), tell).await
}

/// The same without a word. A browser that is not there is given up before one that tells of no page.
async fn front(connection: &Connection, words: Words) -> Result<PageRef, Failure> {
    let began = Instant::now();
    let comes_within = match connection.is_joined() {
        true => BROWSER_BACK_WAIT,
        false => PAGE_COMES_WAIT,
    };
    let is_there = wait_for(connection, comes_within, |pages| is_open(pages).then_some(()));
    if is_there.await?.is_none() {
        return Err(Failure::input(words.no_browser_open(), words.how_to_connect()));
    }
    let left = PAGE_COMES_WAIT.saturating_sub(began.elapsed());
    let front = wait_for(connection, left, |pages| {
        pages.front.as_ref().map(|front| front.page.clone())
    });
    front
        .await?
        .ok_or_else(|| Failure::input(words.no_page(), words.how_to_connect()))
}

/// Whether a browser is connected that was let in.
fn is_open(pages: &PageState) -> bool {
    pages.front.is_some() || pages.browsers.iter().any(|browser| browser.connected)
}

fn carry(options: &Options) -> Result<Exit, Failure> {
    let language = options.language();
    shidi_runtime::carry_for_browser(options.data_dir(), language)?;
    Ok(Exit::Done)
}

/// Whether nothing more is to be waited for. No browser could come, or one has said all that it has to say.
fn is_settled(pages: &PageState) -> bool {
    pages.browsers.is_empty() || pages.front.is_some() || !pages.asking.is_empty()
}

/// What `wanted` finds in the state of pages, now or when it changes; `None` when that takes too long.
async fn wait_for<T>(
    connection: &Connection,
    patience: Duration,
    wanted: impl Fn(&PageState) -> Option<T>,
) -> Result<Option<T>, Failure> {
    // First: what changes from here on is not missed.
    let mut news = connection.send(Request::Watch).watching().await?;
    if let Some(found) = wanted(&asked(connection, pages::List).await?) {
        return Ok(Some(found));
    }
    let found = async {
        while let Some(reply) = news.next().await {
            if let Reply::Pages { pages } = reply
                && let Some(found) = wanted(&pages)
            {
                return Some(found);
            }
        }
        None
    };
    Ok(timeout(patience, found).await.ok().flatten())
}

async fn asked(
    connection: &Connection,
    request: impl TypedRequest<Reply = reply::Pages>,
) -> Result<PageState, Failure> {
    let reply::Pages { pages } = connection.ask(request).await?;
    Ok(pages)
}

/// Waits for a browser that asks, and lets it in when the user says that it shows the code.
async fn let_in(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    with_connection(options, async |connection| {
        console.note(Look::Plain, words.waits_for_browser());
        let asking = wait_for(connection, BROWSER_ASKS_WAIT, |pages| {
            pages.asking.first().cloned()
        })
        .await?;
        let Some(AskingBrowser { name, code }) = asking else {
            return Err(Failure::input(words.no_browser_asks(), words.how_to_connect()));
        };
        let is_shown = console.confirms(&words.does_it_show(spaced(&code), name));
        let pages = match is_shown {
            true => asked(connection, pages::Pair { code }).await?,
            false => asked(connection, pages::Decline { code }).await?,
        };
        shown(&pages, console)?;
        Ok(if is_shown { Exit::Done } else { Exit::Cancelled })
    })
    .await
}

async fn install(
    browsers: Vec<String>,
    profile: Option<PathBuf>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let profile = profile.map(|profile| std::path::absolute(&profile).unwrap_or(profile));
    let request = pages::Install {
        browsers,
        profile: profile.map(|profile| profile.display().to_string()),
    };
    let reply::CompanionInstalled { folder, browsers } = ask(request, options).await?;
    if console.is_json() {
        console.json(&serde_json::json!({"folder": folder, "browsers": browsers}))?;
        return Ok(Exit::Done);
    }
    for line in console.words.companion_installed(&folder, &browsers.join(", ")) {
        console.line(&line)?;
    }
    Ok(Exit::Done)
}

fn shown(pages: &PageState, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    for browser in &pages.browsers {
        let (look, state) = match browser.connected {
            true => (Look::Good, words.browser_connected()),
            false => (Look::Dim, words.browser_away()),
        };
        console.line(&format!(
            "{}  {}  {}",
            console.painted(Look::Strong, &browser.name),
            console.painted(Look::Dim, &browser.id),
            console.painted(look, state)
        ))?;
    }
    for asking in &pages.asking {
        console.line(&words.browser_asks(spaced(&asking.code), &asking.name))?;
    }
    if pages.browsers.is_empty() && pages.asking.is_empty() {
        console.line(words.no_browsers())?;
    }
    if let Some(front) = &pages.front {
        page(front, console)?;
    }
    if !pages.sites.is_empty() {
        console.line(&words.allowed_sites(pages.sites.join(", ")))?;
    }
    Ok(())
}

fn page(front: &PageView, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    console.line(&format!(
        "{}  {}",
        console.painted(Look::Strong, &front.title),
        front.url
    ))?;
    for tool in &front.tools {
        let name = &tool.name;
        console.line(&format!("  {name:<24} {}", console.painted(Look::Dim, &tool.doc)))?;
    }
    if !front.tools.is_empty() && !front.allowed {
        console.line(&words.allow_site(&front.page.site))?;
    }
    Ok(())
}

/// Six digits as people read them out.
fn spaced(code: &str) -> String {
    match code.split_at_checked(3) {
        Some((first, rest)) => format!("{first} {rest}"),
        None => code.to_owned(),
    }
}
