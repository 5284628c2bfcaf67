//! Ways past the proxy to this computer, and words smuggled out by names: each is tried, and none gets through.
//!
//! Somebody listens on this computer's loopback with a secret. Every host that the ways name is allowed, on the open network:
//! what leads inwards is not.

use super::*;

/// Names that a command may reach: one of the open network, one that leads inwards, one that does both.
const NAMES: [(&str, &str); 3] = [
    ("far.example", FAR),
    ("inwards.example", "127.0.0.1"),
    ("both.example", "127.0.0.2,127.0.0.1"),
];

/// Hosts that a tunnel, a request of plain HTTP and SOCKS are asked for. `{port}` is the secret's.
const HOSTS: [(&str, &str); 24] = [
    ("the loopback", "127.0.0.1:{port}"),
    ("another address of the loopback", "127.9.8.7:{port}"),
    ("the loopback's name", "localhost:{port}"),
    ("the loopback's name in capitals", "LOCALHOST:{port}"),
    ("the loopback's name with a dot at its end", "localhost.:{port}"),
    ("a name below the loopback's", "a.localhost:{port}"),
    ("the loopback with a dot at its end", "127.0.0.1.:{port}"),
    ("the loopback as one number", "2130706433:{port}"),
    ("the loopback as one number to sixteen", "0x7f000001:{port}"),
    ("the loopback in eights", "0177.0.0.1:{port}"),
    ("the loopback in two parts", "127.1:{port}"),
    ("the address that means this computer", "0.0.0.0:{port}"),
    ("the newer loopback", "[::1]:{port}"),
    ("the newer address that means this computer", "[::]:{port}"),
    (
        "the loopback mapped into a newer address",
        "[::ffff:127.0.0.1]:{port}",
    ),
    ("the same in sixteens", "[::ffff:7f00:1]:{port}"),
    ("the loopback in the oldest newer form", "[::127.0.0.1]:{port}"),
    ("the loopback behind NAT64", "[64:ff9b::7f00:1]:{port}"),
    ("the loopback behind 6to4", "[2002:7f00:1::]:{port}"),
    ("where clouds tell their secrets", "169.254.169.254:80"),
    ("a neighbour of the wire by its newer address", "[fe80::1]:{port}"),
    ("a name that leads inwards", "inwards.example:{port}"),
    ("a name that leads outwards and inwards", "both.example:{port}"),
    ("an allowed host as a user's name", "far.example@127.0.0.1:{port}"),
];

/// Requests that say one host and mean another. Nobody listens at the port that the allowed host is asked for.
const REQUESTS: [(&str, &str); 12] = [
    (
        "the loopback in the header of an allowed host",
        "CONNECT far.example:1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    ),
    (
        "the loopback in the header of a request that names no host",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    ),
    (
        "the loopback in the header of a request for an allowed host",
        "GET http://far.example:1/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    ),
    (
        "two headers with hosts",
        "GET http://far.example:1/ HTTP/1.1\r\nHost: far.example\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    ),
    (
        "the loopback before the sign that ends a user's name",
        "GET http://127.0.0.1:{port}@far.example:1/ HTTP/1.1\r\n\r\n",
    ),
    (
        "a sign that some take for the end of a host",
        "GET http://127.0.0.1:{port}\\@far.example:1/ HTTP/1.1\r\n\r\n",
    ),
    (
        "a mark that ends an address before its host",
        "GET http://far.example:1#@127.0.0.1:{port}/ HTTP/1.1\r\n\r\n",
    ),
    (
        "a second request behind the first",
        "GET http://far.example:1/ HTTP/1.1\r\n\r\nGET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n",
    ),
    (
        "a second request in a body of two lengths",
        "POST http://far.example:1/ HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n\
         0\r\n\r\nGET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n",
    ),
    (
        "the end of a line within a host",
        "CONNECT far.example:1%0d%0aHost:127.0.0.1 HTTP/1.1\r\n\r\n",
    ),
    (
        "an address of another kind",
        "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
    ),
    (
        "a tunnel through the whole address",
        "CONNECT http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n",
    ),
];

/// Hosts that SOCKS is asked for in bytes: what comes before the port.
const IN_BYTES: [(&str, &[u8]); 8] = [
    ("SOCKS: the loopback in four bytes", &[5, 1, 0, 1, 127, 0, 0, 1]),
    (
        "SOCKS: the loopback in sixteen bytes",
        &[5, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ),
    (
        "SOCKS: the loopback mapped into sixteen bytes",
        &[5, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1],
    ),
    ("SOCKS: the loopback as a name", b"\x05\x01\x00\x03\x09127.0.0.1"),
    (
        "SOCKS: a name that leads inwards",
        b"\x05\x01\x00\x03\x0finwards.example",
    ),
    (
        "SOCKS: a name with an end in its middle",
        b"\x05\x01\x00\x03\x15127.0.0.1\x00far.example",
    ),
    (
        "SOCKS: a port of ours for somebody outside",
        &[5, 2, 0, 1, 127, 0, 0, 1],
    ),
    ("SOCKS: datagrams", &[5, 3, 0, 1, 127, 0, 0, 1]),
];

/// Names below an allowed one, or like it, that would carry words to whoever keeps them.
const TOLD: [&str; 5] = [
    "secret-4711.far.example:443",
    "far.example.evil.example:443",
    "evil-far.example:443",
    "secret-4711.evil.example:443",
    "f\u{430}r.example:443",
];

/// Leave for every host of the ways, on the open network.
fn lenient() -> Rules {
    let hosts = [
        "far.example",
        "inwards.example",
        "both.example",
        "localhost",
        "a.localhost",
        "127.0.0.1",
        "127.9.8.7",
        "0.0.0.0",
        "169.254.169.254",
        "::1",
        "fe80::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ];
    allowed(&hosts)
}

/// Whether an answer consents, over HTTP or SOCKS.
fn consents(answer: &str) -> bool {
    let bytes = answer.as_bytes();
    answer.starts_with("HTTP/1.1 2") || bytes.starts_with(&[5, 0, 5, 0])
}

/// Somebody on the loopback who is to be reached by nobody.
fn secret() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    (listener, port)
}

/// The words of SOCKS for a host that is named as HTTP names it, without brackets.
fn socks_by_name(host: &str, port: u16) -> Vec<u8> {
    let (name, _) = host.rsplit_once(':').unwrap();
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let length = u8::try_from(name.len()).unwrap();
    [
        &[5, 1, 0, 5, 1, 0, 3, length][..],
        name.as_bytes(),
        &port.to_be_bytes(),
    ]
    .concat()
}

#[test]
fn no_spelling_of_this_computer_leads_inwards_in_any_language_of_the_proxy() {
    let (listener, port) = secret();
    let bench = bench(&NAMES, lenient(), "none");
    for (way, host) in HOSTS {
        let host = host.replace("{port}", &port);
        let ways = [
            format!("CONNECT {host} HTTP/1.1\r\n\r\n").into_bytes(),
            format!("GET http://{host}/ HTTP/1.1\r\n\r\n").into_bytes(),
            socks_by_name(&host, port.parse().unwrap()),
        ];
        for words in ways {
            let answer = bench.exchange(&words);
            assert!(!consents(&answer), "{way}: {answer}");
            assert!(listener.accept().is_err(), "{way} reached it");
        }
    }
}

#[test]
fn no_request_that_says_one_host_reaches_another() {
    let (listener, port) = secret();
    let bench = bench(&NAMES, lenient(), "none");
    for (way, words) in REQUESTS {
        let answer = bench.exchange(words.replace("{port}", &port).as_bytes());
        assert!(!consents(&answer), "{way}: {answer}");
        assert!(listener.accept().is_err(), "{way} reached it");
    }
    let number: u16 = port.parse().unwrap();
    for (way, host) in IN_BYTES {
        let words = [&[5, 1, 0][..], host, &number.to_be_bytes()].concat();
        let answer = bench.exchange(&words);
        assert!(!consents(&answer), "{way}: {answer}");
        assert!(listener.accept().is_err(), "{way} reached it");
    }
    let older = [&[4, 1][..], &number.to_be_bytes(), &[127, 0, 0, 1, 0]].concat();
    let by_name = [&[4, 1][..], &number.to_be_bytes(), b"\0\0\0\x01\0localhost\0"].concat();
    for words in [older, by_name] {
        let answer = bench.exchange(&words);
        assert!(answer.starts_with("HTTP/1.1 400 "), "an older SOCKS: {answer}");
    }
    assert!(listener.accept().is_err());
}

#[test]
fn the_proxy_is_no_way_to_itself() {
    let bench = bench(&NAMES, lenient(), "none");
    for host in ["127.0.0.1", "inwards.example", "[::ffff:127.0.0.1]"] {
        let tunnel = format!("CONNECT {host}:{} HTTP/1.1\r\n\r\n", bench.address.port());
        let answer = bench.exchange(tunnel.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
    }
}

#[test]
fn no_name_carries_words_to_whoever_keeps_it() {
    let bench = bench(&NAMES, lenient(), "none");
    for host in TOLD {
        let answer = bench.exchange(format!("CONNECT {host} HTTP/1.1\r\n\r\n").as_bytes());
        assert!(!consents(&answer), "{host}: {answer}");
        let answer = bench.exchange(&socks_by_name(host, 443));
        assert!(!consents(&answer), "{host}: {answer}");
    }
    let asked = bench.names.asked.lock();
    assert!(asked.is_empty(), "a look-up tells the name: {asked:?}");
}
