//! Which model answers when the first can't, and the effect of the user's limits.

use super::server::{Server, whole};
use super::{hello, hurried, request};
use crate::failure::LimitReached;
use crate::keys::KeyRing;
use crate::{Ledger, Model, ModelChoice, ModelSettings, Models, Routed, Routing};
use parking_lot::Mutex;
use shidi_protocol::{FailureKind, ModelRequest, ModelRole, Part, Usage};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

#[derive(Default)]
struct Book {
    lines: Mutex<Vec<(String, String, ModelRole)>>,
    full: bool,
}

impl Ledger for Book {
    fn may_ask(&self) -> Result<(), LimitReached> {
        if self.full {
            return Err(LimitReached::Tokens { used: 10, limit: 10 });
        }
        Ok(())
    }

    fn note(&self, provider: &str, model: &str, role: ModelRole, _usage: &Usage) {
        let line = (provider.to_owned(), model.to_owned(), role);
        self.lines.lock().push(line);
    }
}

fn at(server: &Server, model: &str) -> ModelChoice {
    ModelChoice {
        provider: None,
        base_url: Some(server.base_url.clone()),
        model: Some(model.to_owned()),
    }
}

fn nowhere() -> ModelChoice {
    ModelChoice {
        provider: Some("custom".into()),
        base_url: Some("http://127.0.0.1:9/v1".into()),
        model: Some("m".into()),
    }
}

async fn routed(routing: Routing, book: &Arc<Book>) -> Routed {
    let settings = ModelSettings {
        patience: hurried(),
        ..ModelSettings::built_in()
    };
    let models = Arc::new(Models::with(KeyRing::new(), settings));
    Routed::open(models, routing, Arc::clone(book) as Arc<dyn Ledger>)
        .await
        .expect("a model")
}

async fn ask(model: &Routed, request: &ModelRequest) -> Result<String, FailureKind> {
    let reply = model.ask(request, &mut |_| {}, &CancellationToken::new()).await;
    reply.map(|reply| reply.text).map_err(|failure| failure.kind)
}

#[tokio::test]
async fn a_stand_in_answers_when_nobody_listens_and_the_ledger_knows_who() {
    let server = Server::answering(vec![hello()]).await;
    let book = Arc::new(Book::default());
    let routing = Routing {
        main: nowhere(),
        roles: Vec::new(),
        stand_ins: vec![at(&server, "second")],
        ..Routing::default()
    };
    let model = routed(routing, &book).await;
    assert_eq!(ask(&model, &request()).await, Ok("hello".into()));
    assert_eq!(
        *book.lines.lock(),
        [("custom".into(), "second".into(), ModelRole::General)]
    );
}

#[tokio::test]
async fn a_rejected_key_is_told_and_not_gone_around() {
    let refused = whole(
        "401 Unauthorized",
        "",
        r#"{"error":{"message":"Incorrect API key"}}"#,
    );
    let server = Server::answering(vec![refused]).await;
    let other = Server::answering(vec![hello()]).await;
    let routing = Routing {
        main: at(&server, "m"),
        roles: Vec::new(),
        stand_ins: vec![at(&other, "second")],
        ..Routing::default()
    };
    let model = routed(routing, &Arc::new(Book::default())).await;
    assert_eq!(ask(&model, &request()).await, Err(FailureKind::Key));
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn when_all_fail_the_first_reason_is_told() {
    let routing = Routing {
        main: nowhere(),
        roles: Vec::new(),
        stand_ins: vec![ModelChoice {
            provider: Some("no-such-provider".into()),
            ..ModelChoice::default()
        }],
        ..Routing::default()
    };
    let model = routed(routing, &Arc::new(Book::default())).await;
    assert_eq!(ask(&model, &request()).await, Err(FailureKind::Unreachable));
}

#[tokio::test]
async fn each_role_has_its_model_and_pictures_go_to_eyes() {
    let main = Server::answering(vec![hello()]).await;
    let fast = Server::answering(vec![hello()]).await;
    let eyes = Server::answering(vec![hello()]).await;
    let routing = Routing {
        main: at(&main, "deepseek-v4-pro"),
        roles: vec![
            (ModelRole::Fast, at(&fast, "small")),
            (ModelRole::Vision, at(&eyes, "seeing")),
        ],
        stand_ins: Vec::new(),
        ..Routing::default()
    };
    let model = routed(routing, &Arc::new(Book::default())).await;
    let quick = ModelRequest {
        role: ModelRole::Fast,
        ..request()
    };
    let mut look = request();
    look.messages[0].parts.push(Part::Image {
        media_type: "image/png".into(),
        data: "AAAA".into(),
    });
    for wanted in [&request(), &quick, &look] {
        assert_eq!(ask(&model, wanted).await, Ok("hello".into()));
    }
    assert!(main.asked()[0].body.contains("deepseek-v4-pro"));
    assert!(fast.asked()[0].body.contains("\"small\""));
    assert!(eyes.asked()[0].body.contains("image_url"));
    assert_eq!(model.profile().vision, Some(true));
}

#[tokio::test]
async fn a_reached_limit_asks_nobody() {
    let server = Server::answering(vec![hello()]).await;
    let book = Arc::new(Book {
        full: true,
        ..Book::default()
    });
    let routing = Routing {
        main: at(&server, "m"),
        ..Routing::default()
    };
    let model = routed(routing, &book).await;
    assert_eq!(ask(&model, &request()).await, Err(FailureKind::Budget));
    assert!(server.asked().is_empty());
}

#[test]
fn a_choice_beside_another_names_a_model_or_a_provider_too() {
    let main = ModelChoice {
        provider: Some("ollama".into()),
        base_url: Some("http://127.0.0.1:5/v1".into()),
        model: Some("big".into()),
    };
    let small = main.beside("qwen3:8b");
    assert_eq!(
        (small.provider.as_deref(), small.model.as_deref()),
        (Some("ollama"), Some("qwen3:8b"))
    );
    let own = main.beside("ollama:qwen3:8b");
    assert_eq!(
        (own.base_url.as_deref(), own.model.as_deref()),
        (Some("http://127.0.0.1:5/v1"), Some("qwen3:8b"))
    );
    let other = main.beside("deepseek:");
    assert_eq!(
        (other.provider.as_deref(), other.base_url, other.model),
        (Some("deepseek"), None, None)
    );
}

#[test]
fn a_choice_beside_another_can_name_an_address_of_its_own() {
    let main = ModelChoice {
        provider: Some("ollama".to_owned()),
        base_url: Some("http://10.0.0.2:11434/v1".to_owned()),
        model: Some("qwen3".to_owned()),
    };
    let told = |text: &str| {
        let ModelChoice {
            provider,
            base_url,
            model,
        } = main.beside(text);
        [provider, base_url, model].map(Option::unwrap_or_default)
    };
    assert_eq!(
        told("qwen3@http://localhost:8000/v1"),
        ["", "http://localhost:8000/v1", "qwen3"]
    );
    assert_eq!(
        told("anthropic:claude-haiku-4-5@https://gateway.example.org/v1"),
        ["anthropic", "https://gateway.example.org/v1", "claude-haiku-4-5"]
    );
    assert_eq!(
        told("@cf/meta/llama@http://localhost:8000/v1"),
        ["", "http://localhost:8000/v1", "@cf/meta/llama"]
    );
    assert_eq!(
        told("@http://localhost:8000/v1"),
        ["", "http://localhost:8000/v1", ""]
    );
    // A model's name may hold an `@` itself.
    assert_eq!(
        told("@cf/meta/llama"),
        ["ollama", "http://10.0.0.2:11434/v1", "@cf/meta/llama"]
    );
}
