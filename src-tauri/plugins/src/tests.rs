//! Promises of plugins: a manifest is read or refused line by line, and what comes along is one.

use crate::contents::{look, root};
use crate::manifest::{FILE, Manifest};
use crate::problem::{Fault, Problem};
use crate::tools::{RESULT, calls, toolkit, workflow};
use crate::{reading, shipped};
use proptest::prelude::*;
use shidi_locales::Language;
use shidi_protocol::{Class, ToolkitSpec};
use shidi_workflow::{Action, Call};
use std::fs;
use std::path::Path;

const CARE: &str = "name: care\nversion: 1.0\ndescription: 'Cares'\npermissions: ['files.write(path=outbox/*)']\ntools:\n  \
    - {name: send, description: Sends, class: send, inputs: [{name: to, type: str}, {name: call, type: int, default: 3}], output: bool}\n";

fn read(text: &str) -> Result<Manifest, Vec<Fault>> {
    reading::read(text.as_bytes())
}

/// The lines and sentences of the faults of a text.
fn faults(text: &str) -> Vec<(u64, String)> {
    let faults = read(text).expect_err("faults");
    let told = faults.iter().map(|fault| {
        let told = fault.told(Language::SOURCE);
        assert!(!told.hint.is_empty(), "{fault:?}");
        (fault.place.line, told.message)
    });
    told.collect()
}

#[test]
fn what_is_missing_is_shown_as_it_is_written() {
    let faults = read("name: care\nversion: '1.0'\n").expect_err("a fault");
    let told = faults[0].told(Language::SOURCE);
    assert_eq!(
        told.hint,
        "Write description, as in: description: 'What it is for'"
    );
}

fn put(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

#[test]
fn a_manifest_is_read_with_its_tools_and_permissions() {
    let manifest = read(CARE).expect("a manifest");
    assert_eq!(
        (manifest.name.as_str(), manifest.version.as_str()),
        ("care", "1.0")
    );
    let toolkit = toolkit(&manifest);
    let send = toolkit.method("send").expect("a tool");
    assert_eq!((send.class, send.returns.as_str()), (Class::Send, "bool"));
    assert_eq!(send.matters, ["to"]);
}

#[test]
fn what_a_tool_with_an_effect_needs_is_asked_for_unless_its_manifest_says_otherwise() {
    let asked = |class: &str, more: &str| {
        let input = format!("{{name: to, type: str{more}}}");
        let text = CARE.replace("{name: to, type: str}", &input);
        let text = text.replace("class: send", &format!("class: {class}"));
        let toolkit = toolkit(&read(&text).expect("a manifest"));
        let method = toolkit.method("send").expect("a tool");
        let asked = method.parameters.iter().map(|parameter| parameter.asked);
        asked.collect::<Vec<bool>>()
    };
    for class in ["send", "write", "money"] {
        assert_eq!(asked(class, ""), [true, false], "{class}");
        assert_eq!(asked(class, ", asked: false"), [false, false], "{class}");
    }
    assert_eq!(asked("read", ""), [false, false]);
    assert_eq!(asked("read", ", asked: true"), [true, false]);
    let unclear = CARE.replace("{name: to, type: str}", "{name: to, type: str, asked: perhaps}");
    assert_eq!(faults(&unclear)[0].0, 6);
}

#[test]
fn every_fault_is_told_with_its_line_and_remedy() {
    for (text, line, part) in [
        ("", 1, "name"),
        ("- a\n", 1, "map"),
        ("name: A B\nversion: '1'\ndescription: d\n", 1, "A B"),
        ("name: a\nversion: '1'\ndescription: d\nnmae: b\n", 4, "nmae"),
        ("name: a\nname: b\n", 2, "twice"),
        ("name: a\nversion: [1]\ndescription: d\n", 2, "text"),
        (
            "name: a\nversion: '1'\ndescription: d\npermissions: [files]\n",
            4,
            "files",
        ),
        (
            "name: a\nversion: '1'\ndescription: d\npermissions: ['agents.ask']\n",
            4,
            "agents.ask",
        ),
        (
            "name: a\nversion: '1'\ndescription: d\ntools:\n  - {name: x, description: d, class: raed}\n",
            5,
            "raed",
        ),
        (
            "name: a\nversion: '1'\ndescription: d\ntools:\n  - {name: if, description: d, class: read}\n",
            5,
            "if",
        ),
        ("name: a\nversion: '1'\ndescription: d\ntools: 3\n", 4, "list"),
        (
            "name: a\nversion: '1'\ndescription: d\ntools:\n  - {name: x, description: d, class: read, inputs: [{name: error}]}\n",
            5,
            "error",
        ),
        (
            "name: a\nversion: '1'\ndescription: d\ntools:\n  - {name: x, description: d, class: read, inputs: [{name: n, type: int, default: many}]}\n",
            5,
            "int",
        ),
        ("name: [a\n", 1, "YAML"),
    ] {
        let told = faults(text);
        let is_told = told
            .iter()
            .any(|(at, message)| *at >= line && message.contains(part));
        assert!(is_told, "{text:?}: {told:?}");
        assert!(
            told.iter().all(|(_, message)| !message.contains('\n')),
            "{told:?}"
        );
    }
    let long = format!("name: a\nversion: '1'\ndescription: {}\n", "d".repeat(501));
    assert_eq!(faults(&long).len(), 1);
    assert_eq!(
        read(&"a".repeat(300_000)).expect_err("too large")[0].problem,
        Problem::TooLarge
    );
}

#[test]
fn the_workflow_of_a_tool_is_one_step_whatever_its_inputs_are_called() {
    let manifest = read(CARE).expect("a manifest");
    let text = workflow(&manifest, &manifest.tools[0]);
    let read = shidi_workflow::read(&"tool".into(), text.as_bytes());
    let workflow = read.unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let steps: Vec<_> = workflow.steps().collect();
    assert!(matches!(&steps[0].action, Action::Call(Call::Custom { function }) if function == "send"));
    assert_eq!(steps[1].inputs[0].name, RESULT);
    assert_eq!(workflow.permissions, [""; 0], "what it may do is no leave");
}

#[test]
fn what_comes_along_has_no_faults_and_names_no_call_that_it_does_not_declare() {
    for language in Language::ALL {
        let known: Vec<_> = shipped::all(*language).collect();
        assert!(!known.is_empty(), "{language:?}");
        for (name, _) in known {
            let files = shipped::named(name, *language).expect("files");
            let folder = tempfile::tempdir().expect("a folder");
            put(folder.path(), files);
            let contents = look(folder.path(), *language);
            let told: Vec<_> = contents
                .faults
                .iter()
                .map(|fault| fault.told(*language))
                .collect();
            assert_eq!(told, [], "{language:?}");
            assert_eq!(
                (
                    contents.workflows.len(),
                    contents.prompts.len(),
                    contents.skills.len()
                ),
                (1, 1, 1)
            );
            assert_eq!(contents.files_of_tools.len(), 3);
            let source = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../plugins")
                .join(language.code());
            let there = shidi_bundles::list(&source.join(name)).expect("listed");
            assert_eq!(there.files.len(), files.len(), "every file of it comes along");
        }
    }
}

#[test]
fn a_function_that_is_missing_or_there_twice_and_a_file_of_no_name_are_faults() {
    let folder = tempfile::tempdir().expect("a folder");
    put(
        folder.path(),
        &[
            (FILE, CARE),
            ("prompts/A B.md", "text"),
            ("skills/x/notes.md", "text"),
            ("workflows/w.yaml", "version: '1.0'\n"),
        ],
    );
    let problems = |folder: &Path| -> Vec<Problem> {
        let faults = look(folder, Language::SOURCE).faults;
        faults.into_iter().map(|fault| fault.problem).collect()
    };
    let found = problems(folder.path());
    assert!(
        found.contains(&Problem::NoFunction("send".to_owned())),
        "{found:?}"
    );
    assert!(
        found.contains(&Problem::BadFileName) && found.contains(&Problem::NoSkillText),
        "{found:?}"
    );
    assert!(
        found.iter().any(|problem| matches!(problem, Problem::OfFile(_))),
        "{found:?}"
    );
    put(
        folder.path(),
        &[
            ("tools/a.py", "def send(to): ..."),
            ("tools/b.py", "async def send(to): ..."),
        ],
    );
    assert!(problems(folder.path()).contains(&Problem::TwoFunctions("send".to_owned())));
}

#[cfg(unix)]
#[test]
fn a_folder_with_a_link_is_refused_whatever_else_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    put(
        folder.path(),
        &[(FILE, CARE), ("tools/a.py", "def send(to): ...")],
    );
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("tools/b.py")).expect("a link");
    let contents = look(folder.path(), Language::SOURCE);
    assert!(
        matches!(contents.faults[0].problem, Problem::Refused(_)),
        "{:?}",
        contents.faults
    );
    assert!(contents.manifest.is_none());
}

#[test]
fn the_manifest_is_found_below_the_folder_of_an_archive_and_no_deeper() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &[("a/care/plugin.yaml", CARE)]);
    assert_eq!(root(folder.path()), Some(folder.path().join("a/care")));
    let deep = tempfile::tempdir().expect("a folder");
    put(deep.path(), &[("a/b/c/plugin.yaml", CARE)]);
    assert_eq!(root(deep.path()), None);
}

#[test]
fn calls_that_a_text_names_are_found_as_they_stand() {
    let toolkits: Vec<ToolkitSpec> = shidi_toolkits::declared();
    let text = "async def f():\n    a = await files.read(path='x')\n    self.files.write()\n    return files.nothing, web.fetch(u)";
    assert_eq!(calls(text, &toolkits), ["files.read", "web.fetch"]);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic_and_every_fault_is_one_line_with_a_remedy(
        text in "(name|version|description|permissions|tools|class|inputs|author|[a-z]{1,4})?(: | ?-|\\[|\\{|\\}|\\]|'|\"|,|#|\n|  |\\PC){0,8}(\n(  )?(- )?(name|tools|inputs|default|type|class|output): ?[a-z0-9'\\[\\{]{0,5}){0,6}",
    ) {
        if let Err(faults) = read(&text) {
            prop_assert!(!faults.is_empty());
            for fault in faults {
                let told = fault.told(Language::SOURCE);
                prop_assert!(!told.message.contains('\n') && !told.hint.is_empty(), "{:?}", told);
            }
        }
    }

    #[test]
    fn a_tool_of_any_names_and_types_is_a_workflow(
        names in proptest::collection::btree_set("[a-z_][a-z0-9_]{0,5}", 0..4),
        kinds in proptest::collection::vec(proptest::sample::select(shidi_workflow::ValueType::names()), 4),
    ) {
        let inputs: Vec<String> = names.iter().zip(&kinds)
            .map(|(name, kind)| format!("{{name: '{name}', type: {kind}}}")).collect();
        let text = format!(
            "name: a\nversion: '1'\ndescription: d\ntools:\n  - {{name: x, description: d, class: read, inputs: [{}], output: {}}}\n",
            inputs.join(", "), kinds[3],
        );
        if let Ok(manifest) = read(&text) {
            let text = workflow(&manifest, &manifest.tools[0]);
            let read = shidi_workflow::read(&"tool".into(), text.as_bytes());
            prop_assert!(read.is_ok(), "{}: {:?}", text, read);
        }
    }
}
