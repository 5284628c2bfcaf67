//! HTTP clients and what goes wrong below HTTP.
//!
//! Two clients: one without certificates for plain `http` (local servers: loading a system's certificates costs
//! several milliseconds, and a system without any must still reach its own machine), one with them.

use super::{Endpoint, Patience};
use crate::failure::{failure, from_status, shorten};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, Url};
use secrecy::ExposeSecret;
use serde_json::Value;
use shidi_protocol::{FailureKind, ModelFailure};
use std::error::Error;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Time for a list of models, in milliseconds: a person waits for it.
pub(crate) const LIST_MS: u64 = 10_000;
/// Most bytes read of an error body: a page of HTML.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Time to read an error body, in milliseconds.
const ERROR_MS: u64 = 5_000;
/// Most bytes of a list of models: OpenRouter's is about 600 kB.
const LIST_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The clients of this process, each made when first needed.
#[derive(Default)]
pub(crate) struct Http {
    plain: OnceLock<Client>,
    local: OnceLock<Client>,
    secure: OnceLock<Client>,
}

impl Http {
    /// The client for an endpoint's address.
    pub(crate) fn client(&self, endpoint: &Endpoint, patience: Patience) -> Result<Client, ModelFailure> {
        let url = address(endpoint, "")?;
        let fail = |error: &dyn Error| failure(FailureKind::Unreachable, &endpoint.provider, &deepest(error));
        let builder = builder(patience);
        let (kept, builder) = match url.scheme() {
            "https" => {
                crate::install_tls();
                (&self.secure, builder)
            }
            _ if is_loopback(&url) => (
                &self.local,
                without_certificates(builder)
                    .map_err(|error| fail(&error))?
                    .no_proxy(),
            ),
            _ => (
                &self.plain,
                without_certificates(builder).map_err(|error| fail(&error))?,
            ),
        };
        if let Some(client) = kept.get() {
            return Ok(client.clone());
        }
        let client = builder.build().map_err(|error| fail(&error))?;
        Ok(kept.get_or_init(|| client).clone())
    }
}

/// The address of `path` at an endpoint.
pub(crate) fn address(endpoint: &Endpoint, path: &str) -> Result<Url, ModelFailure> {
    let base = endpoint
        .base_url
        .trim()
        .trim_end_matches('/')
        .trim_end_matches("/chat/completions");
    let fail = |detail: String| failure(FailureKind::Unreachable, &endpoint.provider, &detail);
    let url = Url::parse(&format!("{base}{path}"))
        .map_err(|error| fail(format!("{base:?} is not an address: {error}")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(fail(format!("{base:?} is not an http address but {other}"))),
    }
}

/// Adds the key, as a header that no log shows.
pub(crate) fn with_key(request: RequestBuilder, endpoint: &Endpoint) -> Result<RequestBuilder, ModelFailure> {
    let Some(key) = &endpoint.key else {
        return Ok(request);
    };
    let bearer = format!("Bearer {}", key.expose_secret().trim());
    let mut header = HeaderValue::from_str(&bearer).map_err(|_| {
        failure(
            FailureKind::Key,
            &endpoint.provider,
            "the key has characters that no key has; set it again",
        )
    })?;
    header.set_sensitive(true);
    Ok(request.header(AUTHORIZATION, header))
}

/// The failure that an error below HTTP means.
pub(crate) fn below_http(provider: &str, error: &reqwest::Error) -> ModelFailure {
    let kind = if error.is_timeout() && !error.is_connect() {
        FailureKind::Timeout
    } else if error.is_connect() || error.is_builder() {
        FailureKind::Unreachable
    } else {
        FailureKind::Cut
    };
    failure(kind, provider, &deepest(error))
}

/// The failure that an error status means, read from its body; the key is cut out should a server repeat it.
pub(crate) async fn refusal(endpoint: &Endpoint, response: Response) -> ModelFailure {
    let status = response.status().as_u16();
    let location = response
        .headers()
        .get("location")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let reading = read_body(response, ERROR_BYTES_MAX);
    let body = match tokio::time::timeout(Duration::from_millis(ERROR_MS), reading).await {
        Ok(Ok(body)) => String::from_utf8_lossy(&body).into_owned(),
        Ok(Err(_)) | Err(_) => String::new(),
    };
    let body = without_key(endpoint, &body);
    if let Some(location) = location.filter(|_| (300..400).contains(&status)) {
        let detail = format!(
            "{status} redirects to {}; configure the address it should be",
            shorten(&location)
        );
        return failure(FailureKind::Malformed, &endpoint.provider, &detail);
    }
    from_status(&endpoint.provider, status, &body)
}

/// Replaces the key in a text by dots.
pub(crate) fn without_key(endpoint: &Endpoint, text: &str) -> String {
    match &endpoint.key {
        Some(key) if !key.expose_secret().trim().is_empty() => text.replace(key.expose_secret().trim(), "…"),
        _ => text.to_owned(),
    }
}

/// Reads at most `limit` bytes of a body.
pub(crate) async fn read_body(mut response: Response, limit: usize) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let room = limit.saturating_sub(body.len());
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() >= limit {
            break;
        }
    }
    Ok(body)
}

/// Asks for `path`, which lists models or at least needs the key.
pub(crate) async fn list_models(
    endpoint: &Endpoint,
    path: &str,
    client: &Client,
) -> Result<Vec<String>, ModelFailure> {
    let url = address(endpoint, path)?;
    let request = with_key(client.get(url), endpoint)?;
    let asking = async {
        let response = request
            .send()
            .await
            .map_err(|error| below_http(&endpoint.provider, &error))?;
        if !response.status().is_success() {
            return Err(refusal(endpoint, response).await);
        }
        read_body(response, LIST_BYTES_MAX)
            .await
            .map_err(|error| below_http(&endpoint.provider, &error))
    };
    let body = tokio::time::timeout(Duration::from_millis(LIST_MS), asking)
        .await
        .map_err(|_| {
            failure(
                FailureKind::Timeout,
                &endpoint.provider,
                &format!("no answer within {} s", LIST_MS / 1000),
            )
        })??;
    let list: Value = serde_json::from_slice(&body).map_err(|error| {
        let start = shorten(
            &String::from_utf8_lossy(&body)
                .chars()
                .take(80)
                .collect::<String>(),
        );
        failure(
            FailureKind::Malformed,
            &endpoint.provider,
            &format!("not a list of models but {start:?} ({error})"),
        )
    })?;
    Ok(names(&list))
}

fn names(list: &Value) -> Vec<String> {
    let items = ["data", "models"]
        .iter()
        .find_map(|name| list.get(name))
        .unwrap_or(list);
    let name = |item: &Value| {
        ["id", "name", "model"]
            .iter()
            .find_map(|name| Some(item.get(name)?.as_str()?.to_owned()))
    };
    items
        .as_array()
        .map(|items| items.iter().filter_map(name).collect())
        .unwrap_or_default()
}

fn builder(patience: Patience) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_millis(patience.connect_ms))
        .redirect(reqwest::redirect::Policy::none())
        .no_gzip()
        .no_brotli()
}

/// A client that could verify nobody, for addresses without TLS.
fn without_certificates(builder: ClientBuilder) -> Result<ClientBuilder, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(builder.tls_backend_preconfigured(config))
}

/// Whether an address is this machine, which no proxy may stand before.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches('[')
        .trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The innermost cause, which is the one that tells: `Connection refused`, `UnknownIssuer`.
fn deepest(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
