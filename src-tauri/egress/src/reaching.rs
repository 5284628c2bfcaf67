//! The way to a host that was decided on: to the judged addresses, directly or through the user's own proxy.
//!
//! Nothing here decides. A name goes to a proxy only where nobody here knows its addresses.

use crate::limits::{ADDRESSES_TRIED, CONNECT_TIMEOUT};
use crate::neighbourhood::Location;
use crate::upstream::Proxy;
use crate::{Refusal, Target};
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A server that was reached.
pub(crate) struct Reached {
    pub(crate) stream: TcpStream,
    /// The first bytes of the server that came with a proxy's consent.
    pub(crate) first: Vec<u8>,
    /// Another proxy stands between, which takes requests of plain HTTP as they are.
    pub(crate) authorization: Option<Option<Vec<u8>>>,
}

impl Reached {
    fn at(stream: TcpStream, first: Vec<u8>) -> Self {
        Self {
            stream,
            first,
            authorization: None,
        }
    }
}

/// Connects to one of the addresses that were judged.
pub(crate) async fn directly(target: &Target, found: &Location) -> Result<Reached, Refusal> {
    let mut failed = Refusal::Unknown;
    for address in found.addresses.iter().take(ADDRESSES_TRIED) {
        let connecting = TcpStream::connect(SocketAddr::new(*address, target.port()));
        let cause = match timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok(stream)) => return Ok(Reached::at(stream, Vec::new())),
            Ok(Err(cause)) => cause,
            Err(_) => io::ErrorKind::TimedOut.into(),
        };
        failed = unreachable(cause);
    }
    Err(failed)
}

/// Has a proxy connect to a host; `is_plain` for a request of plain HTTP.
pub(crate) async fn through(
    proxy: &Proxy,
    target: &Target,
    found: &Location,
    is_plain: bool,
) -> Result<Reached, Refusal> {
    if found.addresses.is_empty() {
        return by_name(proxy, target, is_plain).await;
    }
    // The proxy would look a name up anew, and may be told another address than the one that was judged. Plain HTTP is
    // tunnelled too: proxies write its host anew from the address they are given.
    let mut failed = Refusal::Unknown;
    for address in found.addresses.iter().take(ADDRESSES_TRIED) {
        let Ok(judged) = Target::new(&address.to_string(), target.port()) else {
            continue;
        };
        let mut stream = proxy.reach().await.map_err(unreachable)?;
        match proxy.tunnel(&mut stream, &judged).await {
            Ok(first) => return Ok(Reached::at(stream, first)),
            Err(cause) => failed = unreachable(cause),
        }
    }
    Err(failed)
}

/// Leaves a name to the proxy that alone may know it.
async fn by_name(proxy: &Proxy, target: &Target, is_plain: bool) -> Result<Reached, Refusal> {
    let mut stream = proxy.reach().await.map_err(unreachable)?;
    if is_plain && proxy.forwards() {
        return Ok(Reached {
            stream,
            first: Vec::new(),
            authorization: Some(proxy.authorization().map(<[u8]>::to_vec)),
        });
    }
    let first = proxy.tunnel(&mut stream, target).await.map_err(unreachable)?;
    Ok(Reached::at(stream, first))
}

fn unreachable(cause: io::Error) -> Refusal {
    Refusal::Unreachable {
        cause: cause.to_string(),
    }
}
