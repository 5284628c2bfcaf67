//! The user's own workflows in a small model's prompt (F9.2): what they take, and which one waits for a value.
//!
//! A small model calls what it has read last. Where names alone stood in its prompt, it computed the time in place of
//! ordering a car.

use super::small::{self, NextStep};
use crate::limits;
use crate::parameters;
use crate::run_context::RunContext;
use crate::stubs;
use crate::tool_index::{self, WORKFLOWS};
use shidi_protocol::{MethodSpec, ToolkitSpec, tokens};

/// The user's workflows, where they are few enough to stand in each short prompt.
pub fn on_offer(context: &RunContext) -> Option<&ToolkitSpec> {
    let mut toolkits = context.settings.toolkits.iter();
    let workflows = toolkits.find(|toolkit| toolkit.name == WORKFLOWS && !toolkit.methods.is_empty())?;
    let tokens = tokens::estimate(&stubs::render(std::iter::once(workflows)));
    (tokens <= limits::SHORT_WORKFLOWS_TOKENS_MAX).then_some(workflows)
}

/// What the last line says of abilities after the user's words: the one that waits for them, else all.
pub fn step(context: &RunContext, question: &str) -> Option<NextStep> {
    if let Some(waiting) = parameters::waiting(context) {
        return Some(NextStep::Fill(waiting));
    }
    let workflows = on_offer(context).filter(|_| !small::is_of_files(context, question))?;
    let is_meant = !asks(question) || tool_index::is_spoken_of(workflows, &[question.to_lowercase()]);
    is_meant.then(|| NextStep::Choose {
        calls: calls(workflows),
    })
}

/// Whether a text asks something. Who asks wants an answer, unless the words are those of a workflow.
fn asks(text: &str) -> bool {
    text.contains(['?', '\u{ff1f}'])
}

/// All workflows, each by its call.
fn calls(workflows: &ToolkitSpec) -> String {
    let calls: Vec<String> = workflows.methods.iter().map(call).collect();
    calls.join(", ")
}

/// A workflow by its call and the names of what it takes.
fn call(method: &MethodSpec) -> String {
    let names = method.parameters.iter().map(|parameter| parameter.name.as_str());
    let names: Vec<&str> = names.collect();
    format!("`{WORKFLOWS}.{}({})`", method.name, names.join(", "))
}
