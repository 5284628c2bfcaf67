//! The command line's words about experiences.

use super::Words;
use shidi_protocol::{
    Experience, ExperienceGround, ExperienceKind, ExperienceOutcome, ExperienceRole, ExperienceState,
    ExperienceVote,
};

impl Words {
    #[must_use]
    pub fn experience_state(self, state: ExperienceState) -> &'static str {
        match state {
            ExperienceState::Candidate => self.said.experience_candidate(),
            ExperienceState::Approved => self.said.experience_approved(),
            ExperienceState::Rejected => self.said.experience_rejected(),
            ExperienceState::Expired => self.said.experience_expired(),
        }
    }

    #[must_use]
    pub fn experience_kind(self, kind: ExperienceKind) -> &'static str {
        match kind {
            ExperienceKind::Fix => self.said.experience_fix(),
            ExperienceKind::Warning => self.said.experience_warning(),
            ExperienceKind::Practice => self.said.experience_practice(),
            ExperienceKind::Mistake => self.said.experience_mistake(),
        }
    }

    /// Why it is in its state, where that was not the user's own decision.
    #[must_use]
    pub fn experience_ground(self, ground: ExperienceGround) -> Option<&'static str> {
        match ground {
            ExperienceGround::Undecided | ExperienceGround::User => None,
            ExperienceGround::Votes => Some(self.said.experience_by_votes()),
            ExperienceGround::Outcomes => Some(self.said.experience_by_outcomes()),
            ExperienceGround::Unused => Some(self.said.experience_unused()),
        }
    }

    /// `taught 2 times · 3 of 4 worked`.
    #[must_use]
    pub fn fared(self, experience: &Experience) -> String {
        let uses = experience.wins + experience.losses;
        let (seen, wins) = (experience.seen, experience.wins);
        let mut parts = Vec::new();
        if seen > 1 {
            parts.push(self.said.experience_seen(seen));
        }
        if uses > 0 {
            parts.push(self.said.experience_won(uses, wins));
        }
        parts.join(" · ")
    }

    #[must_use]
    pub fn experience_vote(self, vote: &ExperienceVote) -> String {
        let (score, comment) = (vote.score, &vote.comment);
        match vote.keep {
            true => self.said.experience_vote_keep(comment, score),
            false => self.said.experience_vote_drop(comment, score),
        }
    }

    #[must_use]
    pub fn experience_role(self, role: ExperienceRole, outcome: Option<ExperienceOutcome>) -> String {
        match role {
            ExperienceRole::Taught => self.said.experience_taught_by().to_owned(),
            ExperienceRole::Used => {
                let outcome = outcome.map(|outcome| self.experience_outcome(outcome));
                let used = self.said.experience_used_by();
                outcome.map_or_else(|| used.to_owned(), |outcome| format!("{used} ({outcome})"))
            }
        }
    }

    #[must_use]
    pub fn experience_outcome(self, outcome: ExperienceOutcome) -> &'static str {
        match outcome {
            ExperienceOutcome::Success => self.said.experience_worked(),
            ExperienceOutcome::Failure => self.said.experience_failure(),
            ExperienceOutcome::Neither => self.said.experience_neither(),
        }
    }

    #[must_use]
    pub fn experiences_imported(self, count: u64, reviewed: bool) -> String {
        match reviewed {
            true => self.said.experiences_imported(count),
            false => self.said.experiences_imported_for_review(count),
        }
    }
}
