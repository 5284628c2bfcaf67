//! What a run would do, step by step: a dry run of the engine, of which nothing is kept.

use crate::Workflows;
use crate::limits::PLAN_LETTERS;
use crate::records;
use crate::starting::unfit;
use shidi_locales::Language;
use shidi_protocol::{JsonMap, PlannedStep, UserError, WorkflowPlan};
use shidi_workflow::{Effect, Event, Mode, Record, Run, What, Workflow};

impl Workflows {
    /// What a run of the workflow of that name would do with these values.
    pub(crate) fn plan(&self, name: &str, inputs: JsonMap) -> Result<WorkflowPlan, UserError> {
        let shelved = self.shelf().named(name)?;
        let workflow = shelved.read().map_err(|faults| self.first(&faults))?;
        of(&workflow, inputs, self.space.language())
    }
}

fn of(workflow: &Workflow, inputs: JsonMap, language: Language) -> Result<WorkflowPlan, UserError> {
    let run = Run::new(workflow, Mode::Dry, inputs, "");
    let mut run = run.map_err(|faults| unfit(&faults, language))?;
    let turn = run.handle(workflow, Event::Started, 0);
    let mut steps: Vec<PlannedStep> = Vec::new();
    for effect in turn.effects {
        if let Effect::Tell(record) = effect {
            add(&mut steps, record, language);
        }
    }
    Ok(WorkflowPlan {
        steps,
        error: records::failure(&run, language),
    })
}

/// A step's record; what it leaves belongs to the line that tells what it does.
fn add(steps: &mut Vec<PlannedStep>, record: Record, language: Language) {
    let told = record.planned(language, PLAN_LETTERS);
    let outputs = if let What::Done { outputs } = record.what {
        outputs
    } else {
        JsonMap::new()
    };
    if told.is_none() && outputs.is_empty() {
        return;
    }
    let (id, rounds) = (record.step, record.rounds);
    let mut before = steps.iter_mut().rev();
    let known = before.find(|step| step.id == id && step.rounds == rounds && step.outputs.is_empty());
    match (told, known) {
        (None, Some(known)) => known.outputs = outputs,
        (told, _) => steps.push(PlannedStep {
            id,
            rounds,
            told: told.unwrap_or_default(),
            outputs,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shelf::Shelved;
    use serde_json::json;
    use shidi_workflow::SAMPLES;

    fn workflow(text: &str) -> Workflow {
        Shelved::loose("tried", text).read().unwrap()
    }

    #[test]
    fn every_sample_is_told_step_by_step_without_a_value_being_given() {
        for (name, text) in SAMPLES {
            let plan = of(&workflow(text), JsonMap::new(), Language::SOURCE).unwrap();
            assert_eq!(plan.error, None, "{name}");
            assert!(plan.steps.iter().any(|step| !step.told.is_empty()), "{name}");
        }
    }

    #[test]
    fn a_step_is_told_with_its_values_and_what_it_leaves_in_one_place() {
        let text = "version: '1.0'\nname: n\ninputs: [{name: to, type: str}]\nsteps:\n\
                    \x20 - {id: send, type: tool, tool: sms.send, inputs: {to: '{to}'}, output: {name: sent, example: yes}}\n\
                    \x20 - {id: told, type: output, inputs: {sent: '{sent}'}}\n";
        let mut inputs = JsonMap::new();
        inputs.insert("to".to_owned(), json!("555"));
        let plan = of(&workflow(text), inputs, Language::SOURCE).unwrap();
        let send = &plan.steps[0];
        assert_eq!(send.told, "send: sms.send(to=\"555\")");
        assert!(send.outputs.contains_key("sent"), "{send:?}");
        assert_eq!(plan.steps.len(), 1, "what only gives values on does nothing");
    }
}
