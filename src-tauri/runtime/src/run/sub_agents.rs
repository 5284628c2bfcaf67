//! Sub-agents (F8.3): runs of their own in sessions of their own, of which only the answer comes back.
//!
//! The session of a sub-agent follows from the run and the call that it works for. So a run that is taken up again
//! finds the session that it had begun. Where a sub-agent waits for the user, so does the run that asked for it.

use super::Run;
use super::resume;
use super::start::begin;
use crate::limits::SUB_AGENTS_MAX;
use crate::storage;
use serde_json::Value;
use shidi_agent::Event;
use shidi_protocol::{
    Ask, Call, CallId, CallOutcome, Reply, RunId, RunStatus, SegmentKind, SessionId, Under, UserError,
};
use std::sync::Arc;

/// Characters of a run's id that the session of its sub-agent begins with. The number of the call is the rest.
const RUN_CHARACTERS: usize = 26;

/// The session in which a sub-agent works.
fn session_of(run: &RunId, call: CallId) -> SessionId {
    let run = run.as_str().get(..RUN_CHARACTERS).unwrap_or(run.as_str());
    SessionId::from(format!("{run}{:06x}", call.0))
}

/// Whether a call is for a sub-agent.
pub(super) fn is_for_one(call: &Call) -> bool {
    call.toolkit == "agents" && call.method == "run"
}

impl Run {
    /// Sees a sub-agent through to its end, or takes up the one that works for that call already.
    pub(super) async fn see_through(self: Arc<Self>, call: Call) {
        let outcome = tokio::select! {
            outcome = answer_of(&self, &call) => outcome,
            () = self.cancel.cancelled() => {
                // A process that ends leaves both to their records.
                let agent = self.workspace.running.of(&session_of(self.id(), call.id));
                if let Some(agent) = agent.filter(|_| self.is_stopped()) {
                    agent.cancel().await;
                }
                return;
            }
        };
        self.returned(call.id, outcome).await;
    }

    /// Whether the program waits for one: that time is not its own.
    pub(super) fn waits_for_sub_agents(&self) -> bool {
        let mind = self.mind.lock();
        let mut calls = mind.context().calls.values();
        calls.any(|record| record.outcome.is_none() && is_for_one(&record.call))
    }

    /// Shows whoever watches this run what its resting sub-agents wait for. Whether there is anything.
    pub(super) fn relay_what_rests(&self) -> bool {
        let resting: Vec<CallId> = self.mind.lock().context().resting.iter().copied().collect();
        let relayed = resting.into_iter().filter(|call| {
            let agent = self.workspace.running.of(&session_of(self.id(), *call));
            agent.is_some_and(|agent| self.relay(&agent))
        });
        relayed.count() > 0
    }

    fn relay(&self, agent: &Self) -> bool {
        let waiting = agent.mind.lock().waiting();
        let shown = !waiting.is_empty();
        for kind in waiting {
            self.emitter.relay(&agent.emitter.preview(agent.id(), kind));
        }
        shown
    }
}

async fn answer_of(run: &Arc<Run>, call: &Call) -> CallOutcome {
    let Ok(_place) = run.workspace.running.sub_agents.acquire().await else {
        return CallOutcome::failure("RuntimeError", "The program ends");
    };
    let agent = match found(run, call).await {
        Ok(Some(agent)) => agent,
        Ok(None) => return outcome(run, call),
        Err(problem) => return CallOutcome::failure("RuntimeError", problem.message),
    };
    let mut rests = false;
    loop {
        // First: what happens from here on is not missed.
        let mut replies = agent.subscribe();
        if agent.is_over() {
            return outcome(run, call);
        }
        if agent.status() == Some(RunStatus::Suspended) && !rests {
            rests = true;
            run.relay(&agent);
            run.drive_blocking(Event::CallRests { call: call.id }).await;
        }
        loop {
            match replies.recv().await {
                Some(Reply::Ended { .. }) | None => break,
                Some(_) if rests => {
                    rests = false;
                    run.drive_blocking(Event::CallGoesOn { call: call.id }).await;
                }
                Some(_) => {}
            }
        }
    }
}

/// The sub-agent of a call, begun if there is none yet; `None` when it is over.
async fn found(run: &Arc<Run>, call: &Call) -> Result<Option<Arc<Run>>, UserError> {
    let session = session_of(run.id(), call.id);
    if let Some(agent) = run.workspace.running.of(&session) {
        return Ok(Some(agent));
    }
    let rows = run.workspace.stored(run.workspace.store.runs(&session));
    let row = rows?.pop();
    match row {
        None => {
            let agent = begin(&run.workspace, asked(run, call, session));
            agent.await.map(|(agent, _)| Some(agent))
        }
        Some(row) if row.status.is_some_and(RunStatus::is_over) => Ok(None),
        Some(row) => {
            let agent = resume::alone(&run.workspace, row.run);
            agent.await.map(|(agent, _)| Some(agent))
        }
    }
}

/// The question of a sub-agent: nothing of the conversation, with the same folders, model and permissions.
fn asked(run: &Run, call: &Call, session: SessionId) -> Ask {
    let ask = &run.facts.ask;
    let (tainted, usage) = {
        let mind = run.mind.lock();
        let state = mind.state();
        (state.tainted, state.usage)
    };
    let used = usage.input + usage.output;
    let shown = |path: &std::path::PathBuf| path.display().to_string();
    Ask {
        text: call.text("task").to_owned(),
        session: Some(session),
        assistant: ask.assistant.clone(),
        folders: run.folders().iter().chain(&run.attached).map(shown).collect(),
        mode: ask.mode,
        approve: ask.approve.clone(),
        own_list: ask.own_list,
        max_rounds: ask.max_rounds,
        max_tokens: ask.max_tokens.map(|most| most.saturating_sub(used).max(1)),
        max_usd: ask
            .max_usd
            .map(|most| (most - usage.cost.unwrap_or_default()).max(0.0)),
        overrides: ask.overrides.clone(),
        language: ask.language.clone(),
        under: Some(Box::new(Under {
            run: run.id().clone(),
            call: call.id,
            toolkits: names(call),
            tainted,
        })),
        ..Ask::default()
    }
}

/// The outcome of a sub-agent, by its record.
fn outcome(run: &Arc<Run>, call: &Call) -> CallOutcome {
    let session = session_of(run.id(), call.id);
    let store = &run.workspace.store;
    let read = store
        .runs(&session)
        .and_then(|mut rows| Ok((rows.pop(), store.segments(&session)?)));
    let (row, segments) = match read {
        Ok((Some(row), segments)) => (row, segments),
        Ok((None, _)) => return CallOutcome::failure("RuntimeError", "The sub-agent did not begin"),
        Err(cause) => {
            return CallOutcome::failure("OSError", storage::explain(&cause, run.language()).message);
        }
    };
    run.drive(Event::Spent { usage: row.usage });
    let answer = segments
        .iter()
        .rev()
        .find(|segment| segment.kind() == SegmentKind::Express);
    let answer = answer
        .map(|segment| segment.text().to_owned())
        .unwrap_or_default();
    let why = || {
        let error = row.error.as_ref().map(|error| error.message.clone());
        error.or_else(|| row.reason.clone()).unwrap_or_default()
    };
    match row.status {
        // A sub-agent's answer is as own as the words that it was told and has read. A server may have worded the
        // reason of a failure.
        Some(RunStatus::Completed) if segments.iter().all(|segment| !segment.tainted) => {
            CallOutcome::success(Value::String(answer), "answered").own()
        }
        Some(RunStatus::Completed) => CallOutcome::success(Value::String(answer), "answered"),
        Some(RunStatus::Cancelled) => {
            CallOutcome::failure("RuntimeError", "The user stopped the sub-agent").own()
        }
        _ => CallOutcome::failure("RuntimeError", format!("The sub-agent did not manage: {}", why())),
    }
}

fn names(call: &Call) -> Vec<String> {
    let listed = call.args.get("toolkits").and_then(Value::as_array);
    let names = listed.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

/// Places for sub-agents that work at the same time.
pub fn places() -> tokio::sync::Semaphore {
    tokio::sync::Semaphore::new(SUB_AGENTS_MAX)
}
