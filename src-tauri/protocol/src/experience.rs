//! What runs taught (F6.7): candidates made from successes and failures, what the user decided of them, how they fared.
//!
//! Only what is [`ExperienceState::Approved`] ever stands in a prompt.

use crate::{ExperienceId, MemoryScope, Moment, RunId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an experience is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceKind {
    /// Something failed, and then another way worked.
    Fix,
    /// Something failed and was given up.
    Warning,
    /// Work of several steps or toolkits that came out well, or an example written by hand.
    Practice,
}

/// How far an experience has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceState {
    /// Nobody has reviewed it; it is never applied.
    Candidate,
    /// It enters prompts where it fits.
    Approved,
    Rejected,
    /// It fared badly, was not used for long, or the user ended it.
    Expired,
}

/// Why an experience is in its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceGround {
    /// A run taught it, or it came from a file: nothing was decided yet.
    Undecided,
    /// The user decided, or wrote it.
    User,
    /// The votes of models, which the user lets suffice.
    Votes,
    /// The runs that used it mostly failed.
    Outcomes,
    /// It was not used for a long time.
    Unused,
}

/// What became of a run, as far as its record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceOutcome {
    Success,
    Failure,
    /// The run ended for reasons of its own (cancelled, no network), or wrote no program.
    Neither,
}

/// What an experience says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct ExperienceDraft {
    /// The task in which it helps, in the words of a question.
    pub goal: String,
    /// What to do, or not to do, in a sentence or two.
    pub lesson: String,
    /// The program that works, or for a warning the one that does not.
    pub code: String,
}

/// Something that a run taught, or that the user wrote by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Experience {
    pub id: ExperienceId,
    pub kind: ExperienceKind,
    pub state: ExperienceState,
    pub ground: ExperienceGround,
    pub scope: MemoryScope,
    /// The task in which it helps, in the words of a question.
    pub goal: String,
    /// What to do, or not to do, in a sentence or two.
    pub lesson: String,
    /// The program that works, or for a warning the one that does not.
    pub code: String,
    /// What surrounded the run: `toolkit:files`, `file:.csv`, `site:example.com`.
    pub context: Vec<String>,
    /// `toolkit.method` of the calls of the program, in their order, each once.
    pub calls: Vec<String>,
    /// For what failed: the program that did, and what it failed with.
    #[serde(default)]
    pub failed_code: String,
    #[serde(default)]
    pub error: String,
    /// What the program came to, shortened.
    #[serde(default)]
    pub result: String,
    /// How the run was evaluated.
    pub outcome: ExperienceOutcome,
    /// `zh` or `en`: the language of the run.
    pub language: String,
    /// Whether the run had read something that the user did not write.
    pub tainted: bool,
    /// Whether the user changed what it says.
    #[serde(default)]
    pub edited: bool,
    /// How often runs taught the same.
    pub seen: u32,
    /// Runs that used it, by how they came out.
    #[serde(default)]
    pub wins: u32,
    #[serde(default)]
    pub losses: u32,
    /// Lower bound of the share of wins, from 0 to 1, with 95 % confidence.
    #[serde(default)]
    pub bound: f64,
    #[ts(type = "string")]
    pub created: Moment,
    /// When its state was last decided.
    #[ts(type = "string")]
    pub decided: Moment,
    #[serde(default)]
    #[ts(type = "string | null")]
    pub last_used: Option<Moment>,
    #[serde(default)]
    pub votes: Vec<ExperienceVote>,
    /// Runs that taught or used it, newest first; some of them where there are many.
    #[serde(default)]
    pub runs: Vec<ExperienceRun>,
}

/// What a model thinks of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExperienceVote {
    /// Name of the model that answered.
    pub model: String,
    /// Whether it would keep the candidate.
    pub keep: bool,
    /// From 0 to 10.
    pub score: u8,
    pub comment: String,
    #[ts(type = "string")]
    pub time: Moment,
}

/// What a run has to do with an experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceRole {
    Taught,
    Used,
}

/// A run that taught or used an experience.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExperienceRun {
    pub run: RunId,
    pub session: SessionId,
    pub question: String,
    pub role: ExperienceRole,
    /// Of a run that used it; `None` while it is at work.
    pub outcome: Option<ExperienceOutcome>,
    #[ts(type = "string")]
    pub time: Moment,
}

/// A past run that would have had an experience in its prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExperienceEffect {
    pub run: RunId,
    pub session: SessionId,
    pub question: String,
    pub outcome: ExperienceOutcome,
    #[ts(type = "string")]
    pub time: Moment,
    /// Its place among the experiences of that prompt, from 1.
    pub rank: u32,
    /// How well it fits, from 0 to 1.
    pub fit: f64,
    /// Whether it is a run that taught it.
    pub taught: bool,
}

/// How many experiences there are in a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExperienceCount {
    pub state: ExperienceState,
    #[ts(type = "number")]
    pub experiences: u64,
}

/// What the user does with experiences. Where an id is asked for, its beginning or end will do. Replies: `Experiences`
/// with those that the deed was about, unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "deed", rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceDeed {
    /// Candidates by their votes and how often they were taught, the others newest first.
    List {
        /// All when empty.
        #[serde(default)]
        states: Vec<ExperienceState>,
        /// What goal, lesson, code or error must contain; empty takes all.
        #[serde(default)]
        text: String,
        #[serde(default)]
        offset: u32,
        limit: u32,
    },
    Show {
        experience: String,
    },
    /// It enters prompts from now on; what it came to before is forgotten.
    Approve {
        experience: String,
    },
    Reject {
        experience: String,
    },
    Expire {
        experience: String,
    },
    /// Changes what is given; the state stays.
    Edit {
        experience: String,
        #[serde(default)]
        goal: Option<String>,
        #[serde(default)]
        lesson: Option<String>,
        #[serde(default)]
        code: Option<String>,
        #[serde(default)]
        scope: Option<MemoryScope>,
    },
    /// An example written by hand, approved by that.
    Add {
        draft: ExperienceDraft,
        scope: MemoryScope,
    },
    /// Makes a candidate of a finished run at the user's wish.
    Take {
        run: RunId,
    },
    /// Erases it.
    Delete {
        experience: String,
    },
    /// Asks models for their votes.
    Vote {
        experience: String,
    },
    /// Which past runs would have had it in their prompt. Replies: `ExperienceEffects`.
    Preview {
        experience: String,
    },
    /// Keeps experiences of a file. They are candidates of somebody else's, and leave what is known as it is, unless the user
    /// says that they were reviewed: then one with a known id replaces that one.
    Import {
        experiences: Vec<Experience>,
        #[serde(default)]
        reviewed: bool,
    },
    /// Writes all of them to a new file of JSON Lines, by its whole path. Replies: `MemoryFile`.
    Export {
        path: String,
    },
    /// Keeps those of such a file, all or none, as `Import` does. Replies: `MemoryFile`.
    ImportFile {
        path: String,
        #[serde(default)]
        reviewed: bool,
    },
}

impl ExperienceState {
    pub const ALL: [Self; 4] = [Self::Candidate, Self::Approved, Self::Rejected, Self::Expired];

    /// The name as written in records and by the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl ExperienceKind {
    /// The name as written in records and by the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fix => "fix",
            Self::Warning => "warning",
            Self::Practice => "practice",
        }
    }
}

impl Experience {
    /// An experience of which nothing but its words is known: approved by the user who wrote it.
    #[must_use]
    pub fn written(id: ExperienceId, draft: ExperienceDraft, time: Moment) -> Self {
        Self {
            id,
            kind: ExperienceKind::Practice,
            state: ExperienceState::Approved,
            ground: ExperienceGround::User,
            scope: MemoryScope::User,
            goal: draft.goal,
            lesson: draft.lesson,
            code: draft.code,
            context: Vec::new(),
            calls: Vec::new(),
            failed_code: String::new(),
            error: String::new(),
            result: String::new(),
            outcome: ExperienceOutcome::Neither,
            language: String::new(),
            tainted: false,
            edited: false,
            seen: 0,
            wins: 0,
            losses: 0,
            bound: 0.0,
            created: time,
            decided: time,
            last_used: None,
            votes: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Lower bound of the share of wins with 95 % confidence (Wilson); 0 without any use.
    #[must_use]
    pub fn lower_bound(wins: u32, losses: u32) -> f64 {
        let (won, uses) = (f64::from(wins), f64::from(wins) + f64::from(losses));
        if uses == 0.0 {
            return 0.0;
        }
        let squared = Z_95 * Z_95;
        let share = won / uses;
        let spread = Z_95 * (share * (1.0 - share) / uses + squared / (4.0 * uses * uses)).sqrt();
        ((share + squared / (2.0 * uses) - spread) / (1.0 + squared / uses)).clamp(0.0, 1.0)
    }
}

/// Standard deviations on either side of the mean that hold 95 % of a normal distribution.
const Z_95: f64 = 1.96;
