//! Calls that steps name: their tools, and the arguments that they give.

use super::{AvailableTools, Remark, Trouble, near_tool};
use crate::program::{Meant, QUERY, Unwritten, argument_of_query, defined, defines, meant, parts};
use serde_json::Value;
use shidi_protocol::{MethodSpec, ParameterSpec};
use shidi_workflow::{Action, Binding, Call, StepDefinition, Template, Workflow, nearest, plugin_with};

/// What of the calls of a workflow can't work.
pub fn remarks(workflow: &Workflow, functions: Option<&str>, known: &AvailableTools<'_>) -> Vec<Remark> {
    let mut looking = Looking {
        functions,
        known,
        remarks: Vec::new(),
    };
    for step in workflow.steps() {
        if let Action::Call(call) = &step.action {
            looking.call(step, call);
        }
    }
    looking.remarks
}

struct Looking<'a> {
    functions: Option<&'a str>,
    known: &'a AvailableTools<'a>,
    remarks: Vec<Remark>,
}

impl Looking<'_> {
    fn call(&mut self, step: &StepDefinition, call: &Call) {
        match call {
            Call::Tool { tool } => self.tool(step, tool, |name| name),
            Call::Plugin { plugin } => self.plugin(step, plugin),
            Call::Custom { function } => {
                let is_there = self.functions.is_some_and(|text| defines(text, function));
                if !is_there {
                    let known = self
                        .functions
                        .map(|text| defined(text).map(str::to_owned).collect());
                    let function = function.clone();
                    self.remark(step, Trouble::NoFunction { function, known });
                }
            }
            Call::Code { .. } | Call::Llm { .. } => {}
        }
    }

    fn remark(&mut self, step: &StepDefinition, trouble: Trouble) {
        self.remarks.push(Remark::new(&step.id, &step.called, trouble));
    }

    fn plugin(&mut self, step: &StepDefinition, plugin: &str) {
        match meant(plugin, self.functions, self.known.toolkits) {
            Ok(Meant::Function) => {}
            Ok(Meant::Query) => self.tool(step, &format!("{}.{}", QUERY.0, QUERY.1), argument_of_query),
            Ok(Meant::Tool(tool)) => self.tool(step, &tool, |name| name),
            Err(Unwritten::Ambiguous { plugin, toolkits }) => {
                self.remark(step, Trouble::Ambiguous { plugin, toolkits });
            }
            Err(Unwritten::NoPlugin(_) | Unwritten::NoTool(_) | Unwritten::NoFunction(_)) => {
                let own = self.functions.into_iter().flat_map(defined);
                let toolkits = self.known.toolkits.iter();
                let methods = toolkits.flat_map(|toolkit| &toolkit.methods);
                let names = own.chain(methods.map(|method| method.name.as_str()));
                // The name of a tool that comes with a plugin is no slip of the pen.
                let is_known = plugin_with(plugin).is_some();
                let near = nearest(plugin, names).filter(|_| !is_known).map(str::to_owned);
                let plugin = plugin.to_owned();
                self.remark(step, Trouble::NoPlugin { plugin, near });
            }
        }
    }

    fn tool(&mut self, step: &StepDefinition, tool: &str, ours: impl Fn(&str) -> &str) {
        let Some((toolkit, method)) = parts(tool) else {
            return self.remark(step, Trouble::NoTool(tool.to_owned()));
        };
        let mut toolkits = self.known.toolkits.iter();
        let Some(spec) = toolkits.find(|spec| spec.name == toolkit) else {
            let near = near_tool(toolkit, method, self.known.toolkits);
            let toolkit = toolkit.to_owned();
            return self.remark(step, Trouble::NoToolkit { toolkit, near });
        };
        let Some(found) = spec.method(method) else {
            let known = spec.methods.iter().map(|method| method.name.clone());
            let trouble = Trouble::NoMethod {
                toolkit: toolkit.to_owned(),
                method: method.to_owned(),
                known: known.collect(),
            };
            return self.remark(step, trouble);
        };
        if !(self.known.is_on)(toolkit, method) {
            self.remark(step, Trouble::Off(tool.to_owned()));
        }
        self.arguments(step, (tool, found), ours);
    }

    fn arguments(
        &mut self,
        step: &StepDefinition,
        (tool, method): (&str, &MethodSpec),
        ours: impl Fn(&str) -> &str,
    ) {
        let names = || method.parameters.iter().map(|parameter| parameter.name.clone());
        for binding in &step.inputs {
            let name = ours(&binding.name);
            let parameter = method.parameters.iter().find(|parameter| parameter.name == name);
            let trouble = match parameter {
                Some(parameter) => wrong(tool, binding, parameter),
                None => Some(Trouble::NoArgument {
                    tool: tool.to_owned(),
                    argument: binding.name.clone(),
                    known: names().collect(),
                }),
            };
            if let Some(trouble) = trouble {
                self.remarks.push(Remark::new(&step.id, &binding.place, trouble));
            }
        }
        let is_given = |name: &str| step.inputs.iter().any(|binding| ours(&binding.name) == name);
        let mut required = method.parameters.iter();
        let missing = required.find(|parameter| parameter.default.is_none() && !is_given(&parameter.name));
        if let Some(missing) = missing {
            let trouble = Trouble::MissingArgument {
                tool: tool.to_owned(),
                argument: missing.name.clone(),
                known: names().collect(),
            };
            self.remark(step, trouble);
        }
    }
}

/// A value that is of another type whatever happens before.
fn wrong(tool: &str, binding: &Binding, parameter: &ParameterSpec) -> Option<Trouble> {
    let sample = match &binding.value {
        Template::Whole(_) => return None,
        Template::Literal(value) => value.clone(),
        Template::Text(_) => Value::String(String::new()),
        Template::List(_) => Value::Array(Vec::new()),
        Template::Map(_) => Value::Object(serde_json::Map::new()),
    };
    let is_left_out = sample.is_null() && parameter.default.is_some();
    if is_left_out || parameter.kind.accepts(&sample) {
        return None;
    }
    Some(Trouble::WrongArgument {
        tool: tool.to_owned(),
        argument: binding.name.clone(),
        wanted: parameter.kind.python(),
        found: type_of(&sample),
    })
}

/// A value's type as files write it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        Value::String(_) => "str",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}
