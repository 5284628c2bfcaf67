//! Events that schedules wait for: a file that changes, a background job that ends.
//!
//! A file is looked at every few seconds: that works on every disk, and what changed while nobody was there is seen later. What
//! happened to it while a schedule's own run was at work begins it no second time: nobody can say who did it.

use crate::Scheduler;
use crate::limits::{FILE_SETTLES_MS, LOOK_AT_FILES_MS};
use crate::performer::Taking;
use crate::sight::{Sight, Sights, whole};
use shidi_protocol::{
    ErrorCode, JobState, JobView, MissedPolicy, Moment, Reply, RunId, ScheduleTime, SessionId, Unreadable,
    UserError,
};
use shidi_schedule::{Dispatch, Turn, too_late};
use shidi_space::errors::{error, unreadable};
use shidi_store::{ScheduleRow, ScheduleWrite, Write};
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What is to be done about a file.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// It is written to yet.
    Unsettled,
    Gone,
    Happened {
        mark: String,
        at: Moment,
        dispatch: Dispatch,
    },
}

fn change(seen: Option<&str>, sight: Option<Sight>, policy: MissedPolicy, now: Moment) -> Change {
    match (seen, sight) {
        (None, None) => Change::Nothing,
        (Some(_), None) => Change::Gone,
        (Some(seen), Some(sight)) if seen == sight.mark => Change::Nothing,
        (_, Some(sight)) if sight.changed <= now && now.since(sight.changed) < FILE_SETTLES_MS => {
            Change::Unsettled
        }
        (_, Some(Sight { mark, changed })) => Change::Happened {
            mark,
            at: changed,
            dispatch: Dispatch::unless(too_late(policy, now.since(changed))),
        },
    }
}

/// An event is taken up by itself: it stands for no others.
fn event(due: Moment, dispatch: Dispatch, about: String) -> Taking {
    let turn = Turn {
        due,
        missed: 0,
        dispatch,
    };
    Taking {
        turns: vec![turn],
        about: Some(about),
    }
}

impl Scheduler {
    /// The event from now on: what happened to its file before is no news.
    pub async fn from_now(&self, time: ScheduleTime) -> Result<ScheduleTime, UserError> {
        let ScheduleTime::Change { path, .. } = time else {
            return Ok(time);
        };
        let path = whole(&path);
        let sight = self.looks.at(&path).await.map_err(|cause| {
            let language = self.space.language();
            let why = unreadable(language, reason(&cause));
            let say = language.schedule();
            let message = say.file_unseen(path.display().to_string(), why);
            error(ErrorCode::Input, message, say.check_the_folder())
        })?;
        Ok(ScheduleTime::Change {
            seen: sight.map(|sight| sight.mark),
            path: path.display().to_string(),
        })
    }

    /// How the files are that schedules wait for, all looked at at once: one that does not answer holds up no other.
    pub async fn sights(self: &Arc<Self>, rows: &[ScheduleRow]) -> Sights {
        let mut looking = tokio::task::JoinSet::new();
        for row in rows.iter().filter(|row| !row.paused) {
            if let ScheduleTime::Change { path, .. } = &row.time {
                let (own, id, time) = (Arc::clone(self), row.id.clone(), row.time.clone());
                let path = PathBuf::from(path);
                looking.spawn(async move { (id, (time, own.looks.at(&path).await)) });
            }
        }
        let mut sights = Sights::new();
        while let Some(looked) = looking.join_next().await {
            sights.extend(looked);
        }
        sights
    }

    /// Takes up a schedule whose file has changed, and says when to look again.
    pub async fn look_at_file(
        self: &Arc<Self>,
        row: ScheduleRow,
        sights: &mut Sights,
    ) -> Result<Option<Moment>, UserError> {
        let again = |milliseconds| Ok(Some(self.clock.now().after(milliseconds)));
        let ScheduleTime::Change { path, seen } = row.time.clone() else {
            return Ok(None);
        };
        // What its run did may just have been seen.
        let looked = sights.remove(&row.id).filter(|(time, _)| *time == row.time);
        let Some((_, sight)) = looked else {
            return again(LOOK_AT_FILES_MS);
        };
        if self.busy(&row.id).await?.is_some() {
            return again(LOOK_AT_FILES_MS);
        }
        let sight = match sight {
            Ok(sight) => sight,
            // Whether it has changed is found out when the disk is back.
            Err(cause) => {
                tracing::debug!(row.id, %cause, "a file can't be looked at");
                return again(LOOK_AT_FILES_MS);
            }
        };
        // The disk was away when a run of it ended: what is there now may be its own doing.
        if self.unseen.lock().remove(&row.id) {
            self.has_seen(row, sight.map(|sight| sight.mark)).await?;
            return again(LOOK_AT_FILES_MS);
        }
        let policy = row.draft.missed;
        match change(seen.as_deref(), sight, policy, self.clock.now()) {
            Change::Nothing => {}
            Change::Unsettled => return again(FILE_SETTLES_MS),
            Change::Gone => self.has_seen(row, None).await?,
            Change::Happened { mark, at, dispatch } => {
                let about = self.space.language().schedule().file_changed(&path);
                let row = ScheduleRow {
                    time: ScheduleTime::Change {
                        path,
                        seen: Some(mark),
                    },
                    ..row
                };
                self.take_up(row, event(at, dispatch, about)).await?;
            }
        }
        again(LOOK_AT_FILES_MS)
    }

    /// After a run: what happened to the file meanwhile is no news, whoever did it.
    pub async fn look_after_run(self: &Arc<Self>, id: String) {
        if let Err(cause) = self.look_anew(id.clone()).await {
            tracing::warn!(cause.message, "what a run did to its file is not known");
            self.unseen.lock().insert(id);
        }
    }

    async fn look_anew(self: &Arc<Self>, id: String) -> Result<(), UserError> {
        let (own, known) = (Arc::clone(self), id.clone());
        let row = self
            .space
            .aside(move |space| space.store.schedule(&known).map_err(|cause| own.explain(&cause)));
        let Some(ScheduleRow { time: before, .. }) = row.await?.filter(|row| row.time.is_event()) else {
            return Ok(());
        };
        // Its user may have given it another time meanwhile.
        let time = self.from_now(before.clone()).await?;
        let own = Arc::clone(self);
        let seen = self.space.aside(move |space| {
            let seen = Write::Schedule(ScheduleWrite::Seen { id, before, time });
            space.store.commit(seen).map_err(|cause| own.explain(&cause))
        });
        seen.await
    }

    async fn has_seen(self: &Arc<Self>, row: ScheduleRow, mark: Option<String>) -> Result<(), UserError> {
        let own = Arc::clone(self);
        let seen = self.space.aside(move |_| {
            let time = match row.time.clone() {
                ScheduleTime::Change { path, .. } => ScheduleTime::Change { path, seen: mark },
                other => other,
            };
            own.keep(ScheduleRow { time, ..row })
        });
        seen.await
    }

    /// Takes up what waits for background jobs, until the process ends.
    pub fn listen_for_jobs(self: &Arc<Self>) {
        let own = Arc::downgrade(self);
        let mut news = self.space.watch();
        self.space.tasks.spawn(async move {
            // A job that somebody waits for after its end is told again.
            let mut told = HashSet::new();
            loop {
                let heard = news.recv().await;
                let Some(scheduler) = own.upgrade() else { return };
                match heard {
                    // Who did not keep up is told nothing any more.
                    None => news = scheduler.space.watch(),
                    Some(Reply::JobChanged { job })
                        if job.state != JobState::Running
                            && told.insert((job.session.clone(), job.id.clone())) =>
                    {
                        let takes = Arc::clone(&scheduler);
                        scheduler.space.tasks.spawn(async move {
                            if let Err(cause) = takes.job_ended(&job).await {
                                tracing::error!(cause.message, "what waits for a job is not taken up");
                            }
                        });
                    }
                    Some(_) => {}
                }
            }
        });
    }

    async fn job_ended(self: &Arc<Self>, job: &JobView) -> Result<(), UserError> {
        let _one = self.changing.lock().await;
        let (own, run, session) = (Arc::clone(self), job.run.clone(), job.session.clone());
        let waiting = self.space.aside(move |space| {
            let rows = space.store.schedules().map_err(|cause| own.explain(&cause))?;
            // A job that a schedule's own run began would begin it again and again.
            Ok(if own.is_of_schedule(&run, &session)? {
                Vec::new()
            } else {
                rows
            })
        });
        for row in waiting.await? {
            let is_meant = matches!(&row.time, ScheduleTime::Job { name } if names(name, &job.command));
            if !is_meant || row.paused {
                continue;
            }
            let due = job.ended.unwrap_or_else(|| self.clock.now());
            let dispatch = Dispatch::unless(self.busy(&row.id).await?);
            self.take_up(row, event(due, dispatch, self.told_of(job))).await?;
        }
        Ok(())
    }

    fn is_of_schedule(&self, run: &RunId, session: &SessionId) -> Result<bool, UserError> {
        let runs = self.space.store.is_of_schedule(run, session);
        runs.map_err(|cause| self.explain(&cause))
    }

    fn told_of(&self, job: &JobView) -> String {
        let say = self.space.language().schedule();
        let how = match (job.exit_code, job.how.as_deref()) {
            (Some(code), _) => say.with_exit_code(i64::from(code)),
            (None, how) => how.unwrap_or("lost").to_owned(),
        };
        format!("{}\n\n{}", say.job_ended(&job.command, how), job.lines)
    }
}

fn reason(cause: &io::Error) -> Unreadable {
    match cause.kind() {
        io::ErrorKind::PermissionDenied => Unreadable::Forbidden,
        io::ErrorKind::TimedOut => Unreadable::TimedOut,
        _ => Unreadable::Failed,
    }
}

/// Whether all words of a name stand in a command, whatever the case.
fn names(name: &str, command: &str) -> bool {
    let command = command.to_lowercase();
    name.to_lowercase()
        .split_whitespace()
        .all(|word| command.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_schedule::SkipReason;

    fn seen(mark: &str, changed: i64) -> Option<Sight> {
        Some(Sight {
            mark: mark.to_owned(),
            changed: Moment(changed),
        })
    }

    #[test]
    fn a_file_has_changed_once_it_is_another_one_and_is_written_to_no_more() {
        let now = Moment(1_000_000_000);
        let of = |before, sight| change(before, sight, MissedPolicy::Once, now);
        assert_eq!(of(None, None), Change::Nothing);
        assert_eq!(of(Some("a"), seen("a", 0)), Change::Nothing);
        assert_eq!(of(Some("a"), None), Change::Gone);
        assert_eq!(of(Some("a"), seen("b", now.0 - 100)), Change::Unsettled);
        let happened = |dispatch, ago| Change::Happened {
            mark: "b".to_owned(),
            at: Moment(now.0 - ago),
            dispatch,
        };
        let done = happened(Dispatch::Now, 10_000);
        assert_eq!(of(Some("a"), seen("b", now.0 - 10_000)), done);
        assert_eq!(of(None, seen("b", now.0 - 10_000)), done, "it appeared");
        let week = 7 * 86_400_000;
        let too_late = Dispatch::Skipped(SkipReason::TooLate);
        assert_eq!(of(Some("a"), seen("b", now.0 - week)), happened(too_late, week));
        let hour = 3_600_000;
        let skipped = change(Some("a"), seen("b", now.0 - hour), MissedPolicy::Skip, now);
        assert_eq!(skipped, happened(Dispatch::Skipped(SkipReason::NotMadeUp), hour));
    }

    #[test]
    fn a_job_is_named_by_words_of_its_command() {
        assert!(names("", "make"));
        assert!(names("Cargo build", "nice cargo build --release"));
        assert!(!names("cargo test", "cargo build"));
    }
}
