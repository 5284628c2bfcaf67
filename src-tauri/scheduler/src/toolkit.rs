//! Schedules as programs of a run keep them: reminders, and questions with the permissions that the call was approved with.

use crate::Scheduler;
use jiff::tz::TimeZone;
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
            scheduler.keep_for_run(draft(&call, task)).await
        }
        "task" => {
            let task = ScheduleTask::Question {
                text: text("question"),
            };
            let draft = ScheduleDraft {
                assistant,
                ..draft(&call, task)
            };
            scheduler.keep_for_run(draft).await
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
    async fn keep_for_run(self: &Arc<Self>, draft: ScheduleDraft) -> Result<CallOutcome, UserError> {
        // Small models say it again and again until their rounds are over.
        if let Some(same) = self.kept_already(&draft).await? {
            let next = same.next.map(|next| self.shown_in_both(next, &same.zone));
            let told = json!({"id": same.id, "next": next, "note": "kept already: tell the user, and end"});
            return Ok(CallOutcome::success(told, "kept already").own());
        }
        let kept = self.add(draft, None).await?.schedule;
        let next = kept.next.map(|next| self.shown_in_both(next, &kept.zone));
        let summary = next.clone().unwrap_or_else(|| kept.draft.words.text().to_owned());
        Ok(CallOutcome::success(json!({"id": kept.id, "next": next}), summary).own())
    }

    /// One of the same words that comes within the same minute.
    async fn kept_already(
        self: &Arc<Self>,
        draft: &ScheduleDraft,
    ) -> Result<Option<ScheduleView>, UserError> {
        let wanted = self.dates(&draft.words, draft.zone.as_deref())?;
        let soon = |one: Moment, other: Moment| one.since(other).max(other.since(one)) < SAME_TIME_MS;
        let is_same = |known: &ScheduleView| {
            let comes = match (known.next, wanted.next.first()) {
                (Some(next), Some(first)) => soon(next, *first),
                (None, None) => known.draft.words == draft.words,
                _ => false,
            };
            let is_alike = std::mem::discriminant(&known.time) == std::mem::discriminant(&wanted.time);
            let is_kept = known.on && comes && is_alike && known.draft.task == draft.task;
            // One that may do something else, or spend something else, is another one.
            let is_permitted =
                known.draft.approve == draft.approve && known.draft.max_tokens == draft.max_tokens;
            is_kept && is_permitted && known.time.zone() == wanted.time.zone()
        };
        Ok(self.listed().await?.schedules.into_iter().find(is_same))
    }

    async fn list_for_run(self: &Arc<Self>) -> Result<CallOutcome, UserError> {
        let listed = self.listed().await?.schedules;
        let shown: Vec<Value> = listed.iter().map(|one| self.shown(one)).collect();
        let summary = shown.len().to_string();
        Ok(CallOutcome::success(Value::Array(shown), summary))
    }

    fn shown(&self, schedule: &ScheduleView) -> Value {
        let kind = match &schedule.draft.task {
            ScheduleTask::Reminder { .. } => "reminder",
            ScheduleTask::Question { .. } => "question",
            ScheduleTask::Workflow { .. } => "workflow",
        };
        let next = schedule.next.map(|next| self.shown_in_both(next, &schedule.zone));
        let mut shown = Map::new();
        shown.insert("id".to_owned(), json!(schedule.id));
        shown.insert("kind".to_owned(), json!(kind));
        shown.insert("text".to_owned(), json!(schedule.draft.task.title()));
        shown.insert("when".to_owned(), json!(schedule.draft.words.text()));
        shown.insert("next".to_owned(), json!(next));
        if !schedule.draft.approve.is_empty() {
            shown.insert("approve".to_owned(), json!(schedule.draft.approve));
        }
        if !schedule.on {
            shown.insert("paused".to_owned(), json!(true));
        }
        Value::Object(shown)
    }

    /// A moment by the clock of a zone, and by that of the computer where it is another one.
    fn shown_in_both(&self, moment: Moment, zone: &str) -> String {
        let wall = self.clock.wall();
        let here = shown_in(moment, wall.time_zone());
        match TimeZone::get(zone) {
            Ok(there) if zone != self.clock.zone() => {
                format!("{} {zone} ({here} here)", shown_in(moment, &there))
            }
            Ok(_) | Err(_) => here,
        }
    }
}

/// What a call asks to be kept.
fn draft(call: &Call, task: ScheduleTask) -> ScheduleDraft {
    let text = |name: &str| call.args.get(name).and_then(Value::as_str).map(str::to_owned);
    let families = call.args.get("approve").and_then(Value::as_array);
    let families = families.into_iter().flatten().filter_map(Value::as_str);
    let most = call.args.get("max_tokens").and_then(Value::as_i64);
    ScheduleDraft {
        task,
        words: ScheduleWords::Plain {
            text: text("when").unwrap_or_default(),
        },
        zone: text("zone"),
        missed: MissedPolicy::Once,
        assistant: None,
        folders: Vec::new(),
        approve: families.map(str::to_owned).collect(),
        // Less than nothing is refused as nothing is, and is not taken for no bound.
        max_tokens: most
            .filter(|most| *most != 0)
            .map(|most| u32::try_from(most.max(0)).unwrap_or(u32::MAX)),
        max_usd: None,
    }
}

/// A moment by the clock on the wall: `Mon 2026-11-30 08:00`.
fn shown_in(moment: Moment, zone: &TimeZone) -> String {
    let at = moment.timestamp().to_zoned(zone.clone());
    at.strftime("%a %Y-%m-%d %H:%M").to_string()
}
