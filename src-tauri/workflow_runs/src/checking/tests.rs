//! What can't work is named with its step, its line and a near name; what may work is let be.

use super::{AvailableTools, Remark, programs, tools};
use crate::shelf::Shelved;
use shidi_locales::Language;
use shidi_protocol::ToolkitSpec;
use shidi_space::registry;
use shidi_workflow::{Workflow, samples};

fn toolkits() -> Vec<ToolkitSpec> {
    let mut toolkits = Vec::new();
    registry::complete(&mut toolkits);
    toolkits
}

fn shelved(text: &str, functions: Option<&str>) -> Shelved {
    Shelved {
        functions: functions.map(str::to_owned),
        ..Shelved::loose("w", text)
    }
}

fn read(shelved: &Shelved) -> Workflow {
    let read = shelved.read();
    read.unwrap_or_else(|faults| panic!("{faults:?}\n{}", shelved.text))
}

fn remarks(shelved: &Shelved) -> Vec<Remark> {
    let (toolkits, workflow) = (toolkits(), read(shelved));
    let known = AvailableTools {
        toolkits: &toolkits,
        is_on: &|_, method| method != "glob",
    };
    let mut remarks = tools::remarks(&workflow, shelved.functions.as_deref(), &known);
    remarks.extend(programs::remarks(shelved, &workflow, &toolkits).unwrap());
    remarks
}

/// Each remark as `line: sentence (remedy)`, with a `?` behind those that may pass.
fn told(text: &str, functions: Option<&str>) -> Vec<String> {
    let shelved = shelved(text, functions);
    let told = remarks(&shelved).into_iter().map(|remark| {
        let fault = remark.told(&shelved.name, Language::SOURCE);
        let mark = if remark.trouble.may_pass() { "?" } else { "" };
        format!("{}: {} ({}){mark}", fault.line, fault.message, fault.hint)
    });
    told.collect()
}

fn of_steps(steps: &str) -> String {
    format!("version: '1.0'\nname: n\nsteps:\n{steps}")
}

#[test]
fn a_call_that_a_step_names_is_held_to_the_tools_that_are_here() {
    for (step, expected) in [
        (
            "{id: a, type: tool, tool: files.raed, inputs: {path: x}}",
            "4: Step 'a': the toolkit files has no 'raed' (Did you mean 'files.read'?)",
        ),
        (
            "{id: a, type: tool, tool: fiels.read, inputs: {path: x}}",
            "4: Step 'a': there is no toolkit 'fiels' here (Did you mean 'files.read'?)",
        ),
        (
            "{id: a, type: tool, tool: files.read, inputs: {pth: x, path: y}}",
            "4: Step 'a': files.read takes no 'pth' (Did you mean 'path'?)",
        ),
        (
            "{id: a, type: tool, tool: files.read, inputs: {path: [1, 2]}}",
            "4: Step 'a': 'path' of files.read is of type str, not list (Give a value of type str)",
        ),
        (
            "{id: a, type: tool, tool: files}",
            "4: Step 'a': 'files' is no tool (Write it as TOOLKIT.METHOD, for example files.read)",
        ),
    ] {
        assert_eq!(told(&of_steps(&format!("  - {step}\n")), None), [expected]);
    }
    let missing = told(
        &of_steps("  - id: a\n    type: tool\n    tool: files.read\n"),
        None,
    );
    assert_eq!(missing.len(), 1, "{missing:?}");
    let begins = "6: Step 'a': files.read needs 'path' (It takes: path";
    assert!(missing[0].starts_with(begins), "{missing:?}");
}

#[test]
fn what_may_be_connected_or_switched_on_later_is_a_warning() {
    let server = of_steps("  - {id: a, type: tool, tool: peer.send_note, inputs: {to: x}}\n");
    assert_eq!(
        told(&server, None),
        [
            "4: Step 'a': there is no toolkit 'peer' here (Where an MCP server has it, connect that with shidi mcp add peer)?"
        ]
    );
    let code =
        of_steps("  - id: a\n    type: code\n    code: |\n      x = 1\n      await peer.send_note(to=x)\n");
    let told_of_code = told(&code, None);
    assert_eq!(told_of_code.len(), 1, "{told_of_code:?}");
    assert!(
        told_of_code[0].starts_with("8: Step 'a': there is no toolkit 'peer'"),
        "{told_of_code:?}"
    );
    assert!(told_of_code[0].ends_with('?'), "{told_of_code:?}");
    let plugin = of_steps("  - {id: a, type: plugin, plugin: plugin_sms_send}\n");
    assert_eq!(
        told(&plugin, None),
        [
            "4: Step 'a': there is no plugin 'plugin_sms_send' here (Install it with shidi plugin install customer-care)?"
        ]
    );
    let unknown = of_steps("  - {id: a, type: plugin, plugin: plugin_fax_send}\n");
    assert!(told(&unknown, None)[0].ends_with('?'));
    let off = of_steps("  - {id: a, type: tool, tool: files.glob, inputs: {pattern: x}}\n");
    assert_eq!(
        told(&off, None),
        ["4: Step 'a': files.glob is switched off (Switch it on with shidi tool on files.glob)?"]
    );
}

#[test]
fn a_program_is_read_by_the_worker_and_each_finding_has_the_line_of_the_file() {
    let block = |program: &str| {
        let lines: String = program.lines().map(|line| format!("      {line}\n")).collect();
        of_steps(&format!(
            "  - id: a\n    type: code\n    inputs: {{n: 1}}\n    code: |\n{lines}"
        ))
    };
    for (program, expected) in [
        (
            "x = n\nawait files.raed(path='a')",
            "9: Step 'a': the toolkit files has no 'raed' (Did you mean 'files.read'?)",
        ),
        (
            "\nawait files.read(pth='a', path='b')",
            "9: Step 'a': files.read takes no 'pth' (Did you mean 'path'?)",
        ),
        (
            "x = nn",
            "8: Step 'a': its program can't run: NameError: name 'nn' is not defined (Did you mean 'n'?)",
        ),
    ] {
        assert_eq!(told(&block(program), None), [expected], "{program}");
    }
    let missing = told(&block("await files.read()"), None);
    assert!(
        missing[0].starts_with("8: Step 'a': files.read needs 'path' (It takes: path"),
        "{missing:?}"
    );
    let broken = told(&block("x = 1\nif x\n    y = 2"), None);
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(
        broken[0].starts_with("9: Step 'a': its program can't run: SyntaxError"),
        "{broken:?}"
    );
    let quoted = told(&of_steps("  - {id: a, type: code, code: 'x = '}\n"), None);
    assert!(quoted[0].starts_with("4: Step 'a': its program"), "{quoted:?}");
    assert_eq!(
        told(&block("r = await files.read(path='a')\nb = r + str(n)"), None),
        [""; 0]
    );
}

#[test]
fn functions_beside_a_workflow_are_read_once_and_missed_where_they_are_called() {
    let text = of_steps(
        "  - {id: a, type: custom, function: sum_up}\n  - {id: b, type: custom, function: sum_up}\n",
    );
    assert_eq!(told(&text, Some("def sum_up():\n    return 1\n")), [""; 0]);
    let broken = told(&text, Some("def sum_up():\n    return totl\n"));
    assert_eq!(
        broken,
        [
            "4: Step 'a': w.py:2 can't run: NameError: name 'totl' is not defined (Mend the program at this line)"
        ]
    );
    let misspelt = told(&text.replace("sum_up", "sum_pu"), Some("def sum_up(): ...\n"));
    assert_eq!(
        misspelt[0],
        "4: Step 'a': there is no function 'sum_pu' (Did you mean 'sum_up'?)"
    );
    assert!(told(&text, None).iter().all(|told| told.ends_with('?')));
}

#[test]
fn what_comes_along_works_in_every_language_as_soon_as_its_plugins_are_there() {
    for language in [Language::SOURCE, Language::named("zh")] {
        for (name, text) in samples(language) {
            let functions =
                (name == "menu-recommendation").then_some("def filter_spicy_dishes(recommendations): ...");
            for remark in remarks(&shelved(text, functions)) {
                assert!(remark.trouble.may_pass(), "{name}: {remark:?}");
            }
        }
    }
}

#[test]
fn a_reader_of_chinese_is_told_in_chinese() {
    let shelved = shelved(&of_steps("  - {id: a, type: tool, tool: files.raed}\n"), None);
    let remark = remarks(&shelved).remove(0);
    let told = remark.told("w", Language::named("zh"));
    assert_eq!(told.line, 4);
    assert_eq!(told.message, "步骤“a”：工具集 files 没有“raed”");
    assert!(told.hint.contains("files.read"), "{told:?}");
}
