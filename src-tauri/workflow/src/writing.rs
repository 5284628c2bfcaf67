//! A workflow becomes a file again: what is written is read as the same workflow.

use crate::condition::Condition;
use crate::definition::{
    Action, BlockId, Call, OnError, Output, Over, Parameter, Retry, Role, StepDefinition, VERSION, Wait,
    Workflow,
};
use crate::limits::ROUNDS_DEFAULT;
use crate::limits::ROUNDS_MAX;
use crate::value_type::ValueType;
use serde_json::{Map, Value, json};

/// The workflow as YAML.
///
/// # Errors
/// The library's words for a value that it can't write.
pub fn text(workflow: &Workflow) -> Result<String, String> {
    serde_saphyr::to_string(&document(workflow)).map_err(|error| error.to_string())
}

/// The workflow as the tree that its file holds.
#[must_use]
pub fn document(workflow: &Workflow) -> Value {
    let mut written = Fields::default();
    written.put("version", json!(VERSION));
    written.put("name", json!(workflow.name));
    written.text("description", &workflow.description);
    let inputs = workflow.parameters.iter().filter(|parameter| !parameter.of_step);
    written.list("inputs", inputs.map(parameter).collect());
    written.list(
        "permissions",
        workflow.permissions.iter().map(|text| json!(text)).collect(),
    );
    written.put("steps", steps(workflow, BlockId(0)));
    written.done()
}

fn parameter(parameter: &Parameter) -> Value {
    let mut written = Fields::default();
    written.put("name", json!(parameter.name));
    written.kind(parameter.kind);
    written.text("description", &parameter.description);
    written.some("default", parameter.default.clone());
    written.some("example", parameter.example.clone());
    written.done()
}

fn steps(workflow: &Workflow, block: BlockId) -> Value {
    let steps = workflow.block(block).steps.iter();
    steps.map(|step| self::step(workflow, step)).collect()
}

fn step(workflow: &Workflow, step: &StepDefinition) -> Value {
    let mut written = Fields::default();
    written.put("id", json!(step.id));
    written.put("type", json!(step.action.kind()));
    written.text("description", &step.description);
    if let Some(needs) = &step.needs {
        written.put("needs", needs.iter().map(|need| json!(need.name)).collect());
    }
    written.some("if", step.condition.as_ref().map(condition));
    action(workflow, &step.action, &mut written);
    if !step.inputs.is_empty() {
        let inputs = step
            .inputs
            .iter()
            .map(|input| (input.name.clone(), input.value.written()));
        written.put("inputs", Value::Object(inputs.collect()));
    }
    written.list("outputs", step.outputs.iter().map(output).collect());
    written.some("retry", step.retry.map(retry));
    written.some("timeout", step.timeout_ms.map(duration));
    match step.on_error {
        OnError::Stop => {}
        OnError::Continue => written.put("on_error", json!("continue")),
        OnError::Steps(block) => written.put("on_error", steps(workflow, block)),
    }
    written.done()
}

fn condition(condition: &Condition) -> Value {
    json!(condition.text)
}

fn output(output: &Output) -> Value {
    let mut written = Fields::default();
    written.text("name", &output.name);
    written.kind(output.kind);
    written.text("description", &output.description);
    written.some("default", output.default.clone());
    written.some("example", output.example.clone());
    written.some(
        "value",
        output.value.as_ref().map(crate::template::Template::written),
    );
    written.done()
}

fn retry(retry: Retry) -> Value {
    json!({"times": retry.times, "wait": duration(retry.wait_ms), "factor": retry.factor})
}

/// The largest unit that says it exactly.
fn duration(milliseconds: u64) -> Value {
    let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)];
    let unit = units
        .into_iter()
        .find(|(_, unit)| milliseconds > 0 && milliseconds.is_multiple_of(*unit));
    match unit {
        Some((name, unit)) => json!(format!("{}{name}", milliseconds / unit)),
        None => json!(format!("{milliseconds}ms")),
    }
}

fn action(workflow: &Workflow, action: &Action, written: &mut Fields) {
    let block = |block: BlockId| steps(workflow, block);
    match action {
        Action::Input { example, description } => {
            let mut asked = Fields::default();
            asked.text("description", description);
            asked.some("example", example.clone());
            written.some("input", Some(asked.done()).filter(|asked| *asked != json!({})));
        }
        Action::Call(called) => call(called, written),
        Action::Branch { arms, otherwise } => {
            match arms.as_slice() {
                [arm] => {
                    written.put("if", condition(&arm.condition));
                    written.put("then", block(arm.steps));
                }
                arms => {
                    let cases = arms.iter();
                    let cases = cases.map(|arm| json!({"if": arm.condition.text, "steps": block(arm.steps)}));
                    written.put("cases", cases.collect());
                }
            }
            written.some("else", otherwise.map(block));
        }
        Action::Loop {
            over,
            item,
            until,
            max_rounds,
            steps,
        } => {
            let usual = match over {
                Over::Each(each) => {
                    written.put("each", each.written());
                    ROUNDS_MAX
                }
                Over::Times(times) => {
                    written.put("times", json!(times));
                    ROUNDS_MAX
                }
                Over::Open => ROUNDS_DEFAULT,
            };
            written.some("as", item.as_ref().map(|item| json!(item)));
            written.some("until", until.as_ref().map(condition));
            written.some("max_rounds", (*max_rounds != usual).then(|| json!(max_rounds)));
            written.put("steps", block(*steps));
        }
        Action::Parallel { branches } => {
            written.put("branches", branches.iter().map(|branch| block(*branch)).collect());
        }
        Action::Approval { message } => written.put("message", message.written()),
        Action::Wait {
            wait: Wait::For(time_ms),
        } => written.put("for", duration(*time_ms)),
        Action::Wait {
            wait: Wait::Until(until),
        } => written.put("until", until.written()),
        Action::Output => {}
    }
}

fn call(call: &Call, written: &mut Fields) {
    match call {
        Call::Plugin { plugin } => written.put("plugin", json!(plugin)),
        Call::Custom { function } => written.put("function", json!(function)),
        Call::Tool { tool } => written.put("tool", json!(tool)),
        Call::Code { program } => written.put("code", json!(program)),
        Call::Llm { prompt, system, role } => {
            match role {
                Role::General => {}
                Role::Fast => written.put("model", json!("fast")),
                Role::Coder => written.put("model", json!("coder")),
            }
            written.some("system", system.as_ref().map(crate::template::Template::written));
            written.put("prompt", prompt.written());
        }
    }
}

/// Keys in their order, without those that say nothing.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, key: &str, value: Value) {
        self.0.insert(key.to_owned(), value);
    }

    fn some(&mut self, key: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.put(key, json!(text));
        }
    }

    fn list(&mut self, key: &str, items: Vec<Value>) {
        if !items.is_empty() {
            self.put(key, Value::Array(items));
        }
    }

    fn kind(&mut self, kind: ValueType) {
        if kind != ValueType::Any {
            self.put("type", json!(kind.name()));
        }
    }

    fn done(self) -> Value {
        Value::Object(self.0)
    }
}
