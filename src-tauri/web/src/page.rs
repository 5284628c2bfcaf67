//! `web.fetch`: an address becomes text that a model can read and cite, with what its site says of programs.
//!
//! Pages, PDFs and office files are read by the reader of documents, a child that can reach nothing. A
//! fetched document lies on the disk only for that, and is removed at once.

use crate::fetch::{Fetched, Near, Rules, Stopped, fetched, shown};
use crate::limits::{PAGE_BYTES_MAX, PAGE_TEXT_BYTES_MAX, PAGE_TIMEOUT, ROBOTS_BYTES_MAX, ROBOTS_TIMEOUT};
use crate::links::{Numbered, numbered};
use crate::robots::{self, Robots};
use crate::{Caller, Follows, Web};
use reqwest::Url;
use serde_json::json;
use shidi_egress::neighbourhood::Neighbours;
use shidi_locales::Language;
use shidi_models::Proxy;
use shidi_protocol::{CallOutcome, Unreadable};
use shidi_space::errors::unreadable;
use shidi_space::space::reader_program;
use shidi_toolkits::{Body, Library, attach, excerpt};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a call may go.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub near: Near,
    pub follows: &'a Follows,
}

/// Reads an address for a program.
pub(crate) async fn read(web: &Web, url: Url, caller: &Caller) -> CallOutcome {
    let address = shown(&url);
    if let Some(known) = web.cache.get(&caller.session, &address) {
        return known;
    }
    let proxy = web.space.config().reach.proxy.clone();
    let (page, robots) = tokio::join!(
        bytes_of(&web.around, url.clone(), caller.way(), PAGE_BYTES_MAX, &proxy),
        robots_of(&web.around, &url, caller.way().near, &proxy),
    );
    let page = match page {
        Ok(page) => page,
        Err(refused) => return *refused,
    };
    let outcome = match text_of(web.folder.clone(), page).await {
        Ok(text) => told(text, robots),
        Err(why) => CallOutcome::failure("ValueError", format!("{address}: {why}")),
    };
    let bytes = outcome.data.to_string().len();
    if outcome.ok() {
        web.cache.put(&caller.session, &address, bytes, outcome.clone());
    }
    outcome
}

/// Fetches an address as the caller may; else what the program is told.
pub(crate) async fn bytes_of(
    around: &Arc<dyn Neighbours>,
    url: Url,
    way: Way<'_>,
    bytes_max: usize,
    proxy: &Proxy,
) -> Result<Fetched, Box<CallOutcome>> {
    let rules = Rules {
        near: way.near,
        follows: &|next| crate::is_same_host(&url, next) || (way.follows)(next.as_str()),
        bytes_max,
        timeout: PAGE_TIMEOUT,
        proxy,
    };
    let address = shown(&url);
    let answer = fetched(around, url.clone(), &rules, &mut |_, _| {}).await;
    answer.map_err(|stopped| {
        Box::new(match stopped {
            Stopped::Unfetched(why) => {
                CallOutcome::failure("ConnectionError", format!("{address}: {}", why.detail))
            }
            Stopped::LeadsTo(next) => {
                let message = format!(
                    "{address} redirects to another host: {}. If it is wanted, use that address",
                    shown(&next)
                );
                CallOutcome::failure("PermissionError", message)
            }
        })
    })
}

/// What the site of an address says of programs; a site that does not tell soon is silent.
async fn robots_of(around: &Arc<dyn Neighbours>, url: &Url, near: Near, proxy: &Proxy) -> Robots {
    let Ok(address) = url.join("/robots.txt") else {
        return Robots::Silent;
    };
    let rules = Rules {
        near,
        follows: &|next| crate::is_same_host(url, next),
        bytes_max: ROBOTS_BYTES_MAX,
        timeout: ROBOTS_TIMEOUT,
        proxy,
    };
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    match fetched(around, address, &rules, &mut |_, _| {}).await {
        Ok(found) => robots::said(&String::from_utf8_lossy(&found.bytes), &path),
        Err(why) => {
            tracing::debug!(?why, "a site says nothing of programs");
            Robots::Silent
        }
    }
}

/// A page as a program gets it.
struct Text {
    address: String,
    redirects: Vec<String>,
    format: &'static str,
    title: String,
    numbered: Numbered,
    cut: bool,
}

fn told(text: Text, robots: Robots) -> CallOutcome {
    let Numbered { text: words, links } = text.numbered;
    let summary = format!("{} · {} characters", text.address, words.chars().count());
    let data = json!({
        "url": text.address,
        "title": text.title,
        "text": words,
        "links": links,
        "format": text.format,
        "cut": text.cut,
        "robots": robots.name(),
        "redirects": text.redirects,
    });
    CallOutcome::success(data, summary)
}

/// Reads what was fetched, aside: a parser may take its time.
async fn text_of(folder: Option<PathBuf>, page: Fetched) -> Result<Text, String> {
    let Some(folder) = folder else {
        return Err("there is no place to read it in".to_owned());
    };
    let reading = tokio::task::spawn_blocking(move || read_in(&folder, page));
    match reading.await {
        Ok(text) => text,
        Err(cause) => Err(cause.to_string()),
    }
}

fn read_in(folder: &Path, page: Fetched) -> Result<Text, String> {
    let unkept = |cause: io::Error| format!("it can't be kept to be read: {cause}");
    std::fs::create_dir_all(folder).map_err(unkept)?;
    let place = tempfile::tempdir_in(folder).map_err(unkept)?;
    let path = place.path().join(file_name(&page.name));
    std::fs::write(&path, &page.bytes).map_err(unkept)?;
    let library = Library::new(place.path().join("read"), reader_program());
    let attached = attach(&path, Some(&library), &mut |_, _| {});
    let excerpt = match &attached.body {
        Body::Text => excerpt(&path, PAGE_TEXT_BYTES_MAX),
        Body::Document(document) => document.excerpt(PAGE_TEXT_BYTES_MAX),
        Body::Picture(_) => return Err("it is a picture: web.download keeps it".to_owned()),
        Body::Folder(_) | Body::Unreadable => {
            let reason = attached.attachment.reason.unwrap_or(Unreadable::Binary);
            let why = unreadable(Language::SOURCE, reason);
            let detail = attached.attachment.detail.unwrap_or_default();
            return Err(format!("it can't be read as text: {why} {detail}")
                .trim()
                .to_owned());
        }
    };
    let excerpt = excerpt.map_err(|error| error.to_string())?;
    let cut = excerpt.more || matches!(&attached.body, Body::Document(document) if document.is_cut());
    let format = match &attached.body {
        Body::Document(document) => document.kind().map_or("document", |kind| kind.name()),
        Body::Text | Body::Folder(_) | Body::Picture(_) | Body::Unreadable => "text",
    };
    let first = excerpt.text.lines().next().unwrap_or_default();
    let title = first.strip_prefix("# ").unwrap_or(&page.name).trim().to_owned();
    let numbered = match format {
        "html" => numbered(&excerpt.text, &page.address),
        _ => Numbered {
            text: excerpt.text,
            links: Vec::new(),
        },
    };
    Ok(Text {
        address: page.address,
        redirects: page.redirects,
        format,
        title,
        numbered,
        cut,
    })
}

/// A name for the file while it is read: only its ending tells the reader something.
fn file_name(name: &str) -> String {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    let is_plain = |ending: &&str| ending.len() <= 8 && ending.chars().all(|c| c.is_ascii_alphanumeric());
    match ending.filter(is_plain) {
        Some(ending) => format!("page.{ending}"),
        None => "page".to_owned(),
    }
}
