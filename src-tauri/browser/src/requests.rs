//! What the user does about browsers and sites: lets in, turns away, forgets, allows.

use crate::{Pages, Tools, changed, installing, site_of};
use shidi_protocol::{ErrorCode, PageRequest, Reply, UserError};
use shidi_space::words::{Words, error, internal};
use std::path::Path;
use std::sync::Arc;

/// Carries out what is asked.
///
/// # Errors
/// A code that no browser shows, a browser that isn't known, an address that is none, storage trouble.
pub async fn perform(pages: &Arc<Pages>, action: PageRequest) -> Result<Reply, UserError> {
    let (own, words) = (Arc::clone(pages), pages.space.words());
    // Most of it waits for the disk.
    let done = tokio::task::spawn_blocking(move || performed(&own, &action)).await;
    done.unwrap_or_else(|cause| Err(internal(words, &cause.to_string())))
}

fn performed(pages: &Pages, action: &PageRequest) -> Result<Reply, UserError> {
    let words = pages.space.words();
    let tools = match action {
        PageRequest::List => Tools::AsBefore,
        PageRequest::Pair { code } => {
            let is_there = pages.let_in(&digits(code))?;
            done(is_there, || no_code(words))?;
            Tools::AsBefore
        }
        PageRequest::Decline { code } => {
            done(pages.decline(&digits(code)), || no_code(words))?;
            Tools::AsBefore
        }
        PageRequest::Forget { browser } => {
            let was_known = pages.forget(browser)?;
            done(was_known, || no_browser(words, browser))?;
            Tools::Changed
        }
        PageRequest::Allow { site, on } => {
            let site = site_of(site).ok_or_else(|| no_site(words, site))?;
            pages.allow(&site, *on)?;
            Tools::Changed
        }
        PageRequest::Install { browsers, profile } => {
            return installing::install(&pages.space, browsers, profile.as_deref().map(Path::new));
        }
    };
    if *action != PageRequest::List {
        changed(pages, tools);
    }
    Ok(Reply::Pages { pages: pages.shown() })
}

/// A code as it may be typed: `482 913`, `482-913`.
fn digits(code: &str) -> String {
    code.chars().filter(char::is_ascii_digit).collect()
}

fn done(is_done: bool, otherwise: impl FnOnce() -> UserError) -> Result<(), UserError> {
    if is_done { Ok(()) } else { Err(otherwise()) }
}

fn no_code(words: Words) -> UserError {
    error(
        ErrorCode::NotFound,
        words.pick("没有浏览器显示这个代码", "No browser shows this code"),
        words.pick(
            "在浏览器里点师弟伴侣的图标，看它现在显示的代码",
            "Click the companion's icon in the browser and look at the code that it shows now",
        ),
    )
}

fn no_browser(words: Words, browser: &str) -> UserError {
    let said = words.pick("没有这个浏览器：", "There is no browser");
    error(
        ErrorCode::NotFound,
        format!("{said} {browser}"),
        words.pick(
            "看看有哪些：shidi companion",
            "See which there are: shidi companion",
        ),
    )
}

fn no_site(words: Words, site: &str) -> UserError {
    let said = words.pick("这不是网站地址：", "This is not the address of a site:");
    error(
        ErrorCode::Input,
        format!("{said} {site}"),
        words.pick("例如 https://example.com", "For example https://example.com"),
    )
}

pub(crate) fn too_many(words: Words) -> UserError {
    error(
        ErrorCode::Input,
        words.pick("配对的浏览器太多了", "Too many browsers were let in"),
        words.pick(
            "先忘掉一个：shidi companion forget ID",
            "Forget one first: shidi companion forget ID",
        ),
    )
}
