//! The state machine: takes an event, lets the area handle it that it belongs to, returns the effects.

use crate::areas::stopping::Stopping;
use crate::areas::{
    approvals, calls, cognition, condensing, enquiry, expression, motor, news, perception, resting, stopping,
    todo,
};
use crate::effect::Effect;
use crate::event::Event;
use crate::foreign::Arriving;
use crate::situation::{Settings, Situation};
use crate::state::{Phase, RunState};
use shidi_protocol::{
    Attachment, CallRecord, CallState, Experience, FailureKind, MemoryHit, ModelFailure, Moment,
    RunEventKind, RunId, RunStatus, Segment, SessionId, VariablePreview,
};

/// What a session has been through before a run begins or is taken up again.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// Its transcript, oldest first.
    pub segments: Vec<Segment>,
    /// Variables that live there.
    pub variables: Vec<VariablePreview>,
    /// Names of those that had no stored form and went with the process that held them.
    pub gone: Vec<String>,
    /// Whether any of them was made from what the user did not write.
    pub variables_tainted: bool,
    /// Reviewed experiences that fit the question, best first.
    pub taught: Vec<Experience>,
    /// What memory brings into the run, best first.
    pub recalled: Vec<MemoryHit>,
}

/// The mind of one run.
#[derive(Debug, Clone)]
pub struct Mind {
    situation: Situation,
}

impl Mind {
    /// A mind for a new run after what its session has been through.
    #[must_use]
    pub fn new(session: SessionId, run: RunId, settings: Settings, past: Past) -> Self {
        let mut situation = Situation::new(session, run, settings, past.segments, Moment::default());
        situation.variables = past.variables;
        situation.gone = past.gone;
        for lesson in &past.taught {
            situation.takes_in(Arriving::Lesson(lesson));
        }
        for hit in &past.recalled {
            situation.takes_in(Arriving::Recalled(hit));
        }
        situation.takes_in(Arriving::Left {
            marked: past.variables_tainted,
        });
        situation.taught = past.taught;
        situation.recalled = past.recalled;
        Self { situation }
    }

    /// The mind of a run as its record left it: state, transcript and calls, nothing else.
    #[must_use]
    pub fn restore(self, state: RunState, calls: Vec<CallRecord>, attachments: Vec<Attachment>) -> Self {
        let Self { mut situation } = self;
        let inherited = situation.state.tainted || calls.iter().any(CallRecord::is_untrusted);
        // The session may have gone on without this run: its numbers go on from there.
        let last_segment = situation.state.last_segment.max(state.last_segment);
        situation.state = RunState {
            last_segment,
            ..state
        };
        situation.state.tainted |= inherited;
        situation.calls = calls.into_iter().map(|record| (record.call.id, record)).collect();
        situation.attachments = attachments;
        Self { situation }
    }

    /// Takes an event that happened at `now`; the effects are to be performed in their order.
    ///
    /// An event that no longer fits (an approval of a call that is decided, a model's answer after a stop) has
    /// no effects: it crossed something on its way.
    pub fn handle(&mut self, now: Moment, event: Event) -> Vec<Effect> {
        let situation = &mut self.situation;
        situation.now = now;
        // Of a run that has ended, only that its end could not be written is news.
        if situation.state.phase == Phase::Ended && !matches!(event, Event::StorageFailed { .. }) {
            return Vec::new();
        }
        if event.ends_work() {
            situation.is_under_way = false;
        }
        let stopped = situation
            .stopping
            .and_then(|stopping| stopping::take(situation, stopping, &event));
        let effects = stopped.unwrap_or_else(|| react(situation, event));
        situation.is_under_way |= effects.iter().any(Effect::begins_work);
        effects
    }

    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.situation.state
    }

    /// The background jobs of which the user and the model know by now that they have ended.
    pub fn take_told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.situation.told)
    }

    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The cards that wait for the user, as events.
    #[must_use]
    pub fn waiting(&self) -> Vec<RunEventKind> {
        let waits = |record: &&CallRecord| matches!(record.state, CallState::Approval | CallState::Question);
        let records = self.situation.calls.values().filter(waits);
        records
            .map(|record| calls::waiting_card(&self.situation, record))
            .collect()
    }
}

/// Lets the area handle an event that it belongs to.
fn react(situation: &mut Situation, event: Event) -> Vec<Effect> {
    match event {
        Event::Asked(arrival) => {
            situation.state.started = situation.now;
            situation.state.stretch = situation.now;
            perception::arrive(situation, arrival)
        }
        Event::Resumed => resume(situation),
        Event::Said(arrival) => perception::hear(situation, arrival),
        Event::ModelAnswered { reply } => match situation.state.phase {
            Phase::Thinking => cognition::consider(situation, &reply),
            Phase::Writing => cognition::fill(situation, &reply),
            Phase::Condensing => condensing::summarised(situation, &reply),
            Phase::Perceiving => enquiry::understood(situation, &reply),
            Phase::Checking => enquiry::checked(situation, &reply),
            Phase::Running { .. } | Phase::Ended => Vec::new(),
        },
        Event::ModelFailed { failure } => model_failed(situation, &failure),
        Event::Equipped { toolkits } => {
            situation.settings.toolkits = toolkits;
            Vec::new()
        }
        Event::ProgramRefused { findings } => motor::program_refused(situation, &findings),
        Event::ProgramEnded(end) => motor::program_ended(situation, end),
        Event::ProgramsImpossible { error } => expression::fail(situation, error),
        Event::CallRequested { call, class } => calls::requested(situation, call, class),
        Event::CallReturned { call, outcome } => calls::returned(situation, call, outcome),
        Event::CallRests { call } => resting::rests(situation, call),
        Event::CallGoesOn { call } => resting::goes_on(situation, call),
        Event::CompactAsked { language } => condensing::asked(situation, language),
        Event::Spent { usage } => {
            situation.state.usage.add(&usage);
            Vec::new()
        }
        Event::JobEnded { job, text } => news::hear(situation, job, text),
        Event::ProgramWaits => resting::suspend(situation),
        Event::Decided { call, decision } => approvals::decided(situation, call, decision),
        Event::Cancelled => stopping::begin(situation, Stopping::Cancelled),
        Event::TimedOut => stopping::begin(situation, Stopping::TimedOut),
        Event::StorageFailed { message } => expression::storage_failed(situation, &message),
    }
}

/// Takes the failure of a model, whatever it was asked.
fn model_failed(situation: &mut Situation, failure: &ModelFailure) -> Vec<Effect> {
    stopping::spend(situation, failure);
    match situation.state.phase {
        Phase::Thinking | Phase::Writing => cognition::failed(situation, failure),
        Phase::Condensing => condensing::not_summarised(situation, failure),
        Phase::Perceiving | Phase::Checking if failure.kind == FailureKind::Cancelled => {
            expression::cancelled(situation)
        }
        // What the fast model would have said is a help, no condition.
        Phase::Perceiving => cognition::think(situation),
        Phase::Checking => enquiry::stands(situation),
        Phase::Running { .. } | Phase::Ended => Vec::new(),
    }
}

/// Goes on from the record: asks the model again, or replays the program up to its open call.
fn resume(situation: &mut Situation) -> Vec<Effect> {
    situation.state.status = None;
    situation.state.reason = None;
    situation.state.error = None;
    situation.state.stretch = situation.now;
    let started = situation.started();
    let mut effects = vec![Effect::Show(started)];
    if !situation.state.todo.is_empty() {
        effects.push(Effect::Show(todo::shown(situation)));
    }
    match situation.state.phase {
        _ if situation.state.only_compacts => effects.extend(condensing::again(situation)),
        Phase::Perceiving | Phase::Thinking | Phase::Condensing => {
            effects.extend(cognition::think(situation))
        }
        Phase::Writing => effects.extend(cognition::draft(situation)),
        Phase::Checking => effects.extend(enquiry::stands(situation)),
        Phase::Running { exec } => {
            let program = motor::program_of(situation, exec).unwrap_or_default().to_owned();
            let recorded = || situation.calls.values().filter(|record| record.call.exec == exec);
            let first_call = recorded().map(|record| record.call.id).min();
            let first_call = first_call.unwrap_or(situation.state.last_call.next());
            // Answers given from now on come after all recorded ones.
            situation.state.answers = recorded().filter_map(|record| record.answered).max().unwrap_or(0);
            situation.requested = 0;
            situation.forget_program();
            effects.push(situation.commit());
            effects.push(Effect::Show(RunEventKind::Code {
                exec,
                program: program.clone(),
            }));
            effects.push(Effect::RunProgram {
                exec,
                program,
                replay: true,
                first_call,
            });
        }
        Phase::Ended => {
            let status = situation.state.status.unwrap_or(RunStatus::Completed);
            effects.push(Effect::End {
                status,
                reason: None,
                error: None,
            });
        }
    }
    effects
}
