//! A server at an address: HTTPS, or this computer. Redirects are not followed, and answers are bounded.

use crate::address::hide_key;
use crate::error::McpError;
use crate::limits::{CONNECT_TIMEOUT, MESSAGE_BYTES_MAX};
use crate::text::paragraph;
use crate::unreached::Unreached;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use secrecy::{ExposeSecret, SecretString};
use std::collections::{BTreeMap, HashMap};

/// Characters of an address that a sentence quotes.
const ADDRESS_CHARACTERS: usize = 120;

/// What reaches a server at `url`; every request carries `headers`.
///
/// # Errors
/// An invalid address, one that would send in the clear, or a header that can't be sent.
pub fn client(
    url: &str,
    headers: &BTreeMap<String, SecretString>,
) -> Result<(reqwest::Client, StreamableHttpClientTransportConfig), McpError> {
    let url = checked(url)?;
    let mut sent = HashMap::new();
    for (name, value) in headers {
        let refused = || McpError::Header(paragraph(name, ADDRESS_CHARACTERS));
        let header = HeaderName::try_from(name).map_err(|_| refused())?;
        let mut value = HeaderValue::try_from(value.expose_secret()).map_err(|_| refused())?;
        value.set_sensitive(true);
        sent.insert(header, value);
    }
    provide_encryption();
    let client = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        // A redirect would carry the headers to an address of the server's choice.
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|cause| McpError::Unreachable(Unreached::of(&cause)))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
    config.custom_headers = sent;
    config.max_sse_event_size = MESSAGE_BYTES_MAX;
    config.max_json_response_size = MESSAGE_BYTES_MAX;
    Ok((client, config))
}

/// Makes encryption known to the libraries; a provider that was installed before is the same one.
pub fn provide_encryption() {
    if rustls::crypto::ring::default_provider()
        .install_default()
        .is_err()
    {
        tracing::trace!("a provider of encryption is there already");
    }
}

/// The address, if a secret may be sent there.
///
/// # Errors
/// An invalid address, or one that would send in the clear.
pub fn checked(url: &str) -> Result<reqwest::Url, McpError> {
    let shown = || paragraph(&hide_key(url), ADDRESS_CHARACTERS);
    let parsed = reqwest::Url::parse(url.trim()).map_err(|_| McpError::Address(shown()))?;
    let host = parsed.host_str().unwrap_or_default();
    match parsed.scheme() {
        _ if host.is_empty() => Err(McpError::Address(shown())),
        "https" => Ok(parsed),
        "http" if is_this_computer(host) => Ok(parsed),
        "http" => Err(McpError::InTheClear(shown())),
        _ => Err(McpError::Address(shown())),
    }
}

fn is_this_computer(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go_out_encrypted_or_not_at_all() {
        for fine in [
            "https://mcp.example.com/mcp",
            "http://127.0.0.1:8000/mcp",
            "http://localhost/mcp",
            "http://[::1]:80/",
        ] {
            assert!(checked(fine).is_ok(), "{fine}");
        }
        for clear in [
            "http://mcp.example.com/mcp",
            "http://localhost.example.com/",
            "http://10.0.0.1/",
        ] {
            assert_eq!(checked(clear), Err(McpError::InTheClear(clear.to_owned())));
        }
        for none in [
            "mcp.example.com",
            "file:///etc/passwd",
            "https://",
            "",
            "ws://127.0.0.1/",
        ] {
            assert!(matches!(checked(none), Err(McpError::Address(_))), "{none}");
        }
    }

    #[test]
    fn an_address_that_is_refused_shows_no_key() {
        for refused in [
            "http://me:s3cret@a.example/mcp",
            "ws://me:s3cret@127.0.0.1/",
            "me:s3cret@a.example",
            "https://me:pa/s3cret@a.example/",
        ] {
            let said = checked(refused).map_err(|cause| cause.to_string());
            let said = said.expect_err("refused");
            assert!(said.contains("•••@") && !said.contains("s3cret"), "{said}");
        }
    }

    #[tokio::test]
    async fn a_header_that_cannot_be_sent_is_named_and_its_value_is_not() {
        let headers =
            |name: &str, value: &str| BTreeMap::from([(name.to_owned(), SecretString::from(value))]);
        let refused = client("https://a.example/", &headers("X-Key", "line\nbreak")).err();
        assert_eq!(refused, Some(McpError::Header("X-Key".to_owned())));
        assert!(client("https://a.example/", &headers("Authorization", "Bearer x")).is_ok());
    }
}
