//! The parts of a session beside its conversation: variables of its programs and background jobs.

use crate::{Moment, Request, RunId, SessionId, TypedRequest, reply};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A request about the variables of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "action", rename_all = "snake_case")]
#[ts(export)]
pub enum VariableRequest {
    List,
    /// The whole value of one.
    Show {
        name: String,
    },
    /// Takes one away, from the record and from the worker that holds it.
    Delete {
        name: String,
    },
}

/// Writes the requests of a session's part: an action, and the session beside it.
macro_rules! of_session {
    ($module:ident, $Kind:ident, $Requests:ident: $($Name:ident { $($field:ident),* } -> $Answer:ident),+) => {
        #[doc = concat!("The requests of [`super::", stringify!($Requests), "`], each with its session.")]
        pub mod $module {
            use super::*;

            $(
                #[doc = concat!("See [`", stringify!($Requests), "::", stringify!($Name), "`].")]
                #[derive(Debug, Clone, PartialEq, Eq)]
                pub struct $Name {
                    pub session: SessionId,
                    $(pub $field: String,)*
                }

                impl From<$Name> for Request {
                    fn from(request: $Name) -> Self {
                        let $Name { session, $($field),* } = request;
                        let action = $Requests::$Name { $($field),* };
                        Self::$Kind { session, action }
                    }
                }

                impl TypedRequest for $Name {
                    type Reply = reply::$Answer;
                }
            )+

            /// Each request with its reply.
            #[cfg(test)]
            pub(crate) const PAIRS: &[crate::macros::Pair] = &[$((stringify!($Name), stringify!($Answer))),+];
        }
    };
}

of_session!(variables, Variables, VariableRequest: List {} -> Variables, Show { name } -> Variable, Delete { name } -> Variables);
of_session!(jobs, Jobs, JobRequest: List {} -> Jobs, Stop { job } -> Jobs);

/// The value of a variable, as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct VariableValue {
    pub name: String,
    /// A text as it is, everything else as JSON; what has no form in JSON as Python shows it.
    pub text: String,
    /// Whether there is more of it than this.
    pub cut: bool,
}

/// What to do with the background jobs of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "action", rename_all = "snake_case")]
#[ts(export)]
pub enum JobRequest {
    List,
    Stop { job: String },
}

/// The state of a background job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum JobState {
    Running,
    Ended,
    /// The job's supervisor is gone.
    Lost,
}

/// A background job as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JobView {
    pub id: String,
    pub session: SessionId,
    pub run: RunId,
    pub command: String,
    pub state: JobState,
    /// The kind of the end: `exit`, `timeout`, `memory`, `processes` or `stopped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub how: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exit_code: Option<i32>,
    #[ts(type = "string")]
    pub began: Moment,
    /// The time of the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub ended: Option<Moment>,
    /// The last lines of the output.
    pub lines: String,
    /// What the job may reach of the network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub hosts: Vec<String>,
}
