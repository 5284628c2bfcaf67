//! OpenAI's chat completions, as many servers speak them, each a little differently.

mod answer;
mod think;
mod wire;

use crate::chat::{Endpoint, Reading, Wire, with_key};
pub(crate) use answer::ResponseReader;
pub(crate) use wire::{Dialect, Progress, UsageOption};

use reqwest::RequestBuilder;
use shidi_protocol::{ModelFailure, ModelRequest, Sampling};

/// The format of `/chat/completions`, in the dialect that a server is believed to understand.
pub(crate) struct OpenAi {
    dialect: Dialect,
}

impl OpenAi {
    pub(crate) fn of(provider: &str) -> Self {
        Self {
            dialect: Dialect::of(provider),
        }
    }

    /// The same wire, for a server that may report how much of the prompt is read.
    pub(crate) fn with_progress(self) -> Self {
        let progress = Progress::Asked;
        Self {
            dialect: Dialect {
                progress,
                ..self.dialect
            },
        }
    }
}

impl Wire for OpenAi {
    fn path(&self, _model: &str) -> String {
        "/chat/completions".to_owned()
    }

    fn surplus(&self) -> &'static [&'static str] {
        &["/chat/completions"]
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
        wire::body(request, model, sampling, self.dialect)
    }

    fn without(&self, refusal: &str) -> Option<Box<dyn Wire>> {
        let dialect = self.dialect.without(refusal)?;
        Some(Box::new(Self { dialect }))
    }

    fn asks_progress(&self) -> bool {
        self.dialect.progress == Progress::Asked
    }

    fn reading(&self, _request: &ModelRequest) -> Box<dyn Reading> {
        Box::new(ResponseReader::default())
    }
}
