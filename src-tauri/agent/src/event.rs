//! Events: everything that reaches the mind from outside.

use crate::passages::FoundPassage;
use shidi_protocol::{
    Attachment, Call, CallId, CallOutcome, Class, ContextPiece, ModelFailure, ModelReply, PartialReply,
    ToolkitSpec, Usage, UserError, VariablePreview,
};

/// Something that happened, with everything the mind must know about the event.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The user asks: the run begins.
    Asked(UserInput),
    /// The program was started again and the run is to go on from its record.
    Resumed,
    /// The user adds something while the run is at work; the next round sees it.
    Said(UserInput),
    ModelAnswered {
        reply: ModelReply,
    },
    ModelFailed {
        failure: ModelFailure,
    },
    /// The process ended in the middle of an answer: what had come of it, by the record. The run itself may go on later.
    BrokeOff {
        partial: Box<PartialReply>,
    },
    /// Toolkits came, changed, went or were switched: what programs may call from now on.
    ToolkitsChanged {
        toolkits: Vec<ToolkitSpec>,
    },
    /// The check found mistakes; nothing ran.
    ProgramRefused {
        findings: Vec<Finding>,
    },
    ProgramEnded(ProgramEnd),
    /// No program can run on this machine, whatever the model writes: the run ends and the error tells the remedy.
    ProgramsImpossible {
        error: UserError,
    },
    /// The program asks for a call. The mind gives `call` its id: the id that comes in is 0.
    CallRequested {
        call: Call,
        class: Class,
        /// What it is refused with, whatever its user would say to it; nobody is asked then.
        barred: Option<CallOutcome>,
    },
    CallReturned {
        call: CallId,
        outcome: CallOutcome,
    },
    /// A command at work (`by`) wants to reach the host of this call, and waits for the decision. The mind gives `call` its
    /// id.
    HostAsked {
        by: CallId,
        call: Call,
    },
    /// A server that works for the call `by` asks the user by this call. The server waits for the answer. The mind
    /// gives it its id.
    ServerAsked {
        by: CallId,
        call: Call,
    },
    /// Nobody waits any more for what a server asked under this number.
    ServerAskEnded {
        by: CallId,
        number: u64,
    },
    /// A call's performer waits for a person: the run rests too until the call returns.
    CallRests {
        call: CallId,
    },
    /// The performer that waited for a person goes on.
    CallGoesOn {
        call: CallId,
    },
    /// The user wants the conversation shortened. A run at work does so before its next step; otherwise a run
    /// of its own does.
    CompactAsked {
        language: String,
    },
    /// A model was asked on behalf of a call.
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
    /// A person approved, refused or answered a waiting call.
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
    /// Whether the event ends the work that [`crate::Effect::begins_work`] has begun.
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
            | Self::BrokeOff { .. }
            | Self::ToolkitsChanged { .. }
            | Self::CallRequested { .. }
            | Self::CallReturned { .. }
            | Self::HostAsked { .. }
            | Self::ServerAsked { .. }
            | Self::ServerAskEnded { .. }
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

/// A person's decision on a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    Approved { always: bool },
    Refused { reason: Option<String> },
    Answered { text: String },
}

/// A question with its context and attachments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UserInput {
    pub text: String,
    pub surroundings: Vec<ContextPiece>,
    pub attachments: Vec<Attachment>,
    /// The code of the language of the user's surroundings, for a question that does not tell its own.
    pub language: Option<String>,
    /// Notices that the user is shown about the question's context.
    pub notices: Vec<Notice>,
    /// What knowledge bases hold for the question, best first. Of it goes along what fits.
    pub passages: Vec<FoundPassage>,
}

/// A plain notice for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// `screen`, `context`, …
    pub source: String,
    pub text: String,
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
    /// Milliseconds of wall clock, without the waits for people.
    pub wall_ms: u64,
    /// Milliseconds of processor time.
    pub cpu_ms: u64,
    /// The most memory that the interpreter held.
    pub memory_bytes: u64,
    /// The worker or its record diverged from what was recorded before a restart: nothing more may be assumed.
    pub diverged: bool,
}
