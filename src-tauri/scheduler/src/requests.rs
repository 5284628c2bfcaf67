//! What a person does with schedules: adds, looks, pauses, runs, removes.

use crate::Scheduler;
use crate::limits::{DATES_SHOWN, RUNS_LISTED_MAX, SCHEDULES_MAX, TEXT_MAX_CHARACTERS};
use crate::performer::{Taking, begin};
use crate::records::standing_now;
use shidi_protocol::request::schedules as request;
use shidi_protocol::request::{assistants, workflows};
use shidi_protocol::{
    ErrorCode, Moment, Reply, Request, ScheduleDates, ScheduleDraft, ScheduleRequest, ScheduleTask,
    ScheduleTime, ScheduleWords, UserError, reply, reply_to,
};
use shidi_schedule::{Dispatch, Turn, WordsFault, check, first, next, read_in, zone_named};
use shidi_space::errors::error;
use shidi_space::replies::Answered;
use shidi_space::rule_requests::pattern_of;
use shidi_store::{ScheduleRow, ScheduleWrite, Write};
use std::collections::HashMap;
use std::sync::Arc;

/// The setting that holds the number of the newest schedule.
const LAST_NUMBER: &str = "schedule.last_number";

/// Answers a request.
///
/// # Errors
/// Words that are no time, a schedule that is not there, trouble with the disk.
pub async fn answer(scheduler: &Arc<Scheduler>, request: ScheduleRequest) -> Result<Answered, UserError> {
    let reply = match request {
        ScheduleRequest::List => reply_to::<request::List>(scheduler.listed().await?),
        ScheduleRequest::Read { words, zone } => {
            let dates = scheduler.dates(&words, zone.as_deref())?;
            reply_to::<request::Read>(reply::ScheduleTimes { dates })
        }
        ScheduleRequest::Check { mut draft } => {
            scheduler.check(&mut draft).await?;
            reply_to::<request::Check>(reply::Done)
        }
        ScheduleRequest::Add { draft, time } => reply_to::<request::Add>(scheduler.add(draft, time).await?),
        ScheduleRequest::Change { id, draft, time } => {
            reply_to::<request::Change>(scheduler.change(id, draft, time).await?)
        }
        ScheduleRequest::Switch { id, on } => reply_to::<request::Switch>(scheduler.switch(id, on).await?),
        ScheduleRequest::Run { id } => reply_to::<request::Run>(scheduler.run_now(id).await?),
        ScheduleRequest::Remove { id } => reply_to::<request::Remove>(scheduler.remove(id).await?),
        ScheduleRequest::History { id, limit } => {
            reply_to::<request::History>(scheduler.history(id, limit).await?)
        }
        ScheduleRequest::Watch => {
            let watched = scheduler.space.watch();
            begin(scheduler);
            return Ok(Answered::Stream(watched));
        }
    };
    Ok(Answered::One(Box::new(reply)))
}

/// Whether somebody only watches what schedules do, for as long as that takes.
#[must_use]
pub fn only_watches(request: &Request) -> bool {
    let watch = ScheduleRequest::Watch;
    matches!(request, Request::Schedules { action } if *action == watch)
}

impl Scheduler {
    pub fn dates(&self, words: &ScheduleWords, zone: Option<&str>) -> Result<ScheduleDates, UserError> {
        let zone = self.zone_named(zone)?;
        let time = self.checked(None, (words, zone.as_deref()))?;
        let next = first(&time, &self.clock.wall(), DATES_SHOWN);
        let zone = self.zone_of(&time, zone.as_deref());
        Ok(ScheduleDates { time, zone, next })
    }

    /// A zone by its own name.
    fn zone_named(&self, zone: Option<&str>) -> Result<Option<String>, UserError> {
        // A field that is left empty names none.
        let named = zone.filter(|name| !name.trim().is_empty()).map(zone_named);
        named.transpose().map_err(|fault| self.told(&fault))
    }

    fn told(&self, fault: &WordsFault) -> UserError {
        fault.told(self.space.language())
    }

    pub async fn listed(self: &Arc<Self>) -> Result<reply::Schedules, UserError> {
        let standings = self.settle(false).await?;
        let own = Arc::clone(self);
        let listed = self.space.aside(move |space| {
            let rows = space.store.schedules().map_err(|cause| own.explain(&cause))?;
            let view = |row| {
                let mut view = own.view(row)?;
                let waiting = view.waiting.take().map(|run| standing_now(run, &standings));
                // One that is at work again waits for nobody.
                view.waiting = waiting.filter(|run| run.outcome.is_some());
                Ok(view)
            };
            rows.into_iter().map(view).collect()
        });
        Ok(reply::Schedules {
            schedules: listed.await?,
        })
    }

    pub async fn add(
        self: &Arc<Self>,
        mut draft: ScheduleDraft,
        shown: Option<ScheduleTime>,
    ) -> Result<reply::Schedule, UserError> {
        self.check(&mut draft).await?;
        let time = self.checked(shown, (&draft.words, draft.zone.as_deref()))?;
        let _one = self.changing.lock().await;
        let (time, next) = self.comes(time).await?;
        let own = Arc::clone(self);
        let added = self.space.aside(move |space| {
            let rows = space.store.schedules().map_err(|cause| own.explain(&cause))?;
            let say = space.language().schedule();
            if rows.len() >= SCHEDULES_MAX {
                return Err(error(
                    ErrorCode::Input,
                    say.has_enough(SCHEDULES_MAX),
                    say.remove_some(),
                ));
            }
            // No number comes again: a run of one that is gone must not write into another one's records.
            let last = space
                .store
                .setting(LAST_NUMBER)
                .map_err(|cause| own.explain(&cause))?;
            let id = last.and_then(|last| last.as_u64()).unwrap_or(0) + 1;
            let row = ScheduleRow {
                id: id.to_string(),
                next,
                draft,
                time,
                paused: false,
                created: own.clock.now(),
            };
            let writes = vec![
                Write::PutSetting {
                    key: LAST_NUMBER.to_owned(),
                    value: id.into(),
                },
                Write::Schedule(ScheduleWrite::Put(Box::new(row.clone()))),
            ];
            space.store.commit(writes).map_err(|cause| own.explain(&cause))?;
            own.view(row)
        });
        let schedule = added.await?;
        self.changed.notify_one();
        Ok(reply::Schedule { schedule })
    }

    async fn change(
        self: &Arc<Self>,
        id: String,
        mut draft: ScheduleDraft,
        shown: Option<ScheduleTime>,
    ) -> Result<reply::Schedule, UserError> {
        self.check(&mut draft).await?;
        let _one = self.changing.lock().await;
        let own = Arc::clone(self);
        let row = self.space.aside(move |_| own.row(&id)).await?;
        // One that is over comes again when it is kept anew.
        let has_time = row.paused || row.next.is_some() || row.time.is_event();
        let is_same = row.draft.words == draft.words && row.draft.zone == draft.zone;
        let row = if shown.is_none() && has_time && is_same {
            ScheduleRow { draft, ..row }
        } else {
            let time = self.checked(shown, (&draft.words, draft.zone.as_deref()))?;
            let (time, next) = self.comes(time).await?;
            ScheduleRow {
                next: next.filter(|_| !row.paused),
                draft,
                time,
                ..row
            }
        };
        let own = Arc::clone(self);
        let changed = self.space.aside(move |_| {
            own.keep(row.clone())?;
            own.view(row)
        });
        let schedule = changed.await?;
        self.changed.notify_one();
        Ok(reply::Schedule { schedule })
    }

    /// The time that was shown, or the one that words mean in a zone.
    fn checked(
        &self,
        shown: Option<ScheduleTime>,
        (words, zone): (&ScheduleWords, Option<&str>),
    ) -> Result<ScheduleTime, UserError> {
        let now = self.clock.wall();
        let time = match shown {
            Some(time) => check(time, &now),
            None => read_in(zone, words, &now),
        };
        time.map_err(|fault| self.told(&fault))
    }

    /// A time from now on, and when it comes; an event has no date.
    async fn comes(&self, time: ScheduleTime) -> Result<(ScheduleTime, Option<Moment>), UserError> {
        let time = self.from_now(time).await?;
        match next(&time, &self.clock.wall()) {
            None if !time.is_event() => {
                let say = self.space.language().schedule();
                Err(error(ErrorCode::Input, say.has_passed(), say.add_another()))
            }
            next => Ok((time, next)),
        }
    }

    /// What nothing could be made of is refused now, and not at eight in the morning.
    async fn check(&self, draft: &mut ScheduleDraft) -> Result<(), UserError> {
        let say = self.space.language().schedule();
        let is_reminder = matches!(draft.task, ScheduleTask::Reminder { .. });
        let does_nothing = draft.approve.is_empty() && draft.folders.is_empty() && draft.assistant.is_none();
        if is_reminder && !does_nothing {
            return Err(error(
                ErrorCode::Input,
                say.reminder_does_nothing(),
                say.ask_in_its_place(),
            ));
        }
        draft.zone = self.zone_named(draft.zone.as_deref())?;
        self.check_bounds(draft)?;
        for pattern in &draft.approve {
            pattern_of(&self.space, pattern)?;
        }
        if let Some(name) = draft.assistant.clone() {
            self.refused(assistants::Show { name }.into()).await?;
        }
        match &mut draft.task {
            ScheduleTask::Reminder { text } | ScheduleTask::Question { text } => {
                *text = text.trim().to_owned();
                if text.is_empty() {
                    return Err(error(ErrorCode::Input, say.no_text(), say.say_what()));
                }
                if text.chars().count() > TEXT_MAX_CHARACTERS {
                    let message = say.text_too_long(TEXT_MAX_CHARACTERS);
                    return Err(error(ErrorCode::Input, message, say.say_it_shorter()));
                }
                Ok(())
            }
            ScheduleTask::Workflow { name, inputs } => {
                let ready = workflows::Ready {
                    name: name.clone(),
                    inputs: inputs.clone(),
                    folders: draft.folders.clone(),
                };
                self.refused(ready.into()).await
            }
        }
    }

    /// A question alone spends what can be counted beforehand, and nothing is no bound.
    fn check_bounds(&self, draft: &ScheduleDraft) -> Result<(), UserError> {
        let say = self.space.language().schedule();
        let is_bound = draft.max_tokens.is_some() || draft.max_usd.is_some();
        if is_bound && !matches!(draft.task, ScheduleTask::Question { .. }) {
            return Err(error(
                ErrorCode::Input,
                say.only_questions_have_bounds(),
                say.leave_the_bound_out(),
            ));
        }
        let is_money = |usd: f64| usd.is_finite() && usd > 0.0;
        match draft.max_tokens == Some(0) || draft.max_usd.is_some_and(|usd| !is_money(usd)) {
            true => Err(error(
                ErrorCode::Input,
                say.bound_of_nothing(),
                say.leave_the_bound_out(),
            )),
            false => Ok(()),
        }
    }

    /// Why a request is refused.
    async fn refused(&self, request: Request) -> Result<(), UserError> {
        let Some(mut replies) = self.serve(request) else {
            return Ok(());
        };
        match replies.next().await {
            Some(Reply::Failed { error }) => Err(error),
            Some(_) | None => Ok(()),
        }
    }

    pub fn keep(&self, row: ScheduleRow) -> Result<(), UserError> {
        let write = Write::Schedule(ScheduleWrite::Put(Box::new(row)));
        let kept = self.space.store.commit(write);
        kept.map_err(|cause| self.explain(&cause))
    }

    fn row(&self, id: &str) -> Result<ScheduleRow, UserError> {
        let row = self.space.store.schedule(id);
        let row = row.map_err(|cause| self.explain(&cause))?;
        row.ok_or_else(|| {
            let say = self.space.language().schedule();
            error(ErrorCode::NotFound, say.no_such_schedule(id), say.see_schedules())
        })
    }

    pub async fn switch(self: &Arc<Self>, id: String, on: bool) -> Result<reply::Schedule, UserError> {
        let _one = self.changing.lock().await;
        let own = Arc::clone(self);
        let mut row = self.space.aside(move |_| own.row(&id)).await?;
        row.paused = !on;
        row.next = None;
        if on {
            (row.time, row.next) = self.comes(row.time).await?;
        }
        let own = Arc::clone(self);
        let switched = self.space.aside(move |_| {
            own.keep(row.clone())?;
            own.view(row)
        });
        let schedule = switched.await?;
        self.changed.notify_one();
        Ok(reply::Schedule { schedule })
    }

    async fn run_now(self: &Arc<Self>, id: String) -> Result<reply::Schedule, UserError> {
        let _one = self.changing.lock().await;
        let own = Arc::clone(self);
        let row = self.space.aside(move |_| own.row(&id)).await?;
        if self.at_work.lock().contains(&row.id) {
            let say = self.space.language().schedule();
            return Err(error(
                ErrorCode::Input,
                say.is_at_work(&row.id),
                say.wait_for_its_end(),
            ));
        }
        let turn = Turn {
            due: self.clock.now(),
            missed: 0,
            dispatch: Dispatch::Now,
        };
        let taking = Taking {
            turns: vec![turn],
            about: None,
        };
        self.take_up(row.clone(), taking).await?;
        let own = Arc::clone(self);
        let schedule = self.space.aside(move |_| own.view(row)).await?;
        Ok(reply::Schedule { schedule })
    }

    async fn remove(self: &Arc<Self>, id: String) -> Result<reply::Schedules, UserError> {
        {
            let _one = self.changing.lock().await;
            let own = Arc::clone(self);
            let removed = self.space.aside(move |space| {
                own.row(&id)?;
                let write = Write::Schedule(ScheduleWrite::Delete(id));
                space.store.commit(write).map_err(|cause| own.explain(&cause))
            });
            removed.await?;
        }
        self.listed().await
    }

    async fn history(
        self: &Arc<Self>,
        id: Option<String>,
        limit: u32,
    ) -> Result<reply::ScheduleRuns, UserError> {
        let standings = self.settle(false).await?;
        let own = Arc::clone(self);
        let runs = self.space.aside(move |space| {
            if let Some(id) = &id {
                own.row(id)?;
            }
            let explain = |cause| own.explain(&cause);
            let rows = space.store.schedules().map_err(explain)?;
            let titles: HashMap<String, String> = rows
                .into_iter()
                .map(|row| (row.id, row.draft.task.title().to_owned()))
                .collect();
            let limit = limit.min(RUNS_LISTED_MAX);
            let runs = space.store.schedule_runs(id.as_deref(), limit).map_err(explain)?;
            let title = |id: &str| titles.get(id).cloned().unwrap_or_default();
            Ok(runs
                .into_iter()
                .map(|row| {
                    let title = title(&row.schedule);
                    standing_now(own.run_view(row, &title), &standings)
                })
                .collect())
        });
        Ok(reply::ScheduleRuns { runs: runs.await? })
    }
}
