//! Vectors over real HTTP, from a server that sends exactly the scripted bytes.

use super::*;
use crate::chat::tests::server::{Act, Server, whole};
use crate::keys::KeyRing;
use crate::{ModelChoice, Models};
use secrecy::SecretString;

fn embedder(server: &Server, provider: &str, model: &str) -> Result<Embedder, ModelFailure> {
    let preset = crate::preset(provider).expect("a preset");
    let endpoint = Endpoint {
        provider: provider.to_owned(),
        base_url: server.base_url.clone(),
        model: model.to_owned(),
        key: Some(SecretString::from("sk-very-secret")),
        socket: None,
    };
    let patience = Timeouts {
        idle_ms: 3_000, // long enough for an answer on a busy machine
        pause_ms: 1,
        pause_max_ms: 2,
        ..Timeouts::default()
    };
    let wire: Box<dyn Wire> = match preset.wire {
        WireFormat::GeminiGenerate => Box::new(crate::gemini::Gemini::of(model)),
        _ => Box::new(crate::openai::OpenAi::of(provider)),
    };
    Embedder::new(endpoint, preset.wire, wire, patience, None, &Http::default())
}

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("text {number}")).collect()
}

fn ok(body: &Value) -> Vec<Act> {
    whole("200 OK", "content-type: application/json\r\n", &body.to_string())
}

async fn asked(
    server: &Server,
    provider: &str,
    model: &str,
    count: usize,
    aim: Aim,
) -> Result<Embedded, ModelFailure> {
    let embedder = embedder(server, provider, model)?;
    embedder
        .embed(&texts(count), aim, &CancellationToken::new())
        .await
}

/// Vectors whose first number is their index.
fn numbered(from: usize, count: usize) -> Value {
    let data: Vec<Value> = (0..count)
        .map(|index| json!({"index": index, "embedding": [from + index, 1.0]}))
        .collect();
    json!({"data": data, "usage": {"prompt_tokens": 7, "total_tokens": 7}})
}

#[tokio::test]
async fn many_texts_go_in_requests_of_ten_and_their_vectors_come_back_in_order() {
    let mut first = numbered(0, 10);
    first["data"].as_array_mut().expect("a list").reverse();
    let server = Server::answering(vec![ok(&first), ok(&numbered(10, 2))]).await;
    let embedded = asked(&server, "openai", "text-embedding-3-small", 12, Aim::Document)
        .await
        .expect("vectors");
    let order: Vec<f32> = embedded.vectors.iter().map(|vector| vector[0]).collect();
    assert_eq!(order, (0_u8..12).map(f32::from).collect::<Vec<_>>());
    assert_eq!((embedded.usage.input, embedded.usage.model_calls), (14, 2));
    let requests = server.asked();
    assert!(
        requests[0].line.starts_with("POST /v1/embeddings "),
        "{}",
        requests[0].line
    );
    assert!(
        requests[0]
            .headers
            .contains("authorization: bearer sk-very-secret")
    );
    let body: Value = serde_json::from_str(&requests[1].body).expect("JSON");
    let expected = json!({"model": "text-embedding-3-small", "input": ["text 10", "text 11"], "encoding_format": "float"});
    assert_eq!(body, expected);
}

#[tokio::test]
async fn gemini_is_told_what_the_vectors_are_for() {
    let server = Server::answering(vec![ok(&json!({"embeddings": [{"values": [0.5, 1]}]}))]).await;
    let embedded = asked(&server, "gemini", "models/gemini-embedding-001", 1, Aim::Query)
        .await
        .expect("a vector");
    assert_eq!(embedded.vectors, [[0.5, 1.0]]);
    assert_eq!(embedded.usage.input, 2, "guessed: Gemini counts none");
    let request = &server.asked()[0];
    assert!(
        request
            .line
            .contains("/v1beta/models/gemini-embedding-001:batchEmbedContents "),
        "{}",
        request.line
    );
    let body: Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["requests"][0]["taskType"], "RETRIEVAL_QUERY");
    assert_eq!(body["requests"][0]["model"], "models/gemini-embedding-001");
}

#[test]
fn a_model_that_was_trained_to_see_a_word_before_the_text_sees_it() {
    assert_eq!(lead("intfloat/multilingual-e5-small", Aim::Query), "query: ");
    assert_eq!(
        lead("nomic-embed-text:latest", Aim::Document),
        "search_document: "
    );
    assert_eq!(lead("bge-m3", Aim::Query), "");
    assert_eq!(lead("multilingual-e5-large-instruct", Aim::Query), "");
}

#[tokio::test]
async fn a_busy_server_is_asked_again_and_a_refusing_one_is_not() {
    let busy = || {
        whole(
            "503 Service Unavailable",
            "",
            "{\"error\":{\"message\":\"loading\"}}",
        )
    };
    let server = Server::answering(vec![busy(), busy(), ok(&numbered(0, 1))]).await;
    assert!(asked(&server, "vllm", "bge-m3", 1, Aim::Query).await.is_ok());
    assert_eq!(server.asked().len(), 3);
    let refused = whole(
        "401 Unauthorized",
        "",
        "{\"error\":{\"message\":\"bad key sk-very-secret\"}}",
    );
    let server = Server::answering(vec![refused]).await;
    let failure = asked(&server, "openai", "m", 1, Aim::Query)
        .await
        .expect_err("a failure");
    assert_eq!(failure.kind, FailureKind::Key);
    assert!(
        !failure.detail.to_string().contains("very-secret"),
        "{}",
        failure.detail
    );
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn answers_that_are_no_vectors_of_the_texts_are_refused() {
    let one = |vector: Value| json!({"data": [{"index": 0, "embedding": vector}]});
    for answer in [
        json!({"object": "list"}),
        json!({"data": []}),
        one(json!([])),
        one(json!(["a"])),
        one(json!([0, 0.0])),
        one(json!([1e300, 1])),
        one(json!("AACAPw==")),
        json!({"data": [{"index": 5, "embedding": [1]}]}),
    ] {
        let server = Server::answering(vec![ok(&answer)]).await;
        let failure = asked(&server, "vllm", "m", 1, Aim::Query)
            .await
            .expect_err("no vectors");
        assert_eq!(failure.kind, FailureKind::Malformed, "{answer}");
    }
    let uneven = json!({"data": [{"embedding": [1, 2]}, {"embedding": [1]}]});
    let server = Server::answering(vec![ok(&uneven)]).await;
    assert!(asked(&server, "vllm", "m", 2, Aim::Query).await.is_err());
    let server = Server::answering(vec![whole("200 OK", "", "<html>")]).await;
    let failure = asked(&server, "vllm", "m", 1, Aim::Query)
        .await
        .expect_err("no JSON");
    assert!(
        failure.detail.to_string().contains("<html>"),
        "{}",
        failure.detail
    );
}

#[tokio::test]
async fn a_silent_server_is_given_up_and_a_cancelled_question_ends() {
    let server = Server::answering(vec![vec![Act::Hang]]).await;
    let failure = asked(&server, "vllm", "m", 1, Aim::Query)
        .await
        .expect_err("silence");
    assert_eq!(failure.kind, FailureKind::Timeout);
    let server = Server::answering(vec![vec![Act::Hang]]).await;
    let embedder = embedder(&server, "vllm", "m").expect("an embedder");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let failure = embedder
        .embed(&texts(1), Aim::Query, &cancel)
        .await
        .expect_err("cancelled");
    assert_eq!(failure.kind, FailureKind::Cancelled);
}

#[tokio::test]
async fn who_has_no_such_models_or_names_none_says_so() {
    let models = Models::new(KeyRing::new());
    for (provider, model) in [("ollama", None), ("ollama", Some(" "))] {
        let choice = ModelChoice {
            provider: Some(provider.into()),
            base_url: None,
            model: model.map(str::to_owned),
        };
        let failure = models.open_embedder(&choice).await.err().expect("no model");
        assert_eq!(failure.kind, FailureKind::NoSuchModel);
    }
}
