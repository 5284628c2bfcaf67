//! The web: addresses that the user named, and the toolkit by which programs fetch, search and download.
//!
//! Whether a call is permitted is decided elsewhere, host by host. Here an address is judged by where it leads, fetched
//! within bounds, and read. Whatever comes from there is a stranger's text.

mod cache;
mod download;
mod fetch;
mod limits;
mod links;
mod page;
mod robots;
mod search;

pub use download::NamedAddresses;
pub use search::is_key;

use crate::cache::Cache;
use crate::fetch::{Near, parsed};
use crate::limits::{FETCHED_BYTES_MAX, QUERY_CHARACTERS_MAX};
use crate::page::Way;
use crate::search::NoSearch;
use reqwest::Url;
use serde_json::{Value, json};
use shidi_egress::neighbourhood::{Neighbours, OfThisComputer};
use shidi_locales::Language;
use shidi_protocol::{Call, CallOutcome, ErrorCode, SessionId, UserError};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors::explain;
use shidi_toolkits::Environment;
use shidi_toolkits::web::{self, DOWNLOAD, FETCH, HOST, NAME, QUERY, SEARCH, URL};
use std::path::PathBuf;
use std::sync::Arc;

/// Whether a redirect to that address of another host is followed without asking.
pub type Follows = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The web as programs of one data space use it.
pub struct Web {
    space: Arc<Space>,
    around: Arc<dyn Neighbours>,
    cache: Cache,
    /// Where pages lie while they are read.
    folder: Option<PathBuf>,
}

/// Whose call it is, and what it may do.
pub struct Caller {
    pub session: SessionId,
    pub environment: Environment,
    /// The user wrote that very address, so it may lie on this computer or beside it.
    pub is_typed: bool,
    pub follows: Follows,
}

impl Caller {
    fn way(&self) -> Way<'_> {
        let near = match self.is_typed {
            true => Near::AsNamed,
            false => Near::Refused,
        };
        Way {
            near,
            follows: &self.follows,
        }
    }
}

/// Whether a call is for the web.
#[must_use]
pub fn is_for_web(call: &Call) -> bool {
    call.toolkit == NAME
}

impl Web {
    #[must_use]
    pub fn new(space: Arc<Space>) -> Arc<Self> {
        let folder = space
            .home
            .documents()
            .map(|documents| documents.with_file_name("web"));
        // What a process that was killed has left there nobody reads any more.
        if let Some(folder) = &folder
            && let Err(cause) = std::fs::remove_dir_all(folder)
            && cause.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%cause, "pages that were being read are not removed");
        }
        Arc::new(Self {
            space,
            around: Arc::new(OfThisComputer),
            cache: Cache::default(),
            folder,
        })
    }

    /// The call as it is decided on and recorded: with the host that it speaks to.
    #[must_use]
    pub fn named(&self, mut call: Call) -> Call {
        let host = match call.method.as_str() {
            SEARCH => search::endpoint(&self.space).ok().map(|(_, url)| host_of(&url)),
            _ => parsed(call.text(URL)).ok().map(|url| host_of(&url)),
        };
        call.args
            .insert(HOST.to_owned(), Value::from(host.unwrap_or_default()));
        call
    }

    /// Performs a call that is permitted.
    pub async fn perform(&self, call: Call, caller: Caller) -> CallOutcome {
        if let Err(refused) = web::check(&call) {
            return *refused;
        }
        match call.method.as_str() {
            SEARCH => self.search(&call).await,
            FETCH | DOWNLOAD => {
                let url = match parsed(call.text(URL)) {
                    Ok(url) => url,
                    Err(why) => return CallOutcome::failure("ValueError", why.detail),
                };
                match call.method.as_str() {
                    FETCH => page::read(self, url, &caller).await,
                    _ => self.download(url, call, caller).await,
                }
            }
            _ => CallOutcome::failure("AttributeError", format!("There is no {}", call.tool())).own(),
        }
    }

    /// Searches once with the key that is kept: no provider checks a key otherwise.
    ///
    /// # Errors
    /// No provider, no key, or one that the provider refuses.
    pub async fn test_key(&self) -> Result<(), UserError> {
        let language = self.space.language();
        let tried = search::search(self, "shidi", 1).await;
        tried.map(|_| ()).map_err(|why| match why {
            NoSearch::Keys(cause) => explain(&self.space, &cause),
            NoSearch::NotSet
            | NoSearch::NoAddress(_)
            | NoSearch::NoKey(_)
            | NoSearch::KeyRefused(_)
            | NoSearch::UsedUp(_)
            | NoSearch::TooOften(..)
            | NoSearch::QueryRefused(..)
            | NoSearch::NoJson
            | NoSearch::OtherAnswer(..)
            | NoSearch::Failed(_) => error(
                ErrorCode::Input,
                why.sentence(language),
                language.web().check_search_settings(),
            ),
        })
    }

    /// How searching stands, in words: the name and host of the provider, or what is not set.
    #[must_use]
    pub fn standing(&self) -> String {
        let language = self.space.language();
        match search::endpoint(&self.space) {
            Ok((provider, url)) => language.web().doctor_search(host_of(&url), provider.name()),
            Err(NoSearch::NotSet) => language.web().doctor_search_none().to_owned(),
            Err(why) => why.sentence(language),
        }
    }

    async fn search(&self, call: &Call) -> CallOutcome {
        let query = call.text(QUERY).trim();
        if query.is_empty() || query.chars().count() > QUERY_CHARACTERS_MAX {
            let message = format!("query holds from 1 to {QUERY_CHARACTERS_MAX} characters");
            return CallOutcome::failure("ValueError", message).own();
        }
        let limit = call.args.get("limit").and_then(Value::as_u64);
        let limit = limit.map_or(web::RESULTS_DEFAULT, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        match search::search(self, query, limit).await {
            Ok(found) => {
                let listed: Vec<Value> = found
                    .iter()
                    .enumerate()
                    .map(|(at, found)| {
                        json!({"n": at + 1, "title": found.title, "url": found.url, "text": found.text})
                    })
                    .collect();
                CallOutcome::success(Value::Array(listed), format!("{} results", found.len()))
            }
            Err(why) => {
                let failure = CallOutcome::failure(why.kind(), why.sentence(Language::SOURCE));
                if why.is_own() { failure.own() } else { failure }
            }
        }
    }

    async fn download(&self, url: Url, call: Call, caller: Caller) -> CallOutcome {
        let proxy = self.space.config().reach.proxy.clone();
        let fetched = page::bytes_of(&self.around, url, caller.way(), FETCHED_BYTES_MAX, &proxy).await;
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(refused) => return *refused,
        };
        let putting =
            tokio::task::spawn_blocking(move || web::put(&call, &caller.environment, &fetched.bytes));
        match putting.await {
            Ok(outcome) => outcome,
            Err(cause) => CallOutcome::failure("OSError", cause.to_string()),
        }
    }
}

/// The host as permissions name it: with its port where that is not the usual one.
fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

pub(crate) fn is_same_host(one: &Url, other: &Url) -> bool {
    host_of(one) == host_of(other)
}

#[cfg(test)]
mod tests;
