//! Plugins: shown before they are kept, used as they were shown, within what they declare; a kill leaves one that is whole.

use serde_json::{Value, json};
use shidi_tests::command::{Desk, Printed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Kills of an update, at moments that go through all of it.
const KILLS: u64 = 8;
/// Milliseconds between two of these moments.
const KILL_STEP_MS: u64 = 25;

const TOOLS: &str = "async def greet(name):
    return f'Hello {name}'

async def keep(text):
    kept = await files.write(path='outbox/a.txt', text=text)
    return kept.ok

async def stray(text):
    kept = await files.write(path='elsewhere.txt', text=text)
    return kept.ok
";

/// It names a call that nothing permits: its file is refused, and those beside it are not.
const LOOKS: &str = "async def look():
    return (await files.list()).data
";

fn manifest(version: &str, permissions: &str) -> String {
    format!(
        "name: care\nversion: '{version}'\ndescription: 'Greets, and keeps'\npermissions: {permissions}\ntools:\n\
         \x20 - {{name: greet, description: Greets, class: read, inputs: [{{name: name, type: str}}], output: str}}\n\
         \x20 - {{name: keep, description: Keeps, class: write, inputs: [{{name: text, type: str}}], output: bool}}\n\
         \x20 - {{name: stray, description: Strays, class: read, inputs: [{{name: text, type: str}}], output: bool}}\n\
         \x20 - {{name: look, description: Looks, class: read, output: list}}\n"
    )
}

const WORKFLOW: &str = "version: '1.0'\nname: Hello\ninputs: [{name: who, type: str}]\nsteps:\n\
    \x20 - {id: greet, type: plugin, plugin: greet, inputs: {name: '{who}'}, output: {name: said, type: str}}\n\
    \x20 - {id: told, type: output, inputs: {said: '{said}'}}\n";

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The folder of a plugin that somebody else wrote.
fn source(desk: &Desk) -> PathBuf {
    let folder = desk.path("care-source");
    put(
        &folder,
        "plugin.yaml",
        &manifest("1.0", "['files.write(path=outbox/*)']"),
    );
    put(&folder, "tools/tools.py", TOOLS);
    put(&folder, "tools/looks.py", LOOKS);
    put(&folder, "workflows/hello.yaml", WORKFLOW);
    put(&folder, "prompts/thanks.md", "Thank {name} for the order.\n");
    put(
        &folder,
        "skills/answer/SKILL.md",
        "---\nname: answer\ndescription: Answers a letter.\n---\nBe brief.\n",
    );
    folder
}

fn plugin(desk: &Desk, arguments: &[&str]) -> Printed {
    desk.run([&["--json", "plugin"], arguments].concat())
}

fn installed(desk: &Desk) -> PathBuf {
    let folder = source(desk);
    let printed = plugin(desk, &["install", &folder.display().to_string(), "--yes"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert_eq!(printed.json().last().unwrap()["standing"], "kept");
    folder
}

fn named(listed: &[Value], name: &str) -> Value {
    let found = listed.iter().find(|one| one["name"] == name);
    found
        .cloned()
        .unwrap_or_else(|| panic!("no {name} in {listed:?}"))
}

fn executed(desk: &Desk, folder: &Path, program: &str) -> Value {
    fs::create_dir_all(folder).unwrap();
    let at = folder.display().to_string();
    let printed = desk.run_with(["exec", "--json", "--folder", &at, "-"], program);
    let first = printed.json().into_iter().next();
    first.unwrap_or_else(|| panic!("{printed:?}"))
}

fn run_of(printed: &Printed) -> Value {
    let mut runs = printed.json();
    runs.retain(|line| line["type"] == "workflow_run");
    runs.pop().unwrap_or_else(|| panic!("{printed:?}"))
}

#[test]
fn what_a_plugin_holds_and_may_do_is_shown_and_nothing_is_kept_unasked() {
    let desk = Desk::new();
    let at = source(&desk).display().to_string();
    let refused = desk.run(["plugin", "install", &at]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in [
        "care:hello",
        "care:thanks",
        "care:answer",
        "greet(name: str) -> str",
        "files.write, only where path=outbox/*",
        "can't run, as no permission covers what its file names: files.list",
    ] {
        assert!(refused.stdout.contains(part), "{part}: {}", refused.stdout);
    }
    assert!(!desk.data().join("plugins").exists(), "nothing is kept unasked");
    let kept = desk.run(["plugin", "install", &at, "--yes"]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(
        kept.stdout.contains("files.write, only where"),
        "shown all the same: {kept:?}"
    );
    let listed = plugin(&desk, &["list"]).json();
    assert_eq!(named(&listed, "care")["standing"], "kept");
    assert_eq!(named(&listed, "customer-care")["standing"], "available");
}

#[test]
fn what_a_plugin_would_bring_is_shown_by_its_folder_or_name_and_nothing_is_kept() {
    let desk = Desk::new();
    let at = source(&desk).display().to_string();
    let shown = desk.run(["plugin", "show", &at]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    for part in [
        "care:hello",
        "greet(name: str) -> str",
        "files.write, only where path=outbox/*",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    // What comes along is shown by its name, whatever lies in this folder.
    std::fs::create_dir(desk.path("customer-care")).unwrap();
    let shipped = desk.run(["plugin", "show", "customer-care"]);
    assert!(shipped.stdout.contains("customer-care"), "{shipped:?}");
    assert!(!desk.data().join("plugins").exists(), "nothing is kept");
    let nobody = desk.run(["plugin", "show", "care"]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
    let nowhere = desk.run(["plugin", "show", "./nowhere"]);
    assert_eq!(nowhere.code, Some(2), "{nowhere:?}");
}

#[test]
fn a_failure_within_a_tool_is_told_once_with_its_place() {
    let desk = Desk::new();
    let source = source(&desk);
    let failing = TOOLS.replace("return f'Hello {name}'", "raise ValueError(f'no {name}')");
    put(&source, "tools/tools.py", &failing);
    let printed = plugin(&desk, &["install", &source.display().to_string(), "--yes"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let told = "care.greet: The program failed: line 2: ValueError: no Ann";
    let called = executed(&desk, &desk.path("work"), "await care.greet(name='Ann')");
    assert_eq!(called["error"]["message"], told, "{called}");
    let run = desk.run(["--json", "workflow", "run", "care:hello", "--set", "who=Ann"]);
    assert_eq!(
        run_of(&run)["error"]["message"],
        format!("greet: {told}"),
        "{run:?}"
    );
    let asked = desk.run(["ask", "/care:hello Ann"]);
    let said = asked.stderr.matches("program failed").count();
    assert_eq!(said, 1, "{asked:?}");
}

#[test]
fn what_it_brings_is_listed_under_both_names_and_changes_with_it_alone() {
    let desk = Desk::new();
    installed(&desk);
    for area in ["workflow", "prompt", "skill"] {
        let listed = desk.run([area, "list"]).stdout;
        assert!(listed.contains("care:"), "{area}: {listed}");
    }
    for (area, name) in [
        ("workflow", "care:hello"),
        ("prompt", "care:thanks"),
        ("skill", "care:answer"),
    ] {
        let mut words = vec![area, "remove", name];
        // A workflow goes without a question.
        words.extend((area != "workflow").then_some("--yes"));
        let removed = desk.run(&words);
        assert_eq!(removed.code, Some(2), "{area}: {removed:?}");
    }
    let filled = desk.run(["prompt", "fill", "care:thanks", "--set", "name=Ann"]);
    assert_eq!(filled.stdout.trim(), "Thank Ann for the order.", "{filled:?}");
    let run = desk.run(["--json", "workflow", "run", "care:hello", "--set", "who=Ann"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run_of(&run)["result"], json!({"said": "Hello Ann"}));
    let asked = desk.run(["ask", "/care:hello Bo"]);
    assert!(asked.stdout.contains("Hello Bo"), "{asked:?}");
    let removed = plugin(&desk, &["remove", "care", "--yes"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert_eq!(fs::read_dir(desk.data().join("plugins")).unwrap().count(), 0);
    assert!(!desk.run(["workflow", "list"]).stdout.contains("care:"));
    assert_eq!(desk.run(["workflow", "run", "care:hello"]).code, Some(2));
}

#[test]
fn its_tools_run_within_what_it_declares_and_no_further() {
    let desk = Desk::new();
    installed(&desk);
    let folder = desk.path("work");
    let kept = executed(&desk, &folder, "print(await care.keep(text='x'))");
    assert_eq!(kept["ok"], true, "{kept}");
    assert_eq!(fs::read_to_string(folder.join("outbox/a.txt")).unwrap(), "x");
    // Of a method that it declares, another place; and a method that it does not declare.
    let strayed = executed(
        &desk,
        &folder,
        "r = await care.stray(text='x')\nprint(r.data, r.error)",
    );
    assert!(!folder.join("elsewhere.txt").exists(), "{strayed}");
    let looked = executed(&desk, &folder, "print(await care.look())");
    assert_eq!(looked["ok"], false, "{looked}");
    // What it declares is no leave: without a folder there is nowhere to write.
    let printed = desk.run_with(["exec", "--json", "-"], "print(await care.keep(text='y'))");
    assert_eq!(fs::read_to_string(folder.join("outbox/a.txt")).unwrap(), "x");
    assert_ne!(printed.json()[0]["stdout"], "True\n", "{printed:?}");
}

#[test]
fn one_that_changes_is_used_no_more_until_it_is_shown_again() {
    let desk = Desk::new();
    let folder = installed(&desk);
    put(
        &desk.data().join("plugins/care"),
        "tools/tools.py",
        "def greet(name):\n    return 'other'\n",
    );
    assert_eq!(
        named(&plugin(&desk, &["list"]).json(), "care")["standing"],
        "broken"
    );
    put(
        &desk.data().join("plugins/care"),
        "tools/tools.py",
        &format!("{TOOLS}\n# other\n"),
    );
    assert_eq!(
        named(&plugin(&desk, &["list"]).json(), "care")["standing"],
        "changed"
    );
    assert!(!desk.run(["workflow", "list"]).stdout.contains("care:"));
    let used = executed(&desk, &desk.path("work"), "print(await care.greet(name='x'))");
    assert_eq!(used["ok"], false, "{used}");
    let again = plugin(&desk, &["install", &folder.display().to_string(), "--yes"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let used = executed(&desk, &desk.path("work"), "print(await care.greet(name='x'))");
    assert_eq!(used["ok"], true, "{used}");
}

#[test]
fn an_update_says_first_what_it_may_do_more_and_takes_the_place_as_a_whole() {
    let desk = Desk::new();
    let folder = installed(&desk);
    let same = desk.run(["plugin", "update", "care", "--yes"]);
    assert!(same.stdout.starts_with("Nothing would change."), "{same:?}");
    put(
        &folder,
        "plugin.yaml",
        &manifest("2.0", "['files.write', 'web.fetch']"),
    );
    put(&folder, "prompts/sorry.md", "Say sorry.\n");
    fs::remove_file(folder.join("prompts/thanks.md")).unwrap();
    let told = desk.run(["plugin", "update", "care"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    let lines: Vec<&str> = told.stdout.lines().take(3).collect();
    assert_eq!(
        lines,
        [
            "May do more than before: files.write",
            "May do more than before: web.fetch",
            "Version 1.0 becomes 2.0."
        ]
    );
    assert!(told.stdout.contains("prompts care:sorry") && told.stdout.contains("prompts care:thanks"));
    assert!(desk.data().join("plugins/care/prompts/thanks.md").exists());
    assert_eq!(desk.run(["plugin", "update", "care", "--yes"]).code, Some(0));
    assert!(!desk.data().join("plugins/care/prompts/thanks.md").exists());
    assert_eq!(named(&plugin(&desk, &["list"]).json(), "care")["version"], "2.0");
}

#[test]
fn faults_are_told_with_their_lines_and_what_leads_out_is_refused() {
    let desk = Desk::new();
    let folder = source(&desk);
    let at = folder.display().to_string();
    put(
        &folder,
        "plugin.yaml",
        &manifest("1.0", "[files]").replace("class: read", "class: raed"),
    );
    let refused = desk.run(["plugin", "install", &at, "--yes"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in ["plugin.yaml:4:15", "plugin.yaml:6:", "Did you mean read?"] {
        assert!(refused.stdout.contains(part), "{part}: {}", refused.stdout);
    }
    put(&folder, "plugin.yaml", &manifest("1.0", "[]"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", folder.join("tools/more.py")).unwrap();
        let refused = desk.run(["plugin", "install", &at, "--yes"]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("link"), "{refused:?}");
    }
    let nothing = desk.run([
        "plugin",
        "install",
        &desk.path("nowhere").display().to_string(),
        "--yes",
    ]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    assert!(!desk.data().join("plugins").exists());
    // A name by which programs call something else.
    fs::remove_file(folder.join("tools/more.py")).unwrap();
    put(
        &folder,
        "plugin.yaml",
        &manifest("1.0", "[]").replace("name: care", "name: files"),
    );
    let taken = desk.run(["plugin", "install", &at, "--yes"]);
    assert!(taken.stderr.contains("files already"), "{taken:?}");
}

#[test]
fn a_kill_in_the_middle_leaves_the_old_one_or_the_new_one_whole() {
    let desk = Desk::new();
    let folder = installed(&desk);
    for kill in 0..KILLS {
        let version = format!("{}.0", kill + 2);
        put(&folder, "plugin.yaml", &manifest(&version, "[]"));
        let mut child = desk.spawn(["plugin", "update", "care", "--yes"], Stdio::null());
        // No wait for anything: it is killed wherever it is.
        std::thread::sleep(Duration::from_millis(40 + kill * KILL_STEP_MS));
        child.kill().unwrap();
        child.wait().unwrap();
        let listed = named(&plugin(&desk, &["list"]).json(), "care");
        assert_eq!(listed["standing"], "kept", "{listed}");
    }
    let version = format!("{}.0", KILLS + 1);
    let last = plugin(&desk, &["update", "care", "--yes"]);
    assert_eq!(last.json().last().unwrap()["version"], version, "{last:?}");
    let left = fs::read_dir(desk.data().join("plugins")).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert_eq!(
        left,
        ["care"],
        "what a kill left of a change goes with the next one"
    );
}

#[test]
fn the_articles_marketing_runs_from_end_to_end_with_the_plugin_that_comes_along() {
    let desk = Desk::new();
    let printed = plugin(&desk, &["install", "customer-care", "--yes"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    let at = folder.display().to_string();
    let sent = || -> Vec<String> {
        let entries = fs::read_dir(folder.join("outbox"))
            .into_iter()
            .flatten()
            .flatten();
        entries
            .map(|entry| fs::read_to_string(entry.path()).unwrap())
            .collect()
    };
    for (kept, name) in ["customer-marketing", "customer-care:customer-marketing"]
        .iter()
        .enumerate()
    {
        let given = [
            "--set",
            "user_tag=regulars",
            "--set",
            "marketing_need=the autumn menu",
        ];
        let words = [&["--json", "workflow", "run", name, "--folder", &at][..], &given].concat();
        let printed = desk.run(words);
        assert_eq!(printed.code, Some(3), "{printed:?}");
        let run = run_of(&printed);
        let card = &run["waiting"][0]["event"];
        assert_eq!(card["text"], "Send this to 555-0100?", "{run}");
        assert!(
            card["fields"]["facts"]
                .to_string()
                .contains("likes warm dishes: the autumn menu")
        );
        assert_eq!(sent().len(), kept, "nothing is sent before");
        let (id, program) = (run["run"].as_str().unwrap(), card["run"].as_str().unwrap());
        let answered = desk.run(["answer", program, "Approve"]);
        assert_eq!(answered.code, Some(0), "{answered:?}");
        let next = format!("shidi workflow resume {id}");
        assert!(answered.stderr.contains(&next), "{answered:?}");
        let mut printed = desk.run(["--json", "workflow", "resume", id]);
        if kept == 0 {
            // That one permits itself nothing: sending is asked about as ever.
            let card = run_of(&printed)["waiting"][0]["event"].clone();
            assert_eq!(card["tool"], "customer_care.plugin_sms_send", "{printed:?}");
            assert_eq!(sent().len(), 0);
            let (program, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
            let approved = desk.run(["--lang", "zh", "approve", program, &call]);
            assert_eq!(approved.code, Some(0), "{approved:?}");
            assert!(
                approved.stderr.contains(&next) && approved.stderr.contains("等着继续"),
                "{approved:?}"
            );
            printed = desk.run(["--json", "workflow", "resume", id]);
        }
        assert_eq!(printed.code, Some(0), "{printed:?}");
        assert_eq!(run_of(&printed)["result"], json!({"sms_status": true}));
        assert_eq!(sent().len(), kept + 1);
    }
    assert!(
        sent()
            .iter()
            .all(|text| text.contains("555-0100") && text.contains("autumn menu"))
    );
}

#[test]
fn a_workflow_whose_tools_write_files_is_refused_without_a_folder_before_anything_is_asked() {
    let desk = Desk::new();
    let printed = plugin(&desk, &["install", "customer-care", "--yes"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    let given = [
        "workflow",
        "run",
        "customer-marketing",
        "--set",
        "user_tag=regulars",
        "--set",
        "marketing_need=the autumn menu",
    ];
    for (language, sentence) in [("en", "no folder was given"), ("zh", "没有给文件夹")] {
        let refused = desk.run([&["--lang", language][..], &given].concat());
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains(sentence)
                && refused.stderr.contains("send_sms")
                && refused.stderr.contains("--folder"),
            "{refused:?}"
        );
    }
    let runs = desk.run(["--json", "workflow", "runs"]).json();
    assert_eq!(runs, Vec::<Value>::new(), "nothing of it was begun");
    // A folder of the settings is one.
    let folder = desk.path("work");
    fs::create_dir_all(&folder).unwrap();
    let at = folder.display().to_string();
    assert_eq!(desk.run(["config", "set", "folders", &at]).code, Some(0));
    assert_eq!(desk.run([&["--json"][..], &given].concat()).code, Some(3));
}
