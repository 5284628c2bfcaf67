//! How a run says its answer, is judged, rests and ends.

use super::{Draft, ROOT, Tree};
use crate::limits::{SPAN_CHARACTERS_MAX, STEP_TEXT_CHARACTERS};
use crate::{bounded, names};
use serde_json::{Value, json};
use shidi_agent::RunContext;
use shidi_protocol::{Moment, RunStatus, SegmentKind, Usage};

impl Tree {
    /// Milliseconds for which the run has waited for people.
    pub(super) fn rested(&self) -> u64 {
        self.rests.iter().map(|(from, to)| to.since(*from)).sum()
    }

    /// An answer was found good and is the last thing said.
    pub(super) fn answered(&mut self, now: Moment, text: &str, drafts: &mut Vec<Draft>) {
        self.leave_area(now, drafts);
        self.begin_area("expression", now, json!({}), &mut Vec::new());
        if let Some(step) = self.area.and_then(|area| self.open.get_mut(&area)) {
            let said = bounded::text(text, SPAN_CHARACTERS_MAX);
            step.content.insert(names::SAID.to_owned(), said.into());
        }
        self.leave_area(now, drafts);
        self.judged(now, json!({ names::VERDICT: "met" }), drafts);
    }

    /// An answer was found lacking: the task goes back to its source.
    pub(super) fn judged_lacking(&mut self, now: Moment, context: &RunContext, drafts: &mut Vec<Draft>) {
        self.leave_area(now, drafts);
        let mut latest = context.own_segments().rev();
        let lack = latest.find(|segment| segment.kind() == SegmentKind::Reminder);
        let lack = lack.map(|segment| bounded::text(segment.text(), STEP_TEXT_CHARACTERS));
        self.judged(
            now,
            json!({ names::VERDICT: "sent_back", names::LACK: lack }),
            drafts,
        );
    }

    fn judged(&mut self, now: Moment, attributes: Value, drafts: &mut Vec<Draft>) {
        self.begin_area("evaluation", now, attributes, &mut Vec::new());
        self.leave_area(now, drafts);
    }

    /// The run waits for a person from now on.
    pub(super) fn rest(&mut self, now: Moment, drafts: &mut Vec<Draft>) {
        self.resting = Some(now);
        self.amend(ROOT, json!({ names::RESTING_SINCE: now }), now, drafts);
    }

    pub(super) fn wake(&mut self, now: Moment) {
        let Some(since) = self.resting.take() else { return };
        self.rests.push((since, now));
        let rests = json!(self.rests);
        if let Some(root) = self.open.get_mut(&ROOT) {
            root.span.attributes.insert(names::RESTS.to_owned(), rests);
            root.span.attributes.remove(names::RESTING_SINCE);
        }
    }

    pub(super) fn ended(
        &mut self,
        now: Moment,
        status: RunStatus,
        reason: Option<&str>,
        usage: &Usage,
        drafts: &mut Vec<Draft>,
    ) {
        let error = match status {
            RunStatus::Failed => Some("failed"),
            RunStatus::GaveUp => Some("gave_up"),
            RunStatus::Cancelled => Some("cancelled"),
            RunStatus::Completed | RunStatus::Suspended => None,
        };
        let attributes = json!({
            names::STATUS: status,
            names::REASON: reason.map(|reason| bounded::text(reason, STEP_TEXT_CHARACTERS)),
            names::ERROR_TYPE: error,
            names::USAGE_INPUT_TOKENS: usage.input,
            names::USAGE_OUTPUT_TOKENS: usage.output,
            names::USAGE_CACHE_READ_INPUT_TOKENS: usage.cached,
            names::COST: usage.cost,
            names::USAGE_ESTIMATED: usage.estimated.then_some(true),
            names::MODEL_CALLS: usage.model_calls,
            names::STEPS_LEFT_OUT: (self.left_out > 0).then_some(self.left_out),
        });
        if status == RunStatus::Suspended {
            return self.amend(ROOT, attributes, now, drafts);
        }
        // Whatever was under way is over with its run, from the inside out.
        let under_way: Vec<u32> = self.open.keys().copied().filter(|id| *id != ROOT).rev().collect();
        for id in under_way {
            let is_area = self
                .open
                .get(&id)
                .is_some_and(|step| step.span.operation == names::AREA);
            let unfinished = (!is_area).then_some(error.unwrap_or("ended_with_run"));
            self.end_step(id, now, json!({ names::ERROR_TYPE: unfinished }), drafts);
        }
        self.area = None;
        self.end_step(ROOT, now, attributes, drafts);
    }
}
