//! HTTP clients, and failures below HTTP.
//!
//! Two clients. One has no certificates and serves plain `http`. Loading a system's certificates costs several
//! milliseconds, and a system without certificates must still reach its own machine. The other has certificates.

use super::{Endpoint, Timeouts, Wire};
use crate::failure::{asked_pause, failure, from_status, own_failure, shorten};
use crate::proxy::Proxy;
use reqwest::header::HeaderValue;
use reqwest::{Client, ClientBuilder, RequestBuilder, Response, Url};
use secrecy::ExposeSecret;
use serde_json::Value;
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelFailure};
use std::error::Error;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::path::Path;
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
    proxy: Proxy,
}

/// An answer with an error status, after its body was read.
#[derive(Debug)]
pub(crate) struct Refused {
    pub failure: ModelFailure,
    /// The pause that the body asks for, where a provider puts the pause there.
    pub asked_pause: Option<Duration>,
}

impl Http {
    /// Clients that go through a proxy; a server on this machine is never reached through one.
    pub(crate) fn through(proxy: Proxy) -> Self {
        Self {
            proxy,
            ..Self::default()
        }
    }

    /// The client for an endpoint's address.
    pub(crate) fn client(&self, endpoint: &Endpoint, patience: Timeouts) -> Result<Client, ModelFailure> {
        let url = address(endpoint, &[], "")?;
        let fail = |error: &dyn Error| failure(FailureKind::Unreachable, &endpoint.provider, &deepest(error));
        let builder = builder(patience);
        if let Some(socket) = &endpoint.socket {
            // The socket is gone with its server, so its client is kept nowhere.
            let builder = without_certificates(builder).map_err(|error| fail(&error))?;
            return at_socket(builder, socket).build().map_err(|error| fail(&error));
        }
        let (kept, builder) = match url.scheme() {
            "https" => {
                crate::install_tls();
                (
                    &self.secure,
                    self.proxy.before(builder).map_err(|error| fail(&error))?,
                )
            }
            _ if is_loopback(&url) => (
                &self.local,
                without_certificates(builder)
                    .map_err(|error| fail(&error))?
                    .no_proxy(),
            ),
            _ => {
                let builder = without_certificates(builder).map_err(|error| fail(&error))?;
                (
                    &self.plain,
                    self.proxy.before(builder).map_err(|error| fail(&error))?,
                )
            }
        };
        if let Some(client) = kept.get() {
            return Ok(client.clone());
        }
        let client = builder.build().map_err(|error| fail(&error))?;
        Ok(kept.get_or_init(|| client).clone())
    }
}

/// The address of `path` at an endpoint, whose own address may end with one of `surplus`.
pub(crate) fn address(endpoint: &Endpoint, surplus: &[&str], path: &str) -> Result<Url, ModelFailure> {
    let mut base = endpoint.base_url.trim().trim_end_matches('/');
    for end in surplus {
        base = base.strip_suffix(end).unwrap_or(base).trim_end_matches('/');
    }
    let provider = &endpoint.provider;
    let url = Url::parse(&format!("{base}{path}")).map_err(|error| {
        own_failure(FailureKind::Unreachable, provider, |say| {
            say.bad_address(base, error)
        })
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(own_failure(FailureKind::Unreachable, provider, |say| {
            say.address_not_http(base, other)
        })),
    }
}

/// A name as one piece of a path, with any special characters escaped.
pub(crate) fn path_piece(name: &str) -> String {
    let encoded = name.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}

/// Adds the key under `name`, after `lead`, as a header that no log shows.
pub(crate) fn with_key(
    request: RequestBuilder,
    endpoint: &Endpoint,
    name: &'static str,
    lead: &str,
) -> Result<RequestBuilder, ModelFailure> {
    let Some(key) = &endpoint.key else {
        return Ok(request);
    };
    let text = format!("{lead}{}", key.expose_secret().trim());
    let mut header = HeaderValue::from_str(&text)
        .map_err(|_| own_failure(FailureKind::Key, &endpoint.provider, Sentences::key_characters))?;
    header.set_sensitive(true);
    Ok(request.header(name, header))
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
    match told(error) {
        Some(say) => own_failure(kind, provider, say),
        None => failure(kind, provider, without_number(&deepest(error))),
    }
}

/// A sentence of the catalogue.
type Sentence = fn(Sentences) -> &'static str;

/// The common errors below HTTP as sentences.
fn told(error: &reqwest::Error) -> Option<Sentence> {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(at_hand) = cause {
        if at_hand.to_string().starts_with("dns error") {
            return Some(Sentences::no_such_computer);
        }
        if let Some(told) = at_hand.downcast_ref::<io::Error>().and_then(told_of_system) {
            return Some(told);
        }
        cause = at_hand.source();
    }
    None
}

fn told_of_system(error: &io::Error) -> Option<Sentence> {
    match error.kind() {
        ErrorKind::ConnectionRefused => Some(Sentences::no_server_listens),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some(Sentences::connection_closed)
        }
        ErrorKind::TimedOut => Some(Sentences::not_connected_in_time),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            Some(Sentences::network_does_not_lead)
        }
        _ => None,
    }
}

/// The text without the system's error number, which tells users nothing.
fn without_number(text: &str) -> &str {
    text.split(" (os error ").next().unwrap_or(text)
}

/// The failure of an answer with an error status, read from its body. The key is cut out should a server repeat it.
pub(crate) async fn refusal(endpoint: &Endpoint, response: Response) -> Refused {
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
        let location = shorten(&location);
        let failure = own_failure(FailureKind::Malformed, &endpoint.provider, |say| {
            say.redirected(&location, status)
        });
        return Refused {
            failure,
            asked_pause: None,
        };
    }
    Refused {
        failure: from_status(&endpoint.provider, status, &body),
        asked_pause: asked_pause(&body),
    }
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

/// Fetches a JSON value from an endpoint: a list of models, or another resource that needs the key. No retries.
pub(crate) async fn fetch(
    endpoint: &Endpoint,
    wire: &dyn Wire,
    path: &str,
    patience_ms: u64,
    http: &Http,
) -> Result<Value, ModelFailure> {
    let client = http.client(endpoint, Timeouts::default())?;
    let url = address(endpoint, wire.surplus(), path)?;
    let request = wire.headed(client.get(url), endpoint)?;
    let provider = &endpoint.provider;
    let asking = async {
        let response = request
            .send()
            .await
            .map_err(|error| below_http(provider, &error))?;
        if !response.status().is_success() {
            return Err(refusal(endpoint, response).await.failure);
        }
        read_body(response, LIST_BYTES_MAX)
            .await
            .map_err(|error| below_http(provider, &error))
    };
    let body = tokio::time::timeout(Duration::from_millis(patience_ms), asking)
        .await
        .map_err(|_| {
            let seconds = Duration::from_millis(patience_ms).as_secs_f32();
            own_failure(FailureKind::Timeout, provider, |say| {
                say.no_answer_within(seconds)
            })
        })??;
    serde_json::from_slice(&body).map_err(|error| {
        let head: String = String::from_utf8_lossy(&body).chars().take(80).collect();
        let start = without_key(endpoint, &shorten(&head));
        own_failure(FailureKind::Malformed, provider, |say| {
            say.not_models_but(&error, &start)
        })
    })
}

fn builder(patience: Timeouts) -> ClientBuilder {
    Client::builder()
        .user_agent(concat!("shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_millis(patience.connect_ms))
        .redirect(reqwest::redirect::Policy::none())
        .no_gzip()
        .no_brotli()
}

/// A client that trusts no certificate, for addresses without TLS.
fn without_certificates(builder: ClientBuilder) -> Result<ClientBuilder, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(builder.tls_backend_preconfigured(config))
}

/// A client whose every request goes to one socket.
fn at_socket(builder: ClientBuilder, socket: &Path) -> ClientBuilder {
    let builder = builder.no_proxy();
    #[cfg(unix)]
    return builder.unix_socket(socket);
    #[cfg(not(unix))]
    {
        let _ = socket;
        builder
    }
}

/// Whether an address is on this machine; no proxy may stand before such an address.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches('[')
        .trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The innermost cause, which names the fault: `Connection refused`, `UnknownIssuer`.
fn deepest(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
