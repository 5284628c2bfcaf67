//! One run: its mind, who watches it, and the loop that takes events in and performs what comes out.
//!
//! Any thread may hand in an event; the mind's lock puts them in order. Writing happens under that lock, so the
//! record has the order of the decisions. Everything that takes time happens after the lock is released.

pub mod at_rest;
mod awaiting;
mod beside;
pub mod broken_off;
mod calls;
mod compacting;
mod events;
mod from_run;
pub mod given;
mod hosts;
mod learning_call;
mod learning_queue;
mod mind_settings;
mod model;
mod model_calls;
mod page_call;
mod part;
mod program;
mod replaying;
mod result_lookup;
mod resume;
mod running;
mod senses_call;
mod served_call;
mod start;
mod sub_agents;
mod tracing_spans;
mod web_call;
mod work_folders;
mod workflow_call;

pub use compacting::compact;
pub use from_run::{as_skill, as_workflow};
pub use given::program_limits;
pub use learning_queue::{take_up, take_up_models};
pub use replaying::preview;
pub use resume::{decide, resume};
pub use running::{Running, Workspace};
pub use start::{begin, start};

use crate::clock;
use crate::features::Features;
use crate::limits::STOP_WAIT;
use crate::storage::{self, RunFacts, RunProgress};
use awaiting::Awaited;
use events::Emitter;
use given::Came;
use parking_lot::Mutex;
use part::Part;
use program::Program;
use shidi_agent::{Effect, Event, Mind, Record};
use shidi_locales::Language;
use shidi_models::Model;
use shidi_protocol::{
    CallId, CallRecord, CallState, Reply, RunId, RunStatus, SegmentId, SessionId, ToolkitSpec, WaitingCard,
};
use shidi_store::{Batch, StoreError, Write};
use shidi_trace::Tree;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

pub struct Run {
    workspace: Arc<Workspace>,
    facts: RunFacts,
    model: Arc<dyn Model>,
    /// Granted folders, absolute; the user may grant and withdraw some meanwhile.
    folders: Mutex<Vec<PathBuf>>,
    /// Attached files, absolute.
    attached: Vec<PathBuf>,
    mind: Mutex<Mind>,
    emitter: Emitter,
    awaited: Awaited,
    part: Mutex<Part>,
    program: Mutex<Option<Program>>,
    /// The end of the program that the user gave.
    came: Mutex<Option<Came>>,
    /// The last segment of the session: its runs count on together.
    last_segment: Arc<Mutex<SegmentId>>,
    /// Stops the model's answer.
    cancel: CancellationToken,
    /// Its end is written and shown.
    ended: CancellationToken,
    trace: Mutex<Tree>,
    /// Rows that are written with the next of the run's own.
    beside: Mutex<Vec<Write>>,
    /// Look-ups that the fast model was asked about.
    look_ups: AtomicU32,
    /// Questions of its programs to a model.
    model_calls: AtomicU32,
    /// Bytes of files that its calls have kept.
    kept_bytes: AtomicUsize,
    /// Questions of servers that are at work for it.
    questions: AtomicU64,
    /// Told when a host was decided on that its commands may wait for, or a question of a server.
    asides_decided: watch::Sender<()>,
    /// Number of the registry's changes when the run last took its toolkits.
    equipped: AtomicU64,
}

impl Run {
    pub fn id(&self) -> &RunId {
        &self.facts.run
    }

    pub fn session(&self) -> &SessionId {
        &self.facts.session
    }

    fn features(&self) -> &Features {
        &self.workspace.features
    }

    pub fn question(&self) -> &str {
        &self.facts.question
    }

    /// Whose run it is; `None` for the usual one.
    fn assistant(&self) -> Option<&str> {
        self.facts.ask.assistant.as_deref()
    }

    fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().clone()
    }

    /// The user has granted a folder to its session, or taken one back: the next call finds it so.
    pub fn regrant(&self, of_session: &[PathBuf]) {
        let of_settings = &self.workspace.config().task.folders.0;
        *self.folders.lock() = shidi_folders::of_run(of_session, &self.facts.ask.folders, of_settings);
        // Commands are offered where there is a folder for them.
        self.equipped.store(u64::MAX, Ordering::Release);
    }

    /// The toolkits that programs may call, if they have changed.
    fn toolkits_anew(&self) -> Option<Vec<ToolkitSpec>> {
        let changes = self.features().registry.changes();
        let is_same = self.equipped.swap(changes, Ordering::AcqRel) == changes;
        (!is_same).then(|| self.features().toolkits_of(&self.facts.ask, &self.folders()))
    }

    /// How it stands; `None` while at work.
    pub fn status(&self) -> Option<RunStatus> {
        self.mind.lock().state().status
    }

    /// The run of a session that hears what is said there. A run that is being stopped hears nothing more, so its end
    /// is waited for. A run that has ended hears nothing, either.
    async fn hearing(running: &Running, session: &SessionId) -> Option<Arc<Self>> {
        let run = running.of(session)?;
        if run.is_stopping() {
            // Whatever holds on: nobody is kept from asking.
            drop(tokio::time::timeout(STOP_WAIT * 2, run.ended.cancelled()).await);
        }
        (!run.is_stopped()).then_some(run)
    }

    /// Adds somebody who sees the replies until the run ends or is suspended.
    pub fn subscribe(&self) -> mpsc::Receiver<Reply> {
        self.emitter.subscribe()
    }

    /// The call with an unambiguous question among those that wait, for `answer RUN TEXT`.
    pub fn waiting_question(&self) -> Option<CallId> {
        let mind = self.mind.lock();
        let mut calls = mind.context().calls.values();
        calls
            .find(|record| record.state == CallState::Question)
            .map(|record| record.call.id)
    }

    /// A call that waits for leave, and its tool.
    pub fn waiting_approval(&self) -> Option<(CallId, String)> {
        let mind = self.mind.lock();
        let mut calls = mind.context().calls.values();
        let waiting = calls.find(|record| record.state == CallState::Approval)?;
        Some((waiting.call.id, waiting.call.tool()))
    }

    /// Whether `call` waits for a person.
    pub fn waits_for(&self, call: CallId) -> bool {
        let waits = |record: &CallRecord| matches!(record.state, CallState::Approval | CallState::Question);
        self.mind.lock().context().calls.get(&call).is_some_and(waits)
    }

    fn language(&self) -> Language {
        self.workspace.language()
    }

    /// Takes an event: the mind decides, the record is written, the effects are performed.
    pub fn drive(self: &Arc<Self>, event: Event) {
        self.drive_all([event]);
    }

    /// Takes an event, and rows that are written in one transaction with what becomes of it.
    fn drive_beside(self: &Arc<Self>, event: Event, mut rows: Vec<Write>) {
        self.drive_under([event], |run| run.beside.lock().append(&mut rows));
    }

    /// Takes events that belong together: nothing that takes time begins before the last of them.
    fn drive_all(self: &Arc<Self>, events: impl IntoIterator<Item = Event>) {
        self.drive_under(events, |_| {});
    }

    /// The same, with something that is done before them and that no other event comes between.
    fn drive_under(self: &Arc<Self>, events: impl IntoIterator<Item = Event>, before: impl FnOnce(&Self)) {
        let mut later = Vec::new();
        let told;
        {
            let mut mind = self.mind.lock();
            let mut last_segment = self.last_segment.lock();
            mind.count_on(*last_segment);
            before(self);
            if let Some(toolkits) = self.toolkits_anew() {
                mind.handle(clock::now(), Event::ToolkitsChanged { toolkits });
            }
            let news = self.features().jobs.news(self.session(), self.language());
            let news = news.into_iter().map(|(job, text)| Event::JobEnded { job, text });
            for event in news.chain(events) {
                let effects = mind.handle(clock::now(), event);
                if let Err(failed) = self.perform_now(&mind, effects, &mut later) {
                    later.clear();
                    let effects = mind.handle(clock::now(), Event::StorageFailed { message: failed });
                    // What follows a failed write writes nothing, so this can't fail again.
                    if let Err(failed) = self.perform_now(&mind, effects, &mut later) {
                        tracing::error!(failed, "the record can't be written");
                    }
                    break;
                }
            }
            *last_segment = mind.state().last_segment;
            told = mind.take_told();
        }
        for job in told {
            self.features().jobs.told(&job);
        }
        for effect in later {
            self.perform_later(effect);
        }
    }

    /// Cancels it, and returns when that is written and shown, with what it had brought so far.
    pub async fn cancel(self: &Arc<Self>) {
        self.stop_by(|| Event::Cancelled).await;
    }

    /// Ends it by such an event.
    async fn stop_by(self: &Arc<Self>, event: impl Fn() -> Event) {
        self.drive_blocking(event()).await;
        let is_over = tokio::time::timeout(STOP_WAIT, self.ended.cancelled());
        if is_over.await.is_err() {
            // Whatever holds on: nobody is kept from stopping.
            self.drive_blocking(event()).await;
        }
    }

    /// Shows again what waits, to somebody who has just come; the run goes on resting.
    pub fn show_waiting(&self) {
        let rests = self.relay_what_rests();
        let waiting = self.mind.lock().waiting();
        if waiting.is_empty() && !rests && !self.waits_for_page() {
            return; // its sub-agents go on by now, and it with them
        }
        for kind in waiting {
            self.emitter.emit(&self.workspace, self.id(), kind);
        }
        self.emitter.finish(self.id(), RunStatus::Suspended);
    }

    /// Ends a sub-agent whose task is over; one that is being stopped hands in what it has.
    pub async fn end_with_task(self: &Arc<Self>) {
        let under = self.facts.ask.under.as_ref();
        if under.is_none_or(|under| resume::is_open(&self.workspace, &under.run)) {
            return;
        }
        if self.is_stopping() {
            drop(tokio::time::timeout(STOP_WAIT, self.ended.cancelled()).await);
        }
        self.cancel().await;
    }

    /// Stops without more than its last words to the record: the process ends, the run can be continued.
    pub fn abandon(&self) {
        self.write_part();
        self.cancel.cancel();
        self.stop_program();
    }

    /// Writes and shows, in order; keeps for later what takes time.
    fn perform_now(&self, mind: &Mind, effects: Vec<Effect>, later: &mut Vec<Effect>) -> Result<(), String> {
        let store = &self.workspace.store;
        for effect in effects {
            self.trace(mind, &effect);
            match effect {
                Effect::Commit(records) => self.written(store.commit(self.batch(mind, &records)))?,
                Effect::Buffer(records) => self.written(store.buffer(self.batch(mind, &records)))?,
                Effect::Show(kind) => self.emitter.emit(&self.workspace, self.id(), kind),
                Effect::Stop => {
                    self.cancel.cancel();
                    self.stop_program();
                }
                Effect::AsideDecided => self.asides_decided.send_replace(()),
                Effect::AnswerCall { call, outcome, order } => self.answer_program(call, outcome, order),
                // At once: whoever comes later watches what a decision sets going again.
                Effect::Suspend => self.emitter.finish(self.id(), RunStatus::Suspended),
                Effect::AskModel(_)
                | Effect::RunProgram { .. }
                | Effect::PerformCall { .. }
                | Effect::End { .. } => later.push(effect),
            }
        }
        Ok(())
    }

    fn perform_later(self: &Arc<Self>, effect: Effect) {
        match effect {
            Effect::AskModel(request) => self.ask_model(*request),
            Effect::RunProgram {
                exec,
                program,
                replay,
                first_call,
            } => {
                self.run_program(program::Start {
                    exec,
                    source: program,
                    replay,
                    first_call,
                });
            }
            Effect::PerformCall { call, class } => self.perform_call(call, class),
            Effect::End { status, .. } => {
                self.workspace.running.remove(self.id());
                self.sweep_variables();
                if status == RunStatus::Cancelled || self.facts.ask.under.is_some() {
                    // Nobody waits any more for what it has begun.
                    self.features().jobs.stop_of(self.id());
                }
                let is_asked = self.facts.ask.under.is_none() && !self.is_given();
                if !self.workspace.is_incognito() && is_asked {
                    // Before the last word: who hears it may end the process.
                    let after_runs = &self.workspace.running.after_runs;
                    after_runs.begin(&self.workspace, self.id());
                    learning_queue::after(self);
                    if self.facts.ask.replay.is_none() {
                        shidi_trace::measure(&self.workspace, self.mind.lock().context());
                    }
                }
                if let Some(result) = self.result() {
                    self.emitter.tell(&Reply::Executed { result });
                }
                self.emitter.finish(self.id(), status);
                self.ended.cancel();
            }
            Effect::Commit(_)
            | Effect::Buffer(_)
            | Effect::Show(_)
            | Effect::Stop
            | Effect::Suspend
            | Effect::AsideDecided
            | Effect::AnswerCall { .. } => {}
        }
    }

    /// Rows of the record, with those that are written beside them.
    fn batch(&self, mind: &Mind, records: &[Record]) -> Batch {
        let mut batch = storage::batch(records, &self.facts, &self.progress(mind));
        batch.0.append(&mut self.beside.lock());
        batch
    }

    /// Takes away what its programs replaced. Nobody waits for it: what is not swept now is with the next run.
    fn sweep_variables(&self) {
        let sweep = Write::SweepVariables(self.session().clone());
        if let Err(cause) = self.workspace.store.buffer(sweep) {
            tracing::warn!(%cause, "replaced variables were not swept");
        }
    }

    fn written(&self, done: Result<(), StoreError>) -> Result<(), String> {
        done.map_err(|cause| storage::explain(&cause, self.language()).message)
    }

    fn progress(&self, mind: &Mind) -> RunProgress {
        let card = |kind| WaitingCard {
            event: self.emitter.preview(self.id(), kind),
        };
        RunProgress {
            waiting: mind.waiting().into_iter().map(card).collect(),
            seq: self.emitter.seq(),
        }
    }
}
