//! Which addresses lie on this computer or in its own network, and the way to a host whose addresses were judged.
//!
//! A name says nothing: it is judged by where it leads, and the connection goes to just the addresses that were judged.
//! Spellings of an address (decimal, octal, with a dot at the end) are the address parser's to undo.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Url, redirect};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

/// What finds the addresses of names, and tells which of them are near.
#[async_trait::async_trait]
pub trait Surroundings: Send + Sync {
    /// # Errors
    /// Nobody knows the name.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    fn is_near(&self, address: IpAddr) -> bool;
}

/// Those of this computer.
pub struct OfThisComputer;

#[async_trait::async_trait]
impl Surroundings for OfThisComputer {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }

    fn is_near(&self, address: IpAddr) -> bool {
        is_near(address) || is_own(address)
    }
}

/// How near a host is, with all of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    Near,
    Far,
    /// Some of its addresses are near and some are not: a host of the open network that points inwards.
    Both,
    /// Only a proxy may know the name.
    Unknown,
}

/// A host that was judged.
pub struct Judged {
    pub distance: Distance,
    resolver: Option<Arc<Pinned>>,
}

impl Judged {
    /// Finds where a host leads, and how near that is.
    pub async fn of(url: &Url, around: &Arc<dyn Surroundings>) -> Self {
        let host = url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Self {
                distance: distance(&[address], around.as_ref()),
                resolver: None,
            };
        }
        let found = around.addresses(bare).await.unwrap_or_default();
        let distance = match distance(&found, around.as_ref()) {
            Distance::Unknown if is_name_of_a_neighbour(bare) => Distance::Near,
            distance => distance,
        };
        let pinned = Pinned {
            host: bare.to_owned(),
            addresses: found.iter().map(|address| SocketAddr::new(*address, 0)).collect(),
            around: Arc::clone(around),
        };
        Self {
            distance,
            resolver: Some(Arc::new(pinned)),
        }
    }

    /// A client that reaches this host at the addresses that were judged, and follows nothing by itself. A proxy of the
    /// environment finds the host for itself.
    ///
    /// # Errors
    /// No client can be built.
    pub fn client(self, builder: reqwest::ClientBuilder) -> reqwest::Result<reqwest::Client> {
        let builder = builder.redirect(redirect::Policy::none());
        match self.resolver {
            Some(resolver) => builder.dns_resolver(resolver).build(),
            None => builder.build(),
        }
    }
}

fn distance(addresses: &[IpAddr], around: &dyn Surroundings) -> Distance {
    let near = addresses
        .iter()
        .filter(|address| around.is_near(**address))
        .count();
    match near {
        _ if addresses.is_empty() => Distance::Unknown,
        0 => Distance::Far,
        near if near == addresses.len() => Distance::Near,
        _ => Distance::Both,
    }
}

/// Names that lead nowhere but here, whoever is asked.
fn is_name_of_a_neighbour(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    let endings = [".local", ".localhost", ".internal", ".home.arpa", ".lan"];
    !host.contains('.') || endings.iter().any(|ending| host.ends_with(ending))
}

/// Answers for one host with the addresses that were judged, and never asks again for it. Any other name is that of a
/// proxy.
struct Pinned {
    host: String,
    addresses: Vec<SocketAddr>,
    around: Arc<dyn Surroundings>,
}

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let plain = |name: &str| name.trim_end_matches('.').to_lowercase();
        let is_judged = plain(name.as_str()) == plain(&self.host);
        let (judged, around) = (self.addresses.clone(), Arc::clone(&self.around));
        Box::pin(async move {
            let found: Addrs = match is_judged {
                true if judged.is_empty() => return Err("nobody knows that name".into()),
                true => Box::new(judged.into_iter()),
                false => {
                    let found = around.addresses(name.as_str()).await?;
                    Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)))
                }
            };
            Ok(found)
        })
    }
}

/// Whether packets to an address never leave this computer: its own addresses on the open network are such.
fn is_own(address: IpAddr) -> bool {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    // Nothing is sent: the system only chooses where from it would be.
    let chosen = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((address, 9))?;
        socket.local_addr()
    });
    chosen.is_ok_and(|chosen| chosen.ip() == address)
}

/// Whether an address is that of this machine, of its own network, or of nobody in particular.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_near_4(address),
        IpAddr::V6(address) => is_near_6(address),
    }
}

fn is_near_4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_of_protocols = (first, second, third) == (192, 0, 0);
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || is_shared
        || is_of_protocols
        // "This network", and what is kept for later with the broadcast.
        || first == 0
        || first >= 240
}

fn is_near_6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let within = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_near_4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // ::, ::1 and the old compatible form; mapped; translated.
        [0, 0, 0, 0, 0, 0, high, low]
        | [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        // NAT64.
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        // ISATAP.
        | [_, _, _, _, 0x0000 | 0x0200, 0x5efe, high, low]
            if within(high, low) => true,
        // 6to4.
        [0x2002, high, low, ..] if within(high, low) => true,
        // NAT64 of one's own network; Teredo, which nobody of the open network serves from.
        [0x64, 0xff9b, 1, ..] | [0x2001, 0, ..] => true,
        // Deprecated addresses of a site.
        [first, ..] if first & 0xffc0 == 0xfec0 => true,
        _ => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_multicast()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_its_neighbours_are_told_from_the_open_network() {
        for text in [
            "127.1.2.3",
            "10.0.0.8",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.254",
            "0.0.0.0",
            "0.1.2.3",
            "192.0.0.8",
            "224.0.0.251",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fd00::1",
            "fec0::1",
            "ff02::fb",
            "::ffff:10.0.0.8",
            "::ffff:0:10.0.0.8",
            "::127.0.0.1",
            "64:ff9b::192.168.1.1",
            "64:ff9b:1::5db8:d70e",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "2001::1",
            "2a00::5efe:10.0.0.8",
        ] {
            assert!(is_near(text.parse().unwrap()), "{text}");
        }
        for text in [
            "93.184.215.14",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "2606:4700::1111",
            "64:ff9b::93.184.215.14",
            "2002:5db8:d70e::1",
            "::ffff:93.184.215.14",
        ] {
            assert!(!is_near(text.parse().unwrap()), "{text}");
        }
        assert!(is_own(Ipv4Addr::LOCALHOST.into()));
        assert!(!is_own("93.184.215.14".parse().unwrap()));
    }

    #[tokio::test]
    async fn an_address_is_the_same_however_it_is_spelled_and_some_names_are_always_near() {
        struct Nobody;
        #[async_trait::async_trait]
        impl Surroundings for Nobody {
            async fn addresses(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
                Err(io::ErrorKind::NotFound.into())
            }
            fn is_near(&self, address: IpAddr) -> bool {
                is_near(address)
            }
        }
        let around: Arc<dyn Surroundings> = Arc::new(Nobody);
        for (text, expected) in [
            ("http://2130706433/", Distance::Near),
            ("http://0x7f.1/", Distance::Near),
            ("http://0177.0.0.1/", Distance::Near),
            ("http://127.0.0.1./", Distance::Near),
            ("http://[::ffff:7f00:1]/", Distance::Near),
            ("http://localhost./", Distance::Near),
            ("http://LOCALHOST/", Distance::Near),
            ("http://router/", Distance::Near),
            ("http://printer.local./", Distance::Near),
            ("http://a.localhost/", Distance::Near),
            ("http://93.184.215.14/", Distance::Far),
            ("http://example.com/", Distance::Unknown),
        ] {
            let judged = Judged::of(&Url::parse(text).unwrap(), &around).await;
            assert_eq!(judged.distance, expected, "{text}");
        }
    }
}
