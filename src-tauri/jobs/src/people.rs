//! Background jobs as people see them: a session's list, the last lines of each, and a way to end one.

use crate::Jobs;
use crate::limits::{JOB_ENDS_WAIT, JOB_LINE_SHOWN_CHARACTERS, JOB_LINES_READ_BYTES, JOB_LINES_SHOWN};
use shidi_protocol::{ErrorCode, JobRequest, JobState, JobView, SessionId, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::{error, internal};
use shidi_space::ids;
use shidi_toolkits::shell::{Ended, Job, Standing};
use std::sync::Arc;

/// Carries out what a person wants to know of, or do with, jobs.
///
/// # Errors
/// No such session or job, one that can't be asked to end.
pub async fn perform(
    (space, jobs): (&Space, &Arc<Jobs>),
    session: &SessionId,
    action: JobRequest,
) -> Result<reply::Jobs, UserError> {
    let session = ids::whole_session_id(space, session)?;
    if let JobRequest::Stop { job } = action {
        stop((space, jobs), &session, &job).await?;
    }
    let jobs = Arc::clone(jobs);
    // Their folders are read.
    let listed = tokio::task::spawn_blocking(move || listed(&jobs, &session));
    let jobs = listed
        .await
        .map_err(|cause| internal(space.language(), &cause.to_string()))?;
    Ok(reply::Jobs { jobs })
}

async fn stop((space, jobs): (&Space, &Arc<Jobs>), session: &SessionId, id: &str) -> Result<(), UserError> {
    let language = space.language();
    let (held, session, named) = (Arc::clone(jobs), session.clone(), id.to_owned());
    let asking = tokio::task::spawn_blocking(move || {
        let is_meant = |job: &Job| job.facts.session == session && job.facts.id == named;
        let job = held.those(is_meant).pop()?;
        let is_running = job.standing() == Standing::Running;
        let asked = if is_running { job.stop() } else { Ok(()) };
        Some(asked.map(|()| is_running.then_some(job)))
    });
    let asked = asking
        .await
        .map_err(|cause| internal(language, &cause.to_string()))?;
    let Some(asked) = asked else {
        return Err(UserError::new(
            ErrorCode::NotFound,
            language.jobs().no_such_job(id),
        ));
    };
    let job = asked.map_err(|cause| {
        error(
            ErrorCode::System,
            language.jobs().not_stopped(cause),
            language.jobs().check_disk(),
        )
    })?;
    if let Some(job) = job {
        jobs.until_end(&job, JOB_ENDS_WAIT).await;
    }
    Ok(())
}

fn listed(jobs: &Jobs, session: &SessionId) -> Vec<JobView> {
    let of_session = jobs.those(|job| job.facts.session == *session);
    of_session.iter().rev().map(view).collect()
}

/// A job as it stands now.
pub fn view(job: &Job) -> JobView {
    let standing = job.standing();
    let end = match standing {
        Standing::Ended(end) => Some(end),
        Standing::Running | Standing::Lost => None,
    };
    JobView {
        id: job.facts.id.clone(),
        session: job.facts.session.clone(),
        run: job.facts.run.clone(),
        command: job.facts.command.clone(),
        state: match standing {
            Standing::Running => JobState::Running,
            Standing::Ended(_) => JobState::Ended,
            Standing::Lost => JobState::Lost,
        },
        how: end.map(|end| end.ended.name().to_owned()),
        exit_code: end.and_then(|end| match end.ended {
            Ended::Exited { code } => Some(code),
            Ended::TimedOut | Ended::OutOfMemory | Ended::TooManyProcesses | Ended::Stopped => None,
        }),
        began: job.facts.began,
        ended: end.map(|end| end.at),
        lines: last_lines(&job.last_output(JOB_LINES_READ_BYTES)),
        hosts: hosts(job),
    }
}

/// A name that is allowed in both networks is one host.
fn hosts(job: &Job) -> Vec<String> {
    let mut hosts: Vec<String> = job.facts.hosts.iter().map(|host| host.host.clone()).collect();
    hosts.dedup();
    hosts
}

fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(JOB_LINES_SHOWN);
    let cut = |line: &&str| -> String { line.chars().take(JOB_LINE_SHOWN_CHARACTERS).collect() };
    lines[from..].iter().map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_that_say_something_are_shown_and_long_ones_are_cut() {
        assert_eq!(last_lines(""), "");
        assert_eq!(last_lines("a\nb\n\nc\n \nd\n"), "b\nc\nd");
        let long = "x".repeat(JOB_LINE_SHOWN_CHARACTERS + 1);
        assert_eq!(last_lines(&long).len(), JOB_LINE_SHOWN_CHARACTERS);
    }
}
