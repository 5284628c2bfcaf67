//! Which steps come before which: those that a step needs by name, those whose values it uses, and, where it names none, the
//! one above it.

use super::{Scope, own_names};
use crate::definition::{BlockId, OnError, StepDefinition, Workflow};
use crate::problem::{Fault, Problem};
use crate::template::Reference;
use std::collections::{BTreeMap, BTreeSet};

/// For each step those that come before it.
///
/// # Errors
/// A step that is needed and not there, and steps that wait for one another.
pub fn before(
    workflow: &Workflow,
    steps: &[StepDefinition],
    makes: &[Scope],
) -> Result<Vec<Vec<usize>>, Fault> {
    let numbers: BTreeMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(n, step)| (step.id.as_str(), n))
        .collect();
    let makers: BTreeMap<&str, usize> = makes
        .iter()
        .enumerate()
        .flat_map(|(number, makes)| makes.keys().map(move |name| (name.as_str(), number)))
        .collect();
    let mut before = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let mut earlier = BTreeSet::new();
        match &step.needs {
            Some(needs) => {
                for need in needs {
                    let known = || steps.iter().map(|step| step.id.clone()).collect();
                    let problem = || Problem::UnknownStep {
                        name: need.name.clone(),
                        known: known(),
                    };
                    let found = numbers.get(need.name.as_str());
                    earlier.insert(*found.ok_or_else(|| Fault::new(&need.place, problem()))?);
                }
            }
            None => earlier.extend(number.checked_sub(1)),
        }
        for reference in used(workflow, step) {
            // A step's own values are those that steps within it make.
            earlier.extend(
                makers
                    .get(reference.name.as_str())
                    .filter(|maker| **maker != number),
            );
        }
        before.push(earlier.into_iter().collect::<Vec<usize>>());
    }
    match circle(&before) {
        None => Ok(before),
        Some(circle) => Err(told(workflow, steps, &makers, &circle)),
    }
}

/// All steps that come before each, directly or by others. The steps are in no circle.
pub fn ancestors(before: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    let mut found: Vec<Option<BTreeSet<usize>>> = vec![None; before.len()];
    while found.iter().any(Option::is_none) {
        for step in 0..before.len() {
            let is_ready = before[step].iter().all(|earlier| found[*earlier].is_some());
            if found[step].is_none() && is_ready {
                let mut all: BTreeSet<usize> = before[step].iter().copied().collect();
                for earlier in &before[step] {
                    all.extend(found[*earlier].iter().flatten().copied());
                }
                found[step] = Some(all);
            }
        }
    }
    found.into_iter().map(Option::unwrap_or_default).collect()
}

/// References of a step and of all steps within it, apart from names that it gives itself.
fn used<'a>(workflow: &'a Workflow, step: &'a StepDefinition) -> Vec<&'a Reference> {
    let own = own_names(step);
    let mut found = step.references();
    found.retain(|reference| !own.contains(reference.name.as_str()));
    let mut blocks: Vec<BlockId> = step.action.blocks();
    if let OnError::Steps(steps) = step.on_error {
        blocks.push(steps);
    }
    for block in blocks {
        for inner in &workflow.block(block).steps {
            found.extend(used(workflow, inner));
        }
    }
    found
}

/// Steps of which each waits for the one before it in the list, and the first for the last.
fn circle(before: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut left: BTreeSet<usize> = (0..before.len()).collect();
    loop {
        let ready: Vec<usize> = left
            .iter()
            .copied()
            .filter(|step| before[*step].iter().all(|earlier| !left.contains(earlier)))
            .collect();
        if ready.is_empty() {
            break;
        }
        ready.iter().for_each(|step| {
            left.remove(step);
        });
    }
    // Each of those that are left waits for another one that is left: going back comes round.
    let (mut way, mut at) = (Vec::new(), *left.first()?);
    loop {
        if let Some(start) = way.iter().position(|seen| *seen == at) {
            way.drain(..start);
            way.reverse();
            return Some(way);
        }
        way.push(at);
        at = *before[at].iter().find(|earlier| left.contains(earlier))?;
    }
}

/// A value that is used above the step that makes it is told as that; any other circle by its steps.
fn told(
    workflow: &Workflow,
    steps: &[StepDefinition],
    makers: &BTreeMap<&str, usize>,
    circle: &[usize],
) -> Fault {
    for number in circle {
        for reference in used(workflow, &steps[*number]) {
            let maker = makers.get(reference.name.as_str()).copied();
            if let Some(maker) = maker.filter(|maker| maker > number && circle.contains(maker)) {
                let name = reference.name.clone();
                let step = steps[maker].id.clone();
                return Fault::new(&reference.place, Problem::UsedBeforeMade { name, step });
            }
        }
    }
    let names = circle.iter().map(|number| steps[*number].id.clone()).collect();
    let first = circle
        .iter()
        .map(|number| &steps[*number])
        .min_by_key(|step| step.place.line);
    let place = first.map_or(&steps[0].place, |step| &step.place);
    Fault::new(place, Problem::Cycle(names))
}
