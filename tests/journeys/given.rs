//! `shidi exec` is a run: on record, traced, gone on with after a restart, and waiting for people as any task does.

use serde_json::Value;
use shidi_tests::command::{Desk, Printed};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn executed(desk: &Desk, arguments: &[&str], program: &str) -> Printed {
    let arguments = ["exec", "--json"].iter().chain(arguments).chain(&["-"]);
    desk.run_with(arguments, program)
}

fn result(printed: &Printed) -> Value {
    let objects = printed.json();
    let last = objects.last();
    last.unwrap_or_else(|| panic!("{}", printed.stderr)).clone()
}

/// A program whose write needs an approval, since it leads out of every granted folder.
fn outside(desk: &Desk) -> (PathBuf, String) {
    let file = desk.path("outside.txt");
    let program = format!(
        "print('before')\nawait files.write(path={:?}, text='kept')\nprint('after')\n6 * 7",
        file.to_str().unwrap()
    );
    (file, program)
}

#[test]
fn a_program_is_a_run_with_its_record_and_its_trace() {
    let desk = Desk::new();
    let printed = executed(&desk, &[], "now = await system.time()\nnow is not None");
    let told = result(&printed);
    assert_eq!((printed.code, &told["value"]), (Some(0), &true.into()), "{told}");
    let (run, session) = (told["run"].as_str().unwrap(), told["session"].as_str().unwrap());
    let trace = desk.run(["--json", "trace", "show", run]);
    assert!(trace.stdout.contains("system.time"), "{}", trace.stdout);
    let shown = desk.run(["session", "show", session, "--segments"]);
    assert!(
        shown.stdout.contains("now = await system.time()"),
        "{}",
        shown.stdout
    );
    let again = desk.run(["--json", "replay", run]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
}

#[test]
fn a_call_that_needs_approval_rests_and_goes_on_where_it_was_once_it_is_approved() {
    let desk = Desk::new();
    let (file, program) = outside(&desk);
    let printed = executed(&desk, &["--session", "one"], &program);
    assert_eq!(printed.code, Some(3), "{}{}", printed.stdout, printed.stderr);
    let rests = result(&printed);
    assert_eq!(
        (&rests["ok"], &rests["error"]["type"]),
        (&false.into(), &"Suspended".into()),
        "{rests}"
    );
    let hint = rests["error"]["hint"].as_str().unwrap().to_owned();
    assert!(!file.exists(), "nothing is written before it is approved");
    let command: Vec<&str> = hint.split(' ').skip(1).collect();
    assert_eq!(command[0], "approve", "{hint}");
    let approved = desk.run(["--json"].iter().chain(&command));
    let told = result(&approved);
    assert_eq!(
        (approved.code, &told["value"]),
        (Some(0), &42.into()),
        "{}",
        approved.stdout
    );
    assert_eq!(told["stdout"], "before\nafter\n", "{told}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "kept");
}

#[test]
fn a_refused_call_is_an_exception_that_the_program_may_catch() {
    let desk = Desk::new();
    let (file, program) = outside(&desk);
    let caught = format!(
        "try:\n    {}\nexcept PermissionError as error:\n    print('refused', error)",
        program.replace('\n', "\n    ")
    );
    let printed = executed(&desk, &[], &caught);
    let rests = result(&printed);
    let run = rests["run"].as_str().unwrap().to_owned();
    let hint = rests["error"]["hint"].as_str().unwrap().to_owned();
    let call = hint.rsplit(' ').next().unwrap();
    let refused = desk.run(["--json", "refuse", &run, call, "--reason", "not there"]);
    let told = result(&refused);
    assert_eq!(refused.code, Some(0), "{}{}", refused.stdout, refused.stderr);
    assert!(told["stdout"].as_str().unwrap().contains("refused"), "{told}");
    assert!(!file.exists());
}

#[test]
fn a_program_may_ask_its_user_and_goes_on_with_the_answer() {
    let desk = Desk::new();
    let printed = executed(&desk, &[], "name = await user.ask(text='Who?')\nname");
    assert_eq!(printed.code, Some(3), "{}{}", printed.stdout, printed.stderr);
    let run = result(&printed)["run"].as_str().unwrap().to_owned();
    let answered = desk.run(["--json", "answer", &run, "Ada"]);
    assert_eq!(result(&answered)["value"], "Ada", "{}", answered.stdout);
}

#[test]
fn a_program_whose_process_was_killed_goes_on_behind_what_it_has_done() {
    let desk = Desk::new();
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    let folder = work.to_str().unwrap();
    let arguments = ["exec", "--json", "--session", "one", "--folder", folder, "-"];
    let mut child = desk.spawn(arguments, Stdio::piped());
    let program = format!(
        "await files.write(path='{folder}/first', text='1')\nawait system.sleep(seconds=5)\nawait files.write(path='{folder}/second', text='2')\n'whole'"
    );
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), program.as_bytes()).unwrap();
    let end = Instant::now() + Duration::from_secs(40);
    while !work.join("first").exists() {
        assert!(Instant::now() < end, "the program does not begin");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = desk.run(["--json", "resume"]);
    assert_eq!(resumed.code, Some(0), "{}{}", resumed.stdout, resumed.stderr);
    assert_eq!(result(&resumed)["value"], "whole", "{}", resumed.stdout);
    assert_eq!(std::fs::read_to_string(work.join("second")).unwrap(), "2");
    let changes = desk.run(["--json", "changes", "list"]).json();
    assert_eq!(changes.len(), 2, "no write is repeated: {changes:?}");
}

#[test]
fn a_check_runs_nothing_and_leaves_no_run() {
    let desk = Desk::new();
    let sound = executed(&desk, &["--check"], "await files.write(path='/tmp/x', text='')");
    assert_eq!((sound.code, &result(&sound)["ok"]), (Some(0), &true.into()));
    assert_eq!(result(&sound).get("run"), None);
    let wrong = executed(&desk, &["--check"], "await fils.read(path='a')");
    assert_eq!(wrong.code, Some(1));
    assert!(
        result(&wrong)["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("files"),
        "{}",
        wrong.stdout
    );
    assert_eq!(desk.run(["--json", "session", "list"]).stdout, "");
}

#[test]
fn what_the_conversation_has_read_does_not_mark_a_program_that_a_person_wrote() {
    let desk = Desk::with_model("http://127.0.0.1:1/v1");
    if !desk.can_confine() {
        return;
    }
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    let folder = work.to_str().unwrap();
    let exec = |program: &str| {
        result(&executed(
            &desk,
            &["--session", "one", "--folder", folder],
            program,
        ))
    };
    // The output of a command is a stranger's text; kept in a variable it marks what goes on from it.
    assert_eq!(
        exec("print((await shell.run('echo hello'))['stdout'])")["ok"],
        true
    );
    assert_eq!(exec("(await shell.run('echo again'))['ended']")["ok"], true);
    assert_eq!(
        exec("said = (await shell.run('echo kept'))['stdout']")["ok"],
        true
    );
    assert_eq!(
        exec("await shell.run('echo marked')")["error"]["type"],
        "Suspended"
    );
}
