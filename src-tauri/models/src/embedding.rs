//! Embeddings, the vectors of texts: they find texts of the same meaning in other words (F6.4).
//!
//! Two formats: OpenAI's `/embeddings`, which every local server speaks too, and Gemini's `batchEmbedContents`.
//! Some models must be told whether a text is a query or a document. A word before the text tells so, or a field.

use crate::chat::{Endpoint, Http, Timeouts, Whole, Wire, path_piece};
use crate::failure::own_failure;
use crate::presets::WireFormat;
use crate::prices::Price;
use serde_json::{Value, json};
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelFailure, Usage};
use tokio_util::sync::CancellationToken;

/// Texts of one request at most: DashScope takes ten, the others more.
const TOGETHER_MOST: usize = 10;
/// Dimensions of a vector at most; the largest models that are offered have 4,096.
const DIMENSIONS_MOST: usize = 8_192;
/// Bytes of an answer at most: ten vectors of the largest size, each number with 24 characters.
const ANSWER_BYTES_MAX: usize = TOGETHER_MOST * DIMENSIONS_MOST * 24;

/// The purpose of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The text is a query.
    Query,
    /// The text is searched.
    Document,
}

/// The vectors of some texts, in the texts' order, and their cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// All of the same length.
    pub vectors: Vec<Vec<f32>>,
    pub usage: Usage,
}

/// A model that gives vectors.
pub struct Embedder {
    endpoint: Endpoint,
    format: WireFormat,
    wire: Box<dyn Wire>,
    client: reqwest::Client,
    patience: Timeouts,
    price: Option<Price>,
}

impl Embedder {
    pub(crate) fn new(
        endpoint: Endpoint,
        format: WireFormat,
        wire: Box<dyn Wire>,
        patience: Timeouts,
        price: Option<Price>,
        http: &Http,
    ) -> Result<Self, ModelFailure> {
        if format == WireFormat::AnthropicMessages {
            return Err(own_failure(
                FailureKind::NoSuchModel,
                &endpoint.provider,
                Sentences::anthropic_no_vectors,
            ));
        }
        if endpoint.model.is_empty() {
            return Err(own_failure(
                FailureKind::NoSuchModel,
                &endpoint.provider,
                Sentences::name_embedding_model,
            ));
        }
        let client = http.client(&endpoint, patience)?;
        Ok(Self {
            endpoint,
            format,
            wire,
            client,
            patience,
            price,
        })
    }

    /// The name that tells vectors of different models apart: `PROVIDER:MODEL`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}:{}", self.endpoint.provider, self.endpoint.model)
    }

    #[must_use]
    pub fn provider(&self) -> &str {
        &self.endpoint.provider
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.endpoint.model
    }

    /// The vectors of texts, in order; sends as many requests as needed, one after the other.
    ///
    /// # Errors
    /// Why no vectors came, after all retries. Vectors of earlier requests are lost with the failure.
    pub async fn embed(
        &self,
        texts: &[String],
        aim: Aim,
        cancel: &CancellationToken,
    ) -> Result<Embedded, ModelFailure> {
        let asking = async {
            let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
            let mut usage = Usage::default();
            for some in texts.chunks(TOGETHER_MOST) {
                let answer = self.asked().ask(&self.body(some, aim)).await?;
                let length = vectors.first().map(Vec::len);
                vectors.extend(self.read(&answer, some.len(), length)?);
                usage.input += input_tokens(&answer, some);
                usage.model_calls += 1;
            }
            usage.cost = self.price.map(|price| price.of(&usage));
            Ok(Embedded { vectors, usage })
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(own_failure(FailureKind::Cancelled, &self.endpoint.provider, Sentences::cancelled)),
            embedded = asking => embedded,
        }
    }

    fn asked(&self) -> EmbeddingRequest<'_> {
        let path = match self.format {
            WireFormat::GeminiGenerate => {
                let name = path_piece(self.bare_name());
                format!("/v1beta/models/{name}:batchEmbedContents")
            }
            WireFormat::OpenAiChat | WireFormat::AnthropicMessages => "/embeddings".to_owned(),
        };
        EmbeddingRequest { of: self, path }
    }

    fn bare_name(&self) -> &str {
        let name = &self.endpoint.model;
        name.strip_prefix("models/").unwrap_or(name)
    }

    fn body(&self, texts: &[String], aim: Aim) -> Value {
        let lead = lead(&self.endpoint.model, aim);
        let texts = texts.iter().map(|text| format!("{lead}{text}"));
        if self.format != WireFormat::GeminiGenerate {
            let texts: Vec<String> = texts.collect();
            return json!({"model": self.endpoint.model, "input": texts, "encoding_format": "float"});
        }
        let task = match aim {
            Aim::Query => "RETRIEVAL_QUERY",
            Aim::Document => "RETRIEVAL_DOCUMENT",
        };
        let model = format!("models/{}", self.bare_name());
        let requests: Vec<Value> = texts
            .map(|text| json!({"model": model, "content": {"parts": [{"text": text}]}, "taskType": task}))
            .collect();
        json!({ "requests": requests })
    }

    /// The vectors of an answer; all must be there, of one length, and numbers.
    fn read(
        &self,
        answer: &Value,
        count: usize,
        length: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let wrong = |what: &str| {
            own_failure(FailureKind::Malformed, &self.endpoint.provider, |say| {
                say.no_vectors(what)
            })
        };
        let items = ["data", "embeddings"]
            .iter()
            .find_map(|name| answer.get(name)?.as_array())
            .ok_or_else(|| wrong("no list"))?;
        if items.len() != count {
            return Err(wrong(&format!("{} of {count}", items.len())));
        }
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); count];
        for (place, item) in items.iter().enumerate() {
            // Servers may answer in another order and give the index.
            let index = item.get("index").and_then(Value::as_u64);
            let index = index.map_or(place, |index| usize::try_from(index).unwrap_or(usize::MAX));
            let vector = vector(item).ok_or_else(|| wrong("no numbers"))?;
            match vectors.get_mut(index) {
                Some(free) if free.is_empty() => *free = vector,
                _ => return Err(wrong(&format!("index {index}"))),
            }
        }
        let length = length.or(vectors.first().map(Vec::len));
        if vectors.iter().any(|vector| Some(vector.len()) != length) {
            return Err(wrong("of different lengths"));
        }
        Ok(vectors)
    }
}

/// One kind of request of an embedder.
struct EmbeddingRequest<'a> {
    of: &'a Embedder,
    path: String,
}

impl EmbeddingRequest<'_> {
    async fn ask(&self, body: &Value) -> Result<Value, ModelFailure> {
        let whole = Whole {
            endpoint: &self.of.endpoint,
            wire: &*self.of.wire,
            client: &self.of.client,
            patience: self.of.patience,
            path: &self.path,
            bytes_max: ANSWER_BYTES_MAX,
        };
        whole.ask(body).await
    }
}

/// The numbers of one item. `None` unless all are finite and at least one is not zero.
fn vector(item: &Value) -> Option<Vec<f32>> {
    let numbers = ["embedding", "values"]
        .iter()
        .find_map(|name| item.get(name)?.as_array())?;
    if numbers.is_empty() || numbers.len() > DIMENSIONS_MOST {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "models give single precision")]
    let vector: Option<Vec<f32>> = numbers
        .iter()
        .map(|one| one.as_f64().map(|one| one as f32))
        .collect();
    vector.filter(|vector| vector.iter().all(|one| one.is_finite()) && vector.iter().any(|one| *one != 0.0))
}

/// Input tokens as the provider counted them. Local servers and Gemini count none; then a guess: four bytes a token.
fn input_tokens(answer: &Value, texts: &[String]) -> u32 {
    let counted = ["/usage/prompt_tokens", "/usage/total_tokens"]
        .iter()
        .find_map(|path| answer.pointer(path)?.as_u64())
        .filter(|tokens| *tokens > 0);
    let guessed = || {
        texts
            .iter()
            .map(|text| text.len() as u64)
            .sum::<u64>()
            .div_ceil(4)
    };
    u32::try_from(counted.unwrap_or_else(guessed)).unwrap_or(u32::MAX)
}

/// The word that a model was trained to see before a text, from the model's card.
fn lead(model: &str, aim: Aim) -> &'static str {
    let name = model.to_lowercase();
    let (query, document) = if name.contains("e5-") && !name.contains("instruct") {
        ("query: ", "passage: ")
    } else if name.contains("nomic-embed") {
        ("search_query: ", "search_document: ")
    } else if name.contains("embeddinggemma") {
        ("task: search result | query: ", "title: none | text: ")
    } else {
        ("", "")
    };
    match aim {
        Aim::Query => query,
        Aim::Document => document,
    }
}

#[cfg(test)]
mod tests;
