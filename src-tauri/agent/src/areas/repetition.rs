//! Notices that a program was written again and came to the same again: then nothing is gained by a further time.
//!
//! What a program came to is what it printed, what its calls brought and what it left in variables. A program that polls
//! is no repetition: its calls may bring something new each time they are made. Another program that changed something
//! may have made way for it, and what the user says since begins anew.

use crate::limits;
use crate::situation::Situation;
use shidi_protocol::{CallRecord, ExecId, SegmentKind};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Built-in toolkits whose calls bring the same until somebody changes what they read; others may bring news of jobs,
/// of the network, of pages or of colleagues at any time.
const STILL: [&str; 6] = ["files", "memory", "knowledge", "results", "todo", "user"];

/// The toolkit of facts of the host.
const HOST: &str = "host";

/// Takes what a program came to: what it printed, or why it did not run.
pub fn note(situation: &mut Situation, exec: ExecId, came: &str) {
    let calls = || {
        situation
            .calls
            .values()
            .filter(move |record| record.call.exec == exec)
    };
    let (polls, changes) = (calls().any(may_bring_news), calls().any(has_changed));
    let mark = mark(situation, exec, came);
    let state = &mut situation.state;
    let earlier = state.came_to.iter().filter(|earlier| **earlier == mark).count();
    if polls {
        state.same_outcomes = 1;
        return;
    }
    if earlier == 0 && changes {
        state.came_to.clear();
    }
    state.same_outcomes = earlier + 1;
    if state.came_to.len() < limits::OUTCOMES_KEPT {
        state.came_to.push(mark);
    }
}

fn may_bring_news(record: &CallRecord) -> bool {
    let call = &record.call;
    let waits = call.method == "sleep";
    match call.toolkit.as_str() {
        // A program is told its time zone before its first line; chance that comes to the same is no news.
        HOST => waits || call.method == "clock" && call.line > 0,
        toolkit => waits || !STILL.contains(&toolkit),
    }
}

fn has_changed(record: &CallRecord) -> bool {
    let is_done = record
        .outcome
        .as_ref()
        .is_some_and(|outcome| outcome.error.is_none());
    is_done && record.class.has_side_effect()
}

/// A number that stands for a program and all it came to. A later version may count otherwise: it then begins anew.
fn mark(situation: &Situation, exec: ExecId, came: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut own = situation.own_segments().rev();
    let said = own.find(|segment| segment.kind == SegmentKind::User);
    said.map(|segment| segment.id).hash(&mut hasher);
    let program = situation
        .own_segments()
        .find(|segment| segment.kind == SegmentKind::Python && segment.exec == Some(exec));
    program.map(|segment| segment.text.trim()).hash(&mut hasher);
    came.hash(&mut hasher);
    let calls = situation.calls.values().filter(|record| record.call.exec == exec);
    for record in calls.filter(|record| record.call.toolkit != HOST) {
        let call = &record.call;
        (&call.toolkit, &call.method).hash(&mut hasher);
        serde_json::json!(call.args).to_string().hash(&mut hasher);
        if let Some(outcome) = &record.outcome {
            outcome.data.to_string().hash(&mut hasher);
            outcome
                .error
                .as_ref()
                .map(|error| &error.message)
                .hash(&mut hasher);
        }
    }
    for variable in &situation.variables {
        (&variable.name, &variable.kind, &variable.preview).hash(&mut hasher);
    }
    hasher.finish()
}

/// What the model is told before another round, when the newest program came to the same as before.
pub fn reminder(situation: &Situation) -> Option<&'static str> {
    let is_again = situation.state.same_outcomes >= limits::SAME_OUTCOMES_REMINDED;
    is_again.then_some(
        "You ran this very program before, and it came to the same: nothing has changed, and once more would change \
         nothing. If its output answers the question, answer the user now in plain words, without a program. If not, go \
         another way, or give up with the reasons.",
    )
}
