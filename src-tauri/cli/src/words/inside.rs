//! What the command line says of what lives inside a session: how a job stands, and that a value is longer.

use super::Words;
use shidi_protocol::{JobState, JobView};

impl Words {
    #[must_use]
    pub fn job_standing(self, job: &JobView) -> String {
        match (job.state, job.exit_code) {
            (JobState::Running, _) => self.pick("在跑", "running").to_owned(),
            (JobState::Lost, _) => self.pick("下落不明", "lost").to_owned(),
            (JobState::Ended, Some(code)) => {
                self.pick(format!("结束了，退出码 {code}"), format!("exited {code}"))
            }
            (JobState::Ended, None) => self.job_end(job.how.as_deref().unwrap_or_default()).to_owned(),
        }
    }

    #[must_use]
    pub fn value_cut(self) -> &'static str {
        self.pick(
            "（后面还有，这里到此为止）",
            "(there is more of it; this is where it is cut)",
        )
    }

    /// How a job ended that did not end by itself; a newer runtime may know more ways.
    fn job_end(self, how: &str) -> &'static str {
        match how {
            "stopped" => self.pick("被结束了", "stopped"),
            "timed_out" => self.pick("到了时限，已结束", "timed out"),
            "out_of_memory" => self.pick("占用内存太多，已结束", "out of memory"),
            "too_many_processes" => self.pick("进程太多，已结束", "too many processes"),
            _ => self.pick("结束了", "ended"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;
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
        }
    }

    #[test]
    fn how_a_job_stands_is_said_in_the_users_language() {
        let said = |language, job: &JobView| Words { language }.job_standing(job);
        for (job, zh, en) in [
            (job(JobState::Running, None, None), "在跑", "running"),
            (job(JobState::Lost, None, None), "下落不明", "lost"),
            (
                job(JobState::Ended, Some("exited"), Some(2)),
                "结束了，退出码 2",
                "exited 2",
            ),
            (
                job(JobState::Ended, Some("timed_out"), None),
                "到了时限，已结束",
                "timed out",
            ),
            (job(JobState::Ended, Some("stopped"), None), "被结束了", "stopped"),
        ] {
            assert_eq!(said(Language::Chinese, &job), zh);
            assert_eq!(said(Language::English, &job), en);
        }
    }
}
