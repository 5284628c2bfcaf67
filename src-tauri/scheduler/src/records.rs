//! Schedules and their times as people see them. What ended behind the scheduler's back is found here, and what an end is worth.

use crate::Scheduler;
use shidi_locales::Language;
use shidi_protocol::request::workflows;
use shidi_protocol::{
    Moment, Reply, RunId, RunStatus, ScheduleOutcome, ScheduleRunView, ScheduleTask, ScheduleTime,
    ScheduleView, SegmentKind, UserError, WorkflowRunView, WorkflowStatus,
};
use shidi_schedule::{Dispatch, SkipReason, Turn};
use shidi_space::storage;
use shidi_store::{RunState, ScheduleRow, ScheduleRunRow, ScheduleWrite, StoreError, Write};
use std::collections::HashMap;
use std::sync::Arc;

/// How a record stands that has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Over,
    AtWork,
    Waits,
    /// Its user has decided, and nothing goes on with its workflow until they say so.
    Decided,
}

impl Standing {
    /// Why nothing else can begin.
    pub fn busy(self) -> Option<SkipReason> {
        match self {
            Self::Over => None,
            Self::AtWork => Some(SkipReason::AtWork),
            Self::Waits | Self::Decided => Some(SkipReason::Waiting),
        }
    }
}

/// How the runs stand of records without an end.
pub type Standings = HashMap<RunId, Standing>;

/// What is found of a run that nobody here follows.
struct Found {
    /// `None` when it goes on.
    outcome: Option<ScheduleOutcome>,
    ended: Option<Moment>,
    is_decided: bool,
}

impl Scheduler {
    pub fn explain(&self, cause: &StoreError) -> UserError {
        storage::explain(cause, self.space.language())
    }

    pub fn view(&self, row: ScheduleRow) -> Result<ScheduleView, UserError> {
        let last = self.space.store.last_schedule_run(&row.id);
        let last = last.map_err(|cause| self.explain(&cause))?;
        let open = self.space.store.open_schedule_runs();
        let open = open.map_err(|cause| self.explain(&cause))?;
        let is_waiting =
            |run: &ScheduleRunRow| run.schedule == row.id && run.outcome == Some(ScheduleOutcome::Waiting);
        let newest = open.into_iter().rev().find(is_waiting);
        let waiting = newest.map(|run| self.run_view(run, row.draft.task.title()));
        let zone = self.zone_of(&row.time, row.draft.zone.as_deref());
        Ok(ScheduleView {
            id: row.id,
            draft: row.draft,
            time: row.time,
            zone,
            on: !row.paused,
            next: row.next,
            last,
            waiting,
        })
    }

    /// The zone in which its dates are shown: its own, else the one beside an interval, else the computer's.
    pub fn zone_of(&self, time: &ScheduleTime, given: Option<&str>) -> String {
        let own = time.zone().or(given);
        own.map_or_else(|| self.clock.zone(), str::to_owned)
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
            decided: false,
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
    pub async fn settle(self: &Arc<Self>, is_first: bool) -> Result<Standings, UserError> {
        let mut standings = Standings::new();
        for row in self.open().await? {
            let run = row.run.clone();
            let standing = self.settle_one(row, is_first).await?;
            standings.extend(run.map(|run| (run, standing)));
        }
        Ok(standings)
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

    /// Finds out how a record without an end stands.
    pub async fn settle_one(
        self: &Arc<Self>,
        mut row: ScheduleRunRow,
        is_first: bool,
    ) -> Result<Standing, UserError> {
        // What this process works on tells its end itself.
        let is_here = self.at_work.lock().contains(&row.schedule);
        if row.outcome.is_none() && is_here {
            return Ok(Standing::AtWork);
        }
        let Some((task, title)) = self.task_of(&row.schedule).await? else {
            return Ok(Standing::Over);
        };
        // A reminder is told where somebody watches.
        let is_reminder = matches!(task, ScheduleTask::Reminder { .. });
        if row.outcome.is_none() && is_reminder && !is_first {
            return Ok(Standing::Over);
        }
        let Found {
            outcome,
            ended,
            is_decided,
        } = self.outcome_of(&row, &task, is_first).await;
        if is_decided && row.outcome == Some(ScheduleOutcome::Interrupted) {
            // It was told as broken off, and later times have their turn.
            return Ok(Standing::Over);
        }
        let standing = match outcome {
            // One that its user decided about is at work again.
            None if row.outcome == Some(ScheduleOutcome::Waiting) => Standing::AtWork,
            Some(ScheduleOutcome::Waiting) if is_decided => Standing::Decided,
            Some(ScheduleOutcome::Waiting) => Standing::Waits,
            None | Some(_) => Standing::Over,
        };
        if outcome.is_none() || outcome == row.outcome {
            return Ok(standing);
        }
        row.outcome = outcome.map(|outcome| self.judged(&mut row, outcome));
        row.finished = match row.outcome {
            Some(ScheduleOutcome::Done | ScheduleOutcome::Failed | ScheduleOutcome::Cancelled) => {
                ended.or(Some(self.clock.now()))
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
        let is_waiting = outcome == Some(ScheduleOutcome::Waiting);
        if !is_waiting && !is_reminder {
            self.look_after_run(id).await;
        }
        Ok(standing)
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
                // One that gave up at a bound, of tokens say, has a reason and no error.
                let told = state.error.map(|error| error.message).or(state.reason);
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

    /// How a run stands that nobody here follows, and when it ended.
    async fn outcome_of(&self, row: &ScheduleRunRow, task: &ScheduleTask, is_first: bool) -> Found {
        let mut is_decided = false;
        let (outcome, ended) = match (task, row.run.clone()) {
            (ScheduleTask::Reminder { .. }, _) => (ScheduleOutcome::Done, None),
            (ScheduleTask::Question { .. } | ScheduleTask::Workflow { .. }, None) => {
                (ScheduleOutcome::Interrupted, None)
            }
            (ScheduleTask::Workflow { .. }, Some(run)) => {
                let replies = self.serve(workflows::RunShow { run }.into());
                let Some(mut replies) = replies else {
                    return Found {
                        outcome: None,
                        ended: None,
                        is_decided,
                    };
                };
                match replies.next().await {
                    Some(Reply::WorkflowRun { run }) => {
                        is_decided = run.decided;
                        (of_workflow(&run), run.ended)
                    }
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
        Found {
            outcome: (!goes_on).then_some(outcome),
            ended,
            is_decided,
        }
    }
}

/// A record as it stands now, which is not what it was when it was written.
pub fn standing_now(view: ScheduleRunView, standings: &Standings) -> ScheduleRunView {
    let standing = view.run.as_ref().and_then(|run| standings.get(run));
    match standing.filter(|_| view.outcome == Some(ScheduleOutcome::Waiting)) {
        Some(Standing::AtWork) => ScheduleRunView {
            outcome: None,
            ..view
        },
        Some(Standing::Decided) => ScheduleRunView {
            decided: true,
            ..view
        },
        Some(Standing::Over | Standing::Waits) | None => view,
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

pub fn of_workflow(run: &WorkflowRunView) -> ScheduleOutcome {
    match run.status {
        WorkflowStatus::Done => ScheduleOutcome::Done,
        WorkflowStatus::Failed => ScheduleOutcome::Failed,
        WorkflowStatus::Cancelled => ScheduleOutcome::Cancelled,
        WorkflowStatus::Waiting => ScheduleOutcome::Waiting,
        // Nothing broke off: it goes on when its user says so.
        WorkflowStatus::Resting if run.decided => ScheduleOutcome::Waiting,
        WorkflowStatus::Running | WorkflowStatus::Resting => ScheduleOutcome::Interrupted,
    }
}

/// The record of a time that has come.
pub fn record(schedule: &str, number: u64, turn: &Turn, now: Moment) -> ScheduleRunRow {
    let (dispatched, outcome, reason) = match turn.dispatch {
        Dispatch::Now => (Some(now), None, None),
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
