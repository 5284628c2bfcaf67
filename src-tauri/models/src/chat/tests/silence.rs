//! How long the client waits for a silent server, and which signs count as silence.

use super::*;

/// A chunk of a server that reports its reading of the prompt.
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
        Act::Pause(2_000), // longer than the idle timeout, and than the time without an event after one more
        event(&read(60)),
        Act::Pause(2_000),
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
        socket: None,
    };
    let wire = Box::new(OpenAi::of("llamacpp").with_progress());
    let patience = Timeouts {
        eventless_ms: 2_500,
        ..impatient()
    };
    let model = Chat::new(endpoint, wire, patience, None, &Http::default()).expect("a model");
    let (reply, seen) = ask(&model).await;
    assert_eq!(reply.expect("an answer").text, "hello");
    let reads = |read| ModelDelta::Awaits(Some(Wait::Prompt { read, total: 100 }));
    assert_eq!(seen, [reads(0), reads(60), ModelDelta::Text("hello".into())]);
    assert!(server.asked()[0].body.contains(r#""return_progress":true"#));
}

#[tokio::test]
async fn silence_ends_after_the_idle_timeout() {
    let silent_head = vec![Act::Hang];
    let mut silent_stream = events(&[&text("hel")]);
    silent_stream.push(Act::Hang);
    for script in [silent_head, silent_stream] {
        let server = Server::answering(vec![script]).await;
        let (reply, _) = ask(&model_with(&server, impatient())).await;
        let failure = reply.expect_err("a failure");
        assert_eq!(
            (failure.kind, failure.detail.text(Language::SOURCE)),
            (FailureKind::Timeout, "nothing came for 1.5 s")
        );
        server.hung_up().await;
    }
}

#[tokio::test]
async fn comments_keep_a_stream_alive_only_so_long() {
    let mut script = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    // For 20 s: whoever took them for an answer would wait as long.
    for _ in 0..400 {
        script.extend([Act::Send(b": still at it\n\n".to_vec()), Act::Pause(50)]);
    }
    let server = Server::answering(vec![script]).await;
    let patience = Timeouts {
        eventless_ms: 700,
        ..hurried()
    };
    let started = Instant::now();
    let (reply, _) = ask(&model_with(&server, patience)).await;
    assert_eq!(kind(reply), FailureKind::Timeout);
    let waited = started.elapsed();
    assert!(
        waited >= Duration::from_millis(700) && waited < Duration::from_secs(10),
        "{waited:?}"
    );
}

#[tokio::test]
async fn slow_pieces_are_no_silence() {
    let mut script = vec![head("200 OK", "content-type: text/event-stream\r\n")];
    let answer = format!("data: {}\n\ndata: {STOP}\n\n", text("hello"));
    for piece in answer.as_bytes().chunks(4) {
        script.extend([Act::Send(piece.to_vec()), Act::Pause(2)]);
    }
    let server = Server::answering(vec![script]).await;
    let (reply, _) = ask(&model(&server)).await;
    assert_eq!(reply.expect("an answer").text, "hello");
}

#[tokio::test]
async fn a_complete_answer_does_not_wait_for_a_server_that_forgets_to_close() {
    // A server that is silent for so long has failed: whoever waited for its end would wait as long.
    let idle = Duration::from_millis(hurried().idle_ms);
    let mut script = events(&[&text("hello"), STOP]);
    script.push(Act::Hang);
    let mut took = idle;
    for _ in 0..ATTEMPTS {
        let server = Server::answering(vec![script.clone()]).await;
        let started = Instant::now();
        let (reply, _) = ask(&model(&server)).await;
        assert_eq!(reply.expect("an answer").text, "hello");
        took = took.min(started.elapsed());
        if took < idle {
            break;
        }
    }
    assert!(took < idle, "no attempt ended before {idle:?}");
}

#[tokio::test]
async fn cancelling_closes_the_connection_within_100_ms() {
    let mut script = events(&[&text("hel")]);
    script.push(Act::Hang);
    let mut took: Vec<Duration> = Vec::new();
    while took.len() < ATTEMPTS && took.iter().all(|one| *one >= CANCELLED_WITHIN) {
        let server = Server::answering(vec![script.clone()]).await;
        took.push(time_to_cancel(&model(&server), &server).await);
    }
    assert!(took.iter().any(|one| *one < CANCELLED_WITHIN), "{took:?}");
}
