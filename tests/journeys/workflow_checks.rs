//! What of a workflow can't work is said before anything runs; what comes along speaks the user's language.

use shidi_tests::command::Desk;
use std::fs;

fn file(desk: &Desk, name: &str, text: &str) -> String {
    let path = desk.path(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn keep(desk: &Desk, name: &str, text: &str) {
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
}

/// A misspelt method in a step's call and in a program, and a server that is not connected.
const MISSPELT: &str = "version: '1.0'
name: n
steps:
  - id: fetch
    type: tool
    tool: files.raed
    inputs: {path: a.txt}
  - id: count
    type: code
    code: |
      text = await files.read(pth='a.txt')
      n = len(text)
  - {id: note, type: tool, tool: peer.send_note, inputs: {to: ann}}
";

#[test]
fn unknown_methods_wrong_arguments_and_broken_programs_are_found_with_step_line_and_near_name() {
    let desk = Desk::new();
    let path = file(&desk, "w.yaml", MISSPELT);
    let printed = desk.run(["--lang", "en", "workflow", "validate", &path]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    for line in [
        format!("{path}:6:11: Step 'fetch': the toolkit files has no 'raed'\n  Did you mean 'files.read'?"),
        format!("{path}:11:1: Step 'count': files.read takes no 'pth'\n  Did you mean 'path'?"),
        format!("{path}:13:34: Step 'note': there is no toolkit 'peer' here"),
    ] {
        assert!(printed.stdout.contains(&line), "{line}\n{}", printed.stdout);
    }
    let printed = desk.run(["--json", "workflow", "validate", &path]);
    assert_eq!(printed.event("fault")["line"], 6);
    assert_eq!(printed.event("warning")["line"], 13);
    // The same in Chinese.
    let printed = desk.run(["--lang", "zh", "workflow", "validate", &path]);
    assert!(
        printed.stdout.contains("步骤“fetch”：工具集 files 没有“raed”"),
        "{printed:?}"
    );
    // It is not run up to the step that can't work.
    let printed = desk.run(["--lang", "en", "workflow", "run", &path]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(printed.stderr.contains("no 'raed'"), "{printed:?}");
    assert_eq!(desk.run(["--json", "workflow", "runs"]).json(), [""; 0]);
    // What a server may still bring is no fault.
    let mended = MISSPELT.replace("raed", "read").replace("pth=", "path=");
    let printed = desk.run([
        "--lang",
        "en",
        "workflow",
        "validate",
        &file(&desk, "m.yaml", &mended),
    ]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("is a workflow: n"), "{printed:?}");
    let broken = mended.replace("n = len(text)", "if text");
    let printed = desk.run([
        "--lang",
        "en",
        "workflow",
        "validate",
        &file(&desk, "b.yaml", &broken),
    ]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(
        printed
            .stdout
            .contains(":12:1: Step 'count': its program can't run: SyntaxError"),
        "{printed:?}"
    );
}

#[test]
fn functions_beside_a_file_are_checked_and_run_with_it() {
    let desk = Desk::new();
    let text = "version: '1.0'\nname: n\nsteps:\n  - {id: sum, type: custom, function: sum_up, inputs: {a: 1}, output: {name: s}}\n  - {id: told, type: output, inputs: {s: '{s}'}}\n";
    let path = file(&desk, "w.yaml", text);
    let printed = desk.run(["--lang", "en", "workflow", "validate", &path]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("no function 'sum_up'"), "{printed:?}");
    file(&desk, "w.py", "def sum_up(a):\n    return a + 1\n");
    let printed = desk.run(["--lang", "en", "workflow", "validate", &path]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(!printed.stdout.contains("sum_up"), "{printed:?}");
    let printed = desk.run(["workflow", "run", &path]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.ends_with("s: 2\n"), "{printed:?}");
    file(&desk, "w.py", "def sum_up(a):\n    return b\n");
    let printed = desk.run(["--lang", "en", "workflow", "validate", &path]);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(printed.stdout.contains("w.py:2"), "{printed:?}");
}

#[test]
fn a_value_that_is_given_twice_is_refused_and_not_chosen() {
    let desk = Desk::new();
    let words = [
        "--lang",
        "en",
        "workflow",
        "run",
        "refund-approval",
        "--set",
        "order_id=1",
        "--set",
        "order_id=2",
    ];
    let printed = desk.run(words);
    assert_eq!(printed.code, Some(2), "{printed:?}");
    assert!(
        printed.stderr.contains("The value 'order_id' is given twice"),
        "{printed:?}"
    );
}

#[test]
fn a_dry_run_says_that_a_loop_repeats_over_what_and_how_often_where_that_is_known() {
    let desk = Desk::new();
    let text = "version: '1.0'\nname: n\ninputs: [{name: names, type: list}]\nsteps:\n  - {id: all, type: loop, each: '{names}', as: who, steps: [{id: greet, type: code, code: x = 1}]}\n  - {id: three, type: loop, times: 3, steps: [{id: again, type: code, code: y = 1}]}\n";
    let path = file(&desk, "w.yaml", text);
    let tried = |given: &[&str]| {
        let words = ["--lang", "en", "workflow", "run", &path, "--dry-run"];
        let printed = desk.run([&words[..], given].concat());
        assert_eq!(printed.code, Some(0), "{printed:?}");
        printed.stdout
    };
    let unknown = tried(&[]);
    assert!(
        unknown.contains("all: repeats for each of {names}; one round is shown\ngreet:"),
        "{unknown}"
    );
    assert!(
        unknown.contains("three: repeats 3 times; one round is shown\nagain:"),
        "{unknown}"
    );
    let known = tried(&["--set", "names=[\"a\", \"b\"]"]);
    assert!(
        known.contains("all: repeats 2 times, for each of {names}; one round is shown"),
        "{known}"
    );
}

#[test]
fn an_export_for_programs_is_json_and_is_read_again() {
    let desk = Desk::new();
    let exported = desk.run(["--json", "workflow", "export", "refund-approval"]);
    assert_eq!(exported.json()[0]["steps"][0]["id"], "look_up", "{exported:?}");
    let path = file(&desk, "again.json", &exported.stdout);
    assert_eq!(desk.run(["workflow", "validate", &path]).code, Some(0));
    let yaml = desk.run(["workflow", "export", "refund-approval"]).stdout;
    assert!(yaml.contains("version: '1.0'\nname: 'Refund approval'"), "{yaml}");
}

#[test]
fn what_comes_along_is_named_asked_and_answered_in_the_users_language() {
    let desk = Desk::new();
    let listed = desk.run(["--lang", "zh", "workflow", "list"]);
    assert!(
        listed.stdout.contains("查订单，并告知退款是否批准。"),
        "{listed:?}"
    );
    assert!(!listed.stdout.contains("refund is approved"), "{listed:?}");
    let printed = desk.run([
        "--lang",
        "zh",
        "workflow",
        "run",
        "refund-approval",
        "--set",
        "order_id=\"1\"",
    ]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("订单 1 的退款已批准"), "{printed:?}");
    let printed = desk.run([
        "--lang",
        "en",
        "workflow",
        "run",
        "refund-approval",
        "--set",
        "order_id=\"1\"",
    ]);
    assert!(
        printed.stdout.contains("The refund of order 1 is approved"),
        "{printed:?}"
    );
}

const GREETING: &str = "version: '1.0'\nname: Greeting\nsteps:\n  - {id: greet, type: code, code: \"text = 'hello'\", output: {name: text, type: str}}\n  - {id: told, type: output, inputs: {text: '{text}'}}\n";

#[test]
fn an_assistant_runs_by_name_what_its_file_lists_and_says_so_where_it_lists_it_not() {
    let desk = Desk::new();
    keep(&desk, "greet", GREETING);
    let cook = "version: '1'\nname: cook\ntitle: Cook\nprompt: You speak of soup.\nworkflows: []\n";
    let path = file(&desk, "cook.yaml", cook);
    assert_eq!(desk.run(["assistant", "import", &path, "--yes"]).code, Some(0));
    let refused = desk.run(["--lang", "en", "ask", "--assistant", "cook", "/greet"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("The assistant cook may not run the workflow greet"),
        "{refused:?}"
    );
    assert!(!refused.stderr.contains("NameError"), "{refused:?}");
    let path = file(
        &desk,
        "baker.yaml",
        &cook.replace("cook", "baker").replace("[]", "[greet]"),
    );
    assert_eq!(desk.run(["assistant", "import", &path, "--yes"]).code, Some(0));
    let asked = desk.run(["ask", "--assistant", "baker", "/greet"]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert!(asked.stdout.contains("hello"), "{asked:?}");
}

#[test]
fn a_workflow_that_finds_no_folder_while_it_runs_says_how_to_give_one() {
    let desk = Desk::new();
    let reading = "version: '1.0'\nname: Reading\ninputs:\n  - {name: file, type: str}\nsteps:\n  - {id: read, type: tool, tool: files.read, inputs: {path: '{file}'}, output: {name: text, type: str}}\n  - {id: told, type: output, inputs: {text: '{text}'}}\n";
    keep(&desk, "reading", reading);
    for (language, folder) in [("en", "Give a folder"), ("zh", "请给出")] {
        let run = [
            "--lang",
            language,
            "workflow",
            "run",
            "reading",
            "--set",
            "file=a.txt",
        ];
        let failed = desk.run(run);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        let hint = failed.stderr.lines().find(|line| line.contains(folder));
        assert!(hint.is_some_and(|hint| hint.contains("--folder .")), "{failed:?}");
    }
    let folder = desk.path("work");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.txt"), "quagga").unwrap();
    let folder = folder.display().to_string();
    let run = [
        "workflow",
        "run",
        "reading",
        "--set",
        "file=a.txt",
        "--folder",
        &folder,
    ];
    let read = desk.run(run);
    assert!(read.code == Some(0) && read.stdout.contains("quagga"), "{read:?}");
}
