//! Commands from the first word to the record: permission, walls, results, time, and what is said where none can run.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::path::PathBuf;
use std::process::Stdio;

/// A model that writes these programs, one after the other, and then answers.
pub fn programs(programs: &[&str]) -> ModelServer {
    let program = |text: &&str| Answer::Text(format!("[Thought]: I do it.\n```python\n{text}\n```"));
    let done = || Answer::Text("Done.".to_owned());
    ModelServer::start(programs.iter().map(program).chain([done(), done()]))
}

pub fn work(desk: &Desk) -> PathBuf {
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    work
}

pub fn ask(desk: &Desk, arguments: &[&str]) -> Printed {
    let work = work(desk).display().to_string();
    let all = ["ask", "--json", "--folder", &work];
    desk.run(all.iter().copied().chain(arguments.iter().copied()))
}

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

#[test]
fn a_command_runs_without_asking_and_the_next_one_asks_as_the_first_ones_output_is_a_strangers() {
    let server = programs(&[
        "r = await shell.run(\"echo made > made.txt; ls; exit 4\")\nprint(r.data)",
        "await shell.run(\"echo more\")",
    ]);
    let desk = Desk::with_model(&server.url());
    if !desk.can_confine() {
        return;
    }
    let printed = ask(&desk, &["make it"]);
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let output = printed.event("output")["stdout"].to_string();
    assert!(
        output.contains("made.txt") && output.contains("'exit_code': 4"),
        "{output}"
    );
    let call = printed.event("call_done");
    assert_eq!(
        (&call["ok"], &call["summary"]),
        (&Value::Bool(true), &"exit 4 · 1 lines".into())
    );
    let card = printed.event("approval_needed");
    assert_eq!(
        (&card["args"]["command"], &card["class"]),
        (&"echo more".into(), &"execute".into())
    );
    let run = card["run"].as_str().unwrap();
    done(&desk.run(["approve", "--json", run, &card["call"].to_string()]));
}

#[test]
fn a_dangerous_command_asks_in_every_mode_and_what_is_refused_does_not_happen() {
    let server = programs(&[
        "await shell.run(\"cd . && rm -rf keep\")",
        "await shell.run(\"rm -rf keep\")",
    ]);
    let desk = Desk::with_model(&server.url());
    std::fs::create_dir_all(work(&desk).join("keep")).unwrap();
    let printed = ask(&desk, &["--mode", "trust", "clean up"]);
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    let card = printed.event("approval_needed");
    assert_eq!(card["class"], "execute_open");
    let (run, call) = (card["run"].as_str().unwrap(), card["call"].to_string());
    let refused = desk.run(["refuse", "--json", run, &call, "--reason", "no"]);
    assert_eq!(refused.code, Some(3), "the second one asks, too");
    assert!(work(&desk).join("keep").is_dir());
}

#[test]
fn without_a_granted_folder_nothing_runs_and_one_sentence_says_what_to_do() {
    let desk = Desk::new();
    let program = "await shell.run('touch planted')";
    let nowhere = desk.run_with(["exec", "--json", "-"], program);
    let told = nowhere.json()[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("No work folder is granted"), "{told}");
    let chinese = desk.run_with(["--lang", "zh", "exec", "--json", "-"], program);
    let told = chinese.json()[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(told.contains("没有授权的工作文件夹"), "{told}");
}

#[test]
fn a_command_of_exec_sees_no_key_and_no_data_and_ends_with_its_time() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    // The folder that is granted holds the data folder itself.
    let folder = desk.path("");
    let exec = |program: &str| {
        let printed = desk.run_with(
            ["exec", "--json", "--folder", folder.to_str().unwrap(), "-"],
            program,
        );
        printed.json()[0].clone()
    };
    let seen = exec("(await shell.run('env; cat data/config.toml; ls data; cat /proc/*/environ'))['stdout']");
    assert_eq!(seen["ok"], true, "{seen}");
    let seen = seen["value"].as_str().unwrap();
    assert!(
        !seen.contains("sk-test") && !seen.contains("model_url") && !seen.contains("shidi.db"),
        "{seen}"
    );
    assert!(seen.contains("HOME=/tmp/home"), "{seen}");
    let late = exec("(await shell.run('sleep 100', timeout=1))['ended']");
    assert_eq!(late["value"], "timeout");
}

#[test]
fn stopping_the_task_or_killing_the_program_ends_the_command() {
    let server = programs(&[
        "await shell.run(\"echo $$ > begun; while true; do date +%s%N > beat; sleep 0.05; done\", timeout=600)",
    ]);
    let desk = Desk::with_model(&server.url());
    if !desk.can_confine() {
        return;
    }
    let (begun, beat) = (work(&desk).join("begun"), work(&desk).join("beat"));
    let folder = work(&desk).display().to_string();
    let mut child = desk.spawn(["ask", "--json", "--folder", &folder, "beat"], Stdio::null());
    while !begun.exists() || !beat.exists() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Its last beat was written by somebody who is gone: nothing follows.
    let mut last = std::fs::read(&beat).unwrap_or_default();
    let mut same = 0;
    for _ in 0..200 {
        std::thread::sleep(std::time::Duration::from_millis(20)); // that it does not beat is what is waited for
        let now = std::fs::read(&beat).unwrap_or_default();
        same = if now == last { same + 1 } else { 0 };
        last = now;
        if same > 20 {
            break;
        }
    }
    assert!(same > 20, "the command goes on after its program was killed");
    let resumed = desk.run(["resume", "--json"]);
    assert_eq!(resumed.code, Some(3), "{}\n{}", resumed.stdout, resumed.stderr);
    assert!(
        resumed
            .segments("Notification")
            .join("\n")
            .contains("shell.run may have happened")
    );
}
