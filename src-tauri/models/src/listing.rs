//! Which models a provider offers, as the provider itself says, and which servers run on this machine.
//!
//! Providers' lists hold more than chat models. Few providers tell a model's purpose, so other models are
//! recognised by name and left out.

use crate::chat::{Endpoint, Http, LIST_MS, Wire, fetch};
use crate::failure::own_failure;
use crate::presets::{KeyNeed, Preset, WireFormat};
use serde_json::Value;
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelFailure};
use std::sync::Arc;
use tokio::task::JoinSet;

/// Milliseconds that a server on this machine may take to answer. A person waits, and a running server answers
/// within a few.
const PROBE_MS: u64 = 1_000;
/// Most models of one list; OpenRouter has about 500.
const LISTED_MAX: usize = 2_000;
/// Longest name of a model, in characters.
const NAME_CHARS_MAX: usize = 200;
/// Where llama.cpp's server listens by itself since August 2026; earlier ones at their preset's port.
const NEWER_LLAMA: &str = "http://127.0.0.1:9931/v1";
/// Words in the names of models that don't chat.
const OTHER_TRADES: &[&str] = &[
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "moderation",
    "rerank",
    "transcribe",
    "realtime",
    "sora-",
    "imagen",
    "veo-",
    "gpt-image",
    "cogview",
    "cogvideo",
    "bge-",
    "wanx",
    "paraformer",
    "cosyvoice",
    "babbage",
    "davinci",
    "stable-diffusion",
    "flux",
    "aqa",
];

/// A model of a provider's list, with the list's facts about the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listed {
    pub id: String,
    /// In tokens.
    pub window: Option<u32>,
    pub vision: Option<bool>,
    pub tools: Option<bool>,
    /// In US dollars per million tokens, input and output.
    pub price: Option<(f64, f64)>,
}

/// A model server that runs on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundServer {
    pub provider: &'static str,
    pub title: &'static str,
    pub url: String,
    pub models: Vec<String>,
}

/// Asks a provider for its models, in the order in which it lists them.
pub(crate) async fn list(
    preset: &Preset,
    endpoint: &Endpoint,
    wire: &dyn Wire,
    http: &Http,
    patience_ms: u64,
) -> Result<Vec<Listed>, ModelFailure> {
    let (path, endpoint) = match preset.wire {
        WireFormat::AnthropicMessages => ("/v1/models?limit=1000", endpoint.clone()),
        WireFormat::GeminiGenerate => ("/v1beta/models?pageSize=1000", endpoint.clone()),
        WireFormat::OpenAiChat if preset.name == "ollama" => {
            let base = endpoint.base_url.trim().trim_end_matches('/');
            let base_url = base.strip_suffix("/v1").unwrap_or(base).to_owned();
            (
                "/api/tags",
                Endpoint {
                    base_url,
                    ..endpoint.clone()
                },
            )
        }
        WireFormat::OpenAiChat => ("/models", endpoint.clone()),
    };
    let answer = fetch(&endpoint, wire, path, patience_ms, http)
        .await
        .map_err(|failure| endpoint.named(failure))?;
    read(&answer)
        .ok_or_else(|| own_failure(FailureKind::Malformed, &endpoint.provider, Sentences::not_models))
}

/// Requests a resource that needs the key.
pub(crate) async fn check_key(
    endpoint: &Endpoint,
    wire: &dyn Wire,
    http: &Http,
    path: &str,
) -> Result<(), ModelFailure> {
    fetch(endpoint, wire, path, LIST_MS, http)
        .await
        .map(|_| ())
        .map_err(|failure| endpoint.named(failure))
}

/// Looks at the usual ports of this machine, all at once.
pub(crate) async fn find_servers(
    presets: &'static [Preset],
    wire: fn(&Preset, &str) -> Box<dyn Wire>,
    http: Arc<Http>,
) -> Vec<FoundServer> {
    let mut probes = JoinSet::new();
    let is_at_a_port = |preset: &&Preset| preset.key == KeyNeed::NotNeeded && !preset.base_url.is_empty();
    let local = presets.iter().filter(is_at_a_port);
    let newer = presets
        .iter()
        .filter(|preset| preset.name == "llamacpp")
        .map(|preset| (preset, NEWER_LLAMA));
    let all = local.map(|preset| (preset, preset.base_url)).chain(newer);
    for (place, (preset, base_url)) in all.enumerate() {
        let http = Arc::clone(&http);
        probes.spawn(async move {
            let endpoint = Endpoint {
                provider: preset.name.to_owned(),
                base_url: base_url.to_owned(),
                model: String::new(),
                key: None,
                socket: None,
            };
            let wire = wire(preset, "");
            let found = list(preset, &endpoint, &*wire, &http, PROBE_MS).await.ok()?;
            let server = FoundServer {
                provider: preset.name,
                title: preset.title,
                url: endpoint.base_url,
                models: found.into_iter().map(|model| model.id).collect(),
            };
            Some((place, server))
        });
    }
    let mut found: Vec<(usize, FoundServer)> = probes.join_all().await.into_iter().flatten().collect();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, server)| server).collect()
}

/// The models of a list of any shape; `None` when the answer is no list.
fn read(answer: &Value) -> Option<Vec<Listed>> {
    let items = ["data", "models"]
        .iter()
        .find_map(|name| answer.get(name))
        .unwrap_or(answer)
        .as_array()?;
    let models = items.iter().filter_map(model).take(LISTED_MAX);
    Some(models.collect())
}

fn model(item: &Value) -> Option<Listed> {
    let id = match item {
        Value::String(id) => id.as_str(),
        _ => ["id", "name", "model"]
            .iter()
            .find_map(|name| item.get(name)?.as_str())?,
    };
    let id = id.strip_prefix("models/").unwrap_or(id).trim();
    let has = |path: &str, word: &str| {
        let words = item.pointer(path)?.as_array()?;
        Some(words.iter().any(|one| one == word))
    };
    let chats = has("/supportedGenerationMethods", "generateContent").unwrap_or(true);
    let lower = id.to_lowercase();
    if id.is_empty()
        || id.chars().count() > NAME_CHARS_MAX
        || !chats
        || OTHER_TRADES.iter().any(|trade| lower.contains(trade))
    {
        return None;
    }
    let window = [
        "/loaded_context_length",
        "/max_model_len",
        "/context_length",
        "/inputTokenLimit",
        "/max_input_tokens",
        "/context_window",
        "/meta/n_ctx_train",
    ];
    let window = window.iter().find_map(|path| item.pointer(path)?.as_u64());
    let per_million = |path: &str| Some(item.pointer(path)?.as_str()?.parse::<f64>().ok()? * 1_000_000.0);
    Some(Listed {
        id: id.to_owned(),
        window: window
            .and_then(|tokens| u32::try_from(tokens).ok())
            .filter(|tokens| *tokens > 0),
        vision: has("/architecture/input_modalities", "image"),
        tools: has("/supported_parameters", "tools"),
        price: per_million("/pricing/prompt")
            .zip(per_million("/pricing/completion"))
            .filter(|(input, output)| *input >= 0.0 && *output >= 0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ids(answer: &Value) -> Vec<String> {
        read(answer)
            .expect("a list")
            .into_iter()
            .map(|model| model.id)
            .collect()
    }

    #[test]
    fn every_shape_of_a_list_is_read_and_what_can_not_chat_is_left_out() {
        assert_eq!(
            ids(
                &json!({"object": "list", "data": [{"id": "gpt-5.4"}, {"id": "text-embedding-3-small"}, {"id": "whisper-1"}]})
            ),
            ["gpt-5.4"]
        );
        assert_eq!(
            ids(&json!({"models": [{"name": "qwen3:8b", "model": "qwen3:8b", "details": {}}]})),
            ["qwen3:8b"]
        );
        assert_eq!(
            ids(&json!({"models": [
                {"name": "models/gemini-flash-latest", "supportedGenerationMethods": ["generateContent"]},
                {"name": "models/gemini-embedding-001", "supportedGenerationMethods": ["embedContent"]},
                {"name": "models/aqa", "supportedGenerationMethods": ["generateAnswer"]},
            ]})),
            ["gemini-flash-latest"]
        );
        assert_eq!(ids(&json!([{"id": "a"}, {"nothing": 1}, "b", 7])), ["a", "b"]);
        assert_eq!(read(&json!({"error": "no"})), None);
    }

    #[test]
    fn what_a_list_says_of_a_model_is_kept() {
        let list = json!({"data": [{
            "id": "maker/model", "context_length": 131_072, "supported_parameters": ["tools"],
            "architecture": {"input_modalities": ["text", "image"]},
            "pricing": {"prompt": "0.0000005", "completion": "0.000002"},
        }]});
        let model = read(&list).expect("a list").remove(0);
        assert_eq!(
            (model.window, model.vision, model.tools),
            (Some(131_072), Some(true), Some(true))
        );
        let (input, output) = model.price.expect("a price");
        assert!((input - 0.5).abs() < 1e-9 && (output - 2.0).abs() < 1e-9);
    }
}
