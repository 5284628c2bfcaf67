//! Asks for an answer that comes whole, not in a stream: vectors of texts. No part is shown while it arrives,
//! so any failure may be retried.

use super::retry::{Pauses, Remedy, Setback, WaitReason, remedy};
use super::transport::{address, below_http, read_body, refusal, without_key};
use super::{Endpoint, Timeouts, Wire};
use crate::failure::{own_failure, shorten};
use reqwest::{Client, Url};
use serde_json::Value;
use shidi_protocol::{FailureKind, ModelFailure};
use std::time::Duration;

/// Characters of an unreadable answer that are shown.
const SNIPPET_CHARS: usize = 80;

/// One request with a whole answer.
pub(crate) struct Whole<'a> {
    pub endpoint: &'a Endpoint,
    /// The wire gives the key's header and the paths that an address may end with.
    pub wire: &'a dyn Wire,
    pub client: &'a Client,
    pub patience: Timeouts,
    /// The path after the endpoint's address.
    pub path: &'a str,
    pub bytes_max: usize,
}

impl Whole<'_> {
    /// Sends a body until an answer comes.
    ///
    /// # Errors
    /// The failure after all retries.
    pub(crate) async fn ask(&self, body: &Value) -> Result<Value, ModelFailure> {
        let url = address(self.endpoint, self.wire.surplus(), self.path)?;
        let mut pauses = Pauses::new(self.patience);
        loop {
            let setback = match self.once(url.clone(), body).await {
                Ok(answer) => return Ok(answer),
                Err(setback) => setback,
            };
            let Remedy::Wait { asked, reason } = setback.remedy else {
                return Err(setback.failure);
            };
            match pauses.next(asked, reason) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(setback.failure),
            }
        }
    }

    async fn once(&self, url: Url, body: &Value) -> Result<Value, Setback> {
        let provider = &self.endpoint.provider;
        let request = self
            .wire
            .headed(self.client.post(url), self.endpoint)
            .map_err(final_word)?
            .json(body);
        let asking = async {
            let response = request.send().await.map_err(|error| {
                let failure = below_http(provider, &error);
                let reason = match failure.kind {
                    FailureKind::Unreachable => WaitReason::Unconnected,
                    _ => WaitReason::Struggling,
                };
                waiting(failure, reason)
            })?;
            if !response.status().is_success() {
                let (status, headers) = (response.status().as_u16(), response.headers().clone());
                let refused = refusal(self.endpoint, response).await;
                let remedy = remedy(status, &headers, &refused);
                let failure = refused.failure;
                return Err(Setback { failure, remedy });
            }
            read_body(response, self.bytes_max)
                .await
                .map_err(|error| waiting(below_http(provider, &error), WaitReason::Struggling))
        };
        let patience = Duration::from_millis(self.patience.idle_ms);
        let Ok(answered) = tokio::time::timeout(patience, asking).await else {
            let seconds = patience.as_secs_f32();
            return Err(final_word(own_failure(FailureKind::Timeout, provider, |say| {
                say.no_answer_within(seconds)
            })));
        };
        let bytes = answered?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let head: String = String::from_utf8_lossy(&bytes)
                .chars()
                .take(SNIPPET_CHARS)
                .collect();
            let start = without_key(self.endpoint, &shorten(&head));
            final_word(own_failure(FailureKind::Malformed, provider, |say| {
                say.not_vectors_but(&error, &start)
            }))
        })
    }
}

fn waiting(failure: ModelFailure, reason: WaitReason) -> Setback {
    let remedy = Remedy::Wait { asked: None, reason };
    Setback { failure, remedy }
}

fn final_word(failure: ModelFailure) -> Setback {
    let remedy = Remedy::None;
    Setback { failure, remedy }
}
