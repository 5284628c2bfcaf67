//! `/completions`: fills a hole in a text, for models that were trained to (F4.5).
//!
//! The server takes the end of the text as `suffix`, or both parts stand between the model's own tokens. The
//! wording of the same request for chat models is left out.

use crate::chat::{Endpoint, Reading, Wire, with_key};
use crate::openai::{Dialect, ResponseReader, UsageOption};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use shidi_protocol::{Completion, ModelFailure, ModelRequest, Sampling};

/// How a model is shown a text with a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FimWay {
    /// The server does the formatting: the end goes as `suffix`.
    Suffix,
    /// Mistral's own endpoint for holes, which takes no other fields and answers like its chat.
    Mistral,
    /// DeepSeek's endpoint for holes, at an address of its own; it writes at most 4,096 tokens.
    #[serde(rename = "deepseek-beta")]
    DeepSeekBeta,
    Qwen,
    DeepSeek,
    StarCoder,
    CodeLlama,
}

impl FimWay {
    /// The tokens before the beginning, before the end, and before the middle.
    fn tokens(self) -> Option<[&'static str; 3]> {
        match self {
            Self::Suffix | Self::Mistral | Self::DeepSeekBeta => None,
            Self::Qwen => Some(["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"]),
            Self::DeepSeek => Some(["<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"]),
            Self::StarCoder => Some(["<fim_prefix>", "<fim_suffix>", "<fim_middle>"]),
            Self::CodeLlama => Some(["<PRE> ", " <SUF>", " <MID>"]),
        }
    }

    /// Texts that end the middle, for servers that do not stop by themselves.
    fn stops(self) -> &'static [&'static str] {
        match self {
            Self::Suffix | Self::Mistral | Self::DeepSeekBeta => &[],
            Self::Qwen => &["<|endoftext|>", "<|fim_pad|>", "<|file_sep|>", "<|repo_name|>"],
            Self::DeepSeek => &["<｜end▁of▁sentence｜>"],
            Self::StarCoder => &["<|endoftext|>", "<file_sep>"],
            Self::CodeLlama => &["<EOT>"],
        }
    }
}

/// The format of `/completions`.
pub(crate) struct Completions {
    pub way: FimWay,
    pub dialect: Dialect,
}

impl Wire for Completions {
    fn path(&self, _model: &str) -> String {
        let path = match self.way {
            FimWay::Mistral => "/fim/completions",
            FimWay::DeepSeekBeta => "/beta/completions",
            FimWay::Suffix | FimWay::Qwen | FimWay::DeepSeek | FimWay::StarCoder | FimWay::CodeLlama => {
                "/completions"
            }
        };
        path.to_owned()
    }

    fn surplus(&self) -> &'static [&'static str] {
        match self.way {
            FimWay::Mistral => &["/chat/completions", "/fim/completions"],
            FimWay::DeepSeekBeta => &["/chat/completions", "/completions", "/v1", "/beta"],
            FimWay::Suffix | FimWay::Qwen | FimWay::DeepSeek | FimWay::StarCoder | FimWay::CodeLlama => {
                &["/chat/completions", "/completions"]
            }
        }
    }

    fn headed(&self, request: RequestBuilder, endpoint: &Endpoint) -> Result<RequestBuilder, ModelFailure> {
        with_key(request, endpoint, "authorization", "Bearer ")
    }

    fn body(
        &self,
        request: &ModelRequest,
        model: &str,
        sampling: Sampling,
    ) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&self.written(request, model, sampling))
    }

    fn without(&self, refusal: &str) -> Option<Box<dyn Wire>> {
        let dialect = self.dialect.without(refusal)?;
        Some(Box::new(Self { dialect, ..*self }))
    }

    fn reading(&self, _request: &ModelRequest) -> Box<dyn Reading> {
        Box::new(ResponseReader::default())
    }
}

/// Tokens that DeepSeek's endpoint writes at most.
const DEEPSEEK_TOKENS_MAX: u32 = 4_096;

impl Completions {
    fn limit(&self, tokens: u32) -> u32 {
        if self.way == FimWay::DeepSeekBeta {
            tokens.min(DEEPSEEK_TOKENS_MAX)
        } else {
            tokens
        }
    }

    fn written(&self, request: &ModelRequest, model: &str, sampling: Sampling) -> Value {
        let none = Completion {
            prefix: String::new(),
            suffix: String::new(),
        };
        let Completion { prefix, suffix } = request.completion.as_ref().unwrap_or(&none);
        let mut body = json!({
            "model": model,
            "stream": true,
            "max_tokens": self.limit(request.max_output_tokens),
        });
        if let (Some(body), Ok(Value::Object(sampling))) =
            (body.as_object_mut(), serde_json::to_value(sampling))
        {
            body.extend(sampling);
        }
        match self.way.tokens() {
            None => {
                body["prompt"] = json!(prefix);
                body["suffix"] = json!(suffix);
            }
            Some([before, between, after]) => {
                body["prompt"] = json!(format!("{before}{prefix}{between}{suffix}{after}"));
                body["stop"] = json!(self.way.stops());
            }
        }
        if self.dialect.usage == UsageOption::Asked && self.way != FimWay::Mistral {
            body["stream_options"] = json!({"include_usage": true});
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Brief, ModelRole};

    fn written(way: FimWay) -> Value {
        let request = ModelRequest {
            run: "r".into(),
            role: ModelRole::Coder,
            messages: Vec::new(),
            tools: Vec::new(),
            max_output_tokens: 64,
            completion: Some(Completion {
                prefix: "try:\n".to_owned(),
                suffix: "\nexcept".to_owned(),
            }),
            parts: Vec::new(),
            brief: Brief::default(),
        };
        let dialect = Dialect::of("custom");
        Completions { way, dialect }.written(&request, "m", Sampling::default())
    }

    #[test]
    fn a_server_that_knows_gets_the_end_as_suffix() {
        let body = written(FimWay::Suffix);
        assert_eq!(
            (&body["prompt"], &body["suffix"]),
            (&json!("try:\n"), &json!("\nexcept"))
        );
        assert!(body.get("messages").is_none());
    }

    #[test]
    fn mistral_and_deepseek_are_asked_at_their_own_addresses_with_what_they_take() {
        let asked = |way, base_url: &str| {
            let wire = Completions {
                way,
                dialect: Dialect::of("custom"),
            };
            let endpoint = Endpoint {
                provider: "p".to_owned(),
                base_url: base_url.to_owned(),
                model: "m".to_owned(),
                key: None,
                socket: None,
            };
            let url = crate::chat::address(&endpoint, wire.surplus(), &wire.path("m"));
            url.map(|url| url.to_string()).unwrap_or_default()
        };
        for base in [
            "https://api.mistral.ai/v1",
            "https://api.mistral.ai/v1/chat/completions",
        ] {
            assert_eq!(
                asked(FimWay::Mistral, base),
                "https://api.mistral.ai/v1/fim/completions"
            );
        }
        for base in [
            "https://api.deepseek.com",
            "https://api.deepseek.com/v1/",
            "https://api.deepseek.com/beta",
        ] {
            assert_eq!(
                asked(FimWay::DeepSeekBeta, base),
                "https://api.deepseek.com/beta/completions"
            );
        }
        let body = written(FimWay::Mistral);
        assert!(
            body.get("stream_options").is_none() && body.get("stop").is_none(),
            "{body}"
        );
        assert_eq!(body["suffix"], "\nexcept");
        let request = |tokens| {
            Completions {
                way: FimWay::DeepSeekBeta,
                dialect: Dialect::of("deepseek"),
            }
            .limit(tokens)
        };
        assert_eq!((request(8_192), request(64)), (4_096, 64));
    }

    #[test]
    fn another_gets_both_parts_between_the_models_own_tokens() {
        let body = written(FimWay::Qwen);
        assert_eq!(
            body["prompt"],
            "<|fim_prefix|>try:\n<|fim_suffix|>\nexcept<|fim_middle|>"
        );
        assert!(body.get("suffix").is_none());
        assert!(body["stop"].as_array().is_some_and(|stops| !stops.is_empty()));
    }
}
