//! Plugins (F9.8): a folder with a manifest, workflows, prompts, skills, and Python tools that run in the sandbox.
//!
//! One is shown before it is kept, and is used only as it was shown. The plugin's parts are listed by the features
//! that list the user's own, as `PLUGIN:NAME`. A tool is a workflow of one step, and the performer of workflows
//! performs it. The manifest's declarations and the caller's terms bound the tool. Nothing in this crate runs
//! anything or permits a call.

mod contents;
mod limits;
mod manifest;
mod problem;
mod reading;
mod requests;
mod review;
mod shipped;
mod tools;

use parking_lot::Mutex;
use shidi_bundles::{KeptPlugin, kept, place_of};
use shidi_protocol::{Call, PluginRequest, Reply, UserError};
use shidi_space::Space;
use shidi_space::names::method_name;
use shidi_space::registry::Registry;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

pub use tools::RESULT;

/// The plugins of a data folder.
pub struct Plugins {
    space: Arc<Space>,
    registry: Arc<Registry>,
    /// Toolkits that are offered now.
    offered: Mutex<BTreeSet<String>>,
    /// One change after the other.
    changing: tokio::sync::Mutex<()>,
}

/// A tool as whoever performs workflows carries it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolDefinition {
    /// `PLUGIN:TOOL`.
    pub name: String,
    /// The text of the workflow.
    pub text: String,
    /// The file that its function stands in.
    pub functions: String,
    /// What it may call at most.
    pub permissions: Vec<String>,
}

impl Plugins {
    #[must_use]
    pub fn new(space: Arc<Space>, registry: Arc<Registry>) -> Arc<Self> {
        let plugins = Arc::new(Self {
            space,
            registry,
            offered: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        });
        plugins.offer();
        plugins
    }

    /// Answers what a person asks of plugins.
    ///
    /// # Errors
    /// No such plugin or source, one with faults, trouble with the disk.
    pub async fn answer(self: &Arc<Self>, request: PluginRequest) -> Result<Reply, UserError> {
        requests::answer(self, request).await
    }

    /// Whether a call is for a plugin's tool.
    #[must_use]
    pub fn is_for_one(&self, call: &Call) -> bool {
        self.offered.lock().contains(&call.toolkit)
    }

    /// The tool of a call, as its plugin is now; `None` where that is not as it was reviewed.
    #[must_use]
    pub fn definition(&self, call: &Call) -> Option<ToolDefinition> {
        let plugin = self
            .usable()
            .find(|plugin| method_name(&plugin.name) == call.toolkit)?;
        let contents = contents::look(&plugin.folder, self.space.language());
        let manifest = contents
            .manifest
            .as_ref()
            .filter(|_| contents.faults.is_empty())?;
        let tool = manifest.tools.iter().find(|tool| tool.name == call.method)?;
        let file = contents.files_of_tools.get(&tool.name)?;
        Some(ToolDefinition {
            name: plugin.called(&tool.name),
            text: tools::workflow(manifest, tool),
            functions: shidi_bundles::read_text(&plugin.folder, file).ok()?,
            permissions: manifest.permissions.clone(),
        })
    }

    /// Offers programs the tools of what is kept now.
    fn offer(&self) {
        let manifests = self.usable().filter_map(|plugin| {
            let contents = contents::look(&plugin.folder, self.space.language());
            let is_fit = contents.faults.is_empty();
            contents
                .manifest
                .filter(|manifest| is_fit && manifest.name == plugin.name)
        });
        let toolkits: Vec<_> = manifests
            .map(|manifest| tools::toolkit(&manifest))
            .filter(|toolkit| !toolkit.methods.is_empty() && self.registry.is_free(&toolkit.name))
            .collect();
        let mut offered = self.offered.lock();
        let names: BTreeSet<String> = toolkits.iter().map(|toolkit| toolkit.name.clone()).collect();
        for gone in offered.difference(&names) {
            self.registry.remove(gone);
        }
        for toolkit in toolkits {
            self.registry.offer(toolkit);
        }
        *offered = names;
    }

    fn kept(&self) -> Vec<KeptPlugin> {
        kept(self.space.home.folder(), self.space.language())
    }

    /// The plugins that are as they were reviewed.
    fn usable(&self) -> impl Iterator<Item = KeptPlugin> {
        self.kept().into_iter().filter(|plugin| plugin.is_reviewed)
    }

    fn place(&self, name: &str) -> PathBuf {
        place_of(self.space.home.folder(), name)
    }

    /// Where those lie that nobody decided on yet.
    fn reviews(&self) -> PathBuf {
        self.space.home.folder().join("plugin-reviews")
    }
}

#[cfg(test)]
mod tests;
