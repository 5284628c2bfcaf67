//! The toolkit `workflows`: each of the user's own is a method with its parameters, as long as it is switched on. So is one that
//! comes along, for assistants whose file names it, and for nobody else.
//!
//! The call itself has no effect: what a step does is permitted by itself, on the terms of the run that called. Nothing that a file
//! permits itself counts there.

use crate::Workflows;
use crate::facts::{Facts, StartedBy, Terms, run_of};
use crate::orders::Until;
use crate::shelf::Shelved;
use crate::starting::{self, Beginning};
use serde_json::Value;
use shidi_protocol::{
    Call, CallId, CallOutcome, Class, ErrorCode, JsonMap, MethodSpec, Mode, ParameterKind, ParameterSpec,
    Reply, RunId, ToolkitSource, ToolkitSpec, UserError, WorkflowRunView, WorkflowStatus, WorkflowStepState,
};
use shidi_space::errors::error;
use shidi_space::names::method_name;
use shidi_space::storage;
use shidi_workflow::{Parameter, ValueType, Workflow};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The name of the toolkit.
pub const NAME: &str = "workflows";

/// What models read of it. A model that may not leave a value out makes one up.
const DOC: &str = "Procedures that the user keeps: where a request is about one, call it, in place of doing its work by other means. \
                   Pass what the user has said; leave out what nobody has said: the call then names what to ask.";

/// The run whose program calls a workflow, and its terms.
#[derive(Debug, Clone)]
pub struct Caller {
    pub run: RunId,
    pub call: CallId,
    pub folders: Vec<String>,
    pub approve: Vec<String>,
    /// Whether nothing else is allowed.
    pub own_list: bool,
    pub mode: Option<Mode>,
    pub assistant: Option<String>,
    pub unattended: bool,
    /// What was said so far.
    pub dialogue: String,
    pub tainted: bool,
    /// What it may call itself at most.
    pub bounds: Vec<Vec<String>>,
    /// The tool of a plugin that is called; `None` for a workflow.
    pub tool: Option<Definition>,
}

/// A workflow that lies in no folder: a tool of a plugin.
#[derive(Debug, Clone)]
pub struct Definition {
    pub name: String,
    pub text: String,
    pub functions: String,
    /// What its programs may call at most.
    pub bounds: Vec<String>,
}

/// Whether a call is for a workflow.
#[must_use]
pub fn is_for_one(call: &Call) -> bool {
    call.toolkit == NAME
}

impl Workflows {
    /// Offers programs what the folder holds now, and to assistants that name it what comes along.
    pub(crate) fn offer(&self) {
        let all = self.shelf().all().unwrap_or_else(|error| {
            tracing::warn!(error.message, "workflows are not offered");
            Vec::new()
        });
        let (mut names, mut shipped) = (BTreeSet::new(), BTreeSet::new());
        let mut methods: Vec<MethodSpec> = Vec::new();
        for shelved in own_first(&all) {
            let Some(method) = of_file(shelved) else {
                continue;
            };
            // Python may write the names of two alike: the first one has it.
            if !names.insert(method.name.clone()) {
                continue;
            }
            if shelved.built_in {
                shipped.insert(method.name.clone());
            }
            methods.push(method);
        }
        // Known before they are offered: a run that begins meanwhile must not see them.
        self.space.assistants.know_shipped_workflows(shipped);
        if methods.is_empty() {
            self.registry.remove(NAME);
            return;
        }
        let spec = ToolkitSpec {
            name: NAME.to_owned(),
            doc: DOC.to_owned(),
            methods,
            source: ToolkitSource::Workflow,
            left_out: 0,
        };
        self.registry.offer(spec);
    }

    /// Runs the workflow of a call, or goes on with the run that the call began before a restart.
    ///
    /// # Errors
    /// No such workflow, values that are missing, trouble with storage.
    pub async fn called(
        self: &Arc<Self>,
        caller: Caller,
        call: &Call,
    ) -> Result<mpsc::Receiver<Reply>, UserError> {
        let run = run_of(&caller.run, caller.call);
        let language = self.space.language();
        let known = run.clone();
        let is_begun = self.space.aside(move |space| {
            let row = space.store.workflow_run(&known);
            row.map(|row| row.is_some())
                .map_err(|cause| storage::explain(&cause, language))
        });
        if is_begun.await? {
            return starting::take_up(self, &run, Until::End).await;
        }
        if caller.tool.is_none() && !is_for_one(call) {
            let say = language.workflow_runs();
            return Err(error(
                ErrorCode::NotFound,
                say.plugin_changed(call.tool()),
                say.review_the_plugin(),
            ));
        }
        let (own, method) = (Arc::clone(self), call.method.clone());
        let mut bounds = caller.bounds;
        bounds.extend(caller.tool.iter().map(|tool| tool.bounds.clone()));
        let (tool, folders) = (caller.tool, caller.folders.clone());
        let shelved = self.space.aside(move |_| own.fit(tool, &method, &folders));
        let shelved = shelved.await?;
        let workflow = shelved.read().map_err(|faults| self.first(&faults))?;
        // What a program leaves out has its default.
        let given = call
            .args
            .iter()
            .filter(|(name, value)| !is_left_out(&workflow, name, value));
        let inputs: JsonMap = given.map(|(name, value)| (name.clone(), value.clone())).collect();
        let terms = Terms {
            folders: caller.folders,
            approve: caller.approve,
            own_list: caller.own_list,
            mode: caller.mode,
            assistant: caller.assistant,
            unattended: caller.unattended,
            bounds,
            by: Some(StartedBy {
                run: caller.run,
                call: caller.call,
            }),
        };
        let facts = Facts::of((&shelved, &workflow), &inputs, language, terms);
        let beginning = Beginning {
            run,
            shelved,
            workflow,
            inputs,
            dialogue: caller.dialogue,
            facts,
            tainted: caller.tainted,
        };
        starting::begin(self, beginning, Until::End).await
    }

    /// The workflow or tool of a call, if it can begin.
    fn fit(&self, tool: Option<Definition>, method: &str, folders: &[String]) -> Result<Shelved, UserError> {
        let Some(tool) = tool else {
            let shelved = self.of_method(method)?;
            self.can_begin(&shelved).map_err(with_remedy)?;
            self.has_a_folder_to_write_in(&shelved, folders)
                .map_err(with_remedy)?;
            return Ok(shelved);
        };
        // A tool tells its caller itself where it could not write.
        let shelved = shelved_of(tool);
        self.can_begin(&shelved).map_err(with_remedy)?;
        Ok(shelved)
    }

    fn of_method(&self, method: &str) -> Result<Shelved, UserError> {
        let all = self.shelf().all()?;
        let found = own_first(&all).find(|shelved| method_name(&shelved.name) == method);
        found.map_or_else(|| self.shelf().named(method), |found| Ok(found.clone()))
    }
}

/// The user's own, then those of plugins, then those that come along.
fn own_first(all: &[Shelved]) -> impl Iterator<Item = &Shelved> {
    let own = all
        .iter()
        .filter(|shelved| !shelved.built_in && shelved.plugin.is_none());
    let of_plugins = all.iter().filter(|shelved| shelved.plugin.is_some());
    let shipped = all.iter().filter(|shelved| shelved.built_in);
    own.chain(of_plugins).chain(shipped)
}

/// A program is told one sentence: the remedy stands in it.
fn with_remedy(mut error: UserError) -> UserError {
    if let Some(hint) = error.hint.take() {
        error.message = format!("{} ({hint})", error.message);
    }
    error
}

fn shelved_of(tool: Definition) -> Shelved {
    Shelved {
        functions: Some(tool.functions),
        ..Shelved::loose(&tool.name, &tool.text)
    }
}

fn is_left_out(workflow: &Workflow, name: &str, value: &Value) -> bool {
    let mut parameters = workflow.parameters.iter();
    value.is_null() && parameters.any(|parameter| parameter.name == name && parameter.default.is_some())
}

/// What the program gets of a run that has ended.
#[must_use]
pub fn outcome(run: &WorkflowRunView) -> CallOutcome {
    let outcome = match (run.status, &run.error) {
        (WorkflowStatus::Done, _) => CallOutcome::success(Value::Object(run.result.clone()), "done"),
        (WorkflowStatus::Cancelled, _) => CallOutcome::failure("RuntimeError", "The workflow was stopped"),
        (_, Some(error)) => CallOutcome::failure("RuntimeError", error.message.clone()),
        (_, None) => CallOutcome::failure("RuntimeError", "The workflow did not come to its end"),
    };
    match run.tainted {
        true => outcome,
        false => outcome.own(),
    }
}

/// What the program gets of a plugin's tool: what stands under the key `result`. A failure has the tool's name in place of
/// that of its one step, which nobody wrote.
#[must_use]
pub fn outcome_of_tool(run: &WorkflowRunView, call: &Call, result: &str) -> CallOutcome {
    let mut told = outcome(run);
    if let Some(value) = told.data.get_mut(result) {
        told.data = value.take();
    }
    let failed = run
        .steps
        .iter()
        .rev()
        .find(|step| step.state == WorkflowStepState::Failed);
    let reason = failed.and_then(|step| step.reason.as_ref());
    let reason = reason.filter(|_| run.status == WorkflowStatus::Failed);
    if let (Some(error), Some(reason)) = (&mut told.error, reason) {
        error.message = format!("{}: {reason}", call.tool());
        told.summary.clone_from(&error.message);
    }
    told
}

fn of_file(shelved: &Shelved) -> Option<MethodSpec> {
    let workflow = shelved.read().ok()?;
    Some(MethodSpec {
        name: method_name(&shelved.name),
        // What a plugin says of it was written by somebody else.
        doc: if shelved.plugin.is_some() {
            String::new()
        } else {
            doc(&workflow)
        },
        parameters: in_order(&workflow.parameters),
        returns: "dict".to_owned(),
        class: Class::Read,
        matters: Vec::new(),
        // The same call finds the run that it began before a restart.
        idempotent: true,
    })
}

/// The description, and a line for each parameter that has one.
fn doc(workflow: &Workflow) -> String {
    let described = workflow
        .parameters
        .iter()
        .filter(|parameter| !parameter.description.trim().is_empty());
    let lines = described.map(|parameter| format!("{}: {}", parameter.name, parameter.description.trim()));
    let mut told: Vec<String> = vec![workflow.description.trim().to_owned()];
    told.retain(|line| !line.is_empty());
    told.extend(lines);
    told.join("\n")
}

/// Those that must be given first, as Python wants it.
fn in_order(parameters: &[Parameter]) -> Vec<ParameterSpec> {
    let (required, optional): (Vec<_>, Vec<_>) = parameters
        .iter()
        .partition(|parameter| parameter.default.is_none());
    required.into_iter().chain(optional).map(spec_of).collect()
}

fn spec_of(parameter: &Parameter) -> ParameterSpec {
    ParameterSpec {
        name: parameter.name.clone(),
        kind: match parameter.kind {
            ValueType::Text => ParameterKind::Text,
            ValueType::Whole => ParameterKind::Integer,
            ValueType::Number => ParameterKind::Number,
            ValueType::Flag => ParameterKind::Boolean,
            ValueType::List => ParameterKind::List,
            ValueType::Map => ParameterKind::Dict,
            ValueType::Any => ParameterKind::Any,
        },
        doc: parameter.description.clone(),
        // What nobody has said is asked for, so that a call may leave it out.
        default: Some(parameter.default.clone().unwrap_or(Value::Null)),
        asked: parameter.default.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::session_of;
    use shidi_workflow::AttemptId;

    #[test]
    fn two_calls_of_a_program_never_share_the_sessions_of_their_steps() {
        let caller = RunId::from("01a21b025a7e753b931340b7f9694cd3".to_owned());
        let runs: Vec<RunId> = (1..200).map(|call| run_of(&caller, CallId(call))).collect();
        let mut sessions: Vec<String> = runs
            .iter()
            .flat_map(|run| (1..20).map(|attempt| session_of(run, AttemptId(attempt)).as_str().to_owned()))
            .collect();
        assert!(runs.iter().all(|run| run.as_str().len() == caller.as_str().len()));
        let made = sessions.len();
        sessions.sort();
        sessions.dedup();
        assert_eq!(sessions.len(), made);
        assert_eq!(run_of(&caller, CallId(7)), runs[6]);
    }

    #[test]
    fn parameters_that_must_be_given_stand_before_those_with_a_default() {
        let text = "version: '1.0'\nname: n\ninputs:\n  - {name: a, type: int, default: 1}\n  - {name: b, type: str}\n\
                    steps:\n  - {id: o, type: output, inputs: {x: '{a}', y: '{b}'}}\n";
        let method = of_file(&Shelved::loose("n", text)).unwrap();
        let names: Vec<&str> = method
            .parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(method.parameters[1].default, Some(Value::from(1)));
        assert!(method.parameters[0].asked && !method.parameters[1].asked);
    }
}
