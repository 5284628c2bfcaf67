//! What of a workflow can't work on this installation, found before anything runs: tools that are not there, calls that don't
//! fit them, programs that Python refuses.
//!
//! A file is a workflow without regard to where it lies (`shidi_workflow`). Whether it can work here is another question: it
//! changes with what is installed, so a file that is kept stays one.

mod folders;
mod programs;
mod tools;
mod words;

use crate::Workflows;
use crate::shelf::Shelved;
use crate::toolkit::NAME;
use shidi_protocol::{ErrorCode, ToolkitSpec, UserError, WorkflowFault};
use shidi_space::errors::error;
use shidi_space::registry;
use shidi_workflow::{Place, Workflow, nearest, plugin_with};

/// What of a step can't work.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Remark {
    step: String,
    line: u64,
    column: u64,
    trouble: Trouble,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// A tool's name that is none.
    NoTool(String),
    NoToolkit {
        toolkit: String,
        near: Option<String>,
    },
    NoMethod {
        toolkit: String,
        method: String,
        known: Vec<String>,
    },
    /// The user has switched it off.
    Off(String),
    NoArgument {
        tool: String,
        argument: String,
        known: Vec<String>,
    },
    MissingArgument {
        tool: String,
        argument: String,
        known: Vec<String>,
    },
    WrongArgument {
        tool: String,
        argument: String,
        wanted: &'static str,
        found: &'static str,
    },
    NoPlugin {
        plugin: String,
        near: Option<String>,
    },
    Ambiguous {
        plugin: String,
        toolkits: Vec<String>,
    },
    NoFunction {
        function: String,
        /// Functions that are beside the workflow; `None` where it has no such file.
        known: Option<Vec<String>>,
    },
    /// The interpreter's own words for what is wrong in a program.
    Program {
        why: String,
        hint: Option<String>,
    },
    /// The same of the functions beside the workflow.
    Functions {
        line: u32,
        why: String,
        hint: Option<String>,
    },
}

/// The tool that was probably meant: one of that very name, of a toolkit whose name is near. A server that is not connected
/// may have any name.
fn near_tool(toolkit: &str, method: &str, toolkits: &[ToolkitSpec]) -> Option<String> {
    let having = toolkits.iter().filter(|spec| spec.method(method).is_some());
    let near = nearest(toolkit, having.map(|spec| spec.name.as_str()))?;
    Some(format!("{near}.{method}"))
}

impl Remark {
    fn new(step: &str, place: &Place, trouble: Trouble) -> Self {
        Self {
            step: step.to_owned(),
            line: place.line,
            column: place.column,
            trouble,
        }
    }
}

impl Trouble {
    /// Whether it is none as soon as something is connected, switched on or put beside the file.
    fn may_pass(&self) -> bool {
        match self {
            Self::Off(_) => true,
            Self::NoToolkit { near, .. } | Self::NoPlugin { near, .. } => near.is_none(),
            Self::NoFunction { known, .. } => known.is_none(),
            Self::NoTool(_)
            | Self::NoMethod { .. }
            | Self::NoArgument { .. }
            | Self::MissingArgument { .. }
            | Self::WrongArgument { .. }
            | Self::Ambiguous { .. }
            | Self::Program { .. }
            | Self::Functions { .. } => false,
        }
    }
}

/// What programs may call here, those tools too that are switched off.
struct AvailableTools<'a> {
    toolkits: &'a [ToolkitSpec],
    is_on: &'a dyn Fn(&str, &str) -> bool,
}

/// What was found in a workflow.
#[derive(Debug, Default)]
pub struct Checked {
    /// They can't work.
    pub faults: Vec<WorkflowFault>,
    /// They can't work as things stand.
    pub warnings: Vec<WorkflowFault>,
    /// The plugin that comes along, is needed and is not installed.
    lacks: Option<&'static str>,
}

impl Workflows {
    /// What of a workflow can't work here. A worker reads its programs, and runs none of them.
    pub(crate) fn checked(&self, shelved: &Shelved, workflow: &Workflow) -> Checked {
        let mut toolkits = self.registry.all(Vec::new());
        registry::complete(&mut toolkits);
        // A step finds no workflow that is offered only to assistants that name it.
        let everybody = self.space.bounds(None);
        for toolkit in toolkits.iter_mut().filter(|toolkit| toolkit.name == NAME) {
            toolkit
                .methods
                .retain(|method| everybody.permits(NAME, &method.name));
        }
        toolkits.retain(|toolkit| toolkit.name != NAME || !toolkit.methods.is_empty());
        let is_on = |toolkit: &str, method: &str| self.registry.switches.lock().is_on(toolkit, method, None);
        let known = AvailableTools {
            toolkits: &toolkits,
            is_on: &is_on,
        };
        let mut remarks = tools::remarks(workflow, shelved.functions.as_deref(), &known);
        match programs::remarks(shelved, workflow, &toolkits) {
            Ok(found) => remarks.extend(found),
            // Whoever runs it is told so then.
            Err(cause) => tracing::warn!(%cause, "programs of a workflow are not checked"),
        }
        remarks.sort_by_key(|remark| (remark.line, remark.column));
        remarks.dedup();
        let language = self.space.language();
        let mut checked = Checked::default();
        for remark in remarks {
            if let Trouble::NoPlugin { plugin, .. } = &remark.trouble {
                checked.lacks = checked.lacks.or_else(|| plugin_with(plugin));
            }
            let told = remark.told(&shelved.name, language);
            match remark.trouble.may_pass() {
                true => checked.warnings.push(told),
                false => checked.faults.push(told),
            }
        }
        checked
    }

    /// A text as it is typed, with the functions that it would have under that name.
    pub(crate) fn typed(&self, name: &str, text: &str, functions: Option<String>) -> Shelved {
        let functions = match functions {
            Some(functions) => Some(functions).filter(|functions| !functions.is_empty()),
            None => self.shelf().named(name).ok().and_then(|kept| kept.functions),
        };
        Shelved {
            functions,
            ..Shelved::loose(name, text)
        }
    }

    /// Refuses a workflow that can't work here; one with faults of its own is refused by whoever reads it.
    ///
    /// # Errors
    /// The first reason.
    pub(crate) fn works(&self, shelved: &Shelved) -> Result<(), UserError> {
        match shelved.read() {
            Ok(workflow) => refused(shelved, &self.checked(shelved, &workflow)),
            Err(_) => Ok(()),
        }
    }

    /// Refuses a workflow that writes files where no folder is given: a run would end in the middle.
    ///
    /// # Errors
    /// The step that writes.
    pub(crate) fn has_a_folder_to_write_in(
        &self,
        shelved: &Shelved,
        folders: &[String],
    ) -> Result<(), UserError> {
        let has_one = !folders.is_empty() || !self.space.config().task.folders.0.is_empty();
        let Some(workflow) = shelved.read().ok().filter(|_| !has_one) else {
            return Ok(());
        };
        let shelf = self.shelf();
        let mut toolkits = self.registry.all(Vec::new());
        registry::complete(&mut toolkits);
        let callable = folders::Callable {
            functions: shelved.functions.as_deref(),
            toolkits: &toolkits,
            plugins: &shelf.plugins,
        };
        let Some(step) = folders::first_writing(&workflow, &callable) else {
            return Ok(());
        };
        let say = self.space.language().workflow_runs();
        Err(error(
            ErrorCode::Input,
            say.needs_a_folder(&shelved.name, step),
            say.grant_a_folder(),
        ))
    }

    /// Refuses a workflow that can't work here, and one whose plugin comes along and is not installed: nothing of it is begun.
    ///
    /// # Errors
    /// The first reason.
    pub(crate) fn can_begin(&self, shelved: &Shelved) -> Result<(), UserError> {
        let Ok(workflow) = shelved.read() else {
            return Ok(());
        };
        let checked = self.checked(shelved, &workflow);
        refused(shelved, &checked)?;
        let Some(plugin) = checked.lacks else {
            return Ok(());
        };
        let say = self.space.language().workflow_runs();
        Err(error(
            ErrorCode::NotFound,
            say.plugin_not_installed(&shelved.name, plugin),
            say.install_plugin(plugin),
        ))
    }
}

/// Why a workflow can't work here: the first fault.
fn refused(shelved: &Shelved, checked: &Checked) -> Result<(), UserError> {
    let Some(first) = checked.faults.first() else {
        return Ok(());
    };
    let message = format!(
        "{}:{}:{}: {}",
        shelved.shown_as, first.line, first.column, first.message
    );
    Err(error(ErrorCode::Input, message, first.hint.clone()))
}

#[cfg(test)]
mod tests;
