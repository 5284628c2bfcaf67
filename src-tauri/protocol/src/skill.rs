//! Skills: guides for tasks that a model loads when one fits, as their user sees them.

use crate::RunId;
use crate::macros::requests;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about skills. `folders` are granted ones whose projects may bring skills of their own.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    SkillRequest as skills, through |action| crate::Request::Skills { action };
    /// Lists all skills, those too that are left out, with the reason.
    List {
        #[serde(default)]
        folders: Vec<String>,
    } -> Skills,
    /// Shows a skill with all that it holds.
    Show {
        name: String,
        #[serde(default)]
        folders: Vec<String>,
    } -> Skill,
    /// Fetches what a folder, an archive or a Git address holds, and shows it; none of it is kept yet.
    Review { source: String } -> SkillReview,
    /// Writes what a finished run did as a skill, and shows it; none of it is kept yet.
    FromRun {
        run: RunId,
        /// The name by which it is to be called; `None` makes one of the question.
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    } -> SkillReview,
    /// Keeps what was reviewed, just as it was: those of `names`, or all.
    Install {
        review: String,
        #[serde(default)]
        names: Vec<String>,
    } -> Skills,
    /// Trusts a skill of the user's folder as it is now. Another digest than the one that was shown is refused.
    Approve { name: String, digest: String } -> Skills,
    Switch { name: String, on: bool } -> Skills,
    /// Removes a skill of the user's folder.
    Remove { name: String } -> Skills,
}

/// Where a skill comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SkillSource {
    /// It ships with the program.
    BuiltIn,
    /// It lies in the data folder.
    User,
    /// It lies in a granted folder, in `.agents/skills`.
    Project,
    /// It belongs to a plugin that the user installed, and changes with it alone.
    Plugin,
}

/// How far a skill's words are the user's own wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SkillTrust {
    /// It ships with the program, or the user has reviewed it and it has not changed since.
    Reviewed,
    /// Nobody has reviewed it: a prompt holds its name alone, and its text is data.
    New,
    /// It has changed since it was reviewed, and counts as new.
    Changed,
}

/// A skill as it is listed; its texts are its author's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedSkill {
    /// The name by which it is called.
    pub name: String,
    pub description: String,
    pub source: SkillSource,
    pub trust: SkillTrust,
    pub on: bool,
    /// Its folder; `None` of a built-in one.
    pub path: Option<String>,
    /// Where it was installed from.
    pub from: Option<String>,
    /// Why it is left out.
    pub problem: Option<String>,
    /// What is wrong with it that does not keep it from being used.
    pub notes: Vec<String>,
}

/// What a skill holds and may do, for whoever decides on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SkillDetail {
    pub skill: ListedSkill,
    /// The body, as it was written.
    pub text: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    /// The tools that its author wants allowed; nothing is allowed by it.
    pub allowed_tools: Option<String>,
    pub files: Vec<SkillFile>,
    pub findings: Vec<crate::ReviewFinding>,
    /// The fingerprint of everything in its folder.
    pub digest: String,
    /// Whether installing it takes the place of one that is there.
    pub replaces: bool,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SkillFile {
    /// The path below the skill's folder.
    pub path: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// Whether it is a program.
    pub program: bool,
}

/// A skill as a prompt offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedSkill {
    pub name: String,
    /// Empty where the name has to say it, and of a skill that nobody has reviewed.
    pub description: String,
}
