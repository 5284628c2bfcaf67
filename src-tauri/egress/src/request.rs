//! A program's request to the proxy: a connection (HTTP CONNECT, SOCKS5), or a request of plain HTTP to pass on.
//!
//! Only reads bytes that came; nothing here connects. A request of plain HTTP is passed on as the last of its
//! connection. So no second request can follow it to another host.

use crate::limits::HEADERS_MAX;
use crate::target::{Target, split_port};

/// Headers that concern one connection alone. The host is written anew from the address.
const OF_ONE_CONNECTION: &[&str] = &[
    "connection",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "upgrade",
];

/// Bytes that are no request of a kind that is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no request to a proxy")]
pub struct Malformed;

/// A request over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Request {
    Connect(Target),
    Forward(Forward),
}

/// A request of plain HTTP for another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Forward {
    pub(crate) target: Target,
    method: String,
    path: String,
    minor: u8,
    headers: Vec<(String, Vec<u8>)>,
}

/// Reads the head of a request; `None` while some of it is missing. The number is the length of the head.
pub(crate) fn read_http(bytes: &[u8]) -> Result<Option<(Request, usize)>, Malformed> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes).map_err(|_| Malformed)? {
        httparse::Status::Complete(length) => length,
        httparse::Status::Partial => return Ok(None),
    };
    let (Some(method), Some(path), Some(minor)) = (request.method, request.path, request.version) else {
        return Err(Malformed);
    };
    if method.eq_ignore_ascii_case("CONNECT") {
        let (host, port) = split_port(path).map_err(|_| Malformed)?;
        let target = Target::new(host, port.ok_or(Malformed)?).map_err(|_| Malformed)?;
        return Ok(Some((Request::Connect(target), length)));
    }
    let (target, path) = address(path).ok_or(Malformed)?;
    let forward = Forward {
        target,
        method: method.to_owned(),
        path,
        minor,
        headers: passed_on(request.headers),
    };
    Ok(Some((Request::Forward(forward), length)))
}

/// The server and the path of `http://host/path`. A user name and password in it are for nobody.
fn address(text: &str) -> Option<(Target, String)> {
    const SCHEME: &str = "http://";
    let scheme = text.get(..SCHEME.len())?;
    let rest = text
        .get(SCHEME.len()..)
        .filter(|_| scheme.eq_ignore_ascii_case(SCHEME))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let (host, port) = split_port(server).ok()?;
    let target = Target::new(host, port.unwrap_or(80)).ok()?;
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some((target, format!("{slash}{path}")))
}

fn passed_on(headers: &[httparse::Header<'_>]) -> Vec<(String, Vec<u8>)> {
    let connection = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("connection"));
    let named: Vec<String> = connection
        .flat_map(|header| {
            let words = String::from_utf8_lossy(header.value).to_ascii_lowercase();
            words
                .split(',')
                .map(|word| word.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    let is_passed = |name: &str| {
        let name = name.to_ascii_lowercase();
        // How long a body is must never be left out.
        let is_length = matches!(name.as_str(), "content-length" | "transfer-encoding");
        is_length || !OF_ONE_CONNECTION.contains(&name.as_str()) && !named.contains(&name)
    };
    headers
        .iter()
        .filter(|header| is_passed(header.name))
        .map(|header| (header.name.to_owned(), header.value.to_owned()))
        .collect()
}

impl Forward {
    /// The head as its server gets it.
    pub(crate) fn head(&self) -> Vec<u8> {
        self.written(&self.path, None)
    }

    /// The head as another proxy gets it.
    pub(crate) fn head_for_proxy(&self, authorization: Option<&[u8]>) -> Vec<u8> {
        let address = format!("http://{}{}", self.target.authority(), self.path);
        self.written(&address, authorization)
    }

    fn written(&self, address: &str, authorization: Option<&[u8]>) -> Vec<u8> {
        let host = match self.target.port() {
            80 => self.target.to_string(),
            _ => self.target.authority(),
        };
        let mut head = format!(
            "{} {address} HTTP/1.{}\r\nHost: {host}\r\n",
            self.method, self.minor
        )
        .into_bytes();
        let own = authorization.map(|value| ("Proxy-Authorization", value));
        let closing = ("Connection", b"close".as_slice());
        let passed = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_slice()));
        for (name, value) in passed.chain(own).chain([closing]) {
            for part in [name.as_bytes(), b": ", value, b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
        head.extend_from_slice(b"\r\n");
        head
    }
}

/// The version of SOCKS that is spoken.
pub(crate) const SOCKS: u8 = 5;

/// Answers of SOCKS5 to a request.
pub(crate) const SOCKS_DONE: u8 = 0;
pub(crate) const SOCKS_NOT_ALLOWED: u8 = 2;
pub(crate) const SOCKS_UNREACHABLE: u8 = 4;
pub(crate) const SOCKS_NO_COMMAND: u8 = 7;

/// The way of proving who asks that needs no proof, and the answer that none offered will do.
pub(crate) const SOCKS_NO_PROOF: u8 = 0;
pub(crate) const SOCKS_NO_METHOD: u8 = 0xff;

/// Reads the first words of SOCKS5: whether a connection without proof is offered, and their length.
pub(crate) fn read_greeting(bytes: &[u8]) -> Result<Option<(bool, usize)>, Malformed> {
    match bytes {
        [] | [SOCKS] => Ok(None),
        [SOCKS, 0, ..] => Err(Malformed),
        [SOCKS, count, rest @ ..] => {
            let methods = rest.get(..usize::from(*count));
            Ok(methods.map(|methods| (methods.contains(&SOCKS_NO_PROOF), 2 + methods.len())))
        }
        _ => Err(Malformed),
    }
}

/// Reads a request of SOCKS5 to be connected, and its length. Other commands are malformed.
pub(crate) fn read_socks(bytes: &[u8]) -> Result<Option<(Target, usize)>, Malformed> {
    const CONNECT: u8 = 1;
    let begins = [SOCKS, CONNECT, 0];
    if bytes.iter().zip(begins).any(|(byte, expected)| *byte != expected) {
        return Err(Malformed);
    }
    let (host, rest) = match bytes.get(begins.len()..).unwrap_or_default() {
        [] | [3] => return Ok(None),
        [1, rest @ ..] => {
            let Some((address, rest)) = rest.split_first_chunk::<4>() else {
                return Ok(None);
            };
            (std::net::Ipv4Addr::from(*address).to_string(), rest)
        }
        [4, rest @ ..] => {
            let Some((address, rest)) = rest.split_first_chunk::<16>() else {
                return Ok(None);
            };
            (std::net::Ipv6Addr::from(*address).to_string(), rest)
        }
        [3, length, rest @ ..] => {
            let Some((name, rest)) = rest.split_at_checked(usize::from(*length)) else {
                return Ok(None);
            };
            let name = std::str::from_utf8(name).map_err(|_| Malformed)?;
            (name.to_owned(), rest)
        }
        _ => return Err(Malformed),
    };
    let Some((port, rest)) = rest.split_first_chunk::<2>() else {
        return Ok(None);
    };
    let target = Target::new(&host, u16::from_be_bytes(*port)).map_err(|_| Malformed)?;
    Ok(Some((target, bytes.len() - rest.len())))
}

#[cfg(test)]
#[path = "tests/request.rs"]
mod tests;
