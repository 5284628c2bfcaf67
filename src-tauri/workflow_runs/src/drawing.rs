//! A workflow as it is listed and drawn: what it wants, its steps with what they wait for, its faults.

use crate::shelf::Shelved;
use shidi_locales::Language;
use shidi_protocol::{
    DrawnArm, DrawnArmKind, DrawnStep, ListedWorkflow, OpenRuns, WorkflowDetail, WorkflowFault,
    WorkflowParameter,
};
use shidi_workflow::{Action, BlockId, Call, Fault, OnError, Parameter, Role, StepDefinition, Workflow};

pub fn listed(
    shelved: &Shelved,
    read: &Result<Workflow, Vec<Fault>>,
    (on, open): (bool, OpenRuns),
    language: Language,
) -> ListedWorkflow {
    let problem = read.as_ref().err().and_then(|faults| faults.first());
    let (title, description, parameters) = match read {
        Ok(workflow) => (
            workflow.name.clone(),
            workflow.description.clone(),
            workflow.parameters.iter().map(parameter).collect(),
        ),
        Err(_) => (shelved.name.clone(), String::new(), Vec::new()),
    };
    ListedWorkflow {
        name: shelved.name.clone(),
        title,
        description,
        built_in: shelved.built_in,
        on: on && !shelved.built_in && read.is_ok(),
        parameters,
        problem: problem.map(|fault| fault.told(language).message),
        open,
    }
}

pub fn detail(shelved: &Shelved, stands: (bool, OpenRuns), language: Language) -> WorkflowDetail {
    let read = shelved.read();
    let workflow = listed(shelved, &read, stands, language);
    let (permissions, steps, faults) = match &read {
        Ok(workflow) => (workflow.permissions.clone(), steps(workflow), Vec::new()),
        Err(faults) => {
            let told = faults.iter().map(|one| fault(one, language));
            (Vec::new(), Vec::new(), told.collect())
        }
    };
    WorkflowDetail {
        workflow,
        text: shelved.text.clone(),
        permissions,
        steps,
        faults,
        warnings: Vec::new(),
    }
}

pub fn fault(fault: &Fault, language: Language) -> WorkflowFault {
    WorkflowFault {
        line: fault.place.line,
        column: fault.place.column,
        message: fault.problem.sentence(language),
        hint: fault.problem.remedy(language),
    }
}

pub fn parameter(parameter: &Parameter) -> WorkflowParameter {
    WorkflowParameter {
        name: parameter.name.clone(),
        kind: parameter.kind.name().to_owned(),
        description: parameter.description.clone(),
        required: parameter.default.is_none(),
        default: parameter.default.clone(),
        example: parameter.example.clone(),
    }
}

/// The steps as they are drawn, those within others after these.
pub fn steps(workflow: &Workflow) -> Vec<DrawnStep> {
    let mut drawn = Vec::new();
    add(workflow, BlockId(0), None, &mut drawn);
    drawn
}

/// Adds a block's steps, each followed by those within it.
fn add(workflow: &Workflow, block: BlockId, within: Option<(&str, u32)>, drawn: &mut Vec<DrawnStep>) {
    let block = workflow.block(block);
    for (step, before) in block.steps.iter().zip(&block.before) {
        let after = before.iter().map(|at| block.steps[*at].id.clone());
        drawn.push(DrawnStep {
            id: step.id.clone(),
            kind: step.action.kind().to_owned(),
            description: step.description.clone(),
            what: what(step),
            within: within.map(|(step, _)| step.to_owned()),
            arm: within.map_or(0, |(_, arm)| arm),
            after: after.collect(),
            when: step
                .condition
                .as_ref()
                .map(|condition| condition.text.clone())
                .unwrap_or_default(),
            arms: arms(step),
            line: step.place.line,
        });
        let handler = match step.on_error {
            OnError::Steps(steps) => Some(steps),
            OnError::Stop | OnError::Continue => None,
        };
        for (arm, inner) in (0..).zip(step.action.blocks().into_iter().chain(handler)) {
            add(workflow, inner, Some((&step.id, arm)), drawn);
        }
    }
}

/// What decides about the steps within a step, in the order of its arms. Those for an error come last.
fn arms(step: &StepDefinition) -> Vec<DrawnArm> {
    let arm = |kind: DrawnArmKind, when: &str| DrawnArm {
        kind,
        when: when.to_owned(),
    };
    let mut arms: Vec<DrawnArm> = match &step.action {
        Action::Branch { arms, otherwise } => {
            let conditions = arms
                .iter()
                .map(|one| arm(DrawnArmKind::When, &one.condition.text));
            let otherwise = otherwise.iter().map(|_| arm(DrawnArmKind::Otherwise, ""));
            conditions.chain(otherwise).collect()
        }
        Action::Loop { until, .. } => {
            let until = until.as_ref().map_or("", |until| until.text.as_str());
            vec![arm(DrawnArmKind::Round, until)]
        }
        Action::Parallel { branches } => branches.iter().map(|_| arm(DrawnArmKind::Beside, "")).collect(),
        Action::Input { .. }
        | Action::Call(_)
        | Action::Approval { .. }
        | Action::Wait { .. }
        | Action::Output => Vec::new(),
    };
    match step.on_error {
        OnError::Steps(_) => arms.push(arm(DrawnArmKind::Failed, "")),
        OnError::Stop | OnError::Continue => {}
    }
    arms
}

fn what(step: &StepDefinition) -> String {
    match &step.action {
        Action::Call(Call::Plugin { plugin }) => plugin.clone(),
        Action::Call(Call::Custom { function }) => function.clone(),
        Action::Call(Call::Tool { tool }) => tool.clone(),
        Action::Call(Call::Llm { role, .. }) => match role {
            Role::General => "general",
            Role::Fast => "fast",
            Role::Coder => "coder",
        }
        .to_owned(),
        Action::Input { .. }
        | Action::Call(Call::Code { .. })
        | Action::Branch { .. }
        | Action::Loop { .. }
        | Action::Parallel { .. }
        | Action::Approval { .. }
        | Action::Wait { .. }
        | Action::Output => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_workflow::SAMPLES;

    const STANDS: (bool, OpenRuns) = (
        true,
        OpenRuns {
            waiting: 0,
            resting: 0,
        },
    );

    #[test]
    fn every_sample_is_drawn_with_what_its_steps_wait_for() {
        for (name, text) in SAMPLES {
            let detail = detail(&Shelved::loose(name, text), STANDS, Language::SOURCE);
            assert_eq!(detail.faults, [], "{name}");
            let ids: Vec<&str> = detail.steps.iter().map(|step| step.id.as_str()).collect();
            for step in &detail.steps {
                assert!(
                    step.after.iter().all(|id| ids.contains(&id.as_str())),
                    "{name}: {step:?}"
                );
                assert!(
                    step.within.iter().all(|id| ids.contains(&id.as_str())),
                    "{name}: {step:?}"
                );
            }
        }
        let (name, text) = SAMPLES[3];
        let steps = detail(&Shelved::loose(name, text), STANDS, Language::SOURCE).steps;
        let other = steps.iter().find(|step| step.id == "unknown_order").unwrap();
        assert_eq!((other.within.as_deref(), other.arm), (Some("by_outcome"), 1));
    }

    fn arms_of<'a>(steps: &'a [DrawnStep], id: &str) -> Vec<(DrawnArmKind, &'a str)> {
        let step = steps.iter().find(|step| step.id == id).unwrap();
        let told = step.arms.iter().map(|arm| (arm.kind, arm.when.as_str()));
        told.collect()
    }

    #[test]
    fn each_arm_says_what_decides_about_its_steps() {
        let text = "version: '1.0'\nname: n\ninputs: [{name: n, type: int}]\nsteps:\n\
                    \x20 - id: choose\n    type: branch\n    if: '{n} > 3'\n\
                    \x20   then:\n      - id: many\n        type: tool\n        tool: x.y\n\
                    \x20       on_error: [{id: mend, type: tool, tool: x.z}]\n\
                    \x20   else: [{id: few, type: tool, tool: x.y, if: '{n} > 1'}]\n\
                    \x20 - id: again\n    type: loop\n    times: 3\n\
                    \x20   steps: [{id: round, type: tool, tool: x.y}]\n";
        let detail = detail(&Shelved::loose("arms", text), STANDS, Language::SOURCE);
        assert_eq!(detail.faults, []);
        let steps = &detail.steps;
        let branch = [(DrawnArmKind::When, "{n} > 3"), (DrawnArmKind::Otherwise, "")];
        assert_eq!(arms_of(steps, "choose"), branch);
        assert_eq!(arms_of(steps, "many"), [(DrawnArmKind::Failed, "")]);
        assert_eq!(arms_of(steps, "again"), [(DrawnArmKind::Round, "")]);
        let few = steps.iter().find(|step| step.id == "few").unwrap();
        assert_eq!((few.arms.len(), few.when.as_str()), (0, "{n} > 1"));
        let mend = steps.iter().find(|step| step.id == "mend").unwrap();
        assert_eq!((mend.within.as_deref(), mend.arm), (Some("many"), 0));
    }

    #[test]
    fn a_fault_has_its_line_and_remedy() {
        let detail = detail(
            &Shelved::loose("broken", "version: '1.0'\nname: n\nsteps: 3\n"),
            STANDS,
            Language::SOURCE,
        );
        assert_eq!(detail.faults[0].line, 3);
        assert!(!detail.faults[0].hint.is_empty());
        assert!(detail.workflow.problem.is_some() && !detail.workflow.on);
    }
}
