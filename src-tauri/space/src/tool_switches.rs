//! The user's hand on the registry: everything that programs could call, and switching it on and off.

use crate::errors::error;
use crate::registry::{ALWAYS_ON, Registry};
use crate::space::Space;
use crate::storage;
use shidi_protocol::{ErrorCode, ListedTool, ListedToolkit, ToolRequest, ToolkitSpec, UserError, reply};
use shidi_store::{Batch, Write};

/// What was asked of the toolkits, and those that are there without anybody's coming.
pub struct Switching<'a> {
    pub space: &'a Space,
    pub registry: &'a Registry,
    pub declared: Vec<ToolkitSpec>,
}

impl Switching<'_> {
    /// Does what was asked of the toolkits.
    ///
    /// # Errors
    /// A tool that is not there or can't be switched, a name that is none, storage trouble.
    pub fn perform(self, action: ToolRequest) -> Result<reply::Tools, UserError> {
        match action {
            ToolRequest::List { assistant } => Ok(self.listed(assistant.as_deref())),
            ToolRequest::Switch { tool, on, assistant } => {
                self.turn(tool.trim(), on, assistant.as_deref())?;
                self.registry.changed(self.space);
                Ok(self.listed(assistant.as_deref()))
            }
        }
    }

    fn turn(&self, tool: &str, on: bool, assistant: Option<&str>) -> Result<(), UserError> {
        let Self { space, registry, .. } = self;
        if let Some(assistant) = assistant {
            space.check_assistant(assistant)?;
        }
        let (name, method) = match tool.split_once('.') {
            Some((name, method)) => (name, Some(method)),
            None => (tool, None),
        };
        let all = registry.all(self.declared.clone());
        let toolkit = all
            .iter()
            .find(|toolkit| toolkit.name == name)
            .filter(|toolkit| method.is_none_or(|method| toolkit.method(method).is_some()))
            .ok_or_else(|| unknown(space, tool))?;
        if ALWAYS_ON.contains(&name) {
            return Err(needed(space, name));
        }
        let mut switches = registry.switches.lock();
        if on && assistant.is_some() && (switches.is_off(name, None) || switches.is_off(tool, None)) {
            return Err(off_for_all(space, tool));
        }
        let moves = switches.moves(toolkit, method, on, assistant);
        let rows = moves.iter().map(|(switch, on)| Write::Switch {
            switch: switch.clone(),
            on: *on,
        });
        space
            .store
            .commit(rows.collect::<Batch>())
            .map_err(|cause| storage::explain(&cause, space.language()))?;
        switches.apply(&moves);
        Ok(())
    }

    /// Everything there is, each tool on or off as it is for that assistant.
    fn listed(&self, assistant: Option<&str>) -> reply::Tools {
        let registry = self.registry;
        let all = registry.all(self.declared.clone());
        let switches = registry.switches.lock();
        let shown = |toolkit: ToolkitSpec| {
            let tools = toolkit.methods.iter().map(|method| ListedTool {
                name: method.name.clone(),
                doc: method.doc.clone(),
                class: method.class,
                on: switches.is_on(&toolkit.name, &method.name, assistant),
            });
            ListedToolkit {
                tools: tools.collect(),
                switchable: !ALWAYS_ON.contains(&toolkit.name.as_str()),
                source: toolkit.source,
                doc: toolkit.doc,
                name: toolkit.name,
            }
        };
        reply::Tools {
            toolkits: all.into_iter().map(shown).collect(),
        }
    }
}

fn unknown(space: &Space, tool: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::NotFound,
        language.runtime().no_such_tool(tool),
        language.runtime().see_tools(),
    )
}

fn needed(space: &Space, name: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.runtime().tool_not_switchable(name),
        language.runtime().tool_needed(),
    )
}

fn off_for_all(space: &Space, tool: &str) -> UserError {
    let language = space.language();
    error(
        ErrorCode::Input,
        language.runtime().tool_off_for_all(tool),
        language.runtime().switch_on_for_all(tool),
    )
}
