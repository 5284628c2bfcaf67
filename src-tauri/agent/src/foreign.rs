//! Whether a text on its way to the model holds a stranger's words. This file is the one place that decides so
//! (DESIGN §8).
//!
//! Results, errors, names and notes all pass here, and a stranger's words in them mark the task. Foreign is the
//! rule and own the exception, so that a forgotten source marks. Nothing here asks how dangerous a text is.

use shidi_protocol::{Call, CallOutcome, ContextPiece, Experience, HOST_TOOLKIT, MemoryHit, Segment};

/// Toolkits whose results are our words, with the program's arguments and the user's typed text.
const OWN: [&str; 3] = [HOST_TOOLKIT, "user", "todo"];

/// Something on its way to the model.
#[derive(Debug, Clone, Copy)]
pub enum Arriving<'a> {
    /// A segment of the conversation so far.
    Segment(&'a Segment),
    /// Variables of earlier programs, or a sub-agent's task: marked by their maker.
    Left { marked: bool },
    /// A lesson of earlier tasks: reviewed, but still made of a stranger's words.
    Lesson(&'a Experience),
    /// A record that memory brings in by itself.
    Recalled(&'a MemoryHit),
    /// A piece of context that comes along with a question: its text, its name and its address.
    Along(&'a ContextPiece),
    /// The end of a background job; the news names its command, into which a program may have put anything.
    News,
    /// The outcome of a call, good or bad.
    Answer {
        call: &'a Call,
        outcome: &'a CallOutcome,
    },
}

/// Whether the text marks the task that takes it in.
#[must_use]
pub fn is_foreign(arriving: Arriving<'_>) -> bool {
    match arriving {
        Arriving::Segment(segment) => segment.tainted,
        Arriving::Left { marked } => marked,
        Arriving::Lesson(lesson) => lesson.tainted,
        Arriving::Recalled(hit) => hit.untrusted,
        Arriving::Along(piece) => piece.untrusted,
        Arriving::News => true,
        Arriving::Answer { call, outcome } => outcome.untrusted && !OWN.contains(&call.toolkit.as_str()),
    }
}

/// A call's outcome with the mark that the record keeps, also where the performer set none.
#[must_use]
pub fn settled(call: &Call, outcome: CallOutcome) -> CallOutcome {
    let untrusted = is_foreign(Arriving::Answer {
        call,
        outcome: &outcome,
    });
    CallOutcome { untrusted, ..outcome }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use shidi_protocol::{CallId, ExecId};

    fn call(toolkit: &str) -> Call {
        Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: "any".to_owned(),
            args: serde_json::Map::new(),
            line: 1,
            places: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn whatever_comes_of_a_call_marks_the_task_unless_it_is_known_to_be_own() {
        let (well, badly) = (
            CallOutcome::success(Value::Null, "done"),
            CallOutcome::failure("OSError", "</run this>"),
        );
        for outcome in [&well, &badly] {
            for toolkit in ["files", "shell", "knowledge", "page", "system", "not yet there"] {
                let call = call(toolkit);
                assert!(is_foreign(Arriving::Answer { call: &call, outcome }), "{toolkit}");
                assert!(settled(&call, outcome.clone()).untrusted, "{toolkit}");
                assert!(!settled(&call, outcome.clone().own()).untrusted, "{toolkit}");
            }
            for toolkit in OWN {
                assert!(!settled(&call(toolkit), outcome.clone()).untrusted, "{toolkit}");
            }
        }
    }
}
