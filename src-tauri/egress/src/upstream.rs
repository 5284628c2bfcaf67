//! The proxy of the user's surroundings, where there is one. Traffic leaves through it, as the traffic of the user's
//! own programs does.
//!
//! Understood are proxies over HTTP and SOCKS5. Passwords in the user's settings stay here.

use crate::limits::{CONNECT_TIMEOUT, HEAD_BYTES_MAX, HEADERS_MAX};
use crate::request::SOCKS;
use crate::target::Target;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use std::io;
use std::net::IpAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Which proxy the user's settings name for which host.
#[derive(Debug)]
pub struct Upstream(Option<Matcher>);

/// A proxy for one host.
#[derive(Debug)]
pub(crate) struct Proxy {
    intercept: Intercept,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Http,
    Socks,
}

/// A proxy of a kind that is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownKind;

impl Upstream {
    /// Reads the user's setting: empty for the environment, `none`, or a proxy's address.
    #[must_use]
    pub fn named(setting: &str) -> Self {
        match setting.trim() {
            "" | "system" => Self(Some(Matcher::from_system())),
            "none" => Self(None),
            address => {
                let first = |names: [&str; 2]| names.into_iter().find_map(|name| std::env::var(name).ok());
                let except = first(["NO_PROXY", "no_proxy"]).unwrap_or_default();
                Self(Some(
                    Matcher::builder().all(address.to_owned()).no(except).build(),
                ))
            }
        }
    }

    /// The proxy before a host; `is_plain` for plain HTTP.
    pub(crate) fn before(&self, target: &Target, is_plain: bool) -> Result<Option<Proxy>, UnknownKind> {
        let scheme = if is_plain { "http" } else { "https" };
        let address = format!("{scheme}://{}/", target.authority());
        let (Some(matcher), Ok(address)) = (&self.0, address.parse::<http::Uri>()) else {
            return Ok(None);
        };
        let Some(intercept) = matcher.intercept(&address) else {
            return Ok(None);
        };
        let kind = match intercept.uri().scheme_str() {
            Some("http") => Kind::Http,
            Some("socks5" | "socks5h") => Kind::Socks,
            Some(_) | None => return Err(UnknownKind),
        };
        Ok(Some(Proxy { intercept, kind }))
    }
}

impl Proxy {
    /// Whether requests of plain HTTP are handed to it as they are.
    pub(crate) fn forwards(&self) -> bool {
        self.kind == Kind::Http
    }

    /// The header by which it knows the user.
    pub(crate) fn authorization(&self) -> Option<&[u8]> {
        self.intercept.basic_auth().map(http::HeaderValue::as_bytes)
    }

    /// A connection to the proxy itself.
    pub(crate) async fn reach(&self) -> io::Result<TcpStream> {
        let uri = self.intercept.uri();
        let host = uri.host().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let usual = match self.kind {
            Kind::Http => 80,
            Kind::Socks => 1_080,
        };
        let port = uri.port_u16().unwrap_or(usual);
        within(TcpStream::connect((bare, port))).await
    }

    /// Has the proxy connect to a host. Returns what it said beyond its consent: the first bytes of that host.
    pub(crate) async fn tunnel(&self, stream: &mut TcpStream, target: &Target) -> io::Result<Vec<u8>> {
        match self.kind {
            Kind::Http => within(self.connect(stream, target)).await,
            Kind::Socks => within(self.socks(stream, target)).await.map(|()| Vec::new()),
        }
    }

    async fn connect(&self, stream: &mut TcpStream, target: &Target) -> io::Result<Vec<u8>> {
        let authority = target.authority();
        let mut head = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n").into_bytes();
        if let Some(value) = self.authorization() {
            for part in [b"Proxy-Authorization: ".as_slice(), value, b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
        head.extend_from_slice(b"\r\n");
        stream.write_all(&head).await?;
        let mut answer = Vec::new();
        while answer.len() < HEAD_BYTES_MAX {
            if stream.read_buf(&mut answer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some((status, length)) = status(&answer)? {
                return match status {
                    200..300 => Ok(answer.split_off(length)),
                    status => Err(io::Error::other(format!("HTTP {status}"))),
                };
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    async fn socks(&self, stream: &mut TcpStream, target: &Target) -> io::Result<()> {
        const BY_PASSWORD: u8 = 2;
        let proof = self.intercept.raw_auth();
        let method = if proof.is_some() { BY_PASSWORD } else { 0 };
        stream.write_all(&[SOCKS, 1, method]).await?;
        let mut chosen = [0; 2];
        stream.read_exact(&mut chosen).await?;
        if chosen != [SOCKS, method] {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        if let Some((user, password)) = proof {
            let words = [&[1][..], &counted(user)?, &counted(password)?].concat();
            stream.write_all(&words).await?;
            let mut answer = [0; 2];
            stream.read_exact(&mut answer).await?;
            if answer[1] != 0 {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        let port = target.port().to_be_bytes();
        let words = [&[SOCKS, 1, 0][..], &socks_host(target)?, &port].concat();
        stream.write_all(&words).await?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await?;
        let length = match answer {
            [SOCKS, 0, _, 1] => 4,
            [SOCKS, 0, _, 4] => 16,
            [SOCKS, 0, _, 3] => usize::from(stream.read_u8().await?),
            [_, code, _, _] => return Err(io::Error::other(format!("SOCKS {code}"))),
        };
        let mut address = vec![0; length + port.len()];
        stream.read_exact(&mut address).await.map(drop)
    }
}

/// A host with its kind before it. An address is written as one: a name would be looked up.
fn socks_host(target: &Target) -> io::Result<Vec<u8>> {
    Ok(match target.address() {
        Some(IpAddr::V4(address)) => [&[1][..], &address.octets()].concat(),
        Some(IpAddr::V6(address)) => [&[4][..], &address.octets()].concat(),
        None => [&[3][..], &counted(&target.host())?].concat(),
    })
}

/// A text with its length before it.
fn counted(text: &str) -> io::Result<Vec<u8>> {
    let length = u8::try_from(text.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok([&[length], text.as_bytes()].concat())
}

/// The status of an answer and the length of its head; `None` while some of it is missing.
fn status(bytes: &[u8]) -> io::Result<Option<(u16, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut answer = httparse::Response::new(&mut headers);
    match answer.parse(bytes).map_err(io::Error::other)? {
        httparse::Status::Complete(length) => Ok(answer.code.map(|code| (code, length))),
        httparse::Status::Partial => Ok(None),
    }
}

async fn within<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(CONNECT_TIMEOUT, work)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
