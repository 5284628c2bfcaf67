//! A finished run as a workflow (F9.6): its programs, its values as inputs, the permissions that it needed, and its first case.
//!
//! Nothing is kept by it: who asks looks at both, and keeps the text as any other.

use shidi_agent::limits::FAMILY_CHARACTERS_MAX;
use shidi_agent::permissions::exact;
use shidi_agent::program_inputs;
use shidi_locales::Language;
use shidi_protocol::{CallRecord, CallState, Class, Segment, SegmentKind, ToolkitSpec, UserError, reply};
use shidi_space::errors::internal;
use shidi_space::names::{callable, method_name};
use shidi_workflow::{FinishedRun, case_of, from_run, inputs_of, name_of};
use std::collections::BTreeSet;

/// Characters of a run's last output that its case looks for.
const SHOWN_CHARACTERS_MAX: usize = 80;

/// What is known of a run that came out well.
pub struct Done<'a, Segments> {
    pub question: &'a str,
    /// Those that ran to their end.
    pub programs: Vec<String>,
    pub calls: &'a [CallRecord],
    /// Its own, in order.
    pub segments: Segments,
}

/// The draft of a workflow that does what a run did.
///
/// # Errors
/// A value that can't be written.
pub fn draft<'a>(
    run: Done<'a, impl Iterator<Item = &'a Segment>>,
    toolkits: &[ToolkitSpec],
    language: Language,
) -> Result<reply::WorkflowDraft, UserError> {
    let inputs = inputs_of(&run.programs);
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let text = from_run(&FinishedRun {
        question: run.question,
        programs: &program_inputs::without(&run.programs, &names),
        inputs: &inputs,
        permissions: &permissions(run.calls, toolkits),
    });
    let outputs = run
        .segments
        .filter(|segment| segment.kind() == SegmentKind::Output);
    let output = outputs.last().map(|segment| segment.text()).unwrap_or_default();
    let mut lines = output.lines().rev().map(str::trim);
    let shown = lines.find(|line| !line.is_empty());
    let shown: Option<String> = shown.map(|line| line.chars().take(SHOWN_CHARACTERS_MAX).collect());
    let name = callable(&name_of(run.question));
    let case = case_of(run.question, &method_name(&name), shown.as_deref());
    let broken = |why: String| internal(language, &why);
    Ok(reply::WorkflowDraft {
        name,
        text: text.map_err(broken)?,
        evaluation: case.map_err(broken)?,
        programs: run.programs,
    })
}

/// What was done and is asked about elsewhere, each call just as it was: leave that was given once covers no other one. A call
/// of which nothing says where it leads is asked about again.
fn permissions(calls: &[CallRecord], toolkits: &[ToolkitSpec]) -> Vec<String> {
    let exact: BTreeSet<String> = calls
        .iter()
        .filter(|record| record.state == CallState::Done)
        .filter(|record| !matches!(record.class, Class::Read | Class::ExecuteOpen | Class::Money))
        .filter_map(|record| {
            let toolkit = toolkits
                .iter()
                .find(|toolkit| toolkit.name == record.call.toolkit)?;
            let exact = exact(&record.call, toolkit.method(&record.call.method)?)?;
            Some(exact.to_string())
        })
        .filter(|text| text.chars().count() <= FAMILY_CHARACTERS_MAX && !text.contains('\n'))
        .collect();
    exact.into_iter().collect()
}
