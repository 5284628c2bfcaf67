//! Experiences (F6.7): candidates made from runs' successes and failures, the user's decisions on them, and
//! their effect.
//!
//! Only experiences that are [`ExperienceState::Approved`] ever stand in a prompt.

use crate::macros::requests;
use crate::{ExperienceId, MemoryScope, Moment, RunId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of an experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceKind {
    /// An attempt failed, and another way then worked.
    Fix,
    /// An attempt failed and was given up.
    Warning,
    /// Work of several steps or toolkits that came out well, or an example written by hand.
    Practice,
    /// A mistake that is made again and again, whatever the task: with one tool, or with one kind of program.
    Mistake,
}

/// The state of an experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceState {
    /// Nobody has reviewed it; it is never applied.
    Candidate,
    /// The experience enters prompts that it fits.
    Approved,
    Rejected,
    /// The experience performed badly, was long unused, or the user ended it.
    Expired,
}

/// The reason for an experience's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceGround {
    /// A run taught the experience, or it came from a file: nobody has decided yet.
    Undecided,
    /// The user decided, or wrote the experience.
    User,
    /// The votes of models decided, as the user allows.
    Votes,
    /// Most runs that used the experience failed.
    Outcomes,
    /// The experience was not used for a long time.
    Unused,
}

/// How a run came out, as far as its record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ExperienceOutcome {
    Success,
    Failure,
    /// The run ended for reasons of its own (cancelled, no network), or wrote no program.
    Neither,
}

/// The texts of an experience.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
#[ts(export)]
pub struct ExperienceDraft {
    /// The task in which the experience helps, in the words of a question.
    pub goal: String,
    /// The advice, or the warning, in a sentence or two.
    pub lesson: String,
    /// The program that works; for a warning, the one that fails.
    pub code: String,
}

/// A lesson that a run taught, or that the user wrote by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Experience {
    pub id: ExperienceId,
    pub kind: ExperienceKind,
    pub state: ExperienceState,
    pub ground: ExperienceGround,
    pub scope: MemoryScope,
    /// The task in which the experience helps, in the words of a question.
    pub goal: String,
    /// The advice, or the warning, in a sentence or two.
    pub lesson: String,
    /// The program that works; for a warning, the one that fails.
    pub code: String,
    /// The surroundings of the run: `toolkit:files`, `file:.csv`, `site:example.com`.
    pub context: Vec<String>,
    /// `toolkit.method` of the program's calls, in their order, each once.
    pub calls: Vec<String>,
    /// The program that failed, and its error; empty where none did.
    #[serde(default)]
    pub failed_code: String,
    #[serde(default)]
    pub error: String,
    /// The outcome of the program, shortened.
    #[serde(default)]
    pub result: String,
    /// How the run was evaluated.
    pub outcome: ExperienceOutcome,
    /// The code of the run's language.
    pub language: String,
    /// Whether the run had read text that the user did not write.
    pub tainted: bool,
    /// Whether the user changed the texts.
    #[serde(default)]
    pub edited: bool,
    /// Number of runs that taught the same.
    pub seen: u32,
    /// Numbers of runs that used the experience, by their outcome.
    #[serde(default)]
    pub wins: u32,
    #[serde(default)]
    pub losses: u32,
    /// Lower bound of the share of wins, from 0 to 1, with 95 % confidence.
    #[serde(default)]
    pub bound: f64,
    #[ts(type = "string")]
    pub created: Moment,
    /// The time of the last decision on the state.
    #[ts(type = "string")]
    pub decided: Moment,
    #[serde(default)]
    #[ts(type = "string | null")]
    pub last_used: Option<Moment>,
    #[serde(default)]
    pub votes: Vec<ExperienceVote>,
    /// Runs that taught or used the experience, newest first; only some where there are many.
    #[serde(default)]
    pub runs: Vec<ExperienceRun>,
}

/// A model's opinion of a candidate.
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

/// The relation of a run to an experience.
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
    /// The outcome of a run that used the experience; `None` while the run is at work.
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
    /// The experience's place in that prompt, from 1.
    pub rank: u32,
    /// How well the experience fits, from 0 to 1.
    pub fit: f64,
    /// Whether the run taught the experience.
    pub taught: bool,
}

/// The number of experiences in a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ExperienceCount {
    pub state: ExperienceState,
    #[ts(type = "number")]
    pub experiences: u64,
}

requests! {
    /// A request about experiences. An id may be shortened to its beginning or end. Replies: `Experiences` with the
    /// affected ones, unless a request says otherwise.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case")]
    #[ts(export)]
    ExperienceRequest as experience, through |action| crate::Request::Experience { action };
    /// Candidates by their votes and how often they were taught, the others newest first.
    List {
        /// The wanted states; all when empty.
        #[serde(default)]
        states: Vec<ExperienceState>,
        /// Text that goal, lesson, code or error must contain; empty takes all.
        #[serde(default)]
        text: String,
        #[serde(default)]
        offset: u32,
        limit: u32,
    } -> Experiences,
    Show {
        experience: String,
    } -> Experiences,
    /// The experience enters prompts from now on; its earlier outcomes are forgotten.
    Approve {
        experience: String,
    } -> Experiences,
    Reject {
        experience: String,
    } -> Experiences,
    Expire {
        experience: String,
    } -> Experiences,
    /// Changes the given texts; the state stays.
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
        /// Whether it becomes a common mistake, one line for whatever task it concerns, or is none any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        mistake: Option<bool>,
    } -> Experiences,
    /// Adds an example written by hand, which counts as approved.
    Add {
        draft: ExperienceDraft,
        scope: MemoryScope,
        /// Whether it derives from text that the user did not write.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        tainted: bool,
        /// Whether it is a common mistake: one line for whatever task it concerns.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        mistake: bool,
    } -> Experiences,
    /// Makes a candidate of a finished run at the user's wish.
    Take {
        run: RunId,
    } -> Experiences,
    /// Erases an experience.
    Delete {
        experience: String,
    } -> Experiences,
    /// Asks models for their votes.
    Vote {
        experience: String,
    } -> Experiences,
    /// Tells which past runs would have had the experience in their prompt.
    Preview {
        experience: String,
    } -> ExperienceEffects,
    /// Keeps experiences, such as one deleted a moment ago. They count as candidates of a stranger, and known
    /// ids stay unchanged. If the user says that they were reviewed, an experience with a known id replaces the
    /// known one.
    Import {
        experiences: Vec<Experience>,
        #[serde(default)]
        reviewed: bool,
    } -> Experiences,
    /// Writes all experiences to a new file of JSON Lines at the given path.
    Export {
        path: String,
    } -> MemoryFile,
    /// The lines of such an export. Replies: `Piece`s, then `Done`.
    ExportLines -> Done,
    /// Keeps the experiences of such a file, all or none; known ids stay unchanged. A whole export of this data
    /// folder comes back unchanged. Experiences of another file are a stranger's candidates; if the user says
    /// that they were reviewed, approved ones stay approved.
    ImportFile {
        path: String,
        #[serde(default)]
        reviewed: bool,
    } -> MemoryFile,
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
            Self::Mistake => "mistake",
        }
    }
}

impl Experience {
    /// An experience with its texts alone: approved by the user who wrote it.
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
