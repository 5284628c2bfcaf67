//! Chat with any OpenAI-compatible server, streamed.
//!
//! An own thin client: the body, the error words, the moment after which nothing is retried, and the end of a
//! stream must be exactly ours. It never repeats a request once a piece of an answer was shown, follows no
//! redirect (a key is sent to the address that the user configured, and nowhere else), and keeps no state.

mod answer;
mod attempt;
mod retry;
mod sse;
mod think;
mod transport;
mod wire;

pub(crate) use transport::{Http, is_loopback};

use crate::failure::failure;
use crate::prices::Price;
use crate::{Deltas, Model};
use async_trait::async_trait;
use attempt::Attempt;
use retry::{Pauses, Remedy};
use secrecy::SecretString;
use shidi_protocol::{FailureKind, ModelDelta, ModelFailure, ModelReply, ModelRequest};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use wire::Dialect;

/// Where a model is.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Name of the preset, or `custom`.
    pub provider: String,
    /// The address before `/chat/completions`.
    pub base_url: String,
    /// Sent as it is written; empty for lists of models.
    pub model: String,
    pub key: Option<SecretString>,
}

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Until the connection stands, in milliseconds.
    pub connect_ms: u64,
    /// Without any byte, in milliseconds: reasoning models are silent for a minute or more before their first word.
    pub idle_ms: u64,
    /// Without any event while comments keep the connection open, in milliseconds.
    pub eventless_ms: u64,
    /// For the rest of the stream once the answer is complete, in milliseconds: only usage may still come.
    pub tail_ms: u64,
    /// Attempts in all.
    pub attempts: usize,
    /// Attempts in all when nobody listens: an absent server is rarely there a second later.
    pub connect_attempts: usize,
    /// The first pause between attempts, in milliseconds; it doubles, with jitter.
    pub pause_ms: u64,
    pub pause_max_ms: u64,
    /// The longest `Retry-After` that is waited for, in milliseconds; a longer one is reported at once.
    pub asked_pause_max_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            idle_ms: 120_000,
            eventless_ms: 600_000,
            tail_ms: 2_000,
            attempts: 4,
            connect_attempts: 3,
            pause_ms: 300,
            pause_max_ms: 8_000,
            asked_pause_max_ms: 60_000,
        }
    }
}

/// A language model behind `/chat/completions`.
pub struct OpenAiChat {
    endpoint: Endpoint,
    patience: Patience,
    price: Option<Price>,
    client: reqwest::Client,
}

impl OpenAiChat {
    /// Makes ready to ask; connects to nobody yet.
    ///
    /// # Errors
    /// When the address is none, or the system has no certificates to check an `https` server with.
    pub(crate) fn new(endpoint: Endpoint, patience: Patience, http: &Http) -> Result<Self, ModelFailure> {
        let client = http.client(&endpoint, patience)?;
        let price = crate::prices::price(&endpoint.provider, &endpoint.model);
        Ok(Self {
            endpoint,
            patience,
            price,
            client,
        })
    }

    async fn try_until_answered(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
    ) -> Result<ModelReply, ModelFailure> {
        let mut dialect = Dialect::of(&self.endpoint.provider);
        let mut pauses = Pauses::new(self.patience);
        loop {
            let body = wire::body(request, &self.endpoint.model, dialect).map_err(|error| {
                failure(
                    FailureKind::Refused,
                    &self.endpoint.provider,
                    &format!("the request has no JSON form: {error}"),
                )
            })?;
            let mut shown = false;
            let mut watched = |delta: ModelDelta| {
                shown = true;
                deltas(delta);
            };
            let attempt = Attempt {
                endpoint: &self.endpoint,
                patience: self.patience,
                client: &self.client,
            };
            let setback = match attempt.run(body, &mut watched).await {
                Ok(reply) => return Ok(self.priced(reply)),
                Err(setback) => setback,
            };
            if shown {
                return Err(setback.failure);
            }
            match setback.remedy {
                Remedy::None => return Err(setback.failure),
                Remedy::OtherDialect => match dialect.without(&setback.failure.detail) {
                    Some(other) => dialect = other,
                    None => return Err(setback.failure),
                },
                Remedy::Wait { asked, reason } => match pauses.next(asked, reason) {
                    Some(pause) => self.pause(pause, &setback.failure).await,
                    None => return Err(setback.failure),
                },
            }
        }
    }

    async fn pause(&self, pause: Duration, failure: &ModelFailure) {
        tracing::info!(
            provider = %self.endpoint.provider,
            pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            "retrying after {}",
            failure.detail
        );
        tokio::time::sleep(pause).await;
    }

    fn priced(&self, mut reply: ModelReply) -> ModelReply {
        reply.usage.cost = self.price.map(|price| price.of(&reply.usage));
        reply
    }
}

#[async_trait]
impl Model for OpenAiChat {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn is_offline(&self) -> bool {
        false
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(failure(FailureKind::Cancelled, &self.endpoint.provider, "cancelled")),
            reply = self.try_until_answered(request, deltas) => reply,
        }
    }
}

/// Lists the names of the models that a server offers; the way to test an address and a key.
///
/// # Errors
/// As [`Model::ask`], without retries.
pub(crate) async fn list_models(
    endpoint: &Endpoint,
    path: &str,
    http: &Http,
) -> Result<Vec<String>, ModelFailure> {
    let patience = Patience {
        connect_ms: transport::LIST_MS,
        idle_ms: transport::LIST_MS,
        ..Patience::default()
    };
    let client = http.client(endpoint, patience)?;
    transport::list_models(endpoint, path, &client).await
}

#[cfg(test)]
mod tests;
