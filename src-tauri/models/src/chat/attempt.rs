//! One attempt at an answer: request, response head, stream, end.
//!
//! A stream is complete when the provider gave a finish reason or its last event. A stream that just ends was
//! cut.

use super::retry::{Remedy, Setback, WaitReason, remedy};
use super::sse::{EventTooLong, SseDecoder, SseEvent};
use super::transport::{address, below_http, is_loopback, refusal, without_key};
use super::{Endpoint, Fault, Reading, StreamEvent, Timeouts, Wire};
use crate::Deltas;
use crate::failure::{failure, from_complaint, own_failure, shorten, worded_failure};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Response, Url};
use serde_json::Value;
use shidi_locales::Models as Sentences;
use shidi_protocol::{FailureKind, ModelFailure};
use std::time::Duration;
use tokio::time::Instant;

/// Most bytes of an answer that came whole instead of streamed.
const WHOLE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The preset whose server reports how much of a prompt is read.
const TELLS_PROGRESS: &str = "llamacpp";
/// Characters of a malformed chunk that are shown.
const SNIPPET_CHARS: usize = 80;

pub(crate) struct Attempt<'a> {
    pub endpoint: &'a Endpoint,
    pub wire: &'a dyn Wire,
    pub patience: Timeouts,
    pub client: &'a Client,
}

/// The form that the bytes of a stream turned out to have.
enum Form {
    Unknown(Vec<u8>),
    Events(SseDecoder),
    Whole(Vec<u8>),
}

/// Whether a server that has said nothing yet may read the prompt for long. True for a server known to report
/// its progress, or one on this machine. Any other server must report first; llama.cpp's does so at once.
fn reads_in_silence(endpoint: &Endpoint, wire: &dyn Wire) -> bool {
    let is_here = || Url::parse(&endpoint.base_url).is_ok_and(|url| is_loopback(&url));
    wire.asks_progress() && (endpoint.provider == TELLS_PROGRESS || is_here())
}

impl Attempt<'_> {
    /// Reads an answer to its end. After a break, `answer` holds the pieces that came.
    pub(crate) async fn run(
        &self,
        body: Vec<u8>,
        answer: &mut dyn Reading,
        deltas: Deltas<'_>,
    ) -> Result<(), Setback> {
        let response = self.send(body).await?;
        let read = self.read(response, answer, deltas).await;
        read.map_err(|failure| self.setback(failure))
    }

    async fn send(&self, body: Vec<u8>) -> Result<Response, Setback> {
        let give_up = |failure| Setback {
            failure,
            remedy: Remedy::None,
        };
        let path = self.wire.path(&self.endpoint.model);
        let url = address(self.endpoint, self.wire.surplus(), &path).map_err(give_up)?;
        let request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream");
        let request = self
            .wire
            .headed(request, self.endpoint)
            .map_err(give_up)?
            .body(body);
        let idle_ms = if reads_in_silence(self.endpoint, self.wire) {
            self.patience.prompt_ms()
        } else {
            self.patience.idle_ms
        };
        let idle = Duration::from_millis(idle_ms);
        let response = match tokio::time::timeout(idle, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.setback(below_http(&self.endpoint.provider, &error))),
            Err(_) => return Err(give_up(self.silence(idle_ms))),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let refused = refusal(self.endpoint, response).await;
        let remedy = remedy(status, &headers, &refused);
        Err(Setback {
            failure: refused.failure,
            remedy,
        })
    }

    /// The remedy for a failure that came without a status.
    fn setback(&self, failure: ModelFailure) -> Setback {
        let wait = |reason| Remedy::Wait { asked: None, reason };
        let remedy = match failure.kind {
            FailureKind::Unreachable => wait(WaitReason::Unconnected),
            FailureKind::Cut
            | FailureKind::RateLimited
            | FailureKind::Overloaded
            | FailureKind::ServerError => wait(WaitReason::Struggling),
            FailureKind::Key
            | FailureKind::NoKey
            | FailureKind::KeysLocked
            | FailureKind::Budget
            | FailureKind::Quota
            | FailureKind::Timeout
            | FailureKind::ContextLength
            | FailureKind::NoSuchModel
            | FailureKind::Malformed
            | FailureKind::Refused
            | FailureKind::Unserved
            | FailureKind::Cancelled => Remedy::None,
        };
        Setback { failure, remedy }
    }

    async fn read(
        &self,
        mut response: Response,
        answer: &mut dyn Reading,
        deltas: Deltas<'_>,
    ) -> Result<(), ModelFailure> {
        let mut form = Form::Unknown(Vec::new());
        let mut last_event = Instant::now();
        let mut reads_prompt = reads_in_silence(self.endpoint, self.wire);
        let mut events = Vec::new();
        loop {
            let patience_ms = if answer.is_finished() {
                self.patience.tail_ms
            } else if reads_prompt {
                self.patience.prompt_ms()
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
                        &below_http("", &error).detail.to_string(),
                    ));
                }
                Err(_) => return Err(self.silence(patience_ms)),
            };
            match &chunk {
                Some(bytes) => self.take_bytes(&mut form, bytes, &mut events)?,
                None => self.take_end(&mut form, &mut events),
            }
            for event in events.drain(..) {
                match self.take_event(&event, answer, deltas)? {
                    StreamEvent::Something => (last_event, reads_prompt) = (Instant::now(), false),
                    StreamEvent::Prompt => (last_event, reads_prompt) = (Instant::now(), true),
                    StreamEvent::Ping => {}
                    StreamEvent::End => return Ok(()),
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
            own_failure(
                FailureKind::Malformed,
                &self.endpoint.provider,
                Sentences::event_without_end,
            )
        };
        match form {
            Form::Unknown(_) => Ok(()),
            Form::Events(decoder) => decoder.push(bytes, events).map_err(too_long),
            Form::Whole(body) => {
                if body.len() + bytes.len() > WHOLE_BYTES_MAX {
                    return Err(own_failure(
                        FailureKind::Malformed,
                        &self.endpoint.provider,
                        Sentences::answer_too_long,
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
        answer: &mut dyn Reading,
        deltas: Deltas<'_>,
    ) -> Result<StreamEvent, ModelFailure> {
        let text = event.data.trim();
        if text == "[DONE]" {
            return Ok(StreamEvent::End);
        }
        if text.is_empty() {
            return Ok(StreamEvent::Ping);
        }
        match serde_json::from_str(text) {
            Ok(chunk) => self.take_chunk(&chunk, answer, deltas),
            Err(_) if event.name == "error" => {
                Err(self.malformed(text, |say, text| say.stream_reports_error(text)))
            }
            Err(error) if error.is_eof() => Err(own_failure(
                FailureKind::Cut,
                &self.endpoint.provider,
                Sentences::stream_cut_in_event,
            )),
            Err(_) => Err(self.malformed(text, |say, text| say.event_not_json(text))),
        }
    }

    fn take_chunk(
        &self,
        chunk: &Value,
        answer: &mut dyn Reading,
        deltas: Deltas<'_>,
    ) -> Result<StreamEvent, ModelFailure> {
        let provider = &self.endpoint.provider;
        answer.take(chunk, deltas).map_err(|fault| match fault {
            Fault::Complaint(mut complaint) => {
                complaint.message = without_key(self.endpoint, &complaint.message);
                from_complaint(provider, &complaint)
            }
            Fault::Other(kind, detail) => worded_failure(
                kind,
                provider,
                detail.map(|text| without_key(self.endpoint, text)),
            ),
        })
    }

    /// Decides whether a stream that ended without its last event is complete.
    fn end(&self, form: Form, answer: &mut dyn Reading, deltas: Deltas<'_>) -> Result<(), ModelFailure> {
        let cut =
            |say: fn(Sentences) -> &'static str| own_failure(FailureKind::Cut, &self.endpoint.provider, say);
        let body = match form {
            Form::Events(_) if answer.is_finished() => return Ok(()),
            Form::Events(_) => {
                return Err(cut(Sentences::stream_cut));
            }
            Form::Unknown(_) => return Err(cut(Sentences::answer_empty)),
            Form::Whole(body) => body,
        };
        let text = String::from_utf8_lossy(&body);
        let whole: Value = serde_json::from_str(&text).map_err(|error| {
            if error.is_eof() {
                return cut(Sentences::answer_cut);
            }
            self.malformed(&text, |say, text| say.neither_stream_nor_json(text))
        })?;
        self.take_chunk(&whole, answer, deltas)?;
        if !answer.is_answer(&whole) {
            return Err(self.malformed(&text, |say, text| say.answer_without_content(text)));
        }
        Ok(())
    }

    fn malformed(&self, text: &str, say: impl Fn(Sentences, &str) -> String) -> ModelFailure {
        let snippet: String = without_key(self.endpoint, text)
            .chars()
            .take(SNIPPET_CHARS)
            .collect();
        let snippet = shorten(&snippet);
        own_failure(FailureKind::Malformed, &self.endpoint.provider, |sentences| {
            say(sentences, &snippet)
        })
    }

    fn silence(&self, waited_ms: u64) -> ModelFailure {
        let seconds = Duration::from_millis(waited_ms).as_secs_f32();
        own_failure(FailureKind::Timeout, &self.endpoint.provider, |say| {
            say.nothing_came(seconds)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openai::OpenAi;

    #[test]
    fn only_a_server_that_tells_of_its_reading_or_is_here_is_waited_for_longer() {
        let asked = |provider: &str, base_url: &str| {
            let endpoint = Endpoint {
                provider: provider.to_owned(),
                base_url: base_url.to_owned(),
                model: String::new(),
                key: None,
                socket: None,
            };
            reads_in_silence(&endpoint, &OpenAi::of(provider).with_progress())
        };
        assert!(asked("llamacpp", "http://192.168.1.5:8080/v1"));
        assert!(asked("custom", "http://127.0.0.1:8000/v1"));
        assert!(!asked("custom", "http://192.168.1.5:8000/v1"));
        assert!(!asked("custom", "http://server.local/v1"));
    }
}
