//! Promises of the readers: whatever comes, and in whatever pieces.

use super::*;
use proptest::prelude::*;

fn http(text: &str) -> Result<Option<Request>, Malformed> {
    read_http(text.as_bytes()).map(|read| read.map(|(request, _)| request))
}

fn forward(text: &str) -> Forward {
    match http(text) {
        Ok(Some(Request::Forward(forward))) => forward,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_tunnel_names_host_and_port_and_what_follows_its_head_is_left() {
    let bytes = b"CONNECT PyPI.org:443 HTTP/1.1\r\nHost: other.example:1\r\n\r\nrest";
    let (request, length) = read_http(bytes).unwrap().unwrap();
    assert_eq!(request, Request::Connect(Target::named("pypi.org:443").unwrap()));
    assert_eq!(&bytes[length..], b"rest");
    for refused in [
        "CONNECT pypi.org HTTP/1.1\r\n\r\n",
        "CONNECT http://pypi.org:443/ HTTP/1.1\r\n\r\n",
        "CONNECT 2130706433:80 HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: pypi.org\r\n\r\n",
        "GET https://pypi.org/ HTTP/1.1\r\n\r\n",
        "GET ftp://pypi.org/ HTTP/1.1\r\n\r\n",
        "GET http:///x HTTP/1.1\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n\r\n",
    ] {
        assert_eq!(http(refused), Err(Malformed), "{refused}");
    }
}

#[test]
fn a_forwarded_request_is_the_last_of_its_connection_and_says_the_host_that_was_judged() {
    let asked = forward(
        "POST http://me:secret@Example.org:8080/a?b HTTP/1.1\r\nHost: elsewhere.example\r\nAccept: */*\r\n\
         Connection: keep-alive, X-Own\r\nX-Own: 1\r\nProxy-Authorization: Basic x\r\nContent-Length: 2\r\n\r\nhi",
    );
    assert_eq!(asked.target.to_string(), "example.org:8080");
    let head = String::from_utf8(asked.head()).unwrap();
    assert_eq!(
        head,
        "POST /a?b HTTP/1.1\r\nHost: example.org:8080\r\nAccept: */*\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
    );
    let head = String::from_utf8(asked.head_for_proxy(Some(b"Basic eA=="))).unwrap();
    assert!(
        head.starts_with("POST http://example.org:8080/a?b HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("Proxy-Authorization: Basic eA==\r\n"), "{head}");
    let asked = forward(
        "GET http://example.org?q HTTP/1.0\r\nConnection: content-length\r\nContent-Length: 1\r\n\r\n",
    );
    let head = String::from_utf8(asked.head()).unwrap();
    assert!(
        head.starts_with("GET /?q HTTP/1.0\r\nHost: example.org\r\nContent-Length: 1\r\n"),
        "{head}"
    );
}

#[test]
fn socks_names_hosts_and_addresses() {
    assert_eq!(read_greeting(&[5, 2, 1, 0, 9]), Ok(Some((true, 4))));
    assert_eq!(read_greeting(&[5, 1, 2]), Ok(Some((false, 3))));
    assert_eq!(read_greeting(&[5, 2, 0]), Ok(None));
    assert_eq!(read_greeting(&[4, 1, 0]), Err(Malformed));
    let name = [&[5, 1, 0, 3, 8][..], b"pypi.org", &[1, 187, 7]].concat();
    let (target, length) = read_socks(&name).unwrap().unwrap();
    assert_eq!((target.authority().as_str(), length), ("pypi.org:443", 15));
    let of = |bytes: &[u8]| read_socks(bytes).map(|read| read.map(|(target, _)| target.authority()));
    assert_eq!(
        of(&[5, 1, 0, 1, 127, 0, 0, 1, 0, 80]),
        Ok(Some("127.0.0.1:80".to_owned()))
    );
    let six = [&[5, 1, 0, 4][..], &[0; 15], &[1, 0, 22]].concat();
    assert_eq!(of(&six), Ok(Some("[::1]:22".to_owned())));
    // Binding, datagrams, another version, an unknown kind, a name in another spelling.
    for refused in [
        &[5, 2][..],
        &[5, 3],
        &[4, 1],
        &[5, 1, 0, 2],
        &[5, 1, 0, 3, 3, b'1', b'2', b'7', 0, 80],
        &[5, 1, 0, 3, 1, 0xff, 0, 80],
    ] {
        assert_eq!(of(refused), Err(Malformed), "{refused:?}");
    }
}

/// The same for every way to cut a request: only the whole has a meaning, and no part of it has another one.
fn in_pieces<T: PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<Option<(T, usize)>, Malformed>,
) -> Result<(), TestCaseError> {
    let Ok(Some((whole, length))) = read(bytes) else {
        return Ok(());
    };
    prop_assert!(length <= bytes.len());
    for cut in 0..length {
        prop_assert_eq!(read(&bytes[..cut]), Ok(None), "cut at {}", cut);
    }
    prop_assert_eq!(read(&bytes[..length]), Ok(Some((whole, length))));
    Ok(())
}

proptest! {
    #[test]
    fn no_bytes_break_a_reader(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let begins: [&[u8]; 6] = [
            b"", b"CONNECT ", b"GET http://", &[5], &[5, 1, 0, 3], &[5, 1, 0, 4],
        ];
        for begin in begins {
            let bytes = [begin, &bytes].concat();
            in_pieces(&bytes, read_http)?;
            in_pieces(&bytes, read_greeting)?;
            in_pieces(&bytes, read_socks)?;
        }
    }

    #[test]
    fn a_request_means_the_same_in_any_pieces(
        host in "[a-z]{1,9}(\\.[a-z]{1,9}){1,3}", port in 1..=u16::MAX, path in "(/[!-~&&[^ ]]{0,20})?",
    ) {
        let socks = [&[5, 1, 0, 3, u8::try_from(host.len()).unwrap()][..], host.as_bytes(), &port.to_be_bytes()].concat();
        in_pieces(&socks, read_socks)?;
        let (target, _) = read_socks(&socks).unwrap().unwrap();
        prop_assert_eq!(target.authority(), format!("{host}:{port}"));
        let connect = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        in_pieces(connect.as_bytes(), read_http)?;
        prop_assert_eq!(http(&connect), Ok(Some(Request::Connect(target))));
        let get = format!("GET http://{host}:{port}{path} HTTP/1.1\r\nA: b\r\n\r\n");
        in_pieces(get.as_bytes(), read_http)?;
    }

    #[test]
    fn whatever_is_passed_on_is_one_request_for_the_host_that_was_judged(
        host in "[a-z]{1,9}\\.org", name in "[A-Za-z-]{1,20}", value in "[ -~]{0,60}", path in "/[!-~]{0,40}",
    ) {
        let text = format!("GET http://{host}{path} HTTP/1.1\r\n{name}: {value}\r\nHost: other.example\r\n\r\n");
        if let Ok(Some(Request::Forward(asked))) = http(&text) {
            let head = asked.head();
            let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
            let mut again = httparse::Request::new(&mut headers);
            let length = again.parse(&head).unwrap().unwrap();
            prop_assert_eq!(length, head.len());
            let hosts: Vec<_> = again.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("host")).collect();
            prop_assert_eq!(hosts.len(), 1);
            prop_assert_eq!(hosts[0].value, host.as_bytes());
        }
    }
}
