//! Schedules and their times as people see them. What ended behind the scheduler's back is found here, and what an end is worth.

use crate::Scheduler;
use jiff::Zoned;
use shidi_locales::Language;
use shidi_protocol::request::workflows;
use shidi_protocol::{
    Moment, Reply, RunStatus, ScheduleOutcome, ScheduleRunView, ScheduleTask, ScheduleView, SegmentKind,
    UserError, WorkflowStatus,
};
use shidi_schedule::{Dispatch, SkipReason, Turn};
use shidi_space::{clock, storage};
use shidi_store::{RunState, ScheduleRow, ScheduleRunRow, ScheduleWrite, StoreError, Write};
use std::sync::Arc;

/// Now, by the clock on the wall.
pub fn now() -> Zoned {
    clock::now().timestamp().to_zoned(jiff::tz::TimeZone::system())
}

impl Scheduler {
    pub fn explain(&self, cause: &StoreError) -> UserError {
        storage::explain(cause, self.space.language())
    }

    pub fn view(&self, row: ScheduleRow) -> Result<ScheduleView, UserError> {
        let last = self.space.store.last_schedule_run(&row.id);
        let last = last.map_err(|cause| self.explain(&cause))?;
        Ok(ScheduleView {
            id: row.id,
            draft: row.draft,
            time: row.time,
            zone: clock::timezone(),
            on: !row.paused,
            next: row.next,
            last,
        })
    }

    /// A record as it is shown, with the session of its run.
    pub fn run_view(&self, row: ScheduleRunRow, title: &str) -> ScheduleRunView {
        let of_run = row
            .run
            .as_ref()
            .and_then(|run| self.space.store.run(run).ok().flatten());
        ScheduleRunView {
            schedule: row.schedule,
            title: title.to_owned(),
            due: row.due,
            dispatched: row.dispatched,
            started: row.started,
            finished: row.finished,
            outcome: row.outcome,
            reason: match row.outcome {
                Some(ScheduleOutcome::Missed) => self.skipped(row.reason.as_deref()),
                Some(_) | None => row.reason,
            },
            run: row.run,
            session: of_run.map(|run| run.session),
            missed: row.missed,
        }
    }

    /// Why a time was skipped; nobody knows it of times that an earlier version wrote.
    fn skipped(&self, kept: Option<&str>) -> Option<String> {
        let reason = kept.and_then(SkipReason::named)?;
        Some(reason.told(self.space.language()))
    }

    /// Keeps a record, and tells those who watch.
    pub async fn note(self: &Arc<Self>, row: ScheduleRunRow, title: &str, told: Option<String>) {
        let own = Arc::clone(self);
        let title = title.to_owned();
        let kept = self.space.aside(move |space| {
            let write = Write::Schedule(ScheduleWrite::PutRun(Box::new(row.clone())));
            let kept = space.store.commit(write).map_err(|cause| own.explain(&cause));
            // A reminder is told even where a full disk takes no record of it.
            let run = own.run_view(row, &title);
            space.tell(&Reply::ScheduleChanged { run, told });
            kept
        });
        if let Err(cause) = kept.await {
            tracing::error!(cause.message, "what became of a schedule is not on record");
        }
    }

    /// Finds out what became of runs that ended after somebody decided, or that an earlier process began.
    pub async fn settle(self: &Arc<Self>, is_first: bool) -> Result<(), UserError> {
        for row in self.open().await? {
            self.settle_one(row, is_first).await?;
        }
        Ok(())
    }

    /// Records that have no end.
    pub async fn open(self: &Arc<Self>) -> Result<Vec<ScheduleRunRow>, UserError> {
        let own = Arc::clone(self);
        let open = self.space.aside(move |space| {
            space
                .store
                .open_schedule_runs()
                .map_err(|cause| own.explain(&cause))
        });
        open.await
    }

    /// Finds out how a record without an end stands; why another one can't begin, where it is not over.
    pub async fn settle_one(
        self: &Arc<Self>,
        mut row: ScheduleRunRow,
        is_first: bool,
    ) -> Result<Option<SkipReason>, UserError> {
        // What this process works on tells its end itself.
        let is_here = self.at_work.lock().contains(&row.schedule);
        if row.outcome.is_none() && is_here {
            return Ok(Some(SkipReason::AtWork));
        }
        let Some((task, title)) = self.task_of(&row.schedule).await? else {
            return Ok(None);
        };
        // A reminder is told where somebody watches.
        let is_reminder = matches!(task, ScheduleTask::Reminder { .. });
        if row.outcome.is_none() && is_reminder && !is_first {
            return Ok(None);
        }
        let (outcome, ended) = self.outcome_of(&row, &task, is_first).await;
        let is_waiting = outcome == Some(ScheduleOutcome::Waiting);
        // One that its user decided about is at work again.
        let goes_on = outcome.is_none() && row.outcome == Some(ScheduleOutcome::Waiting);
        let busy = match goes_on {
            true => Some(SkipReason::AtWork),
            false => is_waiting.then_some(SkipReason::Waiting),
        };
        if outcome.is_none() || outcome == row.outcome {
            return Ok(busy);
        }
        row.outcome = outcome.map(|outcome| self.judged(&mut row, outcome));
        row.finished = match row.outcome {
            Some(ScheduleOutcome::Done | ScheduleOutcome::Failed | ScheduleOutcome::Cancelled) => {
                ended.or(Some(clock::now()))
            }
            Some(ScheduleOutcome::Waiting | ScheduleOutcome::Missed | ScheduleOutcome::Interrupted)
            | None => None,
        };
        // A reminder of which nobody knows whether it was told is told.
        let told = match (&task, row.outcome) {
            (ScheduleTask::Reminder { text }, Some(ScheduleOutcome::Done)) => Some(text.clone()),
            _ => None,
        };
        let id = row.schedule.clone();
        self.note(row, &title, told).await;
        if !is_waiting && !is_reminder {
            self.look_after_run(id).await;
        }
        Ok(busy)
    }

    /// What an end is worth: a question that needed a model and had none came to nothing.
    pub fn judged(&self, record: &mut ScheduleRunRow, outcome: ScheduleOutcome) -> ScheduleOutcome {
        let state = record.run.as_ref().map(|run| self.space.store.run(run));
        let Some(state) = state.and_then(Result::ok).flatten() else {
            return outcome;
        };
        match outcome {
            ScheduleOutcome::Done if self.lacked_a_model(&state) => {
                let reason = self.space.language().schedule().needs_a_model();
                record.reason = Some(reason.to_owned());
                ScheduleOutcome::Failed
            }
            ScheduleOutcome::Failed => {
                let told = state.error.map(|error| error.message);
                record.reason = record.reason.take().or(told);
                outcome
            }
            ScheduleOutcome::Done
            | ScheduleOutcome::Cancelled
            | ScheduleOutcome::Waiting
            | ScheduleOutcome::Missed
            | ScheduleOutcome::Interrupted => outcome,
        }
    }

    /// Whether the offline planner had no answer. It then says how a model is set up, as it does in a greeting.
    fn lacked_a_model(&self, state: &RunState) -> bool {
        if !state.offline {
            return false;
        }
        let segments = self.space.store.segments(&state.session).unwrap_or_default();
        let answers = segments
            .iter()
            .filter(|segment| segment.run == state.run && segment.is(&SegmentKind::Express));
        answers.map(|segment| segment.text().trim()).any(|answer| {
            Language::ALL.iter().any(|language| {
                let say = language.planner();
                answer.ends_with(say.set_a_model()) && !answer.starts_with(say.hello())
            })
        })
    }

    async fn task_of(self: &Arc<Self>, id: &str) -> Result<Option<(ScheduleTask, String)>, UserError> {
        let (own, id) = (Arc::clone(self), id.to_owned());
        let row = self
            .space
            .aside(move |space| space.store.schedule(&id).map_err(|cause| own.explain(&cause)));
        Ok(row.await?.map(|row| {
            let title = row.draft.task.title().to_owned();
            (row.draft.task, title)
        }))
    }

    /// How a run stands that nobody here follows, and when it ended; no outcome when that is not known.
    async fn outcome_of(
        &self,
        row: &ScheduleRunRow,
        task: &ScheduleTask,
        is_first: bool,
    ) -> (Option<ScheduleOutcome>, Option<Moment>) {
        let (outcome, ended) = match (task, row.run.clone()) {
            (ScheduleTask::Reminder { .. }, _) => (ScheduleOutcome::Done, None),
            (ScheduleTask::Question { .. } | ScheduleTask::Workflow { .. }, None) => {
                (ScheduleOutcome::Interrupted, None)
            }
            (ScheduleTask::Workflow { .. }, Some(run)) => {
                let replies = self.serve(workflows::RunShow { run }.into());
                let Some(mut replies) = replies else {
                    return (None, None);
                };
                match replies.next().await {
                    Some(Reply::WorkflowRun { run }) => (of_workflow(run.status), run.ended),
                    _ => (ScheduleOutcome::Interrupted, None),
                }
            }
            (ScheduleTask::Question { .. }, Some(run)) => {
                let state = self.space.store.run(&run).ok().flatten();
                let status = state.as_ref().and_then(|state| state.status);
                let ended = state.and_then(|state| state.ended);
                (status.map_or(ScheduleOutcome::Interrupted, of_run), ended)
            }
        };
        // One that its user decided about is at work again. None is when a process begins.
        let was_waiting = row.outcome == Some(ScheduleOutcome::Waiting);
        let goes_on = was_waiting && outcome == ScheduleOutcome::Interrupted && !is_first;
        ((!goes_on).then_some(outcome), ended)
    }
}

pub fn of_run(status: RunStatus) -> ScheduleOutcome {
    match status {
        RunStatus::Completed => ScheduleOutcome::Done,
        RunStatus::Failed | RunStatus::GaveUp => ScheduleOutcome::Failed,
        RunStatus::Suspended => ScheduleOutcome::Waiting,
        RunStatus::Cancelled => ScheduleOutcome::Cancelled,
    }
}

pub fn of_workflow(status: WorkflowStatus) -> ScheduleOutcome {
    match status {
        WorkflowStatus::Done => ScheduleOutcome::Done,
        WorkflowStatus::Failed => ScheduleOutcome::Failed,
        WorkflowStatus::Cancelled => ScheduleOutcome::Cancelled,
        WorkflowStatus::Waiting => ScheduleOutcome::Waiting,
        WorkflowStatus::Running | WorkflowStatus::Resting => ScheduleOutcome::Interrupted,
    }
}

/// The record of a time that has come.
pub fn record(schedule: &str, number: u64, turn: &Turn) -> ScheduleRunRow {
    let (dispatched, outcome, reason) = match turn.dispatch {
        Dispatch::Now => (Some(clock::now()), None, None),
        Dispatch::Skipped(reason) => (
            None,
            Some(ScheduleOutcome::Missed),
            Some(reason.name().to_owned()),
        ),
    };
    ScheduleRunRow {
        schedule: schedule.to_owned(),
        number,
        due: turn.due,
        dispatched,
        started: None,
        finished: None,
        outcome,
        reason,
        run: None,
        missed: turn.missed,
    }
}
