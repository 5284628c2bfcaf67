//! Anthropic's Messages.
//!
//! Differences from other formats: the system prompt stands apart, and tool results are part of the user's
//! turn. Blank texts are refused, an answer needs a limit, and the caller marks blocks for the cache. Models
//! that decide themselves how long they think are asked for summed-up thoughts, which are shown and never sent
//! back.

mod answer;
mod wire;

use crate::chat::{Endpoint, Reading, Wire, with_key};
use answer::ResponseReader;
use reqwest::RequestBuilder;
use shidi_protocol::{ModelFailure, ModelRequest, Sampling};
use wire::Thoughts;

/// The version of the interface; other headers ask for newer features.
const VERSION: &str = "2023-06-01";

/// The format of `/v1/messages`.
pub(crate) struct Anthropic {
    thoughts: Thoughts,
}

impl Anthropic {
    pub(crate) fn of(model: &str) -> Self {
        Self {
            thoughts: Thoughts::of(model),
        }
    }
}

impl Wire for Anthropic {
    fn path(&self, _model: &str) -> String {
        "/v1/messages".to_owned()
    }

    fn surplus(&self) -> &'static [&'static str] {
        &["/messages", "/v1"]
    }

    fn headed(&self, request: RequestBuilder, endpoint: &Endpoint) -> Result<RequestBuilder, ModelFailure> {
        with_key(
            request.header("anthropic-version", VERSION),
            endpoint,
            "x-api-key",
            "",
        )
    }

    fn body(
        &self,
        request: &ModelRequest,
        model: &str,
        sampling: Sampling,
    ) -> Result<Vec<u8>, serde_json::Error> {
        wire::body(request, model, sampling, self.thoughts)
    }

    /// The format knows no seed and no penalties, and nothing of it beside thoughts.
    fn taken(&self, sampling: Sampling) -> Sampling {
        match self.thoughts {
            Thoughts::LeftOut => Sampling {
                temperature: sampling.temperature,
                top_p: sampling.top_p,
                ..Sampling::default()
            },
            Thoughts::SummedUp => Sampling::default(),
        }
    }

    fn without(&self, refusal: &str) -> Option<Box<dyn Wire>> {
        let thoughts = self.thoughts.without(refusal)?;
        Some(Box::new(Self { thoughts }))
    }

    fn reading(&self, _request: &ModelRequest) -> Box<dyn Reading> {
        Box::new(ResponseReader::default())
    }
}
