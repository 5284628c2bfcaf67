//! The user's hand on the registry: everything that programs could call, and switching it on and off.

use crate::engine::Engine;
use crate::errors::error;
use crate::registry::{ALWAYS_ON, Registry};
use crate::storage;
use shidi_protocol::{ErrorCode, ListedTool, ListedToolkit, ToolRequest, ToolkitSpec, UserError, reply};
use shidi_store::{Batch, Write};

/// Does what was asked of the toolkits.
///
/// # Errors
/// A tool that is not there or can't be switched, a name that is none, storage trouble.
pub fn perform(engine: &Engine, action: ToolRequest) -> Result<reply::Tools, UserError> {
    match action {
        ToolRequest::List { assistant } => Ok(listed(engine, assistant.as_deref())),
        ToolRequest::Switch { tool, on, assistant } => {
            turn(engine, tool.trim(), on, assistant.as_deref())?;
            engine.registry.changed(engine);
            Ok(listed(engine, assistant.as_deref()))
        }
    }
}

/// What is there without anybody's coming: with what the page in front offers, where its site is allowed.
fn declared(engine: &Engine) -> Vec<ToolkitSpec> {
    let page = engine
        .pages
        .front()
        .and_then(|front| engine.pages.toolkit(&front.page));
    shidi_knowledge::toolkits(engine, None)
        .into_iter()
        .chain(page)
        .collect()
}

fn turn(engine: &Engine, tool: &str, on: bool, assistant: Option<&str>) -> Result<(), UserError> {
    if let Some(assistant) = assistant {
        engine.check_assistant(assistant)?;
    }
    let (name, method) = match tool.split_once('.') {
        Some((name, method)) => (name, Some(method)),
        None => (tool, None),
    };
    let all = engine.registry.all(declared(engine));
    let toolkit = all
        .iter()
        .find(|toolkit| toolkit.name == name)
        .filter(|toolkit| method.is_none_or(|method| toolkit.method(method).is_some()))
        .ok_or_else(|| unknown(engine, tool))?;
    if ALWAYS_ON.contains(&name) {
        return Err(needed(engine, name));
    }
    let mut switches = engine.registry.switches.lock();
    if on && assistant.is_some() && (switches.is_off(name, None) || switches.is_off(tool, None)) {
        return Err(off_for_all(engine, tool));
    }
    let moves = switches.moves(toolkit, method, on, assistant);
    let rows = moves.iter().map(|(switch, on)| Write::Switch {
        switch: switch.clone(),
        on: *on,
    });
    engine
        .store
        .commit(rows.collect::<Batch>())
        .map_err(|cause| storage::explain(&cause, engine.language()))?;
    switches.apply(&moves);
    Ok(())
}

/// Everything there is, each tool on or off as it is for that assistant.
fn listed(engine: &Engine, assistant: Option<&str>) -> reply::Tools {
    let registry: &Registry = &engine.registry;
    let all = registry.all(declared(engine));
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

fn unknown(engine: &Engine, tool: &str) -> UserError {
    let language = engine.language();
    error(
        ErrorCode::NotFound,
        language.runtime().no_such_tool(tool),
        language.runtime().see_tools(),
    )
}

fn needed(engine: &Engine, name: &str) -> UserError {
    let language = engine.language();
    error(
        ErrorCode::Input,
        language.runtime().tool_not_switchable(name),
        language.runtime().tool_needed(),
    )
}

fn off_for_all(engine: &Engine, tool: &str) -> UserError {
    let language = engine.language();
    error(
        ErrorCode::Input,
        language.runtime().tool_off_for_all(tool),
        language.runtime().switch_on_for_all(tool),
    )
}
