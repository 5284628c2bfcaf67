//! Why a step did not come to its end while a workflow ran.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Failure {
    /// What the performer says, in its words.
    Performer {
        message: String,
    },
    /// Nothing could be done, and trying again changes nothing; what the performer says, in its words.
    Impossible {
        message: String,
    },
    /// The call was not allowed, and trying again changes nothing.
    Denied {
        message: String,
    },
    /// A person said no.
    Refused {
        reason: String,
    },
    TimedOut {
        limit_ms: u64,
    },
    /// A part that a value does not have.
    MissingPart {
        reference: String,
    },
    /// A result without a value that was declared.
    MissingOutput {
        output: String,
    },
    /// A result of another type than was declared.
    WrongType {
        output: String,
        wanted: String,
    },
    /// A time that is none.
    BadTime {
        written: String,
    },
    /// A condition that could not be told, in the library's words.
    BadCondition {
        message: String,
    },
    TooManyRounds {
        most: u64,
    },
    TooManySteps {
        most: u64,
    },
    TooLarge {
        most: u64,
    },
    /// A person said that a step whose end is unknown is given up.
    GivenUp,
}

impl Failure {
    /// Whether another try may end otherwise.
    #[must_use]
    pub fn is_worth_a_try(&self) -> bool {
        match self {
            Self::Performer { .. }
            | Self::TimedOut { .. }
            | Self::MissingOutput { .. }
            | Self::WrongType { .. } => true,
            Self::Impossible { .. }
            | Self::Denied { .. }
            | Self::Refused { .. }
            | Self::MissingPart { .. }
            | Self::BadTime { .. }
            | Self::BadCondition { .. }
            | Self::TooManyRounds { .. }
            | Self::TooManySteps { .. }
            | Self::TooLarge { .. }
            | Self::GivenUp => false,
        }
    }

    /// What steps of `on_error` see as `{error}`.
    #[must_use]
    pub fn value(&self, step: &str) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_else(|_| json!({}));
        if let Value::Object(map) = &mut value {
            map.insert("step".to_owned(), Value::String(step.to_owned()));
            let message = self.message();
            map.insert("message".to_owned(), Value::String(message));
        }
        value
    }

    /// What another party said of it; empty where the kind tells everything.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Performer { message }
            | Self::Impossible { message }
            | Self::Denied { message }
            | Self::BadCondition { message } => message.clone(),
            Self::Refused { reason } => reason.clone(),
            Self::TimedOut { .. }
            | Self::MissingPart { .. }
            | Self::MissingOutput { .. }
            | Self::WrongType { .. }
            | Self::BadTime { .. }
            | Self::TooManyRounds { .. }
            | Self::TooManySteps { .. }
            | Self::TooLarge { .. }
            | Self::GivenUp => String::new(),
        }
    }
}
