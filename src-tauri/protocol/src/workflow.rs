//! Workflows and their runs, as their user sees them.

use crate::macros::requests;
use crate::{CallId, JsonMap, Moment, RunId, Usage, UserError, WaitingCard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

requests! {
    /// A request about workflows.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    WorkflowRequest as workflows, through |action| crate::Request::Workflows { action };
    /// Lists all workflows, those too whose file has faults.
    List -> Workflows,
    Show { name: String } -> Workflow,
    /// Tells what a file of that text would be, and whether it can work here; nothing is kept.
    Check {
        name: String,
        text: String,
        /// Functions beside it, in Python; `None` takes those of the workflow of that name.
        #[serde(default)]
        #[ts(optional)]
        functions: Option<String>,
    } -> Workflow,
    /// Keeps a text as a workflow of the user's; one with faults is refused.
    Save {
        name: String,
        text: String,
        /// Whether it may take the place of one that is there.
        replace: bool,
    } -> Workflow,
    /// What a finished run would be as a workflow; nothing is kept.
    FromRun {
        run: RunId,
        /// The name under which it is to be kept, for its first case; `None` makes one of the question.
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    } -> WorkflowDraft,
    /// Keeps a workflow in Shidi's own form, a recipe of goose or a workflow of Dify.
    Import {
        /// How faults name the file.
        file: String,
        text: String,
        replace: bool,
    } -> WorkflowImported,
    /// Whether programs may call it, as `workflows.NAME`.
    Switch { name: String, on: bool } -> Workflows,
    /// Removes one of the user's; its runs stay.
    Remove { name: String } -> Workflows,
    /// Runs one. Replies: the `Event`s of its steps' programs and `WorkflowStep`s, then `WorkflowRun` when it has ended or
    /// waits for somebody.
    Run {
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        inputs: JsonMap,
        /// The text of a file that is kept nowhere; `None` takes the workflow of that name.
        #[serde(default)]
        text: Option<String>,
        /// Functions beside that file, in Python.
        #[serde(default)]
        #[ts(optional)]
        functions: Option<String>,
        /// Folders that its steps may work in.
        #[serde(default)]
        folders: Vec<String>,
        /// Families approved beforehand: `toolkit.method(arg=glob, …)`.
        #[serde(default)]
        approve: Vec<String>,
        /// Nobody is beside the workflow, so it asks about all calls that `approve` does not name. A permission from
        /// elsewhere or from its file does not count.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        own_list: bool,
    } -> WorkflowRun,
    /// Tells whether a run with these values could begin, and of what file; nothing is begun.
    Ready {
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        inputs: JsonMap,
        /// Folders that its steps could work in.
        #[serde(default)]
        folders: Vec<String>,
    } -> Workflow,
    /// Tells what a run would do, step by step. Nothing is done or kept; values that are missing are samples.
    Plan {
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        inputs: JsonMap,
    } -> WorkflowPlan,
    /// The newest first; of one workflow where it is named. Without a name, runs that a step of another one called are
    /// left out.
    Runs {
        name: Option<String>,
        limit: u32,
    } -> WorkflowRuns,
    RunShow { run: RunId } -> WorkflowRun,
    /// The run that a call of a program has begun.
    OfCall { run: RunId, call: CallId } -> WorkflowRun,
    /// The run of which a step's program is a part.
    OfProgram { run: RunId } -> WorkflowRun,
    /// Goes on with a run, or watches one that is at work. Replies as `Run`.
    Resume { run: RunId } -> WorkflowRun,
    Cancel { run: RunId } -> WorkflowRun,
    /// Says what came of a step whose end is unknown. Replies as `Run`.
    Settle {
        run: RunId,
        #[ts(type = "number")]
        attempt: u64,
        verdict: WorkflowVerdict,
    } -> WorkflowRun,
    /// Deletes a run that has ended, with all that is known of it.
    RunDelete { run: RunId } -> Done,
}

/// The step of a workflow that a program works for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowTask {
    pub run: RunId,
    pub attempt: u64,
    /// Whether anything that the step works with derives from text that the user did not write.
    #[serde(default)]
    pub tainted: bool,
    /// Where a tool of a plugin is at work: what it may call, as its manifest says. Each list has to cover a call; where a plugin
    /// called another one there are both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Vec<String>>,
}

/// A workflow as it is listed; its texts are its author's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedWorkflow {
    /// The name by which it is called: that of its file.
    pub name: String,
    pub title: String,
    pub description: String,
    /// Whether it comes with the program.
    pub built_in: bool,
    /// Whether programs may call it.
    pub on: bool,
    pub parameters: Vec<WorkflowParameter>,
    /// The first of its faults.
    pub problem: Option<String>,
    /// Its runs that a person has to do something about.
    pub open: OpenRuns,
}

/// Numbers of a workflow's runs that stand until a person does something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OpenRuns {
    /// They wait for a decision, or for a word on a step whose end is unknown.
    pub waiting: u32,
    /// They were interrupted and can be gone on with.
    pub resting: u32,
}

/// A value that a run is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowParameter {
    pub name: String,
    /// The type as files write it: `str`, `int`, `float`, `bool`, `list`, `dict` or `any`.
    pub kind: String,
    pub description: String,
    pub required: bool,
    #[ts(type = "unknown")]
    pub default: Option<Value>,
    #[ts(type = "unknown")]
    pub example: Option<Value>,
}

/// A workflow with everything that it would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowDetail {
    pub workflow: ListedWorkflow,
    /// The file.
    pub text: String,
    /// Calls that it makes without asking, where a person starts it.
    pub permissions: Vec<String>,
    /// In the order of the file, those within others after these.
    pub steps: Vec<DrawnStep>,
    pub faults: Vec<WorkflowFault>,
    /// What can't work as things stand here, as with a server that is not connected. It may be kept, and run.
    pub warnings: Vec<WorkflowFault>,
}

/// A step as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DrawnStep {
    pub id: String,
    /// The type as files write it.
    pub kind: String,
    pub description: String,
    /// The tool, plugin, function or model that it uses; empty where there is none.
    pub what: String,
    /// The step that it stands within.
    pub within: Option<String>,
    /// The arm of that step, from 0.
    pub arm: u32,
    /// Steps of the same arm that it waits for.
    pub after: Vec<String>,
    /// The condition without which it is left out, as the file writes it; empty where there is none.
    pub when: String,
    /// Its arms, by their numbers.
    pub arms: Vec<DrawnArm>,
    #[ts(type = "number")]
    pub line: u64,
}

/// Steps within a step, and what decides about them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DrawnArm {
    pub kind: DrawnArmKind,
    /// Of a branch the condition, of a loop that on which it ends; empty where there is none.
    pub when: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum DrawnArmKind {
    /// Where its condition holds.
    When,
    /// Where no condition holds.
    Otherwise,
    /// In each round of a loop.
    Round,
    /// At the same time as the arms beside it.
    Beside,
    /// Where the step has failed.
    Failed,
}

/// A fault of a file, with its place and remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowFault {
    #[ts(type = "number")]
    pub line: u64,
    #[ts(type = "number")]
    pub column: u64,
    pub message: String,
    pub hint: String,
}

/// How a run of a workflow stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum WorkflowStatus {
    Running,
    /// Everything that is under way waits for a person.
    Waiting,
    /// No process works on it: it can be gone on with.
    Resting,
    Done,
    Failed,
    Cancelled,
}

/// A run of a workflow; without its steps where several are listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowRunView {
    pub run: RunId,
    /// The workflow's name, and its title when it ran.
    pub name: String,
    pub title: String,
    pub status: WorkflowStatus,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
    #[ts(type = "Record<string, unknown>")]
    pub inputs: JsonMap,
    /// What its `output` steps told.
    #[ts(type = "Record<string, unknown>")]
    pub result: JsonMap,
    pub error: Option<UserError>,
    pub usage: Usage,
    /// Whether a step has read something that the user did not write.
    pub tainted: bool,
    pub steps: Vec<WorkflowStepView>,
    /// The steps of the file that it was begun with, also where that has changed since. None where several runs are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<DrawnStep>>")]
    pub drawn: Vec<DrawnStep>,
    /// Cards of its steps' programs that wait for somebody.
    pub waiting: Vec<WaitingCard>,
    /// Whether somebody has decided about it while no process worked on it: it goes on when that is said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub decided: bool,
    /// The run whose program has called it; `None` where a person started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<RunId>,
}

/// What became of one step, in one round of the loops around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowStepView {
    pub id: String,
    #[ts(type = "number[]")]
    pub rounds: Vec<u64>,
    pub state: WorkflowStepState,
    #[ts(type = "string")]
    pub started: Moment,
    #[ts(type = "string | null")]
    pub ended: Option<Moment>,
    #[ts(type = "Record<string, unknown>")]
    pub outputs: JsonMap,
    /// Why it failed, or is tried again.
    pub reason: Option<String>,
    /// The try that is open or was the last one.
    #[ts(type = "number | null")]
    pub attempt: Option<u64>,
    /// The run of its program, or of its question to a model, whose trace tells more.
    pub program: Option<RunId>,
    /// Whether it waits for a person, by itself or in a workflow that it has called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub waits: bool,
    /// Where its end is unknown: the calls of its program that may have happened.
    pub unknown: Vec<UnknownCall>,
}

/// A call of which nobody knows whether it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UnknownCall {
    pub tool: String,
    #[ts(type = "Record<string, unknown>")]
    pub args: JsonMap,
}

/// What a run would do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkflowPlan {
    /// In their order; of a loop one round.
    pub steps: Vec<PlannedStep>,
    /// Why it would not come to its end.
    pub error: Option<UserError>,
}

/// What a step would do, in one round of the loops around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PlannedStep {
    pub id: String,
    #[ts(type = "number[]")]
    pub rounds: Vec<u64>,
    /// As the command line tells it; empty where it does nothing but give values on.
    pub told: String,
    /// What it would leave: its examples, or samples.
    #[ts(type = "Record<string, unknown>")]
    pub outputs: JsonMap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum WorkflowStepState {
    Asked,
    Begun,
    Done,
    Skipped,
    Failed,
    Retrying,
    /// It was begun, and nobody knows whether it happened.
    Uncertain,
    /// It had not come to its end when its run did.
    Cancelled,
}

/// What a person says of a step whose end is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "verdict", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum WorkflowVerdict {
    /// It happened, with this result.
    Happened {
        #[ts(type = "unknown")]
        value: Value,
    },
    /// It did not: it is done now.
    NotHappened,
    GiveUp,
}
