//! Fetches an address that the user gave, once, within bounds of time, size and redirects.
//!
//! The user named this address, so its host needs no approval; where a redirect leads from the open network into
//! this machine or its neighbourhood, or from the neighbourhood further in, the user did not mean that, and it is not
//! followed. Each host on the way is judged by
//! the addresses that its name has, and reached at just those. Behind a proxy the proxy finds and reaches the host: what is
//! known of the name here is judged the same, a name that only the proxy knows is left to it.

mod neighbourhood;

use crate::limits::{FETCH_CONNECT_TIMEOUT, FETCH_REDIRECTS_MAX, FETCH_TIMEOUT, FETCHED_BYTES_MAX};
use neighbourhood::{Distance, Judged, Neighbours, OfThisComputer, Place};
use reqwest::header::LOCATION;
use reqwest::{Client, Response, Url};
use shidi_protocol::Unreadable;
use std::sync::Arc;
use std::time::Instant;

/// What an address answered.
pub struct Fetched {
    pub bytes: Vec<u8>,
    /// For the file that it becomes: from the address, with the ending that its content type asks for.
    pub name: String,
    /// After redirects, without user name and password.
    pub address: String,
}

/// Why nothing was fetched.
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
    let answer = followed(&around, parsed(text)?).await?;
    if !answer.status().is_success() {
        return Err(unfetched(
            Unreadable::Unreachable,
            format!("HTTP {}", answer.status().as_u16()),
        ));
    }
    let mut address = answer.url().clone();
    let kind = content_type(&answer);
    let bytes = body(answer, progress).await?;
    let bytes = with_charset_told(bytes, &kind);
    let name = name_of(&address, &kind);
    // A scheme of the web always has a place for these.
    if address.set_username("").is_err() || address.set_password(None).is_err() {
        return Err(unfetched(Unreadable::Unreachable, "the address has no host"));
    }
    Ok(Fetched {
        bytes,
        name,
        address: address.to_string(),
    })
}

/// An address as people write it: `https` unless it says otherwise.
fn parsed(text: &str) -> Result<Url, Unfetched> {
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

/// Asks `url`, and where that sends us, for as long as it does.
async fn followed(around: &Arc<dyn Neighbours>, mut url: Url) -> Result<Response, Unfetched> {
    let deadline = Instant::now() + FETCH_TIMEOUT;
    let mut was_far = false;
    let mut came_from: Option<Place> = None;
    for _ in 0..=FETCH_REDIRECTS_MAX {
        let judging = tokio::time::timeout(FETCH_CONNECT_TIMEOUT, Judged::of(&url, around));
        let host = judging.await.map_err(|_| too_slow())?;
        let leads_in = came_from.is_some_and(|before| leads_in(before, host.place));
        came_from = Some(host.place);
        was_far = match host.distance {
            Distance::Near | Distance::Both if was_far || leads_in => {
                let refused = "it redirects into the local network";
                return Err(unfetched(Unreadable::Unreachable, refused));
            }
            Distance::Near => false,
            Distance::Far | Distance::Both | Distance::Unknown => true,
        };
        let builder = Client::builder()
            .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(FETCH_CONNECT_TIMEOUT)
            .timeout(deadline.saturating_duration_since(Instant::now()));
        let client = host
            .client(builder)
            .map_err(|cause| unfetched(Unreadable::Failed, cause))?;
        let answer = client
            .get(url.clone())
            .send()
            .await
            .map_err(|cause| failed(&cause))?;
        match led_on(&answer)? {
            Some(next) => url = next,
            None => return Ok(answer),
        }
    }
    Err(unfetched(Unreadable::Unreachable, "too many redirects"))
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
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Vec<u8>, Unfetched> {
    let total = answer.content_length().unwrap_or(0);
    let too_large = || {
        unfetched(
            Unreadable::Huge,
            format!("more than {} MB", FETCHED_BYTES_MAX >> 20),
        )
    };
    if total > FETCHED_BYTES_MAX as u64 {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(|cause| failed(&cause))? {
        if bytes.len() + piece.len() > FETCHED_BYTES_MAX {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
        progress(bytes.len() as u64, total);
    }
    Ok(bytes)
}

fn failed(cause: &reqwest::Error) -> Unfetched {
    if cause.is_timeout() {
        return too_slow();
    }
    // The innermost reason is the one that says something: "connection refused", "too many redirects".
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    unfetched(Unreadable::Unreachable, innermost)
}

fn too_slow() -> Unfetched {
    unfetched(
        Unreadable::TimedOut,
        format!("more than {} s", FETCH_TIMEOUT.as_secs()),
    )
}

fn content_type(answer: &Response) -> String {
    let header = answer.headers().get(reqwest::header::CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_lowercase()
}

/// A text whose encoding only the header named is kept as UTF-8 with a mark that says so.
fn with_charset_told(bytes: Vec<u8>, kind: &str) -> Vec<u8> {
    let label = kind
        .split_once("charset=")
        .map(|(_, label)| label.trim_matches(['"', ' ']));
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    match encoding {
        Some(encoding) if kind.starts_with("text/") && encoding_rs::Encoding::for_bom(&bytes).is_none() => {
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
