//! Serves a program's calls until the program ends.

use crate::error::ExecutorError;
use crate::outcome::{CallAnswer, Loss, Outcome, PendingCall, Progress};
use crate::session::Session;
use shidi_protocol::{CallId, CallOutcome};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Performs a program's calls, beside each other where they take time.
pub trait Calls {
    /// Takes in a call. Its result is a later `next`.
    fn request(&mut self, call: CallId, pending: PendingCall);

    /// Waits for the next result, for `most` at the longest where the wait is the program's own.
    fn next(&mut self, most: Duration) -> Next;
}

/// The outcome of waiting for a result.
#[expect(clippy::large_enum_variant, reason = "one at a time, never kept in numbers")]
pub enum Next {
    Result {
        call: CallId,
        outcome: CallOutcome,
        waited: Waited,
    },
    /// Nothing came within the time that the program has left.
    OutOfTime,
    /// Nobody wants the program any more.
    TakenAway,
}

/// The reason for which a program waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    ForWork,
    /// People may take their time: this is left out of the program's own.
    ForPeople,
}

/// The outcome of a program.
pub enum Served {
    Ended(Box<Outcome>),
    /// The program was taken away in the middle, with its output until then.
    TakenAway {
        printed: String,
    },
}

/// Serves the calls, which are numbered from `first_call` on.
///
/// # Errors
/// Trouble with the worker.
pub fn serve(
    session: &mut Session,
    mut progress: Progress,
    first_call: CallId,
    calls: &mut impl Calls,
) -> Result<Served, ExecutorError> {
    let mut numbers: HashMap<CallId, u32> = HashMap::new();
    let mut next_call = first_call;
    loop {
        match progress {
            Progress::Ended(outcome) if outcome.lost == Some(Loss::Stopped) => {
                return Ok(Served::TakenAway {
                    printed: outcome.stdout,
                });
            }
            Progress::Ended(outcome) => return Ok(Served::Ended(Box::new(outcome))),
            Progress::Calls(pending) => {
                for pending in pending {
                    let call = next_call;
                    next_call = next_call.next();
                    numbers.insert(call, pending.number);
                    calls.request(call, pending);
                }
            }
        }
        let asked = Instant::now();
        progress = match calls.next(session.time_left()) {
            Next::TakenAway => return Ok(taken_away(session)),
            Next::OutOfTime => session.time_out()?,
            Next::Result {
                call,
                outcome,
                waited,
            } => {
                if waited == Waited::ForPeople {
                    session.forgive(asked.elapsed());
                }
                let number = number_of(&mut numbers, call)?;
                session.resume(vec![CallAnswer { number, outcome }])?
            }
        };
    }
}

/// What the program calls a call of ours. Whoever goes on without its result would wait for it for ever.
fn number_of(numbers: &mut HashMap<CallId, u32>, call: CallId) -> Result<u32, ExecutorError> {
    let number = numbers.remove(&call);
    number.ok_or(ExecutorError::NoSuchCall { number: call.0 })
}

fn taken_away(session: &Session) -> Served {
    Served::TakenAway {
        printed: session.printed().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_no_call_that_was_made_is_an_error_and_no_wait() {
        let mut numbers = HashMap::from([(CallId(7), 1)]);
        assert!(matches!(number_of(&mut numbers, CallId(7)), Ok(1)));
        for unknown in [CallId(7), CallId(8)] {
            let cause = number_of(&mut numbers, unknown);
            assert!(matches!(cause, Err(ExecutorError::NoSuchCall { number }) if number == unknown.0));
        }
    }
}
