//! Anthropic's and Gemini's formats over real HTTP: the requests, the answers, and the ways in which both can
//! go wrong.

use super::server::{Act, Server, head, whole};
use super::{
    ATTEMPTS, CANCELLED_WITHIN, ask, hurried, impatient, kind, request, time_to_cancel, without_waits,
};
use crate::Price;
use crate::anthropic::Anthropic;
use crate::chat::{Chat, Endpoint, Http, Timeouts, Wire};
use crate::gemini::Gemini;
use crate::prices::PriceTable;
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};
use shidi_protocol::{FailureKind, Finish, ModelDelta};
use std::time::{Duration, Instant};

/// A provider as these tests see it.
struct Format {
    name: &'static str,
    model: &'static str,
    wire: fn() -> Box<dyn Wire>,
    line: &'static str,
    key: &'static str,
    stream: &'static str,
    /// The first word of an answer, as an event.
    word: &'static str,
    /// An error within a stream.
    overloaded: &'static str,
}

const FORMATS: &[Format] = &[
    Format {
        name: "anthropic",
        model: "claude-haiku-4-5",
        wire: || Box::new(Anthropic::of("claude-haiku-4-5")),
        line: "POST /v1/messages HTTP/1.1",
        key: "x-api-key: sk-very-secret",
        stream: include_str!("../../../tests/wire/anthropic.txt"),
        word: r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hel"}}"#,
        overloaded: r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    },
    Format {
        name: "gemini",
        model: "gemini-2.5-flash",
        wire: || Box::new(Gemini::of("gemini-2.5-flash")),
        line: "POST /v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse HTTP/1.1",
        key: "x-goog-api-key: sk-very-secret",
        stream: include_str!("../../../tests/wire/gemini.txt"),
        word: r#"{"candidates":[{"content":{"parts":[{"text":"hel"}]}}]}"#,
        overloaded: r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
    },
];

impl Format {
    fn chat(&self, server: &Server) -> Chat {
        self.chat_with(server, hurried())
    }

    fn chat_with(&self, server: &Server, patience: Timeouts) -> Chat {
        let endpoint = Endpoint {
            provider: self.name.into(),
            base_url: server.base_url.clone(),
            model: self.model.into(),
            key: Some(SecretString::from("sk-very-secret")),
            socket: None,
        };
        let price: Option<Price> = PriceTable::built_in().price(self.name, self.model);
        Chat::new(endpoint, (self.wire)(), patience, price, &Http::default()).expect("a model")
    }

    fn answer(&self) -> Vec<Act> {
        vec![
            head("200 OK", "content-type: text/event-stream\r\n"),
            Act::Send(self.stream.as_bytes().to_vec()),
        ]
    }
}

fn events(data: &[&str]) -> Vec<Act> {
    super::server::events(data)
}

#[tokio::test]
async fn an_answer_streams_with_thoughts_a_call_usage_and_cost() {
    for format in FORMATS {
        let server = Server::answering(vec![format.answer()]).await;
        let (reply, seen) = ask(&format.chat(&server)).await;
        let reply = reply.expect("an answer");
        assert_eq!(
            (reply.text.as_str(), reply.reasoning.as_str(), reply.finish),
            ("我来算：😀 done", "先想一想", Finish::ToolCalls),
            "{}",
            format.name
        );
        assert_eq!(reply.tool_calls[0].name, "python");
        assert_eq!((reply.usage.input, reply.usage.cached), (120, 64));
        assert!(
            reply
                .usage
                .cost
                .is_some_and(|cost| cost > 0.000_05 && cost < 0.001),
            "{:?}",
            reply.usage
        );
        assert!(seen.len() >= 4, "{seen:?}");
        let asked = &server.asked()[0];
        assert_eq!(asked.line, format.line);
        assert!(asked.headers.contains(format.key), "{}", asked.headers);
        assert!(
            !asked.headers.contains("bearer") && !asked.line.contains("secret"),
            "{}",
            asked.headers
        );
    }
}

#[tokio::test]
async fn limited_and_overloaded_providers_are_asked_again_with_the_same_bytes() {
    let limited = [
        whole(
            "429 Too Many Requests",
            "retry-after: 1\r\n",
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#,
        ),
        whole(
            "429 Too Many Requests",
            "",
            r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}]}}"#,
        ),
    ];
    for (format, limited) in FORMATS.iter().zip(limited) {
        let overloaded = whole("529 Overloaded", "", format.overloaded);
        let server = Server::answering(vec![
            limited,
            overloaded,
            events(&[format.overloaded]),
            format.answer(),
        ])
        .await;
        let started = Instant::now();
        let (reply, _) = ask(&format.chat(&server)).await;
        assert_eq!(
            reply.expect("an answer").text,
            "我来算：😀 done",
            "{}",
            format.name
        );
        assert!(
            started.elapsed() >= Duration::from_secs(1),
            "{:?}",
            started.elapsed()
        );
        let asked = server.asked();
        assert_eq!(asked.len(), 4);
        assert!(asked.iter().all(|one| one.body == asked[0].body));
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_after_its_first_word_is_asked_for_again() {
    for format in FORMATS {
        for script in [
            events(&[format.word]),
            events(&[format.word, format.overloaded]),
            events(&[format.word, "{\"type\":"]),
        ] {
            let server = Server::answering(vec![script, format.answer()]).await;
            let (reply, seen) = ask(&format.chat(&server)).await;
            assert!(reply.is_ok(), "{}", format.name);
            assert_eq!(
                (without_waits(&seen)[1], server.asked().len()),
                (&ModelDelta::Retracted, 2),
                "{}",
                format.name
            );
        }
    }
}

#[tokio::test]
async fn nonsense_and_silence_after_the_first_word_are_told_and_not_repeated() {
    for format in FORMATS {
        let mut silent = events(&[format.word]);
        silent.push(Act::Hang);
        for (script, expected) in [
            (events(&[format.word, "nonsense"]), FailureKind::Malformed),
            (silent, FailureKind::Timeout),
        ] {
            let server = Server::answering(vec![script, format.answer()]).await;
            let (reply, seen) = ask(&format.chat_with(&server, impatient())).await;
            assert_eq!(kind(reply), expected, "{}", format.name);
            assert_eq!((seen.len(), server.asked().len()), (1, 1), "{}", format.name);
        }
    }
}

#[tokio::test]
async fn what_the_user_must_mend_is_told_once_and_without_the_key() {
    let refusals = [
        (
            0,
            "401 Unauthorized",
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-very-secret"}}"#,
            FailureKind::Key,
        ),
        (
            0,
            "400 Bad Request",
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#,
            FailureKind::ContextLength,
        ),
        (
            1,
            "400 Bad Request",
            r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key. sk-very-secret","status":"INVALID_ARGUMENT"}}"#,
            FailureKind::Key,
        ),
        (
            1,
            "400 Bad Request",
            r#"[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
            FailureKind::ContextLength,
        ),
        (0, "200 OK", "<html>hello</html>", FailureKind::Malformed),
        (1, "200 OK", "{\"hello\":1}", FailureKind::Malformed),
    ];
    for (place, status, body, expected) in refusals {
        let format = &FORMATS[place];
        let server = Server::answering(vec![whole(status, "", body)]).await;
        let failure = ask(&format.chat(&server)).await.0.expect_err("a failure");
        assert_eq!(failure.kind, expected, "{failure:?}");
        assert!(
            !failure.detail.to_string().contains("secret"),
            "{}",
            failure.detail
        );
        assert_eq!(server.asked().len(), 1, "{}", format.name);
    }
}

#[tokio::test]
async fn pings_are_no_answer() {
    let mut script = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    // For 20 s: whoever took them for an answer would wait as long.
    for _ in 0..400 {
        let ping = b"event: ping\ndata: {\"type\":\"ping\"}\n\n";
        script.extend([Act::Send(ping.to_vec()), Act::Pause(50)]);
    }
    let server = Server::answering(vec![script]).await;
    let patience = Timeouts {
        eventless_ms: 700,
        ..hurried()
    };
    let (reply, _) = ask(&FORMATS[0].chat_with(&server, patience)).await;
    assert_eq!(kind(reply), FailureKind::Timeout);
}

#[tokio::test]
async fn thoughts_that_a_model_does_not_know_are_left_out_the_next_time() {
    let refused = whole(
        "400 Bad Request",
        "",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"adaptive thinking is not supported on this model"}}"#,
    );
    let server = Server::answering(vec![refused, FORMATS[0].answer()]).await;
    let endpoint = Endpoint {
        provider: "anthropic".into(),
        base_url: server.base_url.clone(),
        model: "claude-sonnet-5-5".into(),
        key: None,
        socket: None,
    };
    let wire = Box::new(Anthropic::of("claude-sonnet-5-5"));
    let chat = Chat::new(endpoint, wire, hurried(), None, &Http::default()).expect("a model");
    ask(&chat).await.0.expect("an answer");
    let asked = server.asked();
    assert!(
        asked[0]
            .body
            .contains(r#""thinking":{"type":"adaptive","display":"summarized"}"#)
    );
    assert!(!asked[1].body.contains("thinking"));
}

#[tokio::test]
async fn cancelling_closes_the_connection_within_100_ms() {
    for format in FORMATS {
        let mut script = events(&[format.word]);
        script.push(Act::Hang);
        let mut took: Vec<Duration> = Vec::new();
        while took.len() < ATTEMPTS && took.iter().all(|one| *one >= CANCELLED_WITHIN) {
            let server = Server::answering(vec![script.clone()]).await;
            took.push(time_to_cancel(&format.chat(&server), &server).await);
        }
        assert!(
            took.iter().any(|one| *one < CANCELLED_WITHIN),
            "{}: {took:?}",
            format.name
        );
    }
}

/// Words of all formats, so that generated streams resemble real ones.
const WORDS: &[&str] = &[
    "type",
    "index",
    "delta",
    "content",
    "content_block",
    "message",
    "usage",
    "error",
    "choices",
    "candidates",
    "parts",
    "text",
    "thought",
    "functionCall",
    "args",
    "input",
    "tool_calls",
    "function",
    "arguments",
    "name",
    "id",
    "finish_reason",
    "finishReason",
    "stop_reason",
    "usageMetadata",
    "promptTokenCount",
    "input_tokens",
    "content_block_start",
    "content_block_delta",
    "message_delta",
    "tool_use",
    "input_json_delta",
    "text_delta",
    "partial_json",
    "STOP",
    "MALFORMED_FUNCTION_CALL",
    "",
];

fn nonsense() -> impl Strategy<Value = Value> {
    let word = || prop::sample::select(WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(json!(1e300)),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_events_make_a_reader_fail(events in prop::collection::vec(nonsense(), 1..6)) {
        let openai: Box<dyn Wire> = Box::new(crate::openai::OpenAi::of("custom"));
        for wire in FORMATS.iter().map(|format| (format.wire)()).chain([openai]) {
            let mut answer = wire.reading(&request());
            for event in &events {
                if answer.take(event, &mut |_| {}).is_err() {
                    break;
                }
                answer.is_answer(event);
            }
            let reply = answer.finish(&mut |_| {}).into_reply("m", None);
            prop_assert!(reply.tool_calls.iter().all(|call| !call.id.is_empty()));
        }
    }
}
