//! Asks a model over HTTP, whatever its wire format: attempts, retries, streaming, cancelling, cost.
//!
//! An own thin client, because no library has exactly our bodies, error words, retries and ends of streams. An
//! answer that the provider cuts is asked for again, also after its first words. An answer that times out is not
//! asked for again. The next answer's first piece retracts the words shown before. An answer that repeats itself
//! without end is ended. The client follows no redirect, since a key goes to the configured address only, and
//! keeps no conversation. [`Wire`] hides how a request is written and an answer read; each format has its folder.

mod attempt;
mod broken;
mod repetition;
mod reply_parts;
mod retry;
mod sse;
mod transport;
mod whole;

pub(crate) use broken::Broken;
pub use broken::estimate;
pub(crate) use reply_parts::{CALLS_MAX, Fault, ReplyParts, tokens};
#[cfg(test)]
pub(crate) use transport::address;
pub(crate) use transport::{Http, LIST_MS, fetch, is_loopback, path_piece, with_key};
pub(crate) use whole::Whole;

use crate::failure::{own_detail, own_failure};
use crate::prices::Price;
use crate::sampling::SamplingRules;
use crate::{Deltas, Model};
use async_trait::async_trait;
use attempt::Attempt;
use jiff::Timestamp;
use repetition::Repetition;
use reqwest::{RequestBuilder, Url};
use retry::{Pauses, Remedy, Setback, WaitReason};
use secrecy::SecretString;
use serde_json::Value;
use shidi_locales::Models as Sentences;
use shidi_protocol::{
    FailureKind, Finish, ModelDelta, ModelFailure, ModelReply, ModelRequest, Sampling, Wait, Worded,
};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The address of a model and its key.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Name of the preset, or `custom`.
    pub provider: String,
    /// The address without the path of the wire format.
    pub base_url: String,
    /// The model's name, sent as written; empty for lists of models.
    pub model: String,
    pub key: Option<SecretString>,
    /// The socket at which the address is reached, for a server that this program has started.
    pub socket: Option<PathBuf>,
}

impl Endpoint {
    /// The provider's title for people; for a server of the user's own, its address.
    pub(crate) fn title(&self) -> String {
        if let Some(preset) = crate::preset(&self.provider) {
            return preset.title.to_owned();
        }
        let url = Url::parse(self.base_url.trim()).ok();
        let place = url.and_then(|url| {
            let host = url.host_str()?.to_owned();
            Some(
                url.port()
                    .map_or_else(|| host.clone(), |port| format!("{host}:{port}")),
            )
        });
        place.unwrap_or_else(|| self.provider.clone())
    }

    /// The failure with this endpoint's title, where the failure has none.
    pub(crate) fn named(&self, failure: ModelFailure) -> ModelFailure {
        let provider_title = failure.provider_title.or_else(|| Some(self.title()));
        ModelFailure {
            provider_title,
            ..failure
        }
    }
}

/// How one attempt words the request.
#[derive(Clone, Copy)]
struct Dialect<'a> {
    wire: &'a dyn Wire,
    sampling: Sampling,
}

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Milliseconds until the connection stands.
    pub connect_ms: u64,
    /// Milliseconds without any byte: reasoning models are silent for a minute or more before their first word.
    pub idle_ms: u64,
    /// The factor on `idle_ms` while a server that reports its progress reads the prompt. Such a server speaks
    /// only after each batch, and a batch of two thousand tokens takes a slow processor minutes.
    pub prompt_patience: u64,
    /// Milliseconds without a meaningful event, while comments or pings keep the connection open.
    pub eventless_ms: u64,
    /// Milliseconds for the rest of the stream after the answer is complete: only usage may still come.
    pub tail_ms: u64,
    /// Attempts in all.
    pub attempts: usize,
    /// Attempts in all when no server listens: an absent server is rarely there a second later.
    pub connect_attempts: usize,
    /// The first pause between attempts, in milliseconds; each pause doubles, with jitter.
    pub pause_ms: u64,
    pub pause_max_ms: u64,
    /// The longest `Retry-After` that is waited for, in milliseconds; a longer one is reported at once.
    pub asked_pause_max_ms: u64,
    /// The pause between attempts while a server says that it loads its model, in milliseconds.
    pub loading_pause_ms: u64,
    /// The longest that such a server is waited for, in milliseconds.
    pub loading_ms: u64,
}

impl Timeouts {
    /// Milliseconds without any byte while the prompt is read.
    pub(crate) fn prompt_ms(self) -> u64 {
        self.idle_ms.saturating_mul(self.prompt_patience)
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            idle_ms: 120_000,
            prompt_patience: 5,
            eventless_ms: 600_000,
            tail_ms: 2_000,
            attempts: 4,
            connect_attempts: 3,
            pause_ms: 300,
            pause_max_ms: 8_000,
            asked_pause_max_ms: 60_000,
            loading_pause_ms: 1_000,
            loading_ms: 180_000,
        }
    }
}

/// One way of speaking to providers. A value also holds the fields that the server is believed to understand.
pub(crate) trait Wire: Send + Sync {
    /// The path after the endpoint's address, with the model's name where the format has it there.
    fn path(&self, model: &str) -> String;

    /// Paths that a pasted address may end with although they belong to the format: users paste whole addresses.
    fn surplus(&self) -> &'static [&'static str];

    /// Adds the key and the format's other headers.
    ///
    /// # Errors
    /// When the key can't stand in a header.
    fn headed(&self, request: RequestBuilder, endpoint: &Endpoint) -> Result<RequestBuilder, ModelFailure>;

    /// The request's JSON. Equal requests give equal bytes, so that providers' prompt caches hit. A part of the
    /// sampling that is `None` is left to the server. A format leaves out parts that it has no field for.
    ///
    /// # Errors
    /// When the request has no JSON form.
    fn body(
        &self,
        request: &ModelRequest,
        model: &str,
        sampling: Sampling,
    ) -> Result<Vec<u8>, serde_json::Error>;

    /// What of the sampling the format has fields for beside the others.
    fn taken(&self, sampling: Sampling) -> Sampling {
        sampling
    }

    /// The wire to try after a refusal that names one of our fields; `None` when the refusal names none.
    fn without(&self, refusal: &str) -> Option<Box<dyn Wire>>;

    /// Whether the request asks the server to report how much of the prompt is read.
    fn asks_progress(&self) -> bool {
        false
    }

    /// Begins to read an answer.
    fn reading(&self, request: &ModelRequest) -> Box<dyn Reading>;
}

/// An answer while it is read.
pub(crate) trait Reading: Send {
    /// Takes one event of a stream, or a whole answer that was sent at once.
    ///
    /// # Errors
    /// The fault that ends the answer.
    fn take(&mut self, chunk: &Value, deltas: Deltas<'_>) -> Result<StreamEvent, Fault>;

    /// Whether the provider said that the answer is complete.
    fn is_finished(&self) -> bool;

    /// Whether a JSON body without a stream is an answer of this format.
    fn is_answer(&self, whole: &Value) -> bool;

    fn finish(self: Box<Self>, deltas: Deltas<'_>) -> ReplyParts;
}

/// The kind of a stream's event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamEvent {
    Something,
    /// A report on how much of the prompt is read.
    Prompt,
    /// A sign of life only.
    Ping,
    /// The last event: nothing follows.
    End,
}

/// A language model behind an HTTP address.
pub struct Chat {
    endpoint: Endpoint,
    patience: Timeouts,
    price: Option<Price>,
    client: reqwest::Client,
    wire: Box<dyn Wire>,
    /// `None` leaves the sampling to the server.
    sampling: Option<SamplingRules>,
}

impl Chat {
    /// Prepares the client; connects to no server yet.
    ///
    /// # Errors
    /// When the address is invalid, or the system has no certificates to check an `https` server with.
    pub(crate) fn new(
        endpoint: Endpoint,
        wire: Box<dyn Wire>,
        patience: Timeouts,
        price: Option<Price>,
        http: &Http,
    ) -> Result<Self, ModelFailure> {
        let client = http.client(&endpoint, patience)?;
        Ok(Self {
            endpoint,
            patience,
            price,
            client,
            wire,
            sampling: None,
        })
    }

    /// The same model with a sampling of its own.
    pub(crate) fn sampled(self, sampling: SamplingRules) -> Self {
        let sampling = Some(sampling);
        Self { sampling, ..self }
    }

    async fn try_until_answered(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure> {
        let mut other: Option<Box<dyn Wire>> = None;
        let mut pauses = Pauses::new(self.patience);
        let mut broken = Broken::default();
        loop {
            let wire = other.as_deref().unwrap_or(&*self.wire);
            let rules = self.sampling.as_ref();
            let sampling = rules.map(|rules| wire.taken(rules.sampling(request.role)));
            let sampling = sampling.unwrap_or_default();
            let dialect = Dialect { wire, sampling };
            let asked = self.attempt(dialect, request, &mut broken, deltas, cancel);
            let setback = match asked.await {
                Ok(mut reply) => {
                    broken.add_to(&mut reply.usage);
                    return Ok(ModelReply { sampling, ..reply });
                }
                Err(setback) => setback,
            };
            match setback.remedy {
                Remedy::None => return Err(broken.told_by(setback.failure)),
                Remedy::OtherDialect
                    if rules.is_some_and(|rules| {
                        rules.is_refused(&setback.failure.detail.to_string(), &sampling)
                    }) => {}
                Remedy::OtherDialect => match wire.without(&setback.failure.detail.to_string()) {
                    Some(next) => other = Some(next),
                    None => return Err(broken.told_by(setback.failure)),
                },
                Remedy::Wait { asked, reason } => {
                    let Some(pause) = pauses.next(asked, reason) else {
                        return Err(broken.told_by(given_up(setback.failure, reason)));
                    };
                    let wait = self.wait(pause, reason, &setback.failure);
                    tokio::select! {
                        biased;
                        () = cancel.cancelled() => return Err(broken.told_by(self.cancelled().failure)),
                        () = self.pause(pause, wait, &setback.failure, deltas) => {}
                    }
                }
            }
        }
    }

    /// Asks once; the pieces of an answer that broke off are kept in `broken`. An answer that repeats itself without
    /// end is ended here, and stands with the first of its repeated pieces.
    async fn attempt(
        &self,
        Dialect { wire, sampling }: Dialect<'_>,
        request: &ModelRequest,
        broken: &mut Broken,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, Setback> {
        let body = wire
            .body(request, &self.endpoint.model, sampling)
            .map_err(|error| {
                let provider = &self.endpoint.provider;
                Setback {
                    failure: own_failure(FailureKind::Refused, provider, |say| say.request_not_json(&error)),
                    remedy: Remedy::None,
                }
            })?;
        let attempt = Attempt {
            endpoint: &self.endpoint,
            wire,
            patience: self.patience,
            client: &self.client,
        };
        let mut answer = wire.reading(request);
        let (mut repetition, endless) = (Repetition::default(), CancellationToken::new());
        let mut watched = |delta: ModelDelta| {
            if repetition.is_endless_with(&delta) {
                endless.cancel();
            }
            broken.pass(delta, deltas);
        };
        let ended = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(self.cancelled()),
            () = endless.cancelled() => Ok(Some(Finish::Repeated)),
            ended = attempt.run(body, answer.as_mut(), &mut watched) => ended.map(|()| None),
        };
        let mut parts = answer.finish(&mut watched);
        match ended {
            Ok(None) => Ok(parts.into_reply(&self.endpoint.model, self.price)),
            Ok(Some(finish)) => {
                parts.estimate_usage(request);
                parts.stand_once();
                parts.finish = Some(finish);
                Ok(parts.into_reply(&self.endpoint.model, self.price))
            }
            Err(setback) => {
                if parts.has_begun() {
                    broken.keep(parts.into_partial(request, &self.endpoint.model, self.price));
                }
                Err(setback)
            }
        }
    }

    fn cancelled(&self) -> Setback {
        Setback {
            failure: own_failure(
                FailureKind::Cancelled,
                &self.endpoint.provider,
                Sentences::cancelled,
            ),
            remedy: Remedy::None,
        }
    }

    /// What the user is told of a pause.
    fn wait(&self, pause: Duration, reason: WaitReason, failure: &ModelFailure) -> Wait {
        if reason == WaitReason::Loading {
            return Wait::Loading;
        }
        let until = Timestamp::now().checked_add(pause);
        Wait::Provider {
            reason: failure.kind,
            provider: self.endpoint.title(),
            // Our own sentence would only repeat the reason.
            detail: match &failure.detail {
                Worded::Ours(_) => String::new(),
                Worded::Theirs(said) => said.clone(),
            },
            until: until.unwrap_or(Timestamp::MAX).into(),
        }
    }

    async fn pause(&self, pause: Duration, wait: Wait, failure: &ModelFailure, deltas: Deltas<'_>) {
        tracing::info!(
            provider = %self.endpoint.provider,
            pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            "retrying after {}",
            failure.detail
        );
        deltas(ModelDelta::Awaits(Some(wait)));
        tokio::time::sleep(pause).await;
        deltas(ModelDelta::Awaits(None));
    }
}

/// The failure of a request that is given up. That a server loads its model is said in the reader's language.
fn given_up(failure: ModelFailure, reason: WaitReason) -> ModelFailure {
    match reason {
        WaitReason::Loading => ModelFailure {
            detail: own_detail(Sentences::server_loads),
            ..failure
        },
        WaitReason::Unconnected | WaitReason::Struggling => failure,
    }
}

#[async_trait]
impl Model for Chat {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn provider(&self) -> &str {
        &self.endpoint.provider
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
        let asked = self.try_until_answered(request, deltas, cancel).await;
        asked.map_err(|failure| self.endpoint.named(failure))
    }
}

#[cfg(test)]
pub(crate) mod tests;
