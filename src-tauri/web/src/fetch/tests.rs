//! The way to an address: redirects, names that change what they mean, and what is near.

use super::*;

#[test]
fn an_address_is_read_as_people_write_it_and_only_of_the_web() {
    let of = |text: &str| parsed(text).ok().map(|url| url.to_string());
    assert_eq!(
        of(" example.com/a b "),
        Some("https://example.com/a%20b".to_owned())
    );
    assert_eq!(
        of("http://127.0.0.1:8/x"),
        Some("http://127.0.0.1:8/x".to_owned())
    );
    for refused in [
        "file:///etc/passwd",
        "ftp://example.com",
        "http://",
        "javascript:alert(1)",
    ] {
        assert_eq!(of(refused), None, "{refused}");
    }
}

#[test]
fn a_fetched_file_gets_the_ending_of_its_content() {
    let name = |url: &str, kind: &str| name_of(&Url::parse(url).unwrap(), kind);
    assert_eq!(
        name("https://example.com/", "text/html; charset=gbk"),
        "example.com.html"
    );
    assert_eq!(
        name("https://example.com/a/b.pdf?x", "application/pdf"),
        "example.com-b.pdf"
    );
    assert_eq!(
        name("https://example.com/doc", "application/octet-stream"),
        "example.com-doc"
    );
    assert_eq!(
        name(
            "https://example.com/doc",
            "application/vnd.oasis.opendocument.text"
        ),
        "example.com-doc.odt"
    );
}

#[test]
fn a_rich_text_names_its_own_encoding_and_any_other_text_has_the_one_of_its_header() {
    let told = |bytes: &[u8], kind: &str| with_charset_told(bytes.to_vec(), kind);
    assert_eq!(told(b"{\\rtf1 a}", "text/rtf; charset=gbk"), b"{\\rtf1 a}");
    assert_eq!(
        told(b"\xb8\xb6", "text/plain; charset=gbk"),
        "\u{feff}付".as_bytes()
    );
}

/// A web of the test's own: names with their addresses, of which 127.0.0.2 plays the open network, and others a neighbour and
/// an address that only the wire has.
#[cfg(target_os = "linux")]
mod hops {
    use super::*;
    use parking_lot::Mutex;
    use std::collections::BTreeMap;
    use std::io::{Read, Write};
    use std::net::{IpAddr, TcpListener};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const FAR: &str = "127.0.0.2";
    const NEAR: &str = "127.0.0.1";
    const NEIGHBOUR: &str = "127.0.0.3";
    const WIRE: &str = "127.0.0.4";

    #[derive(Default)]
    struct Web {
        names: BTreeMap<&'static str, Vec<Vec<&'static str>>>,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait::async_trait]
    impl Neighbours for Web {
        /// A name may lead elsewhere each time that it is asked for.
        async fn addresses(&self, host: &str) -> std::io::Result<Vec<IpAddr>> {
            let mut asked = self.asked.lock();
            let before = asked.iter().filter(|other| *other == host).count();
            asked.push(host.to_owned());
            let known = self.names.get(host).ok_or(std::io::ErrorKind::NotFound)?;
            let now = known.get(before).or(known.last()).unwrap();
            Ok(now.iter().map(|address| address.parse().unwrap()).collect())
        }

        fn place_of(&self, address: IpAddr) -> Place {
            match address.to_string().as_str() {
                FAR => Place::Far,
                NEIGHBOUR => Place::Neighbour,
                WIRE => Place::Link,
                _ => Place::Own,
            }
        }
    }

    /// A server that answers `path /go` with a redirect and anything else with a page; counts what comes.
    struct Server {
        port: u16,
        requests: Arc<AtomicUsize>,
    }

    fn server(address: &str, leads_to: &str) -> Server {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(AtomicUsize::new(0));
        let (counted, leads_to) = (Arc::clone(&requests), leads_to.to_owned());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let mut head = [0; 4_096];
                let read = stream.read(&mut head).unwrap_or_default();
                let answer = match head.get(..read).is_some_and(|head| head.starts_with(b"GET /go")) {
                    true => format!("HTTP/1.1 302 Found\r\nLocation: {leads_to}\r\nContent-Length: 0\r\n"),
                    false => {
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n".to_owned()
                    }
                };
                drop(stream.write_all(format!("{answer}Connection: close\r\n\r\nsecret").as_bytes()));
            }
        });
        Server { port, requests }
    }

    async fn fetched(web: &Arc<Web>, url: &str) -> Result<Vec<u8>, String> {
        shidi_models::install_tls();
        let around: Arc<dyn Neighbours> = Arc::clone(web) as _;
        let fetched = fetch_in(around, url, &mut |_, _| {}).await;
        fetched.map(|fetched| fetched.bytes).map_err(|why| why.detail)
    }

    #[tokio::test]
    async fn a_redirect_from_the_open_network_into_this_one_is_not_followed_however_it_is_named() {
        let inner = server(NEAR, "");
        let port = inner.port;
        for leads_to in [
            format!("http://inner.example:{port}/x"),
            format!("http://both.example:{port}/x"),
            format!("http://127.0.0.1:{port}/x"),
            format!("http://2130706433:{port}/x"),
            format!("http://0177.1:{port}/x"),
            format!("http://[::ffff:127.0.0.1]:{port}/x"),
            format!("http://localhost.:{port}/x"),
            format!("//inner.example:{port}/x"),
        ] {
            let outer = server(FAR, &leads_to);
            let web = Arc::new(Web {
                names: BTreeMap::from([
                    ("outer.example", vec![vec![FAR]]),
                    ("inner.example", vec![vec![NEAR]]),
                    ("both.example", vec![vec![FAR, NEAR]]),
                ]),
                ..Web::default()
            });
            let url = format!("http://outer.example:{}/go", outer.port);
            let refused = fetched(&web, &url).await.expect_err("it is not followed");
            assert!(refused.contains("local network"), "{leads_to}: {refused}");
            assert_eq!(outer.requests.load(Ordering::SeqCst), 1);
        }
        assert_eq!(inner.requests.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_name_that_changes_its_address_is_reached_where_it_was_judged() {
        let (outer, inner) = (server(FAR, ""), server(NEAR, ""));
        let web = Arc::new(Web {
            names: BTreeMap::from([("changing.example", vec![vec![FAR], vec![NEAR]])]),
            ..Web::default()
        });
        let url = format!("http://changing.example:{}/page", outer.port);
        assert_eq!(fetched(&web, &url).await.unwrap(), b"secret");
        assert_eq!(*web.asked.lock(), ["changing.example"], "it is asked for once");
        assert_eq!(inner.requests.load(Ordering::SeqCst), 0);
        // What nobody knew when it was judged is not looked for again.
        let late = Arc::new(Web::default());
        fetched(&late, &url).await.expect_err("nobody knows it");
        assert_eq!(late.asked.lock().len(), 1);
    }

    #[tokio::test]
    async fn what_the_user_named_may_be_near_until_the_way_has_led_out() {
        let inner = server(NEAR, "/page");
        let web = Arc::new(Web {
            names: BTreeMap::from([
                ("wiki.example", vec![vec![NEAR]]),
                ("outer.example", vec![vec![FAR]]),
            ]),
            ..Web::default()
        });
        let url = format!("http://wiki.example:{}/go", inner.port);
        assert_eq!(fetched(&web, &url).await.unwrap(), b"secret");
        let outer = server(FAR, &format!("http://wiki.example:{}/x", inner.port));
        let out = server(NEAR, &format!("http://outer.example:{}/go", outer.port));
        let url = format!("http://wiki.example:{}/go", out.port);
        let refused = fetched(&web, &url).await.expect_err("in, out and in again");
        assert!(refused.contains("local network"), "{refused}");
        let endless = server(NEAR, "/go");
        let url = format!("http://wiki.example:{}/go", endless.port);
        let refused = fetched(&web, &url).await.expect_err("endless");
        assert!(refused.contains("too many redirects"), "{refused}");
        assert!(endless.requests.load(Ordering::SeqCst) <= 1 + FETCH_REDIRECTS_MAX);
    }

    #[tokio::test]
    async fn a_neighbour_sends_nobody_to_this_computer_nor_to_what_only_the_wire_reaches() {
        let (inner, wire) = (server(NEAR, ""), server(WIRE, ""));
        let names = [
            ("own.example", vec![vec![NEAR]]),
            ("near.example", vec![vec![NEIGHBOUR]]),
        ];
        let web = Arc::new(Web {
            names: BTreeMap::from(names),
            ..Web::default()
        });
        for (start, leads_to) in [
            (NEIGHBOUR, format!("http://{NEAR}:{}/x", inner.port)),
            (NEIGHBOUR, format!("http://own.example:{}/x", inner.port)),
            (NEIGHBOUR, format!("http://{WIRE}:{}/x", wire.port)),
            (NEAR, format!("http://{WIRE}:{}/x", wire.port)),
        ] {
            let first = server(start, &leads_to);
            let url = format!("http://{start}:{}/go", first.port);
            let refused = fetched(&web, &url).await.expect_err("it is not followed");
            assert!(refused.contains("local network"), "{leads_to}: {refused}");
        }
        assert_eq!(inner.requests.load(Ordering::SeqCst), 0);
        assert_eq!(wire.requests.load(Ordering::SeqCst), 0);
        // From one neighbour to another, and from this computer to itself, goes on.
        let other = server(NEIGHBOUR, "");
        for (start, leads_to) in [
            (NEIGHBOUR, format!("http://near.example:{}/x", other.port)),
            (NEAR, format!("http://own.example:{}/x", inner.port)),
            (NEAR, format!("http://near.example:{}/x", other.port)),
        ] {
            let first = server(start, &leads_to);
            let url = format!("http://{start}:{}/go", first.port);
            assert_eq!(fetched(&web, &url).await.unwrap(), b"secret", "{leads_to}");
        }
    }
}
