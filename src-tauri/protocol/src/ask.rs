//! A question with everything that comes along, from the panel, the command line or another program.

use crate::{CallId, ContentPart, GivenProgram, Mode, PageRef, Replay, RunId, SessionId, WorkflowTask};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use ts_rs::TS;

/// A question or task, with everything that goes with it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct Ask {
    pub text: String,
    /// The assistant that is asked. `None` is the session's own; in a new session, the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub assistant: Option<String>,
    /// The text piped into the command line: data, whoever wrote it. Where `text` is empty, the piped text is
    /// the question too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub piped: Option<String>,
    /// The session to go on with; `None` starts a new one.
    pub session: Option<SessionId>,
    /// Absolute paths of files that the user attached.
    pub files: Vec<String>,
    /// Ids of [`ScreenView`]s that go along with the question.
    pub screens: Vec<String>,
    /// The part of each view's content that goes along, by the view's id. A view that is not named sends its own
    /// choice.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, ContentPart>,
    /// The page in front of the user. Programs of this task may call its tools where its site is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub page: Option<PageRef>,
    /// The question that was offered about that page, and whether it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offered: Option<OfferedGuess>,
    /// A sensory snapshot (`--context FILE.json`).
    #[ts(type = "unknown")]
    pub context: Option<Value>,
    /// Absolute paths of granted work folders.
    pub folders: Vec<String>,
    pub mode: Option<Mode>,
    /// Nobody is there to decide while something waits. So a host that a command wants is refused at once, not asked
    /// about.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub unattended: bool,
    /// Families approved beforehand: `toolkit.method(arg=glob, …)`.
    pub approve: Vec<String>,
    /// Only calls that `approve` names may happen without asking. A permission from elsewhere does not count: an
    /// *always*, the assistant's file, a workflow's file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub own_list: bool,
    pub max_rounds: Option<u32>,
    pub max_tokens: Option<u32>,
    /// Most US dollars, where the model has a known price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_usd: Option<f64>,
    /// Wall clock in seconds.
    pub timeout_s: Option<u32>,
    /// Overrides of the configuration for this run: `model`, `model_url`, `provider`, `format`, `role.fast`, ….
    pub overrides: BTreeMap<String, String>,
    /// The code of the language of the surroundings, for a question that does not tell its own.
    pub language: Option<String>,
    /// Takes the files, folders and snapshot of this earlier run in place of those above.
    pub again: Option<RunId>,
    /// Does the same as `again` and makes this run another version of that run: both follow the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instead: Option<RunId>,
    /// Runs the programs of a finished run again, in its session, in place of asking a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<Replay>")]
    pub replay: Option<Box<Replay>>,
    /// The user's own program, which is run in place of asking a model; only the runtime sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub program: Option<Box<GivenProgram>>,
    /// The run that this sub-agent works for; only the runtime sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub under: Option<Box<Under>>,
    /// The step of a workflow that the program works for; only the runtime sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub task: Option<Box<WorkflowTask>>,
}

/// A question that a rule found for the page in front, which its user took or passed over for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OfferedGuess {
    /// The rule that found it.
    pub guess: String,
    /// As it was offered.
    pub words: String,
    pub taken: bool,
}

impl Ask {
    /// The question: the user's words, or the piped text where there are none.
    #[must_use]
    pub fn question(&self) -> &str {
        match (&self.piped, self.text.trim().is_empty()) {
            (Some(piped), true) => piped,
            (Some(_) | None, _) => &self.text,
        }
    }

    /// Whether the question is the user's own words. A model wrote a sub-agent's task, and anybody may have written a
    /// piped text. A replay may have come with a stranger's session.
    #[must_use]
    pub fn is_users_own(&self) -> bool {
        self.under.is_none() && self.piped.is_none() && self.replay.is_none()
    }

    /// Whether somebody is there who decides while a command waits. Of a sub-agent the user sees what rests alone.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        !self.unattended && self.under.is_none()
    }

    /// Whether the question itself was piped in.
    #[must_use]
    pub fn asks_what_was_piped(&self) -> bool {
        self.piped.is_some() && self.text.trim().is_empty()
    }
}

/// The run that a sub-agent works for, and its conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Under {
    pub run: RunId,
    pub call: CallId,
    /// The toolkits chosen for the sub-agent; empty for all of them.
    #[serde(default)]
    pub toolkits: Vec<String>,
    /// Whether the sub-agent's task derives from text that the user did not write.
    #[serde(default)]
    pub tainted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_is_replayed_is_not_the_users_own() {
        let ask = Ask {
            text: "Which day is it?".to_owned(),
            ..Ask::default()
        };
        assert!(ask.is_users_own());
        let replayed = Ask {
            replay: Some(Box::new(Replay {
                run: RunId::from("r"),
                inputs: Default::default(),
            })),
            ..ask.clone()
        };
        assert!(!replayed.is_users_own(), "it may be a stranger's");
        let piped = Some("a page".to_owned());
        assert!(!Ask { piped, ..ask }.is_users_own());
    }
}
