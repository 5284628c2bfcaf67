//! The command line's words about the inside of a session: how a job stands, and that a value is longer.

use super::Words;
use shidi_protocol::{JobState, JobView};

impl Words {
    #[must_use]
    pub fn job_standing(self, job: &JobView) -> String {
        match (job.state, job.exit_code) {
            (JobState::Running, _) => self.said.job_running().to_owned(),
            (JobState::Lost, _) => self.said.job_lost().to_owned(),
            (JobState::Ended, Some(code)) => self.said.job_exited(code),
            (JobState::Ended, None) => self.job_end(job.how.as_deref().unwrap_or_default()).to_owned(),
        }
    }

    /// How a job ended that did not end by itself; a newer runtime may know more ways.
    fn job_end(self, how: &str) -> &'static str {
        match how {
            "stopped" => self.said.job_stopped(),
            "timeout" => self.said.job_timed_out(),
            "memory" => self.said.job_out_of_memory(),
            "processes" => self.said.job_too_many_processes(),
            _ => self.said.job_ended(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;
    use shidi_protocol::{Moment, RunId, SessionId};

    fn job(state: JobState, how: Option<&str>, exit_code: Option<i32>) -> JobView {
        JobView {
            id: "job-1".to_owned(),
            session: SessionId::from("s".to_owned()),
            run: RunId::from("r".to_owned()),
            command: "make".to_owned(),
            state,
            how: how.map(str::to_owned),
            exit_code,
            began: Moment::default(),
            ended: None,
            lines: String::new(),
            hosts: Vec::new(),
        }
    }

    #[test]
    fn how_a_job_stands_is_said_in_the_users_language() {
        let said = |language, job: &JobView| Words::of(language).job_standing(job);
        for (job, zh, en) in [
            (job(JobState::Running, None, None), "在跑", "running"),
            (job(JobState::Lost, None, None), "下落不明", "lost"),
            (
                job(JobState::Ended, Some("exit"), Some(2)),
                "结束了，退出码 2",
                "exited 2",
            ),
            (
                job(JobState::Ended, Some("timeout"), None),
                "到了时限，已结束",
                "timed out",
            ),
            (job(JobState::Ended, Some("stopped"), None), "被结束了", "stopped"),
        ] {
            assert_eq!(said(Language::Zh, &job), zh);
            assert_eq!(said(Language::En, &job), en);
        }
    }
}
