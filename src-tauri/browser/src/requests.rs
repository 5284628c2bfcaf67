//! The user's actions on browsers and sites: letting in, turning away, forgetting, allowing.

use crate::{Pages, Tools, changed, installing, site_of};
use shidi_locales::Language;
use shidi_protocol::request::pages as request;
use shidi_protocol::{ErrorCode, PageRequest, Reply, UserError, reply_to};
use shidi_space::errors::{error, internal};
use std::path::Path;
use std::sync::Arc;

/// Carries out what is asked.
///
/// # Errors
/// A code that no browser shows, a browser that isn't known, an address that is none. Also a page that takes no text
/// in, and storage trouble.
pub async fn perform(pages: &Arc<Pages>, action: PageRequest) -> Result<Reply, UserError> {
    let (own, language) = (Arc::clone(pages), pages.space.language());
    // Most of it waits for the disk.
    let done = tokio::task::spawn_blocking(move || performed(&own, &action)).await;
    done.unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))
}

fn performed(pages: &Pages, action: &PageRequest) -> Result<Reply, UserError> {
    let language = pages.space.language();
    let tools = match action {
        PageRequest::List => Tools::AsBefore,
        PageRequest::Pair { code } => {
            let is_there = pages.let_in(&digits(code))?;
            done(is_there, || no_code(language))?;
            Tools::AsBefore
        }
        PageRequest::Decline { code } => {
            done(pages.decline(&digits(code)), || no_code(language))?;
            Tools::AsBefore
        }
        PageRequest::Forget { browser } => {
            let was_known = pages.forget(browser)?;
            done(was_known, || no_browser(language, browser))?;
            Tools::Changed
        }
        PageRequest::Allow { site, on } => {
            let site = site_of(site).ok_or_else(|| no_site(language, site))?;
            pages.allow(&site, *on)?;
            Tools::Changed
        }
        PageRequest::Learn { site, on } => {
            let site = site_of(site).ok_or_else(|| no_site(language, site))?;
            pages.learn(&site, *on)?;
            Tools::AsBefore
        }
        PageRequest::FillIn { page, values } => {
            // This thread may wait: it is there for that.
            let filled = tokio::runtime::Handle::current().block_on(pages.fill_in(page, values));
            return Ok(reply_to::<request::FillIn>(filled));
        }
        PageRequest::Insert { page, text } => {
            // This thread may wait: it is there for that.
            let is_there = tokio::runtime::Handle::current().block_on(pages.insert(page, text));
            done(is_there, || not_inserted(language))?;
            return Ok(Reply::Pages { pages: pages.shown() });
        }
        PageRequest::Install { browsers, profile } => {
            let profile = profile.as_deref().map(Path::new);
            let installed = installing::install(&pages.space, browsers, profile)?;
            return Ok(reply_to::<request::Install>(installed));
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

fn no_code(language: Language) -> UserError {
    error(
        ErrorCode::NotFound,
        language.browser().no_browser_shows_code(),
        language.browser().click_companion_icon(),
    )
}

fn no_browser(language: Language, browser: &str) -> UserError {
    let said = language.browser().no_such_browser();
    error(
        ErrorCode::NotFound,
        format!("{said} {browser}"),
        language.browser().see_browsers(),
    )
}

fn no_site(language: Language, site: &str) -> UserError {
    let said = language.browser().no_address();
    error(
        ErrorCode::Input,
        format!("{said} {site}"),
        language.browser().address_example(),
    )
}

fn not_inserted(language: Language) -> UserError {
    error(
        ErrorCode::NotFound,
        language.browser().not_inserted(),
        language.browser().click_into_field(),
    )
}

pub(crate) fn too_many(language: Language) -> UserError {
    error(
        ErrorCode::Input,
        language.browser().browsers_full(),
        language.browser().forget_one_first(),
    )
}
