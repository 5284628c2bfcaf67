//! A question with everything that comes along, as the panel, the command line or another program asks it.

use crate::{CallId, Mode, PageRef, Replay, RunId, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A question or task, with everything that goes with it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct Ask {
    pub text: String,
    /// Who is asked; `None` is whoever the session is with, the usual one in a new session.
    #[ts(optional)]
    pub assistant: Option<String>,
    /// What was piped into the command line: data, whoever wrote it. Where `text` is empty it is the question as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub piped: Option<String>,
    /// `None` starts a new session.
    pub session: Option<SessionId>,
    /// Absolute paths of files that the user attached.
    pub files: Vec<String>,
    /// Ids of [`ScreenView`]s that go with it.
    pub screens: Vec<String>,
    /// The page in front of the user, whose tools programs of this task may call where its site is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub page: Option<PageRef>,
    /// A sensory snapshot (`--context FILE.json`).
    #[ts(type = "unknown")]
    pub context: Option<Value>,
    /// Absolute paths of granted work folders.
    pub folders: Vec<String>,
    pub mode: Option<Mode>,
    /// Families approved beforehand: `toolkit.method(arg=glob, …)`.
    pub approve: Vec<String>,
    pub max_rounds: Option<u32>,
    pub max_tokens: Option<u32>,
    /// Wall clock in seconds.
    pub timeout_s: Option<u32>,
    /// Overrides of the configuration for this run: `model`, `model_url`, `provider`, `format`, `role.fast`, ….
    pub overrides: std::collections::BTreeMap<String, String>,
    /// `zh` or `en`: the language of the surroundings, used when the question does not tell.
    pub language: Option<String>,
    /// Takes what went along with this earlier run: its files, folders and snapshot, in place of those above.
    pub again: Option<RunId>,
    /// Runs the programs of a finished run again, in its session, in place of asking a model.
    #[ts(optional, as = "Option<Replay>")]
    pub replay: Option<Box<Replay>>,
    /// Set by the runtime alone: the run is a sub-agent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub under: Option<Box<Under>>,
}

impl Ask {
    /// What is asked: the user's words, or where there are none, what was piped in.
    #[must_use]
    pub fn question(&self) -> &str {
        match (&self.piped, self.text.trim().is_empty()) {
            (Some(piped), true) => piped,
            (Some(_) | None, _) => &self.text,
        }
    }

    /// Whether the question itself was piped in.
    #[must_use]
    pub fn asks_what_was_piped(&self) -> bool {
        self.piped.is_some() && self.text.trim().is_empty()
    }
}

/// What a sub-agent works for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Under {
    pub run: RunId,
    pub call: CallId,
    /// Toolkits that were chosen for it; all of them when there are none.
    #[serde(default)]
    pub toolkits: Vec<String>,
    /// Whether what it is told derives from what the user did not write.
    #[serde(default)]
    pub tainted: bool,
}
