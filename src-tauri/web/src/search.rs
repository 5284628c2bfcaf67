//! `web.search`: the user's own provider is asked, and its results become a numbered list.
//!
//! The user chose the provider, so it may lie near. The provider sends nobody on: a redirect would carry the
//! key along.

mod refusal;
mod shapes;

pub(crate) use refusal::NoSearch;
pub(crate) use shapes::Found;

use crate::Web;
use crate::fetch::judged::Judged;
use crate::fetch::through;
use crate::limits::{
    FETCH_CONNECT_TIMEOUT, SEARCH_BYTES_MAX, SEARCH_REFUSAL_BYTES, SEARCH_RESULTS_MAX, SEARCH_TIMEOUT,
};
use reqwest::{Client, Response, Url, redirect};
use secrecy::SecretString;
use serde_json::Value;
use shidi_space::Space;
use shidi_space::config::settings::SearchProvider;

/// Whether a key of that name belongs to a search provider.
#[must_use]
pub fn is_key(name: &str) -> bool {
    [
        SearchProvider::Brave,
        SearchProvider::Tavily,
        SearchProvider::Bing,
    ]
    .iter()
    .any(|provider| provider.name() == name)
}

/// Where the provider answers: the address that the user set, else its own.
pub(crate) fn endpoint(space: &Space) -> Result<(SearchProvider, Url), NoSearch> {
    let config = space.config();
    let set = &config.search;
    let provider = set.provider;
    if provider == SearchProvider::None {
        return Err(NoSearch::NotSet);
    }
    let text = match set.url.0.is_empty() {
        true => shapes::own_address(provider),
        false => Some(set.url.0.as_str()),
    };
    let url = text.and_then(|text| Url::parse(text).ok());
    let url = url.ok_or(NoSearch::NoAddress(provider.name()))?;
    Ok((provider, url))
}

/// Asks the provider that is set.
pub(crate) async fn search(web: &Web, query: &str, most: usize) -> Result<Vec<Found>, NoSearch> {
    let (provider, url) = endpoint(&web.space)?;
    let key = key_of(&web.space, provider).await?;
    let proxy = web.space.config().reach.proxy.clone();
    let builder = Client::builder()
        .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(FETCH_CONNECT_TIMEOUT)
        .timeout(SEARCH_TIMEOUT)
        .redirect(redirect::Policy::none());
    let host = Judged::of(&url, &web.around).await;
    let builder = through(&proxy, builder, host.place).map_err(|cause| failed(&cause))?;
    let client = builder.build().map_err(|cause| failed(&cause))?;
    let most = most.clamp(1, SEARCH_RESULTS_MAX);
    let asked = shapes::request(&client, provider, url, query, most, key.as_ref())?;
    let mut answer = asked.send().await.map_err(|cause| failed(&cause))?;
    let status = answer.status();
    if !status.is_success() {
        let headers = answer.headers().clone();
        // A refusal that is too long, or breaks off, is told by its number.
        let said = body(&mut answer, SEARCH_REFUSAL_BYTES).await.unwrap_or_default();
        return Err(refusal::of(provider, status.as_u16(), &headers, &said));
    }
    let bytes = body(&mut answer, SEARCH_BYTES_MAX).await?;
    let other = |why: &str| NoSearch::OtherAnswer(provider.name(), why.to_owned());
    let answer: Value = serde_json::from_slice(&bytes).map_err(|_| other("no JSON"))?;
    shapes::results(provider, &answer, most).ok_or_else(|| other("no list of results"))
}

async fn body(answer: &mut Response, most: usize) -> Result<Vec<u8>, NoSearch> {
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|cause| failed(&cause))? {
        if bytes.len() + piece.len() > most {
            return Err(NoSearch::Failed(format!("more than {} KB", most >> 10)));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// The key of a provider that needs one.
async fn key_of(space: &Space, provider: SearchProvider) -> Result<Option<SecretString>, NoSearch> {
    if !is_key(provider.name()) {
        return Ok(None);
    }
    let models = space.models();
    match models.keys().get(provider.name()).await {
        Ok(Some(key)) => Ok(Some(key)),
        Ok(None) => Err(NoSearch::NoKey(provider.name())),
        Err(cause) => Err(NoSearch::Keys(cause)),
    }
}

/// The reason that says something. The address may hold the query, and is left out.
fn failed(cause: &reqwest::Error) -> NoSearch {
    if cause.is_timeout() {
        return NoSearch::Failed(format!("more than {} s", SEARCH_TIMEOUT.as_secs()));
    }
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    NoSearch::Failed(innermost.to_string())
}
