//! Events that schedules wait for: a file that changes, a background job that ends.
//!
//! A file is looked at every few seconds: that works on every disk, and what changed while nobody was there is seen later. What
//! a schedule's own run did begins it no second time.

use crate::Scheduler;
use crate::limits::{FILE_SETTLES_MS, FOLDER_ENTRIES_MAX, LOOK_AT_FILES_MS};
use crate::performer::Taking;
use sha2::{Digest, Sha256};
use shidi_protocol::{
    JobState, JobView, MissedPolicy, Moment, Reply, RunId, ScheduleTime, SessionId, UserError,
};
use shidi_schedule::{CATCH_UP_MS, LATE_MS};
use shidi_space::clock;
use shidi_store::{ScheduleRow, ScheduleWrite, Write};
use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sight {
    /// The same while nothing changes.
    mark: String,
    /// When it was changed last.
    changed: Moment,
}

/// How it is at a path now; of a folder, what lies directly in it. `None` where nothing is.
fn sight(path: &Path) -> Option<Sight> {
    let own = std::fs::metadata(path).ok()?;
    let mut entries = vec![(String::new(), own.len(), changed(&own))];
    if own.is_dir() {
        // Its own length and time tell nothing of a file in it that is written to.
        let inside = std::fs::read_dir(path).ok()?.flatten().take(FOLDER_ENTRIES_MAX);
        entries = inside
            .filter_map(|entry| {
                let data = entry.metadata().ok()?;
                Some((
                    entry.file_name().to_string_lossy().into_owned(),
                    data.len(),
                    changed(&data),
                ))
            })
            .collect();
        entries.sort();
    }
    let mut digest = Sha256::new();
    for (name, length, changed) in &entries {
        digest.update(format!("{name}\0{length}\0{}\n", changed.0));
    }
    Some(Sight {
        mark: hex::encode(digest.finalize()),
        changed: entries
            .iter()
            .map(|(_, _, changed)| *changed)
            .max()
            .unwrap_or(Moment(0))
            .max(came(&own)),
    })
}

fn changed(data: &Metadata) -> Moment {
    let since = data
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let milliseconds = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    Moment(milliseconds.unwrap_or_default())
}

/// When it came there: a file that was moved or unpacked keeps the time of its last change, and a folder tells of what left it.
fn came(data: &Metadata) -> Moment {
    #[cfg(unix)]
    let status = {
        use std::os::unix::fs::MetadataExt;
        Moment(data.ctime() * 1000 + data.ctime_nsec() / 1_000_000)
    };
    #[cfg(not(unix))]
    let status = Moment(0);
    changed(data).max(status)
}

/// The path with the user's own folder in the place of `~`.
fn whole(path: &str) -> PathBuf {
    match (path.strip_prefix('~'), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(['/', '\\'])),
        _ => PathBuf::from(path),
    }
}

/// The event from now on: what happened to its file before is no news.
pub fn from_now(time: ScheduleTime) -> ScheduleTime {
    match time {
        ScheduleTime::Change { path, .. } => {
            let path = whole(&path);
            ScheduleTime::Change {
                seen: sight(&path).map(|sight| sight.mark),
                path: path.display().to_string(),
            }
        }
        other => other,
    }
}

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
        /// Whether it is done, or came too long ago.
        runs: bool,
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
        (_, Some(Sight { mark, changed })) => {
            let late = now.since(changed);
            let runs = match policy {
                MissedPolicy::Once => late < CATCH_UP_MS,
                MissedPolicy::Skip => late <= LATE_MS,
            };
            Change::Happened {
                mark,
                at: changed,
                runs,
            }
        }
    }
}

impl Scheduler {
    /// Takes up a schedule whose file has changed, and says when to look again.
    pub async fn look_at_file(
        self: &Arc<Self>,
        row: ScheduleRow,
        policy: MissedPolicy,
    ) -> Result<Option<Moment>, UserError> {
        let again = |milliseconds| Ok(Some(clock::now().after(milliseconds)));
        let ScheduleTime::Change { path, seen } = row.time.clone() else {
            return Ok(None);
        };
        if self.is_busy(&row.id).await? {
            return again(LOOK_AT_FILES_MS);
        }
        // What its run did may just have been seen.
        let (own, id) = (Arc::clone(self), row.id.clone());
        let known = self
            .space
            .aside(move |space| space.store.schedule(&id).map_err(|cause| own.explain(&cause)));
        if known.await?.is_none_or(|known| known.time != row.time) {
            return again(LOOK_AT_FILES_MS);
        }
        let looked = path.clone();
        let sight = self.space.aside(move |_| Ok(sight(Path::new(&looked))));
        match change(seen.as_deref(), sight.await?, policy, clock::now()) {
            Change::Nothing => {}
            Change::Unsettled => return again(FILE_SETTLES_MS),
            Change::Gone => self.has_seen(row, None).await?,
            Change::Happened { mark, at, runs } => {
                let about = self.space.language().schedule().file_changed(&path);
                let row = ScheduleRow {
                    time: ScheduleTime::Change {
                        path,
                        seen: Some(mark),
                    },
                    ..row
                };
                let taking = Taking {
                    due: at,
                    missed: 0,
                    runs,
                    about: Some(about),
                };
                self.take_up(row, taking).await?;
            }
        }
        again(LOOK_AT_FILES_MS)
    }

    /// After a run: what it did to the file itself is no news.
    pub async fn look_after_run(self: &Arc<Self>, id: String) {
        let own = Arc::clone(self);
        let looked = self.space.aside(move |space| {
            let row = space.store.schedule(&id).map_err(|cause| own.explain(&cause))?;
            match row {
                Some(row) if matches!(row.time, ScheduleTime::Change { .. }) => {
                    let time = from_now(row.time);
                    let seen = Write::Schedule(ScheduleWrite::Seen { id, time });
                    space.store.commit(seen).map_err(|cause| own.explain(&cause))
                }
                Some(_) | None => Ok(()),
            }
        });
        if let Err(cause) = looked.await {
            tracing::error!(cause.message, "what a run did to its file is not known");
        }
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
            while let Some(reply) = news.recv().await {
                let Reply::JobChanged { job } = reply else {
                    continue;
                };
                if job.state != JobState::Running && !told.insert((job.session.clone(), job.id.clone())) {
                    continue;
                }
                let Some(scheduler) = own.upgrade() else { return };
                if job.state != JobState::Running
                    && let Err(cause) = scheduler.job_ended(&job).await
                {
                    tracing::error!(cause.message, "what waits for a job is not taken up");
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
            if !is_meant || row.paused || self.is_busy(&row.id).await? {
                continue;
            }
            let taking = Taking {
                due: job.ended.unwrap_or_else(clock::now),
                missed: 0,
                runs: true,
                about: Some(self.told_of(job)),
            };
            self.take_up(row, taking).await?;
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
        let happened = |runs, ago| Change::Happened {
            mark: "b".to_owned(),
            at: Moment(now.0 - ago),
            runs,
        };
        assert_eq!(of(Some("a"), seen("b", now.0 - 10_000)), happened(true, 10_000));
        assert_eq!(
            of(None, seen("b", now.0 - 10_000)),
            happened(true, 10_000),
            "it appeared"
        );
        let week = 7 * 86_400_000;
        assert_eq!(of(Some("a"), seen("b", now.0 - week)), happened(false, week));
        let hour = 3_600_000;
        let skipped = change(Some("a"), seen("b", now.0 - hour), MissedPolicy::Skip, now);
        assert_eq!(skipped, happened(false, hour));
    }

    #[test]
    fn a_job_is_named_by_words_of_its_command() {
        assert!(names("", "make"));
        assert!(names("Cargo build", "nice cargo build --release"));
        assert!(!names("cargo test", "cargo build"));
    }

    #[test]
    fn a_folder_changes_with_what_lies_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let before = sight(folder.path());
        assert_eq!(before, sight(folder.path()));
        std::fs::write(folder.path().join("a.csv"), "1").expect("a file");
        let with_file = sight(folder.path());
        assert_ne!(with_file.map(|sight| sight.mark), before.map(|sight| sight.mark));
        assert_eq!(sight(&folder.path().join("b.csv")), None);
    }
}
