//! Takes up what is due, and follows it to its end.

use crate::Scheduler;
use crate::limits::LOOK_EVERY;
use crate::records::{of_run, of_workflow, record};
use crate::sight::Sights;
use shidi_protocol::{
    Ask, Mode, Moment, Reply, Request, RunEventKind, ScheduleDraft, ScheduleOutcome, ScheduleTask, UserError,
    WorkflowRequest,
};
use shidi_schedule::{Dispatch, Look, Seen, SkipReason, Turn, is_moved, look};
use shidi_store::{ScheduleRow, ScheduleRunRow, ScheduleWrite, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// As [`begin`] where there are windows, once somebody watches: what is due at the start has to be told to them.
pub fn begin_for_windows(scheduler: &Arc<Scheduler>) {
    if scheduler.space.stays() {
        begin(scheduler);
    }
}

/// Whether this process does what is due, or will as long as it is there: what is begun in another one could break off.
#[must_use]
pub fn stays(scheduler: &Scheduler) -> bool {
    scheduler.is_at_work.load(Ordering::Acquire) || scheduler.space.stays()
}

/// Does what is due from now on, until the process ends. Once is enough.
pub fn begin(scheduler: &Arc<Scheduler>) {
    if scheduler.is_at_work.swap(true, Ordering::AcqRel) {
        return;
    }
    scheduler.listen_for_jobs();
    let own = Arc::downgrade(scheduler);
    scheduler.space.tasks.spawn(async move {
        if let Some(scheduler) = own.upgrade()
            && let Err(cause) = scheduler.settle(true).await
        {
            tracing::warn!(cause.message, "what an earlier process began is not settled");
        }
        loop {
            let Some(scheduler) = own.upgrade() else { return };
            let pause = match scheduler.look().await {
                Ok(pause) => pause,
                Err(cause) => {
                    tracing::error!(cause.message, "schedules can't be looked at");
                    LOOK_EVERY
                }
            };
            let changed = Arc::clone(&scheduler.changed);
            // The database is not held while nothing happens.
            drop(scheduler);
            // Sleeps are by a clock that stops while the machine sleeps, so none is long.
            tokio::select! {
                () = tokio::time::sleep(pause.min(LOOK_EVERY)) => {}
                () = changed.notified() => {}
            }
        }
    });
}

/// Times that are taken up together.
pub struct Taking {
    /// Each has a record; at most one is done.
    pub turns: Vec<Turn>,
    /// What happened, where it is an event; others wrote some of it.
    pub about: Option<String>,
}

impl Scheduler {
    /// Takes up what is due, and says how long nothing will be.
    async fn look(self: &Arc<Self>) -> Result<Duration, UserError> {
        let mut sights = self.sights(&self.rows().await?).await;
        let _one = self.changing.lock().await;
        let mut soonest: Option<Moment> = None;
        for row in self.rows().await?.into_iter().filter(|row| !row.paused) {
            let id = row.id.clone();
            match self.look_at(row, &mut sights).await {
                Ok(next) => soonest = [soonest, next].into_iter().flatten().min(),
                // The others are not to be missed for it.
                Err(cause) => tracing::error!(id, cause.message, "a schedule can't be taken up"),
            }
        }
        let pause = soonest.map(|soonest| Duration::from_millis(soonest.since(self.clock.now())));
        Ok(pause.unwrap_or(LOOK_EVERY))
    }

    async fn rows(self: &Arc<Self>) -> Result<Vec<ScheduleRow>, UserError> {
        let own = Arc::clone(self);
        let rows = self
            .space
            .aside(move |space| space.store.schedules().map_err(|cause| own.explain(&cause)));
        rows.await
    }

    /// Takes one up if it is due, and says when it comes next.
    async fn look_at(
        self: &Arc<Self>,
        row: ScheduleRow,
        sights: &mut Sights,
    ) -> Result<Option<Moment>, UserError> {
        if row.time.is_event() {
            return self.look_at_file(row, sights).await;
        }
        let Some(due) = row.next else { return Ok(None) };
        let now = self.clock.wall();
        let busy = match due <= Moment::from(now.timestamp()) {
            true => self.busy(&row.id).await?,
            false => None,
        };
        let newest = match is_moved(&row.time, due, &now) {
            true => self.newest(&row.id).await?,
            false => None,
        };
        let seen = Seen {
            time: &row.time,
            policy: row.draft.missed,
            due,
            newest,
            busy,
        };
        match look(&seen, &now) {
            Look::Waits => Ok(Some(due)),
            Look::Moves(next) => {
                let own = Arc::clone(self);
                let moved = self.space.aside(move |_| own.keep(ScheduleRow { next, ..row }));
                moved.await.map(|()| next)
            }
            Look::Takes { turns, next } => {
                let taking = Taking { turns, about: None };
                self.take_up(ScheduleRow { next, ..row }, taking).await?;
                Ok(next)
            }
        }
    }

    /// The newest of its times on record.
    async fn newest(self: &Arc<Self>, id: &str) -> Result<Option<Moment>, UserError> {
        let (own, id) = (Arc::clone(self), id.to_owned());
        let newest = self.space.aside(move |space| {
            let runs = space.store.schedule_runs(Some(&id), 1);
            runs.map_err(|cause| own.explain(&cause))
        });
        Ok(newest.await?.pop().map(|run| run.due))
    }

    /// Why nothing of it can begin: one of its times is at work yet, or waits for its user. Another one would only wait behind it.
    pub async fn busy(self: &Arc<Self>, id: &str) -> Result<Option<SkipReason>, UserError> {
        if self.at_work.lock().contains(id) {
            return Ok(Some(SkipReason::AtWork));
        }
        let waits = |row: &ScheduleRunRow| {
            row.schedule == id
                && row
                    .outcome
                    .is_none_or(|outcome| outcome == ScheduleOutcome::Waiting)
        };
        for row in self.open().await?.into_iter().filter(waits) {
            let busy = self.settle_one(row, false).await?.busy();
            if busy.is_some() {
                return Ok(busy);
            }
        }
        Ok(None)
    }

    /// Writes the next time and the records of those that came, and sets the one going that is done.
    pub async fn take_up(self: &Arc<Self>, row: ScheduleRow, taking: Taking) -> Result<(), UserError> {
        let Taking { turns, about } = taking;
        // Before its record: one without an end that is not at work here is one of a process that ended.
        let runs = turns.iter().any(|turn| turn.dispatch == Dispatch::Now);
        if runs {
            self.at_work.lock().insert(row.id.clone());
        }
        let records = match self.take_down(row.clone(), turns).await {
            Ok(records) => records,
            Err(cause) => {
                if runs {
                    self.at_work.lock().remove(&row.id);
                }
                return Err(cause);
            }
        };
        let title = row.draft.task.title();
        for record in &records {
            self.space.tell(&Reply::ScheduleChanged {
                run: self.run_view(record.clone(), title),
                told: None,
            });
        }
        // A reminder writes nothing.
        let is_run = !matches!(row.draft.task, ScheduleTask::Reminder { .. });
        let begun = records.into_iter().find(|record| record.dispatched.is_some());
        if let Some(record) = begun {
            let own = Arc::clone(self);
            self.space.tasks.spawn(async move {
                own.perform(row.draft, record, about).await;
                if row.time.is_event() && is_run {
                    own.look_after_run(row.id.clone()).await;
                }
                own.at_work.lock().remove(&row.id);
            });
        }
        Ok(())
    }

    /// Writes a schedule and the records of its times in one transaction.
    async fn take_down(
        self: &Arc<Self>,
        row: ScheduleRow,
        turns: Vec<Turn>,
    ) -> Result<Vec<ScheduleRunRow>, UserError> {
        let own = Arc::clone(self);
        let written = self.space.aside(move |space| {
            let explain = |cause| own.explain(&cause);
            let number = space.store.next_schedule_run(&row.id).map_err(explain)?;
            let records: Vec<ScheduleRunRow> = (number..)
                .zip(&turns)
                .map(|(number, turn)| record(&row.id, number, turn, own.clock.now()))
                .collect();
            let mut writes = vec![Write::Schedule(ScheduleWrite::Put(Box::new(row)))];
            let puts = records.iter().cloned().map(Box::new).map(ScheduleWrite::PutRun);
            writes.extend(puts.map(Write::Schedule));
            space.store.commit(writes).map_err(explain)?;
            Ok(records)
        });
        written.await
    }

    async fn perform(
        self: &Arc<Self>,
        draft: ScheduleDraft,
        mut record: ScheduleRunRow,
        about: Option<String>,
    ) {
        let title = draft.task.title().to_owned();
        let request = match request_of(draft, about) {
            Ok(request) => request,
            Err(text) => {
                let time = self.clock.now();
                record.started = Some(time);
                record.finished = Some(time);
                record.outcome = Some(ScheduleOutcome::Done);
                self.note(record, &title, Some(text)).await;
                return;
            }
        };
        // Workflows have places of their own, and may sleep for hours.
        let _place = match &request {
            Request::Ask(_) => self.places.acquire().await.ok(),
            _ => None,
        };
        // It may have been removed while it stood behind another one.
        if matches!(self.space.store.schedule(&record.schedule), Ok(None)) {
            return;
        }
        let Some(mut replies) = self.serve(request) else {
            return;
        };
        loop {
            let reply = replies.next().await;
            if let Some(outcome) = heard(&mut record, reply.as_ref()) {
                let outcome = self.judged(&mut record, outcome);
                record.outcome = Some(outcome);
                let is_over = !matches!(outcome, ScheduleOutcome::Waiting | ScheduleOutcome::Interrupted);
                record.finished = is_over.then(|| self.clock.now());
                self.note(record, &title, None).await;
                return;
            }
            let begins = record.started.is_none() && record.run.is_some();
            if begins {
                record.started = Some(self.clock.now());
                self.note(record.clone(), &title, None).await;
            }
        }
    }
}

/// Takes down what a reply says; how it ended, where it is the last one.
fn heard(record: &mut ScheduleRunRow, reply: Option<&Reply>) -> Option<ScheduleOutcome> {
    match reply {
        None => Some(ScheduleOutcome::Interrupted),
        Some(Reply::Failed { error }) => {
            record.reason = Some(error.message.clone());
            Some(ScheduleOutcome::Failed)
        }
        Some(Reply::Ended { run, status }) => {
            record.run = Some(run.clone());
            Some(of_run(*status))
        }
        Some(Reply::WorkflowRun { run }) => {
            record.run = Some(run.run.clone());
            record.reason = run.error.as_ref().map(|error| error.message.clone());
            Some(of_workflow(run))
        }
        Some(Reply::WorkflowStep { run, .. }) => {
            record.run = Some(run.clone());
            None
        }
        Some(Reply::Event { event }) => {
            match &event.kind {
                // Within a workflow, it is a step's.
                RunEventKind::RunStarted {
                    under: None, models, ..
                } if !models.is_empty() => {
                    record.run = Some(event.run.clone());
                }
                RunEventKind::RunEnded {
                    error: Some(error), ..
                } => {
                    record.reason = Some(error.message.clone());
                }
                _ => {}
            }
            None
        }
        Some(_) => None,
    }
}

/// What is asked for; a reminder's text, where nothing is.
fn request_of(draft: ScheduleDraft, about: Option<String>) -> Result<Request, String> {
    match draft.task {
        ScheduleTask::Reminder { text } => Err(text),
        ScheduleTask::Question { text } => Ok(Request::Ask(Box::new(Ask {
            text,
            piped: about,
            assistant: draft.assistant,
            folders: draft.folders,
            approve: draft.approve,
            max_tokens: draft.max_tokens,
            max_usd: draft.max_usd,
            // Whatever else it wants to do waits for its user.
            own_list: true,
            mode: Some(Mode::Ask),
            unattended: true,
            ..Ask::default()
        }))),
        ScheduleTask::Workflow { name, inputs } => Ok(Request::Workflows {
            action: WorkflowRequest::Run {
                name,
                inputs,
                text: None,
                functions: None,
                folders: draft.folders,
                approve: draft.approve,
                own_list: true,
            },
        }),
    }
}

#[cfg(test)]
mod tests;
