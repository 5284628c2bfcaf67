//! Notices a program that is written again and comes to the same outcome again, so that the run stops trying.
//!
//! An outcome is the printed text, the results of the calls and the variables left. A program that polls is no
//! repetition: its calls may bring something new each time. The count begins anew after another program's
//! change, and after new words of the user.

use crate::limits;
use crate::run_context::RunContext;
use shidi_protocol::{CallRecord, ExecId, HOST_TOOLKIT, Segment, SegmentKind};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Built-in toolkits whose calls bring the same until somebody changes their data. Other toolkits may bring
/// news of jobs, the network, pages or colleagues at any time.
const STILL: [&str; 6] = ["files", "memory", "knowledge", "results", "todo", "user"];

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
        // Who fills a field learns nothing of the page.
        "page" => call.method != "fill",
        // The interpreter asks for the time zone before a program's first line. Entropy that leads to the same
        // outcome is no news.
        HOST_TOOLKIT => waits || tells_time && call.method == "clock" && call.line > 0,
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
    without_places(&without_undo_tokens(came)).hash(&mut hasher);
    let calls = context.calls.values().filter(|record| record.call.exec == exec);
    for record in calls.filter(|record| record.call.toolkit != HOST_TOOLKIT && !record.call.id.is_aside()) {
        let call = &record.call;
        (&call.toolkit, &call.method).hash(&mut hasher);
        serde_json::json!(call.args).to_string().hash(&mut hasher);
        if let Some(outcome) = &record.outcome {
            without_undo_tokens(&outcome.data.to_string()).hash(&mut hasher);
            outcome
                .error
                .as_ref()
                .map(|error| &error.message)
                .hash(&mut hasher);
        }
    }
    for variable in &context.variables {
        let preview = without_places(&variable.preview);
        (&variable.name, &variable.kind, preview).hash(&mut hasher);
    }
    hasher.finish()
}

/// The name by which an act in a page is taken back. The name is new each time, though the act is the same.
const UNDO_TOKEN: &str = "undo-";

/// How the interpreter begins to say where an object lies in memory, which differs each time.
const PLACE: &str = " at 0x";

fn without_undo_tokens(text: &str) -> String {
    without_behind(text, UNDO_TOKEN, |letter| {
        letter.is_alphanumeric() || letter == '-'
    })
}

fn without_places(text: &str) -> String {
    without_behind(text, PLACE, |letter| letter.is_ascii_hexdigit())
}

/// A text without the letters that stand directly behind a mark.
fn without_behind(text: &str, mark: &str, is_left_out: impl Fn(char) -> bool) -> String {
    let mut parts = text.split(mark);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, rest| {
        kept + mark + rest.trim_start_matches(&is_left_out)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_act_in_a_page_is_the_same_whatever_it_is_taken_back_by() {
        let said = |token: &str| format!(r#"=> {{"done":true,"undo":"{token}"}} and more"#);
        let (one, other) = (said("undo-Model-4p0o1v"), said("undo-Model-5o0d3i"));
        assert_eq!(without_undo_tokens(&one), without_undo_tokens(&other));
        assert_ne!(
            without_undo_tokens(&one),
            without_undo_tokens(&one.replace("true", "false"))
        );
        assert_eq!(without_undo_tokens("nothing of the kind"), "nothing of the kind");
    }

    #[test]
    fn the_same_object_is_the_same_wherever_it_lies_in_memory() {
        let shown = |place: &str| format!("<_io.StringIO object at {place}>, closed");
        assert_eq!(without_places(&shown("0x7f01ab")), without_places(&shown("0x5c")));
        assert_ne!(without_places("at 0x1"), without_places("of 0x1"));
        assert_eq!(without_places("0x12 stays"), "0x12 stays");
    }
}
