//! Performs permitted calls. A toolkit performs some by itself, and others need the store, the clock or other runs.

use super::hosts::HostsOfCommand;
use super::served_call::ServedCall;
use super::{Run, sub_agents};
use crate::clock;
use crate::limits::SLEEP_SECONDS_MAX;
use crate::permission_rules;
use crate::registry::{self, Performer};
use crate::store_tools::StoreTools;
use serde_json::{Value, json};
use shidi_agent::model_calls::ModelCall;
use shidi_agent::{Event, permissions};
use shidi_changes as changes;
use shidi_jobs::{self as jobs, Caller};
use shidi_locales::Language;
use shidi_protocol::{Call, CallId, CallOutcome, Class, HOST_TOOLKIT, JsonMap};
use shidi_space::call_bounds;
use shidi_toolkits::{Cancellation, DeniedPaths, Environment};
use std::sync::Arc;
use std::time::Duration;

impl Run {
    /// The call with the places that its arguments lead to.
    pub(super) fn placed(&self, call: Call) -> Call {
        let environment = self.environment(call.id, Class::Read);
        shidi_toolkits::placed(call, &environment)
    }

    /// The class of a call with its arguments looked at.
    pub(super) fn class_of(&self, call: &Call) -> Class {
        if call.toolkit == HOST_TOOLKIT {
            return Class::Read;
        }
        if shidi_browser::is_for_page(call) {
            return self
                .features()
                .pages
                .class_of(self.facts.ask.page.as_ref(), &call.method);
        }
        let own = || shidi_toolkits::class_of(call, &self.environment(call.id, Class::Read));
        self.features().registry.class_of(call).unwrap_or_else(own)
    }

    /// What a call beyond the bounds of a plugin's tool is refused with. They may have changed since it was approved.
    pub(super) fn barred(&self, call: &Call, class: Class) -> Option<CallOutcome> {
        let is_within = call_bounds::cover(self.bounds(), call, class, &self.folders());
        (!is_within).then(|| call_bounds::beyond(call))
    }

    pub(super) fn perform_call(self: &Arc<Self>, call: Call, class: Class) {
        if let Some(outcome) = self.barred(&call, class) {
            return self.return_outcome(call.id, outcome);
        }
        match self.features().registry.performer(&call, self.assistant()) {
            Performer::BuiltIn => {}
            Performer::SwitchedOff => {
                return self.return_outcome(call.id, registry::switched_off(&call));
            }
            Performer::Dynamic(toolkit) => {
                let id = call.id;
                let run = Arc::new(ServedCall {
                    run: Arc::clone(self),
                    call: id,
                });
                let performing = async move { toolkit.perform(call, run).await.untrusted() };
                self.workspace
                    .tasks
                    .spawn(performed(Arc::clone(self), id, performing));
                return;
            }
        }
        if let Some(seconds) = pause(&call) {
            let left = self.left_of(&call, seconds);
            self.workspace.tasks.spawn(sleep(Arc::clone(self), call.id, left));
            return;
        }
        if let Some(asked) = ModelCall::of(&call) {
            self.workspace
                .tasks
                .spawn(Arc::clone(self).ask_for_program(call, asked));
            return;
        }
        let Some(call) = self.performed_by_feature(call, class) else {
            return;
        };
        if let Some(look_up) = self.look_up(&call) {
            self.workspace
                .tasks
                .spawn(Arc::clone(self).finish_look_up(call, look_up));
            return;
        }
        self.return_outcome(call.id, self.outcome(&call, class));
    }

    fn return_outcome(self: &Arc<Self>, call: CallId, outcome: CallOutcome) {
        self.drive(Event::CallReturned { call, outcome });
    }

    /// Has a feature perform its call; gives one back that is for none.
    fn performed_by_feature(self: &Arc<Self>, call: Call, class: Class) -> Option<Call> {
        let (own, tasks) = (Arc::clone(self), &self.workspace.tasks);
        if shidi_browser::is_for_page(&call) {
            tasks.spawn(own.perform_on_page(call));
        } else if shidi_web::is_for_web(&call) {
            tasks.spawn(own.perform_on_web(call, class));
        } else if shidi_capture::is_for_senses(&call) {
            tasks.spawn(own.perform_by_senses(call));
        } else if shidi_code_index::is_for_code(&call) {
            let (id, environment) = (call.id, self.walking(&call, class));
            let performing = Arc::clone(&self.features().code).perform(call, environment);
            tasks.spawn(performed(own, id, performing));
        } else if sub_agents::is_for_one(&call) {
            tasks.spawn(own.see_through(call));
        } else if jobs::is_for_the_shell(&call) {
            tasks.spawn(own.perform_command(call, class));
        } else if shidi_workflow_runs::is_for_one(&call) || self.features().plugins.is_for_one(&call) {
            tasks.spawn(own.perform_workflow(call));
        } else if shidi_scheduler::is_for_schedules(&call) {
            let (id, scheduler) = (call.id, Arc::clone(&self.features().scheduler));
            let performing = shidi_scheduler::perform(scheduler, call, self.facts.ask.assistant.clone());
            tasks.spawn(performed(own, id, performing));
        } else {
            return Some(call);
        }
        None
    }

    /// Performs a call of the shell, which ends with the run where it is waited for.
    async fn perform_command(self: Arc<Self>, call: Call, class: Class) {
        let id = call.id;
        let caller = Caller {
            session: Some(self.session().clone()),
            run: self.id().clone(),
            hosts: Arc::new(HostsOfCommand {
                run: Arc::downgrade(&self),
                command: id,
            }),
            cancel: self.cancel.clone(),
            waited: if jobs::is_wait(&call) {
                self.gone_since(&call)
            } else {
                Duration::ZERO
            },
        };
        let performing = jobs::perform(
            (&self.workspace, &self.features().jobs),
            caller,
            call,
            self.environment(id, class),
        );
        performed(Arc::clone(&self), id, performing).await;
    }

    /// Whether the program waits for a job: that time is not its own.
    pub(super) fn waits_for_jobs(&self) -> bool {
        let mind = self.mind.lock();
        let mut calls = mind.context().calls.values();
        calls.any(|record| record.outcome.is_none() && jobs::is_wait(&record.call))
    }

    /// The rest of a pause that began before a restart.
    fn left_of(&self, call: &Call, seconds: f64) -> f64 {
        (seconds - self.gone_since(call).as_secs_f64()).max(0.0)
    }

    /// How long ago a call began, on record.
    fn gone_since(&self, call: &Call) -> Duration {
        let began = self
            .mind
            .lock()
            .context()
            .calls
            .get(&call.id)
            .map(|record| record.started);
        Duration::from_millis(began.map_or(0, |began| clock::now().since(began)))
    }

    fn outcome(&self, call: &Call, class: Class) -> CallOutcome {
        match (call.toolkit.as_str(), call.method.as_str()) {
            (HOST_TOOLKIT, _) => return host(call),
            ("system", "running") => return self.running(),
            _ => {}
        }
        let (tainted, language) = {
            let mind = self.mind.lock();
            (mind.state().tainted, Language::named(&mind.state().language))
        };
        let kept = StoreTools {
            embeddings: &self.features().embeddings,
            session: Some(self.session()),
            assistant: self.assistant(),
            tainted,
        };
        let environment = self.walking(call, class);
        let skills = &self.features().skills;
        let skill = || skills.perform(call, &environment.folders, self.assistant(), language);
        let performed = shidi_toolkits::perform(call, &environment).or_else(skill);
        let performed = performed.or_else(|| kept.perform(call));
        performed.unwrap_or_else(|| registry::missing(call))
    }

    /// The environment of a call that walks through folders: without the paths that the user's rules keep back.
    fn walking(&self, call: &Call, class: Class) -> Environment {
        let (withheld, unnamed) = {
            let mind = self.mind.lock();
            let grants = &mind.context().settings.grants;
            (grants.withheld(call, class), grants.unnamed(call))
        };
        Environment {
            withheld: permission_rules::left_out(withheld),
            unnamed: unnamed
                .filter(|_| self.may_list(call))
                .map(permission_rules::left_out),
            ..self.environment(call.id, class)
        }
    }

    /// Whether the program of a call may list folders.
    fn may_list(&self, call: &Call) -> bool {
        let listing = permissions::listing(call);
        let performer = self.features().registry.performer(&listing, self.assistant());
        self.barred(&listing, Class::Read).is_none() && matches!(performer, Performer::BuiltIn)
    }

    pub(super) fn environment(&self, call: CallId, permitted: Class) -> Environment {
        Environment {
            folders: self.folders(),
            attached: self.attached.clone(),
            library: self.workspace.library.clone(),
            change: changes::record_of(&self.workspace, self.session(), self.id(), call),
            trash: shidi_toolkits::trash_folder(),
            own: Some(self.workspace.home.folder().to_path_buf()),
            now: clock::now(),
            timezone: jiff::tz::TimeZone::system(),
            permitted,
            withheld: DeniedPaths::default(),
            unnamed: None,
            cancellation: {
                let cancel = self.cancel.clone();
                Cancellation::new(move || cancel.is_cancelled())
            },
        }
    }

    fn running(&self) -> CallOutcome {
        let shown = |run: &Arc<Run>| {
            let status = if run.id() == self.id() { None } else { run.status() };
            json!({"run": run.id(), "question": run.question(), "status": status.map_or(json!("at work"), |status| json!(status))})
        };
        let runs = self.workspace.running.all();
        let listed: Vec<Value> = runs.iter().map(shown).collect();
        let summary = format!("{} running", listed.len());
        let outcome = CallOutcome::success(Value::Array(listed), summary);
        match runs.iter().all(|run| run.facts.ask.is_users_own()) {
            true => outcome.own(),
            false => outcome,
        }
    }
}

/// Waits for what somebody else performs, as long as the run goes on.
pub(super) async fn performed(run: Arc<Run>, call: CallId, performing: impl Future<Output = CallOutcome>) {
    let outcome = tokio::select! {
        outcome = performing => outcome,
        () = run.cancel.cancelled() => return,
    };
    run.returned(call, outcome).await;
}

async fn sleep(run: Arc<Run>, call: CallId, seconds: f64) {
    let sleeping = async {
        tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
        CallOutcome::success(Value::Null, "waited").own()
    };
    performed(run, call, sleeping).await;
}

/// Seconds that a call is to wait, if waiting is what it is for.
pub fn pause(call: &Call) -> Option<f64> {
    let is_pause = call.method == "sleep" && (call.toolkit == HOST_TOOLKIT || call.toolkit == "system");
    let seconds = call.args.get("seconds").and_then(Value::as_f64).unwrap_or(0.0);
    is_pause.then(|| {
        if seconds.is_finite() {
            seconds.clamp(0.0, SLEEP_SECONDS_MAX)
        } else {
            0.0
        }
    })
}

/// The clock and entropy, recorded like any call so that a replay sees the same.
pub fn host(call: &Call) -> CallOutcome {
    match call.method.as_str() {
        "clock" => {
            let now = clock::now();
            let offset = jiff::tz::TimeZone::system().to_offset(now.timestamp()).seconds() / 60;
            CallOutcome::success(json!({"unix_ms": now.0, "utc_offset_minutes": offset}), "")
        }
        "entropy" => CallOutcome::success(json!({"hex": entropy(&call.args)}), ""),
        other => CallOutcome::failure("RuntimeError", format!("The host has no {other}")),
    }
}

/// Random bytes in hexadecimal, from the random half of fresh ids.
fn entropy(args: &JsonMap) -> String {
    let digits = args
        .get("bytes")
        .and_then(Value::as_u64)
        .and_then(|bytes| usize::try_from(bytes).ok())
        .unwrap_or(32)
        .min(64)
        * 2;
    let mut hex = String::with_capacity(digits + 16);
    while hex.len() < digits {
        let id = shidi_protocol::RunId::mint();
        hex.push_str(id.as_str().get(18..32).unwrap_or_default());
    }
    hex.truncate(digits);
    hex
}
