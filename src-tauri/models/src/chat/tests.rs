//! The whole client over real HTTP, against a server that says exactly the bytes it was told to.

mod broken;
mod formats;
mod sampling;
pub(crate) mod server;
mod turns;

use super::*;
use crate::openai::OpenAi;
use secrecy::SecretString;
use server::{Act, DONE, STOP, Server, USAGE, events, head, text, whole};
use shidi_protocol::{Brief, Finish, Message, ModelRole, RunId, Speaker};
use std::time::Instant;

fn request() -> ModelRequest {
    ModelRequest {
        run: RunId::from("r"),
        role: ModelRole::General,
        messages: vec![Message::text(Speaker::User, "hello")],
        tools: Vec::new(),
        max_output_tokens: 100,
        completion: None,
        parts: Vec::new(),
        brief: Brief::default(),
    }
}

/// Short waits, so that tests are quick.
fn hurried() -> Patience {
    Patience {
        idle_ms: 400,
        eventless_ms: 700,
        tail_ms: 100,
        pause_ms: 1,
        pause_max_ms: 2,
        ..Patience::default()
    }
}

fn chat(endpoint: Endpoint) -> Result<Chat, ModelFailure> {
    let wire = Box::new(OpenAi::of(&endpoint.provider));
    Chat::new(endpoint, wire, hurried(), None, &Http::default())
}

fn model(server: &Server) -> Chat {
    let endpoint = Endpoint {
        provider: "openai".into(),
        base_url: server.base_url.clone(),
        model: "m".into(),
        key: Some(SecretString::from("sk-very-secret")),
    };
    chat(endpoint).expect("a model")
}

type Asked = (Result<ModelReply, ModelFailure>, Vec<ModelDelta>);

async fn ask(model: &dyn Model) -> Asked {
    let mut seen = Vec::new();
    let reply = model
        .ask(
            &request(),
            &mut |delta| seen.push(delta),
            &CancellationToken::new(),
        )
        .await;
    (reply, seen)
}

fn hello() -> Vec<Act> {
    events(&[&text("hel"), &text("lo"), STOP, USAGE, DONE])
}

fn kind(reply: Result<ModelReply, ModelFailure>) -> FailureKind {
    reply.expect_err("a failure").kind
}

#[tokio::test]
async fn an_answer_streams_and_its_request_is_exact() {
    let server = Server::answering(vec![hello()]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let reply = reply.expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.finish, reply.model.as_str()),
        ("hello", Finish::Stop, "m-1")
    );
    assert_eq!(
        (reply.usage.input, reply.usage.output, reply.usage.cost),
        (10, 2, None)
    );
    assert_eq!(
        seen,
        [ModelDelta::Text("hel".into()), ModelDelta::Text("lo".into())]
    );
    let asked = server.asked();
    assert_eq!(asked[0].line, "POST /v1/chat/completions HTTP/1.1");
    assert!(
        asked[0].headers.contains("authorization: bearer sk-very-secret"),
        "{}",
        asked[0].headers
    );
    assert_eq!(
        asked[0].body,
        r#"{"model":"m","messages":[{"role":"user","content":"hello"}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":100}"#
    );
}

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

/// A chunk of a server that reads the prompt.
fn read(processed: u32) -> String {
    format!(
        r#"{{"choices":[{{"index":0,"delta":{{"role":"assistant","content":null}},"finish_reason":null}}],"prompt_progress":{{"total":100,"cache":0,"processed":{processed},"time_ms":1}}}}"#
    )
}

#[tokio::test]
async fn a_prompt_that_is_still_read_is_no_silence() {
    let event = |data: &str| Act::Send(format!("data: {data}\n\n").into_bytes());
    let slow = vec![
        head("200 OK", "content-type: text/event-stream\r\n"),
        event(&read(0)),
        Act::Pause(600), // longer than the idle timeout, and than the time without an event after one more
        event(&read(60)),
        Act::Pause(600),
        event(&text("hello")),
        event(STOP),
        event(DONE),
    ];
    let server = Server::answering(vec![slow]).await;
    let endpoint = Endpoint {
        provider: "llamacpp".into(),
        base_url: server.base_url.clone(),
        model: "m".into(),
        key: None,
    };
    let wire = Box::new(OpenAi::of("llamacpp").with_progress());
    let model = Chat::new(endpoint, wire, hurried(), None, &Http::default()).expect("a model");
    let (reply, seen) = ask(&model).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    let reads = |read| ModelDelta::Awaits(Some(Wait::Prompt { read, total: 100 }));
    assert_eq!(seen, [reads(0), reads(60), ModelDelta::Text("hello".into())]);
    assert!(server.asked()[0].body.contains(r#""return_progress":true"#));
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
        (failure.kind, failure.detail.as_str()),
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
        (failure.kind, failure.detail.as_str()),
        (FailureKind::Overloaded, "503: an HTML page, no")
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
        assert!(failure.detail.starts_with(&status[..3]), "{}", failure.detail);
        assert!(!failure.detail.contains("secret"), "{}", failure.detail);
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

/// Without what was told of pauses.
fn without_waits(seen: &[ModelDelta]) -> Vec<&ModelDelta> {
    let is_wait = |delta: &&ModelDelta| matches!(delta, ModelDelta::Awaits(_));
    seen.iter().filter(|delta| !is_wait(delta)).collect()
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
async fn who_is_not_there_is_told_in_words_by_the_address_of_an_own_server() {
    let endpoint = Endpoint {
        provider: "custom".into(),
        base_url: "http://127.0.0.1:9/v1".into(),
        model: "m".into(),
        key: None,
    };
    let (reply, _) = ask(&chat(endpoint).expect("a model")).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(failure.provider_title.as_deref(), Some("127.0.0.1:9"));
    assert_eq!(failure.detail, "no server listens there");
    assert_eq!(failure.detail_in("zh"), "那里没有服务在听");
}

#[tokio::test]
async fn silence_ends_after_the_idle_timeout() {
    let silent_head = vec![Act::Hang];
    let mut silent_stream = events(&[&text("hel")]);
    silent_stream.push(Act::Hang);
    for script in [silent_head, silent_stream] {
        let server = Server::answering(vec![script]).await;
        let (reply, _) = ask(&model(&server)).await;
        let failure = reply.expect_err("a failure");
        assert_eq!(
            (failure.kind, failure.detail.as_str()),
            (FailureKind::Timeout, "nothing came for 0.4 s")
        );
        server.hung_up().await;
    }
}

#[tokio::test]
async fn comments_keep_a_stream_alive_only_so_long() {
    let mut script = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    for _ in 0..40 {
        script.extend([Act::Send(b": still at it\n\n".to_vec()), Act::Pause(50)]);
    }
    let server = Server::answering(vec![script]).await;
    let started = Instant::now();
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(kind(reply), FailureKind::Timeout);
    let waited = started.elapsed();
    assert!(
        waited >= Duration::from_millis(700) && waited < Duration::from_millis(1500),
        "{waited:?}"
    );
}

#[tokio::test]
async fn slow_pieces_are_no_silence() {
    let mut script = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    for byte in format!("data: {}\n\ndata: {STOP}\n\n", text("hello")).bytes() {
        script.extend([Act::Send(vec![byte]), Act::Pause(2)]);
    }
    let server = Server::answering(vec![script]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
}

#[tokio::test]
async fn a_complete_answer_does_not_wait_for_a_server_that_forgets_to_close() {
    let mut script = events(&[&text("hello"), STOP]);
    script.push(Act::Hang);
    let server = Server::answering(vec![script]).await;
    let started = Instant::now();
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    assert!(
        started.elapsed() < Duration::from_millis(350),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn cancelling_closes_the_connection_within_100_ms() {
    let mut script = events(&[&text("hel")]);
    script.push(Act::Hang);
    let server = Server::answering(vec![script]).await;
    let model = model(&server);
    let cancel = CancellationToken::new();
    let trigger = cancel.clone();
    let mut cancelled_at = None;
    let mut on_delta = |_| {
        trigger.cancel();
        cancelled_at = Some(Instant::now());
    };
    let reply = model.ask(&request(), &mut on_delta, &cancel).await;
    assert_eq!(kind(reply), FailureKind::Cancelled);
    server.hung_up().await;
    let took = cancelled_at.expect("a first word").elapsed();
    assert!(took < Duration::from_millis(100), "{took:?}");
}

#[tokio::test]
async fn an_error_object_in_the_stream_is_heard() {
    let overloaded = r#"{"error":{"message":"Overloaded","code":529}}"#;
    let server = Server::answering(vec![events(&[overloaded]), hello()]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");

    let late = || events(&[&text("hel"), overloaded]);
    let server = Server::answering(vec![late(), late(), late(), late()]).await;
    let (reply, _) = ask(&model(&server)).await;
    let failure = reply.expect_err("a failure");
    assert_eq!(
        (failure.kind, failure.detail.as_str()),
        (FailureKind::Overloaded, "error in the stream: 529: Overloaded")
    );

    let named = vec![
        head("200 OK", ""),
        Act::Send(b"event: error\ndata: something broke\n\n".to_vec()),
    ];
    let server = Server::answering(vec![named]).await;
    assert_eq!(kind(ask(&model(&server)).await.0), FailureKind::Malformed);
}

#[tokio::test]
async fn an_answer_that_comes_at_once_is_an_answer() {
    let body = r#"{"model":"m-1","choices":[{"message":{"role":"assistant","content":"hello","reasoning":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#;
    let server = Server::answering(vec![whole("200 OK", "content-type: application/json\r\n", body)]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let reply = reply.expect("an answer");
    assert_eq!(
        (reply.text.as_str(), reply.reasoning.as_str(), reply.usage.input),
        ("hello", "hm", 3)
    );
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn what_is_not_the_protocol_is_called_so() {
    for body in [
        "<!doctype html><title>Welcome</title>",
        "{\"hello\":1}",
        "[]",
        "data: nonsense\n\n",
        "just words\n\n",
    ] {
        let server = Server::answering(vec![
            whole("200 OK", "", body),
            whole("200 OK", "", body),
            whole("200 OK", "", body),
            whole("200 OK", "", body),
        ])
        .await;
        let failure = ask(&model(&server)).await.0.expect_err("a failure");
        let expected = if body.starts_with("just") {
            FailureKind::Cut
        } else {
            FailureKind::Malformed
        };
        assert_eq!(failure.kind, expected, "{body}: {failure:?}");
    }
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

#[tokio::test]
async fn malformed_arguments_arrive_as_they_were_sent() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"python","arguments":"{\"code\": \"pri"}}]}}]}"#;
    let end = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let server = Server::answering(vec![events(&[call, end, DONE])]).await;
    let (reply, seen) = ask(&model(&server)).await;
    let reply = reply.expect("an answer");
    assert_eq!(
        (reply.tool_calls[0].arguments.as_str(), reply.finish),
        ("{\"code\": \"pri", Finish::ToolCalls)
    );
    assert_eq!(seen.len(), 1);
}

#[tokio::test]
async fn nobody_listening_is_said_soon() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    drop(listener);
    let endpoint = Endpoint {
        provider: "ollama".into(),
        base_url,
        model: "m".into(),
        key: None,
    };
    let model = chat(endpoint).expect("a model");
    let failure = ask(&model).await.0.expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Unreachable);
    assert_eq!(failure.detail, "no server listens there");
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
    };
    let (http, wire) = (Http::default(), OpenAi::of("custom"));
    let fetched = async || fetch(&endpoint, &wire, "/models", 300, &http).await;
    assert_eq!(fetched().await.expect("a list")["data"][1]["id"], "b");
    let asked = server.asked();
    assert_eq!(asked[0].line, "GET /v1/models HTTP/1.1");
    assert!(asked[0].headers.contains("bearer k-123456"));
    assert_eq!(fetched().await.expect_err("a failure").kind, FailureKind::Key);
    let malformed = fetched().await.expect_err("a failure");
    assert_eq!(malformed.kind, FailureKind::Malformed);
    assert!(!malformed.detail.contains("k-123456"), "{}", malformed.detail);
    assert_eq!(fetched().await.expect_err("a failure").kind, FailureKind::Timeout);
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

/// The reply and the deltas that the bytes of a stream give when they arrive in these pieces.
fn pieces_give(wire: &dyn Wire, pieces: &[&[u8]]) -> (ModelReply, String) {
    let mut decoder = sse::SseDecoder::default();
    let mut found = Vec::new();
    for piece in pieces {
        decoder.push(piece, &mut found).expect("short events");
    }
    decoder.finish(&mut found);
    let mut answer = wire.reading(&request());
    let mut seen = String::new();
    let mut on_delta = |delta: ModelDelta| match delta {
        ModelDelta::Text(text) | ModelDelta::Reasoning(text) => seen.push_str(&text),
        ModelDelta::ToolArguments { text, .. } => seen.push_str(&text),
        ModelDelta::Retracted => seen.clear(),
        ModelDelta::Awaits(_) => {}
    };
    for event in found.iter().filter(|event| event.data != DONE) {
        answer
            .take(&serde_json::from_str(&event.data).expect("json"), &mut on_delta)
            .expect("a chunk");
    }
    let reply = answer.finish(&mut on_delta).into_reply("m", None);
    (reply, seen)
}

#[test]
fn a_whole_stream_gives_the_same_answer_wherever_it_is_cut() {
    let streams: [(&[u8], Box<dyn Wire>); 3] = [
        (
            include_bytes!("../../tests/wire/stream.txt"),
            Box::new(OpenAi::of("custom")),
        ),
        (
            include_bytes!("../../tests/wire/anthropic.txt"),
            Box::new(crate::anthropic::Anthropic::of("m")),
        ),
        (
            include_bytes!("../../tests/wire/gemini.txt"),
            Box::new(crate::gemini::Gemini::of("m")),
        ),
    ];
    for (stream, wire) in streams {
        let whole = pieces_give(&*wire, &[stream]);
        assert_eq!(whole.0.text, "我来算：😀 done");
        assert_eq!(whole.0.reasoning, "先想一想");
        assert_eq!(whole.0.tool_calls[0].arguments, "{\"code\":\"print(1 + 1)\"}");
        assert_eq!(
            (whole.0.usage.input, whole.0.usage.cached, whole.0.usage.output),
            (120, 64, 30)
        );
        for cut in 0..stream.len() {
            let (first, second) = stream.split_at(cut);
            assert_eq!(pieces_give(&*wire, &[first, second]), whole, "cut at byte {cut}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(pieces_give(&*wire, &bytes), whole);
    }
}
