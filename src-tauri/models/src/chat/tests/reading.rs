//! Reading an answer, wherever its bytes are cut and however it is sent.

use super::*;

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
        (failure.kind, failure.detail.text(Language::SOURCE)),
        (FailureKind::Overloaded, "stream: 529: Overloaded")
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

/// The reply and deltas of a stream whose bytes arrive in `pieces`.
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
        ModelDelta::Asked { .. } | ModelDelta::Awaits(_) | ModelDelta::Timed { .. } => {}
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
            include_bytes!("../../../tests/wire/stream.txt"),
            Box::new(OpenAi::of("custom")),
        ),
        (
            include_bytes!("../../../tests/wire/anthropic.txt"),
            Box::new(crate::anthropic::Anthropic::of("m")),
        ),
        (
            include_bytes!("../../../tests/wire/gemini.txt"),
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
