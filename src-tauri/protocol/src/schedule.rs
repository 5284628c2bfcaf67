//! Schedules: what happens at a time without anybody asking for it then, and what became of each time.

use crate::macros::requests;
use crate::{JsonMap, Moment, RunId, SessionId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about schedules.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    ScheduleRequest as schedules, through |action| crate::Request::Schedules { action };
    /// Lists all of them, the next one due first.
    List -> Schedules,
    /// Tells which times words mean; nothing is kept.
    Read {
        words: ScheduleWords,
        /// The zone in which they are meant; `None` is the computer's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        zone: Option<String>,
    } -> ScheduleTimes,
    /// Tells whether one could be kept so, whatever its time; nothing is kept.
    Check { draft: ScheduleDraft } -> Done,
    /// Keeps one.
    Add {
        draft: ScheduleDraft,
        /// The time that its user was shown; `None` reads the words once more.
        #[serde(default)]
        #[ts(optional)]
        time: Option<ScheduleTime>,
    } -> Schedule,
    /// Changes one; what became of its times stays.
    Change {
        id: String,
        draft: ScheduleDraft,
        /// The time that its user was shown; `None` keeps the one that it has where the words are the same.
        #[serde(default)]
        #[ts(optional)]
        time: Option<ScheduleTime>,
    } -> Schedule,
    /// Pauses one, or goes on with it from now; times that went by meanwhile are not made up for.
    Switch { id: String, on: bool } -> Schedule,
    /// Does it once now, whatever its next time.
    Run { id: String } -> Schedule,
    /// Removes one with its records; sessions of its runs stay.
    Remove { id: String } -> Schedules,
    /// What became of its times, or of everybody's; the newest first.
    History {
        id: Option<String>,
        limit: u32,
    } -> ScheduleRuns,
    /// Does what is due from now on, until the process ends. Replies: those of `Watch`, a `ScheduleChanged` for each news.
    Watch -> ScheduleChanged,
}

/// When something happens, as its user says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum ScheduleWords {
    /// `every workday at eight`, `in 20 minutes`, `每个工作日八点`.
    Plain { text: String },
    /// Minute, hour, day of the month, month, day of the week.
    Cron { text: String },
    /// When a file changes, or what lies directly in a folder; an absolute path.
    Change { path: String },
    /// When a background job ends whose command contains this name; any job where it is empty.
    Job { name: String },
}

impl ScheduleWords {
    /// What its user typed.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Plain { text } | Self::Cron { text } => text,
            Self::Change { path } => path,
            Self::Job { name } => name,
        }
    }
}

/// When something happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum ScheduleTime {
    Once {
        #[ts(type = "string")]
        at: Moment,
        /// The zone in which it was said; `None` is the computer's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        zone: Option<String>,
    },
    Every {
        seconds: u32,
        /// The time before the first one.
        #[ts(type = "string")]
        from: Moment,
    },
    /// By the clock on the wall. A time that a change of the clock leaves out comes after the change. A time that the
    /// change repeats comes once.
    Cron {
        expression: String,
        /// The zone whose clock it is, by its IANA name; `None` is that of the computer at that time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        zone: Option<String>,
    },
    /// Whenever the file has changed, or what lies directly in the folder. There is no date of it.
    Change {
        path: String,
        /// How it was when it was last looked at; `None` where there was nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(skip)]
        seen: Option<String>,
    },
    /// Whenever a background job ends whose command contains this name. There is no date of it.
    Job { name: String },
}

impl ScheduleTime {
    /// Whether it is an event that comes, and no date.
    #[must_use]
    pub fn is_event(&self) -> bool {
        matches!(self, Self::Change { .. } | Self::Job { .. })
    }

    /// The time zone of its own, by its IANA name.
    #[must_use]
    pub fn zone(&self) -> Option<&str> {
        match self {
            Self::Once { zone, .. } | Self::Cron { zone, .. } => zone.as_deref(),
            Self::Every { .. } | Self::Change { .. } | Self::Job { .. } => None,
        }
    }
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum ScheduleTask {
    /// The text is told, and nothing else.
    Reminder { text: String },
    /// It is asked in a session of its own.
    Question { text: String },
    Workflow {
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        inputs: JsonMap,
    },
}

impl ScheduleTask {
    /// The words that name it in a list.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Reminder { text } | Self::Question { text } => text,
            Self::Workflow { name, .. } => name,
        }
    }
}

/// What becomes of times at which nobody was there to do anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum MissedPolicy {
    /// However many they were, it is done once, if the last one is less than a day ago.
    #[default]
    Once,
    /// They are shown as missed.
    Skip,
}

/// A schedule as its user wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScheduleDraft {
    pub task: ScheduleTask,
    pub words: ScheduleWords,
    /// The time zone in which the words are meant, by its IANA name. Words may name one themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub zone: Option<String>,
    #[serde(default)]
    pub missed: MissedPolicy,
    /// The assistant that is asked; `None` is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub assistant: Option<String>,
    /// Absolute paths of folders that it may work in.
    #[serde(default)]
    pub folders: Vec<String>,
    /// All that its runs may do without asking: `toolkit.method(arg=glob, …)`.
    #[serde(default)]
    pub approve: Vec<String>,
    /// Most tokens that one time of a question may spend; `None` is what the settings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_tokens: Option<u32>,
    /// Most US dollars that one time of a question may cost, where its model has a known price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_usd: Option<f64>,
}

/// Times that words mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScheduleDates {
    pub time: ScheduleTime,
    /// The name of the time zone: that of the time, else the computer's.
    pub zone: String,
    /// The next ones, at most five.
    #[ts(type = "string[]")]
    pub next: Vec<Moment>,
}

/// A schedule that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScheduleView {
    pub id: String,
    pub draft: ScheduleDraft,
    pub time: ScheduleTime,
    /// The name of the time zone: that of the time, else the computer's.
    pub zone: String,
    /// Whether it is not paused.
    pub on: bool,
    /// `None` when nothing comes any more, it is paused, or it is an event.
    #[ts(type = "string | null")]
    pub next: Option<Moment>,
    /// When it was last finished; a run that was begun and lost is none.
    #[ts(type = "string | null")]
    pub last: Option<Moment>,
    /// The time of it that waits for its user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub waiting: Option<ScheduleRunView>,
}

/// How a time ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ScheduleOutcome {
    Done,
    Failed,
    Cancelled,
    /// It waits for a decision of its user.
    Waiting,
    /// It was not done; `reason` says why.
    Missed,
    /// It was begun, and the program ended before it did.
    Interrupted,
}

/// What became of one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScheduleRunView {
    pub schedule: String,
    pub title: String,
    #[ts(type = "string")]
    pub due: Moment,
    /// It was taken up.
    #[ts(type = "string | null")]
    pub dispatched: Option<Moment>,
    /// Its work began.
    #[ts(type = "string | null")]
    pub started: Option<Moment>,
    #[ts(type = "string | null")]
    pub finished: Option<Moment>,
    /// `None` while it is at work.
    pub outcome: Option<ScheduleOutcome>,
    /// Why it failed, or was skipped.
    pub reason: Option<String>,
    /// The run of its question or workflow.
    pub run: Option<RunId>,
    /// The session of a question's run.
    pub session: Option<SessionId>,
    /// How many times before this one it stands for.
    pub missed: u32,
    /// Whether what waited was decided about, and its workflow has not gone on since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub decided: bool,
}
