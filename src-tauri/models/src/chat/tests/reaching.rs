//! The address and key of a request, and the message where no server listens.

use super::*;

#[tokio::test]
async fn who_is_not_there_is_told_in_words_by_the_address_of_an_own_server() {
    let endpoint = Endpoint {
        provider: "custom".into(),
        base_url: "http://127.0.0.1:9/v1".into(),
        model: "m".into(),
        key: None,
        socket: None,
    };
    let (reply, _) = ask(&chat(endpoint).expect("a model")).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(failure.provider_title.as_deref(), Some("127.0.0.1:9"));
    assert_eq!(failure.detail.to_string(), "no server listens there");
    assert_eq!(failure.detail.text(Language::Zh), "那里没有服务在听");
}

#[tokio::test]
async fn nobody_listening_is_said_soon() {
    // Taken, so that no other test listens there, and nobody listens.
    let taken = tokio::net::TcpSocket::new_v4().expect("a socket");
    taken
        .bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0)))
        .expect("a port");
    let base_url = format!("http://{}/v1", taken.local_addr().expect("an address"));
    let endpoint = Endpoint {
        provider: "ollama".into(),
        base_url,
        model: "m".into(),
        key: None,
        socket: None,
    };
    let model = chat(endpoint).expect("a model");
    let failure = ask(&model).await.0.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert_eq!(failure.detail.to_string(), "no server listens there");
}

#[tokio::test]
async fn what_needs_the_key_is_fetched_with_it() {
    let body = r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#;
    let server = Server::answering(vec![
        whole("200 OK", "", body),
        whole("401 Unauthorized", "", "{}"),
        whole("200 OK", "", "<html>k-123456"),
        vec![Act::Hang],
    ])
    .await;
    let endpoint = Endpoint {
        provider: "custom".into(),
        base_url: server.base_url.clone(),
        model: String::new(),
        key: Some(SecretString::from("k-123456")),
        socket: None,
    };
    let (http, wire) = (Http::default(), OpenAi::of("custom"));
    let within = async |most_ms: u64| fetch(&endpoint, &wire, "/models", most_ms, &http).await;
    let fetched = async || within(20_000).await;
    assert_eq!(fetched().await.expect("a list")["data"][1]["id"], "b");
    let asked = server.asked();
    assert_eq!(asked[0].line, "GET /v1/models HTTP/1.1");
    assert!(asked[0].headers.contains("bearer k-123456"));
    assert_eq!(fetched().await.expect_err("a failure").kind, FailureKind::Key);
    let malformed = fetched().await.expect_err("a failure");
    assert_eq!(malformed.kind, FailureKind::Malformed);
    assert!(
        !malformed.detail.to_string().contains("k-123456"),
        "{}",
        malformed.detail
    );
    let silence = within(300).await.expect_err("a failure");
    assert_eq!(silence.kind, FailureKind::Timeout);
}

#[tokio::test]
async fn a_server_further_away_is_reached_through_the_proxy_and_one_here_never() {
    let proxy = Server::answering(vec![hello()]).await;
    let here = Server::answering(vec![hello()]).await;
    let address = proxy.base_url.trim_end_matches("/v1").to_owned();
    let http = Http::through(crate::Proxy::named(&address).expect("a proxy"));
    for (base_url, asked) in [
        ("http://models.example/v1", &proxy),
        (here.base_url.as_str(), &here),
    ] {
        let endpoint = Endpoint {
            provider: "custom".into(),
            base_url: base_url.into(),
            model: "m".into(),
            key: None,
            socket: None,
        };
        let wire = Box::new(OpenAi::of("custom"));
        let chat = Chat::new(endpoint, wire, hurried(), None, &http).expect("a model");
        assert_eq!(ask(&chat).await.0.expect("an answer").text, "hello");
        assert_eq!(asked.asked().len(), 1, "{base_url}");
    }
    assert_eq!(
        proxy.asked()[0].line,
        "POST http://models.example/v1/chat/completions HTTP/1.1"
    );
}

#[test]
fn addresses_and_keys_that_are_none_are_refused_before_anything_is_sent() {
    let endpoint = |base_url: &str| Endpoint {
        provider: "custom".into(),
        base_url: base_url.into(),
        model: "m".into(),
        key: None,
        socket: None,
    };
    for base_url in ["", "not an address", "ftp://host/v1", "localhost:8080"] {
        let failure = chat(endpoint(base_url)).err().expect("a failure");
        assert_eq!(failure.kind, FailureKind::Unreachable, "{base_url}");
    }
    let address = |base_url: &str| {
        transport::address(&endpoint(base_url), &["/chat/completions"], "/chat/completions")
            .expect("an address")
            .to_string()
    };
    assert_eq!(address("http://h/v1/"), "http://h/v1/chat/completions");
    assert_eq!(
        address(" http://h/v1/chat/completions "),
        "http://h/v1/chat/completions"
    );
    let client = reqwest::Client::builder;
    let request = || without_tls(client()).get("http://h/");
    let keyed = Endpoint {
        key: Some(SecretString::from("line\nbreak")),
        ..endpoint("http://h")
    };
    assert_eq!(
        transport::with_key(request(), &keyed, "authorization", "Bearer ")
            .expect_err("a failure")
            .kind,
        FailureKind::Key
    );
}

fn without_tls(builder: reqwest::ClientBuilder) -> reqwest::Client {
    crate::install_tls();
    builder.build().expect("a client")
}
