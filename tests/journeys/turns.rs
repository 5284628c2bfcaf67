//! Several tasks of one session: one that waits while others come and go, and what is said to it meanwhile.

use crate::shell::programs;
use shidi_tests::command::{Desk, Printed, Staying};
use shidi_tests::model_server::{Answer, ModelServer, prompt_of};

const ASKS: &str = "n = await user.ask(text=\"How many?\")\nawait user.say(f\"{n} are booked\")";

fn done(printed: &Printed) {
    assert_eq!(printed.code, Some(0), "{}\n{}", printed.stdout, printed.stderr);
}

/// Asks what will wait; tells its run.
fn waiting(desk: &Desk, arguments: &[&str]) -> String {
    let printed = desk.run(["ask", "--json"].iter().chain(arguments));
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    printed.event("run_started")["run"].as_str().unwrap().to_owned()
}

#[test]
fn a_task_that_waits_goes_on_after_its_session_went_on_without_it() {
    for ends in [ASKS, "n = await user.ask(text=\"How many?\")\nprint(n)"] {
        let server = programs(&[ends]);
        let desk = Desk::with_model(&server.url());
        let run = waiting(&desk, &["book it"]);
        done(&desk.run(["ask", "--session", "last", "and the weather?"]));
        let printed = desk.run(["answer", "--json", &run, "4"]);
        done(&printed);
        assert!(printed.event("answer")["text"].is_string(), "{}", printed.stdout);
        let shown = desk.run(["session", "show", "--json", "last"]).stdout;
        for said in ["book it", "and the weather?"] {
            assert!(shown.contains(said), "{shown}");
        }
    }
}

#[test]
fn a_call_that_waits_is_approved_after_its_session_went_on_without_it() {
    let server = programs(&["text = await files.read(\"/etc/hostname\")\nprint(len(text.data))"]);
    let desk = Desk::with_model(&server.url());
    let run = waiting(&desk, &["how long is it?"]);
    done(&desk.run(["ask", "--session", "last", "and the weather?"]));
    let printed = desk.run(["approve", "--json", &run, "1"]);
    done(&printed);
    assert_eq!(printed.event("answer")["text"], "Done.");
}

#[test]
fn what_is_said_to_a_waiting_task_is_kept_and_it_says_that_it_waits() {
    let server = programs(&["n = await user.ask(text=\"How many?\")\nprint(n)"]);
    let desk = Desk::with_model(&server.url());
    let _staying = Staying::start(&desk);
    let run = waiting(&desk, &["book it"]);
    let note = desk.path("note.txt");
    std::fs::write(&note, "Window seats only: CRANE.").unwrap();
    let printed = desk.run([
        "ask",
        "--json",
        "--session",
        "last",
        "--file",
        note.to_str().unwrap(),
        "mind the note",
    ]);
    assert_eq!(printed.code, Some(3), "{}\n{}", printed.stdout, printed.stderr);
    assert_eq!(printed.event("question")["text"], "How many?");
    done(&desk.run(["answer", "--json", &run, "4"]));
    let prompt = server.last_prompt();
    assert!(
        prompt.contains("mind the note") && prompt.contains("CRANE"),
        "{prompt}"
    );
}

#[test]
fn of_two_tasks_of_one_session_one_goes_on_when_the_other_is_done() {
    let server = ModelServer::thinking(|request| {
        let asks = |text: &str| Answer::Text(format!("```python\n{text}\n```"));
        match prompt_of(request).contains("the second") {
            true => asks("n = await user.ask(text=\"Which day?\")\nawait user.say(n)"),
            false => asks(ASKS),
        }
    });
    let desk = Desk::with_model(&server.url());
    let first = waiting(&desk, &["the first"]);
    let staying = Staying::start(&desk);
    let second = waiting(&desk, &["--session", "last", "the second"]);
    let refused = desk.run(["answer", &first, "4"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("Another task of this session"),
        "{}",
        refused.stderr
    );
    done(&desk.run(["answer", "--json", &second, "Monday"]));
    let printed = desk.run(["answer", "--json", &first, "4"]);
    done(&printed);
    assert_eq!(printed.event("answer")["text"], "4 are booked");
    drop(staying);
}
