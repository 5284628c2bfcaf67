//! The whole of a workflow is checked before anything runs: names, their order, their types, and what nothing leads to.

mod made;
mod order;

pub use made::{Made, made};

use made::in_block;

use crate::definition::{Action, BlockId, Call, OnError, Over, StepDefinition, Wait, Workflow};
use crate::problem::{Example, Fault, Problem, Wanted};
use crate::template::{Reference, Template};
use crate::time::moment;
use crate::value_type::ValueType;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Names that may be used at a place.
type Scope = BTreeMap<String, Made>;

/// Checks a workflow, and puts down for each step which others come before it.
pub fn validate(workflow: &mut Workflow) -> Vec<Fault> {
    let mut validation = Validation {
        workflow: &*workflow,
        faults: Vec::new(),
        before: vec![Vec::new(); workflow.blocks.len()],
    };
    let scope = validation.given();
    validation.ids();
    validation.block(BlockId(0), &scope);
    let Validation { faults, before, .. } = validation;
    for (block, before) in workflow.blocks.iter_mut().zip(before) {
        block.before = before;
    }
    faults
}

struct Validation<'a> {
    workflow: &'a Workflow,
    faults: Vec<Fault>,
    before: Vec<Vec<Vec<usize>>>,
}

impl Validation<'_> {
    /// What a run is given.
    fn given(&mut self) -> Scope {
        let mut scope = Scope::new();
        scope.insert("dialogue".to_owned(), Made::by_engine(ValueType::Text));
        let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
        for parameter in &self.workflow.parameters {
            if let Some(line) = lines.insert(&parameter.name, parameter.place.line) {
                let name = parameter.name.clone();
                self.faults
                    .push(Fault::new(&parameter.place, Problem::NameTaken { name, line }));
            }
            if !parameter.of_step {
                let mut made = Made::by_engine(parameter.kind);
                made.line = parameter.place.line;
                scope.insert(parameter.name.clone(), made);
            }
        }
        scope
    }

    fn ids(&mut self) {
        let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
        let mut steps: Vec<&StepDefinition> = self.workflow.steps().collect();
        steps.sort_by_key(|step| step.place.line);
        for step in steps {
            if let Some(line) = lines.insert(&step.id, step.place.line) {
                let name = step.id.clone();
                self.faults
                    .push(Fault::new(&step.place, Problem::NameTaken { name, line }));
            }
        }
    }

    fn block(&mut self, id: BlockId, scope: &Scope) {
        let workflow = self.workflow;
        let steps = &workflow.block(id).steps;
        let makes: Vec<Scope> = steps.iter().map(|step| made(workflow, step)).collect();
        self.names_once(steps, &makes, scope);
        let before = match order::before(workflow, steps, &makes) {
            Ok(before) => before,
            Err(fault) => {
                self.faults.push(fault);
                return;
            }
        };
        for (step, ancestors) in steps.iter().zip(order::ancestors(&before)) {
            let mut known = scope.clone();
            for earlier in ancestors {
                known.extend(makes[earlier].clone());
            }
            self.step(step, &known);
        }
        self.before[id.0] = before;
    }

    /// No two steps make a value of the same name, and none makes one that is there already.
    fn names_once(&mut self, steps: &[StepDefinition], makes: &[Scope], scope: &Scope) {
        let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
        for (step, makes) in steps.iter().zip(makes) {
            for (name, made) in makes {
                let line = match scope.get(name) {
                    Some(outer) => Some(outer.line),
                    None => lines.get(name.as_str()).copied(),
                };
                if let Some(line) = line {
                    let problem = Problem::NameTaken {
                        name: name.clone(),
                        line,
                    };
                    self.faults
                        .push(Fault::new(made.place.as_ref().unwrap_or(&step.place), problem));
                }
                lines.insert(name, made.line);
            }
        }
    }

    fn step(&mut self, step: &StepDefinition, scope: &Scope) {
        let own = own_names(step);
        for reference in step.references() {
            if !own.contains(reference.name.as_str()) {
                self.reference(reference, scope);
            }
        }
        if let Some(condition) = &step.condition
            && condition.constant() == Some(false)
        {
            self.unreachable(step);
        }
        self.shape(step, scope);
        self.within(step, scope);
        if let OnError::Steps(steps) = step.on_error {
            let mut inner = scope.clone();
            inner.insert("error".to_owned(), Made::by_engine(ValueType::Map));
            self.block(steps, &inner);
        }
    }

    /// What each type of step must have.
    fn shape(&mut self, step: &StepDefinition, scope: &Scope) {
        let missing = || Problem::MissingOutput(step.action.kind().to_owned());
        match &step.action {
            Action::Input { .. } | Action::Call(Call::Llm { .. }) if step.outputs.is_empty() => {
                self.faults.push(Fault::new(&step.place, missing()));
            }
            Action::Output if step.inputs.is_empty() => {
                let problem = Problem::Missing {
                    key: "inputs",
                    example: Example::Inputs,
                };
                self.faults.push(Fault::new(&step.place, problem));
            }
            Action::Approval { .. } => {
                for output in &step.outputs {
                    self.takes(output.kind, ValueType::Flag, &output.place);
                }
            }
            Action::Wait {
                wait: Wait::Until(Template::Literal(time)),
            } if moment(time).is_none() => {
                self.faults
                    .push(Fault::new(&step.place, Problem::Wants(Wanted::Time)));
            }
            Action::Loop {
                over: Over::Each(each),
                ..
            } => {
                let kind = match each {
                    Template::Literal(Value::Array(_)) | Template::List(_) => ValueType::List,
                    Template::Literal(_) | Template::Map(_) => ValueType::Map,
                    Template::Text(_) => ValueType::Text,
                    Template::Whole(reference) => kind_of(reference, scope),
                };
                self.takes(ValueType::List, kind, &step.place);
            }
            Action::Input { .. }
            | Action::Call(_)
            | Action::Branch { .. }
            | Action::Loop { .. }
            | Action::Parallel { .. }
            | Action::Wait { .. }
            | Action::Output => {}
        }
    }

    fn takes(&mut self, wanted: ValueType, found: ValueType, place: &shidi_yaml::Place) {
        if !wanted.takes(found) {
            self.faults
                .push(Fault::new(place, Problem::WrongType { wanted, found }));
        }
    }

    /// The blocks of a step, each with the names that it may use.
    fn within(&mut self, step: &StepDefinition, scope: &Scope) {
        match &step.action {
            Action::Branch { arms, otherwise } => {
                let mut is_decided = false;
                for arm in arms {
                    let constant = arm.condition.constant();
                    if is_decided || constant == Some(false) {
                        self.unreachable_block(arm.steps);
                    }
                    is_decided |= constant == Some(true);
                    self.block(arm.steps, scope);
                }
                if let Some(otherwise) = otherwise {
                    if is_decided {
                        self.unreachable_block(*otherwise);
                    }
                    self.block(*otherwise, scope);
                }
            }
            Action::Parallel { branches } => {
                self.branches_apart(step, branches);
                branches.iter().for_each(|branch| self.block(*branch, scope));
            }
            Action::Loop {
                over,
                item,
                until,
                steps,
                max_rounds: _,
            } => {
                let is_empty = match over {
                    Over::Times(0) => true,
                    Over::Each(Template::Literal(Value::Array(items))) => items.is_empty(),
                    Over::Each(_) | Over::Times(_) | Over::Open => false,
                };
                if is_empty {
                    self.unreachable_block(*steps);
                }
                let mut inner = scope.clone();
                self.item(step, over, item.as_deref(), &mut inner);
                self.block(*steps, &inner);
                for made_in_round in &self.workflow.block(*steps).steps {
                    inner.extend(made(self.workflow, made_in_round));
                }
                let told = step.outputs.iter().filter_map(|output| output.value.as_ref());
                let mut references = Vec::new();
                told.for_each(|value| value.references(&mut references));
                references.extend(until.iter().flat_map(|until| &until.references));
                for reference in references {
                    self.reference(reference, &inner);
                }
                self.loop_outputs(step, &inner);
            }
            Action::Input { .. }
            | Action::Call(_)
            | Action::Approval { .. }
            | Action::Wait { .. }
            | Action::Output => {}
        }
    }

    /// No two branches make a value of the same name: either may come last.
    fn branches_apart(&mut self, step: &StepDefinition, branches: &[BlockId]) {
        let makes: Vec<Scope> = branches
            .iter()
            .map(|branch| in_block(self.workflow, *branch))
            .collect();
        for (number, made) in makes.iter().enumerate() {
            let others = makes[..number].iter();
            for (name, made) in made {
                if let Some(other) = others.clone().find_map(|other| other.get(name)) {
                    let problem = Problem::NameTaken {
                        name: name.clone(),
                        line: other.line,
                    };
                    self.faults
                        .push(Fault::new(made.place.as_ref().unwrap_or(&step.place), problem));
                }
            }
        }
    }

    fn item(&mut self, step: &StepDefinition, over: &Over, item: Option<&str>, inner: &mut Scope) {
        let Some(item) = item else { return };
        if let Some(taken) = inner.get(item) {
            let problem = Problem::NameTaken {
                name: item.to_owned(),
                line: taken.line,
            };
            self.faults.push(Fault::new(&step.place, problem));
        }
        let kind = match over {
            Over::Each(_) => ValueType::Any,
            Over::Times(_) | Over::Open => ValueType::Whole,
        };
        let mut made = Made::by_engine(kind);
        made.line = step.place.line;
        inner.insert(item.to_owned(), made);
    }

    /// A list takes the values of all rounds; anything else is the last round's.
    fn loop_outputs(&mut self, step: &StepDefinition, inner: &Scope) {
        for output in step
            .outputs
            .iter()
            .filter(|output| output.kind != ValueType::List)
        {
            if let Some(Template::Whole(reference)) = &output.value {
                self.takes(output.kind, kind_of(reference, inner), &output.place);
            }
        }
    }

    fn reference(&mut self, reference: &Reference, scope: &Scope) {
        let name = reference.name.clone();
        let problem = match scope.get(&name) {
            None => Problem::UnknownName {
                name,
                known: scope.keys().cloned().collect(),
            },
            Some(made) if !made.is_certain => Problem::MaybeMissing {
                name,
                step: made.step.clone(),
            },
            Some(made) if !reference.path.is_empty() && !made.kind.has_parts() => Problem::NoParts {
                name,
                kind: made.kind,
            },
            Some(_) => return,
        };
        self.faults.push(Fault::new(&reference.place, problem));
    }

    fn unreachable(&mut self, step: &StepDefinition) {
        self.faults
            .push(Fault::new(&step.place, Problem::Unreachable(step.id.clone())));
    }

    fn unreachable_block(&mut self, block: BlockId) {
        if let Some(first) = self.workflow.block(block).steps.first() {
            self.unreachable(first);
        }
    }
}

/// Names that a step gives itself: a prompt uses the step's own inputs.
fn own_names(step: &StepDefinition) -> BTreeSet<&str> {
    match step.action {
        Action::Call(Call::Llm { .. }) => step.inputs.iter().map(|input| input.name.as_str()).collect(),
        _ => BTreeSet::new(),
    }
}

fn kind_of(reference: &Reference, scope: &Scope) -> ValueType {
    let whole = reference.path.is_empty();
    let made = scope.get(&reference.name).filter(|_| whole);
    made.map_or(ValueType::Any, |made| made.kind)
}
