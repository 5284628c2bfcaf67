//! Notices a program that is written again and comes to the same outcome again, so that the run stops trying.
//!
//! An outcome is the printed text, the results of the calls and the variables left. A program that polls is no
//! repetition: its calls may bring something new each time. The count begins anew after another program's
//! change, and after new words of the user.

use crate::limits;
use crate::run_context::RunContext;
use shidi_protocol::{CallRecord, ExecId, Segment, SegmentKind};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Built-in toolkits whose calls bring the same until somebody changes their data. Other toolkits may bring
/// news of jobs, the network, pages or colleagues at any time.
const STILL: [&str; 6] = ["files", "memory", "knowledge", "results", "todo", "user"];

/// The toolkit of facts of the host.
const HOST: &str = "host";

/// Notes a program's outcome: the printed text, or why the program did not run.
pub fn note(context: &mut RunContext, exec: ExecId, came: &str) {
    let calls = || {
        context
            .calls
            .values()
            .filter(move |record| record.call.exec == exec)
    };
    let tells_time = program_of(context, exec).is_some_and(tells_time);
    let polls = calls().any(|record| may_bring_news(record, tells_time));
    let changes = calls().any(has_changed);
    let mark = mark(context, exec, came);
    let state = &mut context.state;
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

/// Words by which a program looks at the clock itself. In other programs a library, such as an event loop,
/// looks at the clock.
const OF_TIME: [&str; 3] = ["time", "date", "now"];

fn tells_time(program: &str) -> bool {
    OF_TIME.iter().any(|word| program.contains(word))
}

fn program_of(context: &RunContext, exec: ExecId) -> Option<&str> {
    let is_its = |segment: &&Segment| segment.kind() == SegmentKind::Python && segment.exec == Some(exec);
    context
        .own_segments()
        .find(is_its)
        .map(|segment| segment.text().trim())
}

fn may_bring_news(record: &CallRecord, tells_time: bool) -> bool {
    let call = &record.call;
    let waits = call.method == "sleep";
    match call.toolkit.as_str() {
        // The interpreter asks for the time zone before a program's first line. Entropy that leads to the same
        // outcome is no news.
        HOST => waits || tells_time && call.method == "clock" && call.line > 0,
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

/// A number that stands for a program with its outcome. A later version may hash differently; the count then
/// begins anew.
fn mark(context: &RunContext, exec: ExecId, came: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut own = context.own_segments().rev();
    let said = own.find(|segment| segment.kind() == SegmentKind::User);
    said.map(|segment| segment.id).hash(&mut hasher);
    program_of(context, exec).hash(&mut hasher);
    came.hash(&mut hasher);
    let calls = context.calls.values().filter(|record| record.call.exec == exec);
    for record in calls.filter(|record| record.call.toolkit != HOST && !record.call.id.is_aside()) {
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
    for variable in &context.variables {
        (&variable.name, &variable.kind, &variable.preview).hash(&mut hasher);
    }
    hasher.finish()
}

/// The reminder for the model before another round, when the newest program came to the same outcome as before.
pub fn reminder(context: &RunContext) -> Option<&'static str> {
    let is_again = context.state.same_outcomes >= limits::SAME_OUTCOMES_REMINDED;
    is_again.then_some(
        "You ran this very program before, and it came to the same: nothing has changed, and once more would change \
         nothing. If its output answers the question, answer the user now in plain words, without a program. If not, go \
         another way, or give up with the reasons.",
    )
}
