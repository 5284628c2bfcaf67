//! Plugins: folders of workflows, prompts, skills and Python tools, as their user sees them.

use crate::macros::requests;
use crate::{Class, ReviewFinding, WorkflowParameter};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

requests! {
    /// A request about plugins.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
    #[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
    #[ts(export)]
    PluginRequest as plugins, through |action| crate::Request::Plugins { action };
    /// Lists the plugins that are kept, and those that come along.
    List -> Plugins,
    /// Shows one that is kept, with all that it holds and may do.
    Show { name: String } -> Plugin,
    /// Fetches and shows the content of a folder, an archive or a Git address, or a plugin that comes along. None of it
    /// is kept yet.
    Review { source: String } -> PluginReview,
    /// Fetches again what a kept one was installed from, and shows what would change; none of it is kept yet.
    Update { name: String } -> PluginReview,
    /// Keeps what was reviewed, just as it was.
    Install { review: String } -> Plugin,
    /// Removes one with everything in its folder.
    Remove { name: String } -> Plugins,
}

/// Where a plugin stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum PluginStanding {
    /// It comes along, and nothing of it is used until it is installed.
    Available,
    /// It is kept as it was reviewed.
    Kept,
    /// It has changed since, or was never reviewed: nothing of it is used.
    Changed,
    /// Its manifest has faults: nothing of it is used.
    Broken,
}

/// A plugin as it is listed; its texts are its author's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ListedPlugin {
    pub name: String,
    pub version: String,
    pub description: String,
    pub standing: PluginStanding,
    /// Where it was installed from.
    pub from: Option<String>,
    /// The first of its faults.
    pub problem: Option<String>,
}

/// A tool of a plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PluginTool {
    pub name: String,
    pub description: String,
    pub class: Class,
    pub inputs: Vec<WorkflowParameter>,
    /// The type of its result, as files write it.
    pub output: String,
    /// The file of its function, below the plugin's folder.
    pub file: String,
    /// Calls of toolkits that its file names.
    pub calls: Vec<String>,
    /// Those of them that no permission covers: with any, the file is refused when it is to run.
    pub uncovered: Vec<String>,
}

/// What a plugin holds and may do, for whoever decides on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PluginDetail {
    pub plugin: ListedPlugin,
    pub author: Option<String>,
    pub homepage: Option<String>,
    /// By the names under which they are called.
    pub workflows: Vec<String>,
    pub prompts: Vec<String>,
    pub skills: Vec<String>,
    pub tools: Vec<PluginTool>,
    /// What its tools may call, and nothing else: `toolkit.method(arg=glob, …)`.
    pub permissions: Vec<String>,
    /// What its workflows may do without asking where a person starts them, as `NAME: permission`.
    pub of_workflows: Vec<String>,
    /// Every other file in its folder.
    pub others: Vec<String>,
    pub findings: Vec<ReviewFinding>,
    /// Everything that is wrong, each with its place and remedy. One that has any is not kept.
    pub faults: Vec<PluginFault>,
}

/// A fault of a manifest, or of what lies beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PluginFault {
    /// The place and what is wrong there.
    pub message: String,
    pub hint: String,
}

/// What installing would change of a plugin that is there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PluginChange {
    /// The version that is there.
    pub version: String,
    /// Whether nothing at all would change.
    pub same: bool,
    /// What it may do that it could not do before.
    pub wider: Vec<String>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    /// Files that are there before and after, with other contents.
    pub changed: Vec<String>,
}
