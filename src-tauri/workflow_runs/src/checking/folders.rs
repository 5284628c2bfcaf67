//! Steps that write at a path which begins in a granted folder. Without one they fail, and may do so after a person has
//! approved what comes before.
//!
//! Only what is sure to come counts: neither a step under a condition nor one whose failure is provided for. Of Python the
//! lines at the margin of a program count, or of the function that is called.

use crate::program::{Meant, defined, meant, parts};
use shidi_bundles::{KeptPlugin, Part, read_text};
use shidi_protocol::{Class, ToolkitSpec};
use shidi_space::names::method_name;
use shidi_workflow::{Action, BlockId, Call, OnError, Over, StepDefinition, Workflow};
use std::fs;

/// The toolkit whose relative paths begin in a folder, and the argument that holds one.
const FILES: &str = "files";
const PATH: &str = "path";

/// Letters that may stand before the quotation mark of a Python text.
const PREFIXES: [char; 8] = ['f', 'F', 'r', 'R', 'b', 'B', 'u', 'U'];

/// What steps may call.
pub struct Callable<'a> {
    /// Functions beside the workflow.
    pub functions: Option<&'a str>,
    pub toolkits: &'a [ToolkitSpec],
    pub plugins: &'a [KeptPlugin],
}

/// The first step that can't do its work without a folder.
pub fn first_writing<'a>(workflow: &'a Workflow, callable: &Callable<'_>) -> Option<&'a str> {
    within(workflow, BlockId(0), callable)
}

fn within<'a>(workflow: &'a Workflow, block: BlockId, callable: &Callable<'_>) -> Option<&'a str> {
    let is_sure = |step: &&StepDefinition| step.condition.is_none() && step.on_error == OnError::Stop;
    let mut steps = workflow.block(block).steps.iter().filter(is_sure);
    steps.find_map(|step| match &step.action {
        Action::Call(call) => callable.writes(step, call).then_some(step.id.as_str()),
        // Any other loop may have no round.
        Action::Loop {
            over: Over::Times(1..),
            steps,
            ..
        } => within(workflow, *steps, callable),
        Action::Parallel { branches } => branches
            .iter()
            .find_map(|branch| within(workflow, *branch, callable)),
        Action::Input { .. }
        | Action::Branch { .. }
        | Action::Loop { .. }
        | Action::Approval { .. }
        | Action::Wait { .. }
        | Action::Output => None,
    })
}

impl Callable<'_> {
    fn writes(&self, step: &StepDefinition, call: &Call) -> bool {
        match call {
            Call::Tool { tool } => self.tool_writes(step, tool),
            Call::Plugin { plugin } => match meant(plugin, self.functions, self.toolkits) {
                Ok(Meant::Function) => self.function_writes(plugin),
                Ok(Meant::Tool(tool)) => self.tool_writes(step, &tool),
                Ok(Meant::Query) | Err(_) => false,
            },
            Call::Custom { function } => self.function_writes(function),
            Call::Code { program } => self.program_writes(program),
            Call::Llm { .. } => false,
        }
    }

    fn tool_writes(&self, step: &StepDefinition, tool: &str) -> bool {
        let Some((toolkit, method)) = parts(tool) else {
            return false;
        };
        if toolkit == FILES {
            let mut inputs = step.inputs.iter();
            let path = inputs.find(|binding| binding.name == PATH);
            let begins = path.and_then(|binding| binding.value.beginning());
            return self.is_writing(method) && begins.is_some_and(is_relative);
        }
        let mut plugins = self.plugins.iter().filter(|plugin| plugin.is_reviewed);
        let plugin = plugins.find(|plugin| method_name(&plugin.name) == toolkit);
        let text = plugin.and_then(|plugin| text_of_tool(plugin, method));
        text.is_some_and(|text| self.program_writes(body(&text, method)))
    }

    fn function_writes(&self, function: &str) -> bool {
        self.functions
            .is_some_and(|text| self.program_writes(body(text, function)))
    }

    fn is_writing(&self, method: &str) -> bool {
        let mut toolkits = self.toolkits.iter();
        let files = toolkits.find(|toolkit| toolkit.name == FILES);
        files
            .and_then(|files| files.method(method))
            .is_some_and(|method| method.class == Class::Write)
    }

    /// Whether a line at the margin of a program writes at a path that begins in a folder.
    fn program_writes(&self, program: &str) -> bool {
        let says_something = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let Some(margin) = program.lines().find(says_something).map(indent) else {
            return false;
        };
        let nexts = program.lines().skip(1).chain(std::iter::once(""));
        let mut is_in_text = false;
        for (line, next) in program.lines().zip(nexts) {
            let was_in_text = is_in_text;
            let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
            is_in_text ^= marks % 2 == 1;
            if was_in_text {
                continue;
            }
            if indent(line) == margin && self.line_writes(line, next) {
                return true;
            }
            if may_end(line) {
                return false;
            }
        }
        false
    }

    /// Whether a line is such a call, or gives a name to its result. Its arguments begin there, or in the next line.
    fn line_writes(&self, line: &str, next: &str) -> bool {
        let is_name = |text: &str| text.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        let statement = match line.trim().split_once(" = ") {
            Some((name, value)) if is_name(name) => value,
            Some(_) | None => line.trim(),
        };
        let Some((method, arguments)) = statement
            .strip_prefix("await files.")
            .and_then(|call| call.split_once('('))
        else {
            return false;
        };
        // It may be a part of a larger expression, which does without it.
        if [" if ", " and ", " or "]
            .iter()
            .any(|word| arguments.contains(word))
        {
            return false;
        }
        let arguments = match arguments.trim() {
            "" => next.trim(),
            arguments => arguments,
        };
        self.is_writing(method) && path_of(arguments).is_some_and(is_relative)
    }
}

/// The file of a plugin that has the function of a tool.
fn text_of_tool(plugin: &KeptPlugin, tool: &str) -> Option<String> {
    let files = fs::read_dir(plugin.part(Part::Tools)).ok()?.flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let python = names.filter(|name| name.ends_with(".py"));
    let mut texts =
        python.filter_map(|name| read_text(&plugin.folder, &format!("{}/{name}", Part::Tools.folder())).ok());
    texts.find(|text| defined(text).any(|defined| defined == tool))
}

/// The lines of a function that stands at the margin of a text.
fn body<'a>(text: &'a str, function: &str) -> &'a str {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_at_margin = line.starts_with(|sign: char| !sign.is_whitespace() && sign != '#' && sign != ')');
        match start {
            None if defined(line).any(|defined| defined == function) => start = Some(at + line.len()),
            Some(start) if is_at_margin => return &text[start..at],
            None | Some(_) => {}
        }
        at += line.len();
    }
    start.map(|start| &text[start..]).unwrap_or_default()
}

/// Whether a program may end with a line, so that those below it are not sure to come.
fn may_end(line: &str) -> bool {
    const ENDS: [&str; 5] = ["return", "raise", "break", "continue", "exit"];
    let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    words.any(|word| ENDS.contains(&word))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The text with which the path of a call begins, where it stands there as a text.
fn path_of(arguments: &str) -> Option<&str> {
    let by_name = arguments.match_indices("path=").find(|(at, _)| {
        arguments[..*at]
            .chars()
            .next_back()
            .is_none_or(|sign| sign == ' ' || sign == ',')
    });
    let value = match by_name {
        Some((at, found)) => &arguments[at + found.len()..],
        None => arguments,
    };
    let quoted = value.trim_start().trim_start_matches(PREFIXES);
    let text = quoted.strip_prefix(['\'', '"'])?;
    text.split(['\'', '"']).next()
}

/// Whether a path begins in a folder, whatever stands in its places.
fn is_relative(path: &str) -> bool {
    let begins_elsewhere = path.starts_with(['/', '~', '\\', '{']);
    // A drive of Windows.
    let is_of_drive = path.chars().nth(1) == Some(':');
    !path.is_empty() && !begins_elsewhere && !is_of_drive
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shelf::Shelved;
    use shidi_space::registry;

    fn of_steps(steps: &str, functions: Option<&str>) -> Option<String> {
        let shelved = Shelved::loose("w", &format!("version: '1.0'\nname: n\nsteps:\n{steps}"));
        let workflow = shelved
            .read()
            .unwrap_or_else(|faults| panic!("{faults:?}\n{}", shelved.text));
        let mut toolkits = Vec::new();
        registry::complete(&mut toolkits);
        let callable = Callable {
            functions,
            toolkits: &toolkits,
            plugins: &[],
        };
        first_writing(&workflow, &callable).map(str::to_owned)
    }

    #[test]
    fn a_step_that_writes_where_a_folder_begins_is_found() {
        for (path, is_found) in [
            ("out.txt", true),
            ("'out/{n}.txt'", true),
            ("/tmp/out.txt", false),
            ("~/out.txt", false),
            ("'{n}'", false),
            ("'{n}.txt'", false),
        ] {
            let steps = format!(
                "  - {{id: i, type: input, output: {{name: n, type: str}}}}\n  - {{id: w, type: tool, tool: files.write, inputs: {{path: {path}, text: x}}}}\n"
            );
            assert_eq!(of_steps(&steps, None).is_some(), is_found, "{path}");
        }
        let reads = "  - {id: r, type: tool, tool: files.read, inputs: {path: a.txt}}\n";
        assert_eq!(of_steps(reads, None), None);
    }

    #[test]
    fn what_may_not_come_or_is_provided_for_is_let_be() {
        let write = "type: tool, tool: files.write, inputs: {path: a.txt, text: x}";
        let on_error = format!("  - {{id: w, {write}, on_error: continue}}\n");
        assert_eq!(of_steps(&on_error, None), None);
        let input = "  - {id: i, type: input, output: {name: n, type: int}}\n";
        let maybe = format!("{input}  - {{id: w, {write}, if: '{{n}} > 1'}}\n");
        assert_eq!(of_steps(&maybe, None), None);
        let looped = format!("  - {{id: l, type: loop, times: 2, steps: [{{id: w, {write}}}]}}\n");
        assert_eq!(of_steps(&looped, None).as_deref(), Some("w"));
        let list = "  - {id: i, type: input, output: {name: n, type: list}}\n";
        let each = format!("{list}  - {{id: l, type: loop, each: '{{n}}', steps: [{{id: w, {write}}}]}}\n");
        assert_eq!(of_steps(&each, None), None, "a list may be empty");
    }

    #[test]
    fn of_programs_the_lines_at_the_margin_count() {
        for (program, is_found) in [
            ("kept = await files.write(path='a.txt', text='x')", true),
            ("await files.write(f'out/{1}.txt', 'x')", true),
            ("await files.write(\n    path=\"a.txt\",\n    text='x')", true),
            ("await files.write(text='x', path='a.txt')", true),
            ("if True:\n    await files.write('a.txt', 'x')", false),
            ("await files.write('/a.txt', 'x')", false),
            ("p = '/a.txt'\nawait files.write(p, 'x')", false),
            ("# await files.write('a.txt', 'x')", false),
            ("print(await files.read('a.txt'))", false),
            ("text = \"\"\"\nawait files.write('a.txt', 'x')\n\"\"\"", false),
            ("\"\"\"Keeps it.\"\"\"\nawait files.write('a.txt', 'x')", true),
            ("if n: await files.write('a.txt', 'x')", false),
            ("print(\"await files.write('a.txt', 'x')\")", false),
            ("[await files.write(f'a/{x}', 'x') for x in []]", false),
            ("kept = await files.write('a.txt', 'x') if n else None", false),
            ("async def f(): await files.write('a.txt', 'x')", false),
            (
                "if not n:\n    raise ValueError\nawait files.write('a.txt', 'x')",
                false,
            ),
        ] {
            let lines: Vec<String> = program.lines().map(|line| format!("      {line}")).collect();
            let steps = format!("  - id: c\n    type: code\n    code: |\n{}\n", lines.join("\n"));
            assert_eq!(of_steps(&steps, None).is_some(), is_found, "{program}");
        }
    }

    #[test]
    fn of_functions_the_one_that_is_called_counts() {
        let functions = "def plain(x):\n    return x\n\n\nasync def keep(x):\n    'Keeps it.'\n    await files.write('a.txt', x)\n\n\ndef last(x):\n    return x\n";
        for (function, is_found) in [("plain", false), ("keep", true), ("last", false)] {
            let steps = format!(
                "  - {{id: c, type: custom, function: {function}, inputs: {{x: y}}, output: {{name: z, type: str}}}}\n"
            );
            assert_eq!(
                of_steps(&steps, Some(functions)).is_some(),
                is_found,
                "{function}"
            );
        }
    }
}
