//! News of background jobs (F8.6): what ended while nobody waited for it is told before the model is asked next, once.
//!
//! The transcript says what was told, so a restart repeats nothing; what the program has learned itself by waiting or
//! asking is no news.

use crate::effect::Effect;
use crate::foreign::Arriving;
use crate::situation::Situation;
use serde_json::Value;
use shidi_protocol::{CallRecord, SegmentKind};

/// What the events name as the source of such news.
const SOURCE: &str = "job";

/// Takes the news that a job has ended; it is told when the model is asked next.
pub fn hear(situation: &mut Situation, job: String, text: String) -> Vec<Effect> {
    situation.news.insert(job, text);
    Vec::new()
}

/// Tells what there is to tell.
pub fn tell(situation: &mut Situation) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (job, text) in std::mem::take(&mut situation.news) {
        if !is_known(situation, &job) {
            situation.takes_in(Arriving::News);
            effects.push(situation.add_news(SOURCE, &text));
        }
        situation.told.push(job);
    }
    effects
}

/// Whether the transcript says it already, or a call of this run has returned with it.
fn is_known(situation: &Situation, job: &str) -> bool {
    let has_heard = |record: &CallRecord| {
        let data = record.outcome.as_ref().map(|outcome| &outcome.data);
        record.call.toolkit == "shell"
            && record.call.args.get("id").and_then(Value::as_str) == Some(job)
            && data.is_some_and(|data| data["state"] != Value::Null && data["state"] != "running")
    };
    let notified = |kind: &SegmentKind| *kind == SegmentKind::Notification;
    let mut segments = situation
        .segments
        .iter()
        .filter(|segment| notified(&segment.kind));
    segments.any(|segment| segment.text.contains(job)) || situation.calls.values().any(has_heard)
}
