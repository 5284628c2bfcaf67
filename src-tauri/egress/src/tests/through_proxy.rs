//! Promises of the way through the user's own proxy: a name that was judged is not looked up there once more.

use super::*;

/// The addresses of a name in the order in which they are tried.
const BOTH: &str = "127.0.0.3,127.0.0.2";

/// The user's own proxy, which is told that the name of the open network leads to this computer, and allows that.
fn rebound() -> Bench {
    let rules = Rules {
        allowed: vec![
            ("far.example", Network::Open),
            ("far.example", Network::Local),
            (FAR, Network::Local),
        ],
        ..Rules::default()
    };
    bench(&[("far.example", "127.0.0.1")], rules, "none")
}

/// What the user's own proxy was asked for.
fn asked_of(outer: &Bench) -> Vec<String> {
    assert!(outer.names.asked.lock().is_empty(), "a name was looked up anew");
    let asked = outer.rules.asked.lock();
    asked.iter().map(|(host, _)| host.clone()).collect()
}

#[test]
fn the_users_own_proxy_gets_the_address_that_was_judged_in_each_of_its_languages() {
    for scheme in ["http", "socks5h"] {
        let outer = rebound();
        let upstream = format!("{scheme}://{}", outer.address);
        let mut inner = bench(&[("far.example", FAR)], allowed(&["far.example"]), &upstream);
        let (port, heard) = server(FAR, "yes");
        let connect = format!("CONNECT far.example:{port} HTTP/1.1\r\n\r\nhello");
        let answer = inner.exchange(connect.as_bytes());
        assert!(answer.ends_with("yes"), "{scheme}: {answer}");
        assert_eq!(heard.join().unwrap(), "hello");

        let (port, heard) = server(FAR, "HTTP/1.1 204 None\r\n\r\n");
        let get = format!("GET http://far.example:{port}/x HTTP/1.1\r\nHost: a\r\n\r\n");
        assert_eq!(inner.exchange(get.as_bytes()), "HTTP/1.1 204 None\r\n\r\n");
        let head = format!("GET /x HTTP/1.1\r\nHost: far.example:{port}\r\nConnection: close\r\n\r\n");
        assert_eq!(heard.join().unwrap(), head, "{scheme}");

        assert_eq!(asked_of(&outer), [FAR, FAR], "{scheme}");
        assert!(
            inner.reports().iter().all(|one| one.refusal.is_none()),
            "{scheme}"
        );
    }
}

#[test]
fn another_address_that_was_judged_is_tried_where_the_proxy_does_not_reach_the_first() {
    let outer = rebound();
    let upstream = format!("http://{}", outer.address);
    let inner = bench(&[("far.example", BOTH)], allowed(&["far.example"]), &upstream);
    let (port, heard) = server(FAR, "yes");
    let connect = format!("CONNECT far.example:{port} HTTP/1.1\r\n\r\nhello");
    let answer = inner.exchange(connect.as_bytes());
    assert!(answer.ends_with("yes"), "{answer}");
    assert_eq!(heard.join().unwrap(), "hello");
    assert_eq!(asked_of(&outer), [FAR_TOO, FAR]);
}
