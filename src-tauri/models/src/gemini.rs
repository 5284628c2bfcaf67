//! Google's Gemini, `generateContent` streamed.
//!
//! Differences from other formats: the model stands in the path, and a call has no lasting id. Arguments come
//! whole, and thoughts are marked parts. Newer models refuse an earlier call without the signature of its
//! thought. Our transcript keeps programs, not signatures, so such calls carry Google's own word for a missing
//! one.

mod answer;
mod wire;

use crate::chat::{Endpoint, Reading, Wire, path_piece, with_key};
use answer::ResponseReader;
use reqwest::RequestBuilder;
use shidi_protocol::{ModelFailure, ModelRequest, Sampling};
use wire::Dialect;

/// The format of `/v1beta/models/NAME:streamGenerateContent`.
pub(crate) struct Gemini {
    dialect: Dialect,
}

impl Gemini {
    pub(crate) fn of(model: &str) -> Self {
        Self {
            dialect: Dialect::of(model),
        }
    }
}

impl Wire for Gemini {
    fn path(&self, model: &str) -> String {
        let model = model.strip_prefix("models/").unwrap_or(model);
        format!(
            "/v1beta/models/{}:streamGenerateContent?alt=sse",
            path_piece(model)
        )
    }

    fn surplus(&self) -> &'static [&'static str] {
        &["/models", "/v1beta", "/v1"]
    }

    fn headed(&self, request: RequestBuilder, endpoint: &Endpoint) -> Result<RequestBuilder, ModelFailure> {
        with_key(request, endpoint, "x-goog-api-key", "")
    }

    fn body(
        &self,
        request: &ModelRequest,
        _model: &str,
        sampling: Sampling,
    ) -> Result<Vec<u8>, serde_json::Error> {
        wire::body(request, sampling, self.dialect)
    }

    fn without(&self, refusal: &str) -> Option<Box<dyn Wire>> {
        let dialect = self.dialect.without(refusal)?;
        Some(Box::new(Self { dialect }))
    }

    fn reading(&self, request: &ModelRequest) -> Box<dyn Reading> {
        Box::new(ResponseReader::expecting(
            request.tools.first().map(|tool| tool.name.clone()),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_can_not_leave_its_place_in_the_path() {
        let wire = Gemini::of("x");
        assert_eq!(
            wire.path("models/gemini-3.1-pro"),
            "/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse"
        );
        assert_eq!(
            wire.path("../../x?key=模"),
            "/v1beta/models/..%2F..%2Fx%3Fkey%3D%E6%A8%A1:streamGenerateContent?alt=sse"
        );
    }
}
