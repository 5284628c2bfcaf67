//! Hosts, origins and tokens as programs and pages send them.

use super::*;
use axum::http::HeaderValue;
use proptest::prelude::*;

fn with(name: header::HeaderName, values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(name.clone(), HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn is_host(values: &[&str]) -> bool {
    is_own_host(&Uri::from_static("/mcp"), &with(header::HOST, values), 7438)
}

#[test]
fn only_this_computer_with_this_port_is_the_host() {
    for own in ["127.0.0.1:7438", "localhost:7438", "LocalHost:7438", "[::1]:7438"] {
        assert!(is_host(&[own]), "{own}");
    }
    for other in [
        "evil.example:7438",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.evil.example:7438",
        "evil@127.0.0.1:7438",
        "127.0.0.1:7438:7438",
        "0.0.0.0:7438",
        "",
    ] {
        assert!(!is_host(&[other]), "{other}");
    }
    assert!(!is_host(&[]), "no host at all");
    assert!(!is_host(&["127.0.0.1:7438", "evil.example"]), "two hosts");
    let elsewhere = Uri::from_static("http://evil.example:7438/mcp");
    assert!(!is_own_host(
        &elsewhere,
        &with(header::HOST, &["127.0.0.1:7438"]),
        7438
    ));
}

#[test]
fn only_pages_of_this_computer_are_origins() {
    let is_origin = |values: &[&str]| is_local_origin(&with(header::ORIGIN, values));
    assert!(is_origin(&[]), "no page");
    assert!(is_origin(&["http://localhost:6274"]));
    assert!(is_origin(&["http://[::1]:6274"]));
    for other in [
        "null",
        "http://evil.example",
        "https://localhost.evil.example",
        "file://localhost",
        "localhost",
        "http://127.0.0.1.evil.example:7438",
    ] {
        assert!(!is_origin(&[other]), "{other}");
    }
    assert!(!is_origin(&["http://localhost", "http://evil.example"]));
}

#[test]
fn a_greeting_begins_a_session_whatever_its_headers_say() {
    let head = |method: &str, headers: &[(&str, &[u8])]| {
        let mut request = axum::http::Request::builder().method(method).uri("/mcp");
        for (name, value) in headers {
            request = request.header(*name, HeaderValue::from_bytes(value).unwrap());
        }
        request.body(()).unwrap().into_parts().0
    };
    assert!(begins_session(&head("POST", &[])));
    assert!(begins_session(&head(
        "POST",
        &[("mcp-protocol-version", b"2026-07-28")]
    )));
    assert!(
        begins_session(&head("POST", &[("mcp-session-id", b"\xff")])),
        "no text"
    );
    assert!(!begins_session(&head("POST", &[("mcp-session-id", b"d1f5")])));
    assert!(!begins_session(&head("GET", &[])));
}

#[test]
fn a_token_is_read_from_its_header() {
    let read = |value: &str| bearer(&with(header::AUTHORIZATION, &[value])).map(str::to_owned);
    assert_eq!(read("Bearer abc").as_deref(), Some("abc"));
    assert_eq!(read("bearer  abc").as_deref(), Some("abc"));
    assert_eq!(read("Basic abc"), None);
    assert_eq!(read("abc"), None);
    assert!(!is_same(&digest("abc"), &digest("abd")));
    assert!(is_same(&digest("abc"), &digest("abc")));
}

proptest! {
    #[test]
    fn no_other_host_passes(host in "[a-z0-9.:@\\[\\]-]{0,40}") {
        let own = ["127.0.0.1:7438", "localhost:7438", "[::1]:7438"];
        prop_assert_eq!(is_host(&[&host]), own.contains(&host.as_str()));
    }
}
