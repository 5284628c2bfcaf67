//! One attempt at an answer: request, response head, stream, end.
//!
//! A stream is complete when the provider gave a finish reason or `[DONE]`; one that just ends was cut.

use super::answer::{Answer, Fault};
use super::retry::{Remedy, Setback, WaitReason, remedy};
use super::sse::{EventTooLong, SseDecoder, SseEvent};
use super::transport::{address, below_http, refusal, with_key, without_key};
use super::{Endpoint, Patience};
use crate::Deltas;
use crate::failure::{failure, from_complaint, shorten};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response};
use serde_json::Value;
use shidi_protocol::{FailureKind, ModelFailure, ModelReply};
use std::time::Duration;
use tokio::time::Instant;

/// Most bytes of an answer that came at once instead of streamed.
const WHOLE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Characters of a malformed chunk that are shown.
const SNIPPET_CHARS: usize = 80;

pub(crate) struct Attempt<'a> {
    pub endpoint: &'a Endpoint,
    pub patience: Patience,
    pub client: &'a Client,
}

/// What the bytes of a stream turned out to be.
enum Form {
    Unknown(Vec<u8>),
    Events(SseDecoder),
    Whole(Vec<u8>),
}

/// Whether more bytes are wanted.
#[derive(PartialEq, Eq)]
enum Want {
    More,
    /// The provider said `[DONE]`.
    Nothing,
}

impl Attempt<'_> {
    pub(crate) async fn run(&self, body: Vec<u8>, deltas: Deltas<'_>) -> Result<ModelReply, Setback> {
        let response = self.send(body).await?;
        let mut answer = Answer::default();
        match self.read(response, &mut answer, deltas).await {
            Ok(()) => Ok(answer.into_reply(&self.endpoint.model, deltas)),
            Err(failure) => Err(self.setback(failure)),
        }
    }

    async fn send(&self, body: Vec<u8>) -> Result<Response, Setback> {
        let give_up = |failure| Setback {
            failure,
            remedy: Remedy::None,
        };
        let url = address(self.endpoint, "/chat/completions").map_err(give_up)?;
        let request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream");
        let request = with_key(request, self.endpoint).map_err(give_up)?.body(body);
        let idle = Duration::from_millis(self.patience.idle_ms);
        let response = match tokio::time::timeout(idle, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.setback(below_http(&self.endpoint.provider, &error))),
            Err(_) => return Err(give_up(self.silence(self.patience.idle_ms))),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let failure = refusal(self.endpoint, response).await;
        let remedy = remedy(status, &headers, &failure);
        Err(Setback { failure, remedy })
    }

    /// What may help after a failure that came without a status.
    fn setback(&self, failure: ModelFailure) -> Setback {
        let wait = |reason| Remedy::Wait { asked: None, reason };
        let remedy = match failure.kind {
            FailureKind::Unreachable => wait(WaitReason::Unconnected),
            FailureKind::Cut | FailureKind::RateLimited | FailureKind::Overloaded => {
                wait(WaitReason::Struggling)
            }
            FailureKind::Key
            | FailureKind::Quota
            | FailureKind::Timeout
            | FailureKind::ContextLength
            | FailureKind::NoSuchModel
            | FailureKind::Malformed
            | FailureKind::Refused
            | FailureKind::Cancelled => Remedy::None,
        };
        Setback { failure, remedy }
    }

    async fn read(
        &self,
        mut response: Response,
        answer: &mut Answer,
        deltas: Deltas<'_>,
    ) -> Result<(), ModelFailure> {
        let mut form = Form::Unknown(Vec::new());
        let mut last_event = Instant::now();
        let mut events = Vec::new();
        loop {
            let patience_ms = if answer.is_finished() {
                self.patience.tail_ms
            } else {
                self.patience.idle_ms
            };
            let chunk = match tokio::time::timeout(Duration::from_millis(patience_ms), response.chunk()).await
            {
                Ok(Ok(chunk)) => chunk,
                Ok(Err(_)) | Err(_) if answer.is_finished() => return Ok(()),
                Ok(Err(error)) => {
                    return Err(failure(
                        FailureKind::Cut,
                        &self.endpoint.provider,
                        &below_http("", &error).detail,
                    ));
                }
                Err(_) => return Err(self.silence(patience_ms)),
            };
            match &chunk {
                Some(bytes) => self.take_bytes(&mut form, bytes, &mut events)?,
                None => self.take_end(&mut form, &mut events),
            }
            if !events.is_empty() {
                last_event = Instant::now();
            }
            for event in events.drain(..) {
                if self.take_event(&event, answer, deltas)? == Want::Nothing {
                    return Ok(());
                }
            }
            if chunk.is_none() {
                return self.end(form, answer, deltas);
            }
            if last_event.elapsed() > Duration::from_millis(self.patience.eventless_ms) {
                return Err(self.silence(self.patience.eventless_ms));
            }
        }
    }

    fn take_bytes(
        &self,
        form: &mut Form,
        bytes: &[u8],
        events: &mut Vec<SseEvent>,
    ) -> Result<(), ModelFailure> {
        if let Form::Unknown(held) = form {
            held.extend_from_slice(bytes);
            let Some(first) = held.iter().find(|byte| !byte.is_ascii_whitespace()) else {
                return Ok(());
            };
            let held_bytes = held.clone();
            *form = match *first {
                b'{' | b'[' | b'<' => Form::Whole(Vec::new()),
                _ => Form::Events(SseDecoder::default()),
            };
            return self.take_bytes(form, &held_bytes, events);
        }
        let too_long = |_: EventTooLong| {
            failure(
                FailureKind::Malformed,
                &self.endpoint.provider,
                "an event of the stream has no end",
            )
        };
        match form {
            Form::Unknown(_) => Ok(()),
            Form::Events(decoder) => decoder.push(bytes, events).map_err(too_long),
            Form::Whole(body) => {
                if body.len() + bytes.len() > WHOLE_BYTES_MAX {
                    return Err(failure(
                        FailureKind::Malformed,
                        &self.endpoint.provider,
                        "the answer is too long",
                    ));
                }
                body.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn take_end(&self, form: &mut Form, events: &mut Vec<SseEvent>) {
        match form {
            Form::Events(decoder) => decoder.finish(events),
            Form::Unknown(_) | Form::Whole(_) => {}
        }
    }

    fn take_event(
        &self,
        event: &SseEvent,
        answer: &mut Answer,
        deltas: Deltas<'_>,
    ) -> Result<Want, ModelFailure> {
        let text = event.data.trim();
        if text == "[DONE]" {
            return Ok(Want::Nothing);
        }
        if text.is_empty() {
            return Ok(Want::More);
        }
        match serde_json::from_str(text) {
            Ok(chunk) => self.take_chunk(&chunk, answer, deltas).map(|()| Want::More),
            Err(_) if event.name == "error" => Err(self.malformed("the stream reports an error", text)),
            Err(error) if error.is_eof() => Err(failure(
                FailureKind::Cut,
                &self.endpoint.provider,
                "the stream ended in the middle of an event",
            )),
            Err(_) => Err(self.malformed("an event of the stream is not JSON", text)),
        }
    }

    fn take_chunk(&self, chunk: &Value, answer: &mut Answer, deltas: Deltas<'_>) -> Result<(), ModelFailure> {
        answer.take(chunk, deltas).map_err(|fault| match fault {
            Fault::Complaint(mut complaint) => {
                complaint.message = without_key(self.endpoint, &complaint.message);
                from_complaint(&self.endpoint.provider, &complaint)
            }
            Fault::Other(kind, detail) => failure(kind, &self.endpoint.provider, &detail),
        })
    }

    /// Judges a stream that ended without `[DONE]`.
    fn end(&self, form: Form, answer: &mut Answer, deltas: Deltas<'_>) -> Result<(), ModelFailure> {
        let body = match form {
            Form::Events(_) if answer.is_finished() => return Ok(()),
            Form::Events(_) => {
                return Err(failure(
                    FailureKind::Cut,
                    &self.endpoint.provider,
                    "the stream ended before the answer did",
                ));
            }
            Form::Unknown(_) => {
                return Err(failure(
                    FailureKind::Cut,
                    &self.endpoint.provider,
                    "the answer is empty",
                ));
            }
            Form::Whole(body) => body,
        };
        let text = String::from_utf8_lossy(&body);
        let whole: Value = serde_json::from_str(&text).map_err(|error| {
            if error.is_eof() {
                return failure(FailureKind::Cut, &self.endpoint.provider, "the answer was cut");
            }
            self.malformed("neither a stream nor JSON", &text)
        })?;
        self.take_chunk(&whole, answer, deltas)?;
        if whole
            .get("choices")
            .and_then(Value::as_array)
            .is_none_or(Vec::is_empty)
        {
            return Err(self.malformed("the answer has no choices", &text));
        }
        Ok(())
    }

    fn malformed(&self, what: &str, text: &str) -> ModelFailure {
        let snippet: String = without_key(self.endpoint, text)
            .chars()
            .take(SNIPPET_CHARS)
            .collect();
        failure(
            FailureKind::Malformed,
            &self.endpoint.provider,
            &format!("{what}: {}", shorten(&snippet)),
        )
    }

    fn silence(&self, waited_ms: u64) -> ModelFailure {
        let detail = format!(
            "nothing came for {} s",
            Duration::from_millis(waited_ms).as_secs_f32()
        );
        failure(FailureKind::Timeout, &self.endpoint.provider, &detail)
    }
}
