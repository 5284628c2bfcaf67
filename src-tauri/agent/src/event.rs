//! What reaches the mind from outside.

use crate::situation::Decided;
use shidi_protocol::{
    Attachment, Call, CallId, CallOutcome, Class, ModelFailure, ModelReply, ToolkitSpec, Usage, UserError,
    VariablePreview,
};

/// Something that happened, with everything the mind needs to know of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The user asks: the run begins.
    Asked(Arrival),
    /// The program was started again and the run is to go on from its record.
    Resumed,
    /// The user adds something while the run is at work; the next round sees it.
    Said(Arrival),
    ModelAnswered {
        reply: ModelReply,
    },
    ModelFailed {
        failure: ModelFailure,
    },
    /// Toolkits came, changed, went or were switched: what programs may call from now on.
    Equipped {
        toolkits: Vec<ToolkitSpec>,
    },
    /// The check found mistakes; nothing ran.
    ProgramRefused {
        findings: Vec<Finding>,
    },
    ProgramEnded(ProgramEnd),
    /// No program can be run here, whatever the model writes: the run ends and the user is told what to mend.
    ProgramsImpossible {
        error: UserError,
    },
    /// The program asks for a call. The id of `call` is the mind's to give: what comes in is 0.
    CallRequested {
        call: Call,
        class: Class,
    },
    CallReturned {
        call: CallId,
        outcome: CallOutcome,
    },
    /// A call is performed by somebody who waits for a person: until it returns, the run rests with it.
    CallRests {
        call: CallId,
    },
    /// The one who waited for a person goes on.
    CallGoesOn {
        call: CallId,
    },
    /// The user wants the conversation shortened: in a run that is at work before its next step, else in one of its own.
    CompactAsked {
        language: String,
    },
    /// A model was asked for the sake of a call.
    Spent {
        usage: Usage,
    },
    /// A background job of the session has ended while nobody waited for it.
    JobEnded {
        job: String,
        text: String,
    },
    /// Every open call waits for a person: the program can't go on.
    ProgramWaits,
    /// A person approved, refused or answered what waits.
    Decided {
        call: CallId,
        decision: Decided,
    },
    Cancelled,
    /// The run's own time limit has passed.
    TimedOut,
    /// The record can't be written; nothing more may be promised.
    StorageFailed {
        message: String,
    },
}

impl Event {
    /// Whether it ends what [`crate::Effect::begins_work`] has begun.
    #[must_use]
    pub fn ends_work(&self) -> bool {
        match self {
            Self::ModelAnswered { .. }
            | Self::ModelFailed { .. }
            | Self::ProgramRefused { .. }
            | Self::ProgramEnded(_)
            | Self::ProgramsImpossible { .. } => true,
            Self::Asked(_)
            | Self::Resumed
            | Self::Said(_)
            | Self::Equipped { .. }
            | Self::CallRequested { .. }
            | Self::CallReturned { .. }
            | Self::CallRests { .. }
            | Self::CallGoesOn { .. }
            | Self::CompactAsked { .. }
            | Self::Spent { .. }
            | Self::JobEnded { .. }
            | Self::ProgramWaits
            | Self::Decided { .. }
            | Self::Cancelled
            | Self::TimedOut
            | Self::StorageFailed { .. } => false,
        }
    }
}

/// A question with what came along.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrival {
    pub text: String,
    pub surroundings: Vec<Surroundings>,
    pub attachments: Vec<Attachment>,
    /// `zh` or `en` of the user's surroundings, when the question does not tell.
    pub language: Option<String>,
    /// What the user is told about it.
    pub notices: Vec<Notice>,
}

/// Something that the user is told plainly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// `screen`, `context`, …
    pub source: String,
    pub text: String,
}

/// One piece of context: an attached file, a page, a recalled note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// `file`, `page`, `selection`, `memory`, …
    pub source: String,
    pub title: String,
    pub url: Option<String>,
    /// What the model reads of it.
    pub text: String,
    /// Whether somebody else wrote it.
    pub untrusted: bool,
}

/// A mistake found before a program ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the Python exception it would have raised.
    pub kind: String,
    pub message: String,
    /// From 1.
    pub line: u32,
    /// `did you mean …`
    pub hint: Option<String>,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramEnd {
    pub stdout: String,
    /// Text form of the value of the last expression, unless that was `None`.
    pub value: Option<String>,
    /// Traceback and message, if it failed.
    pub error: Option<String>,
    /// All live variables of the session.
    pub variables: Vec<VariablePreview>,
    /// Milliseconds of wall clock, waits for people left out.
    pub wall_ms: u64,
    /// Milliseconds of the processor.
    pub cpu_ms: u64,
    /// The most that the interpreter held.
    pub memory_bytes: u64,
    /// The worker or its record diverged from what was recorded before a restart: nothing more may be assumed.
    pub diverged: bool,
}
