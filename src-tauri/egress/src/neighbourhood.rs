//! Which addresses lie on this computer or in its own network, and where a host leads.
//!
//! A name says nothing. A name is judged by the addresses behind it, and a connection goes to just the addresses that
//! were judged. Spellings of an address (decimal, octal, with a dot at the end) are the address parser's to undo.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Whose an address is. A later one lies further in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The open network's.
    Far,
    /// The own network's, or nobody's in particular.
    Neighbour,
    /// What only the same wire reaches: there machines are told their secrets.
    Link,
    /// This computer's own.
    Own,
}

/// What finds the addresses of names, and tells whose they are.
#[async_trait::async_trait]
pub trait Neighbours: Send + Sync {
    /// # Errors
    /// Nobody knows the name.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    fn place_of(&self, address: IpAddr) -> Place;
}

/// The neighbours of this computer.
pub struct OfThisComputer;

#[async_trait::async_trait]
impl Neighbours for OfThisComputer {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }

    fn place_of(&self, address: IpAddr) -> Place {
        match (place_of(address), source_towards(address)) {
            (Place::Far | Place::Neighbour, Some(source)) if source == address => Place::Own,
            (Place::Far, Some(source)) if is_beside(source, address) => Place::Neighbour,
            (place, _) => place,
        }
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

/// Where a host leads.
#[derive(Debug, Clone)]
pub struct Location {
    pub distance: Distance,
    /// Of all its addresses the one that lies furthest in.
    pub place: Place,
    /// What its name leads to, or its own address.
    pub addresses: Vec<IpAddr>,
}

/// Finds where a host leads, and how near that is. An address may stand in brackets.
pub async fn locate(host: &str, around: &dyn Neighbours) -> Location {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = bare.parse::<IpAddr>() {
        let place = around.place_of(address);
        return Location {
            distance: distance(&[place]),
            place,
            addresses: vec![address],
        };
    }
    let addresses = around.addresses(bare).await.unwrap_or_default();
    let places: Vec<Place> = addresses
        .iter()
        .map(|address| around.place_of(*address))
        .collect();
    let place = places.iter().copied().max().unwrap_or(Place::Far);
    let (distance, place) = match distance(&places) {
        Distance::Unknown if is_name_of_this_computer(bare) => (Distance::Near, Place::Own),
        Distance::Unknown if is_name_of_a_neighbour(bare) => (Distance::Near, Place::Neighbour),
        distance => (distance, place),
    };
    Location {
        distance,
        place,
        addresses,
    }
}

fn distance(places: &[Place]) -> Distance {
    let near = places.iter().filter(|place| **place != Place::Far).count();
    match near {
        _ if places.is_empty() => Distance::Unknown,
        0 => Distance::Far,
        near if near == places.len() => Distance::Near,
        _ => Distance::Both,
    }
}

fn is_name_of_this_computer(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

/// Names that lead nowhere but here, whoever is asked.
pub(crate) fn is_name_of_a_neighbour(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_lowercase();
    let endings = [".local", ".localhost", ".internal", ".home.arpa", ".lan"];
    !host.contains('.') || endings.iter().any(|ending| host.ends_with(ending))
}

/// The own address from which packets to another address would be sent. The own address is that very address where the
/// packets never leave this computer.
fn source_towards(address: IpAddr) -> Option<IpAddr> {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    // Nothing is sent: the system only chooses where from it would be.
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((address, 9)).ok()?;
    socket.local_addr().ok().map(|source| source.ip())
}

/// Whether two addresses of the newer kind share the half that names a network. Neighbours have addresses of the open
/// network. The system sends from the address that is most like the target.
fn is_beside(source: IpAddr, address: IpAddr) -> bool {
    let network = |address: Ipv6Addr| address.to_bits() >> 64;
    match (source, address) {
        (IpAddr::V6(source), IpAddr::V6(address)) => {
            !source.is_unspecified() && network(source) == network(address)
        }
        (_, _) => false,
    }
}

/// Whose an address is, as far as it says so itself.
#[must_use]
pub fn place_of(address: IpAddr) -> Place {
    let plain = address.to_canonical();
    let is_of_link = match plain {
        IpAddr::V4(address) => address.is_link_local() || SECRETS_4.contains(&address),
        IpAddr::V6(address) => address.is_unicast_link_local() || SECRETS_6.contains(&address),
    };
    match plain {
        _ if plain.is_loopback() || plain.is_unspecified() => Place::Own,
        _ if is_of_link => Place::Link,
        _ if is_near(address) => {
            inner(address).map_or(Place::Neighbour, |inner| place_of(inner).max(Place::Neighbour))
        }
        _ => Place::Far,
    }
}

/// Where machines of a cloud are told their secrets, besides the addresses of the wire.
const SECRETS_4: [Ipv4Addr; 1] = [Ipv4Addr::new(100, 100, 100, 200)];
const SECRETS_6: [Ipv6Addr; 2] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

/// The older address within a newer one that is near because of it.
fn inner(address: IpAddr) -> Option<IpAddr> {
    let IpAddr::V6(address) = address else { return None };
    let (high, low) = match address.segments() {
        [0x2002, high, low, ..] => (high, low),
        [0, 0, 0, 0, 0 | 0xffff, 0 | 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [_, _, _, _, 0x0000 | 0x0200, 0x5efe, high, low] => (high, low),
        _ => return None,
    };
    let bits = u32::from(high) << 16 | u32::from(low);
    Some(Ipv4Addr::from_bits(bits).into())
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
    }

    #[test]
    fn whose_an_address_is_is_told_however_it_is_wrapped() {
        for (text, place) in [
            ("127.0.0.1", Place::Own),
            ("0.0.0.0", Place::Own),
            ("::1", Place::Own),
            ("::ffff:127.0.0.1", Place::Own),
            ("::127.0.0.1", Place::Own),
            ("64:ff9b::127.0.0.1", Place::Own),
            ("2002:7f00:1::", Place::Own),
            ("169.254.169.254", Place::Link),
            ("::ffff:169.254.169.254", Place::Link),
            ("64:ff9b::a9fe:a9fe", Place::Link),
            ("fe80::1", Place::Link),
            ("fd00:ec2::254", Place::Link),
            ("100.100.100.200", Place::Link),
            ("192.168.1.1", Place::Neighbour),
            ("fd00::1", Place::Neighbour),
            ("93.184.215.14", Place::Far),
            ("2606:4700::1111", Place::Far),
        ] {
            assert_eq!(place_of(text.parse().unwrap()), place, "{text}");
        }
        let here = OfThisComputer;
        assert_eq!(here.place_of(Ipv4Addr::LOCALHOST.into()), Place::Own);
        assert_eq!(here.place_of("93.184.215.14".parse().unwrap()), Place::Far);
    }

    #[test]
    fn a_neighbour_with_an_address_of_the_open_network_is_near() {
        let own = "2001:db8:1:2:aaaa::1".parse().unwrap();
        for (other, is_near) in [
            ("2001:db8:1:2::8", true),
            ("2001:db8:1:2:ffff:ffff:ffff:ffff", true),
            ("2001:db8:1:3::8", false),
            ("2606:4700::1111", false),
            ("192.168.1.1", false),
        ] {
            assert_eq!(is_beside(own, other.parse().unwrap()), is_near, "{other}");
        }
        let unspecified = Ipv6Addr::UNSPECIFIED.into();
        assert!(!is_beside(unspecified, "::8".parse().unwrap()));
    }

    #[tokio::test]
    async fn a_host_that_nobody_knows_is_unknown_and_some_names_are_always_near() {
        struct Nobody;
        #[async_trait::async_trait]
        impl Neighbours for Nobody {
            async fn addresses(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
                Err(io::ErrorKind::NotFound.into())
            }
            fn place_of(&self, address: IpAddr) -> Place {
                place_of(address)
            }
        }
        for (host, expected) in [
            ("[::ffff:7f00:1]", Distance::Near),
            ("127.0.0.1", Distance::Near),
            ("localhost.", Distance::Near),
            ("LOCALHOST", Distance::Near),
            ("router", Distance::Near),
            ("printer.local.", Distance::Near),
            ("a.localhost", Distance::Near),
            ("93.184.215.14", Distance::Far),
            ("example.com", Distance::Unknown),
        ] {
            assert_eq!(locate(host, &Nobody).await.distance, expected, "{host}");
        }
    }
}
