//! Which failures are retried, how often and after which pause, and which are reported at once.

use super::*;

#[tokio::test]
async fn a_pause_is_told_with_its_reason_before_it_and_when_it_is_over() {
    let limited = whole(
        "429 Too Many Requests",
        "retry-after-ms: 20\r\n",
        r#"{"error":{"message":"slow down"}}"#,
    );
    let server = Server::answering(vec![limited, hello()]).await;
    let (_, seen) = ask(&model(&server)).await;
    let [
        ModelDelta::Awaits(Some(Wait::Provider {
            reason,
            provider,
            detail,
            ..
        })),
        ModelDelta::Awaits(None),
        ..,
    ] = seen.as_slice()
    else {
        panic!("{seen:?}");
    };
    assert_eq!((*reason, provider.as_str()), (FailureKind::RateLimited, "OpenAI"));
    assert!(detail.contains("slow down"), "{detail}");
}

#[tokio::test]
async fn a_server_that_loads_its_model_is_told_as_that_and_answers_when_it_is_ready() {
    let loading = || {
        whole(
            "503 Service Unavailable",
            "",
            r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
        )
    };
    let mut scripts: Vec<_> = (0..6).map(|_| loading()).collect();
    scripts.push(hello());
    let server = Server::answering(scripts).await;
    let (reply, seen) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    let is_told = |delta: &&ModelDelta| matches!(delta, ModelDelta::Awaits(Some(Wait::Loading)));
    assert_eq!(seen.iter().filter(is_told).count(), 6);

    let server = Server::answering((0..40).map(|_| loading()).collect()).await;
    let (reply, _) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Overloaded);
    for language in [Language::En, Language::Zh] {
        assert_eq!(failure.detail.text(language), language.models().server_loads());
    }
}

#[tokio::test]
async fn a_limited_rate_is_waited_for_as_long_as_the_server_asks() {
    let limited = whole(
        "429 Too Many Requests",
        "retry-after: 1\r\n",
        r#"{"error":{"message":"slow down"}}"#,
    );
    let server = Server::answering(vec![limited, hello()]).await;
    let started = Instant::now();
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    assert!(
        started.elapsed() >= Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    let asked = server.asked();
    assert_eq!(asked[0].body, asked[1].body);
}

#[tokio::test]
async fn a_wait_of_an_hour_is_reported_at_once() {
    let limited = whole(
        "429 Too Many Requests",
        "retry-after: 3600\r\n",
        r#"{"error":{"message":"slow down"}}"#,
    );
    let server = Server::answering(vec![limited]).await;
    let (reply, _) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(
        (failure.kind, failure.detail.text(Language::SOURCE)),
        (FailureKind::RateLimited, "429: slow down")
    );
}

#[tokio::test]
async fn broken_servers_are_tried_four_times_and_no_more() {
    let statuses = ["500 Oops", "529 Overloaded", "502 Bad Gateway", "503 Busy"];
    let scripts = statuses
        .iter()
        .map(|status| whole(status, "", "<html><title>no</title></html>"))
        .collect();
    let server = Server::answering(scripts).await;
    let (reply, _) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(
        (failure.kind, failure.detail.text(Language::SOURCE)),
        (FailureKind::Overloaded, "503: HTML, no")
    );
    assert_eq!(server.asked().len(), 4);

    let server = Server::answering(vec![
        whole("500 Oops", "", ""),
        whole("529 Overloaded", "", ""),
        hello(),
    ])
    .await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
}

#[tokio::test]
async fn what_the_user_must_mend_is_not_tried_again() {
    for (status, body, expected) in [
        (
            "401 Unauthorized",
            r#"{"error":{"message":"Incorrect API key provided: sk-very-secret","code":"invalid_api_key"}}"#,
            FailureKind::Key,
        ),
        (
            "400 Bad Request",
            r#"{"error":{"message":"too long","code":"context_length_exceeded"}}"#,
            FailureKind::ContextLength,
        ),
        (
            "404 Not Found",
            r#"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#,
            FailureKind::NoSuchModel,
        ),
        (
            "402 Payment Required",
            r#"{"error":{"message":"Insufficient Balance"}}"#,
            FailureKind::Quota,
        ),
        (
            "400 Bad Request",
            r#"{"error":{"message":"bad role"}}"#,
            FailureKind::Refused,
        ),
        ("301 Moved", "", FailureKind::Malformed),
    ] {
        let server = Server::answering(vec![whole(status, "location: https://elsewhere/\r\n", body)]).await;
        let (reply, _) = ask(&model(&server)).await;
        let failure = reply.expect_err("a failure");
        assert_eq!(failure.kind, expected, "{failure:?}");
        assert!(
            failure.detail.to_string().starts_with(&status[..3]),
            "{}",
            failure.detail
        );
        assert!(
            !failure.detail.to_string().contains("secret"),
            "{}",
            failure.detail
        );
        assert_eq!(server.asked().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_stream_cut_before_its_first_word_is_asked_for_again() {
    let cut_head = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    let cut_event = vec![
        head("200 OK", ""),
        Act::Send(b": keep-alive\n\ndata: {\"choices\":[{\"del".to_vec()),
    ];
    let server = Server::answering(vec![Vec::new(), cut_head, cut_event, hello()]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
}

#[tokio::test]
async fn a_stream_cut_after_its_first_word_is_asked_for_again_and_its_words_taken_back() {
    for script in [
        events(&[&text("hel")]),
        vec![
            head("200 OK", "transfer-encoding: chunked\r\n"),
            Act::Send(format!("{:x}\r\ndata: {}\n\n\r\n", text("h").len() + 8, text("h")).into_bytes()),
        ],
    ] {
        let server = Server::answering(vec![script, hello()]).await;
        let (reply, seen) = ask(&model(&server)).await;
        assert_eq!(reply.expect("an answer").text, "hello");
        let said = without_waits(&seen);
        assert_eq!((said[1], server.asked().len()), (&ModelDelta::Retracted, 2));
        let after = seen.split(|delta| *delta == ModelDelta::Retracted).next_back();
        assert!(after.is_some_and(|deltas| !deltas.is_empty()), "{seen:?}");
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_every_time_is_reported() {
    let cut = || events(&[&text("hel")]);
    let server = Server::answering(vec![cut(), cut(), cut(), cut()]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!((kind(reply), server.asked().len()), (FailureKind::Cut, 4));
}

#[tokio::test]
async fn a_server_that_fails_is_not_called_busy() {
    let scripts = (0..4).map(|_| whole("500 Oops", "", "")).collect();
    let server = Server::answering(scripts).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(kind(reply), FailureKind::ServerError);
}

#[tokio::test]
async fn a_refused_field_is_left_out_the_next_time() {
    let refused = whole(
        "400 Bad Request",
        "",
        r#"{"error":{"message":"Unsupported parameter: 'max_completion_tokens'"}}"#,
    );
    let unknown = whole(
        "400 Bad Request",
        "",
        r#"{"error":{"message":"stream_options: extra fields not permitted"}}"#,
    );
    let server = Server::answering(vec![refused, unknown, hello()]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    let body = &server.asked()[2].body;
    assert!(
        body.contains("\"max_tokens\":100")
            && !body.contains("max_completion")
            && !body.contains("stream_options"),
        "{body}"
    );
}
