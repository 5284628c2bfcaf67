//! Fetches an address, once, within bounds of time, size and redirects.
//!
//! Who asks says in the rules whether the user named the address, and which redirects are followed. A redirect may lead
//! from the open network into this machine or its neighbourhood, or from the neighbourhood further in. The user did not
//! mean that, so such a redirect is not followed. Each host on the way is judged by the addresses that its name has,
//! and reached at just those. Behind a proxy the proxy finds and reaches the host. Addresses of the name that are known
//! here are judged the same. A name that only the proxy knows is left to the proxy.

pub(crate) mod judged;

use crate::limits::{FETCH_CONNECT_TIMEOUT, FETCH_REDIRECTS_MAX, FETCH_TIMEOUT, FETCHED_BYTES_MAX};
use judged::Judged;
use reqwest::header::LOCATION;
use reqwest::{Client, ClientBuilder, Response, Url};
use shidi_egress::neighbourhood::{Distance, Neighbours, OfThisComputer, Place};
use shidi_models::Proxy;
use shidi_protocol::Unreadable;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What an address answered.
pub struct Fetched {
    pub bytes: Vec<u8>,
    /// For the file that it becomes: from the address, with the ending that its content type asks for.
    pub name: String,
    /// After redirects, without user name and password.
    pub address: String,
    /// Addresses that sent us on, without user name and password.
    pub redirects: Vec<String>,
}

/// Why nothing was fetched.
#[derive(Debug)]
pub struct Unfetched {
    pub reason: Unreadable,
    pub detail: String,
}

fn unfetched(reason: Unreadable, detail: impl std::fmt::Display) -> Unfetched {
    Unfetched {
        reason,
        detail: detail.to_string(),
    }
}

/// Why a way through the web ended without an answer.
#[derive(Debug)]
pub(crate) enum Stopped {
    Unfetched(Unfetched),
    /// An answer sends us where we may not go by ourselves.
    LeadsTo(Box<Url>),
}

impl From<Unfetched> for Stopped {
    fn from(why: Unfetched) -> Self {
        Self::Unfetched(why)
    }
}

impl From<Stopped> for Unfetched {
    fn from(why: Stopped) -> Self {
        match why {
            Stopped::Unfetched(why) => why,
            Stopped::LeadsTo(url) => unfetched(Unreadable::Unreachable, format!("it redirects to {url}")),
        }
    }
}

/// Whether the first address of a way may lie on this computer or in its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Near {
    /// The user named that address.
    AsNamed,
    Refused,
}

/// What a way through the web may do, and how much.
pub(crate) struct Rules<'a> {
    pub near: Near,
    /// Whether a redirect to that address is followed.
    pub follows: &'a (dyn Fn(&Url) -> bool + Send + Sync),
    pub bytes_max: usize,
    pub timeout: Duration,
    pub proxy: &'a Proxy,
}

/// Fetches `text`, an address of the web; `progress` hears bytes of bytes, the second 0 while unknown.
///
/// # Errors
/// No such address, no answer, an answer that is an error or too large.
pub async fn fetch(text: &str, progress: &mut (dyn FnMut(u64, u64) + Send)) -> Result<Fetched, Unfetched> {
    fetch_in(Arc::new(OfThisComputer), text, progress).await
}

async fn fetch_in(
    around: Arc<dyn Neighbours>,
    text: &str,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Fetched, Unfetched> {
    let rules = Rules {
        near: Near::AsNamed,
        follows: &|_| true,
        bytes_max: FETCHED_BYTES_MAX,
        timeout: FETCH_TIMEOUT,
        proxy: &Proxy::System,
    };
    Ok(fetched(&around, parsed(text)?, &rules, progress).await?)
}

/// Fetches an address as the rules let it.
pub(crate) async fn fetched(
    around: &Arc<dyn Neighbours>,
    url: Url,
    rules: &Rules<'_>,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Fetched, Stopped> {
    let (answer, redirects) = followed(around, url, rules).await?;
    if !answer.status().is_success() {
        let status = format!("HTTP {}", answer.status().as_u16());
        return Err(unfetched(Unreadable::Unreachable, status).into());
    }
    let address = answer.url().clone();
    let kind = content_type(&answer);
    let bytes = body(answer, rules.bytes_max, progress).await?;
    Ok(Fetched {
        bytes: with_charset_told(bytes, &kind),
        name: name_of(&address, &kind),
        address: shown(&address),
        redirects: redirects.iter().map(shown).collect(),
    })
}

/// An address without user name and password.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // A scheme of the web always has a place for these; any other is not fetched.
    let is_bare = url.set_username("").is_ok() && url.set_password(None).is_ok();
    if is_bare { url.to_string() } else { String::new() }
}

/// An address as people write it: `https` unless it says otherwise.
pub(crate) fn parsed(text: &str) -> Result<Url, Unfetched> {
    let text = text.trim();
    let whole = if text.contains("://") {
        text.to_owned()
    } else {
        format!("https://{text}")
    };
    let url = Url::parse(&whole).map_err(|cause| unfetched(Unreadable::Unreachable, cause))?;
    if matches!(url.scheme(), "http" | "https") && url.host().is_some() {
        Ok(url)
    } else {
        Err(unfetched(
            Unreadable::Unreachable,
            format!("{}: only http and https are fetched", url.scheme()),
        ))
    }
}

/// Asks `url`, and where that sends us, for as long as it does. Returns the answer with the addresses before it.
async fn followed(
    around: &Arc<dyn Neighbours>,
    mut url: Url,
    rules: &Rules<'_>,
) -> Result<(Response, Vec<Url>), Stopped> {
    let deadline = Instant::now() + rules.timeout;
    let mut was_far = rules.near == Near::Refused;
    let mut came_from: Option<Place> = None;
    let mut redirects = Vec::new();
    for _ in 0..=FETCH_REDIRECTS_MAX {
        let judging = tokio::time::timeout(FETCH_CONNECT_TIMEOUT, Judged::of(&url, around));
        let host = judging.await.map_err(|_| too_slow(rules.timeout))?;
        let leads_in = came_from.is_some_and(|before| leads_in(before, host.place));
        was_far = match host.distance {
            Distance::Near | Distance::Both if was_far || leads_in => return Err(inwards(came_from).into()),
            Distance::Near => false,
            Distance::Far | Distance::Both | Distance::Unknown => true,
        };
        came_from = Some(host.place);
        let answer = asked(host, &url, deadline, rules).await?;
        match led_on(&answer)? {
            Some(next) if !(rules.follows)(&next) => return Err(Stopped::LeadsTo(Box::new(next))),
            Some(next) => redirects.push(std::mem::replace(&mut url, next)),
            None => return Ok((answer, redirects)),
        }
    }
    Err(unfetched(Unreadable::Unreachable, "too many redirects").into())
}

/// Why an address that lies near is not asked.
fn inwards(came_from: Option<Place>) -> Unfetched {
    let why = match came_from {
        Some(_) => "it redirects into the local network",
        None => "it lies in the local network, and the user did not write that address",
    };
    unfetched(Unreadable::Unreachable, why)
}

/// Asks one address at the places that were judged.
async fn asked(host: Judged, url: &Url, deadline: Instant, rules: &Rules<'_>) -> Result<Response, Unfetched> {
    let failing = |cause| unfetched(Unreadable::Failed, cause);
    let builder = Client::builder()
        .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(FETCH_CONNECT_TIMEOUT)
        .timeout(deadline.saturating_duration_since(Instant::now()));
    let builder = through(rules.proxy, builder, host.place).map_err(failing)?;
    let client = host.client(builder).map_err(failing)?;
    let sent = client.get(url.clone()).send().await;
    sent.map_err(|cause| failed(&cause))
}

/// The client's proxy: none stands between this computer and itself.
pub(crate) fn through(
    proxy: &Proxy,
    builder: ClientBuilder,
    place: Place,
) -> Result<ClientBuilder, reqwest::Error> {
    match place {
        Place::Own => Ok(builder.no_proxy()),
        Place::Far | Place::Neighbour | Place::Link => proxy.before(builder),
    }
}

/// Whether a redirect leads to what only this computer, or only its wire, may speak to, from somewhere else.
fn leads_in(before: Place, now: Place) -> bool {
    match now {
        Place::Own | Place::Link => before != now,
        Place::Far | Place::Neighbour => false,
    }
}

/// Where an answer sends us, if it does.
fn led_on(answer: &Response) -> Result<Option<Url>, Unfetched> {
    let refused = |why: &str| unfetched(Unreadable::Unreachable, why);
    let location = answer.headers().get(LOCATION);
    // The others of this family speak of what is kept, or offer a choice.
    let is_redirect = matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = location.filter(|_| is_redirect) else {
        return Ok(None);
    };
    let location = location.to_str().ok();
    let next = location.and_then(|location| answer.url().join(location).ok());
    let next = next.ok_or_else(|| refused("it redirects to what is no address"))?;
    match next.scheme() {
        "http" | "https" if next.has_host() => Ok(Some(next)),
        _ => Err(refused("it redirects out of the web")),
    }
}

async fn body(
    mut answer: Response,
    bytes_max: usize,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Vec<u8>, Unfetched> {
    let total = answer.content_length().unwrap_or(0);
    let too_large = || unfetched(Unreadable::Huge, format!("more than {} MB", bytes_max >> 20));
    if total > bytes_max as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|cause| failed(&cause))? {
        if bytes.len() + piece.len() > bytes_max {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
        progress(bytes.len() as u64, total);
    }
    Ok(bytes)
}

fn failed(cause: &reqwest::Error) -> Unfetched {
    if cause.is_timeout() {
        return unfetched(Unreadable::TimedOut, "it took too long");
    }
    // The innermost reason is the one that says something: "connection refused", "too many redirects".
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    unfetched(Unreadable::Unreachable, innermost)
}

fn too_slow(timeout: Duration) -> Unfetched {
    unfetched(Unreadable::TimedOut, format!("more than {} s", timeout.as_secs()))
}

fn content_type(answer: &Response) -> String {
    let header = answer.headers().get(reqwest::header::CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_lowercase()
}

/// A text whose encoding only the header named is kept as UTF-8 with a mark that says so. RTF names its own.
fn with_charset_told(bytes: Vec<u8>, kind: &str) -> Vec<u8> {
    let label = kind
        .split_once("charset=")
        .map(|(_, label)| label.trim_matches(['"', ' ']));
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    let is_bare = kind.starts_with("text/") && !kind.starts_with("text/rtf");
    match encoding {
        Some(encoding) if is_bare && encoding_rs::Encoding::for_bom(&bytes).is_none() => {
            let (text, _, _) = encoding.decode(&bytes);
            format!("\u{feff}{text}").into_bytes()
        }
        Some(_) | None => bytes,
    }
}

/// `example.com-guide.html`: the host, the last part of the path, and an ending that fits the content.
fn name_of(url: &Url, kind: &str) -> String {
    const ENDINGS: &[(&str, &str)] = &[
        ("text/html", "html"),
        ("application/xhtml", "html"),
        ("text/plain", "txt"),
        ("text/markdown", "md"),
        ("text/csv", "csv"),
        ("application/json", "json"),
        ("application/pdf", "pdf"),
        ("wordprocessingml", "docx"),
        ("presentationml", "pptx"),
        ("spreadsheetml", "xlsx"),
        ("application/vnd.ms-excel", "xls"),
        ("opendocument.spreadsheet", "ods"),
        ("opendocument.text", "odt"),
        ("opendocument.presentation", "odp"),
        ("application/rtf", "rtf"),
        ("text/rtf", "rtf"),
        ("image/png", "png"),
        ("image/jpeg", "jpg"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
    ];
    let host = url.host_str().unwrap_or("page");
    let last = url
        .path_segments()
        .and_then(|mut parts| parts.rfind(|part| !part.is_empty()));
    let name = match last {
        Some(last) => format!("{host}-{last}"),
        None => host.to_owned(),
    };
    let ending = ENDINGS
        .iter()
        .find(|(part, _)| kind.contains(part))
        .map(|(_, ending)| *ending);
    match ending {
        Some(ending) if !name.to_lowercase().ends_with(&format!(".{ending}")) => format!("{name}.{ending}"),
        Some(_) | None => name,
    }
}

#[cfg(test)]
mod tests;
