//! Whether what reaches the model holds a stranger's words: the one place that decides it (DESIGN §8).
//!
//! A result, an error, a name, a note: all of them come past here, and whatever holds such words marks the task. Foreign is
//! the rule and own the exception, so that what nobody thought of marks. Nothing here asks how dangerous a text is.

use crate::event::Surroundings;
use shidi_protocol::{Call, CallOutcome, Experience, MemoryHit, Segment};

/// Toolkits that answer in our words, with what the program passed and what the user typed.
const OWN: [&str; 3] = ["host", "user", "todo"];

/// Something on its way to the model.
#[derive(Debug, Clone, Copy)]
pub enum Arriving<'a> {
    /// What the conversation has said so far.
    Segment(&'a Segment),
    /// What programs left behind, or what a sub-agent is told: marked by whoever made it.
    Left { marked: bool },
    /// A lesson of earlier tasks: reviewed, but still made of a stranger's words.
    Lesson(&'a Experience),
    /// What memory brings in by itself.
    Recalled(&'a MemoryHit),
    /// What goes along with a question: its text, its name and its address.
    Along(&'a Surroundings),
    /// That a background job has ended; it names the command, into which a program may have put anything.
    News,
    /// What came of a call, well or badly.
    Answer {
        call: &'a Call,
        outcome: &'a CallOutcome,
    },
}

/// Whether it marks the task that takes it in.
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

/// What came of a call with the mark that the record keeps, whatever its performer left open.
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
