//! The state machine of one run: takes an event, returns the effects. `transitions` says which area handles an event.

mod standing;
mod transitions;

use crate::areas::calls;
use crate::effect::Effect;
use crate::event::Event;
use crate::foreign::Arriving;
use crate::run_context::{RunContext, Settings};
use crate::state::{Phase, RunState};
use shidi_protocol::{
    Attachment, CallRecord, CallState, Experience, MemoryHit, Moment, RunEventKind, RunId, Segment,
    SegmentId, SessionId, VariablePreview,
};
use std::collections::BTreeSet;

/// The past of a session, before a run begins or is taken up again.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The session's transcript, oldest first.
    pub segments: Vec<Segment>,
    /// Calls of the session to the toolkits of [`crate::asked_toolkits`], oldest first; those of other versions too.
    pub calls: Vec<CallRecord>,
    /// The last segment of the session, which may belong to another version of the conversation.
    pub last_segment: SegmentId,
    /// Variables that live in the session.
    pub variables: Vec<VariablePreview>,
    /// Names of variables that had no stored form and were lost with their process.
    pub gone: Vec<String>,
    /// Whether any variable was made from foreign words.
    pub variables_tainted: bool,
    /// Reviewed experiences that fit the question, best first.
    pub lessons: Vec<Experience>,
    /// Records that memory brings into the run, best first.
    pub recalled: Vec<MemoryHit>,
    /// What the last run had left behind when it ended (`RunState::left_behind`).
    pub left_behind: Option<SegmentId>,
}

/// The mind of one run.
#[derive(Debug, Clone)]
pub struct Mind {
    context: RunContext,
}

impl Mind {
    /// A mind for a new run that goes on from the session's past.
    #[must_use]
    pub fn new(session: SessionId, run: RunId, settings: Settings, past: Past) -> Self {
        let mut context = RunContext::new(session, run, settings, past.segments, Moment::default());
        context.state.last_segment = context.state.last_segment.max(past.last_segment);
        context.earlier_calls = of_earlier_runs(past.calls, &context);
        context.variables = past.variables;
        context.gone = past.gone;
        for lesson in &past.lessons {
            context.takes_in(Arriving::Lesson(lesson));
        }
        for hit in &past.recalled {
            context.takes_in(Arriving::Recalled(hit));
        }
        context.takes_in(Arriving::Left {
            marked: past.variables_tainted,
        });
        context.lessons = past.lessons;
        context.recalled = past.recalled;
        context.left_before = past.left_behind;
        Self { context }
    }

    /// The mind of a run as its record left the run: state, transcript and calls, nothing else.
    #[must_use]
    pub fn restore(self, state: RunState, calls: Vec<CallRecord>, attachments: Vec<Attachment>) -> Self {
        let Self { mut context } = self;
        let inherited = context.state.tainted || calls.iter().any(CallRecord::is_untrusted);
        // Another run of the session may have added segments since: new segments are numbered after theirs.
        let last_segment = context.state.last_segment.max(state.last_segment);
        context.state = RunState {
            last_segment,
            ..state
        };
        context.state.tainted |= inherited;
        context.calls = calls.into_iter().map(|record| (record.call.id, record)).collect();
        context.attachments = attachments;
        Self { context }
    }

    /// Takes an event that happened at `now`; the effects are to be performed in their order.
    ///
    /// An event that came too late has no effects. Such are an approval of a decided call, and a model's answer after
    /// a stop.
    pub fn handle(&mut self, now: Moment, event: Event) -> Vec<Effect> {
        let context = &mut self.context;
        context.now = now;
        // After a run's end only one event counts: that the end could not be written.
        if context.state.phase == Phase::Ended && !matches!(event, Event::StorageFailed { .. }) {
            return Vec::new();
        }
        if event.ends_work() {
            context.is_under_way = false;
        }
        let effects = transitions::run(context, event);
        let effects = standing::told(context, effects);
        context.is_under_way |= effects.iter().any(Effect::begins_work);
        effects
    }

    /// Counts on from `last` where that is further: other runs of the session have added segments meanwhile.
    pub fn count_on(&mut self, last: SegmentId) {
        let own = &mut self.context.state.last_segment;
        *own = (*own).max(last);
    }

    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.context.state
    }

    /// The ended background jobs of which the user and the model have been told, or knew already. Each is
    /// returned once.
    pub fn take_told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.context.told)
    }

    #[must_use]
    pub fn context(&self) -> &RunContext {
        &self.context
    }

    /// The cards that wait for the user, as events.
    #[must_use]
    pub fn waiting(&self) -> Vec<RunEventKind> {
        let waits = |record: &&CallRecord| matches!(record.state, CallState::Approval | CallState::Question);
        let records = self.context.calls.values().filter(waits);
        records
            .map(|record| calls::waiting_card(&self.context, record))
            .collect()
    }
}

/// The calls of the runs whose words stand in the transcript, but for the run itself.
fn of_earlier_runs(mut calls: Vec<CallRecord>, context: &RunContext) -> Vec<CallRecord> {
    let runs: BTreeSet<&RunId> = context.segments.iter().map(|segment| &segment.run).collect();
    calls.retain(|record| record.run != context.run && runs.contains(&record.run));
    calls
}
