//! Which values a step leaves for those after it, and whether it always does.

use crate::definition::{Action, BlockId, OnError, StepDefinition, Workflow};
use crate::value_type::ValueType;
use serde_json::Value;
use shidi_yaml::Place;
use std::collections::BTreeMap;

/// A value by what makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    pub kind: ValueType,
    /// The step that makes it; empty for what a run is given.
    pub step: String,
    pub line: u64,
    pub place: Option<Place>,
    /// Whether every way through the step makes it.
    pub is_certain: bool,
    /// What stands in its place where nothing makes it.
    pub default: Option<Value>,
}

impl Made {
    pub(super) fn by_engine(kind: ValueType) -> Self {
        Self {
            kind,
            step: String::new(),
            line: 1,
            place: None,
            is_certain: true,
            default: None,
        }
    }
}

/// The values of a step by their names.
#[must_use]
pub fn made(workflow: &Workflow, step: &StepDefinition) -> BTreeMap<String, Made> {
    let mut names = own(step);
    match &step.action {
        Action::Branch { arms, otherwise } => {
            let mut blocks: Vec<_> = arms.iter().map(|arm| in_block(workflow, arm.steps)).collect();
            blocks.extend(otherwise.iter().map(|block| in_block(workflow, *block)));
            names.extend(in_one_of(blocks, otherwise.is_some()));
        }
        Action::Parallel { branches } => {
            branches
                .iter()
                .for_each(|branch| names.extend(in_block(workflow, *branch)));
        }
        Action::Input { .. }
        | Action::Call(_)
        | Action::Loop { .. }
        | Action::Approval { .. }
        | Action::Wait { .. }
        | Action::Output => {}
    }
    match step.on_error {
        OnError::Stop => {}
        OnError::Continue => names.values_mut().for_each(Made::perhaps),
        OnError::Steps(steps) => {
            let instead = in_block(workflow, steps);
            for (name, made) in &mut names {
                if !instead.get(name).is_some_and(|other| other.is_certain) {
                    made.perhaps();
                }
            }
            for (name, mut made) in instead {
                made.perhaps();
                names.entry(name).or_insert(made);
            }
        }
    }
    if step.condition.is_some() {
        names.values_mut().for_each(Made::perhaps);
    }
    names
}

impl Made {
    /// It may be left unmade; a default stands in for it then.
    fn perhaps(&mut self) {
        self.is_certain &= self.default.is_some();
    }
}

fn own(step: &StepDefinition) -> BTreeMap<String, Made> {
    let named = step.outputs.iter().filter(|output| !output.name.is_empty());
    let of_step = |output: &crate::definition::Output| Made {
        kind: output.kind,
        step: step.id.clone(),
        line: output.place.line,
        place: Some(output.place.clone()),
        is_certain: true,
        default: output.default.clone(),
    };
    named
        .map(|output| (output.name.clone(), of_step(output)))
        .collect()
}

/// The values of a block's steps by their names.
pub(super) fn in_block(workflow: &Workflow, block: BlockId) -> BTreeMap<String, Made> {
    let steps = workflow.block(block).steps.iter();
    steps.flat_map(|step| made(workflow, step)).collect()
}

/// The values of several ways of which one is gone.
fn in_one_of(ways: Vec<BTreeMap<String, Made>>, is_complete: bool) -> BTreeMap<String, Made> {
    let count = ways.len();
    let mut met: BTreeMap<String, (Made, usize)> = BTreeMap::new();
    for (name, made) in ways.into_iter().flatten() {
        match met.get_mut(&name) {
            None => {
                met.insert(name, (made, 1));
            }
            Some((known, times)) => {
                *times += 1;
                known.is_certain &= made.is_certain;
                if known.kind != made.kind {
                    known.kind = ValueType::Any;
                }
                known.default = known.default.take().or(made.default);
            }
        }
    }
    let joined = met.into_iter().map(|(name, (mut made, times))| {
        if times < count || !is_complete {
            made.perhaps();
        }
        (name, made)
    });
    joined.collect()
}
