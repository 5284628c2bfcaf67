//! The toolkits that programs of a space may call, of all features and added ones together.

use super::Features;
use crate::registry;
use shidi_protocol::{Ask, ToolkitSource, ToolkitSpec};
use shidi_space::call_bounds;
use shidi_toolkits::{FILES, PRODUCING, code, shell};
use std::path::PathBuf;

/// The toolkits by which programs reach what is remembered, or leave something.
const OF_MEMORY: [&str; 2] = ["memory", "schedule"];

/// Those that a conversation has not that leaves nothing. A try-out reads the bases, and its runs end with it.
const EQUIPMENT: [&str; 2] = ["knowledge", shidi_workflow_runs::NAME];

impl Features {
    /// What programs of that assistant may call: nothing of memory where it is not read.
    pub fn toolkits(&self, assistant: Option<&str>) -> Vec<ToolkitSpec> {
        let declared = shidi_knowledge::toolkits(self, assistant);
        let mut toolkits = self.registry.offered(declared, assistant);
        if self.is_incognito() {
            // Runs of plugins' tools are those of workflows.
            let is_equipment = |toolkit: &ToolkitSpec| {
                EQUIPMENT.contains(&toolkit.name.as_str()) || toolkit.source == ToolkitSource::Plugin
            };
            toolkits.retain(|toolkit| {
                let is_of_memory = OF_MEMORY.contains(&toolkit.name.as_str());
                !is_of_memory && (self.is_equipped() || !is_equipment(toolkit))
            });
        }
        toolkits
    }

    /// The toolkits that programs of that run may call. A sub-agent has only its chosen toolkits, and no sub-agents of
    /// its own.
    ///
    /// Commands have nowhere to run without a granted folder, and a plain question is not to pay for their description.
    pub fn toolkits_of(&self, ask: &Ask, folders: &[PathBuf]) -> Vec<ToolkitSpec> {
        let mut toolkits = self.toolkits(ask.assistant.as_deref());
        let page = ask.page.as_ref().and_then(|page| self.pages.toolkit(page));
        let page = self
            .registry
            .switched_on(page.into_iter().collect(), ask.assistant.as_deref());
        toolkits.extend(page);
        let is_told_why = ask.program.is_some();
        toolkits.retain(|toolkit| is_told_why || !folders.is_empty() || toolkit.name != shell::NAME);
        toolkits.retain(|toolkit| is_told_why || shidi_capture::applies(&self.capture, &toolkit.name));
        let has_code =
            |toolkit: &ToolkitSpec| toolkit.name != code::NAME || shidi_code_index::applies(folders);
        toolkits.retain(|toolkit| is_told_why || has_code(toolkit));
        if !is_told_why && folders.is_empty() {
            for toolkit in &mut toolkits {
                let is_files = toolkit.name == FILES;
                toolkit
                    .methods
                    .retain(|method| !is_files || !PRODUCING.contains(&method.name.as_str()));
            }
        }
        if let Some(task) = &ask.task {
            for ToolkitSpec { name, methods, .. } in &mut toolkits {
                methods.retain(|method| call_bounds::offers(&task.bounds, name, &method.name));
            }
            toolkits.retain(|toolkit| !toolkit.methods.is_empty());
        }
        if let Some(under) = &ask.under {
            let is_chosen = |name: &str| {
                let needed = registry::ALWAYS_ON.contains(&name) || name == "results";
                under.toolkits.is_empty() || needed || under.toolkits.iter().any(|chosen| chosen == name)
            };
            toolkits.retain(|toolkit| toolkit.name != "agents" && is_chosen(&toolkit.name));
        }
        toolkits
    }
}
