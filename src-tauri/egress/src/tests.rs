//! Promises of the proxy over real sockets: who is let through, who hears why not, and what is reported.

mod ending;
mod through_proxy;
mod ways_out;

use crate::neighbourhood::{Neighbours, Place, place_of};
use crate::{Connection, Egress, Gate, Network, Refusal, Target, Upstream, Verdict, Way};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Play the open network; the rest of this computer is near.
const FAR: &str = "127.0.0.2";
const FAR_TOO: &str = "127.0.0.3";

/// Knows some names, and notes which ones it was asked for.
#[derive(Default)]
struct Names {
    /// With their addresses, between commas.
    names: BTreeMap<&'static str, &'static str>,
    asked: Mutex<Vec<String>>,
    /// What the first look-up does before, in the way of the system: nobody can break it off.
    before: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

#[async_trait::async_trait]
impl Neighbours for Names {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().push(host.to_owned());
        let before = self.before.lock().take();
        if let Some(before) = before {
            tokio::task::spawn_blocking(before).await?;
        }
        let known = self.names.get(host).ok_or(io::ErrorKind::NotFound)?;
        Ok(known.split(',').map(|address| address.parse().unwrap()).collect())
    }

    fn place_of(&self, address: IpAddr) -> Place {
        match address.to_string().as_str() {
            FAR | FAR_TOO => Place::Far,
            _ => place_of(address),
        }
    }
}

/// Allows what it was told to, and keeps what it hears.
#[derive(Default)]
struct Rules {
    allowed: Vec<(&'static str, Network)>,
    refused: Vec<&'static str>,
    /// Waits for a person on these, who never comes.
    waits: Vec<(&'static str, Network)>,
    asked: Mutex<Vec<(String, Network)>>,
    ended: Mutex<Vec<Connection>>,
}

#[async_trait::async_trait]
impl Gate for Rules {
    async fn decide(&self, target: &Target, network: Network) -> Verdict {
        let host = target.host();
        self.asked.lock().push((host.clone(), network));
        let is_it = |(name, on): &(&str, Network)| *name == host && *on == network;
        if self.waits.iter().any(is_it) {
            return std::future::pending().await;
        }
        match () {
            () if self.refused.contains(&host.as_str()) => Verdict::Refused,
            () if self.allowed.iter().any(is_it) => Verdict::Allowed,
            () => Verdict::Undecided,
        }
    }

    fn sentence(&self, target: &Target, refusal: &Refusal) -> String {
        format!("{target} {refusal:?}")
    }

    fn ended(&self, connection: Connection) {
        self.ended.lock().push(connection);
    }
}

struct Bench {
    names: Arc<Names>,
    rules: Arc<Rules>,
    address: SocketAddr,
    egress: Option<Egress>,
}

fn bench(names: &[(&'static str, &'static str)], rules: Rules, upstream: &str) -> Bench {
    let names = Arc::new(Names {
        names: names.iter().copied().collect(),
        ..Names::default()
    });
    let rules = Arc::new(rules);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let way = Way {
        gate: Arc::clone(&rules) as _,
        upstream: Upstream::named(upstream),
        around: Arc::clone(&names) as _,
    };
    Bench {
        names,
        rules,
        address,
        egress: Some(Egress::begin(listener, Arc::new(way)).unwrap()),
    }
}

impl Bench {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Says something and hears everything until the proxy closes.
    fn exchange(&self, words: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(words).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).unwrap();
        String::from_utf8_lossy(&heard).into_owned()
    }

    /// Ends the proxy, and with it every connection.
    fn reports(&mut self) -> Vec<Connection> {
        self.egress.take();
        self.rules.ended.lock().clone()
    }
}

/// A server that hears one connection to its end, and answers that.
fn server(address: &str, answer: &'static str) -> (u16, JoinHandle<String>) {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).unwrap();
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(heard).unwrap()
    });
    (port, heard)
}

fn allowed(hosts: &[&'static str]) -> Rules {
    Rules {
        allowed: hosts.iter().map(|host| (*host, Network::Open)).collect(),
        ..Rules::default()
    }
}

#[test]
fn what_is_allowed_is_reached_by_each_of_the_three_ways_and_every_byte_is_counted() {
    let mut bench = bench(&[("far.example", FAR)], allowed(&["far.example"]), "none");
    let (port, heard) = server(FAR, "yes");
    let connect = format!("CONNECT far.example:{port} HTTP/1.1\r\n\r\nhello");
    let answer = bench.exchange(connect.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("\r\n\r\nyes"),
        "{answer}"
    );
    assert_eq!(heard.join().unwrap(), "hello");

    let (port, heard) = server(FAR, "HTTP/1.1 204 None\r\n\r\n");
    let get = format!("GET http://far.example:{port}/x HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!(bench.exchange(get.as_bytes()), "HTTP/1.1 204 None\r\n\r\n");
    let heard = heard.join().unwrap();
    assert_eq!(
        heard,
        format!("GET /x HTTP/1.1\r\nHost: far.example:{port}\r\nConnection: close\r\n\r\n")
    );

    let (port, heard) = server(FAR, "yes");
    let socks = [
        &[5, 1, 0, 5, 1, 0, 3, 11][..],
        b"far.example",
        &port.to_be_bytes(),
        b"hello",
    ]
    .concat();
    let answer = bench.exchange(&socks);
    assert_eq!(answer.as_bytes(), b"\x05\0\x05\0\0\x01\0\0\0\0\0\0yes");
    assert_eq!(heard.join().unwrap(), "hello");

    let reports = bench.reports();
    assert_eq!(reports.len(), 3);
    assert!(
        reports
            .iter()
            .all(|one| one.refusal.is_none() && one.target.host() == "far.example")
    );
    assert_eq!((reports[0].sent_bytes, reports[0].received_bytes), (5, 3));
    assert_eq!((reports[2].sent_bytes, reports[2].received_bytes), (5, 3));
}

#[test]
fn what_nobody_allowed_hears_one_sentence_and_is_not_even_looked_up() {
    let rules = Rules {
        refused: vec!["evil.example"],
        ..Rules::default()
    };
    let mut bench = bench(&[("far.example", FAR), ("evil.example", FAR)], rules, "none");
    let answer = bench.exchange(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n");
    assert!(
        answer.starts_with("HTTP/1.1 403 far.example Undecided\r\n"),
        "{answer}"
    );
    assert!(answer.ends_with("\r\n\r\nfar.example Undecided\n"), "{answer}");
    let answer = bench.exchange(b"GET http://evil.example/secret HTTP/1.1\r\n\r\n");
    assert!(
        answer.starts_with("HTTP/1.1 403 evil.example Refused\r\n"),
        "{answer}"
    );
    let socks = [&[5, 1, 0, 5, 1, 0, 3, 12][..], b"evil.example", &[0, 22]].concat();
    assert_eq!(
        bench.exchange(&socks).as_bytes(),
        b"\x05\0\x05\x02\0\x01\0\0\0\0\0\0"
    );
    assert!(bench.names.asked.lock().is_empty(), "a look-up tells the name");
    let reports: Vec<_> = bench
        .reports()
        .into_iter()
        .map(|one| (one.target.to_string(), one.refusal))
        .collect();
    let told = [
        ("far.example", Refusal::Undecided),
        ("evil.example", Refusal::Refused),
        ("evil.example:22", Refusal::Refused),
    ];
    assert_eq!(reports, told.map(|(host, why)| (host.to_owned(), Some(why))));
}

#[test]
fn a_name_of_the_open_network_that_leads_inwards_needs_to_be_allowed_as_such() {
    let (port, _) = server("127.0.0.1", "secret");
    let ask = |rules: Rules, host: &str| {
        let mut bench = bench(&[("inwards.example", "127.0.0.1")], rules, "none");
        let answer = bench.exchange(format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n").as_bytes());
        let asked = bench.rules.asked.lock().clone();
        (answer, asked, bench.reports())
    };
    let (answer, asked, reports) = ask(allowed(&["inwards.example", "127.0.0.1"]), "inwards.example");
    assert!(answer.contains("403") && answer.contains("Local"), "{answer}");
    let networks: Vec<Network> = asked.into_iter().map(|(_, network)| network).collect();
    assert_eq!(networks, [Network::Open, Network::Local]);
    assert_eq!(reports[0].refusal, Some(Refusal::Local));
    for address in ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "169.254.169.254"] {
        let (answer, asked, _) = ask(allowed(&["127.0.0.1", "localhost", "169.254.169.254"]), address);
        assert!(
            answer.contains("403") && answer.contains("Local"),
            "{address}: {answer}"
        );
        assert_eq!(asked[0].1, Network::Local, "{address}");
    }
    let as_such = Rules {
        allowed: vec![
            ("inwards.example", Network::Open),
            ("inwards.example", Network::Local),
        ],
        ..Rules::default()
    };
    let (answer, _, _) = ask(as_such, "inwards.example");
    assert!(answer.ends_with("secret"), "{answer}");
}

#[test]
fn names_that_nobody_knows_and_servers_that_are_not_there_are_told_apart_from_refusals() {
    let mut bench = bench(
        &[("far.example", FAR)],
        allowed(&["far.example", "nowhere.example"]),
        "none",
    );
    let free = TcpListener::bind((FAR, 0)).unwrap().local_addr().unwrap().port();
    let answer = bench.exchange(format!("CONNECT far.example:{free} HTTP/1.1\r\n\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 502 far.example"), "{answer}");
    let answer = bench.exchange(b"CONNECT nowhere.example:443 HTTP/1.1\r\n\r\n");
    assert!(
        answer.starts_with("HTTP/1.1 502 nowhere.example Unknown"),
        "{answer}"
    );
    let reports = bench.reports();
    assert!(matches!(reports[0].refusal, Some(Refusal::Unreachable { .. })));
    assert_eq!(reports[1].refusal, Some(Refusal::Unknown));
}

#[test]
fn what_is_no_request_to_a_proxy_is_told_so_and_reported_to_nobody() {
    let mut bench = bench(&[], Rules::default(), "none");
    assert!(
        bench
            .exchange(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .starts_with("HTTP/1.1 400 ")
    );
    assert_eq!(
        bench.exchange(&[5, 1, 2]),
        "\u{5}\u{fffd}",
        "the byte 255 is no text"
    );
    assert_eq!(bench.exchange(&[5, 1, 0, 5, 2, 0]).as_bytes()[..4], [5, 0, 5, 7]);
    assert!(bench.exchange(&vec![b'a'; 20_000]).starts_with("HTTP/1.1 400 "));
    assert_eq!(bench.exchange(b""), "");
    assert!(bench.reports().is_empty());
}

#[test]
fn the_users_own_proxy_is_gone_through_and_finds_the_names_that_only_it_knows() {
    // The proxy of the proxy: another one of ours, which knows the name.
    let mut outer = bench(&[("inner.example", FAR)], allowed(&["inner.example"]), "none");
    let (port, heard) = server(FAR, "yes");
    let mut inner = bench(
        &[],
        allowed(&["inner.example"]),
        &format!("http://me:pass@{}", outer.address),
    );
    let answer = inner.exchange(format!("CONNECT inner.example:{port} HTTP/1.1\r\n\r\nhello").as_bytes());
    assert!(answer.ends_with("yes"), "{answer}");
    assert_eq!(heard.join().unwrap(), "hello");
    let (port, heard) = server(FAR, "HTTP/1.1 204 None\r\n\r\n");
    let get = format!("GET http://inner.example:{port}/ HTTP/1.1\r\n\r\n");
    assert_eq!(inner.exchange(get.as_bytes()), "HTTP/1.1 204 None\r\n\r\n");
    let heard = heard.join().unwrap();
    assert!(!heard.contains("Proxy-Authorization"), "{heard}");
    let (port, heard) = server(FAR, "yes");
    let mut by_socks = bench(
        &[],
        allowed(&["inner.example"]),
        &format!("socks5h://{}", outer.address),
    );
    let answer = by_socks.exchange(format!("CONNECT inner.example:{port} HTTP/1.1\r\n\r\nhello").as_bytes());
    assert!(answer.ends_with("yes"), "{answer}");
    assert_eq!(heard.join().unwrap(), "hello");
    assert_eq!(
        (
            inner.reports().len(),
            by_socks.reports().len(),
            outer.reports().len()
        ),
        (2, 1, 3)
    );
    let mut unknown = bench(
        &[("far.example", FAR)],
        allowed(&["far.example"]),
        "socks4://127.0.0.1:1",
    );
    let answer = unknown.exchange(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n");
    assert!(
        answer.starts_with("HTTP/1.1 502 far.example UnknownProxy"),
        "{answer}"
    );
    assert_eq!(unknown.reports()[0].refusal, Some(Refusal::UnknownProxy));
}
