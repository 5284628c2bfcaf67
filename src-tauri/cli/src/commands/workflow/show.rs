//! Workflows, their faults and their runs as people and programs read them.

use crate::commands::session::local;
use crate::console::{Console, Look};
use crate::failure::Failure;
use crate::follow::cards::clean;
use serde::Serialize;
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_protocol::{
    ListedWorkflow, WorkflowRunView, WorkflowStatus, WorkflowStepState, WorkflowStepView, reply,
};
use shidi_workflow::{Effect, Fault, Record, Run, What, Workflow, in_a_line};

/// Letters of a value within a line.
const VALUE_LETTERS: usize = 60;

pub fn listed(workflows: &[ListedWorkflow], console: &Console) -> Result<(), Failure> {
    workflows.iter().try_for_each(|workflow| one(workflow, console))
}

fn one(workflow: &ListedWorkflow, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({
            "name": workflow.name, "title": workflow.title, "description": workflow.description,
            "built_in": workflow.built_in, "on": workflow.on, "error": workflow.problem,
        }));
    }
    let say = console.words.language().workflow();
    let about = match &workflow.problem {
        None => workflow.description.clone(),
        Some(problem) => console.painted(Look::Bad, problem),
    };
    let name = console.painted(Look::Strong, &workflow.name);
    let origin = match (workflow.built_in, workflow.on) {
        (true, _) => console.painted(Look::Dim, say.comes_along()),
        (false, true) => String::new(),
        (false, false) => console.painted(Look::Dim, say.is_off()),
    };
    console.line(format!("{name}  {about}  {origin}").trim_end())
}

pub fn fault(fault: &Fault, language: Language, console: &Console) -> Result<(), Failure> {
    let error = fault.told(language);
    let hint = error.hint.unwrap_or_default();
    if console.is_json() {
        return console.json(&json!({
            "type": "fault", "file": fault.place.file.as_ref(), "line": fault.place.line, "column": fault.place.column,
            "message": fault.problem.sentence(language), "hint": hint,
        }));
    }
    console.line(&console.painted(Look::Bad, &error.message))?;
    console.line(&format!("  {}", console.painted(Look::Plain, &hint)))
}

pub fn valid(file: &str, workflow: &Workflow, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console
            .json(&json!({"type": "workflow", "name": workflow.name, "steps": workflow.steps().count()}));
    }
    let say = console.words.language().workflow();
    let line = say.is_valid(file, &workflow.name);
    console.line(&format!(
        "{} {}",
        console.painted(Look::Good, "✓"),
        console.painted(Look::Plain, &line)
    ))
}

/// What a dry run tells of a step.
pub fn effect(effect: &Effect, language: Language, console: &Console) -> Result<(), Failure> {
    let Effect::Tell(record) = effect else {
        return Ok(());
    };
    if console.is_json() {
        let mut value = serde_json::to_value(record).unwrap_or(Value::Null);
        if let Value::Object(map) = &mut value {
            map.insert("type".to_owned(), json!("step"));
        }
        return console.json(&value);
    }
    match line(record, language) {
        Some(line) => console.line(&console.painted(Look::Plain, &line)),
        None => Ok(()),
    }
}

/// The end of a run, for programs.
pub fn ended(run: &Run, console: &Console) -> Result<(), Failure> {
    let mut value = serde_json::to_value(&run.status).unwrap_or(Value::Null);
    if let Value::Object(map) = &mut value {
        map.insert("type".to_owned(), json!("run_ended"));
        map.insert("result".to_owned(), json!(run.result));
    }
    console.json(&value)
}

/// A record as a line; what stands in another line already says nothing.
fn line(record: &Record, language: Language) -> Option<String> {
    if let What::Done { outputs } = &record.what {
        return (!outputs.is_empty()).then(|| format!("  = {}", in_a_line(outputs, VALUE_LETTERS)));
    }
    record.planned(language, VALUE_LETTERS)
}

/// What an import holds and may do, and what of it was left out.
pub fn imported(imported: &reply::WorkflowImported, console: &Console) -> Result<(), Failure> {
    let reply::WorkflowImported {
        workflow,
        source,
        new,
        left_out,
    } = imported;
    let name = &workflow.workflow.name;
    if console.is_json() {
        let left_out = left_out.iter().map(|fault| &fault.message);
        return console.json(&json!({
            "type": "imported", "name": name, "new": new, "source": source, "workflow": workflow,
            "left_out": left_out.collect::<Vec<_>>(),
        }));
    }
    let say = console.words.language().workflow();
    let line = match new {
        true => say.kept_as(name),
        false => say.already_there(name),
    };
    console.line(&console.painted(Look::Plain, &line))?;
    for step in &workflow.steps {
        let about = format!("  {} ({}) {}", step.id, step.kind, step.description);
        console.line(&console.painted(Look::Plain, about.trim_end()))?;
    }
    for permission in &workflow.permissions {
        console.line(&console.painted(Look::Plain, &say.may_do(permission)))?;
    }
    for fault in left_out {
        let message = format!("{}:{}: {}", fault.line, fault.column, fault.message);
        console.line(&console.painted(Look::Bad, &message))?;
        console.line(&format!("  {}", console.painted(Look::Plain, &fault.hint)))?;
    }
    Ok(())
}

/// What has become of a step.
pub fn step(step: &WorkflowStepView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&typed("step", step));
    }
    let line = step_line(step, console);
    line.map_or(Ok(()), |line| console.line(&line))
}

/// A step as a line; one that was only asked for says nothing.
fn step_line(step: &WorkflowStepView, console: &Console) -> Option<String> {
    let (mark, look) = match step.state {
        WorkflowStepState::Asked => return None,
        WorkflowStepState::Begun => ("▸", Look::Dim),
        WorkflowStepState::Done => ("✓", Look::Good),
        WorkflowStepState::Skipped => ("-", Look::Dim),
        WorkflowStepState::Failed => ("✗", Look::Bad),
        WorkflowStepState::Retrying => ("↻", Look::Strong),
        WorkflowStepState::Uncertain => ("?", Look::Strong),
        WorkflowStepState::Cancelled => ("■", Look::Dim),
    };
    let rounds: Vec<String> = step.rounds.iter().map(|round| format!("[{round}]")).collect();
    let told = match (&step.reason, step.state) {
        (_, WorkflowStepState::Cancelled) => console.words.language().workflow().run_cancelled().to_owned(),
        (Some(reason), _) => clean(reason),
        (None, _) => in_a_line(&step.outputs, VALUE_LETTERS),
    };
    let name = format!("{}{}", clean(&step.id), rounds.concat());
    Some(
        format!("{} {name}  {told}", console.painted(look, mark))
            .trim_end()
            .to_owned(),
    )
}

/// What a run came to, or how it stands.
pub fn result(run: &WorkflowRunView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&typed("workflow_run", run));
    }
    if let Some(error) = &run.error {
        console.line(&console.painted(Look::Bad, &clean(&error.message)))?;
        if let Some(hint) = &error.hint {
            console.hint(&clean(hint));
        }
        return Ok(());
    }
    for (name, value) in &run.result {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        console.line(&format!(
            "{}: {}",
            console.painted(Look::Strong, name),
            clean(&value)
        ))?;
    }
    Ok(())
}

/// A run with its steps.
pub fn run(run: &WorkflowRunView, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&typed("workflow_run", run));
    }
    runs(std::slice::from_ref(run), console)?;
    for line in run.steps.iter().filter_map(|step| step_line(step, console)) {
        console.line(&line)?;
    }
    result(run, console)?;
    uncertain(run, console);
    if run.decided {
        console.hint(&goes_on(run));
    }
    Ok(())
}

/// The command that goes on with a run about which somebody has decided. One that a program called goes on with that.
fn goes_on(run: &WorkflowRunView) -> String {
    match &run.by {
        Some(by) => format!("shidi resume {by}"),
        None => format!("shidi workflow resume {}", run.run),
    }
}

pub fn runs(runs: &[WorkflowRunView], console: &Console) -> Result<(), Failure> {
    for run in runs {
        if console.is_json() {
            console.json(&typed("workflow_run", run))?;
            continue;
        }
        let status = status(run, console.words.language());
        let name = console.painted(Look::Strong, &run.name);
        console.line(&format!("{}  {name}  {status}  {}", run.run, local(run.started)))?;
    }
    Ok(())
}

/// How a run stands, in a word or two.
pub fn status(run: &WorkflowRunView, language: Language) -> &'static str {
    let say = language.workflow();
    match run.status {
        WorkflowStatus::Running => say.run_at_work(),
        WorkflowStatus::Waiting => say.run_waits(),
        WorkflowStatus::Resting if run.decided => say.run_decided(),
        WorkflowStatus::Resting => say.run_rests(),
        WorkflowStatus::Done => say.run_done(),
        WorkflowStatus::Failed => say.run_failed(),
        WorkflowStatus::Cancelled => say.run_cancelled(),
    }
}

/// Runs in a list: a failed one says why, as that a person refused a step. One about which somebody has decided names the
/// command that goes on with it.
pub fn listed_runs(all: &[WorkflowRunView], console: &Console) -> Result<(), Failure> {
    for run in all {
        runs(std::slice::from_ref(run), console)?;
        if let Some(error) = run.error.as_ref().filter(|_| !console.is_json()) {
            console.line(&console.painted(Look::Dim, &format!("   {}", clean(&error.message))))?;
        }
        if run.decided && !console.is_json() {
            console.line(&console.painted(Look::Dim, &format!("   {}", goes_on(run))))?;
        }
    }
    Ok(())
}

/// The steps of which nobody knows whether they happened, and how to say it.
pub fn uncertain(run: &WorkflowRunView, console: &Console) {
    let steps = run
        .steps
        .iter()
        .filter(|step| step.state == WorkflowStepState::Uncertain);
    for step in steps {
        let said = console.words.language().workflow_runs().end_unknown();
        console.note(Look::Strong, &format!("{}: {said}", clean(&step.id)));
        let attempt = step.attempt.unwrap_or_default();
        console.hint(&format!(
            "shidi workflow settle {} {attempt} --happened VALUE | --not-happened | --give-up",
            run.run
        ));
    }
}

fn typed(kind: &str, value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or(Value::Null);
    if let Value::Object(map) = &mut value {
        map.insert("type".to_owned(), json!(kind));
    }
    value
}
