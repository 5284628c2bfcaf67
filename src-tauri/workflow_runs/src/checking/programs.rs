//! Programs of steps, and functions beside a workflow: what the sandbox's worker finds in them without running any.

use super::{Remark, Trouble, near_tool};
use crate::program::defines;
use crate::shelf::Shelved;
use shidi_executor::{ExecutorError, Finding, Session, SpawnOptions};
use shidi_protocol::ToolkitSpec;
use shidi_workflow::{Action, Call, Place, StepDefinition, Workflow};

/// What of the programs of a workflow can't work.
///
/// # Errors
/// There is no worker, or it was lost.
pub fn remarks(
    shelved: &Shelved,
    workflow: &Workflow,
    toolkits: &[ToolkitSpec],
) -> Result<Vec<Remark>, ExecutorError> {
    let mut reader = Reader {
        session: None,
        toolkits,
    };
    let mut remarks = Vec::new();
    let mut are_functions_read = false;
    for step in workflow.steps() {
        match &step.action {
            Action::Call(Call::Code { program }) => {
                let inputs = step.inputs.iter().map(|input| input.name.clone()).collect();
                for finding in reader.findings(program, inputs)? {
                    let (line, column) = place(&shelved.text, &step.called, finding.line);
                    let trouble = reader.trouble(program, finding);
                    let step = step.id.clone();
                    remarks.push(Remark {
                        step,
                        line,
                        column,
                        trouble,
                    });
                }
            }
            Action::Call(Call::Custom { function: name } | Call::Plugin { plugin: name })
                if !are_functions_read =>
            {
                let functions = shelved.functions.as_deref().filter(|text| defines(text, name));
                if let Some(functions) = functions {
                    are_functions_read = true;
                    remarks.extend(reader.functions(step, functions)?);
                }
            }
            _ => {}
        }
    }
    Ok(remarks)
}

/// A worker, as soon as there is something to read.
struct Reader<'a> {
    session: Option<Session>,
    toolkits: &'a [ToolkitSpec],
}

impl Reader<'_> {
    fn findings(&mut self, program: &str, names: Vec<String>) -> Result<Vec<Finding>, ExecutorError> {
        let session = match &mut self.session {
            Some(session) => session,
            none => none.insert(Session::spawn(SpawnOptions::default())?),
        };
        session.check(program, self.toolkits, &names)
    }

    /// Functions that one step calls are read as a whole, as they run.
    fn functions(&mut self, step: &StepDefinition, text: &str) -> Result<Vec<Remark>, ExecutorError> {
        let findings = self.findings(text, Vec::new())?;
        let remarks = findings.into_iter().map(|finding| {
            let line = finding.line;
            let trouble = match self.trouble(text, finding) {
                Trouble::Program { why, hint } => Trouble::Functions { line, why, hint },
                other => other,
            };
            Remark::new(&step.id, &step.called, trouble)
        });
        Ok(remarks.collect())
    }

    /// A call of a tool is told as one that a step names; anything else in the interpreter's own words.
    fn trouble(&self, program: &str, finding: Finding) -> Trouble {
        let told = self.of_call(&finding.message).or_else(|| {
            let name = between(&finding.message, "NameError: name '", "' is not defined")?;
            // A toolkit that is not there may be that of a server which is not connected.
            let (_, call) = program.split_once(&format!("await {name}."))?;
            let method = call.split(|letter: char| letter != '_' && !letter.is_alphanumeric());
            let near = near_tool(name, method.take(1).collect::<String>().as_str(), self.toolkits);
            let toolkit = name.to_owned();
            Some(Trouble::NoToolkit { toolkit, near })
        });
        told.unwrap_or(Trouble::Program {
            why: finding.message,
            hint: finding.hint,
        })
    }

    fn of_call(&self, message: &str) -> Option<Trouble> {
        if let Some(rest) = message.strip_prefix("AttributeError: toolkit '") {
            let (toolkit, method) = rest.strip_suffix('\'')?.split_once("' has no method '")?;
            let spec = self.toolkits.iter().find(|spec| spec.name == toolkit)?;
            return Some(Trouble::NoMethod {
                toolkit: toolkit.to_owned(),
                method: method.to_owned(),
                known: spec.methods.iter().map(|method| method.name.clone()).collect(),
            });
        }
        let (tool, rest) = message.strip_prefix("TypeError: ")?.split_once("() ")?;
        let (toolkit, method) = tool.split_once('.')?;
        let spec = self.toolkits.iter().find(|spec| spec.name == toolkit)?;
        let parameters = &spec.method(method)?.parameters;
        let known = parameters
            .iter()
            .map(|parameter| parameter.name.clone())
            .collect();
        let tool = tool.to_owned();
        if let Some(argument) = between(rest, "got an unexpected argument '", "'") {
            let argument = argument.to_owned();
            return Some(Trouble::NoArgument {
                tool,
                argument,
                known,
            });
        }
        let argument = between(rest, "missing required argument '", "'")?.to_owned();
        Some(Trouble::MissingArgument {
            tool,
            argument,
            known,
        })
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

/// Where a line of a program stands in its file. Lines of a block follow its sign; a text between quotes has one place.
fn place(file: &str, called: &Place, line: u32) -> (u64, u64) {
    match sign_of_block(file, called) {
        Some(sign) => (sign + u64::from(line.max(1)), 1),
        None => (called.line, called.column),
    }
}

/// The line with the `|` or `>` of a block. The reader of YAML gives a block the place where its text begins.
fn sign_of_block(file: &str, called: &Place) -> Option<u64> {
    let index = |number: u64| usize::try_from(number.saturating_sub(1)).ok();
    let (line, column) = (index(called.line)?, index(called.column)?);
    let lines: Vec<&str> = file.lines().collect();
    let before: String = lines.get(line)?.chars().take(column).collect();
    if !before.trim().is_empty() {
        return None;
    }
    let above = lines[..line].iter().rposition(|above| !above.trim().is_empty())?;
    let written = lines[above].split(" #").next()?.trim_end();
    let sign = written.rsplit(char::is_whitespace).next()?;
    let is_sign = sign.starts_with(['|', '>']) && sign.chars().all(|letter| "|>+-123456789".contains(letter));
    is_sign.then(|| u64::try_from(above + 1).ok()).flatten()
}
