//! Promises of the way to a page: what is near, who may send us on, and how much comes.

use crate::fetch::judged::Judged;
use crate::fetch::{Near, Rules, Stopped, fetched, parsed};
use crate::limits::PAGE_TIMEOUT;
use crate::page::{Way, bytes_of};
use crate::{Follows, host_of};
use parking_lot::Mutex;
use proptest::prelude::*;
use reqwest::Url;
use shidi_egress::neighbourhood::{Distance, Neighbours, Place, place_of};
use shidi_models::Proxy;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Plays the open network.
const FAR: &str = "127.0.0.2";
const NEAR: &str = "127.0.0.1";

/// A web of the test's own: what names lead to, one after the other.
#[derive(Default)]
struct Names {
    names: BTreeMap<&'static str, Vec<&'static str>>,
    asked: Mutex<Vec<String>>,
}

#[async_trait::async_trait]
impl Neighbours for Names {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut asked = self.asked.lock();
        let before = asked.iter().filter(|other| *other == host).count();
        asked.push(host.to_owned());
        let known = self.names.get(host).ok_or(io::ErrorKind::NotFound)?;
        let now = known.get(before).or(known.last()).unwrap();
        Ok(vec![now.parse().unwrap()])
    }

    fn place_of(&self, address: IpAddr) -> Place {
        match address.to_string().as_str() {
            FAR => Place::Far,
            _ => place_of(address),
        }
    }
}

fn web(names: &[(&'static str, &[&'static str])]) -> (Arc<Names>, Arc<dyn Neighbours>) {
    shidi_models::install_tls();
    let names = names.iter().map(|(name, leads_to)| (*name, leads_to.to_vec()));
    let names = Arc::new(Names {
        names: names.collect(),
        asked: Mutex::default(),
    });
    (Arc::clone(&names), names)
}

/// A server that answers as `answer` writes; counts what comes.
fn server(
    address: &str,
    answer: impl Fn(&mut TcpStream, &str) + Send + Sync + 'static,
) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((address, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let requests = Arc::new(AtomicUsize::new(0));
    let (counted, answer) = (Arc::clone(&requests), Arc::new(answer));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            counted.fetch_add(1, Ordering::SeqCst);
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || {
                let mut head = [0; 4_096];
                let read = stream.read(&mut head).unwrap_or_default();
                let head = String::from_utf8_lossy(head.get(..read).unwrap_or_default()).into_owned();
                answer(&mut stream, head.split(' ').nth(1).unwrap_or_default());
            });
        }
    });
    (port, requests)
}

fn says(stream: &mut TcpStream, head: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    drop(
        stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body)),
    );
}

fn nobody() -> Follows {
    Arc::new(|_| false)
}

async fn got(
    around: &Arc<dyn Neighbours>,
    url: &str,
    near: Near,
    follows: &Follows,
) -> Result<String, String> {
    let way = Way { near, follows };
    let fetched = bytes_of(around, parsed(url).unwrap(), way, 1 << 20, &Proxy::Direct).await;
    fetched
        .map(|fetched| String::from_utf8(fetched.bytes).unwrap())
        .map_err(|outcome| outcome.summary)
}

/// An older address that is nobody's of the open network.
fn private() -> impl Strategy<Value = Ipv4Addr> {
    let any = any::<u32>();
    (any, 0..8_usize).prop_map(|(bits, kind)| {
        let [_, second, third, last] = Ipv4Addr::from_bits(bits).octets();
        match kind {
            0 => Ipv4Addr::new(127, second, third, last),
            1 => Ipv4Addr::new(10, second, third, last),
            2 => Ipv4Addr::new(172, 16 + second % 16, third, last),
            3 => Ipv4Addr::new(192, 168, third, last),
            4 => Ipv4Addr::new(169, 254, third, last),
            5 => Ipv4Addr::new(100, 64 + second % 64, third, last),
            6 => Ipv4Addr::new(0, second, third, last),
            _ => Ipv4Addr::new(224 + second % 32, second, third, last),
        }
    })
}

/// The same address as newer ones wrap it.
fn wrapped(address: Ipv4Addr) -> Vec<Ipv6Addr> {
    let bits = address.to_bits();
    let (high, low) = ((bits >> 16) as u16, (bits & 0xffff) as u16);
    vec![
        Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
        Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
        Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
        Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
        Ipv6Addr::new(0x2002, high, low, 1, 2, 3, 4, 5),
        Ipv6Addr::new(0x2a00, 1, 2, 3, 0, 0x5efe, high, low),
    ]
}

fn judged(url: &str) -> Distance {
    let (_, around) = web(&[]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime
        .block_on(Judged::of(&Url::parse(url).unwrap(), &around))
        .distance
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_private_address_is_far_however_it_is_wrapped_or_spelled(address in private()) {
        prop_assert_ne!(place_of(address.into()), Place::Far);
        for wrapped in wrapped(address) {
            prop_assert_ne!(place_of(wrapped.into()), Place::Far, "{}", wrapped);
            prop_assert_eq!(judged(&format!("http://[{wrapped}]/")), Distance::Near);
        }
        let bits = address.to_bits();
        let [first, second, third, last] = address.octets();
        for spelled in [
            format!("{address}"),
            format!("{address}."),
            format!("{bits}"),
            format!("{bits:#x}"),
            format!("0{bits:o}"),
            format!("{first}.{second}.{}", u32::from(third) << 8 | u32::from(last)),
            format!("{first:#x}.0{second:o}.{third}.{last}"),
        ] {
            prop_assert_eq!(judged(&format!("http://{spelled}/")), Distance::Near, "{}", spelled);
        }
    }

    #[test]
    fn an_address_of_the_open_network_stays_far_within_a_newer_one(second in 1..255_u8, third: u8, last: u8) {
        let address = Ipv4Addr::new(93, second, third, last);
        prop_assert_eq!(place_of(address.into()), Place::Far);
        prop_assert_eq!(place_of(address.to_ipv6_mapped().into()), Place::Far);
    }

    #[test]
    fn local_addresses_of_the_newer_kind_are_near(rest: [u16; 7], first in prop_oneof![0xfc00..=0xfdff_u16, 0xfe80..=0xffff_u16]) {
        let [b, c, d, e, f, g, h] = rest;
        prop_assert_ne!(place_of(Ipv6Addr::new(first, b, c, d, e, f, g, h).into()), Place::Far);
    }
}

#[tokio::test]
async fn an_address_that_the_user_did_not_write_may_not_lie_near_and_one_that_they_wrote_may() {
    let (port, requests) = server(NEAR, |stream, _| says(stream, "200 OK", b"secret"));
    let (_, around) = web(&[("inner.example", &[NEAR])]);
    for host in [
        NEAR,
        "localhost",
        "2130706433",
        "[::ffff:127.0.0.1]",
        "inner.example",
    ] {
        let url = format!("http://{host}:{port}/x");
        let refused = got(&around, &url, Near::Refused, &nobody())
            .await
            .expect_err(host);
        assert!(refused.contains("did not write that address"), "{refused}");
    }
    assert_eq!(requests.load(Ordering::SeqCst), 0);
    let url = format!("http://{NEAR}:{port}/x");
    assert_eq!(
        got(&around, &url, Near::AsNamed, &nobody()).await.as_deref(),
        Ok("secret")
    );
}

#[tokio::test]
async fn a_name_that_leads_inwards_when_it_is_judged_is_refused_and_never_asked_for_again() {
    let (port, requests) = server(NEAR, |stream, _| says(stream, "200 OK", b"secret"));
    let (names, around) = web(&[("turning.example", &[NEAR, FAR])]);
    let url = format!("http://turning.example:{port}/x");
    got(&around, &url, Near::Refused, &nobody())
        .await
        .expect_err("it leads inwards");
    assert_eq!(names.asked.lock().len(), 1);
    // The other way round it is reached where it was judged, at the open network, where nobody listens.
    let (names, around) = web(&[("turning.example", &[FAR, NEAR])]);
    got(&around, &url, Near::Refused, &nobody())
        .await
        .expect_err("nobody listens there");
    assert_eq!(names.asked.lock().len(), 1);
    assert_eq!(requests.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_redirect_to_another_host_is_told_and_followed_only_where_it_is_let() {
    let (target, requests) = server(FAR, |stream, _| says(stream, "200 OK", b"there"));
    let leads_to = format!("http://other.example:{target}/there");
    let told = leads_to.clone();
    let (port, _) = server(FAR, move |stream, path| match path {
        "/same" => says(stream, "302 Found\r\nLocation: /page", b""),
        "/other" => says(stream, &format!("302 Found\r\nLocation: {leads_to}"), b""),
        "/inwards" => says(
            stream,
            "302 Found\r\nLocation: http://169.254.169.254/latest",
            b"",
        ),
        _ => says(stream, "200 OK", b"here"),
    });
    let (_, around) = web(&[("one.example", &[FAR]), ("other.example", &[FAR])]);
    let at = |path: &str| format!("http://one.example:{port}{path}");
    assert_eq!(
        got(&around, &at("/same"), Near::Refused, &nobody())
            .await
            .as_deref(),
        Ok("here")
    );
    let refused = got(&around, &at("/other"), Near::Refused, &nobody())
        .await
        .unwrap_err();
    assert!(
        refused.contains("another host") && refused.contains(&told),
        "{refused}"
    );
    assert_eq!(requests.load(Ordering::SeqCst), 0);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let everybody: Follows = Arc::new(move |next| {
        noted.lock().push(next.to_owned());
        true
    });
    assert_eq!(
        got(&around, &at("/other"), Near::Refused, &everybody)
            .await
            .as_deref(),
        Ok("there")
    );
    assert_eq!(*asked.lock(), [told]);
    // Nobody who may be sent on may be sent inwards, also where the user wrote the first address.
    for near in [Near::Refused, Near::AsNamed] {
        let refused = got(&around, &at("/inwards"), near, &everybody).await.unwrap_err();
        assert!(refused.contains("local network"), "{refused}");
    }
}

#[tokio::test]
async fn what_never_ends_is_cut_off_and_what_never_comes_is_not_waited_for() {
    let (port, _) = server(FAR, |stream, path| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"));
        let piece = [b'x'; 16 << 10];
        let (piece, pause) = match path {
            "/endless" => (&piece[..], Duration::ZERO),
            _ => (&piece[..1], Duration::from_millis(20)),
        };
        while stream.write_all(piece).is_ok() {
            std::thread::sleep(pause);
        }
    });
    let (_, around) = web(&[("one.example", &[FAR])]);
    let url = |path: &str| parsed(&format!("http://one.example:{port}{path}")).unwrap();
    let rules = |timeout| Rules {
        near: Near::Refused,
        follows: &|_| true,
        bytes_max: 1 << 20,
        timeout,
        proxy: &Proxy::Direct,
    };
    let endless = fetched(&around, url("/endless"), &rules(PAGE_TIMEOUT), &mut |_, _| {}).await;
    assert!(matches!(endless, Err(Stopped::Unfetched(why)) if why.detail.contains("more than 1 MB")));
    let began = Instant::now();
    let slow = fetched(
        &around,
        url("/slow"),
        &rules(Duration::from_millis(300)),
        &mut |_, _| {},
    )
    .await;
    assert!(matches!(slow, Err(Stopped::Unfetched(why)) if why.detail.contains("too long")));
    assert!(began.elapsed() < PAGE_TIMEOUT);
}

#[test]
fn a_host_is_named_with_its_port_where_that_is_not_the_usual_one() {
    let of = |text: &str| host_of(&Url::parse(text).unwrap());
    assert_eq!(of("https://Example.COM./a"), "example.com");
    assert_eq!(of("http://example.com:80/"), "example.com");
    assert_eq!(of("https://user:pass@example.com:8443/"), "example.com:8443");
    assert_eq!(of("http://2130706433/"), "127.0.0.1");
    assert_eq!(of("https://例子.example/"), "xn--fsqu00a.example");
}
