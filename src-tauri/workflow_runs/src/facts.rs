//! What of a run stays as it was when the run began: the file with its functions, the values, what it may do.

use crate::shelf::Shelved;
use serde::{Deserialize, Serialize};
use shidi_locales::Language;
use shidi_protocol::{Ask, CallId, GivenProgram, JsonMap, Mode, RunId, SessionId, WorkflowTask};
use shidi_space::home::fnv1a;
use shidi_workflow::{AttemptId, Workflow};

/// Characters of a run's id that the session of a step's program begins with; the number of the attempt is the rest.
const RUN_CHARACTERS: usize = 26;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub title: String,
    /// How faults name the file.
    pub file: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions: Option<String>,
    pub inputs: JsonMap,
    pub folders: Vec<String>,
    /// Families approved beforehand.
    pub approve: Vec<String>,
    /// Whether nothing else is allowed.
    #[serde(default)]
    pub own_list: bool,
    pub mode: Option<Mode>,
    /// The assistant of the run that called, whose bounds hold for every step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<String>,
    /// Whether nobody is there to decide while a command waits.
    #[serde(default)]
    pub unattended: bool,
    /// What its programs may call at most, where it is a tool of a plugin or was called by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Vec<String>>,
    /// The code of the language of whoever started it.
    pub language: String,
    /// The program's call that started it; `None` for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<StartedBy>,
}

/// Who starts a run, and on what terms.
pub struct Terms {
    pub folders: Vec<String>,
    pub approve: Vec<String>,
    pub own_list: bool,
    pub mode: Option<Mode>,
    pub assistant: Option<String>,
    pub unattended: bool,
    pub bounds: Vec<Vec<String>>,
    pub by: Option<StartedBy>,
}

impl Facts {
    /// What is kept of a file as it is when it is started.
    pub fn of(
        (shelved, workflow): (&Shelved, &Workflow),
        inputs: &JsonMap,
        language: Language,
        terms: Terms,
    ) -> Self {
        Self {
            title: workflow.name.clone(),
            file: shelved.shown_as.clone(),
            text: shelved.text.clone(),
            functions: shelved.functions.clone(),
            inputs: inputs.clone(),
            folders: terms.folders,
            approve: terms.approve,
            own_list: terms.own_list,
            mode: terms.mode,
            assistant: terms.assistant,
            unattended: terms.unattended,
            bounds: terms.bounds,
            language: language.code().to_owned(),
            by: terms.by,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedBy {
    pub run: RunId,
    pub call: CallId,
}

/// The run that a call begins: the same for the same call after a restart. Its first digits tell it apart from every other
/// one, since the sessions of its steps are named by them.
pub fn run_of(caller: &RunId, call: CallId) -> RunId {
    let own = fnv1a(format!("workflow {caller} {}", call.0).as_bytes()) >> 8;
    let time = caller.as_str().get(..12).unwrap_or_default();
    RunId::from(format!("{time}{own:014x}{:06x}", call.0 & 0x00ff_ffff))
}

/// The session in which the program of an attempt runs: found again by whoever goes on with the run.
pub fn session_of(run: &RunId, attempt: AttemptId) -> SessionId {
    let run = run.as_str().get(..RUN_CHARACTERS).unwrap_or(run.as_str());
    SessionId::from(format!("{run}{:06x}", attempt.0))
}

/// How the id of the run begins by which a session of a step's program is named.
pub fn run_part(session: &SessionId) -> &str {
    let session = session.as_str();
    session.get(..RUN_CHARACTERS).unwrap_or(session)
}

impl Facts {
    /// The question in whose place a step's program stands.
    pub fn ask(&self, step: &str, source: String, task: WorkflowTask) -> Ask {
        let session = session_of(&task.run, AttemptId(task.attempt));
        Ask {
            text: format!("{}: {step}", self.title),
            session: Some(session),
            folders: self.folders.clone(),
            approve: self.approve.clone(),
            own_list: self.own_list,
            mode: self.mode,
            assistant: self.assistant.clone(),
            unattended: self.unattended,
            language: Some(self.language.clone()),
            program: Some(Box::new(GivenProgram {
                source,
                limit_time_s: None,
                limit_memory_mb: None,
            })),
            task: Some(Box::new(task)),
            ..Ask::default()
        }
    }
}
