//! Fetches an address that the user gave, once, within bounds of time, size and redirects.
//!
//! The user named this address, so its host needs no approval; where a redirect leads from the open network into
//! this machine or its neighbourhood, the user did not mean that, and it is not followed.

use crate::limits::{FETCH_CONNECT_TIMEOUT, FETCH_REDIRECTS_MAX, FETCH_TIMEOUT, FETCHED_BYTES_MAX};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response, Url};
use shidi_protocol::Unreadable;
use std::net::IpAddr;

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
    let url = parsed(text)?;
    let client = Client::builder()
        .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(FETCH_CONNECT_TIMEOUT)
        .timeout(FETCH_TIMEOUT)
        .redirect(Policy::custom(redirected))
        .build()
        .map_err(|cause| unfetched(Unreadable::Failed, cause))?;
    let answer = client.get(url).send().await.map_err(|cause| failed(&cause))?;
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

fn redirected(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > FETCH_REDIRECTS_MAX {
        return attempt.error("too many redirects");
    }
    let from_near = attempt.previous().first().is_some_and(is_near);
    if is_near(attempt.url()) && !from_near {
        return attempt.error("it redirects into the local network");
    }
    match attempt.url().scheme() {
        "http" | "https" => attempt.follow(),
        _ => attempt.error("it redirects out of the web"),
    }
}

/// Whether an address is on this machine or in its own network.
fn is_near(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        Ok(IpAddr::V6(address)) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.to_ipv4_mapped().is_some()
        }
        Err(_) => !bare.contains('.') || bare.ends_with(".local") || bare.ends_with(".localhost"),
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
        return unfetched(
            Unreadable::TimedOut,
            format!("more than {} s", FETCH_TIMEOUT.as_secs()),
        );
    }
    // The innermost reason is the one that says something: "connection refused", "too many redirects".
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    unfetched(Unreadable::Unreachable, innermost)
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
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_people_write_it_and_only_of_the_web() {
        let of = |text: &str| parsed(text).ok().map(|url| url.to_string());
        assert_eq!(
            of(" example.com/a b "),
            Some("https://example.com/a%20b".to_owned())
        );
        assert_eq!(
            of("http://127.0.0.1:8/x"),
            Some("http://127.0.0.1:8/x".to_owned())
        );
        for refused in [
            "file:///etc/passwd",
            "ftp://example.com",
            "http://",
            "javascript:alert(1)",
        ] {
            assert_eq!(of(refused), None, "{refused}");
        }
    }

    #[test]
    fn this_machine_and_its_neighbours_are_told_from_the_open_network() {
        let near = |text: &str| is_near(&Url::parse(text).unwrap());
        for text in [
            "http://localhost/",
            "http://127.1.2.3/",
            "http://[::1]/",
            "http://10.0.0.8/",
            "http://router/",
            "http://169.254.169.254/",
        ] {
            assert!(near(text), "{text}");
        }
        assert!(!near("https://example.com/") && !near("http://93.184.215.14/"));
    }

    #[test]
    fn a_fetched_file_gets_the_ending_of_its_content() {
        let name = |url: &str, kind: &str| name_of(&Url::parse(url).unwrap(), kind);
        assert_eq!(
            name("https://example.com/", "text/html; charset=gbk"),
            "example.com.html"
        );
        assert_eq!(
            name("https://example.com/a/b.pdf?x", "application/pdf"),
            "example.com-b.pdf"
        );
        assert_eq!(
            name("https://example.com/doc", "application/octet-stream"),
            "example.com-doc"
        );
    }
}
