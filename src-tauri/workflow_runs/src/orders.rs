//! What whoever carries a run out is told: by people, by attempts under way, by those who watch.

use crate::evidence::Broken;
use serde_json::Value;
use shidi_protocol::{Reply, RunEvent, Usage};
use shidi_workflow::{AttemptId, Decision, Failure, Verdict};
use tokio::sync::{mpsc, oneshot};

/// How long somebody watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Until nothing goes on without a person.
    Rest,
    /// Until the run has ended.
    End,
}

/// What became of a person's word.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    Yes,
    /// Nothing of that attempt is unknown.
    NothingUnknown,
    /// The step could not have given that value.
    Unfit(Failure),
}

/// What a performer is told.
pub enum Order {
    /// Somebody watches from now on.
    Watch(mpsc::Sender<Reply>, Until),
    Cancel,
    Settle {
        attempt: AttemptId,
        verdict: Verdict,
        done: oneshot::Sender<Taken>,
    },
    /// A program of an attempt told something.
    Said {
        attempt: AttemptId,
        event: Box<RunEvent>,
    },
    /// A program of an attempt waits for somebody, or goes on.
    Waits {
        attempt: AttemptId,
        waits: bool,
    },
    /// An attempt that is to stop waits for the ends of the runs that it has called.
    Stops {
        attempt: AttemptId,
    },
    Ended {
        attempt: AttemptId,
        end: End,
        usage: Usage,
        tainted: bool,
    },
}

/// How an attempt came to its end.
pub enum End {
    Done(Value),
    Failed(Broken),
    Answered(Decision),
    /// It was not begun after all.
    NotBegun,
    /// Nobody knows more of it than before.
    Left,
}
