//! Parameters of workflows, over real HTTP and real files: in every format a value that nobody said starts nothing, is
//! asked for, and is passed on once it is there; what was known is not lost when the subject changes.

use serde_json::json;
use shidi_tests::command::{Desk, Printed};
use shidi_tests::model_server::{Answer, ModelServer};
use std::fs;
use std::path::{Path, PathBuf};

const BOOKING: &str = "version: '1.0'\nname: Book a table\ndescription: Books a table in the restaurant.\ninputs:\n  - {name: guests, type: int, description: how many people}\n  \
                       - {name: name, type: str, description: in whose name}\nsteps:\n  - id: keep\n    type: tool\n    tool: files.write\n    inputs: {path: booking.txt, text: '{guests} {name}'}\n  \
                       - {id: told, type: output, inputs: {done: 'for {guests}'}}\n";

fn text(words: &str) -> Answer {
    Answer::Text(words.to_owned())
}

/// A desk with the workflow and a granted folder, which it makes its notes in.
fn desk(server: &ModelServer) -> (Desk, PathBuf) {
    let desk = Desk::with_model(&server.url());
    let folder = desk.data().join("workflows");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("book-table.yaml"), BOOKING).unwrap();
    let work = desk.path("work");
    fs::create_dir_all(&work).unwrap();
    (desk, work)
}

fn said(desk: &Desk, work: &Path, format: &str, session: Option<&str>, words: &str) -> Printed {
    let work = work.display().to_string();
    let mut line = vec![
        "ask", "--json", "--mode", "trust", "--format", format, "--folder", &work,
    ];
    if let Some(session) = session {
        line.extend(["--session", session]);
    }
    line.push(words);
    desk.run(line)
}

/// Two turns with a model whose first call makes a name up.
fn played(format: &str, call: impl Fn(&str) -> Vec<Answer>) {
    let ask = match format {
        "relay" => "to_user: In whose name?",
        _ => "In whose name?",
    };
    let done = match format {
        "relay" => "to_user: Booked for four, Okafor.",
        _ => "Booked for four, Okafor.",
    };
    let mut answers = call("John Doe");
    answers.push(text(ask));
    answers.extend(call("Okafor"));
    answers.push(text(done));
    let server = ModelServer::start(answers);
    let (desk, work) = desk(&server);
    if format == "fim" {
        let models = "[[model]]\nname = \"scripted\"\nfim = \"suffix\"\n";
        fs::write(desk.data().join("models.toml"), models).unwrap();
    }
    let first = said(&desk, &work, format, None, "A table for four tonight, please");
    assert_eq!(
        first.code,
        Some(0),
        "{format}: {}\n{}",
        first.stdout,
        first.stderr
    );
    assert_eq!(
        first.event("answer")["text"],
        "In whose name?",
        "{format}: {}",
        first.stdout
    );
    assert!(!work.join("booking.txt").exists(), "{format}: nothing is made up");
    let told = server.last_prompt();
    assert!(told.contains("nobody has said name="), "{format}: {told}");
    assert!(told.contains("Known so far, keep it: guests=4"), "{format}");
    let session = first.event("run_started")["session"].as_str().unwrap().to_owned();
    let second = said(&desk, &work, format, Some(&session), "Okafor");
    assert_eq!(
        second.code,
        Some(0),
        "{format}: {}\n{}",
        second.stdout,
        second.stderr
    );
    assert_eq!(
        fs::read_to_string(work.join("booking.txt")).unwrap(),
        "4 Okafor",
        "{format}"
    );
}

fn fenced(arguments: &str) -> Answer {
    text(&format!(
        "```python\nprint(await workflows.book_table({arguments}))\n```"
    ))
}

fn program(name: &str) -> String {
    format!("print(await workflows.book_table(guests=4, name='{name}'))")
}

#[test]
fn a_fenced_program_passes_on_what_was_said() {
    played("fenced", |name| {
        vec![text(&format!("```python\n{}\n```", program(name)))]
    });
}

#[test]
fn so_does_a_program_in_a_tool_call() {
    played("tool", |name| vec![Answer::Tool(program(name))]);
}

#[test]
fn so_do_calls_of_the_tools_themselves() {
    played("json", |name| {
        vec![Answer::Calls(vec![(
            "workflows__book_table",
            json!({"guests": 4, "name": name}),
        )])]
    });
}

#[test]
fn so_does_a_relay() {
    played("relay", |name| {
        let args = json!({"guests": 4, "name": name});
        vec![text(&format!(
            "to_sys: {{\"tool\": \"workflows.book_table\", \"args\": {args}}}"
        ))]
    });
}

#[test]
fn so_does_the_middle_of_a_program() {
    played("fim", |name| {
        vec![
            text("Book the table.\n[Python]:"),
            text(&format!("    {}\n", program(name))),
        ]
    });
}

#[test]
fn what_is_left_out_is_asked_for_and_the_subject_may_change_meanwhile() {
    let server = ModelServer::start([
        fenced("guests=4"),
        text("In whose name?"),
        text("144."),
        fenced("guests=4, name='Okafor'"),
        text("Booked."),
    ]);
    let (desk, work) = desk(&server);
    let first = said(&desk, &work, "fenced", None, "我们四个人，订张 table");
    assert_eq!(first.code, Some(0), "{}\n{}", first.stdout, first.stderr);
    assert!(
        server
            .last_prompt()
            .contains("name (in whose name) is not known yet"),
        "{}",
        server.last_prompt()
    );
    let session = first.event("run_started")["session"].as_str().unwrap().to_owned();
    let aside = said(
        &desk,
        &work,
        "fenced",
        Some(&session),
        "By the way, what is twelve times twelve?",
    );
    assert_eq!(aside.event("answer")["text"], "144.");
    let last = said(
        &desk,
        &work,
        "fenced",
        Some(&session),
        "And the table goes to Okafor",
    );
    assert_eq!(last.code, Some(0), "{}\n{}", last.stdout, last.stderr);
    assert!(
        server.last_prompt().contains("guests=4"),
        "what is known stands in the conversation"
    );
    assert_eq!(fs::read_to_string(work.join("booking.txt")).unwrap(), "4 Okafor");
}
