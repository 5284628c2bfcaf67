//! What the command line says of experiences.

use super::Words;
use shidi_protocol::{
    Experience, ExperienceGround, ExperienceKind, ExperienceOutcome, ExperienceRole, ExperienceState,
    ExperienceVote,
};

impl Words {
    #[must_use]
    pub fn experience_state(self, state: ExperienceState) -> &'static str {
        match state {
            ExperienceState::Candidate => self.pick("待审核", "waiting for your review"),
            ExperienceState::Approved => self.pick("已通过", "approved"),
            ExperienceState::Rejected => self.pick("已拒绝", "rejected"),
            ExperienceState::Expired => self.pick("已过期", "expired"),
        }
    }

    #[must_use]
    pub fn experience_kind(self, kind: ExperienceKind) -> &'static str {
        match kind {
            ExperienceKind::Fix => self.pick("失败后做成", "failed, then worked"),
            ExperienceKind::Warning => self.pick("警示", "warning"),
            ExperienceKind::Practice => self.pick("做法", "practice"),
        }
    }

    /// Why it is in its state, where that was not the user's own decision.
    #[must_use]
    pub fn experience_ground(self, ground: ExperienceGround) -> Option<&'static str> {
        match ground {
            ExperienceGround::Undecided | ExperienceGround::User => None,
            ExperienceGround::Votes => Some(self.pick("由投票通过", "approved by votes")),
            ExperienceGround::Outcomes => Some(self.pick(
                "用它的任务多半没做成，自动停用",
                "ended by itself: the runs that used it mostly failed",
            )),
            ExperienceGround::Unused => {
                Some(self.pick("很久没用，自动过期", "ended by itself: not used for long"))
            }
        }
    }

    /// `taught 2 times · 3 of 4 worked`.
    #[must_use]
    pub fn fared(self, experience: &Experience) -> String {
        let uses = experience.wins + experience.losses;
        let (seen, wins) = (experience.seen, experience.wins);
        let mut parts = Vec::new();
        if seen > 1 {
            parts.push(self.pick(format!("出现 {seen} 次"), format!("taught {seen} times")));
        }
        if uses > 0 {
            parts.push(self.pick(
                format!("用了 {uses} 次，成 {wins} 次"),
                format!("{wins} of {uses} runs with it worked"),
            ));
        }
        parts.join(" · ")
    }

    #[must_use]
    pub fn experience_tainted(self) -> &'static str {
        self.pick(
            "来自读过外来内容的任务",
            "from a task that had read outside content",
        )
    }

    #[must_use]
    pub fn experience_failed_code(self) -> &'static str {
        self.pick("失败的程序", "The program that failed")
    }

    #[must_use]
    pub fn experience_error(self) -> &'static str {
        self.pick("错误", "Error")
    }

    #[must_use]
    pub fn experience_code(self) -> &'static str {
        self.pick("程序", "Program")
    }

    #[must_use]
    pub fn experience_result(self) -> &'static str {
        self.pick("结果", "Result")
    }

    #[must_use]
    pub fn experience_vote(self, vote: &ExperienceVote) -> String {
        let (score, comment) = (vote.score, &vote.comment);
        match vote.keep {
            true => self.pick(
                format!("留  {score}/10  {comment}"),
                format!("keep  {score}/10  {comment}"),
            ),
            false => self.pick(
                format!("不留  {score}/10  {comment}"),
                format!("drop  {score}/10  {comment}"),
            ),
        }
    }

    #[must_use]
    pub fn experience_taught(self) -> &'static str {
        self.pick("就是它教的", "it taught this")
    }

    #[must_use]
    pub fn experience_role(self, role: ExperienceRole, outcome: Option<ExperienceOutcome>) -> String {
        match role {
            ExperienceRole::Taught => self.pick("来自", "Taught by").to_owned(),
            ExperienceRole::Used => {
                let outcome = outcome.map(|outcome| self.experience_outcome(outcome));
                let used = self.pick("用于", "Used by");
                outcome.map_or_else(|| used.to_owned(), |outcome| format!("{used} ({outcome})"))
            }
        }
    }

    #[must_use]
    pub fn experience_outcome(self, outcome: ExperienceOutcome) -> &'static str {
        match outcome {
            ExperienceOutcome::Success => self.pick("做成了", "worked"),
            ExperienceOutcome::Failure => self.pick("没做成", "failed"),
            ExperienceOutcome::Neither => self.pick("不算", "does not count"),
        }
    }

    #[must_use]
    pub fn effects(self, runs: usize, looked_at: u32) -> String {
        self.pick(
            format!("看了最近 {looked_at} 次任务，其中 {runs} 次会用到它"),
            format!("{runs} of the newest {looked_at} runs would have had it"),
        )
    }

    #[must_use]
    pub fn experiences_exported(self, count: u64, path: &str) -> String {
        self.pick(
            format!("已把 {count} 条写到 {path}"),
            format!("{count} written to {path}"),
        )
    }

    #[must_use]
    pub fn experiences_imported(self, count: u64, reviewed: bool) -> String {
        match reviewed {
            true => self.pick(format!("已导入 {count} 条"), format!("{count} imported")),
            false => self.pick(
                format!("已导入 {count} 条，等你审核"),
                format!("{count} imported; they wait for your review"),
            ),
        }
    }
}
