//! What a server asks its client in the middle of a request: a form, an answer of a model, folders.
//!
//! The words are said as the protocol has them. Whoever asks does not know in which era: [`crate::Exchange`] does.

use rmcp::model::{
    ClientCapabilities, ElicitationCapability, ErrorCode, ErrorData, InputRequest, InputRequiredResult,
};
use serde_json::{Value, json};
use shidi_locales::McpServer;
use std::collections::BTreeMap;

/// What a client may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionKind {
    Elicitation,
    Sampling,
    Roots,
}

/// A question, with its parameters as the protocol has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub kind: QuestionKind,
    pub params: Value,
}

/// Questions by the name under which each is answered.
pub type Questions = BTreeMap<String, Question>;

/// What a client has answered, by the names of its questions.
pub type Answers = BTreeMap<String, Value>;

/// Why a request has no result.
#[derive(Debug)]
pub enum Halt {
    Refused(Box<ErrorData>),
    /// The client answers questions first, and asks again with them.
    Asks(Box<InputRequiredResult>),
}

impl From<ErrorData> for Halt {
    fn from(refused: ErrorData) -> Self {
        Self::Refused(Box::new(refused))
    }
}

impl QuestionKind {
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation/create",
            Self::Sampling => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// The name of the capability that a client declares.
    fn capability(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }

    /// The refusal where a client has not declared it.
    pub(crate) fn undeclared(self, code: ErrorCode, say: McpServer) -> ErrorData {
        let capability = self.capability();
        let said = say.undeclared(capability);
        let required = json!({"requiredCapabilities": {capability: {}}});
        ErrorData::new(code, said, Some(required))
    }
}

impl Question {
    #[must_use]
    pub fn new(kind: QuestionKind, params: Value) -> Self {
        Self { kind, params }
    }

    /// Whether a client can be asked this.
    pub(crate) fn is_declared(&self, client: &ClientCapabilities) -> bool {
        match self.kind {
            QuestionKind::Elicitation => client.elicitation.as_ref().is_some_and(|can| self.has_mode(can)),
            QuestionKind::Sampling => client.sampling.is_some(),
            QuestionKind::Roots => client.roots.is_some(),
        }
    }

    /// A client that names no mode has forms.
    fn has_mode(&self, can: &ElicitationCapability) -> bool {
        match self.is_address() {
            true => can.url.is_some(),
            false => can.form.is_some() || can.url.is_none(),
        }
    }

    fn is_address(&self) -> bool {
        self.params["mode"] == "url"
    }

    /// Whether something has the shape of its answer.
    pub(crate) fn is_answered_by(&self, answer: &Value) -> bool {
        match self.kind {
            QuestionKind::Elicitation => match answer["action"].as_str() {
                Some("accept") => self.is_address() || answer["content"].is_object(),
                Some("decline" | "cancel") => true,
                Some(_) | None => false,
            },
            QuestionKind::Sampling => {
                let content = &answer["content"];
                answer["role"].is_string() && (content.is_object() || content.is_array())
            }
            QuestionKind::Roots => answer["roots"].is_array(),
        }
    }

    /// The question as it stands in a result of the newer era.
    ///
    /// # Errors
    /// Its parameters are not those of the protocol.
    pub(crate) fn as_input(&self) -> Result<InputRequest, ErrorData> {
        let said = json!({"method": self.kind.method(), "params": self.params});
        serde_json::from_value(said).map_err(|cause| ErrorData::internal_error(cause.to_string(), None))
    }
}

#[cfg(test)]
mod tests;
