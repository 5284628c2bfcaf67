//! Schedules as programs of a run keep them: reminders, and questions without any permission of their own.

use crate::Scheduler;
use serde_json::{Map, Value, json};
use shidi_protocol::{
    Call, CallOutcome, MissedPolicy, Moment, ScheduleDraft, ScheduleTask, ScheduleView, ScheduleWords,
    UserError,
};
use shidi_toolkits::schedule::NAME;
use std::sync::Arc;

/// Two times that lie no further apart are the same, in milliseconds.
const SAME_TIME_MS: u64 = 60_000;

/// Whether a call is for schedules.
#[must_use]
pub fn is_for_schedules(call: &Call) -> bool {
    call.toolkit == NAME
}

/// Carries out a call of a run in a session with that assistant.
pub async fn perform(scheduler: Arc<Scheduler>, call: Call, assistant: Option<String>) -> CallOutcome {
    let text = |name: &str| {
        let given = call.args.get(name).and_then(Value::as_str);
        given.unwrap_or_default().to_owned()
    };
    let performed = match call.method.as_str() {
        "remind" => {
            let task = ScheduleTask::Reminder { text: text("text") };
            scheduler.keep_for_run(task, text("when"), None).await
        }
        "task" => {
            let task = ScheduleTask::Question {
                text: text("question"),
            };
            scheduler.keep_for_run(task, text("when"), assistant).await
        }
        "list" => scheduler.list_for_run().await,
        "cancel" => {
            let off = scheduler.switch(text("id"), false).await;
            off.map(|_| CallOutcome::success(Value::Null, "off").own())
        }
        other => {
            let message = format!("{NAME} has no method {other}");
            return CallOutcome::failure("AttributeError", message).own();
        }
    };
    performed.unwrap_or_else(|error| CallOutcome::failure("ValueError", sentence(&error)).own())
}

/// The sentence with its remedy: it tells the model how times are said.
fn sentence(error: &UserError) -> String {
    match &error.hint {
        Some(hint) => format!("{}. {hint}", error.message),
        None => error.message.clone(),
    }
}

impl Scheduler {
    async fn keep_for_run(
        self: &Arc<Self>,
        task: ScheduleTask,
        when: String,
        assistant: Option<String>,
    ) -> Result<CallOutcome, UserError> {
        let draft = ScheduleDraft {
            task,
            words: ScheduleWords::Plain { text: when },
            missed: MissedPolicy::Once,
            assistant,
            folders: Vec::new(),
            approve: Vec::new(),
        };
        // Small models say it again and again until their rounds are over.
        if let Some(same) = self.kept_already(&draft).await? {
            let next = same.next.map(local);
            let told = json!({"id": same.id, "next": next, "note": "kept already: tell the user, and end"});
            return Ok(CallOutcome::success(told, "kept already").own());
        }
        let kept = self.add(draft, None).await?.schedule;
        let next = kept.next.map(local);
        let summary = next.clone().unwrap_or_else(|| kept.draft.words.text().to_owned());
        Ok(CallOutcome::success(json!({"id": kept.id, "next": next}), summary).own())
    }

    /// One of the same words that comes within the same minute.
    async fn kept_already(
        self: &Arc<Self>,
        draft: &ScheduleDraft,
    ) -> Result<Option<ScheduleView>, UserError> {
        let wanted = self.dates(&draft.words)?;
        let soon = |one: Moment, other: Moment| one.since(other).max(other.since(one)) < SAME_TIME_MS;
        let is_same = |known: &ScheduleView| {
            let comes = match (known.next, wanted.next.first()) {
                (Some(next), Some(first)) => soon(next, *first),
                (None, None) => known.draft.words == draft.words,
                _ => false,
            };
            let is_alike = std::mem::discriminant(&known.time) == std::mem::discriminant(&wanted.time);
            known.on && comes && is_alike && known.draft.task == draft.task
        };
        Ok(self.listed().await?.schedules.into_iter().find(is_same))
    }

    async fn list_for_run(self: &Arc<Self>) -> Result<CallOutcome, UserError> {
        let listed = self.listed().await?.schedules;
        let shown: Vec<Value> = listed.iter().map(shown).collect();
        let summary = shown.len().to_string();
        Ok(CallOutcome::success(Value::Array(shown), summary))
    }
}

fn shown(schedule: &ScheduleView) -> Value {
    let kind = match &schedule.draft.task {
        ScheduleTask::Reminder { .. } => "reminder",
        ScheduleTask::Question { .. } => "question",
        ScheduleTask::Workflow { .. } => "workflow",
    };
    let mut shown = Map::new();
    shown.insert("id".to_owned(), json!(schedule.id));
    shown.insert("kind".to_owned(), json!(kind));
    shown.insert("text".to_owned(), json!(schedule.draft.task.title()));
    shown.insert("when".to_owned(), json!(schedule.draft.words.text()));
    shown.insert("next".to_owned(), json!(schedule.next.map(local)));
    if !schedule.on {
        shown.insert("paused".to_owned(), json!(true));
    }
    Value::Object(shown)
}

/// A moment by the clock on the wall: `Mon 2026-11-30 08:00`.
fn local(moment: Moment) -> String {
    let at = moment.timestamp().to_zoned(jiff::tz::TimeZone::system());
    at.strftime("%a %Y-%m-%d %H:%M").to_string()
}
