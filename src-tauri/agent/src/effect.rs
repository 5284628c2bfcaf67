//! The effects that the mind wants performed. The runtime performs them in their order and returns the results
//! as events.

use crate::state::RunState;
use shidi_protocol::{
    Call, CallId, CallOutcome, CallRecord, Class, ExecId, ModelRequest, RunEventKind, RunStatus, Segment,
    UserError, Verdict,
};

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Write and wait until the rows are durable: later effects rely on them (DESIGN §2, "what is durable when").
    Commit(Vec<Record>),
    /// Write the rows with the next commit.
    Buffer(Vec<Record>),
    /// Tell the watchers of the run.
    Show(RunEventKind),
    /// Ask the model; ends in `ModelAnswered` or `ModelFailed`.
    AskModel(Box<ModelRequest>),
    /// Check and run a program; ends in `ProgramRefused` or `ProgramEnded`. With `replay`, the mind answers recorded
    /// calls from the record, and the check is left out: the program passed before. The calls of the program are
    /// numbered from `first_call` in the order in which it makes them.
    RunProgram {
        exec: ExecId,
        program: String,
        replay: bool,
        first_call: CallId,
    },
    /// Perform a call that is permitted; ends in `CallReturned`.
    PerformCall { call: Call, class: Class },
    /// Give the program the result of a call. `order` counts the answers of an execution from 1.
    AnswerCall {
        call: CallId,
        outcome: CallOutcome,
        order: u32,
    },
    /// Tell the commands and servers at work that a host was decided on, or a question answered. An end of the asking
    /// about either is told, too. Each command or server looks how its own question stands.
    AsideDecided,
    /// Stop the model's answer or the program that is under way.
    Stop,
    /// The run rests until a person decides; it can be resumed, also after a restart.
    Suspend,
    /// The run is over; nothing follows.
    End {
        status: RunStatus,
        reason: Option<String>,
        error: Option<UserError>,
    },
}

impl Effect {
    /// Whether a model or a program is at work from now on; [`crate::Event::ends_work`] tells of its end.
    #[must_use]
    pub fn begins_work(&self) -> bool {
        match self {
            Self::AskModel(_) | Self::RunProgram { .. } => true,
            Self::Commit(_)
            | Self::Buffer(_)
            | Self::Show(_)
            | Self::PerformCall { .. }
            | Self::AnswerCall { .. }
            | Self::AsideDecided
            | Self::Stop
            | Self::Suspend
            | Self::End { .. } => false,
        }
    }
}

/// One row to write. All rows of one `Commit` go into one transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Segment(Segment),
    Call(Box<CallRecord>),
    State(Box<RunState>),
    /// A decision that the user wants remembered for a family of calls.
    Rule {
        pattern: String,
        verdict: Verdict,
    },
    /// A result too long for the transcript; its handle reaches the whole.
    Result {
        handle: String,
        text: String,
        tainted: bool,
    },
    /// The session's title, from its first question.
    Title(String),
}
