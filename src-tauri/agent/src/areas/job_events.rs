//! News of background jobs (F8.6): the model hears once, before its next request, of jobs that ended unwatched.
//!
//! The transcript holds the news already told, so a restart repeats none. A program that waited for a job or
//! asked about it knows already.

use crate::effect::Effect;
use crate::foreign::Arriving;
use crate::run_context::RunContext;
use serde_json::Value;
use shidi_protocol::{CallRecord, SegmentKind};

/// The source that events name for news of jobs.
const SOURCE: &str = "job";

/// Keeps the news that a job has ended until the model is asked next.
pub fn hear(context: &mut RunContext, job: String, text: String) -> Vec<Effect> {
    context.news.insert(job, text);
    Vec::new()
}

/// Adds the waiting news to the transcript, and marks the run as having read foreign words.
pub fn tell(context: &mut RunContext) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (job, text) in std::mem::take(&mut context.news) {
        if !is_known(context, &job) {
            context.takes_in(Arriving::News);
            effects.push(context.add_news(SOURCE, &text));
        }
        context.told.push(job);
    }
    effects
}

/// Whether the transcript tells of the job's end already, or a call of this run has returned with that end.
fn is_known(context: &RunContext, job: &str) -> bool {
    let has_heard = |record: &CallRecord| {
        let data = record.outcome.as_ref().map(|outcome| &outcome.data);
        record.call.toolkit == "shell"
            && record.call.args.get("id").and_then(Value::as_str) == Some(job)
            && data.is_some_and(|data| data["state"] != Value::Null && data["state"] != "running")
    };
    let notified = |kind: &SegmentKind| *kind == SegmentKind::Notification;
    let mut segments = context
        .segments
        .iter()
        .filter(|segment| notified(&segment.kind()));
    segments.any(|segment| segment.text().contains(job)) || context.calls.values().any(has_heard)
}
