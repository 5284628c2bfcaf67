//! The whole client over real HTTP, against a server that sends exactly the scripted bytes.

mod broken;
mod formats;
mod reaching;
mod reading;
mod retrying;
mod sampling;
pub(crate) mod server;
mod silence;
mod turns;

use super::*;
use crate::openai::OpenAi;
use secrecy::SecretString;
use server::{Act, DONE, STOP, Server, USAGE, events, head, text, whole};
use shidi_locales::Language;
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

/// Short pauses, so that tests are quick. Silence is borne for long: a busy machine is silent for a moment, too.
fn hurried() -> Timeouts {
    Timeouts {
        idle_ms: 20_000,
        eventless_ms: 20_000,
        tail_ms: 100,
        pause_ms: 1,
        pause_max_ms: 2,
        loading_pause_ms: 10,
        loading_ms: 200,
        ..Timeouts::default()
    }
}

/// Gives a silent server up soon, and yet leaves a busy machine the time for its first word.
fn impatient() -> Timeouts {
    Timeouts {
        idle_ms: 1_500,
        ..hurried()
    }
}

fn chat(endpoint: Endpoint) -> Result<Chat, ModelFailure> {
    chat_with(endpoint, hurried())
}

fn chat_with(endpoint: Endpoint, patience: Timeouts) -> Result<Chat, ModelFailure> {
    let wire = Box::new(OpenAi::of(&endpoint.provider));
    Chat::new(endpoint, wire, patience, None, &Http::default())
}

fn model(server: &Server) -> Chat {
    model_with(server, hurried())
}

fn model_with(server: &Server, patience: Timeouts) -> Chat {
    let endpoint = Endpoint {
        provider: "openai".into(),
        base_url: server.base_url.clone(),
        model: "m".into(),
        key: Some(SecretString::from("sk-very-secret")),
        socket: None,
    };
    chat_with(endpoint, patience).expect("a model")
}

type Exchange = (Result<ModelReply, ModelFailure>, Vec<ModelDelta>);

async fn ask(model: &dyn Model) -> Exchange {
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

/// The promised time between a cancelled answer and its closed connection.
const CANCELLED_WITHIN: Duration = Duration::from_millis(100);

/// Of so many attempts one keeps a promised time: other work on the machine spoils some, a fault all.
const ATTEMPTS: usize = 5;

/// How long the connection stays open once an answer was cancelled whose first word had come.
async fn time_to_cancel(model: &dyn Model, server: &Server) -> Duration {
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
    cancelled_at.expect("a first word").elapsed()
}

fn hello() -> Vec<Act> {
    events(&[&text("hel"), &text("lo"), STOP, USAGE, DONE])
}

fn kind(reply: Result<ModelReply, ModelFailure>) -> FailureKind {
    reply.expect_err("a failure").kind
}

/// The deltas without any about pauses.
fn without_waits(seen: &[ModelDelta]) -> Vec<&ModelDelta> {
    let is_wait = |delta: &&ModelDelta| matches!(delta, ModelDelta::Awaits(_));
    seen.iter().filter(|delta| !is_wait(delta)).collect()
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
