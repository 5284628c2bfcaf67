//! The known facts of a finished run, for a workflow or a skill that does the same.

use super::at_rest::is_for_a_step;
use super::replaying::{did_well_otherwise, finished, programs_of};
use crate::errors::error;
use crate::features::Features;
use shidi_agent::program_inputs;
use shidi_protocol::{ErrorCode, Replay, RunId, UserError, reply};
use shidi_workflow_runs::{Done, draft};
use std::collections::BTreeMap;

/// The draft of a workflow that does what a run did.
///
/// # Errors
/// No such run, one that is not over or went wrong, or one without a program. A step of a workflow is none either.
pub fn as_workflow(
    features: &Features,
    run: RunId,
    name: Option<String>,
) -> Result<reply::WorkflowDraft, UserError> {
    let inputs = BTreeMap::new();
    let (row, _) = finished(features, &Replay { run, inputs })?;
    if is_for_a_step(&row) {
        let say = features.language().runtime();
        return Err(error(ErrorCode::Input, say.is_a_step(), say.name_another_run()));
    }
    let calls = features.stored(features.store.calls(&row.run))?;
    let segments = features.stored(features.store.segments(&row.session))?;
    let done = Done {
        question: &row.question,
        programs: programs_of(features, &row)?,
        calls: &calls,
        segments: segments.iter().filter(|segment| segment.run == row.run),
        name,
        replayed: did_well_otherwise(features, &row)?,
    };
    draft(done, &features.toolkits(None), features.language())
}

/// The draft of a skill that tells how a run was done.
///
/// # Errors
/// As [`as_workflow`], a name that breaks the rule, and a disk that refuses.
pub fn as_skill(
    features: &Features,
    run: RunId,
    name: Option<String>,
) -> Result<reply::SkillReview, UserError> {
    let inputs = BTreeMap::new();
    let (row, _) = finished(features, &Replay { run, inputs })?;
    let programs = programs_of(features, &row)?;
    let inputs = program_inputs::constant(&programs, &[]);
    let place = (&row.session, &row.run);
    let named = (row.question.as_str(), name);
    features.skills.drafted(place, named, &programs, &inputs)
}
